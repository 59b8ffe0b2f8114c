import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FeatureMapChoice } from '#client';
import { featureMapsOf } from '../../../../src/core.ts';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { inLanguage } from '../../../../src/strings/registry.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../figures.css?inline';
import { choose, type MapRow, measureQuality, measureTime } from '../registry/measure-map.ts';
import { type Draw, drawOf, sourceTable } from '../shared/source.ts';
import { sourceKnobs, sourceText } from '../shared/source-knobs.ts';
import { words as all } from '../words.ts';
import { front } from './pareto-front.ts';

adopt(css);

const words = all.now.pareto;

const table = {
  ...sourceTable({ n: 128, dK: 16, dV: 16 }),
  draws: integer({ key: 'draws', min: 1, max: 20, default: 5 }),
  most: integer({ key: 'm', min: 16, max: 1024, default: 512 }),
  timedN: integer({ key: 'tn', min: 64, max: 4096, default: 1024 }),
  x: oneOf({ key: 'x', values: ['time', 'dimension'], default: 'time' }),
  y: oneOf({ key: 'y', values: ['outputError', 'correlation', 'mse'], default: 'outputError' }),
};
type Values = StateOf<typeof table>;

/** One map with one number of features. */
interface Point extends MapRow {
  /** The number of features of a random map; 0 for a map whose D follows from the width. */
  readonly features: number;
}
type Rows = Shown<Values, readonly Point[]>;

/** 16, 64, 256 … up to the most. */
function featureCounts(most: number): number[] {
  const counts: number[] = [];
  for (let m = 16; m < most; m *= 4) counts.push(m);
  return [...counts, most];
}

const nameOf = ({ label, features }: Point): string =>
  features > 0 ? `${label}, m = ${features}` : label;

/**
 * Every map as a point: what it costs against how far it is from softmax, and the front of those
 * that no other beats in both.
 *
 * @element attn-map-pareto
 */
@customElement('attn-map-pareto')
export class AttnMapPareto extends LabExperiment<Point, typeof table> {
  override readonly table = table;
  protected override readonly viewKnobs = ['x', 'y'];
  protected override readonly measuresTime = true;

  override get heading(): string {
    return words.heading;
  }

  protected override async *sweep(values: Values, ask: Ask) {
    const { tools } = this;
    const [client, maps] = [tools.client, await inLanguage(await featureMapsOf(tools.client))];
    const { signal } = ask;
    const wanted = maps.flatMap((info) =>
      info.parameters.some(({ name }) => name === 'features')
        ? featureCounts(values.most).map((features) => ({ info, features }))
        : [{ info, features: 0 }],
    );
    for (const [i, { info, features }] of wanted.entries()) {
      let sizes = { dK: values.dK, dV: values.dV };
      const draws = async function* (): AsyncGenerator<Draw> {
        for (let index = 0; index < values.draws; index++) {
          const draw = await drawOf(values, index, tools, ask, all.now.source.missing);
          sizes = { dK: draw.qkv.q.cols, dV: draw.qkv.v.cols };
          yield draw;
          if (values.source === 'lab' && !info.random) return;
        }
      };
      const quality = await measureQuality(client, info, draws(), {
        features,
        scaled: true,
        signal,
      });
      const chosen: FeatureMapChoice = choose(info, features, values.seed);
      const time = await measureTime(client, chosen, { n: values.timedN, ...sizes }, signal);
      yield { row: { ...quality, ...time, features }, fraction: (i + 1) / wanted.length };
    }
  }

  protected override isRow(row: unknown): row is Point {
    const { map, features } = (row ?? {}) as Partial<Point>;
    return typeof map === 'string' && typeof features === 'number';
  }

  protected override describe(values: Values): string {
    return `${sourceText(values, values.draws, this.tools)}, m ≤ ${values.most}`;
  }

  protected override readonly firstKnobs = ['x', 'y'] as const;
  protected override get controls(): readonly Knob<keyof Values>[] {
    return [
      choice('x', { label: words.x, options: words.xOptions }),
      choice('y', { label: words.y, options: words.yOptions }),
      // Random maps have a seed with any data.
      ...sourceKnobs(this.values.source).map((knob) =>
        knob.name === 'seed' ? { ...knob, when: true } : knob,
      ),
      slider('draws', { label: all.now.source.draws }),
      slider('most', { symbol: 'm', label: words.most, log: true }),
      slider('timedN', { label: words.timedN, log: true }),
    ];
  }

  private costOf(point: Point): number {
    return this.values.x === 'time' ? point.milliseconds : point.dimension;
  }

  private errorOf(point: Point): number {
    return this.values.y === 'correlation' ? 1 - point.correlation : point[this.values.y];
  }

  private priced(points: readonly Point[]) {
    return points
      .map((point) => ({ point, cost: this.costOf(point), error: this.errorOf(point) }))
      .filter(({ cost, error }) => cost > 0 && error > 0 && Number.isFinite(cost + error));
  }

