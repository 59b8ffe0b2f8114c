/** Tests the measurement of Lab 1 with a clock whose readings the test decides. */
import { afterAll, describe, expect, it } from 'vitest';
import { type Client, CoreError } from '#client';
import { measure } from '../../web/labs/complexity/figures/scaling/measure';
import {
  crossingIn,
  type Row,
  timesOf,
} from '../../web/labs/complexity/figures/scaling/measured-rows';
import type { Plan } from '../../web/labs/complexity/figures/scaling/trial-plan';
import { createFullTestClient } from '../wasm/in_process';

let started: Client | undefined;
const core = (): Client => {
  started ??= createFullTestClient();
  return started;
};
afterAll(() => started?.dispose());

describe('a measurement that runs out of memory', () => {
  const plan: Plan = { variant: 'full', largest: 512, rounds: 2, d: 64, dV: 64 };
  /** Returns the core's counts and a clock that counts them; weights of 256 tokens take too much memory. */
  const client = {
    costOf: (input: Parameters<Client['costOf']>[0]) => core().costOf(input),
    timeRound: async ({ trials }: Parameters<Client['timeRound']>[0]) => {
      for (const { mechanism, n = 0 } of trials) {
        if (mechanism === 'fused_weights' && n >= 256) {
          throw new CoreError('capacity', 'not enough memory', 'n');
        }
      }
      return {
        samples: trials.map(({ mechanism, n = 0 }) => ({
          milliseconds: mechanism === 'fused_linear' ? n : (n * n) / 100,
          calls: 1,
        })),
        clockStep: 0,
      };
    },
  } as unknown as Client;

  it('continues with the other contenders, reports why, and finds the crossing', async () => {
    const rows: Row[] = [];
    let last = 0;
    for await (const { row, fraction } of measure(client, plan, {
      signal: new AbortController().signal,
    })) {
      rows.push(row);
      expect(fraction).toBeGreaterThanOrEqual(last);
      last = fraction;
    }
    expect(last).toBeCloseTo(1, 5);
    const ends = rows.filter(({ kind }) => kind === 'end');
    expect(ends).toEqual([{ kind: 'end', id: 'weights', n: 256, why: 'not enough memory' }]);
    expect(timesOf(rows, 'weights').map(({ n }) => n)).toEqual([16, 32, 64, 128]);
    expect(timesOf(rows, 'softmax').map(({ n, samples }) => [n, samples.length])).toEqual([
      [16, 2],
      [32, 2],
      [64, 2],
      [128, 2],
      [256, 2],
      [512, 2],
    ]);
    const crossing = await crossingIn(core(), rows, 'softmax', 'linear');
    // Between 64 and 128, where straight lines on logarithmic axes meet; both rounds are alike.
    expect(crossing).toMatchObject({ kind: 'between', rounds: 2, crossingRounds: 2 });
    expect(crossing?.x).toBeCloseTo(100, 6);
    expect(crossing?.interval?.low).toBeCloseTo(100, 6);
    expect(await crossingIn(core(), rows, 'softmax', 'no such contender')).toBeUndefined();
  });
});
