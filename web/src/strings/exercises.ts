/** The words of exercises, in the page's language. */
import type { HeatmapWords } from '../components/heatmap/heatmap.ts';
import { words as german } from './de/exercises.ts';
import { words as english } from './en/exercises.ts';
import { strings } from './index.ts';
import { byLanguage } from './language.ts';
import type { Words } from './words-type.ts';

export type ExerciseStrings = Words<typeof english>;

export const exercises = byLanguage<ExerciseStrings>({ en: english, de: german });

/** The heatmap's words for matrices whose rows are no queries. */
export const matrixWords = (rows: string, cols: string): HeatmapWords => ({
  ...strings.heatmap,
  // The corner has no room for words; the subtitle names rows and columns.
  corner: '',
  waiting: exercises.picture.waitReference,
  masked: exercises.picture.blocked,
  cell: (i, row, j, col) => exercises.picture.cell(rows, i, row, cols, j, col),
  summary: (heading, height, width, subtitle) =>
    exercises.picture.summary(heading, height, width, rows, cols, subtitle),
});
