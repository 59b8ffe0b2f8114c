import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { DropoutAverage } from '#client';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint } from '../../../../src/plot/chart.ts';
import { sharedScale } from '../../../../src/plot/color.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { weightScale } from '../draw.ts';
import {
  chartFile,
  colors,
  type Heat,
  matrixPicture,
  PictureFigure,
  percent,
  said,
} from '../parts.ts';

const words = figureWords.now.dropout;

const N = 10;
const D = 8;

const table = {
  probability: number({ key: 'p', min: 0, max: 0.9, default: 0.3 }),
  draws: integer({ key: 'draws', min: 1, max: 1024, default: 256 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

/**
 * Dropout of weights: one draw, and the mean of many.
 *
 * @element attn-dropout-average
 */
@customElement('attn-dropout-average')
export class AttnDropoutAverage extends PictureFigure<DropoutAverage, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<DropoutAverage> {
    const { client } = this.tools;
    const { probability, draws, seed } = values;
    const qkv = await keptGaussian(client, { n: N, dK: D, dV: D, seed }, { signal });
    return client.dropoutAverage({ ...qkv, probability, draws, seed }, { signal });
  }

  protected override readonly firstKnobs = ['probability'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('probability', { label: words.probability, step: 0.05 }),
      slider('draws', { label: words.draws, log: true }),
      seedKnob(),
    ];
  }

  protected override heats({ result }: Shown<Values, DropoutAverage>): readonly Heat[] {
    const high = Math.max(...result.dropped.data, ...result.weights.data);
    const scale = sharedScale([[0, high]], 'linear');
    return [
      { matrix: result.weights, heading: words.weights, scale },
      { matrix: result.dropped, heading: words.dropped, scale },
    ];
  }

  private sentences({ result }: Shown<Values, DropoutAverage>): readonly string[] {
    const sums = [...result.rowSums];
    const [first, last] = [result.errors[0], result.errors.at(-1)];
    return [
      words.smallest(formatNumber(Math.min(...sums)), formatNumber(Math.max(...sums))),
      words.average(
        percent(first ?? Number.NaN),
        percent(last ?? Number.NaN),
        result.draws.at(-1) ?? 0,
      ),
    ];
  }

  protected override renderResult(shown: Shown<Values, DropoutAverage>): unknown {
    const { rowSums } = shown.result;
    return html`<div class="sg-minis" .style=${'--across:2'}>
      ${this.heats(shown).map(({ matrix, heading, scale = weightScale }, i) =>
        matrixPicture(
          // The rows of a softmax sum to 1.
          {
            ...{ name: heading, matrix, scale, flat: true },
            sums: i === 0 ? Array.from(rowSums, () => 1) : Array.from(rowSums),
          },
          this.dark,
          heading,
        ),
      )}
    </div>`;
  }

  protected override pictures() {
    return { mean: (shown: Shown<Values, DropoutAverage>) => this.renderMean(shown) };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { mean: words.meanTitle };
  }

  private renderMean(shown: Shown<Values, DropoutAverage>): unknown {
    const { result } = shown;
    const points = [...result.draws].map((x, i) => chartPoint(x, result.errors[i] ?? Number.NaN));
    const chart =
      points.length > 1 && points.every(({ y }) => y > 0)
        ? html`<attn-line-chart
            .level=${4}
            .series=${[
              {
                ...{ id: 'error', label: words.y, color: colors(this.dark)[1] ?? '' },
                ...{ mark: 'circle' as const, points },
              },
            ]}
            .x=${{ count: 'binary' }}
            .y=${{}}
            .xLabel=${words.x}
            .yLabel=${words.y}
            .describe=${({ point }: { point: number }) => {
              const at = points[point];
              return at ? words.point(at.x, formatNumber(at.y)) : '';
            }}
            .summary=${this.summary(shown)}
          ></attn-line-chart>`
        : '';
    return html`${chart}`;
  }

  protected override renderDetails(shown: Shown<Values, DropoutAverage>): unknown {
    return said(this.sentences(shown));
  }

  protected override keyNumbers({ result }: Shown<Values, DropoutAverage>): KeyNumber[] {
    const error = result.errors.at(-1) ?? Number.NaN;
    return [{ label: words.y, value: error, text: percent(error) }];
  }

  protected override svg(shown: Shown<Values, DropoutAverage>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }

  protected override caption({ values }: Shown<Values, DropoutAverage>): string {
    return words.caption(N, formatTick(values.probability), values.draws, values.seed);
  }

  protected override summary(shown: Shown<Values, DropoutAverage>): string {
    return this.sentences(shown).join(' ');
  }

  protected override data({ result }: Shown<Values, DropoutAverage>): FigureData {
    return {
      columns: words.columns,
      rows: [...result.draws].map((draws, i) => [draws, result.errors[i] ?? Number.NaN]),
      matrices: { weights: result.weights, dropped: result.dropped },
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-dropout-average': AttnDropoutAverage;
  }
}
