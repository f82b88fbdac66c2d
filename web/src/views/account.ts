// SPDX-License-Identifier: Apache-2.0
//
// All that is known of one line.
import type { Context } from '../app';
import { button, type Child, h, styled } from '../dom';
import { baseName, leastShare, percent, placeName, short, smallPercent, times, whole } from '../format';
import type { Share } from '../influence';
import { type LineAccount, lineText, offText, ownerColour } from '../model';
import type { Access, Advice, Branch, Loop, Place, Site } from '../types';

export function placeLink(context: Context, place: Place): HTMLElement {
  return button(placeName(place), () => context.showPlace(place), { class: 'link', title: place.file });
}

function fact(name: string, ...value: Child[]): HTMLElement[] {
  return [h('dt', {}, name), h('dd', {}, value)];
}

/// A bar in two parts.
function splitBar(share: number, label: string): HTMLElement {
  const bar = h('span', { class: 'split', role: 'img', 'aria-label': label });
  return styled(bar, { '--share': `${100 * share}%` });
}

function inlineStack(context: Context, site: Site): Child {
  if (!site.inlinedAt || site.inlinedAt.length === 0) return null;
  return h(
    'p',
    { class: 'stack' },
    site.function ? `in ${site.function}, ` : '',
    'called at ',
    site.inlinedAt.map((call, index) => [index > 0 ? ' \u2190 ' : '', placeLink(context, call)]),
  );
}

/// "1 time", "72.9 k times"
function counted(count: number, one: string): string {
  return `${short(count)} ${count === 1 ? one : `${one}s`}`;
}

function pathLength(branch: Branch, side: 0 | 1): string {
  const runs = branch.pathRuns[side];
  return runs === 0 ? 'never alone' : `${counted(branch.pathInstructions[side] / runs, 'instruction')}, ${counted(runs, 'time')} alone`;
}

function branchPart(context: Context, branch: Branch): HTMLElement {
  const taken = branch.laneExecutions === 0 ? 0 : branch.lanesTaken / branch.laneExecutions;
  const parted = branch.executions === 0 ? 0 : branch.divergentExecutions / branch.executions;
  const cycles = context.current && context.current.kernel.laneCycles > 0 ? branch.lostCycles / context.current.kernel.laneCycles : 0;
  return h(
    'section',
    { class: 'part' },
    h('h3', {}, branch.targets === 2 || branch.targets === 0 ? 'Branch' : `Branch with ${branch.targets} ways`, h('small', {}, ` column ${branch.column}`)),
    h(
      'dl',
      {},
      fact('lost', smallPercent(context.accounts.share(branch.lostSlots)), h('small', {}, ` of the lanes, ${counted(branch.lostSlots, 'slot')}`)),
      branch.switchedOff !== undefined && fact('switched off', smallPercent(context.accounts.offShare(branch.switchedOff)), h('small', {}, ' of the lanes at work: it became predicates')),
      cycles > 0 && fact('cycles', percent(cycles), h('small', {}, ' of the lane-cycles')),
      fact('executed', whole(branch.executions), h('small', {}, ' times by warps')),
      fact('lanes part', percent(parted), h('small', {}, ' of these times'), splitBar(parted, `lanes part in ${percent(parted)}`)),
      fact('p', taken.toFixed(2), h('small', {}, ' of the lanes go the first way'), splitBar(taken, `p is ${taken.toFixed(2)}`)),
      branch.pathRuns[0] + branch.pathRuns[1] > 0 && fact('first way', pathLength(branch, 0)),
      branch.pathRuns[0] + branch.pathRuns[1] > 0 && fact('other way', pathLength(branch, 1)),
    ),
    inlineStack(context, branch),
  );
}

function bucketName(bucket: number): string {
  if (bucket === 0) return '0\u20131';
  return `${short(2 ** bucket)}\u2013${short(2 ** (bucket + 1) - 1)}`;
}

function loopPart(context: Context, loop: Loop): HTMLElement {
  const counts = loop.histogram;
  let first = counts.findIndex((count) => count > 0);
  let last = counts.length - 1;
  while (last > 0 && !counts[last]) --last;
  first = Math.max(0, first);
  const most = Math.max(1, ...counts);
  const bars: HTMLElement[] = [];
  for (let bucket = first; bucket <= last; ++bucket) {
    const count = counts[bucket] ?? 0;
    bars.push(
      h(
        'li',
        {},
        h('span', { class: 'bucket' }, bucketName(bucket)),
        styled(h('span', { class: 'bar' }), { '--share': `${(100 * count) / most}%` }),
        h('span', { class: 'count' }, percent(count / Math.max(1, loop.lanes))),
      ),
    );
  }
  return h(
    'section',
    { class: 'part' },
    h('h3', {}, 'Loop', h('small', {}, ` column ${loop.column}`)),
    h(
      'p',
      {},
      h('b', {}, `${whole(loop.fewest)} to ${whole(loop.most)}`),
      ` iterations, ${loop.mean.toFixed(1)} on average. `,
      loop.most > loop.mean * 1.05 && h('small', {}, `The slowest lane goes around ${(loop.most / loop.mean).toFixed(1)} times as often as the average one.`),
    ),
    h('ul', { class: 'histogram', 'aria-label': 'Lanes by iterations' }, bars),
    inlineStack(context, loop),
  );
}

