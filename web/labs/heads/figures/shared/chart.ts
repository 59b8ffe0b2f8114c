/** How the charts of this lab say shares, and read curves. */
import type { Question } from '../../../../src/lab/questions/question.ts';
import { formatNumber } from '../../../../src/plot/format.ts';

export const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

/** A curve that was drawn or computed, as heights: `curveText` of answer-scoring.ts writes it so. */
export const heightsOf = (answer: Question['guess']): readonly number[] =>
  typeof answer === 'string' ? answer.split(/[ ,;]+/).map(Number) : [];
