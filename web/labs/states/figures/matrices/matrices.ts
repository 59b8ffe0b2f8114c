import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { FilterProbe, Matrix, SequenceMixerInfo } from '#client';
import '../../../../src/components/heatmap/heatmap.ts';
import type {
  Cell,
  CellEventDetail,
  FigureAction,
} from '../../../../src/components/heatmap/heatmap.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, line, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { ColorScale } from '../../../../src/plot/color.ts';
import { drawFigure } from '../../../../src/plot/heatmap-picture.ts';
import { boolean, integer, oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/matrices.ts';
import { changeRows } from '../change-rows.ts';
import { modelName } from '../looks.ts';
import { mixersOf } from '../mixers.ts';

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
  /** How much of all weight, by its size, lies on a token itself and on the one before it. */
  readonly nearby: number;
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
  protected override readonly firstKnobs = ['model', 'text'] as const;
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
      const nearby = await client.nearbyShare({ a: matrix, distance: 1 }, { signal: ask.signal });
      rows.push({ info, matrices, matrix, nearby, probe });
      ask.onProgress((i + 1) / infos.length);
    }
    return { tokens, rows };
  }

  protected override get controls() {
    const widths = Object.fromEntries(table.dModel.values.map((d) => [d, d]));
    const { every, model } = this.values;
    const offered = MODELS.filter((id) => every || FIRST.includes(id) || id === model);
    return [
      choice('model', {
        label: words.model,
        options: Object.fromEntries(offered.map((id) => [id, this.name(id)])),
        list: true,
      }),
      line('text', { label: words.text }),
      slider(
        'which',
        { label: words.which, max: mostChannel(this.values) },
        { when: this.byChannel },
      ),
      toggle('every', { label: words.every(MODELS.length) }),
      choice('dModel', { label: words.dModel, options: widths }),
      line('other', { label: words.other }),
      seedKnob(),
    ];
  }

  /** Before there is an answer, only the core knows what a model is called that the course has no name for. */
  private name(id: string): string {
    const row = this.shown?.result.rows.find(({ info }) => info.id === id);
    return modelName(id, row?.info.label ?? id);
  }

  /** Whether the chosen model has a matrix for each channel. Before there is an answer nobody knows. */
  private get byChannel(): boolean {
    const rows = this.shown?.result.rows ?? [];
    return rows.some(({ info, matrices }) => info.id === this.values.model && matrices > 1);
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

  protected override get titles() {
    return { filters: words.filtersTitle };
  }

  /** The picture that was drawn last: the sentence below it, which is drawn after it, is about that one. */
  private drawn: 'matrix' | 'filters' = 'matrix';

  protected override pictures() {
    return {
      filters: ({ result }: Shown<Values, Result>) => {
        this.drawn = 'filters';
        return changeRows(words.filtersTitle, result.rows, this.ghost?.result.rows, this.dark);
      },
    };
  }

  private filterLine({ rows }: Result): string {
    const fixed = rows.filter(({ probe }) => probe.filterFixed);
    return words.filters(
      fixed.map(({ info }) => this.name(info.id as Values['model'])).join(', '),
      rows.length - fixed.length,
    );
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    this.drawn = 'matrix';
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
      ${this.heatmap(chosen, tokens, this.name(chosen?.info.id ?? ''))}
      ${chosen === softmax ? nothing : this.heatmap(softmax, tokens, this.name('softmax'))}
    </div>`;
  }

  protected override renderDetails(): unknown {
    return html`<p class="fine">${words.note}</p>`;
  }

  protected override keyNumbers(shown: Shown<Values, Result>): readonly KeyNumber[] {
    const chosen = this.chosen(shown);
    if (!chosen) return [];
    const { nearby } = chosen;
    return [{ label: words.nearby, value: nearby, text: words.percent(Math.round(100 * nearby)) }];
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    if (this.drawn === 'filters') return this.filterLine(shown.result);
    const [near] = this.keyNumbers(shown);
    if (!near) return '';
    return words.line(this.name(shown.values.model), near.text ?? '');
  }

  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    if (this.drawn === 'filters') return this.filterLine(now.result);
    const [was, is] = [before, now].map((one) => this.keyNumbers(one)[0]?.text ?? '');
    return words.compared(
      ...[this.name(before.values.model), was ?? '', this.name(now.values.model), is ?? ''],
    );
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    return words.caption({
      ...{ tokens: result.tokens.length, dModel: Number(values.dModel) },
      ...{ channel: channelOf(values), seed: values.seed },
    });
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.resultLine(shown);
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
          ...{ matrix, scale: scaleOf(matrix), heading: this.name(info.id), subtitle: '' },
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
