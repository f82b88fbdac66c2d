// SPDX-License-Identifier: Apache-2.0
//
// A warp's lanes over the instructions it executed; two warps side by side in one scale.
import type { Context, View } from '../app';
import { button, type Child, h, replace, styled } from '../dom';
import { leastShare, percent, placeName, plural, smallPercent, whole } from '../format';
import { lineText, ownerColour, ownerRanks } from '../model';
import type { Place, Run } from '../types';
import { active, bitCount, finished, ownerOf, partial, type Warp, warpsOf } from '../warps';
import { placeLink } from './account';
import { type Range, readInk, Track } from './track';

const fewest = 20; ///< instructions in sight
const mostOwners = 12; ///< in the legend and the sums

/// A warp that can be shown beside the first.
interface Other {
  number: number; ///< run * 1000 + warp
  run: Run;
  kernel: Run['profile']['kernels'][number];
  warp: Warp;
  label: string;
}

export class LanesView implements View {
  readonly element = h('div', { class: 'lanes-view' });
  private context: Context | undefined;
  private tracks: Track[] = [];
  private key_ = '';
  private range: Range = { from: 0, to: 1 };
  private all = 1; ///< instructions of the longest
  private cursor = -1;
  private lane = -1;
  private pinned = false;
  private pending = false;
  private readonly pointers = new Map<number, number>();
  private moved = false;
  private readonly info = h('div', { class: 'lane-info', role: 'status' });
  private readonly observer = new ResizeObserver(() => this.schedule());

  update(context: Context): void {
    this.context = context;
    const key = `${context.at.run} ${context.current?.index} ${context.at.warp} ${context.at.other}`;
    if (key === this.key_) return this.schedule();
    this.key_ = key;
    this.build(context);
  }

  recolour(): void {
    this.schedule();
  }

  key(event: KeyboardEvent): boolean {
    const width = this.range.to - this.range.from;
    const middle = (this.range.from + this.range.to) / 2;
    switch (event.key) {
      case 'ArrowLeft': this.show(this.range.from - width / 8, width); break;
      case 'ArrowRight': this.show(this.range.from + width / 8, width); break;
      case '+': case '=': this.zoom(this.pinned ? this.cursor : middle, 0.6); break;
      case '-': this.zoom(middle, 1 / 0.6); break;
      case '0': this.show(0, this.all); break;
      case 'Home': this.show(0, width); break;
      case 'End': this.show(this.all - width, width); break;
      case '.': this.step(1); break;
      case ',': this.step(-1); break;
      default: return false;
    }
    return this.tracks.length > 0;
  }

  private build(context: Context): void {
    const kernel = context.current?.kernel;
    const warps = kernel ? warpsOf(kernel) : [];
    const warp = warps[context.at.warp] ?? warps[0];
    this.observer.disconnect();
    if (!kernel || !warp) {
      this.tracks = [];
      return replace(this.element, nothingRecorded(context));
    }
    const others = this.others(context, warp);
    const other = others.find((each) => each.number === context.at.other);
    this.tracks = [new Track(context.run, kernel, warp, context.ranks)];
    if (other) {
      const facts = other.run.kernels[other.run.profile.kernels.indexOf(other.kernel)];
      const beside = new Track(other.run, other.kernel, other.warp, facts ? ownerRanks(facts) : new Map());
      const isBefore = context.report.runs.indexOf(other.run) < context.at.run; // what was first stands first
      this.tracks = isBefore ? [beside, ...this.tracks] : [...this.tracks, beside];
    }
    this.all = Math.max(1, ...this.tracks.map((track) => track.warp.instructions));
    this.range = { from: 0, to: this.all };
    this.cursor = -1;
    this.pinned = false;
    replace(
      this.element,
      this.toolbar(context, warps, others),
      this.tracks.map((track) => this.trackElement(track)),
      this.info,
      legend(context, this.tracks),
      h('div', { class: 'cards' }, this.tracks.map((track) => lossTable(context, track, this.tracks.length === 1))),
    );
    for (const track of this.tracks) this.observer.observe(track.canvas);
    this.describe();
    this.schedule();
  }

