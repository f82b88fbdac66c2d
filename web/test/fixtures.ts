// SPDX-License-Identifier: Apache-2.0
//
// Reports made up for tests: a small one whose figures can be checked by hand, with names that would like to be
// code, and a large one.
import type { Branch, Kernel, KernelFacts, Line, RecordedWarp, Report, Run, Timing, WarpRecords } from '../src/types';

export const evilName = '<script>window.evil = 1</script>';
export const evilFile = 'src/"><img src=x onerror=evil()>.cu';
export const evilLine = '  // </script><script>window.evil = 2</script> <!-- ';

export const source = [
  '__global__ void transport(float* out) {',
  '  float depth = 0;',
  '  while (depth < 1) { // 3',
  '    if (decide()) // 4',
  '      depth += 0.1f; // 5',
  '    else // 6',
  '      depth += 0.2f; // 7',
  '  }',
  evilLine,
  '  out[threadIdx.x] = depth; // 10',
  '}',
].join('\n');

function timing(): Timing {
  return {
    registers: 23,
    spillBytes: 0,
    registersFrom: 'estimate',
    occupancy: 1,
    residentBlocks: 16,
    limiter: 'warps',
    seconds: 18e-6,
    lowSeconds: 17e-6,
    highSeconds: 21e-6,
    intervalFrom: 'H200 SXM',
    kind: 'issue',
    cycles: 31000,
    bound: 'issue',
    secondsBy: { issue: 18e-6, latency: 0, memory: 0, launch: 0 },
    sampledBlocks: 5,
    spread: 0.01,
  };
}

function branch(file: string, line: number, lostSlots: number): Branch {
  return {
    file,
    line,
    column: 5,
    function: 'transport',
    inlinedAt: [],
    targets: 2,
    executions: 1000,
    divergentExecutions: 900,
    laneExecutions: 32000,
    lanesTaken: 3200,
    lostSlots,
    lostCycles: lostSlots,
    pathRuns: [900, 900],
    pathInstructions: [9000, 1800],
  };
}

/// 10 instructions: 4 with all lanes at the loop (line 3), 3 with the lower half at line 5, 3 with the upper half at
/// line 7, twice; then 2 at line 10 with lanes 0 to 15, the others lost to the loop.
function records(file: string): WarpRecords {
  const warp: RecordedWarp = {
    role: 'slowest',
    launch: 0,
    block: [3, 0, 0],
    warp: 1,
    threads: 'ffffffff',
    instructions: 22,
    recorded: 22,
    fewer: 5,
    owners: ['ffffffff 00000000', '0000ffff 00000000 1:ffff0000', 'ffff0000 00000000 1:0000ffff', '0000ffff 00000000 0:ffff0000'],
    runs: '0 0 1 1 1 1 2 2 1 0 0 1 1 1 1 2 2 1 3 3 1',
  };
  const place = (line: number): WarpRecords['places'][number] => ({ file, line, column: 3, function: 'transport', inlinedAt: [] });
  return {
    format: 1,
    warps: 8,
    places: [place(3), place(4), place(5), place(7), place(10)],
    stretches: ['0:3 1:1', '2:3', '3:3', '4:2'],
    recorded: [warp, { ...warp, role: 'fastest', block: [0, 0, 0], warp: 0, fewer: 0 }],
  };
}

export function smallKernel(name: string, file: string): Kernel {
  return {
    name,
    id: `_Z${name.length}${name}Pf`,
    launches: 1,
    grid: [512, 1, 1],
    block: [128, 1, 1],
    dynamicShared: 0,
    staticShared: 0,
    blocks: 512,
    memoryBlocks: 25,
    threadInstructions: 11200,
    warpInstructions: 1000,
    seconds: 0.02,
    efficiency: 0.35,
    laneCycles: 32000,
    timing: timing(),
    lost: [
      { kind: 'branch', file, line: 4, column: 5, function: 'transport', inlinedAt: [], slots: 16000 },
      { kind: 'branch', file, line: 3, column: 5, function: 'transport', inlinedAt: [], slots: 3200 },
      { kind: 'finished', file: '', line: 0, column: 0, slots: 1600 },
    ],
    branches: [branch(file, 3, 3200), branch(file, 4, 16000)],
    loops: [
      { file, line: 3, column: 3, function: 'transport', inlinedAt: [], lanes: 100, iterations: 3380, mean: 33.8, fewest: 14, most: 44, histogram: [0, 0, 0, 10, 30, 60] },
    ],
    memory: [
      { file, line: 10, column: 20, function: 'transport', inlinedAt: [], kind: 'store', space: 'global', bytesPerLane: 4, executions: 10, lanes: 320, transactions: 40, ideal: 40, sectorsPerRequest: 4 },
    ],
    recorded: records(file),
  };
}

