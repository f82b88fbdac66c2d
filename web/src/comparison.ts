// SPDX-License-Identifier: Apache-2.0
//
// Two runs beside each other: kernels by their symbol, or by their name where that has changed with its types.
import { diffLines, type DiffRow } from './diff';
import { times } from './format';
import { Accounts, kernelViews, type KernelView, linesOf } from './model';
import type { Run, Source } from './types';

export interface KernelPair {
  name: string;
  before: KernelView | undefined;
  after: KernelView | undefined;
}

export function pairKernels(before: Run, after: Run): KernelPair[] {
  const left = kernelViews(before);
  const pairs: KernelPair[] = [];
  const taken = new Set<KernelView>();
  for (const view of kernelViews(after)) {
    const free = left.filter((each) => !taken.has(each));
    const match = free.find((each) => each.kernel.id === view.kernel.id) ?? free.find((each) => each.kernel.name === view.kernel.name);
    if (match) taken.add(match);
    pairs.push({ name: view.kernel.name, before: match, after: view });
  }
  for (const view of left) if (!taken.has(view)) pairs.push({ name: view.kernel.name, before: view, after: undefined });
  const cost = (pair: KernelPair): number => Math.max(pair.before?.cost ?? 0, pair.after?.cost ?? 0);
  return pairs.sort((a, b) => cost(b) - cost(a));
}

export interface FilePair {
  name: string;
  before: Source | undefined;
  after: Source | undefined;
  beforeLines: string[];
  afterLines: string[];
  rows: DiffRow[];
  changed: boolean;
}

const base = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

/// Files of the same name, else of the same last part of it; one that is left over on each side is taken for the same.
export function pairFiles(before: Run, after: Run): FilePair[] {
  const left = before.sources.filter((source) => source.missing === '');
  const right = after.sources.filter((source) => source.missing === '');
  const matches = new Map<Source, Source>();
  for (const isSame of [(a: Source, b: Source) => a.file === b.file, (a: Source, b: Source) => base(a.file) === base(b.file)])
    for (const source of right) {
      const match = matches.has(source) ? undefined : left.find((each) => isSame(each, source) && ![...matches.values()].includes(each));
      if (match) matches.set(source, match);
    }
  const leftOver = left.filter((source) => ![...matches.values()].includes(source));
  const rightOver = right.filter((source) => !matches.has(source));
  if (leftOver.length === 1 && rightOver.length === 1) matches.set(rightOver[0]!, leftOver[0]!);
  return right.map((source) => pairOf(matches.get(source), source));
}

function pairOf(before: Source | undefined, after: Source): FilePair {
  const beforeLines = linesOf(before);
  const afterLines = linesOf(after);
  const rows = before ? diffLines(beforeLines, afterLines) : afterLines.map((_, i) => ({ before: 0, after: i + 1 }));
  return { name: base(after.file), before, after, beforeLines, afterLines, rows, changed: rows.some((row) => row.before === 0 || row.after === 0) };
}

export interface Totals {
  seconds: number;
  slots: number;
  used: number;
}

export function totals(run: Run): Totals {
  const views = kernelViews(run);
  return {
    seconds: views.reduce((sum, view) => sum + (view.kernel.timing?.seconds ?? 0), 0),
    slots: views.reduce((sum, view) => sum + view.slots, 0),
    used: views.reduce((sum, view) => sum + view.kernel.threadInstructions, 0),
  };
}

/// "after is 1.91x as fast as before", with the grade of that.
export function verdict(before: Run, after: Run): { text: string; grade: 'good' | 'fair' | 'bad' } {
  const was = totals(before);
  const is = totals(after);
  if (was.seconds === 0 || is.seconds === 0) return { text: `${after.name} and ${before.name}`, grade: 'fair' };
  if (!pairKernels(before, after).some((pair) => pair.before && pair.after)) return { text: `${after.name} and ${before.name} have no kernel in common`, grade: 'fair' };
  const factor = was.seconds / is.seconds;
  if (factor >= 1.02) return { text: `${after.name} is ${times(factor)} as fast as ${before.name}`, grade: 'good' };
  if (factor <= 0.98) return { text: `${after.name} takes ${times(1 / factor)} as long as ${before.name}`, grade: 'bad' };
  return { text: `${after.name} is as fast as ${before.name}`, grade: 'fair' };
}

export function allAccounts(run: Run): Accounts {
  return new Accounts(run, kernelViews(run));
}