  private toolbar(context: Context, warps: readonly Warp[], others: readonly Other[]): HTMLElement {
    const picker = h(
      'select',
      { 'aria-label': 'Warp', change: (event) => context.go({ warp: Number((event.target as HTMLSelectElement).value) }) },
      warps.map((warp, index) => h('option', { value: index }, warpName(warp))),
    );
    picker.value = String(context.at.warp < warps.length ? context.at.warp : 0);
    const beside = h(
      'select',
      { 'aria-label': 'Beside it', change: (event) => context.go({ other: Number((event.target as HTMLSelectElement).value) }) },
      h('option', { value: -1 }, 'beside it: nothing'),
      others.map((other) => h('option', { value: other.number }, other.label)),
    );
    beside.value = String(context.at.other);
    return h(
      'div',
      { class: 'toolbar' },
      picker,
      others.length > 0 && beside,
      h(
        'span',
        { class: 'buttons' },
        button('\u2212', () => this.zoom((this.range.from + this.range.to) / 2, 2), { 'aria-label': 'Further (\u2212)', title: 'Further (\u2212)' }),
        button('all', () => this.show(0, this.all), { title: 'All of it (0)' }),
        button('+', () => this.zoom((this.range.from + this.range.to) / 2, 0.5), { 'aria-label': 'Closer (+)', title: 'Closer (+)' }),
      ),
    );
  }

  private others(context: Context, shown: Warp): Other[] {
    const found: Other[] = [];
    context.report.runs.forEach((run, runIndex) => {
      const kernel = run.profile.kernels.find((each) => each.id === context.current?.kernel.id || (run !== context.run && each.name === context.current?.kernel.name));
      if (!kernel) return;
      warpsOf(kernel).forEach((warp, index) => {
        const isSame = run === context.run && warp === shown;
        const where = run === context.run ? '' : `${run.name}: `;
        if (!isSame) found.push({ number: runIndex * 1000 + index, run, kernel, warp, label: `beside it: ${where}${warpName(warp)}` });
      });
    });
    return found;
  }

  private trackElement(track: Track): HTMLElement {
    const { record } = track.warp;
    const isCut = record.recorded < record.instructions;
    const frame = h(
      'div',
      {
        class: 'track',
        tabindex: 0,
        role: 'img',
        'aria-label': `32 lanes of ${track.title()}; the table below has the sums`,
        keydown: (event) => this.trackKey(event as KeyboardEvent),
        wheel: (event) => this.wheel(event as WheelEvent, track),
        pointerdown: (event) => this.down(event as PointerEvent, track),
        pointermove: (event) => this.move(event as PointerEvent, track),
        pointerup: (event) => this.up(event as PointerEvent, track),
        pointercancel: (event) => this.pointers.delete((event as PointerEvent).pointerId),
        pointerleave: () => this.leave(),
        dblclick: (event) => this.zoom(this.instructionAt(event as MouseEvent, track), 0.3),
      },
      track.canvas,
    );
    track.overview.addEventListener('pointerdown', (event) => this.overviewTo(event, track));
    track.overview.addEventListener('pointermove', (event) => event.buttons > 0 && this.overviewTo(event, track));
    return h(
      'section',
      { class: 'track-section', 'aria-label': track.title() },
      h('h2', {}, this.context && this.context.report.runs.length > 1 ? `${track.run.name}: ` : '', track.title(), isCut && h('small', {}, `, of which the first ${whole(record.recorded)} were recorded`)),
      track.overview,
      h('div', { class: 'track-row' }, h('div', { class: 'lane-numbers', 'aria-hidden': 'true' }, h('span', {}, 'lane 0'), h('span', {}, '8'), h('span', {}, '16'), h('span', {}, '24'), h('span', { class: 'strip-name' }, 'line')), frame),
      h('p', { class: 'axis-caption' }, track.axes()),
    );
  }

