// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { pairFiles, pairKernels, verdict } from '../../src/comparison';
import { diffLines } from '../../src/diff';
import { headline } from '../../src/headline';
import { Influence } from '../../src/influence';
import { Accounts, fileOf, inShort, kernelViews, lineText, ownerRanks, slowest } from '../../src/model';
import { predicatedReport, smallKernel, smallRun } from '../fixtures';

const file = 'examples/photon.cu';
const at = (line: number): { file: string; line: number; column: number } => ({ file, line, column: 0 });

describe('accounts of lines', () => {
  const run = smallRun();
  const views = kernelViews(run);
  const accounts = new Accounts(run, views);

  it('have the shares of the kernel', () => {
    expect(accounts.share(accounts.line(at(4))?.lostSlots ?? 0)).toBe(0.5);
    expect(accounts.worst().map((row) => row.line)).toEqual([4, 3]);
    expect(accounts.line(at(10))?.accesses).toHaveLength(1);
    expect(accounts.line(at(4))?.advice).toHaveLength(1);
    expect(accounts.line(at(5))).toBeUndefined();
  });
  it('give a call what its callee lost', () => {
    const kernel = smallKernel('k', file);
    kernel.branches[0]!.inlinedAt = [at(7), at(7), at(9)];
    const changed = { ...run, profile: { ...run.profile, kernels: [kernel] } };
    const inlined = new Accounts(changed, kernelViews(changed));
    expect(inlined.line(at(7))?.throughCalls).toBe(3200);
    expect(inlined.line(at(9))?.throughCalls).toBe(3200);
    expect(inlined.line(at(7))?.lostSlots).toBe(0);
  });
  it('say in short what a line does', () => {
    expect(inShort(accounts, accounts.line(at(4))!)).toBe('loses 50.0\u00a0% of the lanes\nbranch: 1\u00a0k times, lanes part in 90.0\u00a0%');
    expect(inShort(accounts, accounts.line(at(10))!)).toBe('global store: 4.0 sectors a request');
    expect(inShort(accounts, accounts.line(at(3))!)).toContain('loop: 14 to 44 iterations');
  });
  it('know the file of a kernel, whatever it calls', () => {
    const kernel = smallKernel('k', 'common.h');
    expect(fileOf(kernel)).toBe('common.h');
    for (const site of [...kernel.branches, ...kernel.loops, ...kernel.memory]) site.inlinedAt = [{ ...at(7), file: 'common.h' }, at(9)];
    expect(fileOf(kernel)).toBe(file);
    expect(fileOf({ ...kernel, branches: [], loops: [], memory: [] })).toBe('');
  });
  it('rank owners, the worst first', () => {
    const ranks = ownerRanks(run.kernels[0]!);
    expect([ranks.get(`${file}:4`), ranks.get(`${file}:3`)]).toEqual([0, 1]);
  });
  it('find the slowest kernel and a text', () => {
    expect(slowest(views)?.index).toBe(0);
    expect(lineText(run, at(4))).toBe('if (decide()) // 4');
    expect(lineText(run, at(400))).toBe('');
  });
});

describe('lanes that predicates switch off', () => {
  it('are shares of those at work', () => {
    const run = predicatedReport().runs[0]!;
    const views = kernelViews(run);
    const accounts = new Accounts(run, views);
    expect(views[0]!.offShare).toBeCloseTo(0.1);
    expect(accounts.knowsOff).toBe(true);
    expect(accounts.line(at(7))).toMatchObject({ used: 1600, switchedOff: 1120, lostSlots: 0 });
    expect(accounts.line(at(5))).toBeUndefined();
    expect(inShort(accounts, accounts.line(at(7))!)).toBe('predicates switch off 70.0\u00a0% of its lanes, 10.0\u00a0% of all at work');
  });
  it('are not known of every run', () => {
    const views = kernelViews(smallRun());
    expect(views[0]!.offShare).toBeUndefined();
    expect(new Accounts(smallRun(), views).knowsOff).toBe(false);
  });
  it('and those inside sequences are no idle threads', () => {
    const run = predicatedReport().runs[0]!;
    Object.assign(run.kernels[0]!, { worst: [] });
    run.profile.kernels[0]!.lost = [{ ...at(0), kind: 'sequences', slots: 6400 }];
    expect(headline(run, kernelViews(run)[0])).toMatchObject({ grade: 'fair', text: 'Lanes that are off inside divisions, atomics and the like are 20.0\u00a0% of all' });
  });
});

describe('which lines made which half empty', () => {
  const influence = new Influence([smallKernel('k', file)]);

  it('is counted in both recorded warps', () => {
    // Line 5 ran 3 instructions twice in each of 2 warps, with 16 lanes lost to line 4.
    expect(influence.effects(at(4)).map((share) => [share.place.line, share.slots])).toEqual([[5, 192], [7, 192]]);
    expect(influence.causes(at(5)).map((share) => [share.place.line, share.slots])).toEqual([[4, 192]]);
    expect(influence.causes(at(10)).map((share) => share.place.line)).toEqual([3]);
    expect(influence.activeShare(at(5))).toBe(0.5);
    expect(influence.activeShare(at(3))).toBe(1);
    expect(influence.activeShare(at(2))).toBeUndefined();
  });
});

