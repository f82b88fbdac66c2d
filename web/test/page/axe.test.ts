// SPDX-License-Identifier: Apache-2.0
//
// What axe says of each view. It takes its time, so it has a file, which runs beside the others.
import { describe, expect, it } from 'vitest';
import { comparedReport } from '../fixtures';
import { objections, settle, useBrowser } from './browser';

const { open } = useBrowser();

describe('axe objects to nothing', () => {
  for (const [name, options] of [
    ['in the light', { colorScheme: 'light' }],
    ['in the dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 320, height: 640 } }],
  ] as const)
    it(name, async () => {
      const { page } = await open(comparedReport(), '', options);
      for (const view of ['source', 'lanes', 'kernel', 'compare']) {
        await page.evaluate((hash) => { location.hash = hash; }, `#${view}?run=1&kernel=0`);
        await settle(page);
        expect(await objections(page), view).toEqual([]);
      }
    });
});
