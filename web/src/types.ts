// SPDX-License-Identifier: Apache-2.0
//
// What heddle puts into the page: docs/schema/report.schema.json, and inside it
// docs/schema/profile.schema.json and docs/schema/fix.schema.json.

export interface Place {
  file: string;
  line: number;
  column: number;
}

export interface Site extends Place {
  function?: string;
  inlinedAt?: Place[];
}

export interface Owner extends Site {
  kind: 'branch' | 'finished' | 'partial' | 'sequences';
  slots: number;
}

export interface Branch extends Site {
  targets: number;
  executions: number;
  divergentExecutions: number;
  laneExecutions: number;
  lanesTaken: number;
  lostSlots: number;
  lostCycles: number;
  pathRuns: [number, number];
  pathInstructions: [number, number];
  switchedOff?: number; ///< lanes, where it became predicates
}

/// What was executed of a line's machine code.
export interface Line extends Site {
  warpInstructions: number;
  used: number;
  switchedOff: number;
}

export interface Loop extends Site {
  lanes: number;
  iterations: number;
  mean: number;
  fewest: number;
  most: number;
  histogram: number[];
}

export interface Access extends Site {
  kind: 'load' | 'store' | 'atomic';
  space: 'global' | 'shared' | 'local';
  bytesPerLane: number;
  executions: number;
  lanes: number;
  transactions: number;
  ideal: number;
  sectorsPerRequest?: number;
  conflictDegree?: number;
}

export interface Timing {
  registers: number;
  spillBytes: number;
  registersFrom: string;
  occupancy: number;
  residentBlocks: number;
  limiter: string;
  seconds: number;
  lowSeconds: number;
  highSeconds: number;
  intervalFrom: string;
  kind: string;
  cycles: number;
  bound: 'issue' | 'latency' | 'memory' | 'launch';
  secondsBy: Record<'issue' | 'latency' | 'memory' | 'launch', number>;
  sampledBlocks: number;
  spread: number;
}

/// Texts of numbers: src/profile/RecordedText.h says how they are spelled.
export interface RecordedWarp {
  role: 'slowest' | 'median' | 'fastest' | 'between';
  launch: number;
  block: [number, number, number];
  warp: number;
  threads: string;
  instructions: number;
  recorded: number;
  fewer: number;
  owners: string[];
  runs: string;
}

export interface WarpRecords {
  format: number;
  warps: number;
  places: Site[];
  stretches: string[];
  recorded: RecordedWarp[];
}

export interface Kernel {
  name: string;
  id: string;
  launches: number;
  deviceLaunches?: number;
  grid: [number, number, number];
  block: [number, number, number];
  dynamicShared: number;
  staticShared: number;
  blocks: number;
  memoryBlocks: number;
  threadInstructions: number;
  warpInstructions: number;
  seconds: number;
  efficiency: number;
  switchedOff?: number; ///< of threadInstructions, by predicates; not there where it is not known
  averageThreadsOn?: number;
  laneCycles: number;
  timing: Timing | null;
  lost: Owner[];
  branches: Branch[];
  lines?: Line[];
  loops: Loop[];
  memory: Access[];
  recorded?: WarpRecords;
}

export interface Remark extends Place {
  kind: string;
  text: string;
  count: number;
}

export interface Profile {
  device: string;
  reconvergence: string;
  ending: 'complete' | 'fault' | 'interrupted';
  fault: string | null;
  kernels: Kernel[];
  remarks?: Remark[];
}

export interface WorstRow extends Place {
  slots: number;
  cycles: number;
  why: string;
}

export interface MemoryRow extends Place {
  excess: number;
  what: string;
}

export interface OffRow extends Place {
  slots: number;
  share: number; ///< of the kernel's used ones
  what: string;
}

export interface Change {
  value: number;
  occupancy: number;
}

export interface OccupancyFacts {
  threads: number;
  registers: number;
  shared: number;
  activeWarps: number;
  activeBlocks: number;
  mostWarps: number;
  blockLimit: Record<string, number | null>;
  curves: Record<'threads' | 'registers' | 'shared', [number, number][]>;
  advice: {
    fewerRegisters: Change | null;
    smallerBlock: Change | null;
    largerBlock: Change | null;
    lessShared: Change | null;
    registersForFree: number;
    sharedForFree: number;
  };
}

export interface KernelFacts {
  worst: WorstRow[];
  switchedOff?: OffRow[];
  memory: MemoryRow[];
  occupancy: OccupancyFacts | null;
}

export interface Advice extends Place {
  rewrite: string;
  form: string;
  kernelId: string;
  applies: boolean;
  id: string;
  tried: boolean;
  reason: string;
  speedup: number | null;
  low: number;
  high: number;
}

export interface Source {
  file: string;
  text: string;
  missing: string;
  changed: boolean;
}

export interface Standing {
  efficiency: number;
  lostLanes: number;
  warpInstructions: number;
  registers: number;
  spillBytes: number;
  occupancy: number;
  seconds: number;
}

export interface FixCandidate extends Place {
  rewrite: string;
  form: string;
  kernel: string;
  verdict: 'apply' | 'refuse';
  id: string;
  reason: string;
  predictedSpeedup: number | null;
  low: number;
  high: number;
}

export interface Fix {
  candidates: FixCandidate[];
  applied: FixCandidate[];
  before: Standing | null;
  after: Standing | null;
  proof: { equal: boolean; runs: number; bytes: number };
  diff: string;
}

export interface Run {
  name: string;
  command: string;
  profile: Profile;
  kernels: KernelFacts[];
  sources: Source[];
  advice: Advice[];
  fix: Fix | null;
}

export interface Report {
  schema: string;
  version: string;
  runs: Run[];
}
