// SPDX-License-Identifier: Apache-2.0
//
// Two runs: before and after, two GPUs, two inputs. What changed in the numbers, and in the source.
import type { Context, View } from '../app';
import { allAccounts, type FilePair, type KernelPair, pairFiles, pairKernels, totals } from '../comparison';
import { button, type Child, h, replace, styled } from '../dom';
import { percent, short, shortName, signed, time, times } from '../format';
import type { Accounts } from '../model';
import type { Run } from '../types';
import { warpsOf } from '../warps';

const around = 3; ///< unchanged lines shown beside a change
const mostRows = 600; ///< of one file's diff

/// A number before and after; more is better, or less is.
function change(was: number | undefined, is: number | undefined, show: (value: number) => string, better: 'more' | 'less', delta: (was: number, is: number) => string): HTMLElement {
  const only = was ?? is;
  if (was === undefined || is === undefined) return h('td', { class: 'quiet' }, only === undefined ? '\u2013' : show(only));
  const isSame = show(was) === show(is);
  const isBetter = better === 'more' ? is > was : is < was;
  return h('td', {}, isSame ? show(is) : [`${show(was)} \u2192 ${show(is)} `, h('b', { class: isBetter ? 'better' : 'worse' }, delta(was, is))]);
}

const points = (was: number, is: number): string => `${signed(100 * (is - was), 1)}`;
const factor = (was: number, is: number): string => (is > 0 && was > 0 ? times(was / is) : '');
const ratio = (was: number, is: number): string => (was > 0 && is > 0 ? times(is / was) : '');

function kernelRow(pair: KernelPair, note: string, showsOff: boolean): HTMLElement {
  const before = pair.before?.kernel;
  const after = pair.after?.kernel;
  return h(
    'tr',
    {},
    h('th', { scope: 'row', title: pair.name }, shortName(pair.name, 48), note && h('small', {}, ` ${note}`)),
    change(before?.timing?.seconds, after?.timing?.seconds, time, 'less', factor),
    change(before?.efficiency, after?.efficiency, percent, 'more', points),
    showsOff && change(pair.before?.offShare, pair.after?.offShare, percent, 'less', points),
    change(pair.before?.lostSlots, pair.after?.lostSlots, short, 'less', ratio),
    change(before?.warpInstructions, after?.warpInstructions, short, 'less', ratio),
    change(before?.timing?.registers, after?.timing?.registers, String, 'less', (was, is) => signed(is - was, 0)),
    change(before?.timing?.occupancy, after?.timing?.occupancy, percent, 'more', points),
  );
}

function kernelTable(pairs: readonly KernelPair[]): HTMLElement {
  const showsOff = pairs.some((pair) => pair.before?.offShare !== undefined || pair.after?.offShare !== undefined);
  const names = ['kernel', 'estimated time', 'efficiency', ...(showsOff ? ['of it switched off'] : []), 'lost lanes', 'warp-instructions', 'registers', 'occupancy'];
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Kernels before and after' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, names.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, pairs.map((pair) => kernelRow(pair, pair.before ? (pair.after ? '' : '(gone)') : '(new)', showsOff))),
    ),
  );
}

interface Sides {
  before: Accounts;
  after: Accounts;
}

function heatCell(share: number): HTMLElement {
  const cell = h('span', { class: share > 0 ? 'heat hot' : 'heat' }, share >= 0.0005 ? percent(share) : '');
  return share > 0 ? styled(cell, { '--share': `${Math.max(3, 100 * share)}%` }) : cell;
}

function lostAt(accounts: Accounts, file: string | undefined, line: number): number {
  const account = file === undefined || line === 0 ? undefined : accounts.line({ file, line, column: 0 });
  return account ? accounts.share(account.lostSlots) : 0;
}

