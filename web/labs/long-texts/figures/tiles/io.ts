import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { CountedFlashIo, FlashIo } from '#client';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt, lineBefore } from '../../../../src/figures/chart.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, slider, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount, formatPlain } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { boolean, integer, type StateOf } from '../../../../src/state/url.ts';
import { tilesWords } from '../../words/tiles.ts';

const { io: words } = tilesWords.now;

const BYTES = 4;
/** Keys in a tile: they change where the scores lie, not how much is moved. */
const COLS = 64;
/** So many cells are counted and compared at once, without being felt. */
const COUNTED_CELLS = 2 ** 20;

const table = {
  tile: integer({ key: 'tile', min: 1, max: 1024, default: 64 }),
  d: integer({ key: 'd', min: 8, max: 256, default: 64 }),
  n: integer({ key: 'n', min: 64, max: 16384, default: 1024 }),
  causal: boolean({ key: 'causal', default: false }),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface Answer {
  readonly at: FlashIo;
  /** For each size of tile, what is moved. */
  readonly sizes: readonly number[];
  readonly all: readonly FlashIo[];
  readonly counted?: CountedFlashIo;
  /** How far the outputs are apart, relatively. */
  readonly error?: number;
}
type ShownAnswer = Shown<Values, Answer>;

/** Tiles of powers of two, up to the whole text. */
function tileSizes(n: number): readonly number[] {
  const most = Math.min(n, table.tile.max);
  const sizes: number[] = [];
  for (let size = 1; size < most; size *= 2) sizes.push(size);
  return [...sizes, most];
}

/**
 * What plain attention and attention in tiles move between slow and fast memory.
 *
 * @element attn-long-tiles
 */
@customElement('attn-long-tiles')
export class AttnLongTiles extends LabFigure<Answer, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['tile', 'd'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute(values: Values, ask: Ask): Promise<Answer> {
    const { client } = this.tools;
    const { signal } = ask;
    const { n, d, causal } = values;
    const tile = Math.min(values.tile, n);
    const shape = { n, d, causal, tileCols: COLS };
    const sizes = tileSizes(n);
    const at = await client.flashIo({ ...shape, tileRows: tile }, { signal });
    const all = await Promise.all(
      sizes.map((tileRows) => client.flashIo({ ...shape, tileRows }, { signal })),
    );
    if (n * n > COUNTED_CELLS || (n / tile) * (n / COLS) > 4096) return { at, sizes, all };
    const counted = await client.countedFlashIo({ ...shape, tileRows: tile }, { signal });
    const qkv = await client.gaussianQkv({ n, dK: d, dV: d, seed: 1 }, { signal });
    const mask = { kind: causal ? 'causal' : 'full' } as const;
    const flash = await client.flashAttention(
      { ...qkv, mask, queryTile: tile, keyTile: Math.min(COLS, n) },
      { signal },
    );
    const plain = await client.attention({ ...qkv, mask }, { signal });
    const { relativeFrobenius } = await client.precisionError(
      { reference: plain.output, approximate: flash.output },
      { signal },
    );
    return { at, sizes, all, counted, error: relativeFrobenius };
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      slider('tile', {
        label: words.tile,
        log: true,
        max: Math.min(table.tile.max, this.values.n),
      }),
      slider('d', { label: words.d, symbol: 'd', log: true }),
      slider('n', { label: words.n, symbol: 'n', log: true }),
      toggle('causal', { label: words.causal }),
    ];
  }

  private points({ sizes, all }: Answer): Series['points'] {
    return sizes.map((size, i) => chartPoint(size, BYTES * (all[i]?.flashElements ?? Number.NaN)));
  }

  protected override renderResult(shown: ShownAnswer): unknown {
    const { dark, ghost } = this;
    const { result, values } = shown;
    const { at, sizes } = result;
    const { guess } = this.bothAnswers;
    return chart([shown, ghost, dark, guess], () => ({
      series: [
        ...(ghost ? [lineBefore('tiled', this.points(ghost.result), dark)] : []),
        {
          ...{ id: 'tiled', label: words.lines.tiled, color: colorAt(1, dark), mark: 'circle' },
          points: this.points(result),
        },
        {
          ...{ id: 'plain', label: words.lines.plain, color: colorAt(3, dark), mark: 'square' },
          bare: true,
          points: sizes.map((size) => chartPoint(size, BYTES * at.exactElements)),
        },
      ],
      x: { count: 'binary' },
      y: { count: 'binary' },
      formatY: formatBytes,
      markers: [
        {
          x: Math.min(values.tile, values.n),
          label: formatCount(Math.min(values.tile, values.n)),
          strong: true,
        },
        ...(at.breakEven >= 1 ? [{ x: at.breakEven, label: words.breakEven, dashed: true }] : []),
      ],
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override resultLine({ values, result: { at } }: ShownAnswer): string {
    const say = at.gain < 1 ? words.loses : words.wins;
    return say(
      formatCount(Math.min(values.tile, values.n)),
      formatBytes(BYTES * at.flashElements),
      formatBytes(BYTES * at.exactElements),
      formatPlain(at.gain),
    );
  }

  protected override summary(shown: ShownAnswer): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result: { at } }: ShownAnswer): readonly KeyNumber[] {
    const moved = BYTES * at.flashElements;
    return [
      { label: words.moved, value: moved, text: formatBytes(moved) },
      { label: words.gain, value: at.gain, text: formatPlain(at.gain) },
    ];
  }

  protected override renderDetails({ result }: ShownAnswer): unknown {
    const { at, counted, error } = result;
    return html`${at.smallestWinningTile > 0 ? html`<p>${words.smallest(formatCount(at.smallestWinningTile))}</p>` : ''}
      ${
        counted
          ? html`<p>
              ${words.counted(
                formatBytes(BYTES * counted.flashRead),
                formatBytes(BYTES * counted.flashWritten),
                formatCount(counted.visitedTiles),
              )}
              ${words.plainCounted(formatBytes(BYTES * (counted.exactRead + counted.exactWritten)))}
            </p>`
          : html`<p>${words.uncounted}</p>`
      }
      ${error === undefined ? '' : html`<p>${words.error(formatNumber(error))}</p>`}`;
  }

  protected override caption({ values: { n, d, causal } }: ShownAnswer): string {
    return words.caption(n, d, causal, COLS);
  }

  protected override data({ result: { sizes, all } }: ShownAnswer): FigureData {
    return {
      columns: words.columns,
      rows: sizes.map((size, i) => {
        const io = all[i];
        if (!io) return [size, null, null, null];
        return [size, BYTES * io.flashElements, BYTES * io.exactElements, io.gain];
      }),
    };
  }

  protected override svg(shown: ShownAnswer): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-tiles': AttnLongTiles;
  }
}
