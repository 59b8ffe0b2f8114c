import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { HeadScores, HeadScoresResult, Matrix } from '#client';
import '../../../../src/components/arcs/arcs.ts';
import type { Cell, CellEventDetail } from '../../../../src/components/heatmap/heatmap.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptText } from '../../../../src/lab/figure/kept-inputs.ts';
import {
  choice,
  type Knob,
  type KnobState,
  ownKnob,
  seedKnob,
} from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { type Role, words } from '../../words/opening.ts';
import { pixels } from '../shared/pixels.ts';
import { weightScale } from '../shared/weights.ts';

/** Longer texts have lines too fine to be told apart. */
const MOST_TOKENS = 48;
const LAYERS = 4;
const HEADS = 4;
const PLACES = Array.from(
  { length: LAYERS * HEADS },
  (_, i) => `${Math.floor(i / HEADS) + 1}.${(i % HEADS) + 1}`,
);
const ROLES = [
  'previousToken',
  'currentToken',
  'firstToken',
  'duplicateToken',
  'induction',
] as const satisfies readonly Role[];
type Scored = (typeof ROLES)[number];

const table = {
  text: text({
    key: 'text',
    maxLength: 800,
    default: 'the whale saw the ship, and the ship saw the whale',
  }),
  model: oneOf({ key: 'model', values: ['reader', 'untrained'], default: 'reader' }),
  head: oneOf({ key: 'head', values: PLACES, default: '1.4' }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface Answer {
  /** What the heads are of: random ones until the model is here, or those of a model. */
  readonly made: 'meanwhile' | 'reader' | 'untrained';
  readonly tokens: readonly string[];
  /** How many tokens the sentence has. */
  readonly all: number;
  /** The heads of each layer. */
  readonly layers: readonly (readonly Matrix[])[];
  /** Of each layer; none for random heads. */
  readonly scores?: readonly HeadScoresResult[];
  /** Of each head in the order of the layers, from text that chose no names. */
  readonly names?: readonly Role[];
}

const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? `< ${formatNumber(0.1, 1)} %` : `${formatNumber(100 * share, 2)} %`;
const placeOf = (head: string): readonly [number, number] => {
  const [layer = 1, which = 1] = head.split('.').map(Number);
  return [layer - 1, which - 1];
};
const nameOfPlace = (head: string): string => {
  const [layer, which] = placeOf(head);
  return words.headOf(layer + 1, which + 1);
};

/** What a head looks at most, beyond what even attention has there. */
export interface Look {
  readonly role: Scored;
  readonly score: number;
  readonly even: number;
  readonly elsewhere: number;
}

export function looksOf(result: HeadScoresResult, which: number): readonly Look[] {
  const head = result.heads[which];
  if (!head) return [];
  return ROLES.map((role) => ({
    role,
    score: head.scores[role],
    even: (result.uniform as HeadScores)[role],
    elsewhere: head.matched[role].elsewhere,
  }));
}

const most = (looks: readonly Look[]): Look | undefined =>
  [...looks]
    .filter(({ score, even }) => Number.isFinite(score - even))
    .sort((a, b) => b.score - b.even - (a.score - a.even))[0];

/**
 * Every head of a model on one sentence, and one of them enlarged: the opening of the lab.
 *
 * @element attn-heads-opening
 */
@customElement('attn-heads-opening')
export class AttnHeadsOpening extends LabFigure<Answer, Table> {
  override readonly table = table;
  override readonly knobsLast = true;
  protected override readonly firstKnobs = ['text', 'model'] as const;

  @state() private cell: Cell | undefined;
  @state() private locked = false;
  /** The answer for a text and a model; another head asks nothing anew. */
  private readonly kept = this.recentAnswers<Answer>(4);
  private waits = false;

  override get heading(): string {
    return words.heading;
  }

  protected override onValues(): void {
    // The model goes on arriving; the heads that were shown meanwhile follow the knobs.
    if (this.waits) this.abort?.abort();
    super.onValues();
  }

  protected override async compute(values: Values, ask: Ask): Promise<Answer> {
    const { text: said, model, seed: drawn } = values;
    const asked = [said, model, model === 'untrained' ? drawn : 0];
    return this.kept.of(asked, async () => {
      if (this.shown === undefined || this.shown.result.made === 'meanwhile') {
        this.show({ values, result: await this.meanwhile(values, ask.signal) });
      }
      this.waits = true;
      try {
        const { headsOf } = await import('./model-heads.ts');
        return await headsOf(this.tools.client, { ...values, most: MOST_TOKENS }, ask);
      } finally {
        this.waits = false;
      }
    });
  }

  /** Heads of random weights on words, which the core has at once. */
  private async meanwhile(
    { text: said, seed: drawn }: Values,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { client } = this.tools;
    const heads = await Promise.all(
      PLACES.map(async (_, i) => {
        const asked = { text: said, dK: 8, dV: 1, seed: drawn + i, maxTokens: MOST_TOKENS };
        const { tokens, q, k, v } = await keptText(client, asked, { signal });
        const { weights } = await client.attention(
          { q, k, v, mask: { kind: 'causal' } },
          { signal },
        );
        return { tokens, weights };
      }),
    );
    const tokens = heads[0]?.tokens ?? [];
    return {
      made: 'meanwhile',
      tokens,
      all: tokens.length,
      layers: Array.from({ length: LAYERS }, (_, layer) =>
        heads.slice(layer * HEADS, (layer + 1) * HEADS).map(({ weights }) => weights),
      ),
    };
  }

  // ---- knobs ----

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      ownKnob('text', { label: words.text, draw: (knob) => this.drawText(knob) }),
      choice('model', { label: words.model, options: words.models }),
      ownKnob('head', {
        label: words.head,
        say: (value) => nameOfPlace(String(value)),
        draw: ({ value, disabled, id, set }) => html`<div class="choice">
          <label for=${id}>${words.head}</label>
          <select
            id=${id}
            ?disabled=${disabled}
            @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}
          >
            ${PLACES.map(
              (place) =>
                html`<option value=${place} .selected=${live(value === place)}>
                  ${nameOfPlace(place)}
                </option>`,
            )}
          </select>
        </div>`,
      }),
      seedKnob(),
    ];
  }

  private drawText({ value, id, disabled, error, problem, set }: KnobState): unknown {
    const { tokens = [], all = 0 } = this.shown?.result ?? {};
    return html`<div class="choice with-note">
        <label for=${id}>${words.text}</label>
        <input
          class="hd-text"
          id=${id}
          .value=${live(value as string)}
          maxlength="800"
          ?disabled=${disabled}
          aria-invalid=${error ? 'true' : 'false'}
          @change=${(event: Event) => set((event.target as HTMLInputElement).value)}
        />
        ${all > tokens.length ? html`<p class="fine">${words.beginning(tokens.length, all)}</p>` : nothing}
      </div>
      ${problem}`;
  }

  // ---- the picture ----

  private matrixOf({ layers }: Answer, head: string): Matrix | undefined {
    const [layer, which] = placeOf(head);
    return layers[layer]?.[which];
  }

  private renderGrid({ values, result }: Shown<Values, Answer>): unknown {
    return html`<div class="hd-grid" role="group" aria-label=${words.titles.grid}>
      ${result.layers.map(
        (heads, layer) =>
          html`<span class="hd-layer">${layer + 1}</span>${heads.map((matrix, which) => {
            const place = `${layer + 1}.${which + 1}`;
            const name = result.names?.[layer * HEADS + which];
            const called = name === undefined ? '' : words.short[name];
            return html`<button
            type="button"
            class="hd-head ${name === 'none' ? 'nameless' : ''}"
            aria-pressed=${place === values.head}
            aria-label="${words.headOf(layer + 1, which + 1)}${called ? `: ${called}` : ''}"
            @click=${() => this.set({ head: place } as Partial<Values>)}
          >
            ${pixels(matrix, { dark: this.dark, causal: true })}
            <span>${called || ' '}</span>
          </button>`;
          })}`,
      )}
    </div>`;
  }

  private readonly seen = (row: number): number => row + 1;

  private onCell({ detail }: CustomEvent<CellEventDetail>): void {
    this.cell = detail.cell;
    this.locked = detail.locked;
  }

  private renderArcs({ values, result }: Shown<Values, Answer>): unknown {
    return html`<attn-arcs
      brief
      .matrix=${this.matrixOf(result, values.head)}
      .scale=${weightScale}
      .visible=${this.seen}
      .rowLabels=${result.tokens}
      .cell=${this.cell}
      .locked=${this.locked}
      .dark=${this.dark}
      .rise=${90}
      .heading=${words.arcs(nameOfPlace(values.head))}
    ></attn-arcs>`;
  }

  /** The weights as cells; a pointer on a row shows its lines, and the row of the lines is framed. */
  private renderMatrix(matrix: Matrix, { tokens }: Answer): unknown {
    const { rows } = matrix;
    const row = this.cell?.row;
    const point = (event: PointerEvent): void => {
      if (this.locked) return;
      const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const at = Math.floor((rows * (event.clientY - box.top)) / box.height);
      const col = Math.floor((rows * (event.clientX - box.left)) / box.width);
      this.cell =
        at >= 0 && at < rows ? { row: at, col: Math.min(at, Math.max(0, col)) } : undefined;
    };
    return html`<div
      class="hd-matrix"
      @pointermove=${point}
      @pointerleave=${() => {
        if (!this.locked) this.cell = undefined;
      }}
    >
      ${pixels(matrix, { dark: this.dark, causal: true, title: words.matrix })}
      ${
        row === undefined || row >= rows
          ? nothing
          : html`<i .style=${`--row:${row};--rows:${rows}`} title=${tokens[row] ?? ''}></i>`
      }
    </div>`;
  }

  /** Bars of the head's scores, with what even attention would have as a mark on each. */
  private renderScores({ values, result }: Shown<Values, Answer>): unknown {
    const [layer, which] = placeOf(values.head);
    const scores = result.scores?.[layer];
    if (!scores) return nothing;
    const before = this.ghost && this.lookAt(this.ghost);
    return html`<div><dl class="hd-scores">
      ${looksOf(scores, which).map(
        ({ role, score, even, elsewhere }, i) => html`<div>
          <dt>${words.short[role]}</dt>
          <dd>
            ${
              Number.isFinite(score)
                ? html`<span
                      class="hd-bar"
                      .style=${`--share:${score};--even:${even};--else:${Number.isFinite(elsewhere) ? elsewhere : even};--was:${before?.[i]?.score ?? score}`}
                      ><i></i>${before ? html`<u></u>` : nothing}<b></b></span
                    >${percent(score)}`
                : html`<span class="fine">${words.noRows}</span>`
            }
          </dd>
        </div>`,
      )}
      </dl>
      <p class="hd-key fine"><span class="hd-bar sample" .style=${'--share:0;--even:0.4'}><b></b></span>${words.scores.even}</p>
    </div>`;
  }

  private lookAt({ values, result }: Shown<Values, Answer>): readonly Look[] | undefined {
    const [layer, which] = placeOf(values.head);
    const scores = result.scores?.[layer];
    return scores && looksOf(scores, which);
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const { values, result } = shown;
    const matrix = this.matrixOf(result, values.head);
    return html`<div class="hd-opening" @attn-cell=${(event: CustomEvent<CellEventDetail>) => this.onCell(event)}>
      <div class="hd-all">
        <p class="hd-is">${words.is[result.made](result.layers.flat().length)}</p>
        ${this.renderGrid(shown)}
      </div>
      <div class="hd-one">
        <p class="hd-is"><b>${nameOfPlace(values.head)}</b></p>
        <div class="hd-pair">
          ${matrix ? this.renderMatrix(matrix, result) : nothing}
          ${this.renderScores(shown)}
        </div>
      </div>
      <div class="hd-lines">${this.renderArcs(shown)}</div>
    </div>`;
  }

  protected override pictures() {
    return {
      grid: (shown: Shown<Values, Answer>) => html`<div class="hd-view">
        <p class="hd-is">${words.is[shown.result.made](shown.result.layers.flat().length)}</p>
        ${this.renderGrid(shown)}
      </div>`,
      head: (shown: Shown<Values, Answer>) => html`<div
        class="hd-view"
        @attn-cell=${(event: CustomEvent<CellEventDetail>) => this.onCell(event)}
      >
        <p class="hd-is"><b>${nameOfPlace(shown.values.head)}</b></p>
        ${this.renderArcs(shown)} ${this.renderScores(shown)}
      </div>`,
    };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return words.titles;
  }

  protected override resultLine(shown: Shown<Values, Answer>): string {
    const { values, result } = shown;
    const look = most(this.lookAt(shown) ?? []);
    if (!look) return words.meanwhile;
    const [layer, which] = placeOf(values.head);
    const name = nameOfPlace(values.head);
    return words.verdict({
      head: name.charAt(0).toUpperCase() + name.slice(1),
      share: percent(look.score),
      onto: words.onto[look.role],
      even: percent(look.even),
      role: result.names?.[layer * HEADS + which] ?? 'none',
      untrained: result.made === 'untrained',
    });
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: Shown<Values, Answer>): readonly KeyNumber[] {
    return (this.lookAt(shown) ?? [])
      .filter(({ score }) => Number.isFinite(score))
      .map(({ role, score }) => ({ label: words.short[role], value: score, text: percent(score) }));
  }

  protected override renderDetails({ result }: Shown<Values, Answer>): unknown {
    const { scores, names } = result;
    if (!scores) return nothing;
    return html`<table class="numbers">
      <caption>${words.table}</caption>
      <thead><tr>${words.tableColumns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>
        ${PLACES.map((place, i) => {
          const [layer, which] = placeOf(place);
          const one = scores[layer];
          const look = one && most(looksOf(one, which));
          if (!look) return nothing;
          const name = names?.[i];
          return html`<tr>
            <th scope="row">${nameOfPlace(place)}</th>
            <td>${name ? words.roles[name] : '–'}</td>
            <td>${words.onto[look.role]}</td>
            <td>${percent(look.score)}</td>
            <td>${percent(look.even)}</td>
            <td>${Number.isFinite(look.elsewhere) ? percent(look.elsewhere) : '–'}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  protected override caption({ values, result }: Shown<Values, Answer>): string {
    return words.caption({
      model: words.is[result.made](result.layers.flat().length),
      tokens: result.tokens.length,
      head: nameOfPlace(values.head),
      seed: result.made === 'reader' ? undefined : values.seed,
    });
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    const { tokens, layers } = result;
    return {
      columns: words.columns,
      rows: layers.flatMap((heads, layer) =>
        heads.flatMap((matrix, which) =>
          tokens.flatMap((query, i) =>
            tokens
              .slice(0, i + 1)
              .map((key, j) => [
                layer + 1,
                which + 1,
                query,
                key,
                matrix.data[i * matrix.cols + j] ?? null,
              ]),
          ),
        ),
      ),
    };
  }

  protected override canvases(): readonly HTMLCanvasElement[] {
    return [...this.querySelectorAll<HTMLCanvasElement>('.hd-head[aria-pressed="true"] canvas')];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-opening': AttnHeadsOpening;
  }
}
