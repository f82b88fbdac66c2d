// SPDX-License-Identifier: Apache-2.0
//
// One kernel: where its lane slots went, how long it takes and why, what occupancy allows, what would help.
import type { Context, View } from '../app';
import { button, type Child, h, replace, styled } from '../dom';
import { leastShare, percent, placeName, plural, short, shortName, smallPercent, time, times, whole } from '../format';
import { boundText } from '../headline';
import { type KernelView as Kernels, lineText, ownerColour } from '../model';
import { timeText, whyPoor } from '../timing';
import type { Fix, Timing } from '../types';
import { adviceLine, placeLink } from './account';
import { diffText } from './difftext';
import { occupancyCharts, timeChart } from './charts';

/// A step of the waterfall.
interface Step {
  name: Child;
  detail: string;
  from: number; ///< shares of all slots
  to: number;
  colour: string;
}

const mostBranches = 8;
const notableOff = 0.02; ///< of the lanes at work

function waterfallSteps(context: Context, view: Kernels): Step[] {
  const { kernel, facts, slots } = view;
  let left = 1;
  const steps: Step[] = [{ name: 'all lane slots', detail: short(slots), from: 0, to: 1, colour: 'var(--slots)' }];
  const take = (name: Child, detail: string, lost: number, colour: string): void => {
    if (lost <= 0) return;
    steps.push({ name, detail, from: left - lost / slots, to: left, colour });
    left -= lost / slots;
  };
  const ofKind = (kind: string): number => kernel.lost.filter((owner) => owner.kind === kind).reduce((sum, owner) => sum + owner.slots, 0);
  take('partial warps', 'lanes without a thread', ofKind('partial'), 'var(--partial)');
  take('finished threads', 'lanes whose thread has returned', ofKind('finished'), 'var(--finished)');
  take('sequences', 'lanes that are off inside a division, an atomic or the like', ofKind('sequences'), 'var(--slots)');
  const shown = facts.worst.slice(0, mostBranches).filter((row) => row.slots >= leastShare * slots);
  for (const row of shown)
    take(placeLink(context, row), row.why, row.slots, ownerColour(context.ranks, row));
  const rest = facts.worst.slice(shown.length);
  take(plural(rest.length, 'other line'), '', rest.reduce((sum, row) => sum + row.slots, 0), 'var(--owner-6)');
  steps.push({ name: 'used', detail: `${(32 * kernel.efficiency).toFixed(1)} of 32 lanes`, from: 0, to: kernel.efficiency, colour: 'var(--used)' });
  if (view.offShare !== undefined && view.offShare > 0) {
    const on = kernel.efficiency * (1 - view.offShare);
    steps.push({ name: 'of those, switched off', detail: `${percent(view.offShare)} of the lanes at work, by predicates; ${(32 * on).toFixed(1)} of 32 lanes are on`, from: on, to: kernel.efficiency, colour: 'var(--partial)' });
  }
  return steps;
}

function waterfall(context: Context, view: Kernels): HTMLElement {
  if (view.slots === 0) return h('p', { class: 'quiet' }, 'The kernel ran no instruction.');
  const rows = waterfallSteps(context, view).map((step) =>
    h(
      'li',
      {},
      h('span', { class: 'step-name' }, step.name),
      styled(h('span', { class: 'step-track' }, styled(h('span', { class: 'step-bar' }), { background: step.colour })), {
        '--from': `${100 * step.from}%`,
        '--width': `${100 * (step.to - step.from)}%`,
      }),
      h('span', { class: 'count' }, smallPercent(step.to - step.from)),
      h('small', { class: 'step-detail' }, step.detail),
    ),
  );
  return h('ol', { class: 'waterfall' }, rows);
}

function runText({ kernel }: Kernels): string {
  const byKernels = kernel.deviceLaunches ? `${kernel.deviceLaunches === kernel.launches ? '' : `${whole(kernel.deviceLaunches)} `}by kernels, ` : '';
  const launches = (kernel.launches > 1 || byKernels ? `${plural(kernel.launches, 'launch', 'launches')}, ` : '') + byKernels;
  return `${launches}${short(kernel.warpInstructions)} warp-instructions, each with 32 lane slots; ran in ${time(kernel.seconds)} on this CPU`;
}

function boundWhat(timing: Timing): string {
  const what: Record<string, string> = {
    issue: 'Fewer instructions, or more lanes in each of them, make it faster.',
    latency: 'Warps wait for results. More warps at once, or more independent work in each, make it faster; fewer lost lanes only where they shorten the wait.',
    memory: 'Bytes move all the time. Fewer bytes make it faster; lanes that are lost cost little.',
    launch: 'It is over as soon as it is launched. Fewer, larger launches make the program faster.',
  };
  return what[timing.bound] ?? '';
}

