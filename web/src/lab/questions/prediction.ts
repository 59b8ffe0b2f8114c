import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { formatTick } from '../../plot/format.ts';
import { problemText } from '../../strings/problem.ts';
import { onPress } from '../page/on-press.ts';
import type { OpenLab } from '../page/open-lab.ts';
import { formulaName, spoken } from '../text/plain-text.ts';
import { paragraphs, prose } from '../text/prose.ts';
import type { CurveAnswer, KnobValues, LabWords, Prediction } from '../types';
import { shellWords } from '../words/index.ts';
import { type PredictionAnswer, type PredictionRecord, theRecords } from './answer-records.ts';
import {
  answerText,
  curveDistance,
  curveOf,
  curveText,
  distance,
  type NumberAnswer,
  partOf,
  STOPS,
  valueAt,
} from './answer-scoring.ts';
import { type Question, questionPictures } from './question.ts';
import { withhold } from './withhold.ts';

/**
 * A question whose answer the page computes once the reader has committed to one.
 *
 * @element attn-prediction
 */
@customElement('attn-prediction')
export class AttnPrediction extends LitElement {
  @property({ attribute: false }) open!: OpenLab;
  @property({ attribute: false }) block!: Prediction;
  @property({ attribute: false }) words!: LabWords['predictions'][string];
  /** The `lang` of the words, where they are not in the page's language. */
  @property({ attribute: false }) wordsLang: 'en' | undefined;
  /** What follows below *Why*. */
  @property({ attribute: false }) reveal: () => unknown = () => nothing;
  /** The figure that the question is about, the view of it beside the question, and the knobs for which it asks. */
  @property({ attribute: false }) about: string | undefined;
  @property({ attribute: false }) view: string | undefined;
  @property({ attribute: false }) values: KnobValues | undefined;

  @state() private record: PredictionRecord | undefined;
  @state() private asking = true;
  @state() private chosen: PredictionAnswer | undefined;
  @state() private truth: PredictionAnswer | undefined;
  @state() private busy = false;
  @state() private progress = Number.NaN;
  @state() private message = '';
  @state() private failure = '';
  @state() private spoken: unknown = '';

  /** The reader wants to see the picture without answering. */
  @state() private skipped = false;
  /** The answer was given in this visit. */
  private here = false;
  /** What each figure was told last. */
  private readonly posed = new Map<string, string | undefined>();
  private stopListening: (() => void) | undefined;
  private abort: AbortController | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get key(): readonly [string, string] {
    return [this.open.lab.id, this.block.id];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const [lab, id] = this.key;
    const read = (): void => {
      const before = this.record;
      this.record = theRecords().get(lab).predictions[id];
      // The reader answered in an earlier visit; the truth computed then is kept too.
      if (this.record && !before && !this.busy) {
        this.asking = false;
        this.chosen = this.record.last;
        this.truth ??= this.record.firstTruth;
      }
      if (!this.record && before) {
        this.asking = true;
        this.chosen = undefined;
        this.truth = undefined;
      }
    };
    read();
    this.stopListening = theRecords().listen((changed) => {
      if (changed === lab) read();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
    this.abort?.abort();
  }

  protected override updated(): void {
    this.pose();
  }

  /** Puts the question before the picture of its figure, or takes it away. */
  pose(): void {
    const { about, view, block, words, chosen, truth, asking } = this;
    // An answer of an earlier visit is in the words; the picture then shows the reader's own knobs.
    const wanted = this.skipped || !(asking || this.here) ? undefined : [chosen, truth, asking];
    const question = (view: string): Question => ({
      ...{
        id: block.id,
        view,
        title: words.question,
        lang: this.wordsLang,
        draw: questionPictures,
      },
      ...{ values: this.values, answer: block.answer, guess: chosen, truth },
      ...{ committed: !asking, say: (answer) => this.say(answer), verdict: this.verdict() },
      setGuess: (value) => {
        if (!this.asking) return;
        this.chosen = value;
        this.message = '';
      },
    });
    if (about !== undefined && view !== undefined) {
      this.tell(about, JSON.stringify(wanted), wanted && question(view));
    }
    const open = wanted && asking;
    const shown = about === undefined ? undefined : this.open.figures.get(about);
    if (shown) withhold(shown, block.id, open ? block.withholds : undefined);
    // A figure further down that would answer it waits, too, and then shows what it would have shown without it.
    for (const id of block.veils ?? []) {
      this.tell(id, open ? 'open' : undefined, open ? { ...question(id), above: true } : undefined);
    }
  }

  /** Tells a figure once it is there, and only what is new. */
  private tell(figure: string, key: string | undefined, question: Question | undefined): void {
    const found = this.open.figures.get(figure);
    if (!found || this.posed.get(figure) === key) return;
    this.posed.set(figure, key);
    found.pose(this.block.id, question);
  }

  /** Shows the picture without an answer. Nothing is recorded. */
  private skip(): void {
    this.skipped = true;
  }

  private async commit(): Promise<void> {
    const { chosen, block } = this;
    const words = shellWords.now.prediction;
    if (chosen === undefined) {
      this.message = words.missing[block.answer.kind];
      this.querySelector<HTMLElement>('input')?.focus();
      return;
    }
    this.message = '';
    this.asking = false;
    this.here = true;
    this.skipped = false;
    this.truth = undefined;
    this.busy = true;
    theRecords().prediction(...this.key, chosen);
    await this.updateComplete;
    this.querySelector<HTMLElement>('.result')?.focus();
    await this.compute();
  }

  private async compute(): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.busy = true;
    this.failure = '';
    this.progress = Number.NaN;
    const words = shellWords.now.prediction;
    this.spoken = words.busy;
    try {
      const truth = await this.block.truth(this.open.tools, {
        signal: abort.signal,
        onProgress: (fraction) => {
          this.progress = fraction;
        },
      });
      if (abort.signal.aborted) return;
      this.truth = truth;
      theRecords().predictionTruth(...this.key, truth);
      // The words of the options may be in English on a page in another language.
      this.spoken = html`${this.verdict()} ${words.truth}: <span lang=${this.wordsLang ?? nothing}>${spoken(this.say(truth))}</span>.`;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.failure = words.failed(await problemText(error));
      this.spoken = '';
    } finally {
      if (this.abort === abort) this.busy = false;
    }
  }

  private again(): void {
    this.asking = true;
    this.skipped = false;
    this.chosen = undefined;
    this.truth = undefined;
    this.spoken = '';
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('input')?.focus());
  }

