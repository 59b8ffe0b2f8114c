import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Matrix } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { line } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { sharedScale } from '../../../../src/plot/color.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { rasterize, wholeView } from '../../../../src/plot/raster.ts';
import { type StateOf, text } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { words } from '../../words/sight.ts';
import { percent } from '../shared/chart.ts';
import { type Compared, compare, type Head, type OneSide, SIDES, type Side } from './compare.ts';
import css from './sight.css?inline';

adopt(css);

const table = {
  text: text({
    key: 'text',
    maxLength: 200,
    default: 'And the ship went out to sea, and the men of the ship sang.',
  }),
} as const;
type Values = StateOf<typeof table>;

type WithImage = HTMLCanvasElement & { weights?: Matrix; drawn?: string };

/**
 * The heads of two models of one shape on one text: one sees earlier tokens, the other both sides.
 *
 * @element attn-heads-sight
 */
@customElement('attn-heads-sight')
export class AttnHeadsSight extends LabFigure<Compared, typeof table> {
  readonly table = table;

  get heading(): string {
    return words.heading;
  }

  protected compute({ text }: Values, ask: Ask): Promise<Compared> {
    return compare(this.tools.client, text, ask);
  }

  protected override get controls() {
    return [line('text', { label: words.text })];
  }

  protected override get titles() {
    return { symmetry: words.symmetryTitle };
  }

  protected override pictures() {
    return {
      symmetry: (shown: Shown<Values, Compared>) => this.renderSymmetry(shown),
    };
  }

  protected renderResult({ result }: Shown<Values, Compared>): unknown {
    return html`<div class="hs-sides">
        ${result.sides.map(
          (one) => html`<section class="hs-side">
            <h4>${words.sides[one.side]}</h4>
            <div class="hs-heads">
              ${one.heads.map(
                (head) =>
                  html`${
                    head.head === 0 ? html`<p aria-hidden="true">${head.layer + 1}</p>` : nothing
                  }${this.renderHead(one, head)}`,
              )}
            </div>
          </section>`,
        )}
      </div>
      <p class="hs-key">${words.key}</p>`;
  }

  private renderHead({ side }: OneSide, { layer, head, weights, scores }: Head): unknown {
    return html`<figure>
      <canvas
        role="img"
        aria-label=${words.alt(words.sides[side], layer + 1, head + 1)}
        title=${words.head(layer + 1, head + 1)}
        data-side=${side}
        .weights=${weights}
      ></canvas>
      <p>${words.entropy(formatNumber(scores.entropy, 2))}</p>
      <p>${words.distance(formatNumber(scores.meanDistance, 2))}</p>
    </figure>`;
  }

  protected override updated(changed: Parameters<LabFigure<Compared>['updated']>[0]): void {
    super.updated(changed);
    void this.drawHeads();
    // A view elsewhere on the page is rendered after this.
  }

  private readonly painted = new WeakMap<HTMLCanvasElement, readonly [Matrix, boolean]>();

  private async drawHeads(): Promise<void> {
    for (const canvas of this.querySelectorAll<WithImage>('.hs-heads canvas')) {
      const { weights } = canvas;
      const { dark } = this;
      const [of, inDark] = this.painted.get(canvas) ?? [];
      if (!weights || (of === weights && inDark === dark)) continue;
      this.painted.set(canvas, [weights, dark]);
      const causal = canvas.dataset.side === 'causal';
      const image = await rasterize({
        ...{
          matrix: weights,
          view: wholeView(weights),
          dark,
          scale: sharedScale([[0, 1]], 'sqrt'),
        },
        visible: causal ? (row) => row + 1 : () => weights.cols,
        ...{ maxWidth: 128, maxHeight: 128 },
        stale: () => canvas.weights !== weights,
      });
      if (!image) continue;
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.putImageData(image, 0, 0);
    }
  }

