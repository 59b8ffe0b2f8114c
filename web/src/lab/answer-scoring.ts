/** Scores answers: where a guess lies on its bar, how far it is from the truth, whether a choice is right. */
import type { Check, Prediction } from './types';

export type NumberAnswer = Extract<Prediction['answer'], { kind: 'number' }>;

/** The bar has this many stops; an arrow key moves by one. */
export const STOPS = 200;
/** A guess this near to the truth counts as right. */
const CLOSE = { ratio: 1.25, share: 0.05 };

/** How far along the bar a value is, from 0 to 1. */
export function partOf(value: number, { min, max, log }: NumberAnswer): number {
  const part = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.max(0, Math.min(1, part));
}

/** The value at a stop, with no more digits than anyone can mean. */
export function valueAt(stop: number, answer: NumberAnswer): number {
  const { min, max, log } = answer;
  const part = stop / STOPS;
  if (log) return Number((min * (max / min) ** part).toPrecision(2));
  const step = 10 ** Math.floor(Math.log10((max - min) / STOPS));
  const value = min + (max - min) * part;
  return Number((Math.round(value / step) * step).toPrecision(6));
}

/** By how much a guess is off, and whether that is close. */
export function distance(
  guess: number,
  truth: number,
  { min, max, log }: NumberAnswer,
): { readonly close: boolean; readonly factor?: number; readonly difference?: number } {
  if (log && truth > 0) {
    const factor = Math.max(guess / truth, truth / guess);
    return { close: factor <= CLOSE.ratio, factor };
  }
  const difference = Math.abs(guess - truth);
  return { close: difference <= CLOSE.share * (max - min), difference };
}

export type Verdict = 'right' | 'partly' | 'wrong';

/** An answer is right when it names all right options and no other. */
export function verdictOf(chosen: readonly string[], { right }: Check): Verdict {
  const hits = chosen.filter((one) => right.includes(one)).length;
  if (hits === right.length && chosen.length === right.length) return 'right';
  return hits > 0 ? 'partly' : 'wrong';
}
