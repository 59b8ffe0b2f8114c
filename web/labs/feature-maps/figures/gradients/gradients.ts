import { html, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { GradientQuantiles, Kept, Matrix } from '#client';
import { featureMapsOf } from '../../../../src/core.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, type Knob, toggle } from '../../../../src/lab/figure/knob.ts';
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
/** Those of the first sight: the map of the first linear transformer, one with zeros, the expansion, one of any sign. */
const FIRST = ['elu_plus_one', 'relu', 'squared_relu', 'taylor', 'identity'];

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

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const bars = this.querySelector('.bars') ?? undefined;
    if (bars === this.watched) return;
    this.sizes.disconnect();
    this.watched = bars;
    if (bars) this.sizes.observe(bars);
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { tools } = this;
    const [client, maps] = [tools.client, await inLanguage(await featureMapsOf(tools.client))];
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

  protected override readonly firstKnobs = ['of', 'dK'] as const;
  protected override get controls(): readonly Knob<keyof Values>[] {
    const { scaled: label, scaledNote: note } = all.now.registry;
    return [
      choice('of', { label: words.of, options: words.options }),
      ...sourceKnobs(this.values.source),
      toggle('scaled', { label, note }),
    ];
  }

  /** Maps of which every quantile is that of one before them are drawn once, with both names. */
  private apart(result: Result): Result {
    const kept: Row[] = [];
    for (const row of result) {
      const same = kept.findIndex(
        ({ id, quantiles }) =>
          id !== SOFTMAX &&
          quantiles.rowNorms.every((value, i) => Object.is(value, row.quantiles.rowNorms[i])),
      );
      const twin = kept[same];
      if (twin) kept[same] = { ...twin, label: `${twin.label}, ${row.label}` };
      else kept.push(row);
    }
    return kept;
  }

  private bars(rows: Result, width: number) {
    const theme = this.dark ? 'dark' : 'light';
    const [ink = '', , , blue = ''] = seriesColors[theme];
    return drawBars(
      rows.map(({ id, label, quantiles }) => ({
        ...{ label, quantiles: [...quantiles.rowNorms] },
        ...(id === SOFTMAX ? { color: ink, strong: true } : { color: blue }),
      })),
      { width, xLabel: words.y, zero: words.zero, paint: paints[theme] },
    );
  }

  /** A few maps that fail in different ways; the others are in the sheet. */
  private few({ result }: Shown<Values, Result>): Result {
    return result.filter(({ id }) => id === SOFTMAX || FIRST.includes(id));
  }

  private renderBars(shown: Shown<Values, Result>, rows: Result): unknown {
    const width = Math.max(240, this.width || 600);
    const height = barsHeight(rows.length, width);
    return html`<div class="bars">
      <svg
        viewBox="0 0 ${width} ${height}"
        height=${height}
        role="img"
        aria-label=${this.summary(shown)}
        .innerHTML=${this.bars(rows, width)}
      ></svg>
    </div>`;
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    return this.renderBars(shown, this.few(shown));
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    const { columns } = words;
    const [, ...numbers] = Object.values(columns);
    const shares: readonly string[] = [columns.small, columns.flat];
    const said = (cell: string | number | null, column: string): string =>
      typeof cell !== 'number'
        ? '–'
        : shares.includes(column)
          ? words.share(formatTick(100 * cell))
          : formatNumber(cell);
    return html`${this.renderBars(shown, this.apart(shown.result))}
      <p class="fine">${words.quantiles}</p>
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
      </div>`;
  }

  protected override keyNumbers(shown: Shown<Values, Result>): readonly KeyNumber[] {
    return this.few(shown)
      .filter(({ id }) => [SOFTMAX, 'elu_plus_one', 'relu'].includes(id))
      .map(({ label, quantiles }) => ({ label, value: quantiles.rowNorms[2] ?? Number.NaN }));
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    const said = this.keyNumbers(shown).map(
      ({ label, value }) => `${label} ${formatNumber(value)}`,
    );
    return words.medians(said.join(', '));
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const width = 720;
    const rows = this.apart(shown.result);
    return standalone({
      inside: this.bars(rows, width),
      ...{ width, height: barsHeight(rows.length, width) },
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
