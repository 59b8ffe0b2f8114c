import { html, svg } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { FlashResult, Matrix } from '#client';
import { chart, colorAt, lineBefore, pointsAlong } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { type Knob, seedKnob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import type { Series } from '../../../../src/plot/chart.ts';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { colorOf } from '../../../../src/plot/color.ts';
import { formatBytes } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf } from '../../../../src/plot/picture-file.ts';
import { boolean, integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { weightScale } from '../draw.ts';
import { numbers, said } from '../parts.ts';

const words = figureWords.now.flash;

const D = 16;
/** Between two tiles of a play. */
const BEAT_MS = 600;
const SIDE = 300;
/** Above the matrix stand the names of the two columns beside it. */
const HEAD = 18;
const WIDE = SIDE + 124;

/** Texts of these lengths are compared. */
const LENGTHS = Array.from({ length: 12 }, (_, i) => 2 ** (i + 4));
/** A text of this length is spoken of. */
const SPOKEN = 2 ** 13;

const table = {
  tile: integer({ key: 'tile', min: 0, max: 144, default: 4 }),
  queryTile: integer({ key: 'queries', min: 1, max: 12, default: 4 }),
  keyTile: integer({ key: 'keys', min: 1, max: 12, default: 4 }),
  causal: boolean({ key: 'causal', default: true }),
  n: integer({ key: 'n', min: 4, max: 12, default: 12 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

interface Tile {
  /** First query and first key, and how many of each. */
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  /** Which tile of keys it is. */
  readonly keys: number;
}

interface Result {
  readonly flash: FlashResult;
  readonly weights: Matrix;
  /** The relative distance to attention in one piece. */
  readonly error: number;
  /** The computed tiles, in their order. */
  readonly tiles: readonly Tile[];
  /** Bytes that are held at once beside inputs and output, for each of `LENGTHS`. */
  readonly kept: readonly { readonly whole: number; readonly tiled: number }[];
}

/** The tiles that are computed, query tile by query tile; those above the diagonal are skipped. */
function tilesOf({ n, queryTile, keyTile, causal }: Values): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let row = 0; row < n; row += queryTile) {
    const rows = Math.min(queryTile, n - row);
    for (let col = 0; col < n; col += keyTile) {
      if (causal && col > row + rows - 1) continue;
      tiles.push({ row, col, rows, cols: Math.min(keyTile, n - col), keys: col / keyTile });
    }
  }
  return tiles;
}

/**
 * The softmax in tiles, with running maximum and sum: played and scrubbed.
 *
 * @element attn-flash-tiles
 */
@customElement('attn-flash-tiles')
export class AttnFlashTiles extends LabFigure<Result, typeof table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['tile', 'keyTile'] as const;
  @state() private playing = false;
  private timer: ReturnType<typeof setInterval> | undefined;

  override get heading(): string {
    return words.heading;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.pause();
  }

  protected override async compute(values: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const { n, queryTile, keyTile, causal, seed } = values;
    const qkv = await keptGaussian(client, { n, dK: D, dV: D, seed }, { signal });
    const mask = { kind: causal ? 'causal' : 'full' } as const;
    const [flash, whole] = await Promise.all([
      client.flashAttention({ ...qkv, mask, queryTile, keyTile, trace: true }, { signal }),
      client.attention({ ...qkv, mask }, { signal }),
    ]);
    const { relativeFrobenius } = await client.precisionError(
      { reference: whole.output, approximate: flash.output },
      { signal },
    );
    const kept = await Promise.all(LENGTHS.map((length) => this.keptAt(length, values, signal)));
    return {
      flash,
      weights: whole.weights,
      error: relativeFrobenius,
      tiles: tilesOf(values),
      kept,
    };
  }

  /** As the core counts it: the whole matrix of weights, or one tile and the numbers of each row. */
  private async keptAt(n: number, { queryTile, keyTile, causal }: Values, signal: AbortSignal) {
    const shape = { n, dK: D, dV: D, queryTile, keyTile };
    const bytes = async (mechanism: string): Promise<number> =>
      (await this.tools.client.costOf({ mechanism, shape }, { signal })).workspaceBytes;
    return {
      whole: await bytes(causal ? 'causal' : 'standard'),
      tiled: await bytes(causal ? 'flash_causal' : 'flash'),
    };
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.playing = false;
  }

  private play(tiles: number): void {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.values.tile >= tiles) this.set({ tile: 0 });
    this.playing = true;
    this.timer = setInterval(() => {
      const next = Math.min(this.values.tile, tiles) + 1;
      this.set({ tile: Math.min(next, tiles) }, { draft: next < tiles });
      if (next >= tiles) this.pause();
    }, BEAT_MS);
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      slider('tile', { label: words.tile, max: tilesOf(this.values).length }),
      slider('queryTile', { label: words.queryTile }),
      slider('keyTile', { label: words.keyTile }),
      toggle('causal', { label: words.causal }),
      slider('n', { symbol: 'n', label: words.n }),
      seedKnob(),
    ];
  }

  private picture(shown: Shown<Values, Result>): string {
    const { values, result } = shown;
    const { n } = values;
    const cell = SIDE / n;
    const paint = paints[this.dark ? 'dark' : 'light'];
    const done = result.tiles.slice(0, values.tile);
    const now = done.at(-1);
    const parts = [`<rect width="${SIDE}" height="${SIDE}" fill="${paint.rule}"/>`];
    for (const { row, col, rows, cols } of done) {
      for (let i = row; i < row + rows; i++) {
        for (let j = col; j < col + cols; j++) {
          if (values.causal && j > i) continue;
          const fill = colorOf(weightScale, result.weights.data[i * n + j] ?? 0, this.dark);
          parts.push(
            `<rect x="${j * cell}" y="${i * cell}" width="${cell - 0.5}" height="${cell - 0.5}" fill="rgb(${fill.join(',')})"/>`,
          );
        }
      }
    }
    for (const tile of tilesOf({ ...values, causal: false })) {
      parts.push(
        `<rect x="${tile.col * cell}" y="${tile.row * cell}" width="${tile.cols * cell}" height="${tile.rows * cell}" fill="none" stroke="${paint.muted}"/>`,
      );
    }
    if (now) {
      parts.push(
        `<rect x="${now.col * cell + 1}" y="${now.row * cell + 1}" width="${now.cols * cell - 2}" height="${now.rows * cell - 2}" fill="none" stroke="${paint.accent}" stroke-width="4"/>`,
      );
    }
    this.running(shown).forEach(({ m, l }, i) => {
      const y = (i + 0.5) * cell + 5;
      const write = (x: number, value: number): string =>
        `<text x="${x}" y="${y}" font-size="15" text-anchor="end" fill="${paint.ink}">${formatNumber(value)}</text>`;
      parts.push(write(SIDE + 55, m), write(SIDE + 115, l));
    });
    for (const [x, name] of [
      [SIDE + 55, 'm'],
      [SIDE + 115, 'l'],
    ] as const) {
      parts.push(
        `<text x="${x}" y="-5" font-size="15" font-style="italic" text-anchor="end" fill="${paint.muted}">${name}</text>`,
      );
    }
    return `<g transform="translate(0 ${HEAD})">${parts.join('')}</g>`;
  }

  /** m and l of every query after the tiles so far. */
  private running({ values, result }: Shown<Values, Result>) {
    const { n } = values;
    const { trace, logSumExp } = result.flash;
    const last = new Map<number, number>();
    for (const { row, rows, keys } of result.tiles.slice(0, values.tile)) {
      for (let i = row; i < row + rows; i++) last.set(i, keys);
    }
    return Array.from({ length: n }, (_, i) => {
      const keys = last.get(i);
      const at = (matrix: Matrix | undefined): number =>
        keys === undefined ? Number.NaN : (matrix?.data[keys * n + i] ?? Number.NaN);
      return {
        query: i + 1,
        m: keys === undefined ? -Infinity : at(trace?.runningMax),
        l: keys === undefined ? 0 : at(trace?.runningSum),
        end: logSumExp.data[i] ?? Number.NaN,
      };
    });
  }

  private sentences({ values, result }: Shown<Values, Result>): readonly string[] {
    const { n, queryTile, keyTile } = values;
    const all = Math.ceil(n / queryTile) * Math.ceil(n / keyTile);
    const now = result.tiles.slice(0, values.tile).at(-1);
    const max = result.flash.trace?.runningMax;
    let raised = 0;
    if (now && max && now.keys > 0) {
      for (let i = now.row; i < now.row + now.rows; i++) {
        const [before, after] = [now.keys - 1, now.keys].map((k) => max.data[k * n + i] as number);
        if (before !== undefined && after !== undefined && after > before) raised++;
      }
    }
    return [
      words.numbers(queryTile * keyTile, n * n, result.flash.visitedTiles, all),
      now && now.keys > 0 ? (raised > 0 ? words.rescaled(raised) : words.kept) : '',
      words.error(formatNumber(result.error)),
      this.savedAt({ values, result }),
    ];
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    const { values, result } = shown;
    const all = result.tiles.length;
    const done = Math.min(values.tile, all);
    return html`<div class="sg-scrub">
        <button
          class="button"
          type="button"
          ?disabled=${this.knobs?.fixed('tile')}
          @click=${() => this.play(all)}
        >
          ${this.playing ? words.pause : words.play}
        </button>
        <span>${words.picture(done, all)}</span>
      </div>
      <svg
        class="sg-tiles"
        data-square
        viewBox="0 0 ${WIDE} ${SIDE + HEAD}"
        role="img"
        aria-label=${words.picture(done, all)}
      >
        ${svg`${unsafeSVG(this.picture(shown))}`}
      </svg>`;
  }

  protected override pictures() {
    return { kept: (shown: Shown<Values, Result>) => this.renderSizes(shown) };
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { kept: words.keptTitle };
  }

  /** What a longer text asks for, in one piece and in tiles of this size. */
  private renderSizes(shown: Shown<Values, Result>): unknown {
    const { ghost, dark } = this;
    const along = (of: Result, which: 'whole' | 'tiled') =>
      pointsAlong(
        LENGTHS,
        of.kept.map(({ [which]: bytes }) => bytes),
      );
    const one = (id: 'whole' | 'tiled', color: number): Series => ({
      ...{ id, label: words.ways[id], color: colorAt(color, dark), mark: 'circle' as const },
      points: along(shown.result, id),
    });
    return html`${chart([shown.result, ghost?.result, dark], () => ({
      series: [
        ...(ghost ? [lineBefore('tiled', along(ghost.result, 'tiled'), dark)] : []),
        ...[one('whole', 1), one('tiled', 3)],
      ],
      x: { count: 'binary' },
      y: { count: 'binary' },
      ...{ xLabel: words.length, yLabel: words.bytes, formatY: formatBytes },
      summary: this.savedAt(shown),
    }))}
      <p class="sg-told">${this.savedAt(shown)}</p>`;
  }

  private savedAt({ values, result }: Shown<Values, Result>): string {
    const { whole, tiled } = result.kept[LENGTHS.indexOf(SPOKEN)] ?? { whole: 0, tiled: 0 };
    const { queryTile, keyTile } = values;
    return words.saved(SPOKEN, formatBytes(whole), formatBytes(tiled), queryTile, keyTile);
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return html`${said(this.sentences(shown))}
    ${numbers(
      words.rows,
      words.columns,
      this.running(shown).map(({ query, m, l, end }) => [
        String(query),
        ...[m, l, end].map((x) => formatNumber(x)),
      ]),
    )}`;
  }

  /** What the last tile has done, or what is kept. */
  protected override resultLine(shown: Shown<Values, Result>): string {
    const [kept = '', last = ''] = this.sentences(shown);
    return last || kept;
  }

  protected override keyNumbers({ values, result }: Shown<Values, Result>): KeyNumber[] {
    const { queryTile, keyTile, tile } = values;
    const done = Math.min(tile, result.tiles.length);
    return [
      { label: words.scoresKept, value: queryTile * keyTile, text: String(queryTile * keyTile) },
      { label: words.tile, value: done, text: words.of(done, result.tiles.length) },
    ];
  }

  protected override caption({ values }: Shown<Values, Result>): string {
    const { n, queryTile, keyTile, causal, seed } = values;
    return words.caption(n, queryTile, keyTile, causal, seed);
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.playing ? '' : this.sentences(shown).join(' ');
  }

  protected override data(shown: Shown<Values, Result>): FigureData {
    return {
      columns: words.columns,
      rows: this.running(shown).map(({ query, m, l, end }) => [query, m, l, end]),
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return fileOf(
      { body: this.picture(shown), width: WIDE, height: SIDE + HEAD },
      { title: this.heading, caption: this.fullCaption(shown) },
      this.dark,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-flash-tiles': AttnFlashTiles;
  }
}
