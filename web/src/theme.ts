// SPDX-License-Identifier: Apache-2.0
//
// Light or dark: as the system says, until the reader says otherwise.
const key = 'heddle-theme';

/// Storage may be forbidden, as for a file in some browsers.
function kept(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function toggleTheme(): void {
  const next = isDark() ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // It holds for this visit, then.
  }
}

export function applyTheme(): void {
  const chosen = kept();
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}
