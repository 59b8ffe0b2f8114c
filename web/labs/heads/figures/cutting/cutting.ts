import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../../../../src/components/line-chart/line-chart.ts';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { Axis } from '../../../../src/plot/axis.ts';
import { chartPoint, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { cuttingWords } from '../../words/cutting.ts';
import { words as opening } from '../../words/opening.ts';
import { BATCH, LENGTH } from '../shared/batches.ts';
import { SmallWindow } from '../shared/small-window.ts';
import {
  type CutHead,
  type CutSettings,
  type Cutting,
  cutting,
  type Order,
  RANDOM,
  togetherOf,
} from './cut.ts';
import css from './cutting.css?inline';
import { PROMPT, SAMPLING, written } from './write.ts';

adopt(css);

const words = cuttingWords.now;

const HEADS = 16;
const LAYERS = 4;
/** A head that costs less than this alone is called cheap. */
const CHEAP = 0.05;
/** The axis of the sums is at least so high, and so much higher than what is cut. */
const LEAST_RISE = 0.01;
const ROOM = 1.4;

const table = {
  cut: integer({ key: 'cut', min: 0, max: HEADS, default: 8 }),
  order: oneOf({ key: 'order', values: ['importance', 'alone', 'random'], default: 'importance' }),
  instead: oneOf({ key: 'instead', values: ['mean', 'zero'], default: 'mean' }),
  seed: seed({ default: 1 }),
};
type Values = StateOf<typeof table>;

interface Result extends Cutting {
  /** What the whole model and the cut one write, as far as they have come. */
  readonly texts?: readonly [whole: string, cut: string] | undefined;
}

const settingsOf = ({ instead, seed }: Values): CutSettings => ({ instead, seed });
const said = ({ layer, head }: { readonly layer: number; readonly head: number }): string =>
  words.headOf(layer + 1, head + 1);
const rising = (value: number): string => formatNumber(value, 2);

/**
 * Heads of the reader are cut: each alone, one after the other, and what it then writes.
 *
 * @element attn-cut-heads
 */
@customElement('attn-cut-heads')
export class AttnCutHeads extends LabFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['cut', 'order', 'instead'] as const;
  private readonly small = new SmallWindow(this);
  /** The picture that is being rendered, which its sentence is about. */
  private picture: 'alone' | 'orders' | 'sums' | 'texts' = 'orders';

  override get heading(): string {
    return words.heading;
  }

  protected override get wordsLang(): 'en' | undefined {
    return cuttingWords.lang ?? super.wordsLang;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    const all = await cutting(client, settingsOf(values), ask);
    const over = (): boolean => ask.signal.aborted || this.values !== values;
    if (over()) return all;
    this.show({ values, result: { ...all, texts: this.textsOf(values) } });
    const { seed, instead } = values;
    const write = (count: number, onPiece: (text: string) => void): Promise<string> =>
      written(
        client,
        this.orderOf(values, all).heads.slice(0, count),
        instead === 'mean' && count > 0 ? all.means : undefined,
        seed,
        { signal: ask.signal, onPiece, stop: over },
      );
    const whole = await write(0, () => undefined);
    const cut = await write(values.cut, (text) => {
      if (!over()) this.show({ values, result: { ...all, texts: [whole, text] } });
    });
    return { ...all, texts: [whole, cut] };
  }

  /** While a new text is written the whole model's stays. */
  private textsOf({ seed }: Values): Result['texts'] {
    const { shown } = this;
    const whole = shown?.values.seed === seed ? shown.result.texts?.[0] : undefined;
    return whole === undefined ? undefined : [whole, ''];
  }

  private orderOf({ order }: Values, all: Cutting): Order {
    const [first] = all.random;
    return order === 'random' && first ? first : order === 'alone' ? all.alone : all.importance;
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('cut', { label: words.cut }),
      choice('order', { label: words.order, options: words.orders, list: true }),
      choice('instead', { label: words.instead, options: words.insteads }),
      seedKnob(),
    ];
  }

  // ---- pictures ----

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    this.picture = 'orders';
    return this.renderOrders(shown);
  }

  protected override pictures() {
    const of =
      (name: 'alone' | 'orders' | 'sums' | 'texts', draw: (s: Shown<Values, Result>) => unknown) =>
      (shown: Shown<Values, Result>): unknown => {
        this.picture = name;
        return draw(shown);
      };
    return {
      alone: of('alone', (shown) => this.renderAlone(shown)),
      orders: of('orders', (shown) => this.renderOrders(shown)),
      sums: of('sums', (shown) => this.renderSums(shown)),
      texts: of('texts', (shown) => this.renderTexts(shown)),
    };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return words.titles;
  }

  private renderAlone({ result }: Shown<Values, Result>): unknown {
    const { heads } = result;
    if (this.small.matches) return this.renderSmallAlone(heads);
    const before = this.ghost?.result.heads;
    const most = Math.max(...[...heads, ...(before ?? [])].map(({ rise }) => rise));
    const mostImportant = Math.max(...heads.map(({ importance }) => importance));
    const wide = (part: number): string => `width:${Math.max(0, Math.min(100, 100 * part))}%`;
    return html`<div class="cu-heads" role="group" aria-label=${words.titles.alone}>
      <span></span>
      <span class="title">${words.rise}</span><span></span>
      <span class="title">${words.importance}</span><span></span>
      ${heads.map(
        (head, i) => html`<span>${this.named(head)}</span>
          <span class="cu-track"
            ><i .style=${wide(head.rise / most)}></i>${
              before?.[i] ? html`<u .style=${wide(before[i].rise / most)}></u>` : nothing
            }</span
          >
          <span class="number">${rising(head.rise)}</span>
          <span class="cu-track importance"><i .style=${wide(head.importance / mostImportant)}></i></span>
          <span class="number">${formatNumber(head.importance, 2)}</span>`,
      )}
    </div>`;
  }

  /** On a phone: a row a layer, and in each cell what the head costs. */
  private renderSmallAlone(heads: readonly CutHead[]): unknown {
    const most = Math.max(...heads.map(({ rise }) => rise));
    return html`<div class="cu-cells" role="group" aria-label=${words.titles.alone}>
      ${heads.map(
        (
          head,
        ) => html`<span class="cell" .style=${`--part:${Math.max(0, head.rise / most).toFixed(3)}`}>
          <b>${head.layer + 1}.${head.head + 1}</b> ${opening.short[head.role]}
          <span class="number">${rising(head.rise)}</span>
        </span>`,
      )}
    </div>`;
  }

  /** The heads in their layers, while it is asked in which one the head is that is missed most. */
  protected override renderAsked({ answer }: Question): unknown {
    const layers = answer.kind === 'choice' && answer.options.length === LAYERS;
    if (!layers) return undefined;
    return html`<div class="cu-cells asked" aria-hidden="true">
      ${Array.from(
        { length: HEADS },
        (_, i) =>
          html`<span class="cell"><b>${Math.floor((i * LAYERS) / HEADS) + 1}.${(i % (HEADS / LAYERS)) + 1}</b></span>`,
      )}
    </div>`;
  }

  private named(head: CutHead): string {
    return words.named(said(head), head.role, opening.short[head.role]);
  }

  private get paint(): readonly string[] {
    return seriesColors[this.dark ? 'dark' : 'light'];
  }

  private points({ losses }: Order): Series['points'] {
    return losses.map((loss, i) => chartPoint(i, loss));
  }

  private series({ result }: Shown<Values, Result>): readonly Series[] {
    const { paint } = this;
    return [
      ...result.random.map((order, i) => ({
        ...{ id: `random${i}`, label: words.lines.random, color: paint[2] ?? '' },
        ...{ mark: 'plus' as const, bare: true, width: 1, unnamed: i > 0 },
        points: this.points(order),
      })),
      {
        ...{ id: 'alone', label: words.lines.alone, color: paint[4] ?? '', mark: 'square' },
        points: this.points(result.alone),
      },
      {
        ...{ id: 'importance', label: words.lines.importance, color: paint[1] ?? '' },
        ...{ mark: 'circle', points: this.points(result.importance) },
      },
    ];
  }

  /** The same order before a try. */
  private earlierLine(values: Values): readonly Series[] {
    const { ghost } = this;
    if (!ghost || ghost.result.heads === this.shown?.result.heads) return [];
    return [
      {
        ...{ ...lookOf('ghost', this.dark), id: 'ghost', label: nameOf('ghost'), model: true },
        points: this.points(this.orderOf(values, ghost.result)),
      },
    ];
  }

  private renderOrders(shown: Shown<Values, Result>): unknown {
    const { values } = shown;
    const { guess, truth } = this.bothAnswers;
    const markers: Marker[] = [
      ...(truth === values.cut
        ? []
        : [{ x: values.cut, label: words.at(values.cut), strong: true }]),
      ...(guess === undefined ? [] : [{ x: guess, label: nameOf('guess'), dashed: true }]),
      ...(truth === undefined ? [] : [{ x: truth, label: nameOf('truth'), strong: true }]),
    ];
    const moved = ({ detail }: CustomEvent<{ value: number; done: boolean }>): void =>
      this.set(
        { cut: Math.min(HEADS, Math.max(0, Math.round(detail.value))) },
        { draft: !detail.done },
      );
    return html`<attn-line-chart
      .level=${4}
      .series=${[...this.earlierLine(values), ...this.series(shown)]}
      .markers=${markers}
      .x=${{ linear: true, low: 0, high: HEADS }}
      .y=${{ linear: true }}
      .xLabel=${words.cut}
      .yLabel=${words.loss}
      .grip=${values.cut}
      .summary=${this.summary(shown)}
      @attn-grip=${moved}
    ></attn-line-chart>`;
  }

  private renderSums(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    const order = this.orderOf(values, result);
    const both = order.losses.map((_, count) => togetherOf(result, order, count));
    const line = (id: 'joint' | 'sum', color: number): Series => ({
      ...{ id, label: words.sums[id], color: this.paint[color] ?? '' },
      ...(id === 'sum' ? { mark: 'square', hollow: true } : { mark: 'circle' }),
      points: both.map((each, i) => chartPoint(i, each[id])),
    });
    const moved = ({ detail }: CustomEvent<{ value: number; done: boolean }>): void =>
      this.set(
        { cut: Math.min(HEADS, Math.max(0, Math.round(detail.value))) },
        { draft: !detail.done },
      );
    return html`<attn-line-chart
      .level=${4}
      .series=${[line('sum', 3), line('joint', 1)]}
      .markers=${[{ x: values.cut, label: words.at(values.cut), strong: true }]}
      .x=${{ linear: true, low: 0, high: HEADS }}
      .y=${this.sumsAxis(both, values.cut)}
      .xLabel=${words.cut}
      .yLabel=${words.rise}
      .grip=${values.cut}
      .summary=${this.summary(shown)}
      @attn-grip=${moved}
    ></attn-line-chart>`;
  }

  /** As high as shows what is cut, so that a small difference is seen; the lines of more heads leave it at the top. */
  private sumsAxis(
    both: readonly { readonly sum: number; readonly joint: number }[],
    cut: number,
  ): Axis {
    const seen = both.slice(0, cut + 1).flatMap(({ sum, joint }) => [sum, joint]);
    const high = ROOM * Math.max(LEAST_RISE, ...seen);
    return { linear: true, low: Math.min(0, ...seen), high };
  }

  private renderTexts({ values, result }: Shown<Values, Result>): unknown {
    const [whole, cut] = result.texts ?? ['', ''];
    const one = (name: string, text: string): unknown => html`<div>
      <p class="which">${name}</p>
      <p><span class="prompt">${PROMPT}</span>${text || html` <span class="prompt">${words.writing}</span>`}</p>
    </div>`;
    return html`<div class="cu-texts" lang="en">
      ${one(words.whole, whole)} ${one(words.without(values.cut, HEADS), cut)}
    </div>`;
  }

  // ---- words ----

  protected override resultLine(shown: Shown<Values, Result>): string {
    const { values, result } = shown;
    const order = this.orderOf(values, result);
    const loss = order.losses[values.cut] ?? Number.NaN;
    if (this.picture === 'alone') {
      const [worst] = [...result.heads].sort((one, other) => other.rise - one.rise);
      if (!worst) return '';
      const cheap = result.heads.filter(({ rise }) => rise < CHEAP).length;
      return words.aloneLine(
        this.named(worst),
        rising(worst.rise),
        cheap,
        HEADS,
        formatTick(CHEAP),
      );
    }
    if (this.picture === 'sums') {
      const { sum, joint } = togetherOf(result, order, values.cut);
      return words.sumsLine(values.cut, rising(sum), rising(joint));
    }
    if (this.picture === 'texts') {
      return words.textsLine(values.cut, HEADS, formatNumber(loss), formatNumber(result.loss));
    }
    const random = result.random.map(({ losses }) => losses[values.cut] ?? Number.NaN);
    return words.ordersLine(
      values.cut,
      HEADS,
      values.order === 'random' ? words.orders.random : words.lines[values.order],
      formatNumber(loss),
      formatNumber(result.loss),
      words.between(formatNumber(Math.min(...random)), formatNumber(Math.max(...random))),
    );
  }

  protected override keyNumbers(shown: Shown<Values, Result>): readonly KeyNumber[] {
    const { values, result } = shown;
    const order = this.orderOf(values, result);
    if (this.picture === 'alone') {
      const worst = Math.max(...result.heads.map(({ rise }) => rise));
      return [{ label: words.numbers.worst, value: worst, text: `+${rising(worst)}` }];
    }
    const { joint } = togetherOf(result, order, values.cut);
    return this.picture === 'sums'
      ? [{ label: words.numbers.joint, value: joint, text: rising(joint) }]
      : [{ label: words.numbers.loss, value: order.losses[values.cut] ?? Number.NaN }];
  }

  protected override renderDetails({ result }: Shown<Values, Result>): unknown {
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${words.table}>
      <table>
        <caption>
          ${words.table}
        </caption>
        <thead>
          <tr>
            ${words.columnsOfTable.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${result.heads.map(
            (head) => html`<tr>
              <th scope="row">${this.named(head)}</th>
              <td>${formatNumber(head.rise)}</td>
              <td>${formatNumber(head.importance)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    return words.caption({
      ...{ tokens: BATCH * LENGTH, instead: words.gives[values.instead], random: RANDOM },
      ...{ temperature: formatTick(SAMPLING.temperature), top: SAMPLING.topK, seed: values.seed },
    });
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const chart = this.querySelector<AttnLineChart>('attn-line-chart');
    return chart?.svg(this.fullCaption(shown), this.heading) ?? '';
  }

  protected override data({ result }: Shown<Values, Result>): FigureData {
    const { importance, alone, random } = result;
    return {
      columns: [...words.columns, ...random.map((_, i) => words.randomColumn(i + 1))],
      rows: importance.losses.map((loss, i) => [
        ...[i, loss, alone.losses[i] ?? null],
        ...random.map(({ losses }) => losses[i] ?? null),
      ]),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-cut-heads': AttnCutHeads;
  }
}
