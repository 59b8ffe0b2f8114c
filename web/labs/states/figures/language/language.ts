import { book } from 'virtual:book';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Client, type JobTools, poolSize, type TrainingSlice } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import tableCss from '../../../../src/figures/table.css?inline';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/language.ts';
import { chartSvg, looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { LabRace } from '../race.ts';
import {
  BATCH,
  CHARACTERS,
  KINDS,
  type Kind,
  LAYERS,
  LENGTH,
  SETS,
  TEMPERATURE,
  type Told,
  tell,
  WIDTH,
} from './models.ts';

adopt(tableCss);
adopt(css);

const table = {
  set: oneOf({ key: 'models', values: ['hybrids', 'all'], default: 'hybrids' }),
  // Fewer do not tell the models apart.
  steps: oneOf({ key: 'steps', values: ['150', '400', '1500'], default: '1500' }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface Row {
  readonly kind: Kind;
  /** Nothing where its worker was lost. */
  readonly told: Told | null;
}

/** The text without the titles of its chapters, once it was fetched. */
let loaded: Promise<string> | undefined;
function text(signal: AbortSignal): Promise<string> {
  loaded ??= fetch(book.address, { signal })
    .then(async (answer) => {
      if (!answer.ok) throw new Error(words.missing);
      // Titles are short, so that what is read lies within twice as much.
      const beginning = (await answer.text()).slice(0, 2 * CHARACTERS);
      return beginning.replace(/\f[^\n]*\n/g, '\n').slice(0, CHARACTERS);
    })
    .catch((error: unknown) => {
      loaded = undefined;
      throw signal.aborted ? error : new Error(words.missing);
    });
  return loaded;
}

/** A curve has so many points, each the mean of the losses around it: single batches are too noisy to compare. */
const POINTS = 15;

/** The means of the points of each part of the steps. */
function averaged(points: Series['points'], steps: number): Series['points'] {
  const parts = new Map<number, { x: number; y: number; count: number }>();
  for (const { x, y } of points) {
    const at = Math.min(POINTS - 1, Math.floor((POINTS * x) / steps));
    const part = parts.get(at) ?? { x: 0, y: 0, count: 0 };
    parts.set(at, { x: part.x + x, y: part.y + y, count: part.count + 1 });
  }
  return [...parts.values()].map(({ x, y, count }) => chartPoint(x / count, y / count));
}

/**
 * Language models of each kind on the same text with about the same number of parameters.
 *
 * @element attn-states-language
 */
@customElement('attn-states-language')
export class AttnStatesLanguage extends LabRace<Kind, Row, Table> {
  override readonly table = table;
  private text = '';

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { kind, told } = (row ?? {}) as Partial<Row>;
    return kind !== undefined && kind in KINDS && (told === null || Array.isArray(told?.losses));
  }

  protected override describe({ set, steps, seed }: Values): string {
    return words.describe(words.sets[set], steps, seed);
  }

  protected override entrants({ set }: Values): readonly Kind[] {
    return SETS[set];
  }

  protected override isOfEntrant({ kind }: Row, one: Kind): boolean {
    return kind === one;
  }

  protected override async prepare({ signal }: Ask): Promise<void> {
    this.text = await text(signal);
  }

  protected override async train(
    client: Client,
    tools: JobTools,
    kind: Kind,
    { steps, seed }: Values,
    onSlice: (slice: TrainingSlice) => void,
  ): Promise<Row> {
    return { kind, told: await tell(client, tools, kind, this.text, Number(steps), seed, onSlice) };
  }

  protected override lostRow(kind: Kind): Row {
    return { kind, told: null };
  }

  protected override isLost({ told }: Row): boolean {
    return told === null;
  }

  protected override get controls() {
    const steps = Object.fromEntries(table.steps.values.map((value) => [value, value]));
    return [
      choice('set', { label: words.set, options: words.sets, list: true }),
      choice('steps', { label: words.steps, options: steps }),
      seedKnob(),
    ];
  }

  private name(kind: Kind): string {
    return modelName(kind, kind);
  }

  /** Finished curves, and those that are being learned. */
  private series(rows: readonly Row[]): readonly Series[] {
    const looks = looksOf(Object.keys(KINDS), this.dark);
    const line = (kind: Kind, points: Series['points']): Series => ({
      ...{ id: kind, label: this.name(kind), ...(looks.get(kind) as Look) },
      points: averaged(points, Number(this.values.steps)),
    });
    return [
      ...rows.flatMap(({ kind, told }) =>
        told
          ? [
              line(
                kind,
                told.steps.map((step, k) => chartPoint(step + 1, told.losses[k] ?? Number.NaN)),
              ),
            ]
          : [],
      ),
      ...[...this.learning].map(([kind, points]) => line(kind, points)),
    ];
  }

  private levels(rows: readonly Row[]): readonly Level[] {
    const unigram = rows.find(({ told }) => told)?.told?.unigram;
    return unigram ? [{ y: unigram, label: words.unigram, dashed: true }] : [];
  }

  private chart(rows: readonly Row[], summary: string): unknown {
    return html`<attn-line-chart
      .level=${4}
      .series=${this.series(rows)}
      .levels=${this.levels(rows)}
      .x=${{ linear: true, low: 0, high: Number(this.values.steps) }}
      .y=${{ linear: true }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${summary}
    ></attn-line-chart>`;
  }

  protected renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    return this.chart(shown.result, this.summary(shown));
  }

  protected override renderWaiting(): unknown {
    if (this.learning.size > 0) return this.chart([], words.heading);
    return super.renderWaiting();
  }

  protected override get axes() {
    return { x: words.x, y: words.y };
  }

  protected override get estimate(): string {
    const { set, steps } = this.values;
    return words.estimate(SETS[set].length, Number(steps), poolSize());
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    return modelTable(
      words.table,
      words.columns,
      result.map(({ kind, told }) =>
        told
          ? modelRow(this.name(kind), [
              formatCount(told.parameters),
              formatBytes(told.stateBytes),
              formatNumber(told.heldOut),
              formatNumber(told.seconds),
              html`<span class="st-written" lang="en">${told.text}</span>`,
            ])
          : html`<tr>
              <th scope="row">${this.name(kind)}</th>
              <td colspan="5">${words.lost}</td>
            </tr>`,
      ),
    );
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return result.flatMap(({ kind, told }) =>
      told
        ? {
            ...{ label: this.name(kind), value: told.heldOut },
            text: words.lossAt(formatNumber(told.heldOut), formatBytes(told.stateBytes)),
          }
        : [],
    );
  }

  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    return words.heldOut(
      this.keyNumbers(shown)
        .map(({ label, text }) => `${label} ${text}`)
        .join('; '),
    );
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    const { steps, seed } = values;
    return words.caption({
      ...{ characters: formatCount(CHARACTERS), layers: LAYERS, width: WIDTH, length: LENGTH },
      ...{ steps, batch: BATCH, temperature: formatTick(TEMPERATURE), seed },
    });
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const told = result.filter((row) => row.told !== null);
    const best = told.sort((a, b) => (a.told?.heldOut ?? 0) - (b.told?.heldOut ?? 0))[0];
    return best?.told ? words.summary(this.name(best.kind), formatNumber(best.told.heldOut)) : '';
  }

  protected data({ values, result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.flatMap(({ kind, told }) =>
        told
          ? told.steps.map((step, i) => [
              ...[kind, values.seed, step, told.losses[i] ?? null, told.heldOut, told.parameters],
              ...[told.stateBytes, told.text],
            ])
          : [],
      ),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartSvg(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-language': AttnStatesLanguage;
  }
}
