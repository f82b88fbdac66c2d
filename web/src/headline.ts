// SPDX-License-Identifier: Apache-2.0
//
// The sentence on top of the page: which line loses how many of the lanes, and what to do about it.
import { percent, placeName, shortName, times } from './format';
import { type KernelView, lineText, placeKey } from './model';
import type { Advice, Place, Run } from './types';

export interface Headline {
  text: string; ///< "photon.cu:21 loses 53.8 % of the lanes"
  why: string; ///< "of kernel transport: 2 paths, p = 0.10"
  place: Place | null; ///< to go to
  code: string; ///< the line itself
  todo: string;
  command: string; ///< that does it; empty: none
  grade: 'bad' | 'fair' | 'good';
}

/// A loss below this is not worth a rewrite.
const small = 0.05;

const nameOf = (advice: Advice): string => (advice.form === '' ? advice.rewrite : `${advice.rewrite} (${advice.form})`);

function gain(advice: Advice): string {
  if (advice.speedup === null) return '';
  const range = advice.high > 0 ? ` (${times(advice.low)} to ${times(advice.high)})` : '';
  return `${advice.tried ? '' : 'about '}${times(advice.speedup)}${range}`;
}

/// What is advised for a place, or for the kernel where nothing is for the place.
export function adviceAt(run: Run, view: KernelView, place: Place): Advice | undefined {
  const all = run.advice.filter((advice) => advice.kernelId === view.kernel.id);
  return all.find((advice) => advice.applies) ?? all.find((advice) => placeKey(advice) === placeKey(place)) ?? all[0];
}

export function boundText(bound: string): string {
  const names: Record<string, string> = {
    issue: 'instruction issue',
    latency: 'latency',
    memory: 'memory bandwidth',
    launch: 'the launch itself',
  };
  return names[bound] ?? bound;
}

function todoFor(run: Run, view: KernelView, place: Place): { todo: string; command: string } {
  const advice = adviceAt(run, view, place);
  if (!advice) return { todo: 'No rewrite that Heddle knows fits here. The account of the line says what its lanes do.', command: '' };
  if (advice.applies)
    return {
      todo: advice.tried
        ? `Apply ${nameOf(advice)} at line ${advice.line}: ${gain(advice)}.`
        : `Try ${nameOf(advice)} at line ${advice.line}: ${gain(advice)}, and heddle fix proves it or says no.`,
      command: run.command,
    };
  const reason = advice.reason === '' ? advice.id : advice.reason;
  return { todo: `Leave it as it is for now: ${nameOf(advice)} ${advice.tried ? 'was tried' : 'was considered'}; ${reason}.`, command: '' };
}

/// For those who have not heard of divergence.
function inWords(why: string): string {
  return why.includes('iterations')
    ? 'Threads of a warp that are done wait for the one that goes around most often.'
    : 'While some threads of a warp take one path, the others wait.';
}

const nothing: Headline = { text: 'No kernel was launched', why: 'The program came to its end without one; what it printed may say why.', place: null, code: '', todo: '', command: '', grade: 'fair' };

/// Where no line alone loses much.
function spread(run: Run, view: KernelView): Headline {
  const { kernel, facts, slots } = view;
  const sum = (rows: readonly { slots: number }[]): number => (slots === 0 ? 0 : rows.reduce((all, row) => all + row.slots, 0) / slots);
  const idle = sum(kernel.lost.filter((owner) => owner.kind === 'finished' || owner.kind === 'partial'));
  const inside = sum(kernel.lost.filter((owner) => owner.kind === 'sequences'));
  const lost = sum(facts.worst);
  const worst = facts.worst[0];
  const bound = kernel.timing ? ` Its time is bound by ${boundText(kernel.timing.bound)}.` : '';
  if (worst && lost >= 2 * small && lost >= idle)
    return {
      ...nothing,
      text: `${facts.worst.length} lines together lose ${percent(lost)} of the lanes`,
      why: `of kernel ${shortName(kernel.name)}; the worst of them, ${placeName(worst)}, loses ${percent(worst.slots / slots)}.${bound}`,
      place: worst,
      code: lineText(run, worst),
    };
  if (idle >= small)
    return {
      ...nothing,
      text: `Lanes without a thread or with a finished one are ${percent(idle)} of all`,
      why: `in kernel ${shortName(kernel.name)}; branches lose fewer.${bound}`,
      todo: 'A block size that is a multiple of 32, or less work for the last threads of a warp, would use them.',
    };
  if (inside >= small)
    return {
      ...nothing,
      text: `Lanes that are off inside divisions, atomics and the like are ${percent(inside)} of all`,
      why: `in kernel ${shortName(kernel.name)}: some lanes take a slow path there, or wait for their turn.${bound}`,
    };
  return { ...nothing, text: `Kernel ${shortName(kernel.name)} uses ${percent(kernel.efficiency)} of its lanes`, why: `No line loses ${lost > 0 ? 'many' : 'any'}.${bound}`, grade: 'good' };
}

export function headline(run: Run, view: KernelView | undefined): Headline {
  if (!view) return run.profile.fault ? { ...nothing, text: 'The run was stopped', why: run.profile.fault, grade: 'bad' } : nothing;
  const worst = view.facts.worst[0];
  if (!worst || worst.slots / view.slots < small) return spread(run, view);
  const share = worst.slots / view.slots;
  return {
    text: `${placeName(worst)} loses ${percent(share)} of the lanes`,
    why: `${worst.why}, in kernel ${shortName(view.kernel.name)}. ${inWords(worst.why)}`,
    place: worst,
    code: lineText(run, worst),
    ...todoFor(run, view, worst),
    grade: share >= 0.25 ? 'bad' : 'fair',
  };
}
