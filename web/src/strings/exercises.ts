/** The words of exercises, in the page's language. */
import type { HeatmapWords } from '../components/heatmap/heatmap.ts';
import { exercises as english } from './en-exercises.ts';
import { strings } from './index.ts';
import { translation } from './translation.ts';
import type { Words } from './words-type.ts';

export type ExerciseStrings = Words<typeof english>;

export const exercises: ExerciseStrings = translation?.exercises ?? english;

/** The heatmap's words for matrices whose rows are no queries. */
export const matrixWords = (rows: string, cols: string): HeatmapWords => ({
  ...strings.heatmap,
  // Words are too long for that corner; the subtitle says it.
  corner: '',
  waiting: exercises.picture.waitReference,
  masked: exercises.picture.blocked,
  cell: (i, row, j, col) => exercises.picture.cell(rows, i, row, cols, j, col),
  summary: (heading, height, width, subtitle) =>
    exercises.picture.summary(heading, height, width, rows, cols, subtitle),
});