  private renderSymmetry(shown: Shown<Values, Compared>): unknown {
    const { result } = shown;
    const colors = seriesColors[this.dark ? 'dark' : 'light'];
    const series: readonly Series[] = result.sides.map(({ side, heads }, i) => ({
      ...{ id: side, label: words.sides[side], line: 'none' },
      ...{ color: colors[i === 0 ? 1 : 3] ?? '', mark: i === 0 ? 'circle' : 'square' },
      points: heads.map(({ symmetry }, at) => chartPoint(at + 1, symmetry)),
    }));
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .levels=${[{ y: result.random, label: words.random, dashed: true }]}
      .x=${{ linear: true, whole: true, low: 0.5, high: (result.sides[0]?.heads.length ?? 0) + 0.5 }}
      .formatX=${(at: number) => {
        const head = result.sides[0]?.heads[Math.round(at) - 1];
        return head ? `${head.layer + 1}.${head.head + 1}` : '';
      }}
      .y=${{ linear: true, low: -1, high: 1 }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${this.symmetryLine(result).replaceAll('*', '')}
    ></attn-line-chart>`;
  }

  private of(result: Compared, side: Side): OneSide | undefined {
    return result.sides.find((one) => one.side === side);
  }

  private symmetryLine(result: Compared): string {
    const [causal, both] = SIDES.map((side) =>
      formatNumber(this.of(result, side)?.meanSymmetry ?? Number.NaN, 2),
    );
    return words.symmetry(causal ?? '', both ?? '', formatNumber(result.random, 2));
  }

  private far(result: Compared, side: Side): number {
    const heads = this.of(result, side)?.heads ?? [];
    return heads.reduce((sum, { scores }) => sum + scores.meanDistance, 0) / heads.length;
  }

  /** The mean entropy of the first layer of the model that sees both sides, and the most that it could be. */
  private firstLayer(result: Compared): readonly [string, string] {
    const both = this.of(result, 'both');
    const heads = both?.heads.filter(({ layer }) => layer === 0) ?? [];
    const mean = heads.reduce((sum, { scores }) => sum + scores.entropy, 0) / heads.length;
    return [formatNumber(mean, 2), formatNumber(both?.even.entropy ?? Number.NaN, 2)];
  }

  protected override resultLine({ result }: Shown<Values, Compared>): string {
    return this.whole ? this.headsLine(result) : this.symmetryLine(result);
  }

  private headsLine(result: Compared): string {
    const [causal = '', both = ''] = SIDES.map((side) => formatNumber(this.far(result, side), 2));
    return words.pictures(causal, both, ...this.firstLayer(result));
  }

  /** Without the symmetries, which a question asks for. */
  protected override summary(shown: Shown<Values, Compared>): string {
    return this.headsLine(shown.result).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, Compared>): readonly KeyNumber[] {
    return SIDES.map((side) => {
      const value = this.onCopies(result, side);
      return { label: words.numbers.copies(words.sides[side]), value, text: percent(value) };
    });
  }

  /** Of all its weight, what the head has on the same token elsewhere that has most there. */
  private onCopies(result: Compared, side: Side): number {
    const heads = this.of(result, side)?.heads ?? [];
    return Math.max(...heads.map(({ scores }) => scores.duplicateToken));
  }

  private rows({ sides }: Compared) {
    return sides.flatMap(({ side, heads }) =>
      heads.map(({ layer, head, scores, symmetry }) => [
        ...[words.short[side], layer + 1, head + 1],
        ...[scores.entropy, scores.meanDistance, symmetry],
      ]),
    );
  }

  protected override renderDetails({ result }: Shown<Values, Compared>): unknown {
    const [causal = '', both = ''] = SIDES.map((side) =>
      formatNumber(this.of(result, side)?.loss ?? Number.NaN),
    );
    // An open question asks for the symmetries.
    const withheld = this.place.hide?.includes('symmetry') ?? false;
    const columns = words.sheetColumns.slice(0, withheld ? -1 : undefined);
    return html`${withheld ? nothing : html`<p class="fine">${this.symmetryLine(result).replace(/\*/g, '')}</p>`}
      <p class="fine">${words.asked(causal, both)}</p>
      ${sheetTable({
        ...{ label: this.heading, columns },
        rows: this.rows(result).map(([name, layer, head, ...numbers]) =>
          [`${name} ${layer}.${head}`, ...numbers.map((one) => formatNumber(Number(one)))].slice(
            0,
            columns.length,
          ),
        ),
      })}`;
  }

  protected caption({ result }: Shown<Values, Compared>): string {
    return words.caption(
      result.tokens.length,
      ...([formatNumber(result.random, 2), formatNumber(result.deviation, 2)] as const),
    );
  }

  protected data({ result }: Shown<Values, Compared>): FigureData {
    return {
      columns: words.columns,
      rows: this.rows(result),
      matrices: Object.fromEntries(
        result.sides.flatMap(({ side, heads }) =>
          heads.map(({ layer, head, weights }) => [`${side}_${layer}_${head}`, weights]),
        ),
      ),
    };
  }

  protected override svg(shown: Shown<Values, Compared>): string {
    const cells = this.rows(shown.result).map((row) =>
      row.map((one) => ({ words: typeof one === 'number' ? formatNumber(one) : String(one) })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-sight': AttnHeadsSight;
  }
}