function timePart(context: Context, view: Kernels): Child {
  const timing = view.kernel.timing;
  if (!timing) return h('p', { class: 'quiet' }, 'No time was estimated.');
  const poor = whyPoor(timing);
  return [
    h('p', { class: 'big' }, h('b', {}, timeText(timing)), ` on ${context.run.profile.device}`),
    timeChart(timing),
    h('p', {}, 'Bound by ', h('b', {}, boundText(timing.bound)), '. ', boundWhat(timing)),
    poor !== undefined && h('p', { class: 'remark' }, `A guess: ${poor}.`),
    timing.intervalFrom !== context.run.profile.device &&
      h('p', { class: 'quiet' }, `Times of ${timing.intervalFrom} lie in that range; of ${context.run.profile.device} none was measured.`),
    h('p', { class: 'quiet' }, `A model's time, from ${plural(timing.sampledBlocks, 'block')}; nine of ten true times lie in the range.`),
  ];
}

function occupancyPart(view: Kernels): Child {
  const { timing } = view.kernel;
  const facts = view.facts.occupancy;
  if (!timing) return h('p', { class: 'quiet' }, 'Not known.');
  const spills = timing.spillBytes > 0 ? `${timing.spillBytes} bytes spilled` : 'no spills';
  const changes: Child[] = [];
  if (facts) {
    const { fewerRegisters, smallerBlock, largerBlock, lessShared, registersForFree } = facts.advice;
    const change = (what: string, now: number, to: { value: number; occupancy: number } | null): void => {
      if (to) changes.push(h('li', {}, `${what}: ${whole(now)} \u2192 ${whole(to.value)} gives `, h('b', {}, percent(to.occupancy))));
    };
    change('fewer registers', facts.registers, fewerRegisters);
    change('smaller blocks', facts.threads, smallerBlock);
    change('larger blocks', facts.threads, largerBlock);
    change('less shared memory', facts.shared, lessShared);
    if (changes.length === 0) changes.push(h('li', {}, `Up to ${registersForFree} registers are free at this occupancy.`));
  }
  return [
    h('p', { class: 'big' }, h('b', {}, percent(timing.occupancy)), ` limited by ${timing.limiter}`),
    h('p', {}, `${plural(timing.residentBlocks, 'block')} at once on a multiprocessor; ${timing.registers} registers (${timing.registersFrom}), ${spills}.`),
    facts && h('p', { class: 'quiet' }, `Warps that a multiprocessor holds (the top is ${facts.mostWarps}) by threads of a block, registers of a thread and shared memory of a block. The dot is this kernel.`),
    facts && occupancyCharts(facts),
    changes.length > 0 && h('ul', { class: 'plain' }, changes),
  ];
}

function fixPart(fix: Fix): Child {
  const { before, after } = fix;
  const row = (name: string, was: string, is: string): HTMLElement => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, was), h('td', {}, is));
  return [
    before && after
      ? h(
          'div',
          { class: 'scroll' },
          h(
            'table',
            {},
            h('thead', {}, h('tr', {}, h('td', {}), h('th', { scope: 'col' }, 'before'), h('th', { scope: 'col' }, 'after'))),
            h(
              'tbody',
              {},
              row('SIMD efficiency', percent(before.efficiency), percent(after.efficiency)),
              row('lost lanes', short(before.lostLanes), short(after.lostLanes)),
              row('warp-instructions', short(before.warpInstructions), short(after.warpInstructions)),
              row('registers', String(before.registers), String(after.registers)),
              row('occupancy', percent(before.occupancy), percent(after.occupancy)),
              row('estimated time', time(before.seconds), `${time(after.seconds)}, ${times(before.seconds / after.seconds)}`),
            ),
          ),
        )
      : h('p', {}, 'heddle fix tried what fits, and found nothing that pays.'),
    before && fix.proof.equal && h('p', {}, `Proof: ${plural(fix.proof.runs, 'run')} of the rewritten program left the same ${whole(fix.proof.bytes)} bytes of device memory.`),
    fix.diff !== '' && h('details', { open: true }, h('summary', {}, 'The diff'), diffText(fix.diff)),
    h(
      'details',
      {},
      h('summary', {}, `All ${fix.candidates.length} that were considered`),
      h(
        'ul',
        { class: 'plain' },
        fix.candidates.map((each) =>
          h('li', {}, adviceLine({ ...each, applies: each.verdict === 'apply', tried: true, speedup: each.predictedSpeedup, kernelId: '' })),
        ),
      ),
    ),
  ];
}

