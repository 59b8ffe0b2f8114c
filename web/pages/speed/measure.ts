/** Asks the core for every number of a measurement, round by round. */
import { type Client, callOverhead, type SlopeFit, type Trial } from '#client';
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
  /** Called after every step with all results so far and the progress from 0 to 1. */
  readonly onStep: (sofar: Measurement, fraction: number) => void;
}

const shapeOf = ({ n, dK, dV, D }: Trial) => ({
  ...(n === undefined ? {} : { n }),
  ...(dK === undefined ? {} : { dK }),
  ...(dV === undefined ? {} : { dV }),
  ...(D === undefined ? {} : { D }),
});

/**
 * Times every mechanism at every length once in each round, so that a slow moment of the machine affects
 * all of them. When the signal stops it, it returns the results so far.
 */
export async function measure(client: Client, options: MeasureOptions): Promise<Measurement> {
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
  // Work grows with n, so the progress bar weights steps by their work.
  const weight = (n: number): number => 60 + 0.5 * (n / 256) ** 2 * 20;
  const total = rounds * (all.reduce((sum, n) => sum + weight(n), 0) + 30) + 300;
  let done = 0;
  const step = (amount: number): void => {
    done += amount;
    // The object is new at each step, because renderers compare objects; the lists in it go on growing.
    made = { ...made };
    onStep(made, Math.min(1, done / total));
  };
  try {
    made = { ...made, overhead: await callOverhead(client, { signal }) };
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
        // Another mechanism is first in each round, because the first call after a message may be slower.
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
    // Frees the memory of the inputs.
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

/** What the core computes from a measurement. */
export interface Findings {
  readonly fits: Readonly<Record<string, SlopeFit & { readonly x: readonly number[] }>>;
  readonly duels: readonly Duel[];
}

/** How far beyond the longest length measured a crossing is looked for. */
const BEYOND = 16;

export async function findingsOf(client: Client, measurement: Measurement): Promise<Findings> {
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

/** Both at their best rate at the longest length: the time of one multiply-add, with all other costs included. */
async function predictedCrossing(
  client: Client,
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
