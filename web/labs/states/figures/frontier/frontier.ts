import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Client, type JobTools, poolSize, type TrainingSlice } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import tableCss from '../../../../src/figures/table.css?inline';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { boolean, integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { words } from '../../words/frontier.ts';
import { chartSvg, ink, looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { percent } from '../percent.ts';
import { LabRace } from '../race.ts';
import { type Model, modelsOf, RATES, TASKS, VOCABULARY, WIDTH } from './models.ts';
import { PAPER_BASED } from './paper-curve.ts';
import { type Trained, trainOne } from './train-one.ts';

adopt(tableCss);

const table = {
  set: oneOf({ key: 'models', values: ['first', 'sizes', 'all'], default: 'first' }),
  seeds: integer({ key: 'seeds', default: 3, min: 1, max: 5 }),
  task: oneOf({ key: 'task', values: ['small', 'full'], default: 'small' }),
  rate: oneOf({ key: 'rate', values: RATES, default: '0.01' }),
  paper: boolean({ key: 'paper', default: true }),
};
type Table = typeof table;
type Values = StateOf<Table>;

/** What the seeds of one model came to. */
interface Spread {
  readonly least: number;
  readonly median: number;
  readonly largest: number;
}

/** One model with one seed. */
interface Row {
  readonly id: string;
  readonly family: string;
  readonly seed: number;
  /** Nothing where its worker was lost. */
  readonly trained: Trained | null;
  /** Over the seeds of this model that have arrived, this one among them: recall, and seconds. */
  readonly recall?: Spread;
  readonly seconds?: Spread;
}

/** One model with all of its seeds. */
interface Point extends Trained {
  readonly id: string;
  readonly family: string;
  readonly recall: Spread;
  readonly took: Spread;
  readonly seeds: number;
}

interface Entrant {
  readonly model: Model;
  readonly seed: number;
}

/**
 * Models trained on recall, several at a time: their points of recall against bytes of state.
 *
 * @element attn-states-frontier
 */
@customElement('attn-states-frontier')
export class AttnStatesFrontier extends LabRace<Entrant, Row, Table> {
  override readonly table = table;
  protected override readonly viewKnobs = ['paper'];

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { id, family, seed, trained, recall } = (row ?? {}) as Partial<Row>;
    const named = typeof id === 'string' && typeof family === 'string' && typeof seed === 'number';
    return named && (trained === null || typeof recall?.median === 'number');
  }

  protected override describe({ set, task, seeds, rate }: Values): string {
    return words.describe(words.sets[set], words.tasks[task], seeds, rate);
  }

  protected override entrants({ set, seeds, task }: Values): readonly Entrant[] {
    const models = modelsOf(set, task);
    return Array.from({ length: seeds }, (_, seed) =>
      models.map((model) => ({ model, seed })),
    ).flat();
  }

  protected override isOfEntrant(row: Row, { model, seed }: Entrant): boolean {
    return row.id === model.id && row.seed === seed;
  }

  protected override async train(
    client: Client,
    tools: JobTools,
    { model, seed }: Entrant,
    { task, rate }: Values,
    onSlice: (slice: TrainingSlice) => void,
  ): Promise<Row> {
    const { id, family } = model;
    return {
      id,
      family,
      seed,
      trained: await trainOne(client, tools, model, task, rate, seed, onSlice),
    };
  }

  protected override lostRow({ model: { id, family }, seed }: Entrant): Row {
    return { id, family, seed, trained: null };
  }

  protected override isLost({ trained }: Row): boolean {
    return trained === null;
  }

  protected override async completed(row: Row, before: readonly Row[], ask: Ask): Promise<Row> {
    if (!row.trained) return row;
    const all = [...before, row].flatMap(({ id, trained }) =>
      id === row.id && trained ? [trained] : [],
    );
    const { client } = this.tools;
    const of = async (name: 'accuracy' | 'seconds'): Promise<Spread> => {
      const input = { values: all.map((one) => one[name]), probabilities: [0, 0.5, 1] };
      const [least = 0, median = 0, largest = 0] = await client.quantiles(input, {
        signal: ask.signal,
      });
      return { least, median, largest };
    };
    const [recall, seconds] = await Promise.all([of('accuracy'), of('seconds')]);
    return { ...row, recall, seconds };
  }

  private lost(rows: readonly Row[]): number {
    return rows.filter((row) => this.isLost(row)).length;
  }

  /** Each model as it stands after its last row. */
  private points(rows: readonly Row[]): readonly Point[] {
    const found = new Map<string, Point>();
    for (const { id, family, trained, recall, seconds } of rows) {
      if (!trained || !recall || !seconds) continue;
      const seeds = (found.get(id)?.seeds ?? 0) + 1;
      found.set(id, { ...trained, id, family, recall, took: seconds, seeds });
    }
    return [...found.values()];
  }

  protected override get controls() {
    const rates = Object.fromEntries(RATES.map((rate) => [rate, rate]));
    return [
      choice('set', { label: words.set, options: words.sets, list: true }),
      slider('seeds', { label: words.seeds }),
      toggle('paper', { label: words.paper }),
      choice('task', { label: words.task, options: words.tasks }),
      choice('rate', { label: words.rate, options: rates }),
    ];
  }

  private family(family: string): string {
    return modelName(family, family);
  }

  private nameOf({ id, family }: Pick<Point, 'id' | 'family'>): string {
    const [, width] = /-(\d+)$/.exec(id) ?? [];
    return width ? words.ofWidth(this.family(family), width) : this.family(family);
  }

  /** Those that no other beats: nobody recalls as much with as little. */
  private frontier(points: readonly Point[]): readonly Point[] {
    const sorted = [...points].sort(
      (a, b) => a.stateBytes - b.stateBytes || b.recall.median - a.recall.median,
    );
    let best = Number.NEGATIVE_INFINITY;
    return sorted.filter(({ recall: { median } }) => {
      if (median <= best) return false;
      best = median;
      return true;
    });
  }

  private paperLine(): Series {
    return {
      ...{ id: 'paper', label: words.paperLine, color: ink(this.dark), mark: 'plus', model: true },
      ...{ unnamed: true, width: 1 },
      points: PAPER_BASED.map(([bytes, accuracy]) => chartPoint(bytes, accuracy)),
    };
  }

  private series({ result }: Shown<Values, readonly Row[]>): readonly Series[] {
    const all = this.points(result);
    const families = new Map<string, Point[]>();
    for (const point of all) {
      families.set(point.family, [...(families.get(point.family) ?? []), point]);
    }
    const looks = looksOf([...families.keys()], this.dark);
    const series: Series[] = [...families].map(([family, points]) => ({
      ...{ id: family, label: this.family(family), ...(looks.get(family) as Look) },
      points: [...points]
        .sort((a, b) => a.stateBytes - b.stateBytes)
        .map(({ stateBytes, recall: { median, least, largest } }) =>
          chartPoint(stateBytes, median, least, largest),
        ),
    }));
    const best = this.frontier(all);
    if (best.length > 1) {
      const { color } = lookOf('ghost', this.dark);
      series.push({
        ...{ id: 'frontier', label: words.frontier, color, mark: 'circle' },
        ...{ line: 'step', bare: true, width: 4 },
        points: best.map(({ stateBytes, recall }) => chartPoint(stateBytes, recall.median)),
      });
    }
    if (this.values.paper) series.push(this.paperLine());
    return series;
  }

  /** The loss of those that are in training, from their first step on. */
  private renderLearning(): unknown {
    const entrants = [...this.learning];
    const looks = looksOf(
      entrants.map(([{ model }]) => model.family),
      this.dark,
    );
    return html`<attn-line-chart
      .level=${4}
      .series=${entrants.map(([{ model, seed }, points]) => ({
        ...{ id: `${model.id} ${seed}`, label: `${this.nameOf(model)}, ${words.seed(seed)}` },
        ...{ ...(looks.get(model.family) as Look), bare: true, points },
      }))}
      .x=${{ linear: true, low: 0, high: TASKS[this.values.task].steps }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.step}
      .yLabel=${words.loss}
      .dark=${this.dark}
      .summary=${words.learning}
    ></attn-line-chart>`;
  }

  private levels(rows: readonly Row[]): readonly Level[] {
    const chance = rows.find(({ trained }) => trained)?.trained?.chance;
    return chance ? [{ y: chance, label: words.chance, dashed: true }] : [];
  }

  private chart(series: readonly Series[], levels: readonly Level[], summary: string): unknown {
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .levels=${levels}
      .x=${{ count: 'binary' }}
      .y=${{ linear: true, low: 0, high: 1 }}
      .formatX=${formatBytes}
      .formatY=${percent}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${summary}
    ></attn-line-chart>`;
  }

  protected renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    if (this.running && this.learning.size > 0) return this.renderLearning();
    const lost = this.lost(shown.result);
    return html`${this.chart(this.series(shown), this.levels(shown.result), this.summary(shown))}
    ${lost > 0 && !this.running ? html`<p class="notice">${words.lost(lost)}</p>` : nothing}`;
  }

  /** A phone has no room for the curves of the question and for these points, so the points take their place. */
  protected override get hasRoomForAnswers(): boolean {
    return !this.shown && !(this.running && this.learning.size > 0);
  }

  /** The empty axes, and what the papers say, unless the answer of the question stands there; how much there is to train. */
  protected override renderWaiting(): unknown {
    if (this.running && this.learning.size > 0) return this.renderLearning();
    const { set, seeds, task } = this.values;
    return html`${this.answeredHere ? nothing : this.chart([this.paperLine()], [], '')}
      <p class="st-small">
        ${words.estimate(modelsOf(set, task).length * seeds, TASKS[task].steps, poolSize())}
      </p>`;
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    const points = [...this.points(result)].sort((a, b) => b.recall.median - a.recall.median);
    return modelTable(
      words.table,
      words.columns,
      points.map((point) =>
        modelRow(this.nameOf(point), [
          formatBytes(point.stateBytes),
          formatCount(point.parameters),
          html`${percent(point.recall.median)}
          ${
            point.seeds > 1
              ? html`<span class="spread"
                >${percent(point.recall.least)} … ${percent(point.recall.largest)}</span
              >`
              : nothing
          }`,
          point.seeds,
          formatNumber(point.took.median),
        ]),
      ),
    );
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return this.frontier(this.points(result)).map((point) => ({
      ...{ label: this.nameOf(point), value: point.recall.median },
      text: words.atBytes(percent(point.recall.median), formatBytes(point.stateBytes)),
    }));
  }

  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    const { set, seeds, task } = shown.values;
    const all = modelsOf(set, task).length * seeds;
    const { length } = shown.result;
    if (length < all) return words.soFar(length, all);
    return words.onFrontier(
      this.keyNumbers(shown)
        .map(({ label, text }) => `${label} ${text}`)
        .join(', '),
    );
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    const { length, pairs, steps, batch } = TASKS[values.task];
    return words.caption({
      rate: values.rate,
      ...{ length, pairs, steps, vocabulary: VOCABULARY, width: WIDTH, batch },
      seeds: values.seeds === 1 ? '0' : `0…${values.seeds - 1}`,
      workers: poolSize(),
    });
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const best = [...this.points(result)].sort((a, b) => b.recall.median - a.recall.median)[0];
    return best ? words.summary(result.length, this.nameOf(best), percent(best.recall.median)) : '';
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.map(({ id, family, seed, trained }) => [
        ...[id, family, seed, trained?.stateBytes ?? null, trained?.parameters ?? null],
        ...[trained?.accuracy ?? null, trained?.loss ?? null, trained?.chance ?? null],
        trained?.seconds ?? null,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartSvg(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-frontier': AttnStatesFrontier;
  }
}
