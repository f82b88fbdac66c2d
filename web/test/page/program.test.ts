// SPDX-License-Identifier: Apache-2.0
//
// The way of a user: a program, its report, the browser. The figures are those of the profile.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/types';
import { settle, textOf, useBrowser } from './browser';

const heddle = process.env['HEDDLE'] ?? join(__dirname, '../../../build/release/bin/heddle');
const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'heddle-report-'));
const { openFile } = useBrowser();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a real program', () => {
  it('has its figures on the page', async () => {
    const report = join(folder, 'photon.html');
    const profileFile = join(folder, 'photon.json');
    const environment = { ...process.env, HEDDLE_DEVICE_CODE: 'clang' };
    const said = execFileSync(heddle, ['run', 'examples/01-divergence/photon.cu', '--report', report, '--profile', profileFile], { cwd: root, env: environment, encoding: 'utf8' });
    const profile = JSON.parse(readFileSync(profileFile, 'utf8')) as Profile;
    const kernel = profile.kernels[0]!;
    const worst = kernel.lost[0]!;
    const share = `${((100 * worst.slots) / (32 * kernel.warpInstructions)).toFixed(1)} %`;
    expect(said).toContain(`wrote ${report}`);
    const { page, problems } = await openFile(report);
    expect(await textOf(page, '.headline')).toContain(`photon.cu:${worst.line} loses ${share} of the lanes`);
    expect(await textOf(page, `#line-${worst.line} .heat`)).toBe(share);
    await page.keyboard.press('2');
    await settle(page);
    // By itself it records the slowest, the median and the fastest warp.
    expect(await page.locator('select[aria-label=Warp] option').count()).toBe(3);
    const sum = kernel.recorded!.recorded[0]!;
    expect(await page.locator('.track-section h2').innerText()).toContain(`block ${sum.block[0]}, warp ${sum.warp}`);
    expect(problems).toEqual([]);
  });
});
