import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { CoreError, type FeatureMapInfo } from '#client';
import { featureMapsOf } from '../../../../src/core.ts';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { choices } from '../../../../src/figures/map-parameters.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatTick } from '../../../../src/plot/format.ts';
import { lookOf, nameOf, type ThingId } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { strings } from '../../../../src/strings/index.ts';
import { inLanguage } from '../../../../src/strings/registry.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../figures.css?inline';
import { words as all } from '../words.ts';

adopt(css);

const words = all.now.rows;

const table = {
  map: text({ key: 'map', maxLength: 60, default: 'relu' }),
  count: oneOf({ key: 'count', values: ['queries', 'pairs'], default: 'queries' }),
  n: integer({ key: 'n', min: 8, max: 256, default: 128 }),
  draws: integer({ key: 'draws', min: 1, max: 20, default: 4 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

/** The width that the prediction asks about. */
const ASKED = 4;
/** The widths at which rows are counted. */
const WIDTHS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32];

interface Width {
  readonly d: number;
  readonly count: number;
  readonly of: number;
}

interface Result {
  readonly map: FeatureMapInfo;
  readonly widths: readonly Width[];
}

/** The expected shares for ReLU with independent signs: that no coordinate is positive, and that none is positive in both. */
const expected = { queries: (d: number) => 0.5 ** d, pairs: (d: number) => 0.75 ** d };

/**
 * How many queries a map turns into the zero vector, or how many weights are exactly 0, counted over
 * the width.
 *
 * @element attn-dead-rows
 */
@customElement('attn-dead-rows')
export class AttnDeadRows extends LabFigure<Result, typeof table> {
  override readonly table = table;

  @state() private maps: readonly FeatureMapInfo[] = [];

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    if (this.maps.length === 0) this.maps = await inLanguage(await featureMapsOf(client));
    const map = this.maps.find(({ id }) => id === values.map);
    if (!map) throw new CoreError('value', strings.lab.unknownMap(values.map), 'map');
    const { n, draws, seed, count } = values;
    const { signal } = ask;
    const widths: Width[] = [];
    for (const d of WIDTHS) {
      let found = 0;
      for (let draw = 0; draw < draws; draw++) {
        const qkv = await keptGaussian(client, { n, dK: d, dV: 1, seed: seed + draw }, { signal });
        const featureMap = { id: map.id, seed: seed + draw };
        const { data, cols } =
          count === 'queries'
            ? await client.applyFeatureMap({ x: qkv.q, featureMap }, { signal })
            : (await client.compareToSoftmax({ ...qkv, featureMap }, { signal })).implicit;
        found += count === 'queries' ? zeroRows(data, cols) : zeros(data);
      }
      widths.push({ d, count: found, of: draws * (count === 'queries' ? n : n * n) });
      ask.onProgress(widths.length / WIDTHS.length);
    }
    return { map, widths };
  }

  protected override readonly firstKnobs = ['map', 'count'] as const;
  protected override get controls(): readonly Knob<keyof Values>[] {
    return [
      choice('map', {
        label: all.now.map,
        options: choices(this.maps, this.values.map),
        list: true,
      }),
      choice('count', { label: words.show, options: words.options }),
      slider('n', { symbol: 'n', label: words.n, log: true }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
  }

  private series({ values, result }: Shown<Values, Result>): readonly Series[] {
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const { count } = values;
    const { guess, truth } = this.bothAnswers;
    // The question is about queries of width 4.
    const answers = values.count === 'queries' ? { guess, truth } : {};
    return [
      ...(Object.entries(answers) as [ThingId, number | undefined][]).flatMap(([id, y]) =>
        y === undefined
          ? []
          : [
              {
                ...{ id, label: nameOf(id), ...lookOf(id, this.dark), hollow: true },
                ...{ line: 'none' as const, points: [chartPoint(ASKED, y)] },
              },
            ],
      ),
      {
        ...{ id: 'counted', label: `${result.map.label}, ${words.counted}` },
        ...{ color: colors[3] ?? '', mark: 'circle' as const, line: 'none' as const },
        points: result.widths.map(({ d, count, of }) => chartPoint(d, count / of)),
      },
      {
        ...{ id: 'model', label: `ReLU, ${words.model[count]}` },
        ...{ color: colors[1] ?? '', mark: 'square' as const, model: true },
        points: result.widths.map(({ d }) => chartPoint(d, expected[count](d))),
      },
    ];
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return result.widths
      .filter(({ d }) => d === 2 || d === ASKED || d === 16)
      .map(({ d, count, of }) => ({
        label: `d = ${d}`,
        value: count / of,
        text: `${formatTick((100 * count) / of)} %`,
      }));
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    const { count } = shown.values;
    const said = this.keyNumbers(shown).map(({ label, text }) => `${text} (${label})`);
    return words.zeroAt(words.y[count], said.join(', '));
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    return html`<attn-line-chart
      .level=${4}
      .series=${this.series(shown)}
      .x=${{ count: 'binary' }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.x}
      .yLabel=${words.y[values.count]}
      .describe=${({ series, point }: { series: string; point: number }) => {
        const at = result.widths[point];
        if (!at) return '';
        return series === 'model'
          ? words.modelPoint(at.d, formatTick(expected[values.count](at.d)))
          : words.point(at.d, formatTick(at.count / at.of), at.count, at.of);
      }}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }

  protected override caption({ values, result }: Shown<Values, Result>): string {
    const { n, draws, seed } = values;
    return words.caption(result.map.label, n, draws, all.now.source.seeds(seed, draws));
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const [first, last] = [result.widths[0], result.widths.at(-1)];
    const said = (at: Width | undefined): string =>
      at ? words.point(at.d, formatTick(at.count / at.of), at.count, at.of) : '';
    return words.spoken(said(first), said(last));
  }

  protected override data({ values, result }: Shown<Values, Result>): FigureData {
    const { d, share, count, of, model } = words.columns;
    return {
      columns: [d, share, count, of, model],
      rows: result.widths.map((at) => [
        ...[at.d, at.count / at.of, at.count, at.of],
        expected[values.count](at.d),
      ]),
    };
  }
}

const zeros = (data: Float32Array): number => data.reduce((sum, x) => sum + (x === 0 ? 1 : 0), 0);

function zeroRows(data: Float32Array, cols: number): number {
  let found = 0;
  for (let start = 0; start < data.length; start += cols) {
    if (data.subarray(start, start + cols).every((x) => x === 0)) found++;
  }
  return found;
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-dead-rows': AttnDeadRows;
  }
}
