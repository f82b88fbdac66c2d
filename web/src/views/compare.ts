import type { Context, View } from '../app';
import { h } from '../dom';
export class CompareView implements View {
  readonly element = h('div', { class: 'compare-view' });
  update(_context: Context): void {}
}
