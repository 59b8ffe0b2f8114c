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

const WIDTH = 460;
const HEIGHT = 430;
/** Where each row of the drawing has its middle. */
const ROWS = { source: 34, qkv: 132, weights: 232, each: 318, output: 392 } as const;
/** A side of 512 numbers is so long. */
const LONGEST = 118;

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
  /** Cut into so many parts of columns. */
  readonly slices?: number;
  readonly label: string;
  readonly below?: string;
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

  private drawBox({ x, y, rows, cols, slices = 1, label, below }: Box): string {
    const { dark } = this;
    const paint = paints[dark ? 'dark' : 'light'];
    const [wide, tall] = [side(cols), side(rows)];
    const [left, top] = [x - wide / 2, y - tall / 2];
    const cut = Array.from({ length: slices - 1 }, (_, i) => {
      const at = left + ((i + 1) * wide) / slices;
      return line(at, top, at, top + tall, paint.ink, { width: 0.6 });
    });
    return `<rect x="${round(left)}" y="${round(top)}" width="${round(wide / slices)}" height="${round(tall)}" fill="${colorAt(1, dark)}" fill-opacity="0.75"/>
      <rect x="${round(left)}" y="${round(top)}" width="${round(wide)}" height="${round(tall)}" fill="none" stroke="${paint.ink}"/>
      ${cut.join('')}
      ${text(x, top - 6, label, paint.ink, { anchor: 'middle', size: 12 })}
      ${below ? text(x, top + tall + 14, below, paint.muted, { anchor: 'middle', size: 11 }) : ''}`;
  }

  private body({ values, result }: Shown<Values, LayerShapes>): string {
    const heads = Number(values.heads);
    const { dark } = this;
    const paint = paints[dark ? 'dark' : 'light'];
    const at = (i: number): readonly [number, number] => {
      const [rows = 0, cols = 0] = result.shapes[i] ?? [];
      return [rows, cols];
    };
    const said = (i: number): string => at(i).join('×');
    const [source, q, qHead, kHead, weights, eachHead, all, output] = Array.from(
      { length: 8 },
      (_, i) => i,
    ) as [number, number, number, number, number, number, number, number];
    const [d] = [at(source)[1]];
    const crossed = values.m > 0;
    const keys = at(kHead)[0];
    const xs = [80, 230, 380] as const;
    const square = `${d}×${d}`;
    const boxes: Box[] = [
      {
        ...{ x: crossed ? xs[0] : xs[1], y: ROWS.source },
        ...{ rows: at(source)[0], cols: d, label: `${words.source} ${said(source)}` },
      },
      ...(crossed
        ? [
            {
              ...{ x: (xs[1] + xs[2]) / 2, y: ROWS.source },
              ...{ rows: keys, cols: d, label: `${words.second} ${keys}×${d}` },
            },
          ]
        : []),
      ...(['q', 'k', 'v'] as const).map((part, i) => ({
        ...{ x: xs[i] ?? 0, y: ROWS.qkv, slices: heads },
        ...{ rows: part === 'q' ? at(q)[0] : keys, cols: at(q)[1] },
        label: `${words.parts[part]} ${part === 'q' ? said(q) : `${keys}×${at(q)[1]}`}`,
        below: words.slices(heads, part === 'q' ? said(qHead) : said(kHead)),
      })),
      {
        ...{ x: xs[1], y: ROWS.each, rows: at(all)[0], cols: at(all)[1], slices: heads },
        label: `${words.parts.each} ${said(all)}`,
        below: words.slices(heads, said(eachHead)),
      },
      {
        ...{ x: xs[1], y: ROWS.output, rows: at(output)[0], cols: at(output)[1] },
        label: `${words.parts.output} ${said(output)}`,
      },
    ];
    // The weights of every head beside each other, smaller where there are many.
    const [rows, cols] = at(weights);
    const step = Math.min(44, 400 / heads);
    const fit = Math.min(1, (step - 3) / side(Math.max(rows, cols)), 40 / side(rows));
    const first = WIDTH / 2 - (step * (heads - 1)) / 2;
    const squares = Array.from({ length: heads }, (_, i) => {
      const [wide, tall] = [fit * side(cols), fit * side(rows)];
      const fill = i === 0 ? colorAt(1, dark) : 'none';
      return `<rect x="${round(first + i * step - wide / 2)}" y="${round(ROWS.weights - tall / 2)}" width="${round(wide)}" height="${round(tall)}" fill="${fill}" fill-opacity="0.75" stroke="${paint.ink}"/>`;
    });
    const arrow = (x0: number, y0: number, x1: number, y1: number): string =>
      line(x0, y0, x1, y1, paint.muted, { width: 1 });
    const note = (x: number, y: number, letter: string): string =>
      text(x, y, words.times(letter, square), paint.muted, { size: 11 });
    const low = ROWS.source + side(Math.max(at(source)[0], crossed ? keys : 0)) / 2 + 3;
    const from = (i: number): number => (crossed ? (i === 0 ? xs[0] : (xs[1] + xs[2]) / 2) : xs[1]);
    return [
      ...xs.map((x, i) => arrow(from(i), low, x, ROWS.qkv - 48)),
      ...xs.map((x, i) => note(x - 38, ROWS.qkv - 34, ['W_q', 'W_k', 'W_v'][i] ?? '')),
      ...boxes.map((box) => this.drawBox(box)),
      ...squares,
      text(
        WIDTH / 2,
        ROWS.weights - 27,
        `${words.parts.weights} ${words.slices(heads, said(weights))}`,
        paint.ink,
        {
          anchor: 'middle',
          size: 12,
        },
      ),
      note(xs[1] + 76, ROWS.output - 24, 'W_o'),
    ].join('');
  }

  /** The same arrays in three rows, without what leads from one to the other. */
  private smallBody({ values, result }: Shown<Values, LayerShapes>): string {
    const { dark } = this;
    const paint = paints[dark ? 'dark' : 'light'];
    const heads = Number(values.heads);
    const of = (i: number): readonly [number, number] => {
      const [rows = 0, cols = 0] = result.shapes[i] ?? [];
      return [rows, cols];
    };
    const [[n, d], , [, width], [m], [rows, cols], each, all, output] = [
      0, 1, 2, 3, 4, 5, 6, 7,
    ].map(of) as [Size, Size, Size, Size, Size, Size, Size, Size];
    const scale = 0.85;
    const box = (x: number, y: number, [tall, wide]: Size, slices: number): string => {
      const [w, h] = [scale * side(wide), scale * side(tall)];
      const [left, top] = [x - w / 2, y - h / 2];
      const rect = (end: number, paintIt: string): string =>
        `<rect x="${round(left)}" y="${round(top)}" width="${round(end)}" height="${round(h)}" ${paintIt}/>`;
      const cut = Array.from({ length: slices - 1 }, (_, i) => {
        const at = left + ((i + 1) * w) / slices;
        return line(at, top, at, top + h, paint.ink, { width: 0.6 });
      });
      return `${rect(w / slices, `fill="${colorAt(1, dark)}" fill-opacity="0.75"`)}${rect(w, `fill="none" stroke="${paint.ink}"`)}${cut.join('')}`;
    };
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
    const squares = Array.from({ length: heads }, (_, i) => {
      const [wide, tall] = [fit * side(cols), fit * side(rows)];
      const fill = i === 0 ? colorAt(1, dark) : 'none';
      return `<rect x="${round(first + i * step - wide / 2)}" y="${round(at.weights - tall / 2)}" width="${round(wide)}" height="${round(tall)}" fill="${fill}" fill-opacity="0.75" stroke="${paint.ink}"/>`;
    });
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
      box(whole - 74, at.output, output, 1),
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
