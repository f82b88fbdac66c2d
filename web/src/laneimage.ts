// SPDX-License-Identifier: Apache-2.0
//
// A warp's lanes as columns of pixels: for each column and lane the share of instructions in which the lane was
// active, and who owns most of the rest. Few segments are summed as they are; for many there are bins, made
// once, and bins of bins, so that a column costs the same whether it stands for one instruction or for ten
// thousand.
import { finished, partial, segmentAt, type Warp } from './warps';

/// Numbers of colours: owners by rank, then these.
export const finishedColour = 7;
export const partialColour = 8;
const colours = 9;
const lanes = 32;
const baseBins = 1 << 15;
/// Up to here segments are summed as they are, in a millisecond or two.
const mostSegments = 20000;

export interface Columns {
  width: number;
  /// By column, then lane: 0 to 255, and the number of a colour.
  activeShare: Uint8Array;
  colour: Uint8Array;
  /// Lowest and highest number of a place in the column; see LaneImage.order.
  low: Uint32Array;
  high: Uint32Array;
}

interface Level {
  size: number; ///< instructions of a bin
  count: number;
  activeShare: Uint8Array;
  colour: Uint8Array;
  low: Uint32Array;
  high: Uint32Array;
}

/// Sums of one column.
class Column {
  readonly used = new Float64Array(lanes);
  readonly lost = new Float64Array(lanes * colours);
  weight = 0;
  low = 0xffffffff;
  high = 0;

  clear(): void {
    this.used.fill(0);
    this.lost.fill(0);
    this.weight = 0;
    this.low = 0xffffffff;
    this.high = 0;
  }

  write(share: Uint8Array, colour: Uint8Array, at: number): void {
    for (let lane = 0; lane < lanes; ++lane) {
      let best = 0;
      let most = 0;
      for (let each = 0; each < colours; ++each) {
        const value = this.lost[lane * colours + each] ?? 0;
        if (value > most) {
          most = value;
          best = each;
        }
      }
      share[at + lane] = this.weight > 0 ? Math.round((255 * (this.used[lane] ?? 0)) / this.weight) : 0;
      colour[at + lane] = best;
    }
  }
}

function paintOf(warp: Warp, rank: (branch: number) => number): Uint8Array {
  const paint = new Uint8Array(lanes * warp.owners.length).fill(255);
  const ranks = new Map<number, number>([[finished, finishedColour], [partial, partialColour]]);
  warp.owners.forEach((owners, index) => {
    for (const loss of owners.losses) {
      let colour = ranks.get(loss.branch);
      if (colour === undefined) ranks.set(loss.branch, (colour = rank(loss.branch)));
      for (let rest = loss.lanes; rest !== 0; rest &= rest - 1) paint[lanes * index + 31 - Math.clz32(rest & -rest)] = colour;
    }
  });
  return paint;
}

export class LaneImage {
  /// By owners of the warp, for each lane: 255 for active, else the number of a colour.
  private readonly paint: Uint8Array;
  private readonly levels: Level[] = [];
  private readonly sum = new Column();

  /// `rank`: the colour of a branch; `order`: where a place stands among the places of the strip.
  constructor(
    private readonly warp: Warp,
    rank: (branch: number) => number,
    private readonly order: Uint32Array,
  ) {
    this.paint = paintOf(warp, rank);
    if (warp.segments > mostSegments) this.makeLevels();
  }

  columns(from: number, to: number, width: number): Columns {
    const columns: Columns = {
      width,
      activeShare: new Uint8Array(width * lanes),
      colour: new Uint8Array(width * lanes),
      low: new Uint32Array(width),
      high: new Uint32Array(width),
    };
    const step = (to - from) / width;
    const end = Math.min(to, this.warp.instructions);
    const seen = segmentAt(this.warp, end) - segmentAt(this.warp, Math.max(0, from));
    if (seen <= mostSegments) this.fromSegments(columns, from, step);
    else this.fromLevel(columns, from, step);
    return columns;
  }

