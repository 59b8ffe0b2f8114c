import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeSVG as unsafeSvg } from 'lit/directives/unsafe-svg.js';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/patterns.ts';
import { type Cells, cellsBody, SIDE } from '../paint/draw-cells.ts';
import { percent } from '../shared/percent.ts';
import { PATTERNS, patternNamed, rootOf } from './patterns.ts';

const { names, reach: words } = figureWords.now;

const LAYERS = 16;
const SIZES = ['256', '1024'] as const;

const table = {
  pattern: oneOf({ key: 'pattern', values: PATTERNS, default: 'window' }),
  n: oneOf({ key: 'n', values: SIZES, default: '1024' }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

/** The pattern is drawn for fewer tokens, made in the same way: cells of a thousand would be too small to see. */
const DRAWN = 64;
/** Cells whose news takes more layers are left white. */
const DRAWN_LAYERS = 3;

interface Answer {
  readonly drawn: Cells;
  readonly cells: number;
  readonly share: Float64Array;
  readonly layersToConnect: number;
}

/**
 * The share of causal pairs that a pattern connects, layer by layer.
 *
 * @element attn-long-reach
 */
@customElement('attn-long-reach')
export class AttnLongReach extends LabFigure<Answer, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Answer> {
    const { client } = this.tools;
    const n = Number(values.n);
    const pattern = await patternNamed(client, values.pattern, n, values.seed, ask);
    const { cells, share, layersToConnect } = await client.patternReach(
      { n, m: n, pattern, causal: true, layers: LAYERS },
      { signal: ask.signal },
    );
    return { cells, share, layersToConnect, drawn: await this.draw(values, ask) };
  }

  private async draw({ pattern: name, seed }: Values, ask: Ask): Promise<Cells> {
    const { client } = this.tools;
    const { signal } = ask;
    const n = DRAWN;
    const pattern = await patternNamed(client, name, n, seed, ask);
    const kept = await client.patternMatrix({ n, m: n, pattern }, { signal });
    const { hops } = await client.patternReach(
      { n, m: n, pattern, causal: true, layers: DRAWN_LAYERS },
      { signal },
    );
    return { n, kept, hops };
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('pattern', { label: words.pattern, options: names, list: true }),
      choice('n', { label: words.n, options: Object.fromEntries(SIZES.map((n) => [n, n])) }),
      seedKnob(),
    ];
  }

  private line({ values, result }: Shown<Values, Answer>, before = false): Series {
    const points = Array.from(result.share, (share, l) => chartPoint(l + 1, 100 * share));
    if (before) {
      return {
        ...lookOf('ghost', this.dark),
        ...{ id: 'before', label: nameOf('ghost'), model: true, points },
      };
    }
    return {
      ...lookOf('softmax', this.dark),
      ...{ id: 'reach', label: names[values.pattern], points },
    };
  }

  protected override renderResult(shown: Shown<Values, Answer>): unknown {
    const body = cellsBody(shown.result.drawn, { layers: DRAWN_LAYERS, dark: this.dark });
    const label = words.drawn(names[shown.values.pattern], DRAWN);
    return html`<div class="long-reach">
      <div>
        <svg viewBox="0 0 ${SIDE} ${SIDE}" role="img" aria-label=${label} data-pattern=${shown.values.pattern}>
          ${unsafeSvg(body)}
        </svg>
        <p>${label}</p>
      </div>
      ${this.curve(shown)}
    </div>`;
  }

  private curve(shown: Shown<Values, Answer>): unknown {
    const { ghost } = this;
    return chart([shown, ghost, this.dark], () => ({
      series: [this.line(shown), ...(ghost ? [this.line(ghost, true)] : [])],
      x: { linear: true, low: 1, high: LAYERS },
      y: { linear: true, low: 0, high: 100 },
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  private cellShare({ values, result }: Shown<Values, Answer>): number {
    const n = Number(values.n);
    return result.cells / ((n * (n + 1)) / 2);
  }

  protected override resultLine(shown: Shown<Values, Answer>): string {
    const { share, layersToConnect } = shown.result;
    const at = (layers: number): string => percent(share[layers - 1] ?? 0);
    return words.line(
      names[shown.values.pattern],
      percent(this.cellShare(shown)),
      ...([at(1), at(2), at(3)] as const),
      layersToConnect < 0 ? words.never(at(LAYERS), LAYERS) : words.all(layersToConnect),
    );
  }

  protected override summary(shown: Shown<Values, Answer>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers(shown: Shown<Values, Answer>): readonly KeyNumber[] {
    const cells = this.cellShare(shown);
    return [
      { label: words.cells, value: cells, text: percent(cells) },
      ...[2, LAYERS].map((layers) => {
        const value = shown.result.share[layers - 1] ?? 0;
        return { label: words.after(layers), value, text: percent(value) };
      }),
    ];
  }

  protected override caption({ values }: Shown<Values, Answer>): string {
    const n = Number(values.n);
    return words.caption(n, names[values.pattern], rootOf(n), values.seed);
  }

  protected override data({ result }: Shown<Values, Answer>): FigureData {
    return {
      columns: words.columns,
      rows: Array.from(result.share, (share, l) => [l + 1, share]),
    };
  }

  protected override svg(shown: Shown<Values, Answer>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-reach': AttnLongReach;
  }
}
