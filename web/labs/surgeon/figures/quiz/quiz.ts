import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { HeadQuizPicture } from '#client';
import type { Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { type Heat, PictureFigure, percent } from '../parts.ts';

const words = figureWords.now.quiz;
const kinds = figureWords.now.picture.kinds;
type Kind = keyof typeof kinds & string;

/** The pictures of a round. */
const ROUND = 10;

const table = {
  picture: integer({ key: 'picture', min: 1, max: ROUND, default: 1 }),
  seed: seed({ default: 4 }),
};
type Values = StateOf<typeof table>;

/**
 * Ten pictures to name; what counts is what the core measures.
 *
 * @element attn-head-quiz
 */
@customElement('attn-head-quiz')
export class AttnHeadQuiz extends PictureFigure<HeadQuizPicture, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = [] as const;

  /** What was said about each picture first, and what was measured, for the round of one seed. */
  @state() private answers: ReadonlyMap<number, { readonly said: Kind; readonly is: Kind }> =
    new Map();
  private round: number | undefined;

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ picture, seed }: Values, { signal }: Ask): Promise<HeadQuizPicture> {
    if (this.round !== seed) this.answers = new Map();
    this.round = seed;
    return this.tools.client.headQuizPicture({ seed, index: picture - 1 }, { signal });
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [slider('picture', { label: words.picture }), seedKnob()];
  }

  protected override heats({ result }: Shown<Values, HeadQuizPicture>): readonly Heat[] {
    const { causal } = result.options;
    return [
      {
        matrix: result.weights,
        heading: words.title(this.shown?.values.picture ?? this.values.picture, ROUND),
        visible: causal ? (row) => row + 1 : undefined,
      },
    ];
  }

  private choose(shown: Shown<Values, HeadQuizPicture>, said: Kind): void {
    if (this.answers.has(shown.values.picture)) return;
    const answers = new Map(this.answers);
    answers.set(shown.values.picture, { said, is: shown.result.head.id as Kind });
    this.answers = answers;
    this.say(this.verdict(shown));
  }

  private get right(): number {
    return [...this.answers.values()].filter(({ said, is }) => said === is).length;
  }

  private verdict({ values, result }: Shown<Values, HeadQuizPicture>): string {
    const given = this.answers.get(values.picture);
    if (!given) return '';
    const score = formatNumber(result.head.score, 2);
    return given.said === given.is
      ? words.yes(kinds[given.is], score)
      : words.no(kinds[given.is], kinds[given.said], score);
  }

  protected override renderResult(shown: Shown<Values, HeadQuizPicture>): unknown {
    const { values } = shown;
    const given = this.answers.get(values.picture);
    return html`<div class="sg-quiz">
      ${this.renderHeats(shown)}
      <div class="sg-answers" role="group" aria-label=${words.which}>
        ${(Object.keys(kinds) as Kind[])
          .filter((kind) => kind !== 'undecided')
          .map(
            (kind) => html`<button
              type="button"
              class="button ${given && kind === given.is ? 'right' : ''} ${given && kind === given.said && given.said !== given.is ? 'wrong' : ''}"
              aria-disabled=${given ? 'true' : 'false'}
              aria-pressed=${String(given?.said === kind)}
              @click=${() => this.choose(shown, kind)}
            >
              ${kinds[kind]}
            </button>`,
          )}
        ${
          given && values.picture < ROUND
            ? html`<button
                class="button primary"
                type="button"
                @click=${() => this.set({ picture: values.picture + 1 })}
              >
                ${words.next}
              </button>`
            : nothing
        }
      </div>
    </div>`;
  }

  /** The verdict and why, or how the round stands. */
  protected override resultLine(shown: Shown<Values, HeadQuizPicture>): string {
    const score = words.score(this.right, this.answers.size, ROUND);
    if (!this.answers.has(shown.values.picture)) return score;
    const { patterns } = shown.result;
    return `${this.verdict(shown)} ${words.numbers(
      percent(patterns.diagonalMass),
      percent(patterns.localMass),
      formatNumber(patterns.meanEffectiveKeys),
    )} ${score}`;
  }

  protected override caption({ values, result }: Shown<Values, HeadQuizPicture>): string {
    return words.caption(
      values.picture,
      result.weights.rows,
      result.options.causal ?? false,
      values.seed,
    );
  }

  protected override data(): FigureData {
    return {
      columns: words.columns,
      rows: [...this.answers].map(([picture, { said, is }]) => [picture, said, is]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-quiz': AttnHeadQuiz;
  }
}