  private addSegment(segment: number, weight: number): void {
    const { sum } = this;
    const from = lanes * (this.warp.ownersOf[segment] ?? 0);
    sum.weight += weight;
    for (let lane = 0; lane < lanes; ++lane) {
      const owner = this.paint[from + lane] ?? 0;
      if (owner === 255) sum.used[lane]! += weight;
      else sum.lost[lane * colours + owner]! += weight;
    }
    const place = this.order[this.warp.place[segment] ?? 0] ?? 0;
    if (place < sum.low) sum.low = place;
    if (place > sum.high) sum.high = place;
  }

  /// Sums what runs between two instructions; `segment` is where to look first. Returns the last one.
  private addBetween(segment: number, from: number, to: number): number {
    const { start, segments } = this.warp;
    let at = segment;
    while (at < segments && (start[at + 1] ?? 0) <= from) ++at;
    for (; at < segments && (start[at] ?? 0) < to; ++at) {
      this.addSegment(at, Math.min(to, start[at + 1] ?? 0) - Math.max(from, start[at] ?? 0));
      if ((start[at + 1] ?? 0) >= to) break;
    }
    return Math.min(at, segments - 1);
  }

  private fromSegments(columns: Columns, from: number, step: number): void {
    let segment = segmentAt(this.warp, Math.max(0, from));
    for (let column = 0; column < columns.width; ++column) {
      this.sum.clear();
      segment = this.addBetween(segment, from + column * step, from + (column + 1) * step);
      this.finish(columns, column);
    }
  }

  private finish(columns: Columns, column: number): void {
    this.sum.write(columns.activeShare, columns.colour, column * lanes);
    columns.low[column] = this.sum.low;
    columns.high[column] = this.sum.high;
  }

  private fromLevel(columns: Columns, from: number, step: number): void {
    let level = this.levels[0];
    for (const each of this.levels) if (each.size <= step) level = each;
    if (!level) return;
    for (let column = 0; column < columns.width; ++column) {
      const first = Math.max(0, Math.floor((from + column * step) / level.size));
      const end = Math.min(level.count, Math.max(first + 1, Math.floor((from + (column + 1) * step) / level.size)));
      this.sum.clear();
      for (let bin = first; bin < end; ++bin) this.addBin(level, bin);
      this.finish(columns, column);
    }
  }

  private addBin(level: Level, bin: number): void {
    const { sum } = this;
    sum.weight += 255;
    for (let lane = 0; lane < lanes; ++lane) {
      const share = level.activeShare[bin * lanes + lane] ?? 0;
      sum.used[lane]! += share;
      sum.lost[lane * colours + (level.colour[bin * lanes + lane] ?? 0)]! += 255 - share;
    }
    sum.low = Math.min(sum.low, level.low[bin] ?? 0);
    sum.high = Math.max(sum.high, level.high[bin] ?? 0);
  }

  private makeLevels(): void {
    const base = this.emptyLevel(this.warp.instructions / baseBins, baseBins);
    let segment = 0;
    for (let bin = 0; bin < base.count; ++bin) {
      this.sum.clear();
      segment = this.addBetween(segment, bin * base.size, (bin + 1) * base.size);
      this.keep(base, bin);
    }
    this.levels.push(base);
    for (let below = base; below.count > 256; ) {
      const level = this.emptyLevel(below.size * 2, below.count >> 1);
      for (let bin = 0; bin < level.count; ++bin) {
        this.sum.clear();
        this.addBin(below, 2 * bin);
        this.addBin(below, 2 * bin + 1);
        this.keep(level, bin);
      }
      this.levels.push(level);
      below = level;
    }
  }

  private keep(level: Level, bin: number): void {
    this.sum.write(level.activeShare, level.colour, bin * lanes);
    level.low[bin] = this.sum.low;
    level.high[bin] = this.sum.high;
  }

  private emptyLevel(size: number, count: number): Level {
    return {
      size,
      count,
      activeShare: new Uint8Array(count * lanes),
      colour: new Uint8Array(count * lanes),
      low: new Uint32Array(count),
      high: new Uint32Array(count),
    };
  }
}
