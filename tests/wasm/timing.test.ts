import { afterAll, describe, expect, it } from 'vitest';
import { callOverhead, type Trial, timedMechanisms } from '../../wasm/client';
import type { Build } from '../../wasm/client/protocol';
import { createFullTestClient } from './in_process';
import { failure } from './support';

/** Those that have a cost of their own; `linear` is timed with each feature map elsewhere. */
const others = ['linear', 'multiply_add_peak', 'kernel_smoothing', 'feature_smoothing'];
const mechanisms = timedMechanisms.filter((id) => !others.includes(id));
const builds: readonly Build[] = ['simd'];

describe.each(builds)('measuring the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  it('reports the kernels and their peak speed', async () => {
    const info = await client.kernelInfo();
    expect(info.name).not.toBe('');
    expect(info.lanes).toBe(4);
    expect(typeof info.fusedMultiplyAdd).toBe('boolean');
    const { multiplyAdds, sum } = await client.multiplyAddPeak({ rounds: 1000 });
    expect(multiplyAdds).toBe(12 * info.lanes * 1000);
    expect(Number.isFinite(sum)).toBe(true);
    expect(await failure(client.multiplyAddPeak({ rounds: 2 ** 31 }))).toMatchObject({
      code: 'value',
      argument: 'rounds',
    });
  });

  it('times every mechanism that has a cost, and the peak', async () => {
    const known = (await client.mechanisms()).map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining([...mechanisms]));
    const trials: Trial[] = mechanisms.map((mechanism) => ({ mechanism, n: 16, dK: 8, dV: 8 }));
    const all: Trial[] = [{ mechanism: 'multiply_add_peak' }, ...trials];
    const parts: number[] = [];
    const round = await client.timeRound(
      { trials: all, milliseconds: 0.5 },
      { onProgress: (part) => parts.push(part) },
    );
    expect(round.samples).toHaveLength(all.length);
    for (const { milliseconds, calls } of round.samples) {
      expect(milliseconds).toBeGreaterThan(0);
      expect(Number.isInteger(calls) && calls > 0).toBe(true);
      // A sample lasts as long as was asked for, and enough steps of the clock.
      expect(milliseconds * calls).toBeGreaterThanOrEqual(Math.max(0.5, 50 * round.clockStep));
    }
    expect(round.peakMultiplyAdds).toBeGreaterThan(0);
    expect(parts).toHaveLength(all.length);
    expect(parts.at(-1)).toBe(1);
    expect(await client.timeRound({ trials: [], milliseconds: 1 })).toMatchObject({ samples: [] });
  });

  it('stops between two trials', async () => {
    const stop = new AbortController();
    const trials = mechanisms.map((mechanism) => ({ mechanism, n: 32 }));
    const call = client.timeRound(
      { trials, milliseconds: 20 },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect(await failure(call)).toMatchObject({ code: 'cancelled' });
    const { samples } = await client.timeRound({ trials, milliseconds: 0.1 });
    expect(samples).toHaveLength(trials.length);
  });

  it('refuses what cannot be timed', async () => {
    const refuse = (input: unknown) => failure(client.timeRound(input as never));
    const flash = { mechanism: 'fused', n: 4 };
    const wrong = { code: 'value' };
    expect(await refuse({ trials: [flash] })).toMatchObject(wrong);
    expect(await refuse({ trials: [flash], milliseconds: 0 })).toMatchObject(wrong);
    expect(await refuse({ trials: [flash], milliseconds: Infinity })).toMatchObject(wrong);
    expect(await refuse({ trials: 'fused', milliseconds: 1 })).toMatchObject(wrong);
    expect(await refuse({ trials: Array(200).fill(flash), milliseconds: 1 })).toMatchObject(wrong);
    const sleep = { mechanism: 'sleep', n: 4 };
    expect(await refuse({ trials: [sleep], milliseconds: 1 })).toMatchObject({
      ...wrong,
      argument: 'mechanism',
    });
    expect(await refuse({ trials: [{ ...flash, n: 0 }], milliseconds: 1 })).toMatchObject(wrong);
    expect((await refuse({ trials: [null], milliseconds: 1 })).code).toMatch(/shape|value/);
  });

  it('reports the time that a call takes besides its work', async () => {
    const cost = await callOverhead(client);
    expect(cost.roundTripMilliseconds).toBeGreaterThan(0);
    expect(cost.copyInMillisecondsPerMB).toBeGreaterThanOrEqual(0);
    expect(cost.copyOutMillisecondsPerMB).toBeGreaterThanOrEqual(0);
  });
});
