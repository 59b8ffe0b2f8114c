/** The colours and marks of the measured lines. Pure. */
import type { Mark } from '../../../../src/plot/point-marks.ts';

/** Softmax and linear attention look as in all labs (src/plot/names.ts). */
const COLORS = [0, 3, 4];
const MARKS: readonly Mark[] = ['circle', 'square', 'triangle'];
/** A run that is compared has a mark of its own; its contenders keep their colours. */
const OTHER_MARKS: readonly Mark[] = ['diamond', 'down', 'cross', 'plus'];

/** The look of a contender, in the run that is shown or in one that is compared with it (counted from 0). */
export const lookOf = (
  contender: number,
  other?: number,
): { readonly color: number; readonly mark: Mark } => ({
  color: COLORS[contender] ?? 0,
  mark:
    (other === undefined ? MARKS[contender] : OTHER_MARKS[other % OTHER_MARKS.length]) ?? 'circle',
});
