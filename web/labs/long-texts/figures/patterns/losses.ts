import { customElement } from 'lit/decorators.js';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/patterns.ts';
import { meanOf, modelNamed, unreadPassages } from '../shared/reader.ts';
import { PATTERNS, type PatternName, patternNamed } from './patterns.ts';

const { losses: words } = figureWords.now;

/** Whose root is a whole number of which a fourth is one, too. */
const N = 64;
/** Blocks would be chosen by random rows here, and not by what the reader's heads ask for. */
const TRIED = PATTERNS.filter((name) => name !== 'chosen');
/** Pieces of the chapter, as many as it has up to so many. */
const BATCH = 16;

const table = { seed: seed() };
type Values = StateOf<typeof table>;

interface Row {
  /** `causal`: every earlier token. */
  readonly name: PatternName | 'causal';
  readonly cells: number;
  /** Nats a token. */
  readonly loss: number;
}

/**
 * The loss of the trained reader when all its heads keep a pattern, on text that it never saw.
 *
 * @element attn-long-losses
 */
@customElement('attn-long-losses')
export class AttnLongLosses extends LabExperiment<Row, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { name, cells, loss } = (row ?? {}) as Partial<Row>;
    return name !== undefined && name in words.names && cells !== undefined && loss !== undefined;
  }

  protected override describe({ seed }: Values): string {
    return words.describe(seed);
  }

  protected override async *sweep(
    { seed }: Values,
    ask: Ask,
  ): AsyncGenerator<{ readonly row: Row; readonly fraction: number }> {
    const { client } = this.tools;
    const { signal } = ask;
    const { model } = await modelNamed(client, 'reader', ask);
    const text = await unreadPassages(client, N, BATCH, ask);
    const every = ['causal', ...TRIED] as const;
    for (const [i, name] of every.entries()) {
      const pattern =
        name === 'causal' ? { id: name } : await patternNamed(client, name, N, seed, ask);
      const keep = await client.patternMatrix({ n: N, m: N, pattern }, { signal });
      const losses = await model.losses({ ...text, gates: { keep } }, { signal });
      const row = {
        name,
        cells: keep.data.reduce((sum, cell) => sum + cell, 0),
        loss: await meanOf(client, losses, signal),
      };
      yield { row, fraction: (i + 1) / every.length };
    }
  }

  protected override get controls(): readonly Knob<keyof typeof table & string>[] {
    return [seedKnob()];
  }

  private ordered({ result }: Shown<Values, readonly Row[]>): readonly Row[] {
    return [...result].sort((a, b) => a.cells - b.cells);
  }

  protected override renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    const series: Series = {
      ...lookOf('softmax', this.dark),
      ...{ id: 'losses', label: words.y, unnamed: true, line: 'none' },
      points: this.ordered(shown).map(({ name, cells, loss }) => ({
        ...chartPoint(cells, loss),
        label: words.names[name],
      })),
    };
    return chart([shown, this.dark], () => ({
      series: [series],
      ...{ xLabel: words.x, yLabel: words.y, summary: this.summary(shown) },
    }));
  }

  protected override renderDetails(shown: Shown<Values, readonly Row[]>): unknown {
    return sheetTable({
      ...{ label: this.heading, caption: words.table, columns: words.heads },
      rows: this.ordered(shown).map(({ name, cells, loss }) => [
        words.names[name],
        formatCount(cells),
        formatNumber(loss),
      ]),
    });
  }

  protected override resultLine({ result }: Shown<Values, readonly Row[]>): string {
    const full = result.find(({ name }) => name === 'causal');
    const others = result.filter((row) => row !== full);
    if (!full || others.length === 0) return '';
    const byLoss = [...others].sort((a, b) => a.loss - b.loss);
    const [best, worst] = [byLoss[0] as Row, byLoss.at(-1) as Row];
    return words.line(
      formatNumber(full.loss),
      ...([words.names[best.name], formatNumber(best.loss)] as const),
      ...([words.names[worst.name], formatNumber(worst.loss)] as const),
    );
  }

  protected override summary(shown: Shown<Values, readonly Row[]>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override caption({ values }: Shown<Values, readonly Row[]>): string {
    return words.caption(N, values.seed);
  }

  protected override data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.columns,
      rows: result.map(({ name, cells, loss }) => [name, N, cells, loss]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-losses': AttnLongLosses;
  }
}
