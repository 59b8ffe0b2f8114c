import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { chart } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint } from '../../../../src/plot/chart.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { type Drafted, drafted, MOST, type Piece } from './drafted.ts';

const words = decodingWords.now.draft;

const table = {
  gamma: integer({ key: 'gamma', min: 1, max: MOST, default: 4 }),
  temperature: number({ key: 't', min: 0, max: 2, default: 1 }),
  seed: seed(),
};

/** So many letters of the prompt, and so many pieces after it, has a phone room for at a size that can be read. */
const PHONE_PROMPT = 40;
const PHONE_PIECES = 36;

type Values = StateOf<typeof table>;

/**
 * A text that a small model drafts and a larger one accepts or refuses, token by token.
 *
 * @element attn-long-draft
 */
@customElement('attn-long-draft')
export class AttnLongDraft extends LabFigure<Drafted, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, ask: Ask): Promise<Drafted> {
    return drafted(this.tools.client, values, ask);
  }

  protected override get controls() {
    return [
      slider('gamma', { label: words.gamma, symbol: 'γ' }),
      slider('temperature', { label: words.temperature, step: 0.1 }),
      seedKnob(),
    ];
  }

  /** The text; what a phone has no room for stands in the sheet. */
  private renderText({ prompt, pieces }: Drafted, whole: boolean): unknown {
    const cut = whole ? 0 : Math.max(0, prompt.length - PHONE_PROMPT);
    const shown = whole ? pieces.length : PHONE_PIECES;
    const piece = ({ text, kind }: Piece): unknown =>
      kind === 'refused' ? html`<del>${text}</del>` : html`<span class=${kind}>${text}</span>`;
    const later = pieces.slice(shown);
    return html`<p class=${whole ? 'long-draft' : 'long-draft short'} lang="en">
        <span class="prompt">${cut ? html`<span class="wide">${prompt.slice(0, cut)}</span><span class="narrow">…</span>` : nothing}${prompt.slice(cut)}</span>${pieces.slice(0, shown).map(piece)}${later.length > 0 ? html`<span class="wide">${later.map(piece)}</span><span class="narrow prompt"> …</span>` : nothing}
      </p>`;
  }

  protected renderResult({ result }: Shown<Values, Drafted>): unknown {
    return html`${this.renderText(result, false)}
      <p class="long-draft-key">
        ${(['accepted', 'refused', 'chosen'] as const).map((kind) =>
          kind === 'refused'
            ? html`<del>${words.kinds.refused}</del>`
            : html`<span class=${kind}>${words.kinds[kind]}</span>`,
        )}
      </p>`;
  }

  protected override renderDetails({ result }: Shown<Values, Drafted>): unknown {
    return html`<p class="fine">${words.legend}</p>
      ${this.renderText(result, true)}`;
  }

  protected override get titles() {
    return { gain: words.gainTitle };
  }

  protected override pictures() {
    return {
      gain: (shown: Shown<Values, Drafted>) =>
        chart([shown, this.dark], () => ({
          series: [
            ...(['expected', 'speedup'] as const).map((id) => ({
              ...lookOf(id === 'expected' ? 'softmax' : 'linear', this.dark),
              ...{ id, label: words[id], model: true },
              points: shown.result[id].map((value, gamma) => chartPoint(gamma, value)),
            })),
            {
              ...lookOf('elu', this.dark),
              ...{ id: 'here', label: words.here },
              points: [chartPoint(shown.values.gamma, shown.result.here)],
            },
          ],
          levels: [{ y: 1, label: words.alone }],
          ...{ x: { linear: true, whole: true }, y: { low: 0, linear: true } },
          ...{ xLabel: words.gamma, yLabel: words.y, summary: this.summary(shown) },
        })),
    };
  }

  protected override keyNumbers({ result }: Shown<Values, Drafted>): readonly KeyNumber[] {
    return [
      { label: words.accepted, value: result.made.accepted / Math.max(1, result.made.decided) },
      { label: words.run, value: result.made.tokensARun },
    ];
  }

  protected override resultLine({ result }: Shown<Values, Drafted>): string {
    const { made, best, slower } = result;
    if (this.whole) {
      const run = formatNumber(made.tokensARun, 2);
      return words.line(made.accepted, made.decided, run, formatNumber(made.expectedTokens, 2));
    }
    return words.gainLine({
      ...{ best, slower, cost: formatNumber(result.cost.ratio, 2) },
      speedup: formatNumber(result.speedup[best] ?? 1, 2),
      here: formatNumber(result.here, 2),
    });
  }

  protected override summary(shown: Shown<Values, Drafted>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected caption({ values, result }: Shown<Values, Drafted>): string {
    const { reader, small } = result.cost;
    return words.caption(
      ...([values.gamma, formatNumber(values.temperature, 2), values.seed] as const),
      ...([formatNumber(reader, 2), formatNumber(small, 2)] as const),
    );
  }

  protected data({ result }: Shown<Values, Drafted>): FigureData {
    return { columns: words.columns, rows: result.pieces.map(({ text, kind }) => [text, kind]) };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-draft': AttnLongDraft;
  }
}
