// SPDX-License-Identifier: Apache-2.0
//
// Recorded warps, from the texts of a profile to arrays: segments of instructions of one line that the same
// lanes ran. src/profile/RecordedText.h says how the texts are spelled.
import type { Kernel, RecordedWarp, Site, WarpRecords } from './types';

/// Who has a lane: a number of a branch, or one of these.
export const active = -1;
export const finished = -2;
export const partial = -3;

/// Who has the 32 lanes.
export interface LaneOwners {
  activeMask: number;
  losses: { branch: number; lanes: number }[]; ///< masks of lanes by branch; finished and partial are branches here
}

export interface Warp {
  record: RecordedWarp;
  places: Site[];
  owners: LaneOwners[];
  /// Segment i runs the instructions from start[i] to start[i + 1].
  start: Uint32Array;
  place: Uint32Array;
  ownersOf: Uint32Array;
  segments: number;
  instructions: number;
}

export function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) ++count;
  return count;
}

const digits = (text: string): Uint32Array => {
  let count = text === '' ? 0 : 1;
  for (let i = 0; i < text.length; ++i) if (text.charCodeAt(i) === 32) ++count;
  const numbers = new Uint32Array(count);
  let at = 0;
  let value = 0;
  for (let i = 0; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    if (code === 32) {
      numbers[at++] = value;
      value = 0;
    } else {
      value = 10 * value + code - 48;
    }
  }
  if (count > 0) numbers[at] = value;
  return numbers;
};

const runsRead = new WeakMap<RecordedWarp, Uint32Array>();

/// Stretch, owners and times, again and again. There may be a million: they are read once, letter by letter.
export function runsOf(record: RecordedWarp): Uint32Array {
  let runs = runsRead.get(record);
  if (!runs) runsRead.set(record, (runs = digits(record.runs)));
  return runs;
}

function readOwners(text: string): LaneOwners {
  const parts = text.split(' ');
  const activeMask = parseInt(parts[0] ?? '0', 16) >>> 0;
  const finishedMask = parseInt(parts[1] ?? '0', 16) >>> 0;
  const losses: LaneOwners['losses'] = [];
  let known = (activeMask | finishedMask) >>> 0;
  for (let i = 2; i < parts.length; ++i) {
    const part = parts[i] ?? '';
    const colon = part.indexOf(':');
    const lanes = parseInt(part.slice(colon + 1), 16) >>> 0;
    if (lanes !== 0) losses.push({ branch: Number(part.slice(0, colon)), lanes });
    known = (known | lanes) >>> 0;
  }
  if (finishedMask !== 0) losses.push({ branch: finished, lanes: finishedMask });
  if (known !== 0xffffffff) losses.push({ branch: partial, lanes: ~known >>> 0 });
  return { activeMask, losses };
}

const ownersRead = new WeakMap<RecordedWarp, LaneOwners[]>();

/// There may be tens of thousands, and more than one view asks: they are read once.
export function ownersIn(record: RecordedWarp): LaneOwners[] {
  let owners = ownersRead.get(record);
  if (!owners) ownersRead.set(record, (owners = record.owners.map(readOwners)));
  return owners;
}

/// Who has one lane.
export function ownerOf(owners: LaneOwners, lane: number): number {
  for (const loss of owners.losses) if ((loss.lanes >>> lane) & 1) return loss.branch;
  return active;
}

function readStretches(texts: readonly string[]): number[][] {
  return texts.map((text) => (text === '' ? [] : text.split(/[ :]/).map(Number)));
}

export function readWarp(records: WarpRecords, record: RecordedWarp): Warp {
  const stretches = readStretches(records.stretches);
  const runs = runsOf(record);
  let segments = 0;
  for (let i = 0; i + 2 < runs.length; i += 3) segments += ((stretches[runs[i] ?? 0]?.length ?? 0) / 2) * (runs[i + 2] ?? 0);
  const start = new Uint32Array(segments + 1);
  const place = new Uint32Array(segments);
  const ownersOf = new Uint32Array(segments);
  let at = 0;
  let instructions = 0;
  for (let i = 0; i + 2 < runs.length; i += 3) {
    const stretch = stretches[runs[i] ?? 0] ?? [];
    const owners = runs[i + 1] ?? 0;
    for (let time = runs[i + 2] ?? 0; time > 0; --time)
      for (let part = 0; part + 1 < stretch.length; part += 2) {
        start[at] = instructions;
        place[at] = stretch[part] ?? 0;
        ownersOf[at++] = owners;
        instructions += stretch[part + 1] ?? 0;
      }
  }
  start[at] = instructions;
  return {
    record,
    places: records.places,
    owners: ownersIn(record),
    start,
    place,
    ownersOf,
    segments: at,
    instructions,
  };
}

const read = new WeakMap<RecordedWarp, Warp>();

export function warpsOf(kernel: Kernel): Warp[] {
  const records = kernel.recorded;
  if (!records || records.format !== 1) return [];
  return records.recorded.map((record) => {
    let warp = read.get(record);
    if (!warp) read.set(record, (warp = readWarp(records, record)));
    return warp;
  });
}

/// The segment that runs an instruction.
export function segmentAt(warp: Warp, instruction: number): number {
  let low = 0;
  let high = warp.segments - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((warp.start[middle] ?? 0) <= instruction) low = middle;
    else high = middle - 1;
  }
  return low;
}
