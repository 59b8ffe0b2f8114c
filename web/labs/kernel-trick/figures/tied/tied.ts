import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Kept, Matrix } from '#client';
import { rich } from '../../../../src/components/rich-text/rich-text.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { text } from '../../../../src/plot/svg.ts';
import { integer, number, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import {
  type CellAt,
  type Drawing,
  entry,
  matricesBody,
  neighbour,
  type Outline,
  signedScale,
  svgOf,
} from '../../draw/matrices.ts';
import { inRoom } from '../../draw/room.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/tied.ts';

adopt(css);

const table = {
  n: integer({ key: 'n', default: 6, min: 2, max: 10 }),
  dK: integer({ key: 'd', label: 'd_k', default: 3, min: 1, max: 8 }),
  key: integer({ key: 'key', default: 3, min: 1, max: 10 }),
  factor: number({ key: 'by', default: 2, min: -3, max: 3 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

type Kind = 'scores' | 'features' | 'softmax';
const KINDS: readonly Kind[] = ['scores', 'features', 'softmax'];

/** Numbers in smaller cells could not be read. */
const LEGIBLE = 22;
/** Between two matrices, and above and below them, in pixels. */
const BETWEEN = 12;
const AROUND = 142;
/** Room for two lines above a picture in a file. */
const NAMES = 46;

interface Pair {
  readonly after: Matrix;
  /** For each row, whether an entry's bits have changed. */
  readonly changed: readonly boolean[];
}
type Result = Readonly<Record<Kind, Pair>> & { readonly key: number };

/**
 * Which entries depend on one key.
 *
 * @element attn-kt-tied
 */
@customElement('attn-kt-tied')
export class AttnKtTied extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  @state() private cursor: (CellAt & { readonly kind: Kind }) | undefined;

  protected async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const { n, dK, factor, seed } = values;
    const key = Math.min(values.key, n);
    const { q, k: kept, v } = await keptGaussian(client, { n, dK, dV: 1, seed }, { signal });
    const k = await client.read<Matrix>(kept, { signal });
    const moved: Matrix = {
      ...k,
      data: k.data.map((value, i) => (Math.floor(i / dK) === key - 1 ? factor * value : value)),
    };
    const featureMap = { id: 'elu_plus_one' };
    const phi = (x: Kept<Matrix>) =>
      client.applyFeatureMap({ x, featureMap }, { signal, keep: true });
    const phiQ = await phi(q);
    const all = async (keys: Kept<Matrix>): Promise<Record<Kind, Matrix>> => {
      const [scores, softmax, phiK] = await Promise.all([
        client.standardAttentionOrder({ q, k: keys, v }, { signal }),
        client.attention({ q, k: keys, v }, { signal }),
        phi(keys),
      ]);
      const features = await client.standardAttentionOrder({ q: phiQ, k: phiK, v }, { signal });
      client.release(phiK);
      return {
        scores: scores.weights,
        softmax: softmax.weights,
        features: features.weights,
      };
    };
    const keptMoved = await client.keep(moved, { signal });
    const [before, after] = await Promise.all([all(kept), all(keptMoved)]);
    client.release([phiQ, keptMoved]);
    const pair = (kind: Kind): Pair => ({
      after: after[kind],
      changed: Array.from(after[kind].data, (value, i) => value !== before[kind].data[i]),
    });
    return {
      scores: pair('scores'),
      features: pair('features'),
      softmax: pair('softmax'),
      key,
    };
  }

  protected override readonly firstKnobs = ['factor', 'key'] as const;
  protected override get controls() {
    return [
      slider('key', { label: words.key, max: this.values.n }),
      slider('factor', { label: words.factor, step: 0.1 }),
      slider('n', { label: words.n, symbol: 'n' }),
      slider('dK', { label: words.d, symbol: 'd_k' }),
      seedKnob(),
    ];
  }

  private drawing(kind: Kind, { result }: Shown<Values, Result>, cell = 30): Drawing {
    const { after } = result[kind];
    const size = after.rows * cell;
    return {
      width: size + 12,
      height: size + 12,
      ...{ cell, bare: cell < LEGIBLE },
      matrices: [
        { id: kind, name: '', matrix: after, scale: signedScale(after), x: 6, y: 6, side: 'below' },
      ],
    };
  }

  private outlines(kind: Kind, { result }: Shown<Values, Result>): Outline[] {
    const { after, changed } = result[kind];
    const lines: Outline[] = [];
    changed.forEach((is, i) => {
      if (!is) return;
      const [row, col] = [Math.floor(i / after.cols), i % after.cols];
      lines.push({ id: kind, row, col, kind: 'terms' });
    });
    const { cursor } = this;
    if (cursor?.kind === kind) lines.push({ ...cursor, id: kind, kind: 'cursor' });
    return lines;
  }

  private onKey(kind: Kind, shown: Shown<Values, Result>, event: KeyboardEvent): void {
    const ways: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const way = ways[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = this.cursor?.kind === kind ? this.cursor : undefined;
    const next = at
      ? neighbour(this.drawing(kind, shown), at, way[0], way[1])
      : { id: kind, row: 0, col: 0 };
    this.cursor = { ...next, kind };
  }

  /** The words below the matrices: what the cell under the pointer is, or what the picture shows. */
  private note({ result }: Shown<Values, Result>): string {
    const { cursor } = this;
    if (!cursor) return words.outlined;
    const { after, changed } = result[cursor.kind];
    const { row, col } = cursor;
    const value = formatNumber(entry(after, row, col));
    const said = words.cell(row + 1, col + 1, value, changed[row * after.cols + col] ?? false);
    return `${words.names[cursor.kind]}, ${said}`;
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    const { rows } = shown.result.scores.after;
    return inRoom(({ width, height }) => {
      // Three in a row, whatever the width.
      const wide = Math.floor((width - 2 * BETWEEN) / KINDS.length);
      const cell = Math.max(
        6,
        Math.min(30, Math.floor((wide - 12) / rows), Math.floor((height - AROUND) / rows)),
      );
      return html`<div class="kt-three">
          ${KINDS.map((kind) => this.renderKind(kind, shown, cell))}
        </div>
        <p class="terms" aria-live=${this.cursor ? 'polite' : 'off'}>${this.note(shown)}</p>`;
    });
  }

  private renderKind(kind: Kind, shown: Shown<Values, Result>, cell: number): TemplateResult {
    const { changed } = shown.result[kind];
    const count = changed.filter(Boolean).length;
    return html`<section role="group" class="kt-part" aria-label=${words.names[kind]}>
      <h4>${rich(words.names[kind])}</h4>
      <p class="fine"><strong>${words.changed(count, changed.length)}</strong></p>
      <div
        class="kt-picture"
        role="application"
        tabindex="0"
        aria-label=${words.picture(words.names[kind])}
        @keydown=${(event: KeyboardEvent) => this.onKey(kind, shown, event)}
        @pointerover=${(event: PointerEvent) => {
          const at = (event.target as Element).closest<SVGElement>('[data-m]')?.dataset;
          if (!at) return;
          this.cursor = { id: kind, row: Number(at.r), col: Number(at.c), kind };
        }}
        @pointerleave=${() => {
          this.cursor = undefined;
        }}
        @blur=${() => {
          this.cursor = undefined;
        }}
      >
        ${unsafeHTML(this.one(kind, shown, this.outlines(kind, shown), cell))}
      </div>
    </section>`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return KINDS.map((kind) => {
      const { changed } = result[kind];
      const count = changed.filter(Boolean).length;
      return {
        label: words.short[kind],
        value: count,
        text: words.changed(count, changed.length),
      };
    });
  }

  private one(
    kind: Kind,
    shown: Shown<Values, Result>,
    outlines: readonly Outline[],
    cell: number,
  ): string {
    const drawing = this.drawing(kind, shown, cell);
    return svgOf(drawing, matricesBody(drawing, outlines, this.dark), this.dark);
  }

  protected caption({ values, result }: Shown<Values, Result>): string {
    const { n, dK, factor, seed } = values;
    const times = String(factor).replace('-', '−');
    return words.caption({ n, d: dK, key: result.key, factor: times, seed });
  }

  protected override summary({ result }: Shown<Values, Result>): string {
    const count = (kind: Kind): number => result[kind].changed.filter(Boolean).length;
    const all = result.softmax.changed.length;
    return words.summary(count('scores'), count('features'), count('softmax'), all);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: KINDS.map((kind) => {
        const { changed } = result[kind];
        return [words.names[kind], changed.filter(Boolean).length, changed.length];
      }),
      matrices: Object.fromEntries(KINDS.map((kind) => [kind, result[kind].after])),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const paint = paints[this.dark ? 'dark' : 'light'];
    const drawings = KINDS.map((kind) => this.drawing(kind, shown));
    const each = Math.max(drawings[0]?.width ?? 0, 190) + 30;
    const body = KINDS.map((kind, i) => {
      const drawing = drawings[i] as Drawing;
      const { changed } = shown.result[kind];
      const count = words.changed(changed.filter(Boolean).length, changed.length);
      const above =
        text(6, 16, words.names[kind], paint.ink, { size: 14, weight: '600', kind: 'ink' }) +
        text(6, 35, count, paint.ink, { kind: 'ink' });
      const inside = matricesBody(drawing, this.outlines(kind, shown), this.dark);
      return `<g transform="translate(${i * each} 0)">${above}<g transform="translate(0 ${NAMES})">${inside}</g></g>`;
    });
    const height = NAMES + (drawings[0]?.height ?? 0);
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    const size = { width: KINDS.length * each, height };
    return fileOf({ body: body.join(''), ...size }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-kt-tied': AttnKtTied;
  }
}