  private series(rows: readonly Point[], id = ''): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const [ink = '', orange = '', , blue = ''] = colors;
    const priced = this.priced(rows);
    const best = front(priced);
    const points = (random: boolean) =>
      priced
        .filter(({ point }) => point.features > 0 === random)
        .map(({ point, cost, error }) => ({
          ...chartPoint(cost, error),
          ...(best.some((one) => one.point === point) && id === '' ? { label: point.label } : {}),
        }));
    const other = id !== '';
    return [
      {
        ...{ id: `${id}front`, label: words.front, color: ink, mark: 'circle' as const },
        ...{ bare: true, line: 'step' as const, unnamed: true },
        points: best.map(({ cost, error }) => chartPoint(cost, error)),
      },
      {
        ...{ id: `${id}fixed`, label: words.fixed, color: blue, mark: 'circle' as const },
        ...{ line: 'none' as const, hollow: other },
        points: points(false),
      },
      {
        ...{ id: `${id}random`, label: words.random, color: orange, mark: 'triangle' as const },
        ...{ line: 'none' as const, hollow: other },
        points: points(true),
      },
    ];
  }

  private pointsOf(rows: readonly Point[], random: boolean) {
    return this.priced(rows).filter(({ point }) => point.features > 0 === random);
  }

  private say_(value: number): string {
    return this.values.x === 'time' ? words.ms(formatTick(value)) : `D = ${value}`;
  }

  protected override get axes() {
    const { x, y } = this.values;
    return { x: words.xLabel[x], y: words.yLabel[y] };
  }

  protected override renderResult({ result }: Rows): unknown {
    const { x, y } = this.values;
    const priced = this.priced(result);
    const best = front(priced);
    const [first] = result;
    const describe = ({ series, point }: { series: string; point: number }): string => {
      const found =
        series === 'front'
          ? best[point]
          : series === 'fixed' || series === 'random'
            ? this.pointsOf(result, series === 'random')[point]
            : undefined;
      if (!found) return '';
      const said = words.point(nameOf(found.point), this.say_(found.cost), formatTick(found.error));
      return best.includes(found) || best.some((one) => one.point === found.point)
        ? `${said}, ${words.onFront}`
        : said;
    };
    const names = best.map(({ point }) => nameOf(point)).join('; ');
    return html`<attn-line-chart
        .level=${4}
        .series=${[
          ...this.series(result),
          ...this.compared.flatMap((run, i) => this.series(run.rows, `other${i}-`)),
        ]}
        .x=${x === 'time' ? { count: 'decimal' } : { count: 'binary' }}
        .y=${{}}
        .xLabel=${words.xLabel[x]}
        .yLabel=${words.yLabel[y]}
        .markers=${
          x === 'time' && first && Number.isFinite(first.softmaxMilliseconds)
            ? [{ x: first.softmaxMilliseconds, label: words.softmax, dashed: true }]
            : []
        }
        .levels=${
          y === 'mse' && first ? [{ y: first.uniformMse, label: words.uniform, dashed: true }] : []
        }
        .describe=${describe}
        .summary=${words.frontIs(names)}
      ></attn-line-chart>`;
  }

  protected override renderDetails(shown: Rows): unknown {
    const { result } = shown;
    const left = result.length - this.priced(result).length;
    const [head = '', ...columns] = Object.values(words.columns);
    return html`${left > 0 ? html`<p class="fine">${words.left(left)}</p>` : nothing}
      <div class="scroll" tabindex="0" role="region" aria-label=${this.heading}>
        <table class="measures" aria-label=${this.heading}>
          <thead>
            <tr>
              <th scope="col">${head}</th>
              ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${this.data(shown).rows.map(
              ([name, ...cells]) => html`<tr>
                <th scope="row">${name}</th>
                ${cells.map((cell, i) =>
                  i === cells.length - 1
                    ? html`<td>${cell === 1 ? '✓' : ''}</td>`
                    : html`<td>${typeof cell === 'number' ? formatNumber(cell) : '–'}</td>`,
                )}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }

  protected override keyNumbers({ result }: Rows): readonly KeyNumber[] {
    const best = front(this.priced(result));
    return [{ label: words.front, value: best.length }];
  }

  protected override svg(shown: Rows): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }

  protected override caption({ values }: Rows): string {
    const { timedN, dK, dV, draws } = values;
    const time = all.now.registry.time(timedN, dK, dV);
    return words.caption(sourceText(values, draws, this.tools), draws, time);
  }

  protected override summary({ result }: Rows): string {
    if (this.running) return '';
    return words.frontIs(
      front(this.priced(result))
        .map(({ point }) => nameOf(point))
        .join('; '),
    );
  }

  protected override data({ result }: Rows): FigureData {
    const best = front(this.priced(result)).map(({ point }) => point);
    return {
      columns: [...Object.values(words.columns)],
      rows: result.map((point) => [
        ...[nameOf(point), point.dimension, point.correlation, point.mse, point.outputError],
        ...[point.milliseconds, best.includes(point) ? 1 : 0],
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-map-pareto': AttnMapPareto;
  }
}
