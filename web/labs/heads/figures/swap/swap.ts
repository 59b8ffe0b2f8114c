import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, line } from '../../../../src/lab/figure/knob.ts';
import { KnobError } from '../../../../src/lab/figure/knob-error.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { inSentence, shownToken } from '../../../../src/plot/tokens.ts';
import { oneOf, type StateOf, text } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { swapWords } from '../../words/swap.ts';
import { LENGTH } from '../shared/batches.ts';
import { pixels } from '../shared/pixels.ts';
import css from './swap.css?inline';
import { LEARNING_RATE, MAPS, type Swapped, swapped } from './swapped.ts';

adopt(css);

const words = swapWords.now;

/** Four heads in each of four layers, both counted from 1. */
const PLACES = [1, 2, 3, 4].flatMap((layer) => [1, 2, 3, 4].map((head) => `${layer}.${head}`));
export const SENTENCE = 'Bildad saw Tashtego. Tashtego saw Bild';

const table = {
  head: oneOf({ key: 'head', values: PLACES, default: '1.3' }),
  steps: oneOf({ key: 'steps', values: ['0', '25', '100'], default: '0' }),
  map: oneOf({ key: 'map', values: MAPS, default: 'hedgehog' }),
  sequences: oneOf({ key: 'learns', values: ['1', '2', '4'], default: '4' }),
  text: text({ key: 'text', maxLength: 200, default: SENTENCE }),
};
type Values = StateOf<typeof table>;

const said = (place: string): string => {
  const [layer = 0, head = 0] = place.split('.').map(Number);
  return words.headOf(layer, head);
};
const percent = (share: number): string => formatNumber(100 * share, 2);
/** A token within a sentence, so that one which begins with a space is seen to. */
const quoted = (token: string): string => `“${inSentence(token.replace(/^ /, '␣'))}”`;

/**
 * One head of the reader has a feature map for its softmax: what it looks at then, and what the reader says next.
 *
 * @element attn-swap-map
 */
