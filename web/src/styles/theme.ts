/** The theme: what the visitor chose, else what the system has. `public/theme.js` sets it before the first paint. */

import { journal } from '../state/journal.ts';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'attention-labs-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
/** Printed pages always use the light theme. */
const paper = matchMedia('print');
const listeners = new Set<() => void>();

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

export function isDark(): boolean {
  if (paper.matches) return false;
  const chosen = theme();
  return chosen === 'auto' ? system.matches : chosen === 'dark';
}

/** For as long as the page lives. */
export function showTheme(chosen: Theme): void {
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  for (const listener of listeners) listener();
}

export function setTheme(chosen: Theme): void {
  // Where storage is denied the choice lasts as long as the page.
  if (chosen === 'auto') journal.remove(KEY);
  else journal.set(KEY, chosen);
  showTheme(chosen);
}

/** Called when the colours change: by choice, by the system, for paper. Returns how to stop. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  for (const query of [system, paper]) query.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    for (const query of [system, paper]) query.removeEventListener('change', listener);
  };
}
