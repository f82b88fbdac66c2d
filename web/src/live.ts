// SPDX-License-Identifier: Apache-2.0
//
// heddle serve: a kernel to edit on the left, its report on the right, made anew after each pause of the
// keyboard.
import { button, h, replace, styled } from './dom';
import { percent } from './format';
import { Accounts, kernelViews } from './model';
import { Page } from './page';
import type { Report } from './types';

const pause = 250; ///< milliseconds without a key
const lineHeight = 20;
const tokenKey = 'heddle-token';

interface RunAnswer {
  number: number;
  overtaken: boolean;
  ranTooLong: boolean;
  status: number;
  seconds: number;
  printed: string;
  report: Report | null;
}

/// From the address, of which it is taken off, or from an earlier visit of this tab.
function takeToken(): string {
  const found = /token=([0-9a-f]+)/.exec(location.hash)?.[1];
  if (found) {
    sessionStorage.setItem(tokenKey, found);
    history.replaceState(null, '', location.pathname);
  }
  return found ?? sessionStorage.getItem(tokenKey) ?? '';
}

export class Live {
  readonly element: HTMLElement;
  private readonly token = takeToken();
  private page: Page | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked: AbortController | undefined;
  private saved = '';
  private leaves = false; ///< after Escape the next Tab goes on, as everywhere else
  private readonly files = h('select', { 'aria-label': 'File', change: () => void this.openFile(this.files.value) });
  private readonly status = h('span', { class: 'live-status', role: 'status' });
  private readonly printed = h('pre', { class: 'printed', 'aria-label': 'What compiler and program print', tabindex: 0, role: 'region' });
  private readonly gutter = h('div', { class: 'live-gutter', 'aria-hidden': 'true' });
  private readonly text = h('textarea', {
    'aria-label': 'Source of the kernel',
    title: 'Tab indents; Escape, then Tab, leaves the editor',
    spellcheck: 'false',
    autocomplete: 'off',
    wrap: 'off',
    input: () => this.edited(),
    scroll: () => this.follow(),
    keydown: (event) => this.key(event as KeyboardEvent),
  });
  private readonly right = h('div', { class: 'live-right' });

  constructor() {
    this.element = h(
      'div',
      { class: 'live' },
      h(
        'section',
        { class: 'live-left', 'aria-label': 'Editor' },
        h('div', { class: 'toolbar' }, this.files, button('Undo all', () => this.restore(), { title: 'Back to the file as it is on disk' }), this.status),
        h('div', { class: 'live-editor' }, this.gutter, this.text),
        this.printed,
      ),
      this.right,
    );
    this.printed.hidden = true;
  }

  async start(): Promise<void> {
    const answer = await this.ask<{ files: string[] }>('files', {});
    if (!answer) return;
    replace(this.files, answer.files.map((file) => h('option', { value: file }, file)));
    const wanted = decodeURIComponent(/file=([^&]+)/.exec(location.search)?.[1] ?? '');
    await this.openFile(answer.files.includes(wanted) ? wanted : (answer.files[0] ?? ''));
  }

  /// Says what is wrong itself, and returns nothing then.
  private async ask<Answer>(what: string, body: object, signal?: AbortSignal): Promise<Answer | undefined> {
    try {
      const response = await fetch(`/api/${what}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Heddle-Token': this.token },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
      if (response.ok) return (await response.json()) as Answer;
      this.say(response.status === 403 ? await response.text() : ((await response.json()) as { error: string }).error, true);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.say('heddle serve does not answer', true);
    }
    return undefined;
  }

  private say(text: string, isBad = false): void {
    this.status.textContent = text;
    this.status.classList.toggle('poor', isBad);
  }

  private async openFile(file: string): Promise<void> {
    const answer = await this.ask<{ text: string }>('open', { file });
    if (!answer) return;
    this.files.value = file;
    this.saved = answer.text;
    this.text.value = answer.text;
    this.text.scrollTop = 0;
    this.drawGutter(undefined);
    this.showNote('The first run takes a moment.');
    await this.run();
  }

  private restore(): void {
    this.text.value = this.saved;
    this.edited();
  }

  private edited(): void {
    this.drawGutter(undefined);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), pause);
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    const isLeaving = this.leaves;
    this.leaves = event.key === 'Escape';
    if (isLeaving || event.key !== 'Tab' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (this.text.selectionStart !== this.text.selectionEnd) return;
    event.preventDefault();
    this.text.setRangeText('  ', this.text.selectionStart, this.text.selectionEnd, 'end');
    this.edited();
  }

  private async run(): Promise<void> {
    this.asked?.abort();
    this.asked = new AbortController();
    this.say('runs \u2026');
    const answer = await this.ask<RunAnswer>('run', { file: this.files.value, text: this.text.value }, this.asked.signal);
    if (!answer || answer.overtaken) return;
    this.show(answer);
    if (!answer.report) return;
    const advised = await this.ask<{ report: Report }>('advise', { number: answer.number }, this.asked.signal);
    if (advised) this.showReport(advised.report);
  }

  private show(answer: RunAnswer): void {
    this.printed.hidden = answer.printed === '';
    this.printed.textContent = answer.printed;
    if (answer.ranTooLong) this.say('ended: it ran for too long', true);
    else if (answer.status !== 0) this.say(answer.report ? `ended with status ${answer.status}` : 'does not build', true);
    else this.say(`ran in ${answer.seconds.toFixed(1)} s`);
    this.right.classList.toggle('stale', !answer.report);
    if (answer.report) this.showReport(answer.report);
    else if (this.right.firstElementChild !== this.page?.element) this.showNote('No lanes to show: the program does not build. What the compiler says stands below the editor.');
  }

  private showNote(text: string): void {
    this.right.replaceChildren(h('p', { class: 'quiet' }, text));
  }

  private showReport(report: Report): void {
    const isFirst = !this.page;
    this.page ??= new Page(report, 'lanes');
    if (this.right.firstElementChild !== this.page.element) this.right.replaceChildren(this.page.element);
    if (isFirst) this.page.start();
    else this.page.setReport(report);
    this.drawGutter(report);
    document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
  }

  /// Line numbers, and what lines lose where that is of the text as it stands.
  private drawGutter(report: Report | undefined): void {
    const run = report?.runs[0];
    const accounts = run && new Accounts(run, kernelViews(run));
    const file = run?.sources.find((source) => source.text === this.text.value)?.file;
    const count = this.text.value.split('\n').length;
    const rows: HTMLElement[] = [];
    for (let line = 1; line <= count; ++line) {
      const account = file === undefined ? undefined : accounts?.line({ file, line, column: 0 });
      const share = account && accounts ? accounts.share(account.lostSlots) : 0;
      const heat = h('span', { class: share > 0 ? 'heat hot' : 'heat' }, share >= 0.0005 ? percent(share) : '');
      rows.push(h('div', { class: 'live-row' }, heat.classList.contains('hot') ? styled(heat, { '--share': `${100 * share}%` }) : heat, h('span', { class: 'number' }, line)));
    }
    this.gutter.replaceChildren(h('div', {}, rows));
    this.follow();
  }

  private follow(): void {
    const inner = this.gutter.firstElementChild;
    if (inner instanceof HTMLElement) styled(inner, { transform: `translateY(${-this.text.scrollTop}px)` });
    styled(this.gutter, { '--line': `${lineHeight}px` });
  }
}