@customElement('attn-swap-map')
export class AttnSwapMap extends LabFigure<Swapped, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['head', 'steps'] as const;
  /** The picture that is being rendered, which its sentence is about. */
  private picture: 'next' | 'distance' = 'next';

  override get heading(): string {
    return words.heading;
  }

  protected override get wordsLang(): 'en' | undefined {
    return swapWords.lang ?? super.wordsLang;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Swapped> {
    if (!values.text) throw new KnobError('text', words.empty);
    const { text, map, steps, sequences } = values;
    return swapped(
      this.tools.client,
      {
        ...{ text, map, steps: Number(steps), sequences: Number(sequences) },
        head: PLACES.indexOf(values.head),
      },
      ask,
    );
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    const same = (values: readonly string[]) => Object.fromEntries(values.map((one) => [one, one]));
    return [
      choice('head', {
        label: words.head,
        options: Object.fromEntries(PLACES.map((place) => [place, said(place)])),
      }),
      choice('steps', { label: words.steps, options: same(table.steps.values) }),
      line('text', { label: words.text }),
      choice('map', { label: words.map, options: words.maps, list: true }),
      choice('sequences', { label: words.sequences, options: same(table.sequences.values) }),
    ];
  }

  // ---- pictures ----

  protected override renderResult(shown: Shown<Values, Swapped>): unknown {
    this.picture = 'next';
    const { values, result } = shown;
    const head = (what: string, matrix: Swapped['softmax']): unknown => html`<div
      class="sw-head"
      data-square
    >
      <p>${what}</p>
      ${pixels(matrix, { dark: this.dark, causal: true, title: words.picture(what, said(values.head)) })}
    </div>`;
    return html`<div class="sw-picture">
      ${head(words.softmax, result.softmax)}
      ${head(words.mapped, result.mapped)}
      <div class="sw-next">
        <p><b>${words.next}</b></p>
        ${this.renderNext(result)}
        <p class="sw-key"><u></u>${words.key}</p>
      </div>
    </div>`;
  }

  protected override pictures() {
    return {
      next: (shown: Shown<Values, Swapped>) => this.renderResult(shown),
      distance: (shown: Shown<Values, Swapped>) => {
        this.picture = 'distance';
        return this.renderDistance(shown);
      },
    };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return words.titles;
  }

  private renderNext({ next }: Swapped): unknown {
    const wide = (share: number): string => `width:${(100 * share).toFixed(1)}%`;
    return html`<div class="sw-bars">
      ${next.map(
        ({
          token,
          softmax,
          mapped,
        }) => html`<span class="token">${shownToken(token.replace(/^ /, '␣'))}</span>
          <span class="sw-track"><i .style=${wide(mapped)}></i><u .style=${wide(softmax)}></u></span>
          <span class="number">${percent(mapped)}${'\u00A0'}%</span>`,
      )}
    </div>`;
  }

  private renderDistance(shown: Shown<Values, Swapped>): unknown {
    const { distance } = shown.result;
    if (distance.length === 0) return html`<p class="fine">${words.noLearning}</p>`;
    return html`<attn-line-chart
      .level=${4}
      .series=${[
        {
          ...{ id: 'distance', label: words.mapped, mark: 'circle', bare: true },
          color: seriesColors[this.dark ? 'dark' : 'light'][1] ?? '',
          points: distance.map((one, step) => chartPoint(step, one)),
        },
      ]}
      .x=${{ linear: true, low: 0 }}
      .y=${{ linear: true, low: 0 }}
      .xLabel=${words.step}
      .yLabel=${words.distance}
      .summary=${this.summary(shown)}
    ></attn-line-chart>`;
  }

  // ---- words ----

  protected override resultLine(shown: Shown<Values, Swapped>): string {
    const { next, loss, distance } = shown.result;
    const [first] = next;
    if (!first) return '';
    const back = (loss.before - loss.mapped) / (loss.before - loss.softmax);
    if (this.picture === 'distance') {
      if (distance.length === 0) return '';
      return words.distanceLine(
        distance.length - 1,
        formatNumber(distance[0] ?? Number.NaN),
        formatNumber(distance.at(-1) ?? Number.NaN),
        percent(back),
      );
    }
    const likeliest = [...next].sort((one, other) => other.mapped - one.mapped)[0];
    return words.line(
      quoted(first.token),
      percent(first.softmax),
      percent(first.mapped),
      likeliest && likeliest !== first ? quoted(likeliest.token) : undefined,
      formatNumber(loss.mapped),
      formatNumber(loss.softmax),
      distance.length > 0 ? percent(back) : undefined,
    );
  }

  protected override keyNumbers({ result }: Shown<Values, Swapped>): readonly KeyNumber[] {
    const [first] = result.next;
    if (!first) return [];
    return [
      {
        label: words.numbers.token(quoted(first.token)),
        value: first.mapped,
        text: `${percent(first.mapped)}\u00A0%`,
      },
      { label: words.numbers.loss, value: result.loss.mapped },
    ];
  }

  protected override renderDetails(shown: Shown<Values, Swapped>): unknown {
    return shown.result.distance.length > 0 ? this.renderDistance(shown) : nothing;
  }

  protected override caption({ values }: Shown<Values, Swapped>): string {
    return words.caption({
      ...{ head: said(values.head), map: words.maps[values.map], steps: Number(values.steps) },
      ...{ rate: formatTick(LEARNING_RATE), sequences: Number(values.sequences), length: LENGTH },
    });
  }

  protected override summary(shown: Shown<Values, Swapped>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override svg(shown: Shown<Values, Swapped>): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }

  protected override data({ result }: Shown<Values, Swapped>): FigureData {
    return {
      columns: words.columns,
      rows: result.next.map(({ token, softmax, mapped }) => [token, softmax, mapped]),
      matrices: { softmax: result.softmax, mapped: result.mapped },
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-swap-map': AttnSwapMap;
  }
}