  private say(answer: PredictionAnswer): string {
    return answerText(this.block, this.words, answer);
  }

  private verdict(): string {
    const { truth, chosen, block } = this;
    const words = shellWords.now.prediction;
    if (truth === undefined || chosen === undefined) return '';
    if (block.answer.kind === 'choice') return chosen === truth ? words.right : words.wrong;
    if (block.answer.kind === 'curve') {
      const [mine, real] = [chosen, truth].map((one) => curveOf(one, block.answer as CurveAnswer));
      if (!mine || !real) return '';
      const { close, share } = curveDistance(mine, real, block.answer);
      return close ? words.close : words.curve(formatTick(100 * share));
    }
    const { close, factor, difference } = distance(Number(chosen), Number(truth), block.answer);
    if (close) return words.close;
    if (factor !== undefined) return words.factor(formatTick(factor));
    const { unit } = block.answer;
    const off = formatTick(difference ?? 0);
    // A difference of two percentages is one of points: "off by 12 %" would be a share of the answer.
    if (unit === '%') return words.points(off);
    return words.difference(unit ? `${off} ${unit}` : off);
  }

  private renderChoice(options: readonly string[]): unknown {
    const name = `prediction-${this.block.id}`;
    return html`<fieldset class="options" lang=${this.wordsLang ?? nothing}>
      <legend class="visually-hidden">${spoken(this.words.question)}</legend>
      ${repeat(
        options,
        (option) => option,
        (option) => html`<label
          ><input
            type="radio"
            name=${name}
            value=${option}
            aria-label=${formulaName(this.words.options?.[option] ?? '') ?? nothing}
            .checked=${live(this.chosen === option)}
            @change=${() => {
              this.chosen = option;
              this.message = '';
            }}
          /><span>${prose(this.words.options?.[option] ?? option)}</span></label
        >`,
      )}
    </fieldset>`;
  }

  private renderBar(answer: NumberAnswer): unknown {
    const id = `prediction-${this.block.id}`;
    const words = shellWords.now.prediction;
    const stop =
      this.chosen === undefined
        ? STOPS / 2
        : Math.round(partOf(Number(this.chosen), answer) * STOPS);
    const set = (stops: number): void => {
      this.chosen = valueAt(Math.max(0, Math.min(STOPS, stops)), answer);
      this.message = '';
    };
    const text = this.chosen === undefined ? '?' : this.say(this.chosen);
    return html`<div class="guess ${this.chosen === undefined ? 'untouched' : ''}">
      <label for=${id}>${words.bar}</label>
      <output for=${id}>${text}</output>
      <input
        id=${id}
        type="range"
        min="0"
        max=${STOPS}
        .value=${live(String(stop))}
        .style=${`--filled:${(stop / STOPS) * 100}%`}
        aria-valuetext=${text}
        @input=${(event: Event) => set(Number((event.target as HTMLInputElement).value))}
        @keydown=${(event: KeyboardEvent) => {
          // The first key press counts as a choice, as a drag does.
          if (event.key !== ' ' || this.chosen !== undefined) return;
          event.preventDefault();
          set(stop);
        }}
      />
      <span class="ends" aria-hidden="true"
        ><span>${this.say(answer.min)}</span><span>${this.say(answer.max)}</span></span
      >
    </div>`;
  }

