import { html, nothing, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import { boolean, integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';
import { percent } from '../shared/percent.ts';
import { areEqual, attendAlike, type Evicted, evicted, SINKS, STORED } from './evicted.ts';

const words = decodingWords.now.positions;

const table = {
  stored: oneOf({ key: 'stored', values: STORED, default: 'turned' }),
  sinks: boolean({ key: 'sinks', default: false }),
  counted: boolean({ key: 'counted', default: false }),
  n: integer({ key: 'n', min: 24, max: 1024, default: 64 }),
  size: integer({ key: 'size', min: 6, max: 20, default: 16 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type All = Shown<Values, Evicted>;

const WIDTH = 360;
const HEIGHT = 170;
const TOP = 14;
const BOTTOM = 34;
const LEFT = 28;

/**
 * The scores of the newest query for the tokens that a cache still keeps, and those in a cache of all tokens.
 *
 * @element attn-long-positions
 */
@customElement('attn-long-positions')
export class AttnLongPositions extends LabFigure<Evicted, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, { signal }: Ask): Promise<Evicted> {
    return evicted(this.tools.client, values, signal);
  }

  protected override get controls() {
    return [
      choice('stored', { label: words.stored, options: words.kinds }),
      toggle('sinks', { label: words.sinks(SINKS) }),
      toggle('counted', { label: words.counted }),
      slider('n', { label: words.n, log: true }),
      slider('size', { label: words.size }),
      seedKnob(),
    ];
  }

  protected renderResult(shown: All): unknown {
    const { positions, whole, kept } = shown.result;
    const before = this.ghost?.result;
    const same = before?.positions.length === positions.length;
    const all = [...whole, ...kept, ...(same ? before.kept : []), 0];
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const y = (value: number): number =>
      TOP + ((high - value) / Math.max(high - low, 1e-6)) * (HEIGHT - TOP - BOTTOM);
    const step = (WIDTH - LEFT) / Math.max(1, positions.length);
    const x = (place: number): number => LEFT + (place + 0.5) * step;
    // Every label of three digits needs the room of two columns.
    const every =
      positions.length * (String(positions.at(-1)).length * 7 + 4) > WIDTH - LEFT ? 2 : 1;
    const last = positions.length - 1;
    return html`<svg class="long-positions" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${this.summary(shown)}>
        <line class="zero" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)}></line>
        <text x=${LEFT - 6} y=${y(0) + 4} text-anchor="end">0</text>
        ${positions.map((at, place) => {
          const [one = 0, other = 0] = [whole[place], kept[place]];
          const gap = place > 0 && at - (positions[place - 1] ?? at) > 1;
          const was = same ? before.kept[place] : undefined;
          return svg`<g data-position=${at}>
            ${gap ? svg`<line class="gap" x1=${x(place) - step / 2} x2=${x(place) - step / 2} y1="4" y2=${HEIGHT - 18}></line>` : nothing}
            <line class="apart" x1=${x(place)} x2=${x(place)} y1=${y(one)} y2=${y(other)}></line>
            <circle class="whole" cx=${x(place)} cy=${y(one)} r="6"></circle>
            ${was === undefined ? nothing : svg`<circle class="was" cx=${x(place)} cy=${y(was)} r="2.5"></circle>`}
            <circle class="kept" cx=${x(place)} cy=${y(other)} r="3.2"></circle>
            ${(last - place) % every === 0 ? svg`<text x=${x(place)} y=${HEIGHT - 18} text-anchor="middle">${at}</text>` : nothing}
          </g>`;
        })}
        <text x=${(LEFT + WIDTH) / 2} y=${HEIGHT - 3} text-anchor="middle">${words.x}</text>
        <text class="turned" transform="translate(11 ${(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)" text-anchor="middle">${words.y}</text>
      </svg>
      <p class="fine long-positions-key">
        <span class="whole">${words.whole}</span> <span class="kept">${words.kept}</span>
        ${same ? html`<span class="was">${nameOf('ghost')}</span>` : nothing}
      </p>`;
  }

  /** How far the furthest key that is kept stands from the query, as the scores take it. */
  private furthest({ values, result }: All): number {
    const count = result.positions.length;
    const byPlace = values.stored === 'bare';
    const query = byPlace || values.counted ? count - 1 : values.n - 1;
    return query - (byPlace ? 0 : (result.positions[0] ?? 0));
  }

  protected override keyNumbers({ result }: All): readonly KeyNumber[] {
    return [
      { label: words.error, value: areEqual(result) ? 0 : result.largestDifference },
      {
        ...{ label: words.moved, value: attendAlike(result) ? 0 : result.moved },
        text: percent(attendAlike(result) ? 0 : result.moved),
      },
    ];
  }

  protected override resultLine(shown: All): string {
    const { values, result } = shown;
    const error = formatNumber(result.largestDifference, 2);
    const said = areEqual(result)
      ? words.same(error)
      : attendAlike(result)
        ? words.shifted(error)
        : words.differ(error, percent(result.moved));
    return words.line(values.n, result.positions.length, said, this.furthest(shown));
  }

  protected override summary(shown: All): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected caption({ values }: All): string {
    return words.caption(values.n, values.size, values.seed);
  }

  protected data({ result }: All): FigureData {
    return {
      columns: words.columns,
      rows: result.positions.map((at, i) => [at, result.whole[i] ?? 0, result.kept[i] ?? 0]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-positions': AttnLongPositions;
  }
}
