/** Asks the core for every number of a measurement, round by round. */
import type { FullClient, SlopeFit, Trial } from '#client/full';
import {
  type Counted,
  type Crossing,
  crossingOf,
  duels,
  fittedLengths,
  leastLength,
  lengths,
  type Measurement,
  type Place,
  type Row,
  ratiosOf,
  rowsOf,
  type StayId,
  stayIds,
  stays,
  subject,
  subjects,
} from './measurement.ts';

/** A sample lasts at least this long. */
export const SAMPLE_MILLISECONDS = 6;
const PEAK: Trial = { mechanism: 'multiply_add_peak' };
const contenders: readonly Trial[] = [PEAK, ...subjects.map(({ trial }) => trial)];

export interface MeasureOptions {
  readonly largest: number;
  readonly rounds: number;
  readonly guess: number | undefined;
  readonly place: Place;
  readonly signal: AbortSignal;
  /** After every step: all so far, and how far that is, 0 … 1. */
  readonly onStep: (sofar: Measurement, fraction: number) => void;
}

const shapeOf = ({ n, dK, dV, D }: Trial) => ({
  ...(n === undefined ? {} : { n }),
  ...(dK === undefined ? {} : { dK }),
  ...(dV === undefined ? {} : { dV }),
  ...(D === undefined ? {} : { D }),
});

/**
 * Every mechanism at every length, once a round: what slows the machine for a while slows all of
 * them. Stopped by the signal it returns what there is.
 */
export async function measure(client: FullClient, options: MeasureOptions): Promise<Measurement> {
  const { largest, rounds, guess, place, signal, onStep } = options;
  const all = lengths(largest);
  const samples: Record<string, Record<number, number[]>> = {};
  const counted: Record<string, Record<number, Counted>> = {};
  const stay: Partial<Record<StayId, number[]>> = {};
  const peak: number[] = [];
  let made: Measurement = {
    version: 1,
    date: new Date().toISOString(),
    place,
    rounds,
    lengths: all,
    samples,
    stay,
    peak,
    counted,
    ...(guess === undefined ? {} : { guess }),
    finished: false,
  };
  // Work grows with n, so the bar must not count steps alike.
  const weight = (n: number): number => 60 + 0.5 * (n / 256) ** 2 * 20;
  const total = rounds * (all.reduce((sum, n) => sum + weight(n), 0) + 30) + 300;
  let done = 0;
  const step = (amount: number): void => {
    done += amount;
    // A fresh object for whoever compares; the lists within go on growing.
    made = { ...made };
    onStep(made, Math.min(1, done / total));
  };
  try {
    made = { ...made, overhead: await client.callOverhead({ signal }) };
    for (const { id, trial } of subjects) {
      counted[id] = {};
      samples[id] = {};
      for (const n of all) {
        counted[id][n] = await client.costOf(
          { mechanism: id, shape: shapeOf({ ...trial, n }) },
          { signal },
        );
        samples[id][n] = [];
      }
    }
    step(300);
    for (let round = 0; round < rounds; round++) {
      for (const n of all) {
        // Another one is first each time: what comes after the message may wait for the core's data.
        const order = contenders.map((_, i) => contenders[(i + round) % contenders.length] ?? PEAK);
        const timed = await client.timeRound(
          {
            trials: order.map((trial) => (trial === PEAK ? trial : { ...trial, n })),
            milliseconds: SAMPLE_MILLISECONDS,
          },
          { signal },
        );
        timed.samples.forEach(({ milliseconds }, i) => {
          const { mechanism } = order[i] ?? PEAK;
          if (mechanism !== PEAK.mechanism) samples[mechanism]?.[n]?.push(milliseconds);
          else if (timed.peakMultiplyAdds) {
            peak.push(timed.peakMultiplyAdds / (milliseconds / 1000));
          }
        });
        made = { ...made, clockStep: timed.clockStep };
        step(weight(n));
      }
      const timed = await client.timeRound(
        { trials: stayIds.map((id) => stays[id]), milliseconds: SAMPLE_MILLISECONDS },
        { signal },
      );
      timed.samples.forEach(({ milliseconds }, i) => {
        const id = stayIds[i] as StayId;
        stay[id] = [...(stay[id] ?? []), milliseconds];
      });
      step(30);
    }
    made = { ...made, finished: true };
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // Gives the inputs' memory back.
    await client.timeRound({ trials: [], milliseconds: 1 }).catch(() => undefined);
  }
  return made;
}

export interface Duel {
  readonly softmax: string;
  readonly linear: string;
  readonly measured: Crossing | undefined;
  /** By the cost model, from the rates at the longest length measured; undefined for none. */
  readonly predicted: number | undefined;
}

/** What follows from a measurement, by the core's own functions. */
export interface Findings {
  readonly fits: Readonly<Record<string, SlopeFit & { readonly x: readonly number[] }>>;
  readonly duels: readonly Duel[];
}

/** How far beyond the longest length measured a crossing is looked for. */
const BEYOND = 16;

export async function findingsOf(client: FullClient, measurement: Measurement): Promise<Findings> {
  const rows = rowsOf(measurement);
  const of = (id: string): Row[] => rows.filter((row) => row.id === id);
  const fits: Record<string, SlopeFit & { x: readonly number[] }> = {};
  for (const { id } of subjects) {
    const measured = of(id);
    const fitted = fittedLengths(measured.map(({ n }) => n));
    if (fitted.length < 3) continue;
    const points = measured.filter(({ n }) => fitted.includes(n));
    const fit = await client.fitSlope({
      x: points.map(({ n }) => n),
      y: points.map(({ median }) => median),
      at: fitted,
    });
    fits[id] = { ...fit, x: fitted };
  }
  const found: Duel[] = [];
  for (const [a, b] of duels) {
    found.push({
      softmax: a,
      linear: b,
      measured: crossingOf(ratiosOf(measurement, a, b)),
      predicted: await predictedCrossing(client, of(a).at(-1), of(b).at(-1)),
    });
  }
  return { fits, duels: found };
}

/** Both at their best rate at the longest length: what a multiply-add took, all else included. */
async function predictedCrossing(
  client: FullClient,
  a: Row | undefined,
  b: Row | undefined,
): Promise<number | undefined> {
  if (!a?.counted || !b?.counted || a.n !== b.n) return undefined;
  const time = (row: Row) => {
    const multiplyAdd = (row.min * 1e6) / (row.counted?.multiplyAdds ?? 1);
    const { trial } = subject(row.id);
    return (n: number) =>
      client.predictedNanoseconds({
        mechanism: row.id,
        shape: shapeOf({ ...trial, n }),
        rates: { multiplyAdd },
      });
  };
  const [slow, fast] = [time(a), time(b)];
  return leastLength(a.n * BEYOND, async (n) => (await fast(n)) < (await slow(n)));
}