/// Nothing where no line has changed or loses lanes.
function sourceDiff(pair: FilePair, sides: Sides): HTMLElement | undefined {
  const lost = pair.rows.map((row) => ({ was: lostAt(sides.before, pair.before?.file, row.before), is: lostAt(sides.after, pair.after?.file, row.after) }));
  const matters = pair.rows.map((row, i) => row.before === 0 || row.after === 0 || (lost[i]?.was ?? 0) >= 0.0005 || (lost[i]?.is ?? 0) >= 0.0005);
  if (!matters.includes(true)) return undefined;
  const near = matters.map((_, i) => matters.slice(Math.max(0, i - around), i + around + 1).some(Boolean));
  const shown: Child[] = [];
  let skipped = 0;
  pair.rows.forEach((row, i) => {
    if (!near[i] || shown.length > mostRows) {
      ++skipped;
      return;
    }
    if (skipped > 0 && shown.length > 0) shown.push(h('div', { class: 'gap' }, '\u22ef'));
    skipped = 0;
    const kind = row.before === 0 ? 'added' : row.after === 0 ? 'removed' : '';
    const text = row.after > 0 ? pair.afterLines[row.after - 1] : pair.beforeLines[row.before - 1];
    shown.push(
      h(
        'div',
        { class: `row ${kind}` },
        h('span', { class: 'number' }, row.before || ''),
        heatCell(lost[i]?.was ?? 0),
        h('span', { class: 'number' }, row.after || ''),
        heatCell(lost[i]?.is ?? 0),
        h('span', { class: 'sign' }, kind === 'added' ? '+' : kind === 'removed' ? '\u2212' : ''),
        h('code', {}, text ?? ''),
      ),
    );
  });
  return h('div', { class: 'code diff-code', tabindex: 0, role: 'region', 'aria-label': `Lines of ${pair.name} before and after` }, h('div', { class: 'code-inner' }, shown));
}

/// The run that the present one is compared with: the one that was chosen, else the first other one.
export function beforeOf(context: Context): Run | undefined {
  const chosen = context.report.runs[context.at.other];
  return chosen && chosen !== context.run ? chosen : context.report.runs.find((run) => run !== context.run);
}

export class CompareView implements View {
  readonly element = h('div', { class: 'compare-view' });

  update(context: Context): void {
    const { runs } = context.report;
    const after = context.run;
    const before = beforeOf(context);
    if (!before) return;
    const number = runs.indexOf(before);
    const pairs = pairKernels(before, after);
    const files = pairFiles(before, after);
    const sides = { before: allAccounts(before), after: allAccounts(after) };
    const changed = files.filter((pair) => pair.changed);
    const was = totals(before);
    const is = totals(after);
    replace(
      this.element,
      h('div', { class: 'toolbar' }, this.picker('Before', runs, number, (index) => context.go({ other: index })), '\u2192', this.picker('After', runs, runs.indexOf(after), (index) => context.go({ run: index })), sideBySide(context, pairs, number)),
      before.profile.device !== after.profile.device && h('p', { class: 'note' }, `Two devices: ${before.profile.device} and ${after.profile.device}.`),
      h(
        'section',
        { class: 'card' },
        h('h2', {}, 'Kernels'),
        h('p', { class: 'quiet' }, `All together: ${time(was.seconds)} \u2192 ${time(is.seconds)}, ${percent(was.slots ? was.used / was.slots : 1)} \u2192 ${percent(is.slots ? is.used / is.slots : 1)} of the lanes used. Times are a model's.`),
        kernelTable(pairs),
      ),
      files.map((pair) => {
        const diff = sourceDiff(pair, sides);
        return diff && h(
          'section',
          { class: 'card' },
          h('h2', {}, pair.before && pair.before.file !== pair.after?.file ? `${pair.before.file} \u2192 ${pair.after?.file ?? ''}` : pair.name, h('small', {}, pair.changed ? '' : ' the same in both')),
          h('p', { class: 'quiet' }, 'Lanes that each line lost, before and after, in % of all of the run.'),
          diff,
        );
      }),
      changed.length === 0 && files.length > 0 && h('p', { class: 'quiet' }, 'No source file differs: what changed is the input, the device or the flags.'),
    );
  }

  private picker(label: string, runs: readonly Run[], now: number, choose: (index: number) => void): HTMLElement {
    const select = h(
      'select',
      { 'aria-label': label, change: (event) => choose(Number((event.target as HTMLSelectElement).value)) },
      runs.map((run, index) => h('option', { value: index }, run.name)),
    );
    select.value = String(now);
    return select;
  }
}

/// To the same warp in both runs; else to the slowest of both.
function sideBySide(context: Context, pairs: readonly KernelPair[], before: number): Child {
  const pair = pairs.find((each) => each.before?.kernel.recorded && each.after?.kernel.recorded);
  if (!pair?.before || !pair.after) return null;
  const left = warpsOf(pair.before.kernel);
  const right = warpsOf(pair.after.kernel);
  let warp = 0;
  let other = 0;
  right.forEach((each, index) => {
    const same = left.findIndex((one) => String(one.record.block) === String(each.record.block) && one.record.warp === each.record.warp && one.record.launch === each.record.launch);
    if (same >= 0 && (warp === 0 || index === 0)) [warp, other] = [index, same];
  });
  const kernel = pair.after.index;
  return button('The same warp, side by side', () => context.go({ view: 'lanes', kernel, warp, other: before * 1000 + other }));
}
