/** Asks the core for every number of a measurement, length by length, round by round. */
import { CoreError, type FullClient, type Trial } from '#client/full';
import type { Crossing } from '../../../../pages/speed/measurement.ts';
import type { Ask } from '../../../../src/lab/types.ts';
import {
  type Contender,
  contenders,
  isLarge,
  lengthsTo,
  type Plan,
  roundsAt,
  shapeOf,
  trialOf,
} from './plan.ts';
import { crossingIn, type Row } from './rows.ts';

/** A sample lasts at least this long. */
const SAMPLE_MILLISECONDS = 6;
/** What a length costs beside its multiply-adds, for the progress bar, and how many of these a second. */
const OVERHEAD_SECONDS = 0.04;
const GUESSED_RATE = 8e9;
/** What an exponential takes, in multiply-adds; a guess, too. */
const EXP = 8;

interface Step {
  readonly row: Row;
  readonly fraction: number;
}

/** Long calls are over only when they are over; there is nothing to hear meanwhile. */
const isWall = (error: unknown): error is CoreError =>
  error instanceof CoreError && (error.code === 'capacity' || error.code === 'trap');

/**
 * Every contender at every length, once a round, another one first each time. One that fails for
 * want of memory is out from that length on; the others go on.
 */
export async function* measure(
  full: FullClient,
  plan: Plan,
  { signal }: Pick<Ask, 'signal'>,
): AsyncGenerator<Step> {
  const all = contenders[plan.variant];
  const lengths = lengthsTo(plan.largest);
  const seconds = new Map<string, number>();
  const secondsOf = ({ id }: Contender, n: number): number => seconds.get(`${id} ${n}`) ?? 0;
  for (const one of all) {
    for (const n of lengths) {
      const cost = await full.costOf(
        { mechanism: one.mechanism, shape: shapeOf(one, n, plan) },
        { signal },
      );
      const { multiplyAdds, exps, peakBytes } = cost;
      // Warming up takes a call, too.
      const calls = roundsAt(n, plan.rounds) + 1;
      seconds.set(
        `${one.id} ${n}`,
        calls * (OVERHEAD_SECONDS + (multiplyAdds + EXP * exps) / GUESSED_RATE),
      );
      yield {
        row: { kind: 'count', id: one.id, n, multiplyAdds, exps, peakBytes },
        fraction: 0,
      };
    }
  }
  const total = [...seconds.values()].reduce((sum, one) => sum + one, 0);
  let done = 0;
  const free = () => full.timeRound({ trials: [], milliseconds: 1 });
  const out = new Map<string, number>();
  try {
    for (let round = 0; round < plan.rounds; round++) {
      for (const n of lengths) {
        const share = roundsAt(n, plan.rounds);
        if (round >= share) continue;
        const order = all.map((_, i) => all[(i + round) % all.length] as Contender);
        for (const one of order) {
          done += secondsOf(one, n) / share;
          if (n >= (out.get(one.id) ?? Infinity)) continue;
          const row = await timed(full, trialOf(one, n, plan), signal, one.id, round);
          if (row.kind === 'end') out.set(one.id, n);
          yield { row, fraction: Math.min(1, done / total) };
          if (isLarge(n)) await free();
        }
      }
    }
  } finally {
    await free().catch(() => undefined);
  }
}

async function timed(
  full: FullClient,
  trial: Trial,
  signal: AbortSignal,
  id: string,
  round: number,
): Promise<Row> {
  const n = trial.n ?? 0;
  try {
    const { samples } = await full.timeRound(
      { trials: [trial], milliseconds: SAMPLE_MILLISECONDS },
      { signal },
    );
    return { kind: 'time', id, n, round: round + 1, milliseconds: samples[0]?.milliseconds ?? 0 };
  } catch (error) {
    if (!isWall(error)) throw error;
    return { kind: 'end', id, n, why: error.message };
  }
}

/** What a prediction is held against: a short measurement, here and now. */
const QUICK: Plan = { variant: 'full', largest: 1024, rounds: 3, d: 64, dV: 64 };

export async function quickCrossing(full: FullClient, ask: Ask): Promise<Crossing | undefined> {
  const rows: Row[] = [];
  for await (const { row, fraction } of measure(full, QUICK, ask)) {
    rows.push(row);
    ask.onProgress(fraction);
  }
  return crossingIn(rows, 'softmax', 'linear');
}