function advicePart(context: Context, view: Kernels): Child {
  const advice = context.run.advice.filter((each) => each.kernelId === view.kernel.id);
  const { fix } = context.run;
  return [
    fix && fixPart(fix),
    !fix && advice.length === 0 && h('p', { class: 'quiet' }, view.lostSlots < leastShare * view.slots ? 'Nothing needs to: no line loses lanes.' : 'No rewrite that Heddle knows fits a line of this kernel that loses much, or none was looked for.'),
    !fix &&
      h(
        'ul',
        { class: 'plain' },
        advice.map((each) => h('li', { class: 'advice' }, placeLink(context, each), ' ', h('code', {}, lineText(context.run, each)), h('br'), adviceLine(each))),
      ),
    !fix && advice.some((each) => !each.tried) && context.run.command !== '' && h('p', {}, 'Guesses of a model. ', h('code', {}, context.run.command), ' tries them, and proves what it applies.'),
  ];
}

function memoryPart(context: Context, view: Kernels): Child {
  if (view.facts.memory.length === 0) return h('p', { class: 'quiet' }, 'No access uses many more transactions than it needs.');
  return h(
    'ul',
    { class: 'plain' },
    view.facts.memory.slice(0, 10).map((row) => h('li', {}, placeLink(context, row), ' ', h('code', {}, lineText(context.run, row)), h('br'), h('small', {}, row.what))),
  );
}

/// Lines that lose most to predicates, where these switch off enough to care.
function switchedOffPart(context: Context, view: Kernels): Child {
  return h(
    'ul',
    { class: 'plain' },
    (view.facts.switchedOff ?? []).slice(0, 10).map((row) => h('li', {}, placeLink(context, row), ' ', h('code', {}, lineText(context.run, row)), h('br'), h('small', {}, `${percent(row.share)} of the lanes at work, ${row.what}`))),
  );
}

function kernelTable(context: Context): Child {
  if (context.views.length < 2) return null;
  const all = context.views.reduce((sum, view) => sum + view.cost, 0);
  const sorted = [...context.views].sort((a, b) => b.cost - a.cost);
  return h(
    'div',
    { class: 'scroll kernels', tabindex: 0, role: 'region', 'aria-label': 'Kernels' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ['kernel', 'launches', 'time', 'of all', 'efficiency', 'worst line'].map((name) => h('th', { scope: 'col' }, name)))),
      h(
        'tbody',
        {},
        sorted.map((view) => {
          const worst = view.facts.worst[0];
          const isCurrent = view === context.current;
          return h(
            'tr',
            { class: isCurrent ? 'current' : '' },
            h('th', { scope: 'row' }, button(shortName(view.kernel.name, 48), () => context.go({ kernel: view.index }), { class: 'link', title: view.kernel.name, 'aria-current': isCurrent ? 'true' : null })),
            h('td', {}, whole(view.kernel.launches)),
            h('td', {}, view.kernel.timing ? time(view.kernel.timing.seconds) : '\u2013'),
            h('td', {}, percent(all > 0 ? view.cost / all : 0)),
            h('td', {}, percent(view.kernel.efficiency), styled(h('span', { class: 'split', 'aria-hidden': 'true' }), { '--share': `${100 * view.kernel.efficiency}%` })),
            h('td', {}, worst ? `${placeName(worst)}  ${percent(worst.slots / view.slots)}` : '\u2013'),
          );
        }),
      ),
    ),
  );
}

export class KernelView implements View {
  readonly element = h('div', { class: 'kernel-view' });

  update(context: Context): void {
    const view = context.current;
    if (!view) return replace(this.element, h('p', { class: 'card' }, 'No kernel was launched: there is nothing to show.'));
    const card = (title: string, name: string, ...content: Child[]): HTMLElement => h('section', { class: `card ${name}` }, h('h2', {}, title), content);
    replace(
      this.element,
      kernelTable(context),
      h(
        'div',
        { class: 'cards' },
        card('Where the lanes go', 'wide', shortName(view.kernel.name) !== view.kernel.name && h('p', { class: 'launch' }, h('code', {}, view.kernel.name)), h('p', { class: 'quiet' }, runText(view)), waterfall(context, view)),
        card('What would help', 'wide', advicePart(context, view)),
        card('Time', 'half', timePart(context, view)),
        card('Occupancy', 'half', occupancyPart(view)),
        (view.offShare ?? 0) >= notableOff && view.facts.switchedOff && card('Lanes that predicates switch off', 'wide', switchedOffPart(context, view)),
        card('Memory', 'wide', memoryPart(context, view)),
      ),
    );
  }
}
