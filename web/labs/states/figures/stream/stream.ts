import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Client, CoreError, MixerStream } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import tableCss from '../../../../src/figures/table.css?inline';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/stream.ts';
import { chartSvg, looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { mixersOf } from '../mixers.ts';

adopt(tableCss);
adopt(css);

const FEW = ['softmax', 'linear', 'gated_delta_rule', 'rwkv4', 'mamba'] as const;
/** The first point: fewer tokens take no longer than the call in which they are decoded. */
const FIRST = 1024;
/** What Hyena makes filters for. */
const LONGEST_FILTER = 4096;
/** A call should be over soon, so that Stop and progress are quick. */
const CALL_MS = 120;
const MOST_AT_ONCE = 4096;
/**
 * So many tokens are decoded one by one by every model. Past them, all steps of a model whose cache grows would take
 * hours at the end: it reads the tokens up to the next point, and the last ones before it are decoded and measured.
 */
const ALL_STEPS = 4096;
const LAST_STEPS = 64;
const BYTES = 4;

const table = {
  length: oneOf({ key: 'n', values: ['4096', '16384', '131072'], default: '131072' }),
  models: oneOf({ key: 'models', values: ['few', 'all'], default: 'few' }),
  patience: integer({ key: 'seconds', default: 8, min: 1, max: 120 }),
  what: oneOf({ key: 'what', values: ['speed', 'bytes'], default: 'speed' }),
  dModel: oneOf({ key: 'd', values: ['16', '32', '64'], default: '32' }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

type Ended = 'finished' | 'patienceOver' | 'endOf' | '';

/** One model at one length. */
interface Row {
  readonly id: string;
  readonly label: string;
  readonly tokens: number;
  /** How many of them were decoded, each with its output; the others were only read. */
  readonly decoded: number;
  /** Over the tokens decoded since the row before. */
  readonly tokensPerSecond: number;
  readonly stateBytes: number;
  readonly heapBytes: number;
  /** Why the stream went no further; empty while it goes on. */
  readonly ended: Ended;
}

/** Of each model so many tokens go before, or as many as it decodes in so many milliseconds. */
const WARM = { tokens: 2048, ms: 400 };

/** The browser compiles a loop anew when it has run for a while; what that costs is none of the first tokens' price. */
async function warmUp(
  client: Client,
  of: Parameters<typeof MixerStream.create>[1],
  call: { readonly signal: AbortSignal },
): Promise<void> {
  const stream = await MixerStream.create(client, of, call);
  try {
    const end = performance.now() + WARM.ms;
    for (let at = 0; at < WARM.tokens && performance.now() < end; at += 64) {
      await stream.advance(64, call);
    }
  } finally {
    await stream.dispose();
  }
}

/**
 * Decoding a stream token by token: speed and bytes of state against length, to 131,072 tokens.
 *
 * @element attn-states-stream
 */
@customElement('attn-states-stream')
export class AttnStatesStream extends LabExperiment<Row, Table> {
  override readonly table = table;
  protected override readonly measuresTime = true;
  protected override readonly viewKnobs = ['what'];

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { id, tokens, decoded, stateBytes } = (row ?? {}) as Partial<Row>;
    return typeof id === 'string' && [tokens, decoded, stateBytes].every(Number.isFinite);
  }

  protected override describe({ length, models, dModel }: Values): string {
    return words.describe(words.lengths[length] ?? length, words.sets[models], dModel);
  }

  protected override async *sweep(values: Values, ask: Ask) {
    const { client } = this.tools;
    const { seed, patience } = values;
    const [most, dModel] = [Number(values.length), Number(values.dModel)];
    const infos = (await mixersOf(client)).filter(
      ({ id }) => values.models === 'all' || (FEW as readonly string[]).includes(id),
    );
    for (const [place, { id, label, constantState }] of infos.entries()) {
      // Hyena makes filters of its whole length before the first token.
      const mixer = { id, dModel, length: id === 'hyena' ? LONGEST_FILTER : most };
      const { signal } = ask;
      await warmUp(client, { mixer, seed }, { signal });
      const stream = await MixerStream.create(client, { mixer, seed }, { signal });
      try {
        let [tokens, decoded, spent, batch] = [0, 0, 0, 256];
        let ended: Ended = '';
        for (let next = FIRST; ended === ''; next = Math.min(most, 2 * next)) {
          const [from, before, decodedBefore] = [tokens, spent, decoded];
          let numbers = 0;
          const last = constantState || next <= ALL_STEPS ? tokens : next - LAST_STEPS;
          while (tokens < next && ended === '') {
            const start = performance.now();
            try {
              const reads = tokens < last;
              const count = Math.min(reads ? MOST_AT_ONCE : batch, (reads ? last : next) - tokens);
              const report = reads
                ? await stream.read(count, { signal })
                : await stream.advance(count, { signal });
              tokens = report.position;
              numbers = report.stateNumbers;
              if (reads) continue;
              decoded += count;
            } catch (error) {
              if (!(error instanceof CoreError) || error.code !== 'capacity') throw error;
              ended = 'endOf';
              break;
            }
            const took = performance.now() - start;
            spent += took;
            const better = Math.round((batch * CALL_MS) / Math.max(1, took));
            batch = Math.max(16, Math.min(MOST_AT_ONCE, 2 * batch, better));
            if (tokens >= most) ended = 'finished';
            else if (spent > 1000 * patience) ended = 'patienceOver';
            const part = Math.max(tokens / most, spent / (1000 * patience));
            ask.onProgress((place + Math.min(1, part)) / infos.length);
          }
          if (tokens === from) break;
          const { bytes: heapBytes } = await client.memoryInfo(undefined, { signal });
          const row: Row = {
            ...{ id, label: modelName(id, label), tokens, decoded, ended, heapBytes },
            tokensPerSecond: (1000 * (decoded - decodedBefore)) / (spent - before),
            stateBytes: BYTES * numbers,
          };
          yield { row, fraction: (place + (ended ? 1 : tokens / most)) / infos.length };
        }
      } finally {
        await stream.dispose();
      }
    }
  }

  protected override get controls() {
    const widths = Object.fromEntries(table.dModel.values.map((d) => [d, d]));
    return [
      choice('what', { label: words.what, options: words.whats }),
      choice('length', { label: words.length, options: words.lengths, list: true }),
      choice('models', { label: words.models, options: words.sets }),
      slider('patience', { label: words.patience, log: true }),
      choice('dModel', { label: words.dModel, options: widths }),
      seedKnob(),
    ];
  }

  private byModel(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
    const found = new Map<string, Row[]>();
    for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
    return found;
  }

  private series(rows: readonly Row[], byBytes: boolean): readonly Series[] {
    const models = this.byModel(rows);
    const looks = looksOf([...models.keys()], this.dark);
    return [...models].map(([id, own]) => ({
      ...{ id, label: modelName(id, own[0]?.label ?? id), ...(looks.get(id) as Look) },
      points: own.map(({ tokens, stateBytes, tokensPerSecond }) =>
        chartPoint(tokens, byBytes ? stateBytes : tokensPerSecond),
      ),
    }));
  }

  private chart(rows: readonly Row[], byBytes: boolean, summary: string): unknown {
    return html`<attn-line-chart
      .level=${4}
      .series=${this.series(rows, byBytes)}
      .x=${{ count: 'binary' }}
      .y=${byBytes ? { count: 'binary' } : {}}
      .formatY=${byBytes ? formatBytes : undefined}
      .xLabel=${words.x}
      .yLabel=${byBytes ? words.bytes : words.speed}
      .dark=${this.dark}
      .summary=${summary}
    ></attn-line-chart>`;
  }

  protected renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    return this.chart(shown.result, this.values.what === 'bytes', this.summary(shown));
  }

  protected override get axes() {
    return { x: words.x, y: this.values.what === 'bytes' ? words.bytes : words.speed };
  }

  protected override get estimate(): string {
    const { models, patience } = this.values;
    return words.estimate(words.sets[models], patience);
  }

  protected override get titles() {
    return { bytes: words.bytesTitle };
  }

  protected override pictures() {
    return {
      bytes: (shown: Shown<Values, readonly Row[]>) =>
        this.chart(shown.result, true, this.summary(shown)),
    };
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    const [first, last] = [result[0], result.at(-1)];
    return html`${modelTable(
      words.table,
      words.columns,
      [...this.byModel(result).values()].map((rows) => {
        const end = rows.at(-1);
        if (!end) return nothing;
        return modelRow(modelName(end.id, end.label), [
          formatCount(end.tokens),
          formatCount(end.decoded),
          formatBytes(end.stateBytes),
          formatCount(Math.round(end.tokensPerSecond)),
          end.ended ? words[end.ended] : words.stopped,
        ]);
      }),
    )}
    ${
      first && last
        ? html`<p class="fine">
            ${words.heap(formatBytes(first.heapBytes), formatBytes(last.heapBytes))}
          </p>`
        : nothing
    }`;
  }

  /** What each model carries at its end, and how much slower its last tokens are than its first. */
  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return [...this.byModel(result)].flatMap(([id, rows]) => {
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) return [];
      const slower = first.tokensPerSecond / last.tokensPerSecond;
      return {
        ...{ label: modelName(id, last.label), value: slower },
        text: words.slower(formatNumber(slower, 2), formatBytes(last.stateBytes)),
      };
    });
  }

  /** Those whose last tokens are slowest and fastest against their first ones. */
  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    const sorted = [...this.keyNumbers(shown)].sort((a, b) => b.value - a.value);
    const ends = sorted.length > 1 ? [sorted[0], sorted.at(-1)] : sorted;
    return words.line(ends.map((one) => (one ? `${one.label} ${one.text}` : '')).join(', '));
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    const { length, dModel, patience, seed } = values;
    return words.caption({
      ...{ length: words.lengths[length] ?? length, dModel, patience, seed },
      ...{ all: formatCount(ALL_STEPS), last: LAST_STEPS },
    });
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const last = result.at(-1);
    if (!last) return '';
    return words.summary(last.label, formatCount(last.tokens), formatBytes(last.stateBytes));
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.map((row) => [
        ...[row.id, row.label, row.tokens, row.decoded, row.tokensPerSecond, row.stateBytes],
        ...[row.heapBytes, row.ended],
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartSvg(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-stream': AttnStatesStream;
  }
}
