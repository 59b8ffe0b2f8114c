/**
 * Once the student has begun to write, this fetches in idle moments whatever the page would fetch later. After
 * that the network may go away, and everything the page offers still works.
 */

import { atHand } from '../../exercises/at-hand/load.ts';
import { exerciseIds, loadExercise, loadSolution, loadWords } from '../../exercises/catalog.ts';
import type { Language } from '../../exercises/types';
import { language as pageLanguage } from '../../strings/language.ts';
import { theSandbox } from './tools.ts';

const LANGUAGES: readonly Language[] = ['python', 'javascript', 'cpp'];

const FORMULAS = [
  'italic 16px KaTeX_Math',
  '16px KaTeX_Main',
  'bold 16px KaTeX_Main',
  ...[1, 2, 3].map((size) => `16px KaTeX_Size${size}`),
];

/** What this exercise can still ask for comes first, then the other exercises. */
function* partsFor(id: string): Generator<() => Promise<unknown>> {
  yield () => import('../heatmap/interaction.ts');
  yield () => import('./at-hand.ts');
  for (const language of LANGUAGES) yield () => atHand(language);
  yield () => import('./after-passing.ts');
  yield () => import('./submission-files.ts');
  yield () => import('./picture-files.ts');
  yield () => import('../../state/pack-text.ts');
  yield () => theSandbox().prefetch('javascript');
  yield async () => (await import('../code-editor/codemirror.ts')).languageOf('javascript');
  yield async () => (await import('../code-editor/codemirror.ts')).languageOf('python');
  for (const language of LANGUAGES) yield () => loadSolution(id, language);
  yield () => import('../scratch/scratch.ts');
  // The formulas of other exercises contain letters whose fonts this exercise did not need.
  for (const font of FORMULAS) yield () => document.fonts.load(font);
  for (const other of exerciseIds) {
    yield () => Promise.all([loadExercise(other), loadWords(other, pageLanguage)]);
    // A mistake is recognised by running each known mistake in Python.
    for (const language of LANGUAGES) yield () => loadSolution(other, language);
  }
}

const quiet = (): Promise<void> =>
  new Promise((resolve) => {
    // A browser without `requestIdleCallback` gets a short pause instead.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });

const saves = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

let begun = false;

/** This happens once for each page. A file that could not be fetched is fetched when it is needed. */
export async function fetchAhead(id: string): Promise<void> {
  if (begun || saves()) return;
  begun = true;
  for (const part of partsFor(id)) {
    await quiet();
    await part().catch(() => {
      // The network is away, so the next focus starts again.
      begun = false;
    });
    if (!begun) return;
  }
}
