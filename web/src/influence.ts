// SPDX-License-Identifier: Apache-2.0
//
// Which lines ran half empty because of which: from recorded warps, since the account of a whole launch
// knows only the branch that owns a loss. Worked out from the texts without making a segment of each step:
// stretches and owners repeat, so their products are few.
import { placeKey } from './model';
import { bitCount, runsOf } from './warps';
import type { Kernel, Place } from './types';

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
    for (const warp of records.recorded) {
      const pairs = new Map<number, number>(); // stretch and owners: how often
      const runs = runsOf(warp);
      let last = -1;
      let count = 0;
      for (let i = 0; i + 2 < runs.length; i += 3) {
        const key = runs[i]! * warp.owners.length + runs[i + 1]!;
        if (key !== last) {
          if (last >= 0) pairs.set(last, (pairs.get(last) ?? 0) + count);
          last = key;
          count = 0;
        }
        count += runs[i + 2]!;
      }
      if (last >= 0) pairs.set(last, (pairs.get(last) ?? 0) + count);
      const owners = warp.owners.map((text) => {
        const [activeText = '0', , ...losses] = text.split(' ');
        return {
          used: bitCount(parseInt(activeText, 16) >>> 0),
          losses: losses.map((each) => {
            const [branch = '0', lanes = '0'] = each.split(':');
            return { branch: kernel.branches[Number(branch)], lanes: bitCount(parseInt(lanes, 16) >>> 0) };
          }),
        };
      });
      for (const [key, count] of pairs) {
        const stretch = stretches[Math.floor(key / warp.owners.length)] ?? [];
        const who = owners[key % warp.owners.length];
        if (!who) continue;
        for (let part = 0; part + 1 < stretch.length; part += 2) {
          const place = records.places[stretch[part] ?? 0];
          if (!place) continue;
          const instructions = (stretch[part + 1] ?? 0) * count;
          const line = this.lineAt(place);
          line.slots += 32 * instructions;
          line.used += who.used * instructions;
          for (const loss of who.losses) if (loss.branch) this.addLoss(line, loss.branch, loss.lanes * instructions);
        }
      }
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
