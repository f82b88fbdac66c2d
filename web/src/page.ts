// SPDX-License-Identifier: Apache-2.0
//
// The page around the views: the sentence on top, the choice of kernel and view, keys and colours.
import { verdict } from './comparison';
import { type Context, Contexts, type View } from './app';
import { button, type Child, h, replace, styled } from './dom';
import { extent, percent, placeName, shortName } from './format';
import { headline } from './headline';
import { helpDialog } from './help';
import { type KernelView as Kernels, kernelViews, ownerColour, slowest } from './model';
import { type Location, readLocation, type ViewName, writeLocation } from './state';
import { toggleTheme } from './theme';
import { timeText } from './timing';
import type { Place, Report } from './types';
import { beforeOf, CompareView } from './views/compare';
import { KernelView } from './views/kernel';
import { LanesView } from './views/lanes';
import { SourceView } from './views/source';

const viewTitles: [ViewName, string][] = [
  ['source', 'Source'],
  ['lanes', 'Lanes over time'],
  ['kernel', 'Kernel'],
  ['compare', 'Compare'],
];

/// A smaller part of the bar cannot be seen.
const smallPart = 0.004;

export class Page {
  readonly element: HTMLElement;
  private at: Location;
  private contexts: Contexts;
  private readonly views = new Map<ViewName, View>();
  private readonly tabs = new Map<ViewName, HTMLButtonElement>();
  private readonly top = h('section', { class: 'top', 'aria-label': 'In short' });
  private readonly pickers = h('section', { class: 'pickers', 'aria-label': 'Kernel' });
  private readonly stage = h('main', { id: 'view', tabindex: -1 });
  private readonly help = helpDialog();

  constructor(
    private report: Report,
    first: ViewName = 'source',
  ) {
    this.contexts = new Contexts(report);
    const start: Location = { view: first, run: report.runs.length - 1, kernel: 0, file: '', line: 0, warp: 0, other: -1 };
    const last = report.runs[report.runs.length - 1];
    const slowestIndex = (last && slowest(kernelViews(last))?.index) ?? 0;
    this.at = readLocation(location.hash, { ...start, view: report.runs.length > 1 ? 'compare' : first, kernel: slowestIndex });
    this.setTitle();
    this.element = h('div', { class: 'page' }, this.header(), this.top, this.pickers, this.stage, this.help, this.footer());
  }

