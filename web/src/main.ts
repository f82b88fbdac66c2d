// SPDX-License-Identifier: Apache-2.0
import './styles.css';
import { h } from './dom';
import { Live } from './live';
import { Page } from './page';
import { applyTheme } from './theme';
import type { Report } from './types';

function start(): void {
  const app = document.getElementById('app');
  const data = document.getElementById('data');
  if (!app || !data) return;
  try {
    const report = JSON.parse(data.textContent ?? '') as Report;
    const shown = report.schema.startsWith('heddle.serve/') ? new Live() : new Page(report);
    app.append(shown.element);
    void shown.start();
  } catch (error) {
    app.append(h('p', { class: 'note', role: 'alert' }, `The data of this page cannot be shown: ${String(error)}`));
    throw error;
  }
}

applyTheme();
start();
