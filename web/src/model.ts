// SPDX-License-Identifier: Apache-2.0
//
// What the views ask of a report: which kernel matters most, what is known of a line, whose colour is whose.
import { percent, short } from './format';
import type { Access, Advice, Branch, Kernel, KernelFacts, Line, Loop, Place, Remark, Run, Source } from './types';

/// Colours of owners: as many as a person tells apart. CSS has --owner-0 and so on, the last one is for the rest.
export const ownerColours = 7;

export interface KernelView {
  index: number;
  kernel: Kernel;
  facts: KernelFacts;
  slots: number;
  lostSlots: number;
  offShare: number | undefined; ///< of the used slots, by predicates; not known without a run of machine code
  cost: number; ///< estimated seconds, or those on the CPU where none were estimated
}

export function kernelViews(run: Run): KernelView[] {
  const timed = run.profile.kernels.some((kernel) => kernel.timing);
  return run.profile.kernels.map((kernel, index) => {
    const slots = 32 * kernel.warpInstructions;
    return {
      index,
      kernel,
      facts: run.kernels[index] ?? { worst: [], memory: [], occupancy: null },
      slots,
      lostSlots: slots - kernel.threadInstructions,
      offShare: kernel.switchedOff === undefined ? undefined : kernel.switchedOff / Math.max(1, kernel.threadInstructions),
      cost: timed ? (kernel.timing?.seconds ?? 0) : kernel.seconds,
    };
  });
}

/// The kernel that takes longest.
export function slowest(views: readonly KernelView[]): KernelView | undefined {
  return views.reduce<KernelView | undefined>((best, view) => (!best || view.cost > best.cost ? view : best), undefined);
}

/// Where its code begins: code of other files is there by calls.
export function fileOf(kernel: Kernel): string {
  const count = new Map<string, number>();
  for (const site of [...kernel.branches, ...kernel.loops, ...kernel.memory]) {
    const file = (site.inlinedAt?.at(-1) ?? site).file;
    if (file !== '') count.set(file, (count.get(file) ?? 0) + 1);
  }
  return [...count].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0])[0];
}

export const placeKey = (place: Place): string => `${place.file}:${place.line}`;

/// The colour of a kernel's losing lines, by their rank; a line that is not among the first has the last colour.
export function ownerRanks(facts: KernelFacts): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const row of facts.worst) {
    const key = placeKey(row);
    if (!ranks.has(key)) ranks.set(key, Math.min(ranks.size, ownerColours - 1));
  }
  return ranks;
}

export function ownerColour(ranks: ReadonlyMap<string, number>, place: Place): string {
  return `var(--owner-${ranks.get(placeKey(place)) ?? ownerColours - 1})`;
}

/// What is known of one line in the kernels that are looked at.
export interface LineAccount {
  line: number;
  lostSlots: number; ///< that its branches own
  throughCalls: number; ///< lost by branches that calls in this line brought in
  used: number; ///< slots of its machine code, where predicates switched off some of them
  switchedOff: number;
  branches: Branch[];
  loops: Loop[];
  accesses: Access[];
  remarks: Remark[];
  advice: Advice[];
}

export type FileAccount = Map<number, LineAccount>;

export class Accounts {
  private readonly files = new Map<string, FileAccount>();
  readonly slots: number;
  readonly used: number;
  readonly knowsOff: boolean; ///< lines whose lanes predicates switched off

  constructor(run: Run, views: readonly KernelView[]) {
    this.slots = views.reduce((sum, view) => sum + view.slots, 0);
    this.used = views.reduce((sum, view) => sum + view.kernel.threadInstructions, 0);
    this.knowsOff = views.some((view) => view.kernel.lines?.some((line) => line.switchedOff > 0));
    for (const { kernel } of views) {
      for (const branch of kernel.branches) this.addBranch(branch);
      for (const line of kernel.lines ?? []) if (line.switchedOff > 0) this.addLine(line);
      for (const loop of kernel.loops) this.at(loop).loops.push(loop);
      for (const access of kernel.memory) this.at(access).accesses.push(access);
    }
    const ids = new Set(views.map((view) => view.kernel.id));
    for (const advice of run.advice) if (ids.has(advice.kernelId)) this.at(advice).advice.push(advice);
    for (const remark of run.profile.remarks ?? []) this.at(remark).remarks.push(remark);
  }