  start(): void {
    addEventListener('hashchange', () => {
      this.at = readLocation(location.hash, this.at);
      this.draw();
    });
    addEventListener('keydown', (event) => this.key(event));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolour());
    this.draw();
    document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
  }

  /// Shows another report where the reader is, as far as that is there.
  setReport(report: Report): void {
    const [last] = report.runs.slice(-1);
    this.report = report;
    this.contexts = new Contexts(report);
    this.views.clear();
    this.setTitle();
    const kernels = last?.profile.kernels.length ?? 0;
    if (this.at.kernel !== 'all' && this.at.kernel >= kernels) this.at.kernel = 0;
    this.draw();
  }

  private setTitle(): void {
    const last = this.report.runs[this.report.runs.length - 1];
    document.title = `${last?.name ?? 'report'} \u00b7 Heddle`;
  }

  private header(): HTMLElement {
    const tabs = viewTitles.filter(([name]) => name !== 'compare' || this.report.runs.length > 1).map(([name, title], index) => {
      const tab = button(title, () => this.go({ view: name }), { role: 'tab', id: `tab-${name}`, 'aria-controls': 'view', title: `${title} (${index + 1})` });
      this.tabs.set(name, tab);
      return tab;
    });
    return h(
      'header',
      {},
      h('h1', {}, h('span', { class: 'mark', 'aria-hidden': 'true' }), 'Heddle'),
      h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views', keydown: (event) => this.tabKey(event as KeyboardEvent) }, tabs),
      h(
        'div',
        { class: 'tools' },
        button('\u25d0', () => this.theme(), { 'aria-label': 'Light or dark (t)', title: 'Light or dark (t)' }),
        button('?', () => this.help.showModal(), { 'aria-label': 'Keys and words (?)', title: 'Keys and words (?)' }),
      ),
    );
  }

  private footer(): HTMLElement {
    return h('footer', {}, `Heddle ${this.report.version} \u00b7 runs on the CPU, times are a model's${location.protocol === 'file:' ? ' \u00b7 this page needs no network' : ''}`);
  }

  private context(): Context {
    return {
      ...this.contexts.at(this.at),
      at: this.at,
      go: (to) => this.go(to),
      showPlace: (place) => this.showPlace(place),
    };
  }

  private showPlace(place: Place): void {
    this.go({ view: 'source', file: place.file, line: place.line });
  }

  private go(to: Partial<Location>): void {
    const isStep = to.view === undefined || to.view === this.at.view;
    const isOther = (to.kernel !== undefined && to.kernel !== this.at.kernel) || (to.run !== undefined && to.run !== this.at.run);
    this.at = { ...this.at, ...(isOther && to.other === undefined ? { file: '', line: 0, warp: 0, other: -1 } : {}), ...to };
    const address = writeLocation(this.at);
    if (isStep) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.draw();
  }

  private draw(): void {
    const context = this.context();
    this.drawTop(context);
    this.drawPickers(context);
    for (const [name, tab] of this.tabs) {
      const isChosen = name === this.at.view;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) revealSideways(tab);
    }
    const view = this.view(this.at.view);
    if (this.stage.firstChild !== view.element) this.stage.replaceChildren(view.element);
    this.stage.setAttribute('aria-labelledby', `tab-${this.at.view}`);
    view.update(context);
  }

  private view(name: ViewName): View {
    let view = this.views.get(name);
    if (!view) {
      if (name === 'lanes') view = new LanesView();
      else if (name === 'kernel') view = new KernelView();
      else view = name === 'compare' && this.report.runs.length > 1 ? new CompareView() : new SourceView();
      this.views.set(name, view);
    }
    return view;
  }

  private drawTop(context: Context): void {
    if (this.at.view === 'compare' && this.report.runs.length > 1) return this.drawComparison(context);
    const short = headline(context.run, context.current);
    const { place } = short;
    const { profile } = context.run;
    replace(
      this.top,
      profile.ending !== 'complete' && h('p', { class: 'remark', role: 'alert' }, `The run did not come to its end: ${profile.fault ?? ''}. What ran until then is shown.`),
      h('p', { class: `headline ${short.grade}` }, short.text, place && button('show', () => this.showPlace(place), { class: 'show', 'aria-label': `Show ${placeName(place)}` })),
      h('p', { class: 'why' }, short.code !== '' && [h('code', {}, short.code), ' '], short.why),
      (short.todo !== '' || short.command !== '') && h('p', { class: 'todo' }, short.todo, short.command !== '' && [' ', copied(short.command)]),
      context.current && this.slotBar(context, context.current),
    );
  }

  private drawComparison(context: Context): void {
    const before = beforeOf(context);
    if (!before) return;
    const short = verdict(before, context.run);
    replace(this.top, h('p', { class: `headline ${short.grade}` }, short.text), h('p', { class: 'why' }, `on ${context.run.profile.device}, by a model of it`));
  }

  /// All lane slots of the kernel as one bar: used, and lost to whom.
  private slotBar(context: Context, view: Kernels): HTMLElement {
    const { kernel, facts, slots } = view;
    if (slots === 0) return h('div');
    const part = (name: string, share: number, colour: string, place?: Place): HTMLElement | null => {
      if (share < smallPart) return null;
      const text = `${name} ${percent(share)}`;
      const content = [h('span', { class: 'slot-name' }, name), h('span', { class: 'slot-share' }, percent(share))];
      const element = place ? button(content, () => this.showPlace(place), { title: text }) : h('span', { title: text }, content);
      element.classList.add('slot');
      return styled(element, { 'flex-grow': String(share), '--colour': colour });
    };
    const lost = (kind: string): number => kernel.lost.filter((owner) => owner.kind === kind).reduce((sum, owner) => sum + owner.slots, 0) / slots;
    const rows = facts.worst.slice(0, 6).filter((row) => row.slots / slots >= smallPart);
    const rest = facts.worst.slice(rows.length).reduce((sum, row) => sum + row.slots, 0) / slots;
    return h(
      'div',
      { class: 'slots', role: 'group', 'aria-label': 'All lanes of all instructions of the kernel: used, or lost to a line' },
      part('used', kernel.efficiency, 'var(--used)'),
      rows.map((row) => part(`line ${row.line}`, row.slots / slots, ownerColour(context.ranks, row), row)),
      part('other lines', rest, 'var(--owner-6)'),
      part('sequences', lost('sequences'), 'var(--slots)'),
      part('finished', lost('finished'), 'var(--finished)'),
      part('partial', lost('partial'), 'var(--partial)'),
    );
  }

  private drawPickers(context: Context): void {
    const { run, views, at } = context;
    const runs = this.report.runs;
    const kernel = h(
      'select',
      { 'aria-label': 'Kernel', change: (event) => this.choose((event.target as HTMLSelectElement).value) },
      views.length > 1 && at.view === 'source' && h('option', { value: 'all' }, `All ${views.length} kernels`),
      [...views]
        .sort((a, b) => b.cost - a.cost)
        .map((view) => h('option', { value: view.index }, `${shortName(view.kernel.name)} <<<${extent(view.kernel.grid)}, ${extent(view.kernel.block)}>>>  ${percent(view.kernel.efficiency)}`)),
    );
    kernel.value = at.kernel === 'all' && at.view === 'source' ? 'all' : String(context.current?.index ?? 0);
    const timing = context.current?.kernel.timing;
    this.pickers.hidden = at.view === 'compare';
    replace(
      this.pickers,
      runs.length > 1 && this.runPicker(at.run),
      (views.length > 1 ? kernel : context.current && h('b', { title: context.current.kernel.name }, `${shortName(context.current.kernel.name)} <<<${extent(context.current.kernel.grid)}, ${extent(context.current.kernel.block)}>>>`)),
      context.current && h('span', {}, `${percent(context.current.kernel.efficiency)} of the lanes used`),
      context.current?.offShare !== undefined && h('span', { class: 'switched-off' }, `${percent(context.current.offShare)} of them switched off`),
      timing && h('span', {}, `occupancy ${percent(timing.occupancy)}`),
      timing && h('span', {}, timeText(timing)),
      h('span', {}, run.profile.device),
    );
  }

  private runPicker(now: number): Child {
    const picker = h(
      'select',
      { 'aria-label': 'Run', change: (event) => this.go({ run: Number((event.target as HTMLSelectElement).value) }) },
      this.report.runs.map((run, index) => h('option', { value: index }, run.name)),
    );
    picker.value = String(now);
    return picker;
  }

  private choose(value: string): void {
    this.go({ kernel: value === 'all' ? 'all' : Number(value) });
  }

  private tabKey(event: KeyboardEvent): void {
    const names = [...this.tabs.keys()];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(this.at.view) + step + names.length) % names.length] ?? 'source';
    this.go({ view: next });
    this.tabs.get(next)?.focus();
  }

  private key(event: KeyboardEvent): void {
    const isText = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog[open]');
    if (isText || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const tab = [...this.tabs.keys()][Number(event.key) - 1];
    if (tab) this.go({ view: tab });
    else if (event.key === 't') this.theme();
    else if (event.key === '?') this.help.showModal();
    else if (event.key === '[' || event.key === ']') this.stepKernel(event.key === ']' ? 1 : -1);
    else if (!this.view(this.at.view).key?.(event)) return;
    event.preventDefault();
  }

  private stepKernel(by: number): void {
    const { views, current } = this.context();
    const sorted = [...views].sort((a, b) => b.cost - a.cost);
    const next = sorted[sorted.findIndex((view) => view === current) + by];
    if (next) this.go({ kernel: next.index });
  }

  private theme(): void {
    toggleTheme();
    this.recolour();
  }

  private recolour(): void {
    for (const view of this.views.values()) view.recolour?.();
  }
}

/// Scrolls the row that an element stands in, and nothing else.
function revealSideways(element: HTMLElement): void {
  const row = element.parentElement;
  if (!row) return;
  const left = element.offsetLeft - row.offsetLeft;
  if (left < row.scrollLeft || left + element.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = left;
}

/// A command with a button that copies it.
function copied(command: string): HTMLElement {
  const copy = button('copy', () => {
    const done = (): void => {
      copy.textContent = 'copied';
    };
    if (navigator.clipboard) navigator.clipboard.writeText(command).then(done, () => selectText(code));
    else selectText(code);
  }, { class: 'copy' });
  const code = h('code', {}, command);
  return h('span', { class: 'command' }, code, copy);
}

function selectText(element: Element): void {
  getSelection()?.selectAllChildren(element);
}
