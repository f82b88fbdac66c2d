// SPDX-License-Identifier: Apache-2.0
//
// Keys, and the words that the page uses.
import { button, h } from './dom';

const keys: [string, string][] = [
  ['1 2 3 4', 'the views'],
  ['[ ]', 'the kernel before, the kernel after, by time'],
  ['w', 'source: the worst line'],
  ['n p', 'source: the next less bad line, the next worse one'],
  ['\u2191 \u2193 j k', 'source: a line up or down'],
  ['/', 'source: find'],
  ['\u2190 \u2192', 'lanes: earlier, later'],
  ['+ \u2212 0', 'lanes: closer, further, all'],
  ['t', 'light or dark'],
  ['?', 'this help'],
];

const words: [string, string][] = [
  ['warp', '32 threads that run one instruction at a time'],
  ['lane', 'one of the 32 places of a warp'],
  ['lost lane', 'a lane that does nothing while its warp runs an instruction'],
  ['lost by a line', 'the branch in this line sent the lanes of a warp different ways; while some go one way, the others wait, wherever that is'],
  ['finished', 'the thread of the lane has returned'],
  ['partial', 'the warp has fewer than 32 threads'],
  ['sequences', 'what one instruction of the source became, such as a division or an atomic; lanes may be off inside it'],
  ['switched off', 'a predicate does not hold for the lane: the GPU counts it as at work, and it does nothing'],
  ['p', 'share of the lanes that take the first way of a branch'],
  ['occupancy', 'warps that a multiprocessor holds, of those it could hold'],
];

function list(title: string, rows: [string, string][]): HTMLElement[] {
  return [h('h2', {}, title), h('dl', {}, rows.map(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]))];
}

export function helpDialog(): HTMLDialogElement {
  const dialog = h('dialog', { 'aria-label': 'Keys and words' });
  // The button is first: it gets the focus, and the dialog scrolls to it.
  dialog.append(button('Close', () => dialog.close(), { class: 'close' }), ...list('Keys', keys), ...list('Words', words));
  return dialog;
}