  /** A bar for each place of a curve, for keys; who sees the picture draws there. */
  private renderCurve(answer: CurveAnswer): unknown {
    const id = `prediction-${this.block.id}`;
    const heights = curveOf(this.chosen, answer);
    const middle = valueAt(STOPS / 2, answer);
    const set = (i: number, stop: number): void => {
      const all = answer.x.map((_, k) => heights?.[k] ?? middle);
      all[i] = valueAt(Math.max(0, Math.min(STOPS, stop)), answer);
      this.chosen = curveText(all);
      this.message = '';
    };
    return html`<div class="curve-bars ${heights ? '' : 'untouched'}">
      ${answer.x.map((x, i) => {
        const height = heights?.[i];
        const stop = Math.round(partOf(height ?? middle, answer) * STOPS);
        const text = height === undefined ? '?' : formatTick(height);
        return html`<label for="${id}-${i}">${answer.xLabel} ${formatTick(x)}</label>
          <input
            id="${id}-${i}"
            type="range"
            min="0"
            max=${STOPS}
            .value=${live(String(stop))}
            aria-valuetext="${text}${answer.unit ? ` ${answer.unit}` : ''}"
            @input=${(event: Event) => set(i, Number((event.target as HTMLInputElement).value))}
          />
          <output for="${id}-${i}">${text}</output>`;
      })}
    </div>`;
  }

  private renderResult(): unknown {
    const { truth, chosen, record, block } = this;
    const words = shellWords.now.prediction;
    if (chosen === undefined) return nothing;
    const { answer } = block;
    const first = record && record.first !== chosen ? record.first : undefined;
    const row = (kind: string, label: string, value: PredictionAnswer) => html`<div class=${kind}>
      <dt>${label}</dt>
      <dd>
        ${
          answer.kind === 'number' && typeof value === 'number'
            ? html`<span
                class="length"
                aria-hidden="true"
                .style=${`--filled:${partOf(value, answer) * 100}%`}
              ></span>`
            : nothing
        }
        <span class="value" lang=${answer.kind === 'choice' ? (this.wordsLang ?? nothing) : nothing}>${prose(this.say(value))}</span>
      </dd>
    </div>`;
    return html`<dl class="answers">
        ${row('yours', words.yours, chosen)}
        ${first === undefined ? nothing : row('first', words.first, first)}
        ${truth === undefined ? nothing : row('truth', words.truth, truth)}
      </dl>
      ${truth === undefined ? nothing : html`<p class="verdict">${this.verdict()}</p>`}`;
  }

  override render() {
    const { block, words, asking, busy, failure, truth } = this;
    const said = shellWords.now.prediction;
    const title = `prediction-${block.id}-title`;
    return html`<section class="question prediction" aria-labelledby=${title}>
      <p class="kicker">${said.title}</p>
      <h3 id=${title} lang=${this.wordsLang ?? nothing}>${prose(words.question)}</h3>
      ${
        asking
          ? html`<form>
              ${
                block.answer.kind === 'choice'
                  ? this.renderChoice(block.answer.options)
                  : block.answer.kind === 'curve'
                    ? this.renderCurve(block.answer)
                    : this.renderBar(block.answer)
              }
              ${this.message ? html`<p class="error" role="alert">${this.message}</p>` : nothing}
              <p class="commit">
                <button class="button primary" type="submit" @click=${onPress(() => void this.commit())}>
                  ${said.commit}
                </button>
                ${
                  this.about === undefined
                    ? html`<span class="fine">${said.intro}</span>`
                    : this.skipped
                      ? html`<span class="fine">${said.skipped}</span>`
                      : html`<button class="plain" type="button" @click=${() => this.skip()}>
                          ${said.skip}
                        </button>`
                }
              </p>
            </form>`
          : html`<div class="result" tabindex="-1" role="group" aria-labelledby=${title}>
              ${this.renderResult()}
              ${
                busy
                  ? html`<p class="progress">
                      <label for="${title}-progress">${said.busy}</label>
                      <progress
                        id="${title}-progress"
                        max="1"
                        value=${Number.isNaN(this.progress) ? nothing : this.progress}
                      ></progress>
                    </p>`
                  : nothing
              }
              ${
                failure || (truth === undefined && !busy)
                  ? html`${failure ? html`<p class="error" role="alert">${failure}</p>` : nothing}
                      <button class="button" type="button" @click=${() => this.compute()}>
                        ${said.retry}
                      </button>`
                  : nothing
              }
            </div>
            ${
              truth === undefined
                ? nothing
                : html`<div class="why">
                      <h4>${said.why}</h4>
                      <div lang=${this.wordsLang ?? nothing}>${paragraphs(words.why)}</div>
                    </div>
                    ${this.reveal()}
                    <p class="commit">
                      <button class="plain" type="button" @click=${() => this.again()}>
                        ${said.again}
                      </button>
                      <span class="fine">${theRecords().problem ? said.forgotten : said.kept}</span>
                    </p>`
            }`
      }
      <p class="visually-hidden" role="status">${this.spoken}</p>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-prediction': AttnPrediction;
  }
}
