// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { comparedReport, emptyReport, evilFile, evilName, evilReport, largeReport, predicatedReport, smallKernel, smallReport, stoppedReport } from '../fixtures';
import { objections, settle, textOf as text, textsOf, useBrowser } from './browser';

const { open } = useBrowser();
describe('figures of a report', () => {
  it('stand on top and at their lines', async () => {
    const { page, problems } = await open(smallReport());
    expect(await text(page, '.headline')).toContain('photon.cu:4 loses 50.0 % of the lanes');
    expect(await text(page, '.todo')).toContain('heddle fix examples/photon.cu');
    expect(await text(page, '#line-4 .heat')).toBe('50.0 %');
    expect(await text(page, '#line-3 .heat')).toBe('10.0 %');
    expect(await text(page, '#line-5 .heat')).toBe('');
    const account = await text(page, '.account');
    for (const figure of ['50.0 %', '1\u2009000 times by warps', '90.0 % of these times', '0.10 of the lanes go the first way', '10 instructions, 900 times alone'])
      expect(account.replace(/\s+/g, ' ')).toContain(figure.replace(/\s+/g, ' '));
    expect(await page.locator('.arcs path').count()).toBe(4); // two arcs with a head each
    expect(await page.title()).toBe('photon \u00b7 Heddle');
    expect(problems).toEqual([]);
  });

  it('are those of the kernel', async () => {
    const { page, problems } = await open(smallReport(), '#kernel');
    const steps = await textsOf(page, '.waterfall li .count');
    expect(steps).toEqual(['100.0 %', '5.0 %', '50.0 %', '10.0 %', '35.0 %']);
    expect(await text(page, '.cards')).toContain('18 us (17 to 21)');
    expect(await page.locator('.curve').count()).toBe(3);
    expect(problems).toEqual([]);
  });

  it('tell of lanes that predicates switch off', async () => {
    const { page, problems } = await open(predicatedReport(), '#kernel');
    expect(await text(page, '.pickers .switched-off')).toBe('10.0 % of them switched off');
    expect(await textsOf(page, '.waterfall li .count')).toEqual(['100.0 %', '5.0 %', '4.0 %', '50.0 %', '6.0 %', '35.0 %', '3.5 %']);
    expect(await text(page, '.waterfall li:last-child')).toContain('10.0 % of the lanes at work, by predicates; 10.1 of 32 lanes are on');
    expect(await text(page, '.cards')).toContain('10.0 % of the lanes at work, 70.0 % of its lanes');
    expect(await objections(page)).toEqual([]);
    await page.locator('#tab-source').click();
    expect(await text(page, '#line-7 .off')).toBe('10.0 %');
    expect(await text(page, '#line-5 .off')).toBe('');
    expect(await text(page, '.legend')).toContain('lanes at work that predicates switch off');
    expect(await text(page, '.account')).toContain('it became predicates');
    await page.locator('#line-7').click();
    expect(await text(page, '.account')).toContain('Predicates switch off 70.0 % of its lanes, 10.0 % of all at work.');
    expect(await objections(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('say nothing of predicates where nothing is known', async () => {
    const { page } = await open(smallReport());
    expect(await page.locator('.off, .switched-off').count()).toBe(0);
    expect(await text(page, '.legend')).not.toContain('predicates');
  });

  it('are those of the loop and of the memory access', async () => {
    const { page } = await open(smallReport(), '#source?kernel=0&file=examples%2Fphoton.cu&line=3');
    expect(await text(page, '.account')).toContain('14 to 44');
    expect(await page.locator('.histogram li').count()).toBe(3);
    await page.locator('#line-10').click();
    expect(await text(page, '.account')).toContain('4.0 32-byte sectors a request');
  });

  it('are those of the warp', async () => {
    const { page, problems } = await open(smallReport(), '#lanes');
    expect(await text(page, '.track-section h2')).toBe('the slowest warp: block 3, warp 1, 22 instructions');
    // 22 instructions: 8 and 2 full, 12 and 2 half.
    expect(await textsOf(page, '.card .shares .count')).toEqual(['27.3 %', '4.5 %']);
    const box = (await page.locator('.lanes-canvas').boundingBox())!;
    await page.mouse.move(box.x + (5.5 / 22) * box.width, box.y + 20 * 8 + 4);
    await settle(page);
    const info = await text(page, '.lane-info');
    expect(info).toContain('instruction 5 photon.cu:5');
    expect(info).toContain('16 of 32 lanes run. 16 lost to photon.cu:4. Lane 20 does not run.');
    expect(problems).toEqual([]);
  });

  it('are drawn in the colours of their owners', async () => {
    const { page } = await open(smallReport(), '#lanes');
    await settle(page);
    const colours = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.lanes-canvas')!;
      const at = (instruction: number, lane: number): string => {
        const [red, green, blue] = canvas.getContext('2d')!.getImageData(Math.round(((instruction + 0.5) / 22) * canvas.width), Math.round((lane + 0.5) * 8 * (canvas.width / canvas.clientWidth)), 1, 1).data;
        return `#${[red, green, blue].map((part) => part!.toString(16).padStart(2, '0')).join('')}`;
      };
      const style = getComputedStyle(document.documentElement);
      return { seen: [at(1, 3), at(5, 3), at(5, 20), at(21, 20)], meant: ['--used', '--used', '--owner-0', '--owner-1'].map((name) => style.getPropertyValue(name).trim()) };
    });
    expect(colours.seen).toEqual(colours.meant);
  });

  it('of two runs are compared', async () => {
    const { page, problems } = await open(comparedReport());
    expect(await text(page, '.headline')).toBe('after is 2.00x as fast as before');
    expect(await text(page, 'tbody tr')).toMatch(/35\.0 % \u2192 70\.0 %\s+\+35\.0/);
    expect(await textsOf(page, '.row.added code')).toEqual(['      depth += 0.15f; // 5']);
    await page.getByRole('button', { name: 'The same warp, side by side' }).click();
    expect(await page.locator('.lanes-canvas').count()).toBe(2);
    expect((await textsOf(page, '.track-section h2')).map((title) => title.split(':')[0])).toEqual(['before', 'after']);
    expect(problems).toEqual([]);
  });
});

describe('names that would like to be code', () => {
  it('stay text in every view', async () => {
    const { page, problems } = await open(evilReport(), '#source?run=0&kernel=0');
    for (const view of ['source', 'lanes', 'kernel', 'compare']) {
      await page.goto(`${page.url().split('#')[0]}#${view}?run=0&kernel=0`);
      await settle(page);
    }
    await page.goto(`${page.url().split('#')[0]}#kernel?run=0&kernel=0`);
    expect(await text(page, '.pickers')).toContain(evilName);
    expect(await text(page, '.headline')).toContain(evilFile.split('/').pop()!.slice(0, 20));
    expect(await page.evaluate(() => [(window as unknown as { evil?: number }).evil, document.querySelectorAll('img, iframe, #app script').length])).toEqual([undefined, 0]);
    expect(problems).toEqual([]);
  });

  it('could not run if they were', async () => {
    const { page, problems } = await open(smallReport());
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.evil = 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png" onerror="window.evil = 2"><p style="color: red">x</p>');
    });
    await settle(page);
    expect(await page.evaluate(() => (window as unknown as { evil?: number }).evil)).toBeUndefined();
    expect(problems.filter((problem) => /Content Security Policy/.test(problem)).length).toBeGreaterThanOrEqual(3);
    expect(problems.filter((problem) => problem.startsWith('asks for'))).toEqual([]);
  });
});