  private trackKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.key(event)) return;
    event.preventDefault();
  }

  private instructionAt(event: MouseEvent, track: Track): number {
    const box = track.canvas.getBoundingClientRect();
    return this.range.from + ((event.clientX - box.left) / box.width) * (this.range.to - this.range.from);
  }

  private laneAt(event: MouseEvent, track: Track): number {
    const lane = Math.floor((event.clientY - track.canvas.getBoundingClientRect().top) / 8);
    return lane >= 0 && lane < 32 ? lane : -1;
  }

  /// Zooms where the reader has shown that the wheel is meant for this: by a click into it, or with Ctrl.
  private wheel(event: WheelEvent, track: Track): void {
    const isMeant = event.ctrlKey || document.activeElement === event.currentTarget;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const width = this.range.to - this.range.from;
    if (isSideways) this.show(this.range.from + (event.deltaX / track.canvas.clientWidth) * width, width);
    else if (isMeant) this.zoom(this.instructionAt(event, track), Math.exp(event.deltaY * 0.002));
    else return;
    event.preventDefault();
  }

  private down(event: PointerEvent, track: Track): void {
    this.pointers.set(event.pointerId, event.clientX);
    this.moved = false;
    track.canvas.parentElement?.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent, track: Track): void {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return this.hover(event, track);
    const perPixel = (this.range.to - this.range.from) / track.canvas.clientWidth;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (Math.abs(event.clientX - before) > 2) this.moved = true;
    if (other !== undefined) {
      const factor = Math.abs(before - other) / Math.max(8, Math.abs(event.clientX - other));
      const box = track.canvas.getBoundingClientRect();
      this.zoom(this.range.from + (other - box.left) * perPixel, factor);
    } else if (this.moved) {
      this.show(this.range.from - (event.clientX - before) * perPixel, this.range.to - this.range.from);
    } else {
      return;
    }
    this.pointers.set(event.pointerId, event.clientX);
  }

  private up(event: PointerEvent, track: Track): void {
    this.pointers.delete(event.pointerId);
    if (this.moved) return;
    this.pinned = false;
    this.hover(event, track);
    this.pinned = true;
  }

  private hover(event: MouseEvent, track: Track): void {
    if (this.pinned) return;
    this.cursor = this.instructionAt(event, track);
    this.lane = this.laneAt(event, track);
    this.describe(track);
    this.schedule();
  }

  private leave(): void {
    if (this.pinned) return;
    this.cursor = -1;
    this.describe();
    this.schedule();
  }

  private overviewTo(event: PointerEvent, track: Track): void {
    const box = track.overview.getBoundingClientRect();
    const width = this.range.to - this.range.from;
    this.show(((event.clientX - box.left) / box.width) * this.all - width / 2, width);
  }

  /// To the next change of lanes or line, with the cursor.
  private step(by: number): void {
    const track = this.tracks[0];
    if (!track) return;
    const now = this.cursor < 0 ? undefined : track.at(this.cursor);
    const segment = Math.max(0, Math.min(track.warp.segments - 1, now ? now.segment + by : 0));
    this.cursor = ((track.warp.start[segment] ?? 0) + (track.warp.start[segment + 1] ?? 0)) / 2;
    this.lane = -1;
    this.pinned = true;
    const width = this.range.to - this.range.from;
    if (this.cursor < this.range.from || this.cursor > this.range.to) this.show(this.cursor - width / 2, width);
    this.describe(track);
    this.schedule();
  }

  private zoom(around: number, factor: number): void {
    const width = Math.min(this.all, Math.max(Math.min(fewest, this.all), (this.range.to - this.range.from) * factor));
    const share = (around - this.range.from) / (this.range.to - this.range.from);
    this.show(around - share * width, width);
  }

  private show(from: number, width: number): void {
    const first = Math.max(0, Math.min(this.all - width, from));
    this.range = { from: first, to: first + width };
    this.schedule();
  }

  private schedule(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const ink = readInk();
      for (const track of this.tracks) if (track.canvas.isConnected) track.draw(this.range, this.all, this.cursor, ink);
    });
  }

  /// Says what is under the cursor.
  private describe(track: Track | undefined = this.tracks[0]): void {
    const context = this.context;
    const found = track && this.cursor >= 0 ? track.at(this.cursor) : undefined;
    if (!context || !track || !found) {
      return replace(this.info, h('p', { class: 'quiet' }, 'Move over the lanes to see what they run, click to keep it. Drag to move; click, then turn the wheel, or use two fingers, to zoom. Keys: \u2190 \u2192 + \u2212 0, and , . from change to change.'));
    }
    const owners = track.warp.owners[track.warp.ownersOf[found.segment] ?? 0];
    const place: Place = { file: found.file, line: found.line, column: 0 };
    const losses = [...(owners?.losses ?? [])].sort((a, b) => bitCount(b.lanes) - bitCount(a.lanes));
    const lane = this.lane >= 0 && owners ? ownerOf(owners, this.lane) : undefined;
    replace(
      this.info,
      h('p', {}, h('b', {}, `instruction ${whole(Math.floor(this.cursor))} `), placeLink(context, place), ' ', h('code', {}, lineText(track.run, place))),
      h(
        'p',
        {},
        `${bitCount(owners?.activeMask ?? 0)} of 32 lanes run. `,
        losses.map((loss) => [`${bitCount(loss.lanes)} `, ownerName(context, track, loss.branch), '. ']),
        lane !== undefined && h('small', {}, `Lane ${this.lane} ${lane === active ? 'runs' : 'does not run'}.`),
      ),
    );
  }
}

function warpName(warp: Warp): string {
  const { record } = warp;
  const block = record.block.slice(0, record.block[2] > 0 ? 3 : record.block[1] > 0 ? 2 : 1).join(',');
  const launch = record.launch > 0 ? `, launch ${record.launch + 1}` : '';
  return `${record.role === 'between' ? '' : `${record.role}: `}block ${block}, warp ${record.warp}${launch} (${whole(record.instructions)})`;
}

function ownerName(context: Context, track: Track, branch: number): Child {
  if (branch === finished) return 'have finished';
  if (branch === partial) return 'have no thread';
  const at = track.kernel.branches[branch];
  return at ? ['lost to ', placeLink(context, at)] : 'lost';
}

