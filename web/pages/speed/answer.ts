/** The answer to the question of the page. */
import { html, nothing } from 'lit';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { formatTick } from '../../src/plot/format.ts';
import { speed as words } from '../../src/strings/speed.ts';
import type { Crossing, Place } from './measurement.ts';

export interface Answer {
  /** The visitor's guess, if they made one. */
  readonly said: number | undefined;
  readonly seen: Crossing;
  readonly predicted: number | undefined;
  /** The place of the measurement in words: here, or the machine it was made on. */
  readonly where: string;
}

export const binaryName = (build: string): string =>
  words.here.builds[build]?.split(':')[0] ?? build;

/** Compares the guess with the measurement in words, if they differ. */
export function elsewhere(there: Place, here: Place): string {
  return there.build === here.build && there.browser === here.browser
    ? ''
    : words.answer.elsewhere(binaryName(there.build), there.browser);
}

const round = (n: number): string => String(Math.round(n));

/** The answer as a sentence. */
export function sentence({ said, seen, where }: Answer): string {
  const { clauses, lead } = words.answer;
  const found =
    seen.kind === 'between'
      ? clauses.between(round(seen.n), seen.low, seen.high)
      : clauses[seen.kind](seen.n);
  return lead(said, where, found);
}

function judged({ said, seen }: Answer): string {
  if (said === undefined || seen.kind !== 'between') return '';
  const times = Math.max(said / seen.n, seen.n / said);
  if (times < 1.5) return words.answer.close;
  return (said > seen.n ? words.answer.early : words.answer.late)(formatTick(times));
}

/** The sentence about the guess while there is no answer yet. */
export function verdict(answer: Answer | undefined, guess: number | undefined) {
  if (!answer) {
    return guess === undefined
      ? nothing
      : html`<div class="guess"><p class="verdict">${words.guess.line(guess)}</p></div>`;
  }
  return html`<div class="guess">
    <p class="verdict"><strong>${sentence(answer)}</strong> ${judged(answer)}</p>
    <p>${rich(words.answer.why)}</p>
    <p class="fine">${rich(words.answer.lab)}</p>
  </div>`;
}
