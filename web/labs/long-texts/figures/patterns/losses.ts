import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { Shown } from '../../../../src/lab/figure/figure.ts';
import { type Knob, seedKnob } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { figureWords } from '../../words/patterns.ts';
import css from '../below.css?inline';
import { percent } from '../shared/percent.ts';
import { meanOf, modelNamed, unreadPassages } from '../shared/reader.ts';
import { choiceOfBlocks, PATTERNS, type PatternName, patternNamed } from './patterns.ts';

adopt(css);

const { losses: words } = figureWords.now;

/** Whose root is a whole number of which a fourth is one, too. */
const N = 64;
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
    const every = ['causal', ...PATTERNS] as const;
    for (const [i, name] of every.entries()) {
      const pattern =
        name === 'causal' ? { id: name } : await patternNamed(client, name, N, seed, ask);
      const keep = await client.patternMatrix({ n: N, m: N, pattern }, { signal });
      // Of random rows as many cells are chosen as of any; which ones, each head says for itself.
      const gates = name === 'chosen' ? { blocks: choiceOfBlocks(N) } : { keep };
      const losses = await model.losses({ ...text, gates }, { signal });
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

  /** The patterns by what they take away, and what the reader loses without one. */
  private ordered({ result }: Shown<Values, readonly Row[]>) {
    const full = result.find(({ name }) => name === 'causal');
    if (!full) return undefined;
    const rows = result
      .filter((row) => row !== full)
      .map((row) => ({ ...row, more: row.loss - full.loss }))
      .sort((a, b) => a.more - b.more);
    return { full, rows };
  }

  /** A bar for each pattern, from the loss without one on. */
  protected override renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    const ordered = this.ordered(shown);
    if (!ordered) return nothing;
    const { full, rows } = ordered;
    const most = Math.max(...rows.map(({ more }) => more), Number.MIN_VALUE);
    return html`<dl class="long-bars long-losses" aria-label=${words.heading}>
      ${rows.map(
        ({ name, cells, more }) => html`<div data-pattern=${name} class="square">
          <dt>${words.names[name]} <small>${percent(cells / full.cells)}</small></dt>
          <dd>
            <span class="track" aria-hidden="true"
              ><span class="bar" .style=${`inline-size:${Math.max(0, (100 * more) / most)}%`}></span
            ></span>
            <strong>${words.more(formatNumber(more, 2))}</strong>
          </dd>
        </div>`,
      )}
    </dl>`;
  }

  protected override renderDetails(shown: Shown<Values, readonly Row[]>): unknown {
    return sheetTable({
      ...{ label: this.heading, caption: words.table, columns: words.heads },
      rows: [...shown.result].map(({ name, cells, loss }) => [
        words.names[name],
        formatCount(cells),
        formatNumber(loss),
      ]),
    });
  }

  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    const ordered = this.ordered(shown);
    const [best, worst] = [ordered?.rows[0], ordered?.rows.at(-1)];
    if (!ordered || !best || !worst) return '';
    return words.line(
      formatNumber(ordered.full.loss),
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
    const cells = (this.ordered(shown)?.rows ?? []).map(({ name, cells, more }) =>
      [words.names[name], formatCount(cells), words.more(formatNumber(more, 2))].map((text) => ({
        words: text,
      })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.drawn, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-losses': AttnLongLosses;
  }
}
