// SPDX-License-Identifier: Apache-2.0
//
// Small charts of a kernel: the interval of its time, and active warps over what a block needs.
import { type Child, h, svg, styled } from '../dom';
import { roughTime, whole } from '../format';
import type { OccupancyFacts, Timing } from '../types';

/// The interval as a band with the estimate in it; the axis begins at nothing.
export function timeChart(timing: Timing): HTMLElement {
  const most = 1.35 * Math.max(timing.highSeconds, timing.seconds);
  const at = (seconds: number): string => `${(100 * seconds) / most}%`;
  const label = `estimate ${roughTime(timing.seconds)}, nine of ten true times between ${roughTime(timing.lowSeconds)} and ${roughTime(timing.highSeconds)}`;
  const chart = h(
    'div',
    { class: 'time-chart', role: 'img', 'aria-label': label },
    h('span', { class: 'band' }),
    h('span', { class: 'needle' }),
    timing.lowSeconds > 0.25 * most && h('span', { class: 'tick zero' }, '0'),
    h('span', { class: timing.lowSeconds > 0.2 * most ? 'tick low' : 'tick low near' }, roughTime(timing.lowSeconds)),
    h('span', { class: 'tick high' }, roughTime(timing.highSeconds)),
  );
  return styled(chart, { '--low': at(timing.lowSeconds), '--high': at(timing.highSeconds), '--at': at(timing.seconds) });
}

const width = 260;
const height = 84;

/// A curve of steps from [value, warps], with the present point.
function stepChart(title: string, unit: string, points: readonly [number, number][], present: number, warps: number, most: number): Child {
  const first = points[0]?.[0] ?? 0;
  const last = points[points.length - 1]?.[0] ?? 1;
  const x = (value: number): number => 4 + ((width - 8) * (value - first)) / Math.max(1, last - first);
  const y = (value: number): number => height - 4 - ((height - 12) * value) / most;
  let line = '';
  points.forEach(([value, active], index) => {
    line += index === 0 ? `M${x(value).toFixed(1)} ${y(active).toFixed(1)}` : `H${x(value).toFixed(1)}V${y(active).toFixed(1)}`;
  });
  const area = `${line}V${y(0)}H${x(first)}Z`;
  const label = `active warps over ${title}: now ${whole(present)} ${unit}, ${warps} of ${most} warps`;
  return h(
    'figure',
    { class: 'curve' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
      svg('path', { class: 'curve-area', d: area }),
      svg('path', { class: 'curve-line', d: line }),
      svg('line', { class: 'curve-now', x1: x(present), x2: x(present), y1: 4, y2: height - 4 }),
      svg('circle', { class: 'curve-point', cx: x(present), cy: y(warps), r: 4.5 }),
    ),
    h('figcaption', {}, h('span', {}, whole(first)), h('b', {}, `${whole(present)} ${unit}`), h('span', {}, whole(last))),
  );
}

export function occupancyCharts(facts: OccupancyFacts): HTMLElement {
  const chart = (title: string, unit: string, axis: 'threads' | 'registers' | 'shared', present: number): Child =>
    stepChart(title, unit, facts.curves[axis], present, facts.activeWarps, facts.mostWarps);
  return h(
    'div',
    { class: 'curves' },
    chart('block size', 'threads', 'threads', facts.threads),
    chart('registers of a thread', 'registers', 'registers', facts.registers),
    chart('shared memory of a block', 'bytes', 'shared', facts.shared),
  );
}
