// SPDX-License-Identifier: Apache-2.0
//
// Each view as it was when somebody last looked at it. Pictures are stored small, and compared in blocks with a
// tolerance: another version of the browser draws letters a little differently, and may. UPDATE_SCREENS=1 stores anew.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { smallReport, smallRun } from '../fixtures';
import { settle, useBrowser } from './browser';

const folder = join(__dirname, 'screens');
const { open } = useBrowser();

/// A quarter of the size, as a PNG in base64.
async function small(page: Page, picture: Buffer): Promise<string> {
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width >> 2, height: image.height >> 2 });
    const pen = canvas.getContext('2d')!;
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png').split(',')[1]!;
  }, picture.toString('base64'));
}

/// The largest difference between blocks of 8 by 8 pixels, in their mean colours, 0 to 255; infinite for another size.
async function difference(page: Page, a: string, b: string): Promise<number> {
  return page.evaluate(async (pictures) => {
    const read = async (data: string): Promise<{ width: number; height: number; pixels: Uint8ClampedArray }> => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const width = Math.ceil(image.width / 8);
      const height = Math.ceil(image.height / 8);
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const pen = canvas.getContext('2d')!;
      pen.imageSmoothingQuality = 'high';
      pen.drawImage(image, 0, 0, width, height);
      return { width, height, pixels: pen.getImageData(0, 0, width, height).data };
    };
    const [one, two] = [await read(pictures[0]!), await read(pictures[1]!)];
    if (one.width !== two.width || one.height !== two.height) return Infinity;
    let most = 0;
    one.pixels.forEach((value, i) => (most = Math.max(most, Math.abs(value - two.pixels[i]!))));
    return most;
  }, [a, b]);
}

const after = smallRun('after');
after.profile.kernels[0]!.timing!.seconds = 9e-6;
after.sources[0]!.text = after.sources[0]!.text.replace('depth += 0.1f;', 'depth += 0.15f;');
const two = { ...smallReport(), runs: [smallRun('before'), after] };
const phone = { viewport: { width: 320, height: 640 } };
const dark = { colorScheme: 'dark' as const };

describe('a view looks as it did', () => {
  for (const [name, report, hash, options] of [
    ['source', smallReport(), '#source', {}],
    ['source-dark', smallReport(), '#source', dark],
    ['source-phone', smallReport(), '#source', phone],
    ['lanes', smallReport(), '#lanes', {}],
    ['lanes-beside-dark', two, '#lanes?run=1&kernel=0&warp=0&other=0', dark],
    ['kernel', smallReport(), '#kernel', {}],
    ['kernel-phone', smallReport(), '#kernel', phone],
    ['compare', two, '#compare', {}],
  ] as const)
    it(name, async () => {
      const { page } = await open(report, hash, options);
      await page.bringToFront();
      await settle(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      const blank = await page.context().newPage(); // the page itself may not read pictures
      const now = await small(blank, picture);
      const stored = join(folder, `${name}.png`);
      if (process.env['UPDATE_SCREENS']) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(stored, Buffer.from(now, 'base64'));
      }
      expect(existsSync(stored), `${stored} is missing; UPDATE_SCREENS=1 stores it`).toBe(true);
      const found = await difference(blank, readFileSync(stored).toString('base64'), now);
      await blank.close();
      if (found > 24) writeFileSync(join(process.env['HEDDLE_SCREENS_OUT'] ?? '/tmp', `heddle-screen-${name}.png`), picture);
      expect(found).toBeLessThanOrEqual(24);
    });
});
