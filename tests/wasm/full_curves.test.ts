import { afterAll, describe, expect, it } from 'vitest';
import { CancelledError } from '../../wasm/client/errors';
import type { CallOptions } from '../../wasm/client/types';
import { createFullTestClient, testBuilds } from './in_process';
import { expectClose, failure, gaussian, matrix, rowsOf } from './support';

/** Stops a call at its first report of progress. */
function stopping(): { readonly options: CallOptions; readonly seen: number[] } {
  const stop = new AbortController();
  const seen: number[] = [];
  const onProgress = (fraction: number) => {
    seen.push(fraction);
    stop.abort();
  };
  return { options: { signal: stop.signal, onProgress }, seen };
}

async function expectStopped(call: (options: CallOptions) => Promise<unknown>): Promise<void> {
  const { options, seen } = stopping();
  expect(await failure(call(options))).toBeInstanceOf(CancelledError);
  expect(seen[0]).toBeGreaterThan(0);
  expect(seen[0]).toBeLessThan(1);
}

describe.each(testBuilds)('curves and random features in the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  it('draws φ and its slope along a line', async () => {
    const asked = { featureMap: { id: 'elu_plus_one' }, d: 3, from: -2, to: 2, points: 5 };
    const made = await client.featureMapCurve(asked);
    expect(made.featureDimension).toBe(3);
    expect([...made.t]).toEqual([-2, -1, 0, 1, 2]);
    const column = (x: typeof made.phi, f: number) =>
      [...x.data].filter((_, cell) => cell % 3 === f);
    expect(column(made.phi, 0)[4]).toBe(3);
    expect(column(made.phi, 0)[0]).toBeCloseTo(Math.exp(-2), 6);
    expect(column(made.slope, 0)[4]).toBe(1);
    // The other coordinates do not change.
    expect(column(made.phi, 1)).toEqual([1, 1, 1, 1, 1]);
    expect(column(made.slope, 1)).toEqual([0, 0, 0, 0, 0]);
    const direction = matrix(1, 3, [1, 1, 1]);
    const all = await client.featureMapCurve({ ...asked, direction });
    expect(column(all.phi, 2)).toEqual(column(made.phi, 0));
    // Positional maps are evaluated at one position.
    const positional = { ...asked, featureMap: { id: 'cosformer' }, offset: 2, length: 8 };
    expect((await client.featureMapCurve(positional)).featureDimension).toBe(6);
    for (const [wrong, argument] of [
      [{ ...asked, d: 0 }, 'd'],
      [{ ...asked, to: -2 }, 'to'],
      [{ ...asked, points: 1 }, 'points'],
      [{ ...asked, direction: matrix(1, 2, [1, 0]) }, 'direction'],
    ] as const) {
      expect((await failure(client.featureMapCurve(wrong))).argument).toBe(argument);
    }
  });

  it('draws the kernel of a map, the same for the same seed, and can be stopped', async () => {
    const asked = { featureMap: { id: 'taylor' }, d: 4, norm: 2, points: 5, draws: 3 };
    const made = await client.kernelCurve(asked);
    expect([...made.s]).toEqual([-2, -1, 0, 1, 2]);
    expect(made).toMatchObject({ draws: 3, featureDimension: 21 });
    const random = { ...asked, featureMap: { id: 'softmax_kernel' }, draws: 20 };
    const mean = async (seed: number) => (await client.kernelCurve({ ...random, seed })).mean;
    expect(await mean(1)).toEqual(await mean(1));
    expect(await mean(2)).not.toEqual(await mean(1));
    expect((await failure(client.kernelCurve({ ...asked, norm: 0 }))).argument).toBe('norm');
    expect((await failure(client.kernelCurve({ ...asked, d: 1 }))).argument).toBe('d');
    const long = { ...random, d: 64, points: 1000, draws: 4000 };
    await expectStopped((options) => client.kernelCurve(long, options));
  });

  it('measures how far random features err', async () => {
    const asked = { kind: 'positive', m: [16, 64], d: 8, n: 12, inputScale: 0.4 } as const;
    const { rows, milliseconds } = await client.randomFeatureErrors({ ...asked, draws: 40 });
    expect(rows.map(({ m, featureDimension }) => [m, featureDimension])).toEqual([
      [16, 16],
      [64, 64],
    ]);
    expect(milliseconds).toBeGreaterThan(0);
    expect(rows.map(({ finiteDraws }) => finiteDraws)).toEqual([40, 40]);
    expect(Object.keys(rows[0]?.mse ?? {})).toEqual(['low', 'median', 'high']);
    const other = { ...asked, kind: 'trigonometric', orthogonal: true, draws: 2 } as const;
    const trigonometric = (await client.randomFeatureErrors(other)).rows;
    expect(trigonometric[0]?.featureDimension).toBe(32);
    for (const [wrong, argument] of [
      [{ ...asked, m: [] }, 'm'],
      [{ ...asked, n: 1000 }, 'n'],
      [{ ...asked, inputScale: 0 }, 'inputScale'],
      [{ ...asked, kind: 'magic' as never }, 'kind'],
    ] as const) {
      expect((await failure(client.randomFeatureErrors(wrong))).argument).toBe(argument);
    }
    const long = { ...asked, m: [4096], d: 64, n: 256, draws: 1000 };
    await expectStopped((options) => client.randomFeatureErrors(long, options));
  });

  it('compares float32 and float64 in as many draws as are asked for, and can be stopped', async () => {
    const made = await client.associativityPrecision({ n: 100, dK: 64, dV: 64, seed: 1, draws: 4 });
    expect([made.draws, made.float32.failedDraws, made.float64.failedDraws]).toEqual([4, 4, 0]);
    expect(made.float32.differences).toHaveLength(made.probabilities.length);
    expect([made.first.size.rows, made.first.condition.cols, made.entries]).toEqual([
      100, 64, 6400,
    ]);
    const loose = { n: 100, dK: 64, dV: 64, atol: 1e-3 };
    expect((await client.associativityPrecision(loose)).float32.failedShare).toBe(0);
    const wrong = client.associativityPrecision({ n: 9, dK: 2, dV: 2, rtol: -1 });
    expect(await failure(wrong)).toMatchObject({ code: 'value', argument: 'rtol' });
    const long = { n: 1024, dK: 64, dV: 64, draws: 60 };
    await expectStopped((options) => client.associativityPrecision(long, options));
  });

  it('returns denominators as a column, under a mask or without one', async () => {
    const [q, k] = [await gaussian(client, 6, 3, 1), await gaussian(client, 6, 3, 2)];
    const asked = { q, k, featureMap: { id: 'elu_plus_one' } };
    const full = await client.denominators(asked);
    expect([full.rows, full.cols]).toEqual([6, 1]);
    const causal = await client.denominators({ ...asked, mask: { kind: 'causal' } });
    expect(causal.data[0]).toBeLessThan(full.data[0] as number);
    expectClose(rowsOf(causal, 5, 6), rowsOf(full, 5, 6));
    const narrow = await gaussian(client, 6, 2, 2);
    expect((await failure(client.denominators({ ...asked, k: narrow }))).argument).toBe('k');
  });

  it('refuses eigenvalues of a matrix that is not symmetric or not square', async () => {
    const skew = client.symmetricEigenvalues({ x: matrix(2, 2, [1, 2, 3, 1]) });
    expect(await failure(skew)).toMatchObject({ code: 'value', argument: 'x' });
    const wide = client.symmetricEigenvalues({ x: matrix(1, 2, [1, 2]) });
    expect(await failure(wide)).toMatchObject({ code: 'shape', argument: 'x' });
  });

  describe('linear attention of many tokens', () => {
    const featureMap = { id: 'elu_plus_one' };

    it('has the same output when it is computed in steps, with every option', async () => {
      const n = 3000;
      const qkv = await client.gaussianQkv({ n, dK: 8, dV: 4, seed: 1 });
      const how = { validKeys: 1500, offset: 5, length: 4000, featureMap: { id: 'cosformer' } };
      const made = await client.linearAttention({ ...qkv, ...how });
      expect(made.output.rows).toBe(n);
      // Every query against the state of all keys, a few at a time.
      const want = await client.linearAttention({ ...qkv, ...how, q: rowsOf(qkv.q, 0, 10) });
      expectClose(rowsOf(made.output, 0, 10), want.output, 1e-4);
    });

    it('reports progress for 16 384 tokens, is right and can be stopped', async () => {
      const n = 16384;
      const qkv = await client.gaussianQkv({ n, dK: 64, dV: 64, seed: 1 });
      const asked = { ...qkv, featureMap: { id: 'softmax_kernel' } };
      await expectStopped((options) => client.linearAttention(asked, options));
      // The client works as before.
      const causal = { ...qkv, featureMap, causal: true };
      const made = await client.linearAttention(causal);
      const last = (x: { cols: number; data: Float32Array }) => ({
        rows: 1,
        cols: x.cols,
        data: x.data.subarray((n - 1) * x.cols, n * x.cols),
      });
      // The last token sees all keys.
      const want = await client.linearAttention({ ...qkv, q: last(qkv.q), featureMap });
      expectClose(last(made.output), want.output, 1e-4);
    });
  });

  it('times linear attention with any map of the registry', async () => {
    const maps = await client.featureMaps();
    const shape = { n: 16, dK: 4, dV: 4 };
    const trials = maps.flatMap(({ id }) => [
      { mechanism: 'linear', featureMap: { id }, ...shape } as const,
      {
        mechanism: 'linear',
        featureMap: { id },
        causal: true,
        normalize: false,
        ...shape,
      } as const,
    ]);
    const { samples } = await client.timeRound({ trials, milliseconds: 0.1 });
    expect(samples).toHaveLength(2 * maps.length);
    for (const { milliseconds } of samples) expect(milliseconds).toBeGreaterThan(0);
    const unknown = { mechanism: 'linear', featureMap: { id: 'magic' }, ...shape } as const;
    const failed = client.timeRound({ trials: [unknown], milliseconds: 0.1 });
    expect((await failure(failed)).argument).toBe('featureMap');
    await client.timeRound({ trials: [], milliseconds: 1 });
  });

  it('reports when memory is full, and keeps working', async () => {
    const before = await client.memoryInfo();
    expect(before.limit).toBe(2 ** 31);
    expect(before.bytes).toBeGreaterThan(0);
    expect(before.bytes).toBeLessThanOrEqual(before.limit);
    const trials = [{ mechanism: 'fused_weights', n: 32768, dK: 4, dV: 4 }] as const;
    const error = await failure(client.timeRound({ trials, milliseconds: 1 }));
    expect(error).toMatchObject({
      code: 'capacity',
      argument: 'n',
      seen: { text: '32768 tokens' },
    });
    expect((await client.orderCosts({ n: 2, dK: 1, dV: 1 })).plain.standard).toBe(8);
    await client.timeRound({ trials: [], milliseconds: 1 });
  });
});
