// SPDX-License-Identifier: Apache-2.0
//
// One warp on a canvas: its 32 lanes over the instructions it ran, and below them the lines it ran through.
import { h, styled } from '../dom';
import { placeName, whole } from '../format';
import { type Columns, LaneImage } from '../laneimage';
import { ownerColours, placeKey } from '../model';
import type { Kernel, Run } from '../types';
import { segmentAt, type Warp } from '../warps';

export interface Range {
  from: number; ///< instructions
  to: number;
}

export interface Ink {
  used: [number, number, number];
  colours: [number, number, number][]; ///< by the numbers of laneimage.ts
  paper: string;
  text: string;
  quiet: string;
  line: string;
}

const laneHeight = 8;
const lanesHeight = 32 * laneHeight;
const stripHeight = 64;
const axisHeight = 20;
export const overviewHeight = 32;

/// A colour of the style sheet as numbers.
function rgb(name: string): [number, number, number] {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const value = parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function pack([red, green, blue]: [number, number, number]): number {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

export function readInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const colours: [number, number, number][] = [];
  for (let rank = 0; rank < ownerColours; ++rank) colours.push(rgb(`--owner-${rank}`));
  colours.push(rgb('--finished'), rgb('--partial'));
  const text = (name: string): string => style.getPropertyValue(name).trim();
  return { used: rgb('--used'), colours, paper: text('--card'), text: text('--ink'), quiet: text('--quiet'), line: text('--line') };
}

/// Round numbers for an axis: about one in `pixels`.
export function ticks(range: Range, width: number, pixels: number): number[] {
  const rough = ((range.to - range.from) * pixels) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power);
  const found: number[] = [];
  for (let at = Math.ceil(range.from / step) * step; at <= range.to; at += step) found.push(at);
  return found;
}

export class Track {
  readonly canvas = h('canvas', { class: 'lanes-canvas' });
  readonly overview = h('canvas', { class: 'overview-canvas' });
  private readonly image: LaneImage;
  private readonly offscreen = document.createElement('canvas');
  private pixels = new ImageData(1, 1); ///< of `offscreen`, kept from frame to frame
  private readonly whole = document.createElement('canvas'); ///< the overview without the range in sight
  private wholeKey = '';
  private readonly places: { line: number; file: string }[];

