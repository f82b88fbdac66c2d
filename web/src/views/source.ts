// SPDX-License-Identifier: Apache-2.0
//
// The program's files with what each line loses beside it. Rows are of one height, and of a long file only
// those in sight are in the document.
import type { Context, View } from '../app';
import { button, h, replace, styled, svg } from '../dom';
import { baseName, percent } from '../format';
import { readLine, type State, statesOf } from '../highlight';
import { fileOf, inShort, linesOf, ownerColour, placeKey } from '../model';
import type { Place, Source } from '../types';
import { accountOf } from './account';

const rowHeight = 22;
const margin = 30; ///< rows above and below those in sight
const mostAtOnce = 1500; ///< a shorter file is there as a whole: the browser's own search finds all of it
const mostArcs = 40;
const arcWidth = 40;

export class SourceView implements View {
  readonly element: HTMLElement;
  private context: Context | undefined;
  private file = '';
  private lines: string[] = [];
  private states: State[] = [];
  private selected = 0;
  private shownFirst = -1;
  private shownEnd = -1;
  private key_ = '';
  private readonly files = h('select', { 'aria-label': 'Source file', change: () => this.openFile(this.files.value) });
  private readonly find = h('input', {
    type: 'search',
    placeholder: 'Find in file',
    'aria-label': 'Find in file',
    keydown: (event) => this.findKey(event as KeyboardEvent),
    input: () => this.findNext(0),
  });
  private readonly steps = h(
    'span',
    { class: 'buttons' },
    button('\u2039 worse', () => this.stepWorst(-1), { title: 'The next worse line (p)' }),
    button('Worst line', () => this.goWorst(0), { title: 'The line that loses most (w)' }),
    button('less \u203a', () => this.stepWorst(1), { title: 'The next less bad line (n)' }),
  );
  private readonly legend = h(
    'p',
    { class: 'legend' },
    h('span', { class: 'legend-item' }, h('span', { class: 'legend-heat' }), 'lanes that branches of the line lost, in % of all'),
    h('span', { class: 'legend-item' }, h('span', { class: 'legend-active' }), 'how full the warps were that ran the line'),
  );
  private readonly offLegend = h('span', { class: 'legend-item' }, h('span', { class: 'off some' }, '%'), 'lanes at work that predicates switch off');
  private readonly note = h('p', { class: 'note', role: 'status' });
  private readonly rows = h('div', { class: 'rows' });
  private readonly arcs = svg('svg', { class: 'arcs', 'aria-hidden': 'true' });
  private readonly inner = h('div', { class: 'code-inner' }, this.rows, this.arcs);
  private readonly code = h(
    'div',
    {
      class: 'code',
      role: 'listbox',
      tabindex: 0,
      scroll: () => this.draw(),
      keydown: (event) => this.moveBy(event as KeyboardEvent),
      click: (event) => this.clicked(event),
      mouseover: (event) => this.hovered(event),
      mouseleave: () => this.drawArcs(),
    },
    this.inner,
  );
  private readonly aside = h('section', { class: 'account', 'aria-label': 'Account of the line', tabindex: -1 });

  constructor() {
    const toolbar = h('div', { class: 'toolbar' }, this.files, this.steps, this.find);
    this.element = h(
      'div',
      { class: 'source-view' },
      h('div', { class: 'source-main' }, toolbar, this.note, this.code, this.legend),
      this.aside,
    );
    new ResizeObserver(() => this.draw()).observe(this.code);
  }

  update(context: Context): void {
    const key = `${context.at.run} ${context.at.kernel}`;
    const isOther = key !== this.key_;
    this.key_ = key;
    this.context = context;
    if (isOther) this.listFiles(context);
    if (context.accounts.knowsOff) this.legend.append(this.offLegend);
    else this.offLegend.remove();
    const worst = context.accounts.worst()[0];
    const slow = context.current ? fileOf(context.current.kernel) : '';
    const isKnown = (name: string): boolean => context.run.sources.some((source) => source.file === name);
    const file = [context.at.file || worst?.file || slow, slow].find(isKnown) ?? context.run.sources[0]?.file ?? '';
    const line = context.at.file !== '' ? context.at.line : (worst?.line ?? 0);
    this.show(file, line, isOther);
  }

