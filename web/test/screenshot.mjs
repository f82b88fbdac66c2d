// SPDX-License-Identifier: Apache-2.0
//
// A picture of a page. usage: node screenshot.mjs PAGE.html PICTURE.png [#ADDRESS]
import { chromium } from 'playwright-core';

const [, , page, picture, address = ''] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.HEDDLE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const tab = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
await tab.goto(`file://${page}${address}`);
await tab.waitForSelector('html[data-ready]');
await tab.waitForTimeout(300);
await tab.screenshot({ path: picture });
await browser.close();
