// SPDX-License-Identifier: Apache-2.0
//
// Opens a page in Chromium again and again, and prints the milliseconds until its first view is drawn as JSON.
// usage: node open.mjs PAGE.html [TIMES]
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');
const [, , file, times = '5'] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.HEDDLE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const opened = [];
const processor = [];
for (let i = 0; i < Number(times); ++i) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const tool = await context.newCDPSession(page);
  await tool.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-ready]');
  opened.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))));
  processor.push(1000 * (await tool.send('Performance.getMetrics')).metrics.find((each) => each.name === 'TaskDuration').value);
  await context.close();
}
console.log(JSON.stringify({ browser: browser.version(), opened, processor }));
await browser.close();
