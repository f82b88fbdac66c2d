// SPDX-License-Identifier: Apache-2.0
//
// A unified diff in colours.
import { h } from '../dom';

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'd-file';
  if (line.startsWith('@@')) return 'd-place';
  if (line.startsWith('+')) return 'd-more';
  return line.startsWith('-') ? 'd-less' : '';
}

export function diffText(diff: string): HTMLElement {
  const lines = diff.replace(/\n$/, '').split('\n');
  return h('pre', { class: 'diff', tabindex: 0, role: 'region', 'aria-label': 'Diff' }, lines.map((line) => h('span', { class: kindOf(line) }, `${line}\n`)));
}
