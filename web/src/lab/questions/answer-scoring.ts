/** Scores answers: where a guess lies on its bar, how far it is from the truth, whether a choice is right. */
import { formatBytesOf } from '../../plot/counts.ts';
import { formatTick } from '../../plot/format.ts';
import type { Check, CurveAnswer, Prediction } from '../types';
import type { PredictionAnswer } from './answer-records.ts';

export type NumberAnswer = Extract<Prediction['answer'], { kind: 'number' }>;

/** The bar has this many stops; an arrow key moves by one. */
export const STOPS = 200;
/** A guess this near to the truth counts as right. */
const CLOSE = { ratio: 1.25, share: 0.05 };

/** What a bar needs to know of an answer. */
type Bar = Pick<NumberAnswer, 'min' | 'max'> & { readonly log?: boolean };

/** The heights of a curve as one answer, and back. An answer is a text or a number, in records and files alike. */
export const curveText = (heights: readonly number[]): string =>
  heights.map((height) => Number(height.toPrecision(3))).join(' ');
export function curveOf(
  answer: string | number | undefined,
  { x }: CurveAnswer,
): readonly number[] | undefined {
  if (typeof answer !== 'string') return undefined;
  const heights = answer.split(' ').map(Number);
  return heights.length === x.length && heights.every(Number.isFinite) ? heights : undefined;
}

/** An answer in words: what its option says, or its numbers with their unit. */
export function answerText(
  { answer: kind }: Prediction,
  words: { readonly options?: Readonly<Record<string, string>> | undefined } | undefined,
  answer: PredictionAnswer,
): string {
  if (kind.kind === 'choice') return words?.options?.[answer] ?? String(answer);
  const bytes = typeof answer === 'number' ? formatBytesOf(answer, kind.unit) : undefined;
  if (bytes !== undefined) return bytes;
  const heights = kind.kind === 'curve' ? curveOf(answer, kind) : undefined;
  const numbers = heights ?? [answer];
  const said = numbers.map((one) => (typeof one === 'number' ? formatTick(one) : one)).join(' · ');
  return `${said}${kind.unit ? ` ${kind.unit}` : ''}`;
}

/** How far along the bar a value is, from 0 to 1. */
export function partOf(value: number, { min, max, log }: Bar): number {
  const part = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.max(0, Math.min(1, part));
}

/** The value at a stop, with no more digits than anyone can mean. */
export function valueAt(stop: number, answer: Bar): number {
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

/** The mean distance of two curves as a share of their bar, and whether that is close. */
export function curveDistance(
  guess: readonly number[],
  truth: readonly number[],
  answer: CurveAnswer,
): { readonly close: boolean; readonly share: number } {
  const share =
    guess
      .map((height, i) => Math.abs(partOf(height, answer) - partOf(truth[i] ?? 0, answer)))
      .reduce((sum, one) => sum + one, 0) / (guess.length || 1);
  return { close: share <= CLOSE.share, share };
}

export type Verdict = 'right' | 'partly' | 'wrong';

/** An answer is right when it names all right options and no other. */
export function verdictOf(chosen: readonly string[], { right }: Check): Verdict {
  const hits = chosen.filter((one) => right.includes(one)).length;
  if (hits === right.length && chosen.length === right.length) return 'right';
  return hits > 0 ? 'partly' : 'wrong';
}
