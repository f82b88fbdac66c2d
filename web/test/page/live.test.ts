// SPDX-License-Identifier: Apache-2.0
//
// heddle serve in the browser: an edit, its report, an error of the compiler.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objections, useBrowser } from './browser';

const heddle = process.env['HEDDLE'] ?? join(__dirname, '../../../build/release/bin/heddle');
const { browser } = useBrowser();
let server: ChildProcess;
let address = '';

beforeAll(async () => {
  server = spawn(heddle, ['serve', join(__dirname, '../../../examples/01-divergence'), '--port', '0', '--limit', '200'], {
    env: { ...process.env, HEDDLE_DEVICE_CODE: 'clang' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  address = line.toString().split('\n')[0]!;
});
afterAll(() => server.kill('SIGINT'));

describe('the live page', () => {
  it('follows an edit', async () => {
    const page = await (await browser().newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(address);
    await page.waitForSelector('.live-right .headline', { timeout: 120000 });
    expect(await page.locator('.headline').innerText()).toContain('photon.cu:21 loses');
    expect(page.url()).not.toContain('token');
    expect(await page.locator('.live-row').nth(20).locator('.heat').innerText()).toMatch(/^5\d\.\d\s%$/);
    expect(await page.locator('.lanes-canvas').count()).toBe(1);
    const used = (): Promise<string> => page.locator('.slot').first().innerText();
    const before = await used();
    const text = page.locator('textarea');
    await text.fill((await text.inputValue()).replace('bounce < 4', 'bounce < 40'));
    await expect.poll(used, { timeout: 120000 }).not.toBe(before);
    await text.fill('int main() { return nonsense; }');
    await expect.poll(() => page.locator('.live-status').innerText(), { timeout: 120000 }).toBe('does not build');
    expect(await page.locator('.printed').innerText()).toContain("use of undeclared identifier 'nonsense'");
    await page.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(used, { timeout: 120000 }).toBe(before);
    expect(problems).toEqual([]);
  });

  it('fits 320 pixels, and axe objects to nothing', async () => {
    const page = await (await browser().newContext({ viewport: { width: 320, height: 640 } })).newPage();
    await page.goto(address);
    await page.waitForSelector('.live-right .headline', { timeout: 120000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await objections(page)).toEqual([]);
    const isEditing = (): Promise<boolean> => page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA');
    await page.locator('textarea').focus();
    await page.keyboard.press('Tab');
    expect(await isEditing()).toBe(true); // it indents
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await isEditing()).toBe(false);
  });

  it('does nothing without the token', async () => {
    const page = await (await browser().newContext()).newPage();
    await page.goto(address.split('#')[0]!);
    await expect.poll(() => page.locator('.live-status').innerText()).toContain('the token is missing or wrong');
  });
});