  recolour(): void {
    this.drawArcs();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === 'n') this.stepWorst(1);
    else if (event.key === 'p') this.stepWorst(-1);
    else if (event.key === 'w') this.goWorst(0);
    else if (event.key === '/') this.find.focus();
    else if (event.key === 'j' || event.key === 'k') this.select(this.selected + (event.key === 'j' ? 1 : -1));
    else return false;
    return true;
  }

  private listFiles(context: Context): void {
    const sources = [...context.run.sources].sort(
      (a, b) => context.accounts.lostInFile(b.file) - context.accounts.lostInFile(a.file),
    );
    const count = new Map<string, number>();
    for (const source of sources) count.set(baseName(source.file), (count.get(baseName(source.file)) ?? 0) + 1);
    replace(
      this.files,
      sources.map((source) => {
        const lost = context.accounts.share(context.accounts.lostInFile(source.file));
        const name = (count.get(baseName(source.file)) ?? 0) > 1 ? source.file : baseName(source.file);
        return h('option', { value: source.file }, lost > 0 ? `${name}  \u2212${percent(lost)}` : name);
      }),
    );
    this.files.hidden = sources.length < 2;
  }

  private show(file: string, line: number, again: boolean): void {
    const source = this.context?.run.sources.find((each) => each.file === file);
    const isOther = file !== this.file || again;
    if (isOther) {
      this.file = file;
      this.files.value = file;
      this.lines = linesOf(source);
      this.states = statesOf(this.lines);
      this.code.setAttribute('aria-label', `Lines of ${baseName(file)}`);
      styled(this.inner, { height: `${this.lines.length * rowHeight}px` });
      this.shownFirst = this.shownEnd = -1;
    }
    replace(this.note, noteOn(source));
    this.note.hidden = this.note.textContent === '';
    for (const part of [this.code, this.legend, this.find, this.aside]) part.hidden = this.lines.length === 0;
    this.steps.hidden = (this.context?.accounts.worst().length ?? 0) < 2 || this.lines.length === 0;
    this.mark(Math.min(line, this.lines.length));
    this.reveal();
    this.draw(isOther);
    this.drawAccount();
  }

  private mark(line: number): void {
    this.rows.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    this.selected = line;
    const row = this.rows.querySelector(`#line-${line}`);
    row?.setAttribute('aria-selected', 'true');
    if (row) this.code.setAttribute('aria-activedescendant', row.id);
    this.drawArcs();
  }

  private openFile(file: string): void {
    const first = this.context?.accounts.worst().find((row) => row.file === file);
    this.context?.go({ file, line: first?.line ?? 1 });
  }

  private select(line: number): void {
    if (line < 1 || line > this.lines.length) return;
    this.context?.go({ file: this.file, line });
  }

  private goWorst(rank: number): void {
    const place = this.context?.accounts.worst()[rank];
    if (place) this.context?.showPlace(place);
  }

  private stepWorst(by: number): void {
    const worst = this.context?.accounts.worst() ?? [];
    const now = worst.findIndex((row) => row.file === this.file && row.line === this.selected);
    const next = now < 0 ? 0 : now + by;
    if (next >= 0 && next < worst.length) this.goWorst(next);
  }

  private moveBy(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.code.clientHeight / rowHeight) - 2);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    let line: number | undefined;
    if (event.key in steps) line = this.selected + (steps[event.key] ?? 0);
    else if (event.key === 'Home') line = 1;
    else if (event.key === 'End') line = this.lines.length;
    if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.select(Math.max(1, Math.min(this.lines.length, line)));
  }

  private findKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    this.findNext(event.shiftKey ? -1 : 1);
  }

  private findNext(by: number): void {
    const text = this.find.value.toLowerCase();
    if (text === '') return;
    const count = this.lines.length;
    for (let i = 0; i < count; ++i) {
      const step = by < 0 ? -1 - i : i + by;
      const index = (((Math.max(this.selected, 1) - 1 + step) % count) + count) % count;
      if (this.lines[index]?.toLowerCase().includes(text)) return this.select(index + 1);
    }
  }

  private lineUnder(event: Event): number {
    const row = event.target instanceof Element ? event.target.closest('.row') : null;
    return Number(row?.getAttribute('data-line') ?? 0);
  }

  private clicked(event: Event): void {
    const line = this.lineUnder(event);
    if (line > 0 && (getSelection()?.isCollapsed ?? true)) this.select(line);
  }

  private hovered(event: Event): void {
    const line = this.lineUnder(event);
    if (line > 0) this.drawArcs(line);
  }

  private reveal(): void {
    if (this.selected === 0) return;
    const top = (this.selected - 1) * rowHeight;
    const height = this.code.clientHeight;
    if (top < this.code.scrollTop + rowHeight || top > this.code.scrollTop + height - 3 * rowHeight)
      this.code.scrollTop = Math.max(0, top - height / 3);
  }

  private draw(again = false): void {
    const all = this.lines.length <= mostAtOnce;
    const first = all ? 0 : Math.max(0, Math.floor(this.code.scrollTop / rowHeight) - margin);
    const end = all
      ? this.lines.length
      : Math.min(this.lines.length, Math.ceil((this.code.scrollTop + this.code.clientHeight) / rowHeight) + margin);
    const isOther = again || first !== this.shownFirst || end !== this.shownEnd;
    if (isOther) {
      this.shownFirst = first;
      this.shownEnd = end;
      const made: HTMLElement[] = [];
      for (let line = first + 1; line <= end; ++line) made.push(this.row(line));
      styled(this.rows, { transform: `translateY(${first * rowHeight}px)` });
      this.rows.replaceChildren(...made);
      const isShown = this.selected > first && this.selected <= end;
      if (isShown) this.code.setAttribute('aria-activedescendant', `line-${this.selected}`);
      else this.code.removeAttribute('aria-activedescendant');
      this.drawArcs();
    }
  }

  private row(line: number): HTMLElement {
    const context = this.context;
    const place: Place = { file: this.file, line, column: 0 };
    const account = context?.accounts.line(place);
    const lost = account && context ? context.accounts.share(account.lostSlots) : 0;
    const through = account && context ? context.accounts.share(account.throughCalls) : 0;
    const full = context?.influence.activeShare(place);
    const heat = h('span', { class: lost > 0 ? 'heat hot' : 'heat' }, lost >= 0.0005 ? percent(lost) : through >= 0.0005 ? `(${percent(through)})` : '');
    if (lost > 0) styled(heat, { '--share': `${Math.max(3, 100 * lost)}%` });
    const offShare = account && context ? context.accounts.offShare(account.switchedOff) : 0;
    const off = context?.accounts.knowsOff && h('span', { class: offShare > 0 ? 'off some' : 'off' }, offShare >= 0.0005 ? percent(offShare) : '');
    const lanes = h('span', { class: 'lanes-bar' });
    if (full !== undefined) {
      lanes.classList.add('known');
      lanes.title = `${(32 * full).toFixed(1)} of 32 lanes ran this line, in the recorded warps`;
      styled(lanes, { '--full': `${100 * full}%` });
    }
    const text = h('code');
    for (const token of readLine(this.lines[line - 1] ?? '', this.states[line - 1] ?? 'code').tokens)
      text.append(token.kind === 'text' ? token.text : h('span', { class: `t-${token.kind}` }, token.text));
    return h(
      'div',
      {
        class: account ? 'row known' : 'row',
        id: `line-${line}`,
        title: account && context ? inShort(context.accounts, account) : null,
        role: 'option',
        'data-line': line,
        'aria-selected': line === this.selected ? 'true' : 'false',
        'aria-setsize': this.lines.length,
        'aria-posinset': line,
      },
      h('span', { class: 'number' }, line),
      heat,
      off,
      lanes,
      h('span', { class: 'arc-room' }),
      text,
    );
  }

  /// From the line, or from the one that is chosen, to the lines that ran half empty because of it; for a line
  /// that lost nothing, from those that made it half empty.
  private drawArcs(line = this.selected): void {
    const context = this.context;
    if (!context || line === 0) return this.arcs.replaceChildren();
    const place: Place = { file: this.file, line, column: 0 };
    const effects = context.influence.effects(place);
    const isOwner = effects.length > 0;
    const shares = (isOwner ? effects : context.influence.causes(place)).filter((share) => share.place.file === this.file);
    const most = shares[0]?.slots ?? 1;
    const left = this.code.querySelector<HTMLElement>('.arc-room')?.offsetLeft ?? 0;
    styled(this.arcs, { left: `${left}px`, height: `${this.lines.length * rowHeight}px` });
    const middle = (at: number): number => (at - 0.5) * rowHeight;
    const made: SVGElement[] = [];
    for (const share of shares.slice(0, mostArcs)) {
      const colour = ownerColour(context.ranks, isOwner ? place : share.place);
      const width = Math.max(1, 3.5 * Math.sqrt(share.slots / most));
      const from = isOwner ? line : share.place.line;
      const to = isOwner ? share.place.line : line;
      const reach = Math.min(arcWidth - 8, 8 + 3 * Math.abs(from - to));
      const right = arcWidth - 4;
      const path =
        from === to
          ? `M${right} ${middle(from) - 5} a 5 5 0 1 0 0 10`
          : `M${right} ${middle(from)} C ${right - reach} ${middle(from)} ${right - reach} ${middle(to)} ${right} ${middle(to)}`;
      made.push(styled(svg('path', { d: path, fill: 'none', 'stroke-width': width }), { stroke: colour }));
      if (from !== to)
        made.push(styled(svg('path', { d: `M${right + 4} ${middle(to)} l -6 -3.5 v 7 z` }), { fill: colour }));
    }
    this.arcs.replaceChildren(...made);
  }

  private drawAccount(): void {
    if (!this.context) return;
    replace(this.aside, accountOf(this.context, { file: this.file, line: this.selected, column: 0 }, this.lines[this.selected - 1] ?? ''));
    this.aside.dataset['place'] = placeKey({ file: this.file, line: this.selected, column: 0 });
  }
}

/// Why a file is not shown, or not as it ran; empty where it is.
function noteOn(source: Source | undefined): string {
  if (!source) return 'There is no source to show: the profile names none.';
  if (source.missing !== '') return `The source is not shown: ${source.missing}. 'heddle report', run where the files are, puts them into the page.`;
  return source.changed ? 'The file has changed since the run: lines may have moved.' : '';
}
