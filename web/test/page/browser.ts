// SPDX-License-Identifier: Apache-2.0
//
// Debian's Chromium, and pages made as heddle makes them: the built page around JSON.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Report } from '../../src/types';

const built = process.env['HEDDLE_PAGE'] ?? join(__dirname, '../../../build/release/web/index.html');

export interface Opened {
  page: Page;
  problems: string[]; ///< errors, and requests beyond the file itself
}

export function useBrowser(): { browser: () => Browser; open: (report: Report, hash?: string, options?: BrowserContextOptions) => Promise<Opened>; openFile: (file: string, hash?: string) => Promise<Opened> } {
  let browser: Browser;
  let folder: string;
  let count = 0;
  let kept: Page | undefined; ///< a process for each page would take most of the time
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-page-'));
    browser = await chromium.launch({ executablePath: process.env['HEDDLE_CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'] });
  }, 60000);
  afterEach(async () => {
    await Promise.all((browser?.contexts() ?? []).filter((context) => context !== kept?.context()).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const pageFor = async (options: BrowserContextOptions): Promise<Page> => {
    const isPlain = Object.keys(options).length === 0;
    if (isPlain && kept) {
      kept.removeAllListeners();
      await kept.mouse.move(0, 0);
      return kept;
    }
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce', ...options })).newPage();
    if (isPlain) kept = page;
    return page;
  };
  const openFile = async (file: string, hash = '', options: BrowserContextOptions = {}): Promise<Opened> => {
    const page = await pageFor(options);
    const problems: string[] = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfinished', (request) => request.url().split('#')[0] !== `file://${file}` && problems.push(`asks for ${request.url()}`));
    page.on('requestfailed', (request) => request.failure()?.errorText !== 'csp' && problems.push(`asks for ${request.url()}, in vain`));
    await page.goto(`file://${file}${hash}`);
    await page.waitForSelector('html[data-ready]');
    return { page, problems };
  };
  const open = async (report: Report, hash = '', options: BrowserContextOptions = {}): Promise<Opened> => {
    const file = join(folder, `${++count}.html`);
    const json = JSON.stringify(report).replaceAll('<', '\\u003c');
    writeFileSync(file, readFileSync(built, 'utf8').replace('@HEDDLE_DATA@', () => json));
    return openFile(file, hash, options);
  };
  return { browser: () => browser, open, openFile };
}

export const settle = (page: Page): Promise<unknown> => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/// What stands there, with plain blanks between numbers and their units.
export const textOf = async (page: Page, selector: string): Promise<string> => plain(await page.locator(selector).first().innerText());
export const textsOf = async (page: Page, selector: string): Promise<string[]> => (await page.locator(selector).allInnerTexts()).map(plain);
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/// What axe objects to, with the first element of each kind.
export async function objections(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'], preload: false });
    return violations.map((each) => `${each.id}: ${each.nodes[0]?.html ?? ''}`);
  });
}
