import { html } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import type { Trial } from '#client';
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import { chart, colorAt } from '../../../../src/figures/chart.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount, formatPlain } from '../../../../src/plot/counts.ts';
import { integer, oneOf, type StateOf } from '../../../../src/state/url.ts';
import { tilesWords } from '../../words/tiles.ts';

const { machine: words } = tilesWords.now;

const D = 64;
const LENGTHS = [256, 512, 1024, 2048, 4096] as const;
/** The same kernels; the second writes the whole matrix of weights. */
const CONTENDERS = ['fused', 'fused_weights'] as const;
/** A sample takes about so long. */
const SAMPLE_MS = 30;

const table = {
  show: oneOf({ key: 'show', values: ['time', 'memory'], default: 'time' }),
  longest: oneOf({ key: 'n', values: ['1024', '2048', '4096'], default: '2048' }),
  rounds: integer({ key: 'rounds', min: 1, max: 20, default: 5 }),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface Row {
  readonly n: number;
  /** Medians, in milliseconds, and the bytes of the cost model. */
  readonly tiledMs: number;
  readonly plainMs: number;
  readonly tiledBytes: number;
  readonly plainBytes: number;
}
type ShownRows = Shown<Values, readonly Row[]>;

/**
 * What the n×n matrix of weights costs on the visitor's machine: time, measured, and memory, counted.
 *
 * @element attn-long-machine
 */
@customElement('attn-long-machine')
export class AttnLongMachine extends LabExperiment<Row, Table> {
  override readonly table = table;
  protected override readonly runsTries = true;
  protected override readonly measuresTime = true;
  protected override readonly viewKnobs = ['show'];
  protected override readonly firstKnobs = ['show', 'longest'] as const;

  @query('attn-line-chart') private chart!: AttnLineChart;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { n, tiledMs, plainMs, tiledBytes, plainBytes } = (row ?? {}) as Partial<Row>;
    return [n, tiledMs, plainMs, tiledBytes, plainBytes].every(Number.isFinite);
  }

  protected override describe({ longest, rounds }: Values): string {
    return words.describe(longest, rounds);
  }

  protected override async *sweep({ longest, rounds }: Values, ask: Ask) {
    const { client } = this.tools;
    const { signal } = ask;
    const lengths = LENGTHS.filter((n) => n <= Number(longest));
    try {
      for (const [place, n] of lengths.entries()) {
        const shape = { n, dK: D, dV: D };
        const trials: readonly Trial[] = CONTENDERS.map((mechanism) => ({ mechanism, ...shape }));
        const taken: [number[], number[]] = [[], []];
        for (let round = 0; round < rounds; round++) {
          // Who begins changes from round to round.
          const turned = round % 2 === 1;
          const { samples } = await client.timeRound(
            { trials: turned ? [...trials].reverse() : trials, milliseconds: SAMPLE_MS },
            { signal },
          );
          const [first, second] = turned ? [...samples].reverse() : samples;
          if (first) taken[0].push(first.milliseconds);
          if (second) taken[1].push(second.milliseconds);
          ask.onProgress((place + (round + 1) / rounds) / lengths.length);
        }
        const [tiled, plain] = await Promise.all(
          taken.map((values) => client.summarize({ values }, { signal })),
        );
        const [tiledCost, plainCost] = await Promise.all(
          CONTENDERS.map((mechanism) => client.costOf({ mechanism, shape }, { signal })),
        );
        if (!tiled || !plain || !tiledCost || !plainCost) return;
        const row: Row = {
          ...{ n, tiledMs: tiled.median, plainMs: plain.median },
          ...{ tiledBytes: tiledCost.peakBytes, plainBytes: plainCost.peakBytes },
        };
        yield { row, fraction: (place + 1) / lengths.length };
      }
    } finally {
      // This gives the inputs' memory back.
      await client.timeRound({ trials: [], milliseconds: 1 }).catch(() => undefined);
    }
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    const lengths = Object.fromEntries(table.longest.values.map((n) => [n, n]));
    return [
      choice('show', { label: words.show, options: words.shows }),
      choice('longest', { label: words.longest, options: lengths }),
      slider('rounds', { label: words.rounds }),
    ];
  }

  private series(rows: readonly Row[], what: 'time' | 'memory'): readonly Series[] {
    const { dark } = this;
    const of = (row: Row, which: 'tiled' | 'plain'): number =>
      row[`${which}${what === 'time' ? 'Ms' : 'Bytes'}`];
    return [
      {
        ...{ id: 'tiled', label: words.lines.tiled, color: colorAt(1, dark), mark: 'circle' },
        points: rows.map((row) => chartPoint(row.n, of(row, 'tiled'))),
      },
      {
        ...{ id: 'plain', label: words.lines.plain, color: colorAt(3, dark), mark: 'square' },
        points: rows.map((row) => chartPoint(row.n, of(row, 'plain'))),
      },
    ];
  }

  private draw(shown: ShownRows, what: 'time' | 'memory'): unknown {
    return chart([shown, what, this.dark], () => ({
      series: this.series(shown.result, what),
      x: { count: 'binary' },
      ...(what === 'memory' && { y: { count: 'binary' }, formatY: formatBytes }),
      ...{ xLabel: words.x, yLabel: words[what], summary: this.summary(shown) },
    }));
  }

  protected override renderResult(shown: ShownRows): unknown {
    return this.draw(shown, this.values.show);
  }

  protected override get titles(): Readonly<Record<string, string>> {
    return { memory: words.memoryTitle };
  }

  protected override pictures() {
    return { memory: (shown: ShownRows) => this.draw(shown, 'memory') };
  }

  protected override renderWaiting(): unknown {
    return html`<p class="fine">${words.waiting}</p>`;
  }

  protected override resultLine({ result }: ShownRows): string {
    const last = result.at(-1);
    if (!last) return '';
    return words.line(
      formatCount(last.n),
      formatPlain(last.plainMs / last.tiledMs),
      formatPlain(last.plainBytes / last.tiledBytes),
    );
  }

  protected override summary(shown: ShownRows): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: ShownRows): readonly KeyNumber[] {
    const last = result.at(-1);
    if (!last) return [];
    const time = last.plainMs / last.tiledMs;
    const memory = last.plainBytes / last.tiledBytes;
    return [
      { label: words.timeRatio, value: time, text: words.ratio(formatPlain(time)) },
      { label: words.memoryRatio, value: memory, text: words.ratio(formatPlain(memory)) },
    ];
  }

  protected override caption({ values }: ShownRows): string {
    return words.caption(D, values.rounds);
  }

  protected override data({ result }: ShownRows): FigureData {
    return {
      columns: words.columns,
      rows: result.map((row) => [
        ...[row.n, row.tiledMs, row.plainMs, row.tiledBytes, row.plainBytes],
      ]),
    };
  }

  protected override svg(shown: ShownRows): string {
    return this.chart.svg(this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-machine': AttnLongMachine;
  }
}