describe('keys', () => {
  it('lead through views, lines and kernels', async () => {
    const { page, problems } = await open(comparedReport(), '#source?run=0&kernel=0');
    await page.keyboard.press('2');
    expect(page.url()).toContain('#lanes');
    await page.keyboard.press('3');
    expect(await page.locator('[role=tab][aria-selected=true]').innerText()).toBe('Kernel');
    await page.keyboard.press('1');
    await page.keyboard.press('n');
    expect(await page.locator('.row[aria-selected=true]').getAttribute('data-line')).toBe('3');
    await page.keyboard.press('p');
    await page.keyboard.press('j');
    expect(await page.locator('.row[aria-selected=true]').getAttribute('data-line')).toBe('5');
    await page.locator('.code').focus();
    await page.keyboard.press('End');
    expect(await page.locator('.row[aria-selected=true]').getAttribute('data-line')).toBe('11');
    await page.keyboard.press('/');
    await page.keyboard.type('0.2f');
    expect(await page.locator('.row[aria-selected=true]').getAttribute('data-line')).toBe('7');
    await page.locator('.code').focus();
    await page.keyboard.press('?');
    expect(await page.locator('dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('#tab-source').focus();
    await page.keyboard.press('ArrowRight');
    expect(page.url()).toContain('#lanes');
    await page.goBack();
    expect(await page.locator('.source-view').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('zoom and move the lanes', async () => {
    const { page } = await open(largeReport(), '#lanes');
    const shown = (): Promise<string> => page.locator('.lanes-canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const first = await shown();
    await page.keyboard.press('+');
    await settle(page);
    const closer = await shown();
    expect(closer).not.toBe(first);
    await page.keyboard.press('ArrowRight');
    await settle(page);
    expect(await shown()).not.toBe(closer);
    await page.keyboard.press('0');
    await settle(page);
    expect(await shown()).toBe(first);
    await page.keyboard.press('.');
    expect(await text(page, '.lane-info')).toContain('instruction');
  });
});

describe('a page', () => {
  const views = ['source', 'lanes', 'kernel', 'compare'];

  it('follows the system in light and dark, and the reader', async () => {
    const { page } = await open(smallReport(), '', { colorScheme: 'dark' });
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.keyboard.press('t');
    expect(await paper()).not.toBe(dark);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await paper()).not.toBe(dark);
  });

  it('says why a view is empty', async () => {
    const { page, problems } = await open(emptyReport());
    expect(await text(page, '.top')).toContain('No kernel was launched');
    expect(await text(page, '.note')).toBe('There is no source to show: the profile names none.');
    expect(await page.locator('.code').isVisible()).toBe(false);
    await page.keyboard.press('2');
    expect(await text(page, '.card h2')).toBe('No warp ran');
    await page.keyboard.press('3');
    expect(await text(page, '.card')).toContain('there is nothing to show');
    const stopped = await open(stoppedReport(), '#lanes');
    expect(await text(stopped.page, '.remark')).toContain('it was stopped');
    expect(await text(stopped.page, '.card h2')).toBe('This kernel was stopped');
    expect(problems).toEqual([]);
  });

  it('has room for the names of templates', async () => {
    const report = smallReport();
    const [run] = report.runs;
    const kernel = smallKernel(`evaluate<${'Matrix<float>, '.repeat(20)}double>`, 'examples/photon.cu');
    run!.profile.kernels.push(kernel);
    run!.kernels.push(run!.kernels[0]!);
    const { page } = await open(report, '#kernel?kernel=1');
    expect(await page.locator('.kernels').evaluate((table) => table.scrollWidth - table.clientWidth)).toBeLessThanOrEqual(0);
    expect((await page.locator('.why').boundingBox())!.height).toBeLessThan(60);
    expect(await text(page, '.launch')).toBe(kernel.name); // once in full
  });

  it('fits 320 pixels', async () => {
    const { page } = await open(comparedReport(), '', { viewport: { width: 320, height: 640 } });
    for (const view of views) {
      await page.goto(`${page.url().split('#')[0]}#${view}?run=1&kernel=0`);
      await settle(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(320);
    }
    await page.keyboard.press('?');
    expect(await page.locator('dialog').evaluate((dialog) => dialog.scrollTop)).toBe(0); // it begins at its beginning
  });

  // By the processor's time of the page's thread, which a busy machine does not change.
  it('with 50 kernels and 20,000 lines is there in a second', async () => {
    const { page } = await open(largeReport());
    const tool = await page.context().newCDPSession(page);
    await tool.send('Performance.enable', { timeDomain: 'threadTicks' });
    const work = async (): Promise<number> => (await tool.send('Performance.getMetrics')).metrics.find((each) => each.name === 'TaskDuration')!.value;
    const before = await work();
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await settle(page);
    const taken = (await work()) - before;
    expect(taken).toBeGreaterThan(0.01);
    expect(taken).toBeLessThan(1);
    expect(await page.locator('.row').count()).toBeLessThan(300);
    await page.locator('.code').evaluate((code) => { code.scrollTop = 10000 * 22; });
    await settle(page);
    expect(await page.locator('#line-10001').count()).toBe(1);
  });
});