  file(name: string): FileAccount {
    return this.files.get(name) ?? new Map();
  }

  line(place: Place): LineAccount | undefined {
    return this.files.get(place.file)?.get(place.line);
  }

  share(slots: number): number {
    return this.slots === 0 ? 0 : slots / this.slots;
  }

  /// Of the lanes at work.
  offShare(lanes: number): number {
    return this.used === 0 ? 0 : lanes / this.used;
  }

  lostInFile(name: string): number {
    let sum = 0;
    for (const account of this.file(name).values()) sum += account.lostSlots;
    return sum;
  }

  /// Lines that lose lanes, worst first.
  worst(): (Place & { lostSlots: number })[] {
    const rows: (Place & { lostSlots: number })[] = [];
    for (const [file, lines] of this.files)
      for (const account of lines.values())
        if (account.lostSlots > 0 && file !== '') rows.push({ file, line: account.line, column: 0, lostSlots: account.lostSlots });
    return rows.sort((a, b) => b.lostSlots - a.lostSlots);
  }

  private addBranch(branch: Branch): void {
    const account = this.at(branch);
    account.branches.push(branch);
    account.lostSlots += branch.lostSlots;
    const seen = new Set([placeKey(branch)]);
    for (const call of branch.inlinedAt ?? []) {
      if (seen.has(placeKey(call))) continue;
      seen.add(placeKey(call));
      this.at(call).throughCalls += branch.lostSlots;
    }
  }

  private addLine(line: Line): void {
    const account = this.at(line);
    account.used += line.used;
    account.switchedOff += line.switchedOff;
  }

  private at(place: Place): LineAccount {
    let lines = this.files.get(place.file);
    if (!lines) this.files.set(place.file, (lines = new Map()));
    let account = lines.get(place.line);
    if (!account) {
      account = { line: place.line, lostSlots: 0, throughCalls: 0, used: 0, switchedOff: 0, branches: [], loops: [], accesses: [], remarks: [], advice: [] };
      lines.set(place.line, account);
    }
    return account;
  }
}

/// "predicates switch off 75.0 % of its lanes, 8.8 % of all at work"
export function offText(accounts: Accounts, account: LineAccount): string {
  return `predicates switch off ${percent(account.switchedOff / account.used)} of its lanes, ${percent(accounts.offShare(account.switchedOff))} of all at work`;
}

/// What is known of a line, in a few words, for a pointer that rests on it.
export function inShort(accounts: Accounts, account: LineAccount): string {
  const parts: string[] = [];
  if (account.lostSlots > 0) parts.push(`loses ${percent(accounts.share(account.lostSlots))} of the lanes`);
  if (account.throughCalls > 0) parts.push(`its calls lose ${percent(accounts.share(account.throughCalls))}`);
  if (account.switchedOff > 0) parts.push(offText(accounts, account));
  for (const branch of account.branches)
    if (branch.executions > 0) parts.push(`branch: ${short(branch.executions)} times, lanes part in ${percent(branch.divergentExecutions / branch.executions)}`);
  for (const loop of account.loops) parts.push(`loop: ${loop.fewest} to ${loop.most} iterations`);
  for (const access of account.accesses)
    if (access.executions > 0) parts.push(`${access.space} ${access.kind}: ${(access.transactions / access.executions).toFixed(1)} ${access.space === 'shared' ? 'passes' : 'sectors'} a request`);
  return parts.join('\n');
}

export function linesOf(source: Source | undefined): string[] {
  if (!source || source.text === '') return [];
  const lines = source.text.split(/\r\n|\n|\r/);
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/// The text of a line without its indent; empty where it is not known.
export function lineText(run: Run, place: Place): string {
  const source = run.sources.find((each) => each.file === place.file);
  return source ? (linesOf(source)[place.line - 1] ?? '').trim() : '';
}
