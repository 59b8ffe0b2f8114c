/** Asks the core for every number of a measurement, length by length, round by round. */
import { type Client, CoreError, type MeasuredCrossing, type Trial } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { problemText } from '../../../../src/strings/problem.ts';
import { crossingIn, type Row } from './measured-rows.ts';
import {
  type Contender,
  contenders,
  isLarge,
  lengthsTo,
  type Plan,
  roundsAt,
  shapeOf,
  trialOf,
} from './trial-plan.ts';

/** A sample lasts at least this long. */
const SAMPLE_MILLISECONDS = 6;
/** Estimates for the progress bar: the fixed cost of a length, and multiply-adds for each second. */
const OVERHEAD_SECONDS = 0.04;
const GUESSED_RATE = 8e9;
/** The estimated cost of one exponential, in multiply-adds. */
const EXP = 8;

interface Step {
  readonly row: Row;
  readonly fraction: number;
}

/** A long call reports nothing until it ends. */
const isWall = (error: unknown): error is CoreError =>
  error instanceof CoreError && (error.code === 'capacity' || error.code === 'trap');

/**
 * Times every contender at every length once in each round; another contender is first each time. A
 * contender that runs out of memory is left out from that length on; the others go on.
 */
export async function* measure(
  client: Client,
  plan: Plan,
  { signal }: Pick<Ask, 'signal'>,
): AsyncGenerator<Step> {
  const all = contenders[plan.variant];
  const lengths = lengthsTo(plan.largest);
  const seconds = new Map<string, number>();
  const secondsOf = ({ id }: Contender, n: number): number => seconds.get(`${id} ${n}`) ?? 0;
  for (const one of all) {
    for (const n of lengths) {
      const cost = await client.costOf(
        { mechanism: one.mechanism, shape: shapeOf(one, n, plan) },
        { signal },
      );
      const { multiplyAdds, exps, peakBytes } = cost;
      // Warming up takes one call as well.
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
  const free = () => client.timeRound({ trials: [], milliseconds: 1 });
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
          const row = await timed(client, trialOf(one, n, plan), signal, one.id, round);
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
  client: Client,
  trial: Trial,
  signal: AbortSignal,
  id: string,
  round: number,
): Promise<Row> {
  const n = trial.n ?? 0;
  try {
    const { samples } = await client.timeRound(
      { trials: [trial], milliseconds: SAMPLE_MILLISECONDS },
      { signal },
    );
    return { kind: 'time', id, n, round: round + 1, milliseconds: samples[0]?.milliseconds ?? 0 };
  } catch (error) {
    if (!isWall(error)) throw error;
    return { kind: 'end', id, n, why: await problemText(error) };
  }
}

/** A short measurement made now; a prediction is compared with it. */
const QUICK: Plan = { variant: 'full', largest: 1024, rounds: 3, d: 64, dV: 64 };

export async function quickCrossing(
  client: Client,
  ask: Ask,
): Promise<MeasuredCrossing | undefined> {
  const rows: Row[] = [];
  for await (const { row, fraction } of measure(client, QUICK, ask)) {
    rows.push(row);
    ask.onProgress(fraction);
  }
  return crossingIn(client, rows, 'softmax', 'linear');
}
