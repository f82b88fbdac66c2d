// SPDX-License-Identifier: Apache-2.0
//
// Where the reader is: kept in the address behind #, so that a place can be sent on and the browser's
// back button works.
export type ViewName = 'source' | 'lanes' | 'kernel' | 'compare' | 'edit';

export interface Location {
  view: ViewName;
  run: number;
  kernel: number | 'all';
  file: string;
  line: number; ///< 0: none
  warp: number;
  other: number; ///< lanes: the warp beside it, 1000 * run + warp; compare: the run before; -1: none
}

const views: readonly ViewName[] = ['source', 'lanes', 'kernel', 'compare', 'edit'];

export function writeLocation(at: Location): string {
  const query = new URLSearchParams();
  if (at.run !== 0) query.set('run', String(at.run));
  query.set('kernel', String(at.kernel));
  if (at.view === 'source' && at.file !== '') query.set('file', at.file);
  if (at.view === 'source' && at.line > 0) query.set('line', String(at.line));
  if (at.view === 'lanes') query.set('warp', String(at.warp));
  if ((at.view === 'lanes' || at.view === 'compare') && at.other >= 0) query.set('other', String(at.other));
  return `#${at.view}?${query.toString()}`;
}

function number(text: string | null, fallback: number): number {
  const value = Number(text ?? NaN);
  return Number.isInteger(value) && value >= 0 ? value : fallback;
}

/// What the address says; what it does not say, or says wrongly, is as in `now`.
export function readLocation(hash: string, now: Location): Location {
  const [name = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const values = new URLSearchParams(query);
  const view = views.find((each) => each === name) ?? now.view;
  return {
    view,
    run: number(values.get('run'), values.has('kernel') ? 0 : now.run),
    kernel: values.get('kernel') === 'all' ? 'all' : number(values.get('kernel'), now.kernel === 'all' ? 0 : now.kernel),
    file: values.get('file') ?? now.file,
    line: number(values.get('line'), view === 'source' && values.has('file') ? 0 : now.line),
    warp: number(values.get('warp'), now.warp),
    other: values.has('kernel') ? number(values.get('other'), -1) : now.other,
  };
}
