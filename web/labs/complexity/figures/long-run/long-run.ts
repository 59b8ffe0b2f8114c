import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, toggle } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { boolean, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { figureWords } from '../../words/figures.ts';
import { formatBytes, formatCount } from '../format.ts';
import { renderSquares } from '../squares.ts';

const { longRun: words } = figureWords.now;

const table = {
  n: oneOf({ key: 'n', values: ['4096', '16384', '65536'], default: '16384' }),
  map: oneOf({ key: 'map', values: ['elu_plus_one', 'taylor_compact'], default: 'elu_plus_one' }),
  causal: boolean({ key: 'causal', default: true }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

/** The width of one head; Taylor features are computed from fewer columns, as in practice. */
const WIDTH = 64;
const TAYLOR_WIDTH = 16;

interface Row {
  readonly n: number;
  readonly milliseconds: number;
  /** The size of the state that is carried from token to token. */
  readonly stateBytes: number;
  readonly outputBytes: number;
  /** The largest entry of the output; it is shown as evidence that the output exists. */
  readonly largest: number;
  /** The bytes that softmax attention would need for its scores, and the bytes that this page can hold in total. */
  readonly weightsBytes: number;
  readonly limit: number;
}

/**
 * Linear attention over a long sequence, with progress.
 *
 * @element attn-long-run
 */
@customElement('attn-long-run')
export class AttnLongRun extends LabExperiment<Row, Table> {
  override readonly table = table;
  protected override readonly measuresTime = true;

  override get heading(): string {
    return words.heading;
  }

  protected override describe({ n, map, causal }: Values): string {
    return words.describe(Number(n), words.maps[map], causal);
  }

  /** A run ends the question before it, whose numbers make room for the picture. */
  protected override run(): Promise<void> {
    if (!this.trying && !this.running) this.set({});
    return super.run();
  }

  protected override async *sweep(values: Values, { signal, onProgress }: Ask) {
    const n = Number(values.n);
    const { client } = this.tools;
    const dK = values.map === 'taylor_compact' ? TAYLOR_WIDTH : WIDTH;
    const qkv = await client.gaussianQkv({ n, dK, dV: WIDTH, seed: values.seed }, { signal });
    // This call comes before the clock starts, because it is the first that needs the module `full`.
    const { limit } = await client.memoryInfo(undefined, { signal });
    const start = performance.now();
    const { output, state } = await client.linearAttention(
      { ...qkv, featureMap: { id: values.map }, causal: values.causal },
      { signal, onProgress, transfer: true },
    );
    const milliseconds = performance.now() - start;
    const { standard } = await client.orderCosts({ n, dK, dV: WIDTH }, { signal });
    yield {
      row: {
        ...{ n, milliseconds, limit },
        stateBytes: state.s.data.byteLength + state.z.data.byteLength,
        outputBytes: output.data.byteLength,
        largest: output.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
        weightsBytes: standard.intermediate.bytes,
      },
      fraction: 1,
    };
  }

  protected override get controls(): readonly Knob<keyof Table>[] {
    return [
      choice('n', { label: words.n, options: words.lengths }),
      choice('map', { label: words.map, options: words.maps }),
      toggle('causal', { label: words.causal, note: words.causalNote }),
      seedKnob(),
    ];
  }

  private facts(row: Row): readonly (readonly [string, string])[] {
    const { n, milliseconds, stateBytes, outputBytes, weightsBytes, limit, largest } = row;
    return [
      [words.time, words.milliseconds(formatNumber(milliseconds))],
      [words.perToken, words.microseconds(formatNumber((1000 * milliseconds) / n))],
      [words.state, formatBytes(stateBytes)],
      [words.output, formatBytes(outputBytes)],
      [words.weights, formatBytes(weightsBytes)],
      [words.limit, formatBytes(limit)],
      [words.largest, formatNumber(largest)],
    ];
  }

  /** What each way keeps, as squares to scale. */
  protected override renderResult({ result }: Shown<Values, readonly Row[]>): unknown {
    const row = result.at(-1);
    if (!row) return nothing;
    const { stateBytes, outputBytes, weightsBytes, limit } = row;
    return renderSquares([
      { id: 'weights', label: words.weights, bytes: weightsBytes },
      { id: 'limit', label: words.limit, bytes: limit, filled: 0 },
      { id: 'output', label: words.output, bytes: outputBytes },
      { id: 'state', label: words.state, bytes: stateBytes },
    ]);
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    const row = result.at(-1);
    if (!row) return nothing;
    return html`<dl class="facts">
      ${this.facts(row).map(
        ([name, value]) => html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
      )}
    </dl>`;
  }

  protected override resultLine({ result }: Shown<Values, readonly Row[]>): string {
    const row = result.at(-1);
    if (!row) return '';
    const { n, milliseconds, stateBytes, weightsBytes, limit } = row;
    return words.verdict(
      formatCount(n),
      formatNumber(milliseconds),
      formatBytes(stateBytes),
      formatCount(Math.round(weightsBytes / stateBytes)),
      weightsBytes > limit,
    );
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    const row = result.at(-1);
    if (!row) return [];
    const { milliseconds, stateBytes } = row;
    return [
      {
        ...{ label: words.time, value: milliseconds },
        text: words.milliseconds(formatNumber(milliseconds)),
      },
      { label: words.state, value: stateBytes, text: formatBytes(stateBytes) },
    ];
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const row = result.at(-1);
    return row ? words.said(row.n, formatNumber(row.milliseconds)) : '';
  }

  protected override caption({ values }: Shown<Values, readonly Row[]>): string {
    const { n, map, causal, seed } = values;
    const width = map === 'taylor_compact' ? TAYLOR_WIDTH : WIDTH;
    return words.caption(Number(n), words.maps[map], width, WIDTH, causal, seed);
  }

  protected override data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: [
        'n',
        'milliseconds',
        'state_bytes',
        'output_bytes',
        'softmax_weights_bytes',
        'memory_limit_bytes',
        'largest_output',
      ],
      rows: result.map((row) => [
        row.n,
        row.milliseconds,
        row.stateBytes,
        row.outputBytes,
        row.weightsBytes,
        row.limit,
        row.largest,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    const row = shown.result.at(-1);
    const cells = (row ? this.facts(row) : []).map((fact) => fact.map((words) => ({ words })));
    const picture = tablePicture([words.n, words.lengths[shown.values.n]], cells, this.dark);
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    // The title may be wider than the table.
    return fileOf({ ...picture, width: Math.max(picture.width, 480) }, about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-run': AttnLongRun;
  }
}
