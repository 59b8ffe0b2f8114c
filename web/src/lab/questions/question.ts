/** A question within a figure: before the answer an axis with the reader's guess, afterwards guess and truth beside each other. */
import { html, nothing, svg } from 'lit';
import { boxSeen } from '../../components/box-seen.ts';
import { formatTick } from '../../plot/format.ts';
import { prose } from '../text/prose.ts';
import type { KnobValues, Prediction } from '../types';
import { curveOf, curveText, partOf, STOPS, valueAt } from './answer-scoring.ts';
import { questionWords as words } from './question-words.ts';

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
  /** It is answered at another place further up, beside another figure. */
  readonly above?: boolean;
  /** Whether the reader has committed to the guess. */
  readonly committed: boolean;
  /** An answer in words, with its unit. */
  readonly say: (answer: string | number) => string;
  /** How far the guess was from the truth, in the unit of the answer. */
  readonly verdict: string;
  readonly setGuess: (value: number | string) => void;
  /** How it is drawn. It comes with the question, because no figure needs it for its first picture. */
  readonly draw: typeof questionPictures;
}

/** An axis with marks at the guess and the truth. Who sees it drags the guess; the bar in the question is for keys. */
function renderAxis(question: Question): unknown {
  const { answer, guess, truth, committed, say, setGuess } = question;
  if (answer.kind === 'curve') return renderCurve(question);
  if (answer.kind !== 'number') return nothing;
  const place = (value: number): string =>
    `left:${Math.max(0, Math.min(1, partOf(value, answer))) * 100}%`;
  const drag = (event: PointerEvent): void => {
    const axis = event.currentTarget as HTMLElement;
    if (committed || (event.type === 'pointermove' && !axis.hasPointerCapture(event.pointerId)))
      return;
    if (event.type === 'pointerdown') axis.setPointerCapture(event.pointerId);
    const { left, width } = boxSeen(axis);
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

const [WIDE, TALL] = [600, 240];
const EDGE = { left: 56, right: 16, top: 30, bottom: 40 };

/** An empty chart, in which the reader draws a height at each place; after the answer both curves. */
function renderCurve({ answer, guess, truth, committed, setGuess }: Question): unknown {
  if (answer.kind !== 'curve') return nothing;
  const { x, xLabel, min, max, unit } = answer;
  const across = (i: number): number =>
    EDGE.left + ((WIDE - EDGE.left - EDGE.right) * (i + 0.5)) / x.length;
  const up = (height: number): number =>
    TALL - EDGE.bottom - (TALL - EDGE.top - EDGE.bottom) * partOf(height, answer);
  const curve = (kind: string, heights: readonly number[] | undefined): unknown =>
    heights &&
    svg`<polyline class=${kind} points=${heights.map((height, i) => `${across(i)},${up(height)}`).join(' ')} />
      ${heights.map((height, i) => svg`<circle class=${kind} cx=${across(i)} cy=${up(height)} r="6" />`)}`;
  const drag = (event: PointerEvent): void => {
    const chart = event.currentTarget as SVGSVGElement;
    if (committed || (event.type === 'pointermove' && !chart.hasPointerCapture(event.pointerId))) {
      return;
    }
    if (event.type === 'pointerdown') chart.setPointerCapture(event.pointerId);
    const box = boxSeen(chart);
    const [px, py] = [
      ((event.clientX - box.left) / box.width) * WIDE,
      ((event.clientY - box.top) / box.height) * TALL,
    ];
    const at = Math.round(((px - EDGE.left) / (WIDE - EDGE.left - EDGE.right)) * x.length - 0.5);
    const i = Math.max(0, Math.min(x.length - 1, at));
    const part = (TALL - EDGE.bottom - py) / (TALL - EDGE.top - EDGE.bottom);
    const height = valueAt(Math.round(Math.max(0, Math.min(1, part)) * STOPS), answer);
    const before = curveOf(guess, answer);
    // What was not drawn yet follows the first stroke.
    setGuess(curveText(x.map((_, k) => (k === i ? height : (before?.[k] ?? height)))));
  };
  const named = (value: number): string => `${formatTick(value)}${unit ? ` ${unit}` : ''}`;
  return html`<svg
    class="answer-curve ${committed ? '' : 'open'}"
    viewBox="0 0 ${WIDE} ${TALL}"
    aria-hidden="true"
    @pointerdown=${drag}
    @pointermove=${drag}
  >
    <path
      class="frame"
      d="M${EDGE.left} ${EDGE.top}V${TALL - EDGE.bottom}H${WIDE - EDGE.right}"
    />
    <text x="2" y=${EDGE.top - 9}>${named(max)}</text>
    <text x=${EDGE.left - 6} y=${TALL - EDGE.bottom} text-anchor="end">${named(min)}</text>
    ${x.map((value, i) => svg`<text x=${across(i)} y=${TALL - EDGE.bottom + 16} text-anchor="middle">${formatTick(value)}</text>`)}
    <text x=${WIDE - EDGE.right} y=${TALL - 6} text-anchor="end">${xLabel}</text>
    ${curve('guessed', curveOf(guess, answer))}
    ${committed ? curve('true', curveOf(truth, answer)) : nothing}
  </svg>`;
}

/** In place of the picture: what the figure has without the answer, and the axis on which to guess. */
function renderOpenQuestion(question: Question, asked: unknown): unknown {
  if (question.above) {
    return html`<div class="open-question"><p class="fine">${words.answerAbove}</p></div>`;
  }
  return html`<div class="open-question">
    ${asked ?? nothing} ${renderAxis(question)}
    <p class="fine">
      ${
        question.answer.kind === 'number'
          ? words.guessOnAxis
          : question.answer.kind === 'curve'
            ? words.drawCurve
            : words.guessFirst
      }
    </p>
  </div>`;
}

/** Both answers, large, and how far apart they are. */
function renderAnswers(question: Question): unknown {
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

export const questionPictures = { open: renderOpenQuestion, answers: renderAnswers };
