import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { DotProductMoments } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { chartFile, colors, ghostly } from '../parts.ts';

const words = figureWords.now.moments;

const WIDTHS = [4, 16, 64, 256, 1024];

const table = {
  samples: integer({ key: 'samples', min: 10, max: 4000, default: 1000 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type Result = readonly DotProductMoments[];

/**
 * The variance of q·k, measured over d_k.
 *
 * @element attn-dot-moments
 */
@customElement('attn-dot-moments')
export class AttnDotMoments extends LabFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ samples, seed }: Values, { signal }: Ask): Promise<Result> {
    return this.tools.client.dotProductMoments({ dK: WIDTHS, samples, seed }, { signal });
  }

  protected override readonly firstKnobs = ['samples'] as const;

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [slider('samples', { label: words.samples, log: true }), seedKnob()];
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): KeyNumber[] {
    const last = result.at(-1);
    return last ? [{ label: words.scaled, value: last.scaledVariance }] : [];
  }

  private series({ result }: Shown<Values, Result>): readonly Series[] {
    const paint = colors(this.dark);
    return [
      {
        ...{
          id: 'variance',
          label: words.variance,
          color: paint[1] ?? '',
          mark: 'circle' as const,
        },
        points: result.map(({ dK, variance, varianceError }) =>
          chartPoint(dK, variance, variance - 2 * varianceError, variance + 2 * varianceError),
        ),
      },
      {
        ...{ id: 'scaled', label: words.scaled, color: paint[3] ?? '', mark: 'square' as const },
        points: result.map(({ dK, scaledVariance }) => chartPoint(dK, scaledVariance)),
      },
      {
        ...{ id: 'theory', label: words.theory, color: paint[2] ?? '', mark: 'circle' as const },
        model: true,
        points: result.map(({ dK }) => chartPoint(dK, dK)),
      },
    ];
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { ghost } = this;
    const before = ghost ? this.series(ghost).slice(0, 1) : [];
    const series = [...ghostly(before, this.dark), ...this.series(shown)];
    return html`<attn-line-chart
        .level=${4}
        .series=${series}
        .x=${{ count: 'binary' }}
        .xLabel=${words.theory}
        .yLabel=${words.y}
        .describe=${({ series: id, point }: { series: string; point: number }) => {
          const one = series.find((line) => line.id === id);
          const at = one?.points[point];
          return one && at ? words.point(one.label, at.x, formatNumber(at.y)) : '';
        }}
        .summary=${this.summary(shown)}
      ></attn-line-chart>`;
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }

  protected override caption({ values: { samples, seed } }: Shown<Values, Result>): string {
    return words.caption(samples, seed);
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const [first, last] = [result[0], result.at(-1)];
    if (!first || !last) return '';
    return words.slope(
      formatNumber(first.variance),
      formatNumber(last.variance),
      formatNumber(last.scaledVariance),
    );
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: result.map((one) => [
        ...[one.dK, one.mean, one.variance, one.varianceError, one.scaledVariance],
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-dot-moments': AttnDotMoments;
  }
}
