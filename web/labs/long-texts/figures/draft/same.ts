import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { Shown } from '../../../../src/lab/figure/figure.ts';
import { seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { percent } from '../shared/percent.ts';
import { type Same, sameText } from './drafted.ts';

const words = decodingWords.now.same;

/** A chance below this is not written out. */
const HARDLY = 1e-5;

const table = { draws: integer({ key: 'draws', min: 50, max: 2000, default: 600 }), seed: seed() };
type Values = StateOf<typeof table>;
type All = Shown<Values, readonly Same[]>;

/**
 * How often each token comes from two models together, beside the probabilities of each alone.
 *
 * @element attn-long-same
 */
@customElement('attn-long-same')
export class AttnLongSame extends LabExperiment<Same, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Same {
    return Array.isArray((row as Partial<Same> | undefined)?.came);
  }

  protected override describe({ draws, seed }: Values): string {
    return words.describe(draws, seed);
  }

  protected override async *sweep(values: Values, ask: Ask) {
    yield { row: await sameText(this.tools.client, values, ask), fraction: 1 };
  }

  protected override get controls() {
    return [slider('draws', { label: words.draws, log: true }), seedKnob()];
  }

  protected renderResult({ result }: All): unknown {
    const one = result[0];
    if (!one) return html``;
    const most = Math.max(...one.reader, ...one.small, ...one.came);
    const bar = (kind: string, value: number) =>
      html`<span class="bar ${kind}" .style=${`inline-size: ${(100 * value) / most}%`}></span>`;
    return html`<div class="long-same" role="img" aria-label=${this.summary({ result, values: this.values })}>
        ${one.tokens.map(
          (token, i) => html`<code>${token.replaceAll(' ', '␣').replaceAll('\n', '↵')}</code>
            <span class="bars">
              ${bar('reader', one.reader[i] ?? 0)}${bar('came', one.came[i] ?? 0)}${bar('small', one.small[i] ?? 0)}
            </span>`,
        )}
      </div>
      <p class="fine long-same-key">
        <span class="reader">${words.reader}</span> <span class="came">${words.came}</span>
        <span class="small">${words.small}</span>
      </p>`;
  }

  protected override resultLine({ result }: All): string {
    const one = result[0];
    if (!one) return '';
    const say = ({ statistic, chance }: Same['test']) =>
      [
        formatNumber(statistic, 3),
        chance < HARDLY ? words.hardly(percent(HARDLY)) : percent(chance),
      ] as const;
    return words.line(one.draws, one.test.freedom + 1, say(one.test), say(one.control));
  }

  protected override summary(shown: All): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected caption({ values }: All): string {
    return words.caption(values.draws, values.seed);
  }

  protected data({ result }: All): FigureData {
    return {
      columns: words.columns,
      rows: result.flatMap((one) =>
        one.tokens.map((token, i) => [
          ...[token, one.reader[i] ?? 0, one.came[i] ?? 0, one.small[i] ?? 0],
        ]),
      ),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-same': AttnLongSame;
  }
}
