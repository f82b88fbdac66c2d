// SPDX-License-Identifier: Apache-2.0
//
// Which lines ran half empty because of which: from recorded warps, since the account of a whole launch
// knows only the branch that owns a loss. Worked out without making a segment of each step.
import { placeKey } from './model';
import { bitCount, ownersIn, runsOf } from './warps';
import type { Kernel, Place, RecordedWarp } from './types';

export interface Share {
  place: Place;
  slots: number;
}

interface LineLanes {
  place: Place;
  slots: number; ///< 32 for each instruction of the line
  used: number;
  by: Map<string, Share>; ///< lost here, by the line of the branch that owns it
}

/// Of a stretch of code, over all times that a warp ran it; lanes are those of one instruction.
interface StretchSums {
  times: number;
  used: number;
  lost: Float64Array; ///< lanes by branch
}

/// A warp may have a million runs, but few stretches and branches: sums are kept by those.
function sumsByStretch(warp: RecordedWarp, stretches: number, branches: number): (StretchSums | undefined)[] {
  const owners = ownersIn(warp).map((who) => ({
    used: bitCount(who.activeMask),
    losses: who.losses.filter((loss) => loss.branch >= 0).map((loss) => ({ branch: loss.branch, lanes: bitCount(loss.lanes) })),
  }));
  const all = new Array<StretchSums | undefined>(stretches);
  const runs = runsOf(warp);
  for (let i = 0; i + 2 < runs.length; i += 3) {
    const stretch = runs[i] ?? 0;
    const who = owners[runs[i + 1] ?? 0];
    const times = runs[i + 2] ?? 0;
    if (!who || stretch >= stretches) continue;
    const sums = (all[stretch] ??= { times: 0, used: 0, lost: new Float64Array(branches) });
    sums.times += times;
    sums.used += times * who.used;
    for (const loss of who.losses) sums.lost[loss.branch]! += times * loss.lanes;
  }
  return all;
}

export class Influence {
  private readonly lines = new Map<string, LineLanes>();
  private readonly victims = new Map<string, Map<string, Share>>();
  readonly recorded: boolean;

  constructor(kernels: readonly Kernel[]) {
    this.recorded = kernels.some((kernel) => (kernel.recorded?.recorded.length ?? 0) > 0);
    for (const kernel of kernels) this.addKernel(kernel);
  }

  /// Of the lanes of the line's instructions, in the warps that were recorded.
  activeShare(place: Place): number | undefined {
    const line = this.lines.get(placeKey(place));
    return line && line.slots > 0 ? line.used / line.slots : undefined;
  }

  /// Who made the line run with lanes lost, worst first.
  causes(place: Place): Share[] {
    return sorted(this.lines.get(placeKey(place))?.by);
  }

  /// The lines that ran with lanes lost because of this one, worst first.
  effects(place: Place): Share[] {
    return sorted(this.victims.get(placeKey(place)));
  }

  slotsOf(place: Place): number {
    return this.lines.get(placeKey(place))?.slots ?? 0;
  }

  private addKernel(kernel: Kernel): void {
    const records = kernel.recorded;
    if (!records) return;
    const stretches = records.stretches.map((text) => text.split(/[ :]/).map(Number));
    for (const warp of records.recorded)
      sumsByStretch(warp, stretches.length, kernel.branches.length).forEach((sums, stretch) => {
        if (sums) this.addStretch(kernel, records.places, stretches[stretch] ?? [], sums);
      });
  }

  private addStretch(kernel: Kernel, places: readonly Place[], stretch: readonly number[], sums: StretchSums): void {
    for (let part = 0; part + 1 < stretch.length; part += 2) {
      const place = places[stretch[part] ?? 0];
      if (!place) continue;
      const instructions = stretch[part + 1] ?? 0;
      const line = this.lineAt(place);
      line.slots += 32 * instructions * sums.times;
      line.used += instructions * sums.used;
      kernel.branches.forEach((branch, index) => {
        const lost = sums.lost[index] ?? 0;
        if (lost > 0) this.addLoss(line, branch, instructions * lost);
      });
    }
  }

  private addLoss(line: LineLanes, owner: Place, slots: number): void {
    const key = placeKey(owner);
    add(line.by, key, owner, slots);
    let effects = this.victims.get(key);
    if (!effects) this.victims.set(key, (effects = new Map()));
    add(effects, placeKey(line.place), line.place, slots);
  }

  private lineAt(place: Place): LineLanes {
    const key = placeKey(place);
    let line = this.lines.get(key);
    if (!line) this.lines.set(key, (line = { place, slots: 0, used: 0, by: new Map() }));
    return line;
  }
}

function add(shares: Map<string, Share>, key: string, place: Place, slots: number): void {
  const share = shares.get(key);
  if (share) share.slots += slots;
  else shares.set(key, { place: { file: place.file, line: place.line, column: 0 }, slots });
}

function sorted(shares: Map<string, Share> | undefined): Share[] {
  return [...(shares?.values() ?? [])].sort((a, b) => b.slots - a.slots);
}
