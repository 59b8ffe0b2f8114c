import { html, nothing, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { GradientQuantiles, Kept, Matrix } from '#client';
import { featureMapsOf } from '../../../../src/core.ts';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import { keptGaussian } from '../../../../src/lab/kept-inputs.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { standalone } from '../../../../src/plot/chart.ts';
import { paints, seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { boolean, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { inLanguage } from '../../../../src/strings/registry.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../figures.css?inline';
import { drawOf, sourceTable } from '../shared/source.ts';
import { sourceKnobs, sourceText } from '../shared/source-knobs.ts';
import { words as all } from '../words.ts';
import { barsHeight, drawBars } from './quantile-bars.ts';

adopt(css);

const words = all.now.gradients;

const table = {
  ...sourceTable({ n: 64, dK: 16, dV: 16 }),
  of: oneOf({ key: 'of', values: ['q', 'k'], default: 'q' }),
  scaled: boolean({ key: 'scale', default: true }),
};
type Values = StateOf<typeof table>;

const SOFTMAX = 'softmax';

/** Statistics of one map's gradient, by rows and by entries. */
interface Row {
  readonly id: string;
  readonly label: string;
  readonly quantiles: GradientQuantiles;
  /** Share of entries of x at which φ has no slope; NaN for softmax. */
  readonly flat: number;
}

type Result = readonly Row[];

/**
 * The backward pass of every map on the same data with the same gradient at the output: how large
 * what arrives is, in quantiles.
 *
 * @element attn-map-gradients
 */
@customElement('attn-map-gradients')
export class AttnMapGradients extends LabFigure<Result, typeof table> {
  override readonly table = table;

  @state() private width = 0;
  private readonly sizes = new ResizeObserver(() => {
    this.width = Math.round(this.querySelector('.bars')?.clientWidth ?? 0);
  });
  private watched: Element | undefined;

  override get heading(): string {
    return words.heading;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.watched = undefined;
  }

  protected override updated(_changed: PropertyValues): void {
    const bars = this.querySelector('.bars') ?? undefined;
    if (bars === this.watched) return;
    this.sizes.disconnect();
    this.watched = bars;
    if (bars) this.sizes.observe(bars);
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { tools } = this;
    const [client, maps] = [tools.client, inLanguage(await featureMapsOf(tools.client))];
    const { qkv, seed, causal, scale } = await drawOf(
      values,
      0,
      tools,
      ask,
      all.now.source.missing,
    );
    const { signal } = ask;
    const normal = async (rows: number, cols: number, stream: number): Promise<Kept<Matrix>> =>
      (await keptGaussian(client, { n: rows, dK: 1, dV: cols, seed: seed + stream }, { signal })).v;
    const dO = await normal(qkv.q.rows, qkv.v.cols, 1);
    const x = qkv[values.of];
    const factor = values.scaled ? scale : 1;
    const softmax = await client.attentionBackward(
      {
        ...qkv,
        dO,
        mask: { kind: causal ? 'causal' : 'full' },
        ...(factor === undefined ? {} : { scale: factor }),
      },
      { signal, keep: true },
    );
    const quantilesOf = (gradient: Kept<Matrix>) =>
      client.gradientQuantiles({ gradient }, { signal });
    const rows: Row[] = [
      {
        ...{ id: SOFTMAX, label: words.softmax, flat: Number.NaN },
        quantiles: await quantilesOf(values.of === 'q' ? softmax.dQ : softmax.dK),
      },
    ];
    client.release(softmax);
    for (const { id, label } of maps) {
      const featureMap = { id, seed };
      const back = await client.linearAttentionBackward(
        { ...qkv, featureMap, causal, dO },
        { signal, keep: true },
      );
      const { dimension } = await client.describeFeatureMap({
        featureMap,
        dK: x.cols,
        length: x.rows,
      });
      // The gradient is random: a gradient of ones would cancel for maps whose features sum to a constant.
      const dPhi = await normal(x.rows, dimension, 2);
      const role = values.of === 'q' ? 'query' : 'key';
      const slope = await client.featureMapBackward(
        { x, dPhi, featureMap, role, length: x.rows },
        { signal, keep: true },
      );
      const { smallShare } = await client.gradientQuantiles(
        { gradient: slope, small: 1e-12 },
        { signal },
      );
      rows.push({ id, label, flat: smallShare, quantiles: await quantilesOf(back[values.of]) });
      client.release([back, slope]);
      ask.onProgress(rows.length / (maps.length + 1));
    }
    return rows;
  }

  protected override renderKnobs(): unknown {
    return html`${this.choice('of', { label: words.of, options: words.options })}
    ${sourceKnobs(
      this.values.source,
      (name, options) => this.slider(name, options),
      (name, options) => this.choice(name, options),
    )}
    ${this.values.source === 'gaussian' ? this.seed() : nothing}
    ${this.toggle('scaled', { label: all.now.registry.scaled, note: all.now.registry.scaledNote })}`;
  }

  private drawn({ result }: Shown<Values, Result>, width: number) {
    const theme = this.dark ? 'dark' : 'light';
    const [ink = '', , , blue = ''] = seriesColors[theme];
    return drawBars(
      result.map(({ id, label, quantiles }) => ({
        ...{ label, quantiles: [...quantiles.rowNorms] },
        ...(id === SOFTMAX ? { color: ink, strong: true } : { color: blue }),
      })),
      { width, xLabel: words.y, zero: words.zero, paint: paints[theme] },
    );
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const width = Math.max(240, this.width || 600);
    const height = barsHeight(shown.result.length, width);
    const { columns } = words;
    const [, ...numbers] = Object.values(columns);
    const shares: readonly string[] = [columns.small, columns.flat];
    const said = (cell: string | number | null, column: string): string =>
      typeof cell !== 'number'
        ? '–'
        : shares.includes(column)
          ? words.share(formatTick(100 * cell))
          : formatNumber(cell);
    return html`<div class="bars">
        <svg
          viewBox="0 0 ${width} ${height}"
          height=${height}
          role="img"
          aria-label=${this.summary(shown)}
          .innerHTML=${this.drawn(shown, width)}
        ></svg>
      </div>
      <p class="fine">${words.quantiles}</p>
      <details class="as-table">
        <summary>${words.table}</summary>
        <div class="scroll" tabindex="0" role="region" aria-label=${words.table}>
          <table class="measures" aria-label=${words.table}>
            <thead>
              <tr>
                <th scope="col">${columns.map}</th>
                ${numbers.map((column) => html`<th scope="col">${column}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${this.data(shown).rows.map(
                ([label, ...cells]) => html`<tr>
                  <th scope="row">${label}</th>
                  ${cells.map((cell, i) => html`<td>${said(cell, numbers[i] ?? '')}</td>`)}
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`;
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const width = 720;
    return standalone({
      inside: this.drawn(shown, width),
      ...{ width, height: barsHeight(shown.result.length, width) },
      title: this.heading,
      caption: this.fullCaption(shown),
      paint: paints[this.dark ? 'dark' : 'light'],
    });
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    const { usual, scale } = all.now.source;
    return words.caption(sourceText(values, 1, this.tools), values.scaled ? usual : scale('1'));
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const median = ({ quantiles }: Row): number => quantiles.rowNorms[2] ?? Number.NaN;
    const [softmax, ...maps] = result;
    const least = maps.filter((row) => median(row) >= 0).sort((a, b) => median(a) - median(b))[0];
    if (!softmax || !least) return '';
    return words.spoken(least.label, formatTick(median(least)), formatTick(median(softmax)));
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: Object.values(words.columns),
      rows: result.map(({ label, flat, quantiles }) => [
        label,
        ...quantiles.rowNorms,
        quantiles.meanRowNorm,
        quantiles.smallShare,
        Number.isNaN(flat) ? null : flat,
        quantiles.nonFiniteEntries,
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-map-gradients': AttnMapGradients;
  }
}
