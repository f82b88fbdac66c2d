// SPDX-License-Identifier: Apache-2.0
//
// Zooms and pans the lanes of a page in Chromium, one event in each frame, and prints what that took as JSON.
// usage: node frames.mjs PAGE.html [SECONDS]
//
// The page says how far apart frames are. The browser's trace says what our callbacks took in each of them: one makes the
// event, which is handled at once, one draws. It has the processor's time, too, which other work on the machine does not
// change.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');
const [, , file, seconds = '4'] = process.argv;

/// Runs in the page: wheel events, as a hand would make them, until the time is over. Returns the times between
/// frames in milliseconds.
function play(milliseconds) {
  const track = document.querySelector('.track');
  const box = track.getBoundingClientRect();
  const wheel = (deltaX, deltaY) => track.dispatchEvent(new WheelEvent('wheel', { deltaX, deltaY, ctrlKey: deltaY !== 0, clientX: box.left + 0.37 * box.width, clientY: box.top + 50, bubbles: true, cancelable: true }));
  return new Promise((done) => {
    const frames = [];
    let count = 0;
    let before = performance.now();
    const end = before + milliseconds;
    const frame = (now) => {
      if (count > 0) frames.push(now - before);
      before = now;
      // All of it, down to some twenty instructions and back in four seconds; at each depth back and forth.
      const turn = count++ % 240;
      if (turn % 6 === 5) wheel(turn % 12 === 5 ? 160 : -120, 0);
      else wheel(0, turn < 120 ? -55 : 55);
      if (now < end) requestAnimationFrame(frame);
      else done(frames);
    };
    requestAnimationFrame(frame);
  });
}

/// Milliseconds of our callbacks in each frame, by the clock and of the processor, and of the page's whole main thread.
function readTrace({ traceEvents }) {
  const calls = traceEvents.filter((event) => event.name === 'FireAnimationFrame' && event.ph === 'X');
  const { pid, tid } = calls[0];
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && event.ph === 'X' && event.pid === pid && event.tid === tid);
  const frames = tasks.map((task) => calls.filter((call) => call.ts >= task.ts && call.ts < task.ts + task.dur)).filter((inTask) => inTask.length > 1);
  const sum = (events, field) => events.reduce((all, event) => all + event[field], 0) / 1e3;
  return {
    drawn: frames.map((inFrame) => sum(inFrame, 'dur')),
    drawnProcessor: frames.map((inFrame) => sum(inFrame, 'tdur')),
    threadProcessor: sum(tasks.filter((task) => task.tdur), 'tdur'),
  };
}

const browser = await chromium.launch({ executablePath: process.env.HEDDLE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
await page.goto(`file://${file}#lanes`);
await page.waitForSelector('html[data-ready]');
const opened = Number(await page.evaluate(() => document.documentElement.dataset.ready));
await page.evaluate(play, 1000); // compiled, and its memory taken
const instructions = Number((await page.locator('.track-section h2').innerText()).replaceAll('\u2009', '').match(/(\d+) instructions/)[1]);
await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] });
const frames = await page.evaluate(play, 1000 * Number(seconds));
const traced = readTrace(JSON.parse((await browser.stopTracing()).toString()));
console.log(JSON.stringify({ browser: browser.version(), bytes: readFileSync(file).length, opened, instructions, frames, ...traced }));
await browser.close();
