import { customElement } from 'lit/decorators.js';
import { LinearDecoder, PositionCache } from '#client';
import { chart, chartFile } from '../../../../src/figures/chart.ts';
import { LabExperiment } from '../../../../src/lab/experiment/experiment.ts';
import type { KeyNumber, Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { lookOf } from '../../../../src/plot/names.ts';
import { integer, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { decodingWords } from '../../words/decoding.ts';

const words = decodingWords.now.stream;

const table = {
  length: oneOf({ key: 'n', values: ['4096', '16384', '131072'], default: '131072' }),
  window: integer({ key: 'window', min: 16, max: 1024, default: 128 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;

const D = 16;
const SINKS = 4;
const KINDS = ['window', 'sinks', 'state'] as const;
type Kind = (typeof KINDS)[number];
const looks = { window: 'window', sinks: 'softmax', state: 'linear' } as const;
/** What one call takes: short enough that Stop is quick. */
const AT_ONCE = 1024;
const FIRST = 1024;

interface Row {
  readonly kind: Kind;
  readonly tokens: number;
  readonly perSecond: number;
  readonly bytes: number;
}

/**
 * A stream of tokens through a window, through sinks and a window, and through a state.
 *
 * @element attn-long-stream
 */
@customElement('attn-long-stream')
export class AttnLongStream extends LabExperiment<Row, typeof table> {
  override readonly table = table;
  protected override readonly measuresTime = true;

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { kind, tokens, perSecond, bytes } = (row ?? {}) as Partial<Row>;
    return KINDS.includes(kind as Kind) && [tokens, perSecond, bytes].every(Number.isFinite);
  }

  protected override describe({ length, window }: Values): string {
    return words.describe(formatCount(Number(length)), window);
  }

  protected override async *sweep({ length, window, seed }: Values, ask: Ask) {
    const { client } = this.tools;
    const { signal } = ask;
    const most = Number(length);
    // The same rows come round again: what is measured does not depend on them.
    const { q, k, v } = await client.gaussianQkv({ n: AT_ONCE, dK: D, dV: D, seed }, { signal });
    for (const [place, kind] of KINDS.entries()) {
      const made =
        kind === 'state'
          ? await LinearDecoder.create(
              client,
              { featureMap: { id: 'elu_plus_one' }, dK: D, dV: D },
              { signal },
            )
          : await PositionCache.create(
              client,
              {
                ...{ heads: 1, kvHeads: 1, dK: D, dV: D, window, positions: 'rotaryByPlace' },
                sinks: kind === 'sinks' ? SINKS : 0,
              },
              { signal },
            );
      try {
        let spent = 0;
        let counted = 0;
        let next = FIRST;
        for (let tokens = AT_ONCE; tokens <= most; tokens += AT_ONCE) {
          const begun = performance.now();
          await made.decode({ q, k, v }, { signal });
          spent += performance.now() - begun;
          counted += AT_ONCE;
          const fraction = (place + tokens / most) / KINDS.length;
          ask.onProgress(fraction);
          if (tokens < next) continue;
          const { bytes } = await made.info({ signal });
          yield { row: { kind, tokens, perSecond: (1000 * counted) / spent, bytes }, fraction };
          next *= 2;
          spent = 0;
          counted = 0;
        }
      } finally {
        await made.dispose();
      }
    }
  }

  protected override get controls() {
    const lengths = Object.fromEntries(table.length.values.map((n) => [n, formatCount(Number(n))]));
    return [
      choice('length', { label: words.length, options: lengths }),
      slider('window', { label: words.window, log: true }),
      seedKnob(),
    ];
  }

  protected renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    return chart([shown, this.dark], () => ({
      series: KINDS.map((kind) => ({
        ...lookOf(looks[kind], this.dark),
        ...{ id: kind, label: words.kinds[kind] },
        points: shown.result
          .filter((row) => row.kind === kind)
          .map(({ tokens, perSecond }) => chartPoint(tokens, perSecond)),
      })),
      ...{
        xLabel: words.x,
        yLabel: words.y,
        x: { count: 'binary' as const },
        y: { low: 0, linear: true },
      },
      summary: this.summary(shown),
    }));
  }

  private lastRows({ result }: Shown<Values, readonly Row[]>): readonly Row[] {
    return KINDS.flatMap((kind) => result.findLast((row) => row.kind === kind) ?? []);
  }

  protected override keyNumbers(shown: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return this.lastRows(shown).map(({ kind, bytes }) => ({
      ...{ label: words.kinds[kind], value: bytes, text: formatBytes(bytes) },
    }));
  }

  protected override resultLine(shown: Shown<Values, readonly Row[]>): string {
    const ends = this.lastRows(shown);
    return words.line(
      formatCount(Math.max(0, ...ends.map(({ tokens }) => tokens))),
      ends.map(({ kind, bytes }) => `${words.kinds[kind]} *${formatBytes(bytes)}*`).join(', '),
    );
  }

  protected override summary(shown: Shown<Values, readonly Row[]>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    return words.caption(formatCount(Number(values.length)), values.window, SINKS, D, values.seed);
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.columns,
      rows: result.map(({ kind, tokens, perSecond, bytes }) => [kind, tokens, perSecond, bytes]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartFile(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-long-stream': AttnLongStream;
  }
}
