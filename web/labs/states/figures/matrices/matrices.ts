import { html, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { FilterProbe, Matrix, SequenceMixerInfo } from '#client';
import '../../../../src/components/heatmap/heatmap.ts';
import type {
  Cell,
  CellEventDetail,
  FigureAction,
} from '../../../../src/components/heatmap/heatmap.ts';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import tableCss from '../../../../src/figures/table.css?inline';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { type ColorScale, colorOf } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { drawFigure } from '../../../../src/plot/heatmap-picture.ts';
import { boolean, integer, oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/matrices.ts';
import { modelTable } from '../looks.ts';
import { mixersOf } from '../mixers.ts';

adopt(tableCss);
adopt(css);

const MODELS = [
  'softmax',
  'sliding_window',
  'linear',
  'linear_sum',
  'retention',
  'simple_gla',
  'gla',
  'mamba2',
  'delta_rule',
  'gated_delta_rule',
  'retnet',
  'rwkv4',
  'mamba',
  'hyena',
  'mla',
] as const;
/** The models that are there to choose at first sight: the ones whose filters the step asks about, and RetNet. */
const FIRST: readonly string[] = ['retnet', 'rwkv4', 'mamba', 'hyena'];
/** A window that a short text does not fit into. */
const WINDOW = { window: 5, sinks: 1 };
const MOST_TOKENS = 32;
/** These buttons belong to the figure. */
const WITHOUT: readonly FigureAction[] = ['png', 'svg', 'csv', 'json', 'link', 'table'];

const table = {
  model: oneOf({ key: 'model', values: MODELS, default: 'retnet' }),
  text: text({
    key: 'text',
    maxLength: 800,
    default: 'the cat sat on the mat and the dog sat on the log by the door',
  }),
  which: integer({ key: 'channel', default: 0, min: 0, max: 15 }),
  dModel: oneOf({ key: 'd', values: ['8', '16', '32'], default: '16' }),
  other: text({
    key: 'other',
    maxLength: 300,
    default: 'if it rains we stay here unless a train comes early which is rare these days',
  }),
  seed: seed(),
  /** Whether every model is there to choose. */
  every: boolean({ key: 'every', default: false }),
  arcs: boolean({ key: 'arcs', default: false }),
} as const;
type Values = StateOf<typeof table>;

interface Row {
  readonly info: SequenceMixerInfo;
  /** How many matrices there are: one for the head, or one for each channel. */
  readonly matrices: number;
  readonly matrix: Matrix;
  readonly probe: FilterProbe;
}

interface Result {
  readonly tokens: readonly string[];
  readonly rows: readonly Row[];
}

/** Every model that works by channels has at least as many as the layer is wide. */
const mostChannel = ({ dModel }: Values): number => Math.min(table.which.max, Number(dModel) - 1);
const channelOf = (values: Values): number => Math.min(values.which, mostChannel(values));

const split = (given: string): readonly string[] =>
  given.trim().split(/\s+/).filter(Boolean).slice(0, MOST_TOKENS);

/** One scale for each matrix, about zero. */
function scaleOf({ data }: Matrix): ColorScale {
  let [low, high] = [0, 0];
  for (const value of data) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const rest = { tone: 'sqrt', overLow: false, overHigh: false } as const;
  if (low === 0) return { kind: 'sequential', low, high: high || 1, ...rest };
  const most = Math.max(-low, high);
  return { kind: 'diverging', low: -most, high: most, ...rest };
}

/**
 * The implicit attention matrix of every model over one text, and whether its filter depends on it.
 *
 * @element attn-states-matrices
 */
@customElement('attn-states-matrices')
export class AttnStatesMatrices extends LabFigure<Result, typeof table> {
  readonly table = table;
  protected override readonly firstKnobs = ['text', 'which'] as const;
  get heading(): string {
    return words.heading;
  }

  @state() private cell: Cell | undefined;
  @state() private locked = false;
  private readonly answers = this.recentAnswers<Result>(8);

  /** Which model is shown, and how, changes none of the matrices. */
  protected async compute(values: Values, ask: Ask): Promise<Result> {
    const { text, other, dModel, which, seed } = values;
    const depends = [text, other, dModel, which, seed];
    return this.answers.of(depends, () => this.matrices(values, ask));
  }

  private async matrices(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    const dModel = Number(values.dModel);
    const tokens = split(values.text);
    const others = split(values.other);
    const n = Math.min(tokens.length, others.length);
    // One number for each different word of both texts.
    const all = [...new Set([...tokens, ...others])];
    const idsOf = (list: readonly string[]) => list.map((word) => all.indexOf(word));
    const rowsOf = (list: readonly string[]) =>
      client.mixerTokens({ ids: idsOf(list), d: dModel, seed: values.seed }, ask);
    const [x, shorter, other] = await Promise.all([
      rowsOf(tokens),
      rowsOf(tokens.slice(0, n)),
      rowsOf(others.slice(0, n)),
    ]);
    const infos = (await mixersOf(client)).filter(({ hasMatrix }) => hasMatrix);
    const rows: Row[] = [];
    const channel = channelOf(values);
    for (const [i, info] of infos.entries()) {
      const { id } = info;
      const parameters = id === 'sliding_window' ? WINDOW : undefined;
      const mixer = { id, dModel, length: MOST_TOKENS, ...(parameters ? { parameters } : {}) };
      const { matrices } = await client.mixerSizes({ mixer, n: 1 }, { signal: ask.signal });
      const which = Math.min(channel, matrices - 1);
      const matrix = await client.mixerMatrix(
        { mixer, x, seed: values.seed, which },
        { signal: ask.signal },
      );
      const probe = await client.probeFilter(
        { mixer, x: shorter, other, seed: values.seed, which },
        { signal: ask.signal },
      );
      rows.push({ info, matrices, matrix, probe });
      ask.onProgress((i + 1) / infos.length);
    }
    return { tokens, rows };
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    for (const canvas of this.querySelectorAll<HTMLCanvasElement>('.st-models canvas')) {
      const row = this.shown?.result.rows.find(({ info }) => info.id === canvas.dataset.id);
      const context = canvas.getContext('2d');
      if (!row || !context) continue;
      const { rows: n, data } = row.matrix;
      const key = `${this.dark}`;
      // Drawing is cheap, but not at every move of the pointer.
      if (this.drawn.get(canvas)?.matrix === row.matrix && this.drawn.get(canvas)?.key === key) {
        continue;
      }
      this.drawn.set(canvas, { matrix: row.matrix, key });
      canvas.width = n;
      canvas.height = n;
      const scale = scaleOf(row.matrix);
      const pixels = context.createImageData(n, n);
      for (let i = 0; i < n * n; i++) {
        pixels.data.set([...colorOf(scale, data[i] as number, this.dark), 255], 4 * i);
      }
      context.putImageData(pixels, 0, 0);
    }
  }

  private readonly drawn = new WeakMap<
    HTMLCanvasElement,
    { readonly matrix: Matrix; readonly key: string }
  >();

  protected renderKnobs(): unknown {
    const widths = Object.fromEntries(table.dModel.values.map((d) => [d, d]));
    return html`${this.line('text', { label: words.text })}
    ${this.byChannel ? this.slider('which', { label: words.which, max: mostChannel(this.values) }) : ''}
    ${this.choice('dModel', { label: words.dModel, options: widths })}
    ${this.line('other', { label: words.other })} ${this.seed()}`;
  }

  /** Whether the chosen model has a matrix for each channel. Before there is an answer nobody knows. */
  private get byChannel(): boolean {
    const rows = this.shown?.result.rows ?? [];
    return rows.some(({ info, matrices }) => info.id === this.values.model && matrices > 1);
  }

  private renderChoice(rows: readonly Row[]): unknown {
    const { every, model } = this.values;
    const offered = every
      ? rows
      : rows.filter(({ info: { id } }) => FIRST.includes(id) || id === model);
    return html`${this.renderModels(offered, rows)}
      <p>
        <button
          class="button show-all"
          type="button"
          aria-expanded=${String(every)}
          @click=${() => this.set({ every: !every })}
        >
          ${every ? words.fewer : words.every(rows.length)}
        </button>
      </p>`;
  }

  private renderModels(offered: readonly Row[], rows: readonly Row[]): unknown {
    return this.knob(
      'model',
      (disabled) => html`<fieldset class="st-models">
        <legend>${words.model}</legend>
        ${offered.map(
          ({ info, probe }) => html`<label
            ><input
              type="radio"
              name=${this.idFor('model')}
              .checked=${live(info.id === this.values.model)}
              ?disabled=${disabled}
              @change=${() => this.set({ model: info.id as Values['model'] })}
            /><canvas data-id=${info.id} aria-hidden="true"></canvas>${info.label}
            <small>${probe.filterFixed ? words.filters.fixed : words.filters.input}</small></label
          >`,
        )}
      </fieldset>`,
      {
        label: words.model,
        say: (value) => rows.find(({ info }) => info.id === value)?.info.label ?? String(value),
      },
    );
  }

  private heatmap(row: Row | undefined, tokens: readonly string[], heading: string): unknown {
    if (!row) return '';
    return html`<attn-heatmap
      .matrix=${row.matrix}
      .scale=${scaleOf(row.matrix)}
      .visible=${(i: number) => i + 1}
      .rowLabels=${tokens}
      .colLabels=${tokens}
      .cell=${this.cell}
      .locked=${this.locked}
      .dark=${this.dark}
      .heading=${heading}
      .without=${WITHOUT}
      .form=${this.values.arcs ? 'arcs' : 'cells'}
      tokens
      ?busy=${this.busy}
    ></attn-heatmap>`;
  }

  private chosen({ values, result }: Shown<Values, Result>): Row | undefined {
    return result.rows.find(({ info }) => info.id === values.model);
  }

  private verdict({ rows }: Result): string {
    const fixed = rows.filter(({ probe }) => probe.filterFixed).map(({ info }) => info.label);
    return words.verdict(fixed.join(', '), rows.length - fixed.length);
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    const { rows, tokens } = shown.result;
    const chosen = this.chosen(shown);
    const softmax = rows.find(({ info }) => info.id === 'softmax');
    return html`<div
        class="st-two"
        @attn-cell=${({ detail }: CustomEvent<CellEventDetail>) => {
          this.cell = detail.cell;
          this.locked = detail.locked;
        }}
        @attn-action=${({ detail }: CustomEvent<FigureAction>) => {
          if (detail === 'arcs') this.set({ arcs: !this.values.arcs });
        }}
      >
        ${this.heatmap(chosen, tokens, words.chosen(chosen?.info.label ?? ''))}
        ${this.heatmap(softmax, tokens, words.softmax)}
      </div>
      ${this.renderChoice(rows)}
      <p class="verdict">${rich(this.verdict(shown.result))}</p>
      ${modelTable(
        words.table,
        words.columns,
        rows.map(
          ({ info, probe }) => html`<tr>
            <th scope="row">${info.label}</th>
            <td>${formatNumber(probe.change)}</td>
            <td>${formatNumber(probe.filterChange)}</td>
            <td>${formatNumber(probe.diagonalSpread)}</td>
            <td>${probe.filterFixed ? words.filters.fixed : words.filters.input}</td>
          </tr>`,
        ),
      )}
      <p class="fine">${words.note}</p>`;
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    return words.caption({
      ...{ tokens: result.tokens.length, dModel: Number(values.dModel) },
      ...{ channel: channelOf(values), seed: values.seed },
    });
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    return this.verdict(result).replaceAll('*', '');
  }

  protected override canvases({
    values,
    result,
  }: Shown<Values, Result>): Promise<HTMLCanvasElement[]> {
    const { rows, tokens } = result;
    const shown = [values.model, 'softmax'].flatMap((wanted) =>
      rows.filter(({ info }) => info.id === wanted),
    );
    return Promise.all(
      shown.map(({ info, matrix }) =>
        drawFigure({
          ...{ matrix, scale: scaleOf(matrix), heading: info.label, subtitle: '' },
          ...{ visible: (i: number) => i + 1, labels: tokens, arcs: values.arcs, dark: this.dark },
        }),
      ),
    );
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.data,
      rows: result.rows.map(({ info, probe }) => [
        ...[info.id, info.label, probe.change, probe.filterChange, probe.diagonalSpread],
        probe.filterFixed ? 1 : 0,
      ]),
      matrices: Object.fromEntries(result.rows.map(({ info, matrix }) => [info.id, matrix])),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-matrices': AttnStatesMatrices;
  }
}