function facts(file: string): KernelFacts {
  return {
    worst: [
      { file, line: 4, column: 5, slots: 16000, cycles: 16000, why: '2 paths, p = 0.10' },
      { file, line: 3, column: 5, slots: 3200, cycles: 3200, why: '14..44 iterations, mean 33.8' },
    ],
    memory: [],
    occupancy: {
      threads: 128,
      registers: 23,
      shared: 0,
      activeWarps: 64,
      activeBlocks: 16,
      mostWarps: 64,
      blockLimit: { warps: 16, blocks: 32, registers: 21, shared: null, barriers: null },
      curves: { threads: [[32, 32], [64, 64], [1024, 64]], registers: [[1, 64], [33, 48], [255, 8]], shared: [[0, 64], [14000, 60], [230000, 4]] },
      advice: { fewerRegisters: null, smallerBlock: null, largerBlock: null, lessShared: null, registersForFree: 32, sharedForFree: 13000 },
    },
  };
}

export function smallRun(name = 'photon', file = 'examples/photon.cu', kernelName = 'transport'): Run {
  const kernel = smallKernel(kernelName, file);
  return {
    name,
    command: `heddle fix ${file}`,
    profile: { device: 'H200 SXM', reconvergence: 'volta', ending: 'complete', fault: null, kernels: [kernel] },
    kernels: [facts(file)],
    sources: [{ file, text: source, missing: '', changed: false }],
    advice: [
      { rewrite: 'schedule-iterations', form: 'word', kernelId: kernel.id, file, line: 4, column: 5, applies: true, id: '', tried: false, reason: '', speedup: 1.42, low: 1.1, high: 1.9 },
    ],
    fix: null,
  };
}

export function smallReport(): Report {
  return { schema: 'heddle.report/1', version: '0.1.0', runs: [smallRun()] };
}

/// Line 7 has 1120 of its 1600 used slots switched off by predicates, line 5 none; 10 % of the 11200 of the kernel. Half
/// of that is for the branch of line 4. 1280 slots are lost inside sequences, which the loop lost else.
export function predicatedReport(): Report {
  const report = smallReport();
  const run = report.runs[0]!;
  const kernel = run.profile.kernels[0]!;
  const file = kernel.branches[0]!.file;
  const line = (number: number, used: number, switchedOff: number): Line => ({ file, line: number, column: 0, inlinedAt: [], warpInstructions: used / 20, used, switchedOff });
  kernel.switchedOff = 1120;
  kernel.averageThreadsOn = 10.08;
  kernel.branches[1]!.switchedOff = 560;
  kernel.lines = [line(5, 9600, 0), line(7, 1000, 1000), { ...line(7, 600, 120), inlinedAt: [{ file, line: 10, column: 3 }] }];
  for (const owner of [kernel.lost[1]!, run.kernels[0]!.worst[1]!]) owner.slots = 1920;
  kernel.branches[0]!.lostSlots = 1920;
  kernel.lost.push({ kind: 'sequences', file: '', line: 0, column: 0, slots: 1280 });
  run.kernels[0]!.switchedOff = [{ file, line: 7, column: 0, slots: 1120, share: 0.1, what: '70.0 % of its lanes' }];
  return report;
}

/// Twice as fast, with one line changed.
export function comparedReport(): Report {
  const after = smallRun('after');
  for (const kernel of after.profile.kernels) Object.assign(kernel, { efficiency: 0.7, threadInstructions: 22400, timing: { ...timing(), seconds: 9e-6 } });
  for (const each of after.sources) each.text = each.text.replace('depth += 0.1f;', 'depth += 0.15f;');
  return { ...smallReport(), runs: [smallRun('before'), after] };
}