describe('the sentence on top', () => {
  it('names the worst line and what to do', () => {
    const run = smallRun();
    const short = headline(run, kernelViews(run)[0]);
    expect(short.text).toBe('photon.cu:4 loses 50.0\u00a0% of the lanes');
    expect(short.todo).toContain('Try schedule-iterations (word) at line 4: about 1.42x');
    expect(short.command).toBe('heddle fix examples/photon.cu');
    expect(short.grade).toBe('bad');
  });
  it('says why a rewrite is refused', () => {
    const run = smallRun();
    Object.assign(run.advice[0]!, { applies: false, id: 'barrier-inside', reason: 'there is a barrier in line 7' });
    const short = headline(run, kernelViews(run)[0]);
    expect(short.todo).toContain('there is a barrier in line 7');
    expect(short.command).toBe('');
  });
  it('praises a kernel that loses nothing', () => {
    const run = smallRun();
    const kernel = run.profile.kernels[0]!;
    Object.assign(kernel, { efficiency: 1, threadInstructions: 32000, lost: [], branches: [] });
    run.kernels[0]!.worst = [];
    expect(headline(run, kernelViews(run)[0])).toMatchObject({ grade: 'good', text: 'Kernel transport uses 100.0\u00a0% of its lanes' });
  });
  it('does not praise one that loses lanes in many lines', () => {
    const run = smallRun();
    run.kernels[0]!.worst = Array.from({ length: 20 }, (_, i) => ({ ...at(i + 1), slots: 960, cycles: 0, why: '2 paths' }));
    expect(headline(run, kernelViews(run)[0])).toMatchObject({ grade: 'fair', text: '20 lines together lose 60.0\u00a0% of the lanes' });
  });
  it('bears a run without a kernel', () => {
    const run = smallRun();
    run.profile.kernels = [];
    expect(headline(run, undefined).text).toBe('No kernel was launched');
  });
});

describe('a diff', () => {
  /// Applies it, and counts edits against the plain table of longest common lines.
  function check(a: string[], b: string[]): void {
    const rows = diffLines(a, b);
    expect(rows.filter((row) => row.before > 0).map((row) => row.before)).toEqual(a.map((_, i) => i + 1));
    expect(rows.filter((row) => row.after > 0).map((row) => row.after)).toEqual(b.map((_, i) => i + 1));
    for (const row of rows) if (row.before > 0 && row.after > 0) expect(a[row.before - 1]).toBe(b[row.after - 1]);
    const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
    for (let i = a.length - 1; i >= 0; --i)
      for (let j = b.length - 1; j >= 0; --j) common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    expect(rows.filter((row) => row.before > 0 && row.after > 0)).toHaveLength(common[0]![0]!);
  }

  it('is the shortest, for random texts', () => {
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 300; ++round) {
      const text = (): string[] => Array.from({ length: random(12) }, () => 'abcd'[random(4)]!);
      check(text(), text());
    }
    check([], []);
  });
  it('gives up where everything differs', () => {
    const rows = diffLines(Array.from({ length: 2000 }, (_, i) => `a${i}`), Array.from({ length: 2000 }, (_, i) => `b${i}`));
    expect(rows).toHaveLength(4000);
  });
});

describe('a comparison', () => {
  it('pairs kernels by symbol, then by name', () => {
    const before = smallRun('before');
    const after = smallRun('after');
    after.profile.kernels[0]!.id = '_Z9transportPd';
    const other = smallKernel('other', file);
    after.profile.kernels.push(other);
    after.kernels.push(after.kernels[0]!);
    const pairs = pairKernels(before, after);
    expect(pairs.map((pair) => [pair.name, !!pair.before, !!pair.after])).toEqual([['transport', true, true], ['other', false, true]]);
  });
  it('says which is faster', () => {
    const after = smallRun('after');
    after.profile.kernels[0]!.timing!.seconds = 9e-6;
    expect(verdict(smallRun('before'), after)).toEqual({ text: 'after is 2.00x as fast as before', grade: 'good' });
    expect(verdict(after, smallRun('before')).grade).toBe('bad');
    expect(verdict(after, after).grade).toBe('fair');
    expect(verdict(smallRun('before'), smallRun('after', 'other.cu', 'other'))).toEqual({ text: 'after and before have no kernel in common', grade: 'fair' });
  });
  it('takes two single files for the same one', () => {
    const after = smallRun('after', 'fixed/photon-2.cu');
    const pair = pairFiles(smallRun(), after)[0]!;
    expect([pair.before?.file, pair.changed]).toEqual([file, false]);
  });
});
