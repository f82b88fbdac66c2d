// SPDX-License-Identifier: Apache-2.0
//
// Times as the text report writes them, and why little is known of some.
import { interval, roughInterval } from './format';
import type { Timing } from './types';

const poorKinds: Record<string, string> = {
  'one-block': 'one thread block; the model is of a GPU that has enough of them',
  atomics: 'atomics on few addresses; on a GPU they wait for one another',
  calls: 'calls through pointers; what they cost is not known',
  recursion: 'recursion; what a deep stack costs is not known',
  polling: 'warps poll; how often, on a GPU, is not known',
};

/// Why little is known of a time; nothing where much is.
export function whyPoor(timing: Timing): string | undefined {
  return poorKinds[timing.kind];
}

/// "18 us (17 to 24)"; "about 40 ms (9 to 300)" where little is known
export function timeText(timing: Timing): string {
  const show = whyPoor(timing) === undefined ? interval : roughInterval;
  return show(timing.seconds, timing.lowSeconds, timing.highSeconds);
}
