import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { LayerShapes } from '#client';
import { colorAt } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { line, round, text } from '../../../../src/plot/svg.ts';
import { integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { anatomyWords } from '../../words/anatomy.ts';
import { percent } from '../shared/chart.ts';
import { SmallWindow } from '../shared/small-window.ts';

const { shapes: words } = anatomyWords.now;

const table = {
  heads: oneOf({ key: 'h', values: ['1', '2', '4', '8', '16', '32'], default: '8' }),
  m: integer({ key: 'm', min: 0, max: 64, default: 0 }),
  n: integer({ key: 'n', min: 1, max: 64, default: 10 }),
  dModel: oneOf({ key: 'd', values: ['64', '128', '256', '512'], default: '512' }),
};
type Table = typeof table;
type Values = StateOf<Table>;

const WIDTH = 580;
const HEIGHT = 430;
/** Where each row of the drawing has its middle. */
const ROWS = { source: 34, qkv: 136, weights: 236, each: 326, output: 404 } as const;
/** Where Q, K and V stand; what the heads make of them stands below the middle one. */
const COLUMNS = [106, 290, 474] as const;
/** The weights stand below Q and K, of which they are made, in a row of so many pixels. */
const WEIGHTS = { middle: 166, width: 290 } as const;
/** A side of 512 numbers is so long. */
const LONGEST = 150;

/** A phone has room for a picture of so many pixels, and letters that are made smaller cannot be read there. */
const SMALL = { width: 344, height: 190, rows: { qkv: 42, weights: 108, output: 160 } } as const;

/** The side of so many numbers. */
const side = (numbers: number): number => Math.max(3, LONGEST * Math.sqrt(numbers / 512));

type Size = readonly [rows: number, cols: number];

interface Box {
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  readonly rows: number;
  readonly cols: number;
  /** Cut into so many heads; left out where all heads share it. */
  readonly slices?: number;
  readonly label: string;
  readonly below?: string;
  /** The words stand at its right, since lines come from above. */
  readonly aside?: boolean;
}

/**
 * One layer of several heads: its arrays in their shapes, its parameters and its work.
 *
 * @element attn-head-shapes
 */
@customElement('attn-head-shapes')
export class AttnHeadShapes extends LabFigure<LayerShapes, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['heads', 'm'] as const;
  private readonly small = new SmallWindow(this);

  protected override get wordsLang(): 'en' | undefined {
    return anatomyWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override compute(values: Values, { signal }: Ask): Promise<LayerShapes> {
    const { n, m, dModel, heads } = values;
    return this.tools.client.layerShapes(
      { n, m, dModel: Number(dModel), heads: Number(heads) },
      { signal },
    );
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    const options = (values: readonly string[]) => Object.fromEntries(values.map((v) => [v, v]));
    return [
      choice('heads', { label: words.heads, options: options(table.heads.values), list: true }),
      slider('m', { symbol: 'm', label: words.m, note: words.mNote }),
      slider('n', { symbol: 'n', label: words.n }),
      choice('dModel', { label: words.dModel, options: options(table.dModel.values) }),
    ];
  }

  /** An array, and in colour what of it is the first head's: all of it where there is one head, nothing where all heads share it. */
  private array(
    [x, y]: readonly [number, number],
    [wide, tall]: readonly [number, number],
    slices: number | undefined,
  ): string {
    const paint = paints[this.dark ? 'dark' : 'light'];
    const [left, top] = [x - wide / 2, y - tall / 2];
    const rect = (width: number, how: string): string =>
      `<rect x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(tall)}" ${how}/>`;
    const cuts = Array.from({ length: (slices ?? 1) - 1 }, (_, i) => {
      const at = left + ((i + 1) * wide) / (slices ?? 1);
      return line(at, top, at, top + tall, paint.ink, { width: 0.6 });
    });
    return [
      rect(wide, `fill="${paint.paper}"`),
      rect(wide, `fill="${paint.muted}" fill-opacity="0.16"`),
      slices === undefined ? '' : rect(wide / slices, `fill="${this.first}"`),
      rect(wide, `fill="none" stroke="${paint.ink}"`),
      ...cuts,
    ].join('');
  }

  /** The colour of the first head, in every array. */
  private get first(): string {
    return colorAt(1, this.dark);
  }

  private drawBox({ x, y, rows, cols, slices, label, below, aside }: Box): string {
    const paint = paints[this.dark ? 'dark' : 'light'];
    const [wide, tall] = [side(cols), side(rows)];
    const top = y - tall / 2;
    const words = aside
      ? [
          text(x + wide / 2 + 12, below ? y - 2 : y + 4, label, paint.ink, { size: 13 }),
          below ? text(x + wide / 2 + 12, y + 14, below, paint.muted, { size: 12 }) : '',
        ]
      : [
          text(x, top - 6, label, paint.ink, { anchor: 'middle', size: 13 }),
          below
            ? text(x, top + tall + 15, below, paint.muted, {
                anchor: 'middle',
                size: 12,
                halo: paint.paper,
              })
            : '',
        ];
    return [this.array([x, y], [wide, tall], slices), ...words].join('');
  }

  private body({ values, result }: Shown<Values, LayerShapes>): string {
    const heads = Number(values.heads);
    const paint = paints[this.dark ? 'dark' : 'light'];
    const of = (i: number): Size => {
      const [rows = 0, cols = 0] = result.shapes[i] ?? [];
      return [rows, cols];
    };
    const said = (size: Size): string => size.join('×');
    const [source, q, qHead, kHead, weights, eachHead, all, output] = [0, 1, 2, 3, 4, 5, 6, 7].map(
      of,
    ) as [Size, Size, Size, Size, Size, Size, Size, Size];
    const [, d] = source;
    const [keys] = kHead;
    const crossed = values.m > 0;
    const [xq, middle, xv] = COLUMNS;
    const second = (middle + xv) / 2;
    const from = [crossed ? xq : middle, crossed ? second : middle, crossed ? second : middle];
    const kv: Size = [keys, q[1]];
    const boxes: Box[] = [
      {
        ...{ x: crossed ? xq : middle, y: ROWS.source, rows: source[0], cols: d },
        label: `${words.source} ${said(source)}`,
      },
      ...(crossed
        ? [
            {
              ...{ x: second, y: ROWS.source, rows: keys, cols: d },
              label: `${words.second} ${keys}×${d}`,
            },
          ]
        : []),
      ...(['q', 'k', 'v'] as const).map((part, i) => {
        const size = part === 'q' ? q : kv;
        return {
          ...{ x: COLUMNS[i] ?? 0, y: ROWS.qkv, slices: heads, rows: size[0], cols: size[1] },
          label: `${words.parts[part]} ${said(size)}`,
          below: words.slices(heads, said(part === 'q' ? qHead : kHead)),
        };
      }),
      {
        ...{ x: middle, y: ROWS.each, rows: all[0], cols: all[1], slices: heads, aside: true },
        label: `${words.parts.each} ${said(all)}`,
        below: words.slices(heads, said(eachHead)),
      },
      {
        ...{ x: middle, y: ROWS.output, rows: output[0], cols: output[1], aside: true },
        label: `${words.parts.output} ${said(output)}`,
      },
    ];
    // The weights of every head beside each other, smaller where there are many.
    const [rows, cols] = weights;
    const step = Math.min(44, WEIGHTS.width / heads);
    const fit = Math.min(1, (step - 2) / side(Math.max(rows, cols)), 40 / side(rows));
    const [wide, tall] = [fit * side(cols), fit * side(rows)];
    const left = WEIGHTS.middle - (step * (heads - 1)) / 2;
    const squares = Array.from({ length: heads }, (_, i) =>
      this.array([left + i * step, ROWS.weights], [wide, tall], i === 0 ? 1 : undefined),
    );
    const note = (x: number, y: number, letter: string, anchor: 'start' | 'middle'): string =>
      text(x, y, words.times(letter, `${d}×${d}`), paint.muted, { anchor, size: 12 });
    const grey = (x0: number, y0: number, x1: number, y1: number): string =>
      line(x0, y0, x1, y1, paint.muted, { width: 1 });
    /** The way of the first head: from the middle of its slice to what is made of it. */
    const way = (x0: number, y0: number, x1: number, y1: number): string =>
      line(x0, y0, x1, y1, this.first, { width: 1.6 });
    const slice = (x: number, width: number): number =>
      x - side(width) / 2 + side(width) / (2 * heads);
    const below = (y: number, size: number): number => y + side(size) / 2;
    const above = (y: number, size: number): number => y - side(size) / 2;
    const low = below(ROWS.source, Math.max(source[0], crossed ? keys : 0)) + 2;
    return [
      ...COLUMNS.map((x, i) => grey(from[i] ?? middle, low, x, ROWS.qkv - 52)),
      ...COLUMNS.map((x, i) => note(x, ROWS.qkv - 40, ['W_q', 'W_k', 'W_v'][i] ?? '', 'middle')),
      way(slice(xq, q[1]), below(ROWS.qkv, q[0]), left, ROWS.weights - tall / 2),
      way(slice(middle, q[1]), below(ROWS.qkv, keys), left, ROWS.weights - tall / 2),
      way(left, ROWS.weights + tall / 2, slice(middle, all[1]), above(ROWS.each, all[0])),
      way(slice(xv, q[1]), below(ROWS.qkv, keys), slice(middle, all[1]), above(ROWS.each, all[0])),
      grey(middle, below(ROWS.each, all[0]), middle, above(ROWS.output, output[0])),
      note(middle + 10, (ROWS.each + ROWS.output) / 2 + 4, 'W_o', 'start'),
      ...boxes.map((box) => this.drawBox(box)),
      ...squares,
      text(
        WEIGHTS.middle,
        ROWS.weights + tall / 2 + 16,
        `${words.parts.weights} ${words.slices(heads, said(weights))}`,
        paint.ink,
        { anchor: 'middle', size: 13, halo: paint.paper },
      ),
    ].join('');
  }

  /** The same arrays in three rows, without what leads from one to the other. */
  private smallBody({ values, result }: Shown<Values, LayerShapes>): string {
    const paint = paints[this.dark ? 'dark' : 'light'];
    const heads = Number(values.heads);
    const of = (i: number): Size => {
      const [rows = 0, cols = 0] = result.shapes[i] ?? [];
      return [rows, cols];
    };
    const [[n, d], , [, width], [m], [rows, cols], each, all, output] = [
      0, 1, 2, 3, 4, 5, 6, 7,
    ].map(of) as [Size, Size, Size, Size, Size, Size, Size, Size];
    const scale = 0.67;
    const box = (x: number, y: number, [tall, wide]: Size, slices?: number): string =>
      this.array([x, y], [scale * side(wide), scale * side(tall)], slices);
    const say = (x: number, y: number, what: string, color: string = paint.ink): string =>
      text(x, y, what, color, { anchor: 'middle', size: 10.5 });
    const { width: whole, rows: at } = SMALL;
    const middle = whole / 2;
    const step = Math.min(34, (whole - 20) / heads);
    const fit = Math.min(1, (step - 3) / side(Math.max(rows, cols)), 24 / side(rows));
    const first = middle - (step * (heads - 1)) / 2;
    const parts = (['q', 'k', 'v'] as const).map((part, i) => {
      const x = [58, middle, whole - 58][i] ?? 0;
      const tall = part === 'q' ? n : m;
      return [
        say(
          x,
          at.qkv - scale * (side(Math.max(n, m)) / 2) - 5,
          `${words.parts[part]} ${tall}×${d}`,
        ),
        box(x, at.qkv, [tall, d], heads),
        say(
          x,
          at.qkv + scale * (side(Math.max(n, m)) / 2) + 13,
          words.slices(heads, `${tall}×${width}`),
          paint.muted,
        ),
      ].join('');
    });
    const squares = Array.from({ length: heads }, (_, i) =>
      this.array(
        [first + i * step, at.weights],
        [fit * side(cols), fit * side(rows)],
        i === 0 ? 1 : undefined,
      ),
    );
    return [
      ...parts,
      say(
        middle,
        at.weights - 17,
        `${words.parts.weights} ${words.slices(heads, `${rows}×${cols}`)}`,
      ),
      ...squares,
      say(88, at.output - 13, `${words.parts.each} ${all.join('×')}`),
      box(88, at.output, all, heads),
      say(88, at.output + 20, words.slices(heads, each.join('×')), paint.muted),
      say(whole - 74, at.output - 13, `${words.parts.output} ${output.join('×')}`),
      box(whole - 74, at.output, output),
      say(whole - 74, at.output + 20, words.times('W_o', `${d}×${d}`), paint.muted),
    ].join('');
  }

  private picture(shown: Shown<Values, LayerShapes>): unknown {
    const small = this.small.matches;
    const [width, height] = small ? [SMALL.width, SMALL.height] : [WIDTH, HEIGHT];
    const body = small ? this.smallBody(shown) : this.body(shown);
    return html`<div class="hd-drawing">
      ${unsafeHTML(`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words.picture(Number(shown.values.heads))}">${body}</svg>`)}
    </div>`;
  }

  protected override renderResult(shown: Shown<Values, LayerShapes>): unknown {
    return this.picture(shown);
  }

  protected override resultLine({ values, result }: Shown<Values, LayerShapes>): string {
    const [heads, d] = [Number(values.heads), Number(values.dModel)];
    return words.verdict({
      ...{ heads, d, width: d / heads },
      parameters: formatCount(result.parameters),
      work: formatCount(result.multiplyAdds),
      share: percent(result.ofHeads / result.multiplyAdds),
      weights: formatCount(result.weights),
    });
  }

  protected override summary(shown: Shown<Values, LayerShapes>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: Shown<Values, LayerShapes>): readonly KeyNumber[] {
    const { parameters, multiplyAdds, ofHeads, weights } = result;
    const number = (label: string, value: number): KeyNumber => ({
      ...{ label, value, text: formatCount(value) },
    });
    return [
      number(words.numbers.parameters, parameters),
      number(words.numbers.work, multiplyAdds),
      number(words.numbers.ofHeads, ofHeads),
      number(words.numbers.weights, weights),
    ];
  }

  protected override caption({ values }: Shown<Values, LayerShapes>): string {
    return words.caption(values.n, values.m, Number(values.dModel), Number(values.heads));
  }

  protected override data({ result }: Shown<Values, LayerShapes>): FigureData {
    return {
      columns: words.columns,
      rows: result.shapes.map(([rows = 0, cols = 0], i) => [words.arrays[i] ?? '', rows, cols]),
    };
  }

  protected override svg(shown: Shown<Values, LayerShapes>): string {
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf({ body: this.body(shown), width: WIDTH, height: HEIGHT }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-shapes': AttnHeadShapes;
  }
}
