import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Kept, Matrix } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series, seriesColors } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { chartFile, table as numbers } from '../../draw/figure-parts.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/spectrum.ts';
import { float32Tolerance, softmaxRank } from './rank.ts';

adopt(css);

const table = {
  n: integer({ key: 'n', default: 32, min: 4, max: 96 }),
  dK: integer({ key: 'd', label: 'd_k', default: 4, min: 1, max: 32 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

interface Spectrum {
  readonly values: readonly number[];
  readonly rank: number;
}
type Kind = 'scores' | 'softmax' | 'taylor';
const KINDS: readonly Kind[] = ['scores', 'softmax', 'taylor'];

type Result = Readonly<Record<Kind, Spectrum>> & { readonly features: number };

/**
 * Singular values of the scores, of softmax and of an explicit feature map.
 *
 * @element attn-kt-spectrum
 */
@customElement('attn-kt-spectrum')
export class AttnKtSpectrum extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute({ n, dK, seed }: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const qkv = await keptGaussian(client, { n, dK, dV: 1, seed }, { signal });
    const featureMap = { id: 'taylor_compact' };
    const keep = { signal, keep: true } as const;
    const spectrum = async (x: Kept<Matrix>): Promise<Spectrum> => ({
      values: [...(await client.singularValues({ x }, { signal }))],
      rank: await client.numericalRank({ x, tolerance: float32Tolerance(n) }, { signal }),
    });
    const [{ weights: scores }, softmax, q, k] = await Promise.all([
      client.standardAttentionOrder(qkv, keep),
      softmaxRank(client, { n, dK, seed }, { signal }),
      client.applyFeatureMap({ x: qkv.q, featureMap }, keep),
      client.applyFeatureMap({ x: qkv.k, featureMap, role: 'key' }, keep),
    ]);
    const taylor = await client.standardAttentionOrder({ q, k, v: qkv.v }, keep);
    const found = {
      scores: await spectrum(scores),
      softmax: await spectrum(softmax.weights),
      taylor: await spectrum(taylor.weights),
      features: q.cols,
    };
    client.release([scores, softmax, q, k, taylor]);
    return found;
  }

  protected override readonly firstKnobs = ['dK', 'n'] as const;
  protected override get controls() {
    return [
      slider('n', { label: words.n, symbol: 'n' }),
      slider('dK', { label: words.d, symbol: 'd_k' }),
      seedKnob(),
    ];
  }

  private lines({ values: { n }, result }: Shown<Values, Result>): Series[] {
    const [, , , cold = '', green = ''] = seriesColors[this.dark ? 'dark' : 'light'];
    const { ghost } = this;
    const points = (values: readonly number[]) =>
      values.map((value, i) => chartPoint(i + 1, value / (values[0] || 1)));
    const looks = {
      scores: { color: cold, mark: 'down' },
      softmax: lookOf('softmax', this.dark),
      taylor: { color: green, mark: 'square' },
    } as const;
    return [
      ...KINDS.map(
        (kind): Series => ({
          ...{ id: kind, label: words.names[kind], ...looks[kind] },
          points: points(result[kind].values),
        }),
      ),
      ...(ghost
        ? KINDS.map(
            (kind): Series => ({
              ...{ id: `${kind}-before`, ...lookOf('ghost', this.dark), model: true },
              ...{ label: nameOf('ghost'), unnamed: kind !== 'softmax' },
              points: points(ghost.result[kind].values),
            }),
          )
        : []),
      {
        ...{ id: 'noise', label: words.tail, ...lookOf('chance', this.dark), model: true },
        points: [1, n].map((x) => chartPoint(x, float32Tolerance(n))),
      },
    ];
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    return html`<attn-line-chart
      .heading=${''}
      .summary=${`${this.heading}. ${this.summary(shown)}`}
      .level=${4}
      .series=${this.lines(shown)}
      .x=${{ linear: true, whole: true, low: 0 }}
      .y=${{ low: 1e-10, high: 2 }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
    ></attn-line-chart>`;
  }

  protected override renderDetails({ values, result }: Shown<Values, Result>): unknown {
    const { n, dK } = values;
    const limits = {
      scores: words.limits.scores(dK),
      softmax: words.limits.softmax(n),
      taylor: words.limits.taylor(result.features, n),
    };
    return numbers(
      words.table,
      words.columns,
      KINDS.map((kind) => {
        const { values: all, rank } = result[kind];
        const second = (all[1] ?? 0) / (all[0] || 1);
        return [words.names[kind], html`<b>${rank}</b>`, limits[kind], formatNumber(second)];
      }),
    );
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return KINDS.map((kind) => {
      const { rank } = result[kind];
      return { label: words.ranks[kind], value: rank, text: String(rank) };
    });
  }

  protected caption({ values: { n, dK, seed } }: Shown<Values, Result>): string {
    return words.caption(n, dK, seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const { scores, softmax, taylor, features } = result;
    return words.summary(scores.rank, softmax.rank, taylor.rank, features);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: [words.x, ...KINDS.map((kind) => words.names[kind])],
      rows: result.scores.values.map((_, i) => [
        i + 1,
        ...KINDS.map((kind) => result[kind].values[i] ?? null),
      ]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-spectrum': AttnKtSpectrum;
  }
}