  constructor(
    readonly run: Run,
    readonly kernel: Kernel,
    readonly warp: Warp,
    readonly ranks: ReadonlyMap<string, number>,
  ) {
    // The strip has a row for each line that the warp ran, in the order of the source.
    const lines = new Map<string, { file: string; line: number }>();
    for (const place of warp.places) lines.set(placeKey(place), { file: place.file, line: place.line });
    this.places = [...lines.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
    const numbers = new Map(this.places.map((place, index) => [placeKey({ ...place, column: 0 }), index]));
    const order = Uint32Array.from(warp.places, (place) => numbers.get(placeKey(place)) ?? 0);
    const rank = (branch: number): number => {
      const at = kernel.branches[branch];
      return (at && ranks.get(placeKey(at))) ?? ownerColours - 1;
    };
    this.image = new LaneImage(warp, rank, order);
    styled(this.canvas, { height: `${lanesHeight + stripHeight + axisHeight}px` });
    styled(this.overview, { height: `${overviewHeight}px` });
  }

  /// Draws the range; `cursor` is an instruction, -1 for none.
  draw(range: Range, all: number, cursor: number, ink: Ink): void {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = (lanesHeight + stripHeight + axisHeight) * ratio;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const pen = this.canvas.getContext('2d');
    if (!pen) return;
    const columns = this.image.columns(range.from, range.to, width);
    pen.fillStyle = ink.paper;
    pen.fillRect(0, 0, width, height);
    this.drawLanes(pen, columns, ink, width, lanesHeight * ratio);
    this.drawGrid(pen, ink, range, width, ratio);
    this.drawStrip(pen, columns, range, ink, width, ratio);
    if (cursor >= range.from && cursor <= range.to) {
      pen.fillStyle = ink.text;
      pen.fillRect(Math.round(((cursor - range.from) / (range.to - range.from)) * width), 0, Math.max(1, ratio), height - axisHeight * ratio);
    }
    this.drawOverview(range, all, ink);
  }

  /// What runs at an instruction.
  at(instruction: number): { segment: number; place: string; line: number; file: string } | undefined {
    if (instruction < 0 || instruction >= this.warp.instructions) return undefined;
    const segment = segmentAt(this.warp, instruction);
    const place = this.warp.places[this.warp.place[segment] ?? 0];
    return place && { segment, place: placeName(place), line: place.line, file: place.file };
  }

  /// A lane's row of a column is a bar of its own: at the bottom the share that was active, above it who owns most of
  /// the rest. Mixed colours would be mud.
  private drawLanes(pen: CanvasRenderingContext2D, columns: Columns, ink: Ink, width: number, height: number): void {
    if (this.pixels.width !== columns.width) {
      this.pixels = new ImageData(columns.width, 32 * laneHeight);
      this.offscreen.width = columns.width;
      this.offscreen.height = 32 * laneHeight;
    }
    const pixels = new Uint32Array(this.pixels.data.buffer);
    const end = this.overviewEnd(columns);
    const packed = ink.colours.map(pack);
    const used = pack(ink.used);
    for (let lane = 0; lane < 32; ++lane)
      for (let column = 0; column < end; ++column) {
        const at = column * 32 + lane;
        const owner = packed[columns.colour[at] ?? 0] ?? used;
        const lost = Math.round((laneHeight * (255 - (columns.activeShare[at] ?? 0))) / 255);
        let pixel = lane * laneHeight * columns.width + column;
        for (let row = 0; row < laneHeight; ++row, pixel += columns.width) pixels[pixel] = row < lost ? owner : used;
      }
    for (let row = 0, at = end; end < columns.width && row < 32 * laneHeight; ++row, at += columns.width) pixels.fill(0, at, at + columns.width - end);
    this.offscreen.getContext('2d')?.putImageData(this.pixels, 0, 0);
    pen.imageSmoothingEnabled = height < lanesHeight;
    pen.drawImage(this.offscreen, 0, 0, width, height);
  }

  /// Columns behind the last instruction have no place.
  private overviewEnd(columns: Columns): number {
    let end = columns.width;
    while (end > 0 && columns.low[end - 1] === 0xffffffff) --end;
    return end;
  }

  /// Lines between lanes; where there is room, between segments, too.
  private drawGrid(pen: CanvasRenderingContext2D, ink: Ink, range: Range, width: number, ratio: number): void {
    pen.fillStyle = ink.paper;
    pen.globalAlpha = 0.55;
    for (let lane = 1; lane < 32; ++lane) pen.fillRect(0, lane * laneHeight * ratio, width, lane % 8 === 0 ? 1.5 * ratio : 1);
    const { start, segments } = this.warp;
    const scale = width / (range.to - range.from);
    let segment = segmentAt(this.warp, Math.max(0, range.from));
    if (segmentAt(this.warp, range.to) - segment < width / 6)
      for (; segment < segments && (start[segment] ?? 0) < range.to; ++segment)
        pen.fillRect(Math.round(((start[segment] ?? 0) - range.from) * scale), 0, 1, lanesHeight * ratio);
    pen.globalAlpha = 1;
    pen.fillStyle = ink.quiet;
    pen.font = `${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
    pen.textBaseline = 'middle';
    const y = (lanesHeight + stripHeight + axisHeight / 2) * ratio;
    for (const at of ticks(range, width / ratio, 110)) {
      const x = (at - range.from) * scale;
      pen.fillRect(Math.round(x), (lanesHeight + stripHeight) * ratio, 1, 5 * ratio);
      pen.textAlign = x < 30 * ratio ? 'left' : x > width - 30 * ratio ? 'right' : 'center';
      pen.fillText(whole(at), x, y + 2 * ratio);
    }
  }

  /// Which lines run: one row for each, as far as there is room; names where a piece is wide enough.
  private drawStrip(pen: CanvasRenderingContext2D, columns: Columns, range: Range, ink: Ink, width: number, ratio: number): void {
    const top = (lanesHeight + 6) * ratio;
    const height = (stripHeight - 12) * ratio;
    const row = height / Math.max(1, this.places.length);
    const thick = Math.max(2 * ratio, Math.min(row, 10 * ratio));
    pen.fillStyle = ink.quiet;
    for (let column = 0; column < columns.width; ++column) {
      const low = columns.low[column] ?? 0;
      if (low === 0xffffffff) continue;
      const high = columns.high[column] ?? 0;
      pen.globalAlpha = high > low ? 0.35 : 0.8;
      pen.fillRect(column, top + low * row, 1, (high - low) * row + thick);
    }
    pen.globalAlpha = 1;
    this.nameSegments(pen, range, ink, width, ratio);
  }

  private nameSegments(pen: CanvasRenderingContext2D, range: Range, ink: Ink, width: number, ratio: number): void {
    const scale = width / (range.to - range.from);
    let segment = segmentAt(this.warp, Math.max(0, range.from));
    if (segmentAt(this.warp, range.to) - segment > 60) return;
    pen.fillStyle = ink.text;
    pen.textAlign = 'left';
    pen.textBaseline = 'top';
    for (; segment < this.warp.segments && (this.warp.start[segment] ?? 0) < range.to; ++segment) {
      const x = Math.max(0, ((this.warp.start[segment] ?? 0) - range.from) * scale);
      const end = ((this.warp.start[segment + 1] ?? 0) - range.from) * scale;
      const place = this.warp.places[this.warp.place[segment] ?? 0];
      if (end - x > 34 * ratio && place) pen.fillText(`:${place.line}`, x + 3 * ratio, (lanesHeight + stripHeight - 14) * ratio);
    }
  }

  private drawOverview(range: Range, all: number, ink: Ink): void {
    const width = Math.max(1, this.overview.clientWidth);
    this.drawWhole(width, all, ink);
    const pen = this.overview.getContext('2d');
    if (!pen) return;
    pen.clearRect(0, 0, width, overviewHeight);
    pen.drawImage(this.whole, 0, 0);
    const from = (range.from / all) * width;
    const to = (range.to / all) * width;
    pen.fillStyle = ink.paper;
    pen.globalAlpha = 0.65;
    pen.fillRect(0, 0, from, overviewHeight);
    pen.fillRect(to, 0, width - to, overviewHeight);
    pen.globalAlpha = 1;
    pen.strokeStyle = ink.text;
    pen.lineWidth = 2;
    pen.strokeRect(Math.max(1, from), 1, Math.max(3, to - from) - 2, overviewHeight - 2);
  }

  /// Moving about does not change it, so it is kept.
  private drawWhole(width: number, all: number, ink: Ink): void {
    const key = [width, all, ink.used, ...ink.colours].join(' ');
    if (key === this.wholeKey) return;
    this.wholeKey = key;
    for (const canvas of [this.whole, this.overview]) {
      canvas.width = width;
      canvas.height = overviewHeight;
    }
    const pen = this.whole.getContext('2d');
    if (pen) this.drawLanes(pen, this.image.columns(0, all, width), ink, width, overviewHeight);
  }

  title(): string {
    const { record } = this.warp;
    const block = record.block.slice(0, record.block[2] > 0 ? 3 : record.block[1] > 0 ? 2 : 1).join(',');
    const which = record.role === 'between' ? '' : `the ${record.role} warp: `;
    const launch = record.launch > 0 ? `launch ${record.launch + 1}, ` : '';
    return `${which}${launch}block ${block}, warp ${record.warp}, ${whole(record.instructions)} instructions`;
  }

  /// What the picture's axes are.
  axes(): string {
    const first = this.places[0];
    const last = this.places[this.places.length - 1];
    const lines = first && last && first !== last ? `; below the lanes the line that runs, from ${placeName({ ...first })} to ${placeName({ ...last })}` : '';
    return `\u2192 instructions that the warp ran, one after the other${lines}`;
  }
}
