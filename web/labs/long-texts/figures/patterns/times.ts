import { customElement } from 'lit/decorators.js';
import type { Client, Kept, Matrix, Qkv, Stack } from '#client';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, type Knob, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatCount, formatPlain } from '../../../../src/plot/counts.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/patterns.ts';
import { choiceOfBlocks, PATTERNS, type PatternName, patternNamed } from './patterns.ts';

const { names, times: words } = figureWords.now;

const SIZES = ['1024', '4096', '16384'] as const;
const D = 64;
/** The fastest of so many runs counts. */
const RUNS = 3;
const THOUSAND = 1000;
/** Random scores would be an n×n matrix, which is what a pattern is there to avoid. */
const TIMED = PATTERNS.filter((name) => name !== 'random');

const table = {
  n: oneOf({ key: 'n', values: SIZES, default: '16384' }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

interface Row {
  readonly name: PatternName;
  readonly cells: number;
  readonly milliseconds: number;
}

interface Prepared {
  readonly cells: number;
  readonly run: () => Promise<unknown>;
  /** Gives up what was kept for the runs. */
  readonly done?: () => void;
}

/** The same rows as stacks of one head, which stay in the worker, too. */
async function keptStacks(client: Client, { q, k, v }: Kept<Qkv>, signal: AbortSignal) {
  const stackOf = async (rows: Kept<Matrix>): Promise<Kept<Stack>> => {
    const one = { ...(await client.read(rows, { signal })), batch: 1, heads: 1 };
    return client.keep(one, { signal, transfer: true });
  };
  return { q: await stackOf(q), k: await stackOf(k), v: await stackOf(v) };
}

/**
 * The measured time of sparse attention over the cells that its pattern keeps.
 *
 * @element attn-long-times
 */
@customElement('attn-long-times')
export class AttnLongTimes extends LabExperiment<Row, typeof table> {
  override readonly table = table;
  protected override readonly measuresTime = true;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { name, cells, milliseconds } = (row ?? {}) as Partial<Row>;
    return name !== undefined && name in names && cells !== undefined && milliseconds !== undefined;
  }

  protected override describe({ n, seed }: Values): string {
    return words.describe(Number(n), seed);
  }

  protected override async *sweep(
    values: Values,
    ask: Ask,
  ): AsyncGenerator<{ readonly row: Row; readonly fraction: number }> {
    const { client } = this.tools;
    const { signal } = ask;
    const n = Number(values.n);
    // What travels between page and worker costs the same for every pattern, and more than some do: the rows stay there.
    const inputs = await keptGaussian(client, { n, dK: D, dV: D, seed: values.seed }, { signal });
    const prepared = async (name: PatternName): Promise<Prepared> => {
      if (name === 'chosen') {
        // What is kept depends on queries and keys: the choice is a part of each run.
        const stacks = await keptStacks(client, inputs, signal);
        const run = () => client.blockAttention({ ...stacks, ...choiceOfBlocks(n) }, { signal });
        const { cells } = await run();
        return { cells: cells[0] ?? Number.NaN, run, done: () => client.release(stacks) };
      }
      const { rowStart, columns, nnz } = await client.makePattern(
        { n, m: n, pattern: await patternNamed(client, name, n, values.seed, ask) },
        { signal },
      );
      const pattern = { kind: 'lists', rowStart, columns } as const;
      return {
        cells: nnz,
        run: () => client.sparseAttention({ ...inputs, pattern }, { signal }),
      };
    };
    for (const [i, name] of TIMED.entries()) {
      const { cells, run, done } = await prepared(name);
      let milliseconds = Number.POSITIVE_INFINITY;
      try {
        for (let at = 0; at < RUNS; at++) {
          const begun = performance.now();
          await run();
          milliseconds = Math.min(milliseconds, performance.now() - begun);
        }
      } finally {
        // Also after Stop: nothing of it stays in the worker.
        done?.();
      }
      yield { row: { name, cells, milliseconds }, fraction: (i + 1) / TIMED.length };
    }
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [
      choice('n', { label: words.n, options: Object.fromEntries(SIZES.map((n) => [n, n])) }),
      seedKnob(),
    ];
  }

  private ordered({ result }: Shown<Values, readonly Row[]>): readonly Row[] {
    return [...result].sort((a, b) => a.cells - b.cells);
  }

  /** What a cell takes in the middle of the patterns: of lists alone, since a choice costs more than its cells. */
  private perCell({ result }: Shown<Values, readonly Row[]>): number {
    const each = result
      .filter(({ name }) => name !== 'chosen')
      .map(({ cells, milliseconds }) => milliseconds / cells)
      .sort((a, b) => a - b);
    return each[each.length >> 1] ?? Number.NaN;
  }

  protected override renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    const rows = this.ordered(shown);
    const each = this.perCell(shown);
    const line: Series = {
      ...lookOf('ghost', this.dark),
      ...{ id: 'proportional', label: words.proportional, model: true },
      points: rows.map(({ cells }) => chartPoint(cells / THOUSAND, each * cells)),
    };
    const series: Series = {
      ...lookOf('softmax', this.dark),
      ...{ id: 'times', label: words.measured, line: 'none' },
      points: rows.map(({ name, cells, milliseconds }) => ({
        ...chartPoint(cells / THOUSAND, milliseconds),
        label: names[name],
      })),
    };
    return chart([shown, this.dark], () => ({
      series: [line, series],
      x: { count: 'decimal' },
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override renderDetails(shown: Shown<Values, readonly Row[]>): unknown {
    return sheetTable({
      ...{ label: this.heading, caption: words.table, columns: words.heads },
      rows: this.ordered(shown).map(({ name, cells, milliseconds }) => [
        names[name],
        formatCount(cells),
        formatPlain(milliseconds),
        formatCount(Math.round(cells / milliseconds)),
      ]),
    });
  }

  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    const all = this.ordered(shown);
    const rows = all.filter(({ name }) => name !== 'chosen');
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return '';
    if (first === last) {
      return words.one(
        names[first.name],
        formatCount(first.cells),
        formatPlain(first.milliseconds),
      );
    }
    const chosen = all.find(({ name }) => name === 'chosen');
    const choosing = chosen
      ? words.choosing(formatPlain(chosen.milliseconds / (this.perCell(shown) * chosen.cells)))
      : '';
    const line = words.line(
      formatCount(Number(shown.values.n)),
      ...([names[first.name], names[last.name]] as const),
      formatPlain(last.milliseconds / first.milliseconds),
      formatPlain(last.cells / first.cells),
    );
    return line + choosing;
  }

  protected override summary(shown: Shown<Values, readonly Row[]>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override caption({ values }: Shown<Values, readonly Row[]>): string {
    return words.caption(Number(values.n), D, RUNS, values.seed);
  }

  protected override data({ values, result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.columns,
      rows: result.map(({ name, cells, milliseconds }) => [
        name,
        Number(values.n),
        cells,
        milliseconds,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-times': AttnLongTimes;
  }
}
