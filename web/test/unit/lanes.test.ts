// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { type Columns, LaneImage, partialColour } from '../../src/laneimage';
import { ticks } from '../../src/views/track';
import { active, bitCount, ownerOf, partial, readWarp, segmentAt, type Warp } from '../../src/warps';
import { longRecords, smallKernel } from '../fixtures';

const small = smallKernel('k', 'a.cu').recorded!;
const warp = readWarp(small, small.recorded[0]!);
const order = (of: Warp): Uint32Array => Uint32Array.from(of.places, (_, i) => i);

/// The share and colour of one lane in one column, the slow way.
function plain(of: Warp, from: number, to: number, lane: number): number {
  let used = 0;
  let all = 0;
  for (let segment = 0; segment < of.segments; ++segment) {
    const length = Math.min(to, of.start[segment + 1]!) - Math.max(from, of.start[segment]!);
    if (length <= 0) continue;
    all += length;
    if (ownerOf(of.owners[of.ownersOf[segment]!]!, lane) === active) used += length;
  }
  return all === 0 ? 0 : used / all;
}

describe('a recorded warp', () => {
  it('is read from its texts', () => {
    expect(warp.instructions).toBe(22);
    expect(warp.segments).toBe(9);
    expect([...warp.start]).toEqual([0, 3, 4, 7, 10, 13, 14, 17, 20, 22]);
    expect([...warp.place]).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 4]);
    expect(ownerOf(warp.owners[1]!, 0)).toBe(active);
    expect(ownerOf(warp.owners[1]!, 31)).toBe(1);
    expect(bitCount(0xffffffff)).toBe(32);
  });
  it('finds the segment of an instruction', () => {
    expect([0, 2, 3, 4, 6, 19, 21].map((instruction) => segmentAt(warp, instruction))).toEqual([0, 0, 1, 2, 2, 7, 8]);
  });
  it('knows lanes without a thread', () => {
    const records = { ...small, recorded: [{ ...small.recorded[0]!, threads: '0000000f', owners: ['0000000f 00000000'], runs: '0 0 1' }] };
    const short = readWarp(records, records.recorded[0]!);
    expect(ownerOf(short.owners[0]!, 31)).toBe(partial);
    const columns = new LaneImage(short, () => 0, order(short)).columns(0, 4, 1);
    expect(columns.colour[31]).toBe(partialColour);
    expect(columns.activeShare[0]).toBe(255);
  });
  it('repeats a stretch as often as it ran', () => {
    const records = { ...small, recorded: [{ ...small.recorded[0]!, runs: '0 0 3' }] };
    expect(readWarp(records, records.recorded[0]!).instructions).toBe(12);
  });
});

describe('columns of lanes', () => {
  function check(of: Warp, columns: Columns, from: number, to: number, tolerance: number): void {
    const step = (to - from) / columns.width;
    for (let column = 0; column < columns.width; column += Math.max(1, columns.width >> 4))
      for (const lane of [0, 5, 16, 31]) {
        const share = columns.activeShare[column * 32 + lane]! / 255;
        expect(Math.abs(share - plain(of, from + column * step, from + (column + 1) * step, lane))).toBeLessThan(tolerance);
      }
  }

  it('are sums of segments', () => {
    const image = new LaneImage(warp, (branch) => branch, order(warp));
    for (const [from, to, width] of [[0, 22, 22], [0, 22, 5], [3, 9, 40], [0, 22, 1]] as const) check(warp, image.columns(from, to, width), from, to, 0.003);
    const columns = image.columns(4, 7, 1);
    expect([columns.colour[31], columns.activeShare[31], columns.low[0], columns.high[0]]).toEqual([1, 0, 2, 2]);
  });

  it('of a million instructions are right, and quick', () => {
    const records = longRecords('big.cu', 9);
    const long = readWarp(records, records.recorded[0]!);
    const image = new LaneImage(long, (branch) => branch % 7, order(long));
    check(long, image.columns(0, long.instructions, 16), 0, long.instructions, 0.02);
    check(long, image.columns(1000, 1100, 16), 1000, 1100, 0.003);
    const times = Array.from({ length: 9 }, (_, i) => {
      const start = performance.now();
      image.columns(i * 1000, 600000 + i * 1000, 1280);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    expect(times[0]).toBeLessThan(16); // a frame
  });
});

describe('an axis', () => {
  it('has round numbers', () => {
    expect(ticks({ from: 0, to: 1000000 }, 1100, 110)).toEqual([0, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000, 900000, 1000000]);
    expect(ticks({ from: 3, to: 8 }, 1000, 100)).toEqual([3, 4, 5, 6, 7, 8]);
  });
});
