/** A question within a figure: before the answer an axis with the reader's guess, afterwards guess and truth beside each other. */
import { html, nothing } from 'lit';
import { partOf, STOPS, valueAt } from './answer-scoring.ts';
import { figureWords as words } from './figure-words.ts';
import { prose } from './prose.ts';
import type { KnobValues, Prediction } from './types';

export interface Question {
  readonly id: string;
  /** The view in which it stands. */
  readonly view: string;
  /** The question in words. */
  readonly title: string;
  /** `lang` of the question and its options. */
  readonly lang: 'en' | undefined;
  /** What the question asks about: the figure shows exactly this while the question is open, and the answer to it. */
  readonly values: KnobValues | undefined;
  readonly answer: Prediction['answer'];
  readonly guess: string | number | undefined;
  readonly truth: string | number | undefined;
  /** Whether the reader has committed to the guess. */
  readonly committed: boolean;
  /** An answer in words, with its unit. */
  readonly say: (answer: string | number) => string;
  /** How far the guess was from the truth, in the unit of the answer. */
  readonly verdict: string;
  readonly setGuess: (value: number) => void;
}

/** An axis with marks at the guess and the truth. Who sees it drags the guess; the bar in the question is for keys. */
function renderAxis({ answer, guess, truth, committed, say, setGuess }: Question): unknown {
  if (answer.kind !== 'number') return nothing;
  const place = (value: number): string =>
    `left:${Math.max(0, Math.min(1, partOf(value, answer))) * 100}%`;
  const drag = (event: PointerEvent): void => {
    const axis = event.currentTarget as HTMLElement;
    if (committed || (event.type === 'pointermove' && !axis.hasPointerCapture(event.pointerId)))
      return;
    if (event.type === 'pointerdown') axis.setPointerCapture(event.pointerId);
    const { left, width } = axis.getBoundingClientRect();
    const part = Math.max(0, Math.min(1, (event.clientX - left) / width));
    setGuess(valueAt(Math.round(part * STOPS), answer));
  };
  return html`<div
    class="answer-axis ${committed ? '' : 'open'}"
    aria-hidden="true"
    @pointerdown=${drag}
    @pointermove=${drag}
  >
    <span class="axis-line"></span>
    ${typeof guess === 'number' ? html`<span class="at guessed" .style=${place(guess)}></span>` : nothing}
    ${typeof truth === 'number' && committed ? html`<span class="at true" .style=${place(truth)}></span>` : nothing}
    <span class="axis-end">${say(answer.min)}</span><span class="axis-end">${say(answer.max)}</span>
  </div>`;
}

/** In place of the picture: what the figure has without the answer, and the axis on which to guess. */
export function renderOpenQuestion(question: Question, asked: unknown): unknown {
  return html`<div class="open-question">
    ${asked ?? nothing} ${renderAxis(question)}
    <p class="fine">
      ${question.answer.kind === 'number' ? words.guessOnAxis : words.guessFirst}
    </p>
  </div>`;
}

/** Both answers, large, and how far apart they are. */
export function renderAnswers(question: Question): unknown {
  const { guess, truth, say, verdict, lang } = question;
  if (truth === undefined) return nothing;
  const row = (kind: string, label: string, value: string | number | undefined): unknown =>
    value === undefined
      ? nothing
      : html`<div class=${kind}>
          <dt>${label}</dt>
          <dd lang=${lang ?? nothing}>${prose(say(value))}</dd>
        </div>`;
  return html`<div class="both-answers">
    <dl class="${question.answer.kind}">
      ${row('guessed', words.yourGuess, guess)}${row('true', words.computed, truth)}
    </dl>
    ${renderAxis(question)}
    ${verdict ? html`<p class="verdict fine">${verdict}</p>` : nothing}
  </div>`;
}