function accessPart(context: Context, access: Access): HTMLElement {
  const perRequest = access.executions === 0 ? 0 : access.transactions / access.executions;
  const ideal = access.executions === 0 ? 0 : access.ideal / access.executions;
  const isShared = access.space === 'shared';
  const isPoor = access.transactions > (isShared ? 1.5 : 2) * access.ideal;
  const unit = isShared ? 'passes over the banks' : '32-byte sectors';
  return h(
    'section',
    { class: 'part' },
    h('h3', {}, `${access.space} ${access.kind}`, h('small', {}, ` ${access.bytesPerLane} bytes a lane, column ${access.column}`)),
    h(
      'p',
      {},
      h('b', { class: isPoor ? 'poor' : '' }, perRequest.toFixed(1)),
      ` ${unit} a request; ${ideal.toFixed(1)} would do. `,
      h('small', {}, `${short(access.executions)} requests of ${(access.lanes / Math.max(1, access.executions)).toFixed(1)} lanes, ${short(access.transactions)} transactions${isShared ? (isPoor ? '; banks conflict' : '; no bank conflicts worth a thought') : ''}.`),
    ),
    inlineStack(context, access),
  );
}

export function verdictText(advice: Pick<Advice, 'applies' | 'id' | 'tried'>): string {
  if (advice.applies) return advice.tried ? 'apply' : 'try';
  return advice.id === '' ? 'refuse' : `refuse: ${advice.id}`;
}

export function adviceLine(advice: Advice): Child[] {
  const gain = advice.speedup === null ? '' : ` ${advice.tried ? '' : '~'}${times(advice.speedup)}`;
  const range = advice.speedup !== null && advice.high > 0 ? ` (${times(advice.low)} to ${times(advice.high)})` : '';
  return [
    h('b', {}, advice.rewrite, advice.form === '' ? '' : ` (${advice.form})`),
    h('span', { class: advice.applies ? 'verdict yes' : 'verdict no' }, verdictText(advice)),
    gain && h('span', { class: 'gain' }, gain, h('small', {}, range)),
    advice.reason !== '' && h('small', { class: 'reason' }, advice.reason),
  ];
}

function shareList(context: Context, title: string, shares: readonly Share[], colourOf: (share: Share) => string): Child {
  if (shares.length === 0) return null;
  const all = shares.reduce((sum, share) => sum + share.slots, 0);
  return h(
    'section',
    { class: 'part' },
    h('h3', {}, title, h('small', {}, ' in the recorded warps')),
    h(
      'ul',
      { class: 'shares' },
      shares.slice(0, 8).map((share) =>
        h(
          'li',
          {},
          styled(h('span', { class: 'dot' }), { background: colourOf(share) }),
          placeLink(context, share.place),
          h('code', {}, lineText(context.run, share.place)),
          h('span', { class: 'count' }, smallPercent(share.slots / all)),
        ),
      ),
    ),
  );
}

function summary(context: Context, account: LineAccount | undefined, place: Place): Child[] {
  const lost = account ? context.accounts.share(account.lostSlots) : 0;
  const through = account ? context.accounts.share(account.throughCalls) : 0;
  const full = context.influence.activeShare(place);
  const sentences: Child[] = [];
  if (lost >= leastShare) sentences.push(h('p', { class: 'big' }, h('b', {}, percent(lost)), ' of the lanes are lost by this line.'));
  if (through >= leastShare) sentences.push(h('p', {}, h('b', {}, percent(through)), ' are lost by branches that its calls brought in.'));
  if (account && account.switchedOff > 0) sentences.push(h('p', {}, `${offText(context.accounts, account).replace('predicates', 'Predicates')}.`));
  if (full !== undefined) sentences.push(h('p', {}, 'It ran with ', h('b', {}, (32 * full).toFixed(1)), ' of 32 lanes, in the recorded warps.'));
  if (!account && full === undefined) sentences.push(h('p', { class: 'quiet' }, 'No branch, loop or memory access of a kernel that ran is in this line.'));
  return sentences;
}

export function accountOf(context: Context, place: Place, text: string): Child[] {
  if (place.line === 0) return [h('p', { class: 'quiet' }, 'Choose a line to see what is known of it.')];
  const account = context.accounts.line(place);
  const functionName = [...(account?.branches ?? []), ...(account?.loops ?? []), ...(account?.accesses ?? [])].find((site) => site.function)?.function;
  const byLost = [...(account?.branches ?? [])].sort((a, b) => b.lostSlots - a.lostSlots);
  return [
    h('h2', {}, `${baseName(place.file)}:${place.line}`, functionName ? h('small', {}, ` in ${functionName}`) : null),
    h('pre', { class: 'quote' }, text.trim()),
    summary(context, account, place),
    (account?.advice ?? []).map((advice) => h('p', { class: 'advice' }, adviceLine(advice))),
    shareList(context, 'Lanes stood idle at', context.influence.effects(place), () => ownerColour(context.ranks, place)),
    shareList(context, 'Half empty because of', context.influence.causes(place), (share) => ownerColour(context.ranks, share.place)),
    byLost.map((branch) => branchPart(context, branch)),
    (account?.loops ?? []).map((loop) => loopPart(context, loop)),
    (account?.accesses ?? []).map((access) => accessPart(context, access)),
    (account?.remarks ?? []).map((remark) => h('p', { class: 'remark' }, remark.text, remark.count > 1 ? ` (${remark.count} times)` : '')),
  ];
}
