import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Client, Kept, Matrix, PatternChoice, Qkv } from '#client';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatBytes } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { trainingWords } from '../../words/training.ts';
import css from '../below.css?inline';
import { modelNamed } from '../shared/reader.ts';
import { between, LENGTH } from '../use/plant.ts';

adopt(css);

const { which: words } = trainingWords.now;

const D = 64;
/** Keys of the window, of a stride, and of a block that is pooled. */
const WINDOW = 32;
const SINKS = 4;

const table = {
  n: oneOf({ key: 'n', values: ['512', '1024', '2048', '4096'], default: '1024' }),
  runs: integer({ key: 'runs', min: 1, max: 15, default: 3 }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

type Id = keyof typeof words.names;

interface Row {
  readonly id: Id;
  readonly milliseconds: number;
  readonly peakBytes: number;
  /** Of the reader, in nats a token; null where it would have to be trained for it. */
  readonly loss: number | null;
  /** Of the output against plain attention. */
  readonly error: number;
}
type ShownRows = Shown<Values, readonly Row[]>;

interface Made {
  readonly output: Matrix;
  /** Of a pattern: the weights of its kept cells, and the lists that say which these are. */
  readonly weights?: { readonly data: Float32Array };
  readonly pattern?: { readonly bytes: number };
}

interface Contender {
  readonly run: (client: Client, qkv: Kept<Qkv>, signal: AbortSignal) => Promise<Made>;
  /** As the cost model calls it; patterns without a name there are counted by what their run gives. */
  readonly mechanism: string;
  /** What the reader's heads keep: all, a pattern, or nothing that they could be run with. */
  readonly keeps?: 'all' | PatternChoice;
}

const window_: PatternChoice = { id: 'local', parameters: { context: WINDOW } };
const strided: PatternChoice = { id: 'strided', parameters: { stride: WINDOW } };
const sinks: PatternChoice = { kind: 'mask', mask: { kind: 'causal', validKeys: SINKS } };
const union = (...of: readonly PatternChoice[]): PatternChoice => ({ kind: 'union', of });

const sparse =
  (pattern: PatternChoice): Contender['run'] =>
  (client, qkv, signal) =>
    client.sparseAttention({ ...qkv, pattern }, { signal });

const causal = { kind: 'causal' } as const;

const contenders: Readonly<Record<Id, Contender>> = {
  plain: {
    mechanism: 'causal',
    keeps: 'all',
    run: (client, qkv, signal) => client.attention({ ...qkv, mask: causal }, { signal }),
  },
  tiles: {
    mechanism: 'flash_causal',
    keeps: 'all',
    run: (client, qkv, signal) => client.flashAttention({ ...qkv, mask: causal }, { signal }),
  },
  window: { mechanism: '', keeps: window_, run: sparse(window_) },
  sparse: {
    mechanism: '',
    keeps: union(window_, strided),
    run: sparse(union(window_, strided)),
  },
  sinks: { mechanism: '', keeps: union(window_, sinks), run: sparse(union(window_, sinks)) },
  hierarchical: {
    mechanism: 'hierarchical_causal',
    run: (client, qkv, signal) =>
      client.hierarchicalAttention(
        { ...qkv, pool: WINDOW, window: WINDOW, causal: true },
        { signal },
      ),
  },
  linear: {
    mechanism: 'fused_linear_causal',
    run: (client, qkv, signal) =>
      client.linearAttention(
        { ...qkv, featureMap: { id: 'elu_plus_one' }, causal: true },
        { signal },
      ),
  },
};
const IDS = Object.keys(contenders) as readonly Id[];

/**
 * One table of ways to attend, computed here: time, memory, the reader's loss and the error of the output.
 *
 * @element attn-long-which
 */
@customElement('attn-long-which')
export class AttnLongWhich extends LabExperiment<Row, Table> {
  override readonly table = table;
  protected override readonly measuresTime = true;
  protected override readonly firstKnobs = ['n', 'runs'] as const;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { id, milliseconds, peakBytes } = (row ?? {}) as Partial<Row>;
    return id !== undefined && id in contenders && [milliseconds, peakBytes].every(Number.isFinite);
  }

  protected override describe({ n, runs }: Values): string {
    return words.describe(n, runs);
  }

  /** The reader's mean loss on the text between fact and question, under a pattern. */
  private async lossOf(keeps: Contender['keeps'], ask: Ask): Promise<number | null> {
    if (keeps === undefined) return null;
    const { client } = this.tools;
    const { signal } = ask;
    const trained = await modelNamed(client, 'reader', { signal, onProgress: () => undefined });
    const text = (await between(trained)).slice(0, LENGTH + 1);
    const [tokens, targets] = [text.slice(0, -1), text.slice(1)];
    const keep =
      keeps === 'all'
        ? undefined
        : await client.patternMatrix(
            { n: tokens.length, m: tokens.length, pattern: keeps },
            { signal },
          );
    const losses = await trained.model.losses(
      { tokens, targets, ...(keep && { gates: { keep } }) },
      { signal },
    );
    return (await client.summarize({ values: [...losses] }, { signal })).mean;
  }

  protected override async *sweep({ n: length, runs, seed: from }: Values, ask: Ask) {
    const { client } = this.tools;
    const { signal } = ask;
    const n = Number(length);
    const qkv = await keptGaussian(client, { n, dK: D, dV: D, seed: from }, { signal });
    let plain: Matrix | undefined;
    for (const [place, id] of IDS.entries()) {
      const { run, mechanism, keeps } = contenders[id];
      // What is made at a first call is not measured.
      const { output, weights, pattern } = await run(client, qkv, signal);
      plain ??= output;
      const taken: number[] = [];
      for (let k = 0; k < runs; k++) {
        const begun = performance.now();
        await run(client, qkv, signal);
        taken.push(performance.now() - begun);
        ask.onProgress((place + (k + 1) / (runs + 1)) / IDS.length);
      }
      const peakBytes = mechanism
        ? (
            await client.costOf(
              { mechanism, shape: { n, dK: D, dV: D, window: WINDOW, block: WINDOW } },
              { signal },
            )
          ).peakBytes
        : output.data.byteLength + (weights?.data.byteLength ?? 0) + (pattern?.bytes ?? 0);
      const { median } = await client.summarize({ values: taken }, { signal });
      const { relativeFrobenius } = await client.precisionError(
        { reference: plain, approximate: output },
        { signal },
      );
      const row: Row = {
        ...{ id, milliseconds: median, peakBytes, error: relativeFrobenius },
        loss: await this.lossOf(keeps, ask),
      };
      yield { row, fraction: (place + 1) / IDS.length };
    }
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    const lengths = Object.fromEntries(table.n.values.map((n) => [n, n]));
    return [
      choice('n', { label: words.n, options: lengths }),
      slider('runs', { label: words.runs }),
      seedKnob(),
    ];
  }

  private cells(row: Row): readonly string[] {
    return [
      formatNumber(row.milliseconds),
      formatBytes(row.peakBytes),
      row.loss === null ? words.none : formatNumber(row.loss),
      formatNumber(row.error, 2),
    ];
  }

  private least(rows: readonly Row[], of: (row: Row) => number): Row | undefined {
    return [...rows].sort((a, b) => of(a) - of(b))[0];
  }

  protected override renderResult({ result }: ShownRows): unknown {
    const fastest = this.least(result, ({ milliseconds }) => milliseconds)?.id;
    const smallest = this.least(result, ({ peakBytes }) => peakBytes)?.id;
    return html`<table class="figure-table counts long-which">
      <thead>
        <tr>${words.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
      </thead>
      <tbody>
        ${result.map(
          (row) => html`<tr data-row=${row.id}>
            <th scope="row">${words.names[row.id]}</th>
            ${this.cells(row).map(
              (cell, i) =>
                html`<td class=${(i === 0 && row.id === fastest) || (i === 1 && row.id === smallest) ? 'best' : ''}>
                  ${cell}
                </td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  protected override renderWaiting(): unknown {
    return html`<p class="fine">${words.waiting}</p>`;
  }

  protected override resultLine({ result }: ShownRows): string {
    const fastest = this.least(result, ({ milliseconds }) => milliseconds);
    const smallest = this.least(result, ({ peakBytes }) => peakBytes);
    const plain = result.find(({ id }) => id === 'plain');
    const cheaper = result.filter(
      ({ loss, peakBytes }) => loss !== null && plain && peakBytes < plain.peakBytes,
    );
    const best = this.least(cheaper, ({ loss }) => loss ?? Number.POSITIVE_INFINITY);
    if (!fastest || !smallest || !best) return '';
    const [a, b, c] = [fastest, smallest, best].map(({ id }) => words.names[id]);
    return words.line(a ?? '', b ?? '', c ?? '');
  }

  protected override summary(shown: ShownRows): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({ result }: ShownRows): readonly KeyNumber[] {
    const fastest = this.least(result, ({ milliseconds }) => milliseconds);
    return fastest ? [{ label: words.fastest, value: fastest.milliseconds }] : [];
  }

  protected override caption({ values: { n, runs, seed: from } }: ShownRows): string {
    return words.caption(n, D, WINDOW, runs, from);
  }

  protected override data({ result }: ShownRows): FigureData {
    return {
      columns: words.data,
      rows: result.map(({ id, milliseconds, peakBytes, loss, error }) => [
        ...[id, milliseconds, peakBytes, loss, error],
      ]),
    };
  }

  protected override svg(shown: ShownRows): string {
    const rows = shown.result.map((row) =>
      [words.names[row.id], ...this.cells(row)].map((text) => ({ words: text })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, rows, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-which': AttnLongWhich;
  }
}