/// No kernel ran.
export function emptyReport(): Report {
  const report = smallReport();
  const [run] = report.runs;
  if (run) Object.assign(run, { profile: { ...run.profile, kernels: [] }, kernels: [], sources: [], advice: [] });
  return report;
}

/// The kernel was stopped before it ended.
export function stoppedReport(): Report {
  const report = smallReport();
  for (const { profile } of report.runs) {
    Object.assign(profile, { ending: 'fault', fault: 'it was stopped' });
    for (const kernel of profile.kernels) {
      delete kernel.recorded;
      delete kernel.timing;
    }
  }
  return report;
}

/// Every name is an attack.
export function evilReport(): Report {
  const run = smallRun(evilName, evilFile, evilName);
  run.command = `heddle fix ${evilFile}`;
  run.profile.device = evilName;
  run.profile.remarks = [{ kind: 'leak', file: evilFile, line: 4, column: 1, text: evilName, count: 2 }];
  for (const advice of run.advice) Object.assign(advice, { form: evilName, reason: evilName });
  run.fix = {
    candidates: [],
    applied: [],
    before: null,
    after: null,
    proof: { equal: true, runs: 1, bytes: 1 },
    diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${evilLine}\n+${evilName}\n`,
  };
  for (const row of run.kernels[0]?.worst ?? []) row.why = evilName;
  return { schema: 'heddle.report/1', version: '0.1.0', runs: [run, smallRun('after')] };
}

/// 50 kernels over one file of 20,000 lines, a warp of a million instructions.
export function largeReport(): Report {
  const file = 'big.cu';
  const text = Array.from({ length: 20000 }, (_, i) => (i % 7 === 0 ? `  if (value[${i}] > 0.5f) { // line ${i + 1}` : `    sum += f(${i}) * 2.0f; /* ${'x'.repeat(i % 40)} */`)).join('\n');
  const run = smallRun('big', file);
  run.sources = [{ file, text, missing: '', changed: false }];
  run.profile.kernels = [];
  run.kernels = [];
  for (let k = 0; k < 50; ++k) {
    const kernel = smallKernel(`kernel_${k}`, file);
    delete kernel.recorded;
    kernel.branches = Array.from({ length: 100 }, (_, i) => branch(file, 1 + ((k * 400 + i * 7) % 20000), 192 - (i % 50)));
    kernel.lost = kernel.branches.map((each) => ({ kind: 'branch' as const, file, line: each.line, column: 5, slots: each.lostSlots }));
    kernel.timing = { ...timing(), seconds: 1e-6 * (k + 1) };
    run.profile.kernels.push(kernel);
    run.kernels.push({ ...facts(file), worst: kernel.branches.map((each) => ({ ...each, slots: each.lostSlots, cycles: 0, why: '2 paths, p = 0.50' })) });
  }
  const last = run.profile.kernels[49];
  if (last) last.recorded = longRecords(file, last.branches.length);
  run.advice = [];
  return { schema: 'heddle.report/1', version: '0.1.0', runs: [run] };
}

/// A million instructions in 400,000 segments.
export function longRecords(file: string, branches: number): WarpRecords {
  const places = Array.from({ length: 40 }, (_, i) => ({ file, line: 19601 + i, column: 1, function: 'f', inlinedAt: [] }));
  const stretches = Array.from({ length: 40 }, (_, i) => `${i}:${1 + (i % 4)}`);
  const owners = Array.from({ length: 64 }, (_, i) => {
    const mask = ((i * 2654435761) >>> 0) | 1;
    return `${mask.toString(16).padStart(8, '0')} 00000000 ${i % Math.min(branches, 9)}:${(~mask >>> 0).toString(16).padStart(8, '0')}`;
  });
  const runs: number[] = [];
  for (let i = 0; i < 400000; ++i) runs.push(i % 40, (i * 7 + (i >> 9)) % 64, 1);
  const warp: RecordedWarp = { role: 'slowest', launch: 0, block: [0, 0, 0], warp: 0, threads: 'ffffffff', instructions: 1000000, recorded: 1000000, fewer: 0, owners, runs: runs.join(' ') };
  return { format: 1, warps: 1, places, stretches, recorded: [warp] };
}