/// Who lost what of a warp's lane slots, the worst first; what cannot be seen is left out.
interface Losses {
  used: number;
  shares: { branch: number; share: number }[];
}

function lossesOf({ warp }: Track): Losses {
  const lengths = new Float64Array(warp.owners.length);
  for (let segment = 0; segment < warp.segments; ++segment) lengths[warp.ownersOf[segment] ?? 0]! += (warp.start[segment + 1] ?? 0) - (warp.start[segment] ?? 0);
  const counts = new Map<number, number>();
  let used = 0;
  warp.owners.forEach((owners, index) => {
    const length = lengths[index] ?? 0;
    used += bitCount(owners.activeMask) * length;
    for (const loss of owners.losses) counts.set(loss.branch, (counts.get(loss.branch) ?? 0) + bitCount(loss.lanes) * length);
  });
  const slots = Math.max(1, 32 * warp.instructions);
  const shares = [...counts].map(([branch, lost]) => ({ branch, share: lost / slots })).sort((one, two) => two.share - one.share);
  return { used: used / slots, shares };
}

function colourOf(track: Track, branch: number): string {
  if (branch === finished) return 'var(--finished)';
  if (branch === partial) return 'var(--partial)';
  const at = track.kernel.branches[branch];
  return at ? ownerColour(track.ranks, at) : 'var(--owner-6)';
}

function legend(context: Context, tracks: readonly Track[]): HTMLElement {
  const seen = new Map<string, { name: Child; colour: string }>();
  for (const track of tracks)
    for (const { branch, share } of lossesOf(track).shares.slice(0, mostOwners)) {
      if (share < leastShare) break;
      const at = track.kernel.branches[branch];
      const name = branch === finished ? 'finished' : branch === partial ? 'no thread' : ownerName(context, track, branch);
      const key = at ? `${track.run.name} ${placeName(at)}` : String(branch);
      if (!seen.has(key)) seen.set(key, { name, colour: colourOf(track, branch) });
    }
  const item = (name: Child, colour: string): HTMLElement => h('span', { class: 'legend-item' }, styled(h('span', { class: 'dot' }), { background: colour }), name);
  return h('p', { class: 'legend lane-legend' }, item('at work', 'var(--used)'), [...seen.values()].map((each) => item(each.name, each.colour)));
}

/// The sums of a warp: what the picture shows, as numbers.
function lossTable(context: Context, track: Track, isAlone: boolean): HTMLElement {
  const { warp, kernel } = track;
  const { used, shares } = lossesOf(track);
  const shown = shares.slice(0, mostOwners).filter(({ share }) => share >= leastShare);
  const rest = shares.slice(shown.length).reduce((sum, { share }) => sum + share, 0);
  const all = kernel.recorded?.warps ?? 1;
  const fewer = all < 2 ? '' : ` ${warp.record.fewer === 0 ? 'None' : whole(warp.record.fewer)} of ${plural(all, 'warp')} ran fewer instructions.`;
  const row = (colour: string, name: Child, code: string, share: number): HTMLElement =>
    h('li', {}, styled(h('span', { class: 'dot' }), { background: colour }), h('span', {}, name), h('code', {}, code), h('span', { class: 'count' }, smallPercent(share)));
  return h(
    'section',
    { class: isAlone ? 'card wide' : 'card' },
    h('h2', {}, context.report.runs.length > 1 ? `${track.run.name}: ` : '', 'Lanes of this warp'),
    h('p', {}, h('b', {}, percent(used)), ' at work.', fewer),
    h(
      'ul',
      { class: 'shares' },
      shown.map(({ branch, share }) => {
        const at = kernel.branches[branch];
        return row(colourOf(track, branch), ownerName(context, track, branch), at ? lineText(track.run, at) : '', share);
      }),
      rest > 0 && row('var(--owner-6)', `lost to ${plural(shares.length - shown.length, 'other line')}`, '', rest),
    ),
  );
}

function nothingRecorded(context: Context): HTMLElement {
  const card = (title: string, ...content: Child[]): HTMLElement => h('div', { class: 'card' }, h('h2', {}, title), content);
  if (!context.current) return card('No warp ran', h('p', {}, 'The lanes of single warps are shown here, once a kernel was launched.'));
  if (context.run.profile.ending !== 'complete' && !context.current.kernel.timing)
    return card('This kernel was stopped', h('p', {}, 'Warps are kept when their launch has ended. The other views show what ran until then.'));
  const file = context.run.command.replace(/^heddle fix /, '') || 'app.cu';
  return card(
    'No warp of this kernel was recorded',
    h('p', {}, 'Record some while the program runs, the slowest, the median and the fastest:'),
    h('p', {}, h('code', {}, `heddle run ${file} --record-warps 3 --report report.html`)),
  );
}
