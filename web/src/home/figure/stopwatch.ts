/**
 * How long both kinds of attention take here: measured where that is a matter of moments, and else estimated by the
 * core's cost model from the longest text that was measured.
 */
import { type Client, CoreError, type Trial } from '#client';

export interface Timing {
  readonly milliseconds: number;
  /** The length from which the time was estimated; undefined where it was measured. */
  readonly from?: number;
}

export interface Timings {
  readonly n: number;
  readonly softmax: Timing;
  readonly linear: Timing;
}

const contenders = {
  softmax: { mechanism: 'fused' },
  linear: { mechanism: 'fused_linear' },
} as const satisfies Record<string, { mechanism: Trial['mechanism'] }>;
type Side = keyof typeof contenders;

/** Longer calls are not made. */
const MOST_MILLISECONDS = 150;
/** Longer inputs would take memory that nobody expects a home page to take. */
const LONGEST = 2 ** 17;
/** A sample lasts at least this long. */
const SAMPLE_MILLISECONDS = 6;
const FIRST = 256;
const STEP = 4;
/** What an exponential counts, in multiply-adds. */
const EXP = 8;

export class Stopwatch {
  /** The longest text that was measured. */
  private readonly known = new Map<Side, { readonly n: number; readonly milliseconds: number }>();

  constructor(
    private readonly client: Pick<Client, 'timeRound' | 'costOf' | 'predictedNanoseconds'>,
    private readonly d: number,
  ) {}

  async at(n: number, signal: AbortSignal): Promise<Timings> {
    try {
      const softmax = await this.side('softmax', n, signal);
      return { n, softmax, linear: await this.side('linear', n, signal) };
    } finally {
      // This gives the inputs' memory back.
      await this.client.timeRound({ trials: [], milliseconds: 1 }).catch(() => undefined);
    }
  }

  private shape(n: number) {
    return { n, dK: this.d, dV: this.d };
  }

  private async measured(side: Side, n: number, signal: AbortSignal): Promise<number | undefined> {
    try {
      const { samples } = await this.client.timeRound(
        {
          trials: [{ ...contenders[side], ...this.shape(n) }],
          milliseconds: SAMPLE_MILLISECONDS,
        },
        { signal },
      );
      const milliseconds = samples[0]?.milliseconds;
      if (milliseconds !== undefined && n >= (this.known.get(side)?.n ?? 0)) {
        this.known.set(side, { n, milliseconds });
      }
      return milliseconds;
    } catch (error) {
      if (error instanceof CoreError && error.code === 'capacity') return undefined;
      throw error;
    }
  }

  private async estimate(side: Side, n: number, signal: AbortSignal): Promise<Timing> {
    const { mechanism } = contenders[side];
    const known = this.known.get(side);
    if (!known) throw new Error(`nothing was measured of ${side}`);
    const { multiplyAdds, exps } = await this.client.costOf(
      { mechanism, shape: this.shape(known.n) },
      { signal },
    );
    const multiplyAdd = (known.milliseconds * 1e6) / (multiplyAdds + EXP * exps);
    const nanoseconds = await this.client.predictedNanoseconds(
      { mechanism, shape: this.shape(n), rates: { multiplyAdd, exp: EXP * multiplyAdd } },
      { signal },
    );
    return { milliseconds: nanoseconds / 1e6, from: known.n };
  }

  private async side(side: Side, n: number, signal: AbortSignal): Promise<Timing> {
    if (!this.known.has(side)) await this.measured(side, Math.min(n, FIRST), signal);
    // The texts become longer step by step, because the estimate is better from a text that is nearly as long.
    for (;;) {
      const known = this.known.get(side)?.n ?? 0;
      const next = n <= known ? n : Math.min(n, STEP * known, LONGEST);
      if (next > known) {
        const { milliseconds } = await this.estimate(side, next, signal);
        if (milliseconds > MOST_MILLISECONDS) break;
      } else if (next < n) break;
      const milliseconds = await this.measured(side, next, signal);
      if (milliseconds === undefined) break;
      if (next === n) return { milliseconds };
    }
    return this.estimate(side, n, signal);
  }
}
