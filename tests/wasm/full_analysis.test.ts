import { afterAll, describe, expect, it } from 'vitest';
import { maxCrossover } from '../../wasm/client';
import { CancelledError } from '../../wasm/client/errors';
import { createFullTestClient, testBuilds } from './in_process';
import { entry, expectClose, failure, gaussian, matrix } from './support';

describe.each(testBuilds)('analysis and cost in the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  describe('matrices of attention weights', () => {
    it('names the head, with a list of numbers for the rows and the columns', async () => {
      const n = 6;
      const weights = matrix(
        n,
        n,
        Array.from({ length: n * n }, (_, cell) => {
          const [i, j] = [Math.floor(cell / n), cell % n];
          return j === Math.max(0, i - 1) ? 1 : 0;
        }),
      );
      const made = await client.analyzeAttentionPatterns({ weights, mask: { kind: 'causal' } });
      expect(made.head.id).toMatch(/previous/);
      expect(made.rows.max).toEqual(new Float64Array(n).fill(1));
      expect([...made.columns.received]).toEqual([2, 1, 1, 1, 1, 0]);
      expect(made.singularValues).toHaveLength(n);
    });

    it('takes other thresholds for the name, and gives no rank unless it is asked for', async () => {
      const weights = matrix(4, 4, Array(16).fill(0.25));
      const made = await client.analyzeAttentionPatterns({ weights, rank: false });
      expect(made.head.id).toMatch(/uniform/);
      expect(made.rank).toBeUndefined();
      const strict = { weights, rank: false, thresholds: { uniform: 1.5, broad: 1.5 } };
      expect((await client.analyzeAttentionPatterns(strict)).head.id).not.toMatch(/uniform/);
    });

    it('refuses weights that are not a distribution', async () => {
      const weights = matrix(1, 2, [-1, 2]);
      expect(await failure(client.analyzeAttentionPatterns({ weights }))).toMatchObject({
        code: 'value',
        argument: 'weights',
      });
    });

    it('counts the rank with the tolerance that is given, or its own', async () => {
      const x = matrix(3, 2, [3, 0, 0, 4, 0, 0]);
      expect(await client.singularValues({ x })).toBeInstanceOf(Float64Array);
      expect(await client.numericalRank({ x })).toBe(2);
      expect(await client.numericalRank({ x, tolerance: 0.8 })).toBe(1);
    });

    it('returns -∞ in masks, and three scenarios of masking', async () => {
      const qkv = await client.gaussianQkv({ n: 9, dK: 4, dV: 2, seed: 1 });
      const made = await client.compareMasking(qkv);
      expect([made.causal.future, made.reverse.past]).toEqual([0, 0]);
      expect(made.none.weights.data).toHaveLength(81);
      const reverse = await client.createReverseMask({ n: 9 });
      expect([entry(reverse, 0, 8), entry(reverse, 8, 0)]).toEqual([0, -Infinity]);
      expect((await failure(client.createCausalMask({ n: 0 }))).argument).toBe('n');
    });
  });

  describe('feature maps', () => {
    it('have quality numbers: NaN where one means nothing, none where it was not asked for', async () => {
      const qkv = await client.gaussianQkv({ n: 40, dK: 16, dV: 8, seed: 3 });
      const asked = { ...qkv, featureMap: { id: 'relu' } };
      const made = await client.analyzeFeatureMapQuality(asked);
      expect(made.underflow).toBeNaN();
      expect(made.condition).toBeGreaterThan(1);
      expect(made.milliseconds).toBeGreaterThanOrEqual(0);
      const bare = await client.analyzeFeatureMapQuality({ ...asked, spectrum: false });
      expect(bare.condition).toBeUndefined();
    });

    it('have gradients', async () => {
      const x = await gaussian(client, 5, 3, 1);
      const dPhi = matrix(5, 3, Array(15).fill(1));
      const featureMap = { id: 'relu' };
      const slope = await client.featureMapBackward({ x, dPhi, featureMap });
      expectClose(
        slope,
        matrix(
          5,
          3,
          x.data.map((value) => (value > 0 ? 1 : 0)),
        ),
        0,
      );
      const wrong = matrix(4, 3, Array(12).fill(1));
      expect(
        (await failure(client.featureMapBackward({ x, dPhi: wrong, featureMap }))).argument,
      ).toBe('dPhi');
    });
  });

  describe('gradients and scaling', () => {
    it('takes lists of numbers, and refuses probabilities beyond 1', async () => {
      const values = [4, 1, 3, 2];
      for (const list of [values, Float32Array.from(values), Int32Array.from(values)]) {
        const made = await client.quantiles({ values: list, probabilities: [0, 0.5, 1] });
        expect(made).toEqual(Float64Array.of(1, 2.5, 4));
      }
      const bad = client.quantiles({ values, probabilities: [2] });
      expect(await failure(bad)).toMatchObject({ code: 'value', argument: 'probabilities' });
    });

    it('runs the scaling experiment in steps, the same for the same seed', async () => {
      const asked = { n: [8, 16], dK: [16, 64], draws: 6, seed: 2 };
      const { cells, milliseconds } = await client.scalingExperiment(asked);
      expect(cells.map(({ n, dK, scaled }) => [n, dK, scaled])).toEqual(
        [8, 16].flatMap((n) => [16, 64].flatMap((dK) => [false, true].map((s) => [n, dK, s]))),
      );
      expect(cells[0]?.rowMax.standardError).toBeGreaterThan(0);
      expect(milliseconds).toBeGreaterThan(0);
      expect((await client.scalingExperiment(asked)).cells).toEqual(cells);
      const one = await client.scalingDraw({ n: 8, dK: 16, dV: 16, seed: 2, index: 0 });
      expect([one.q.rows, one.q.cols, one.dO.cols]).toEqual([8, 16, 16]);
    });

    it('reports progress and stops when it is told to', async () => {
      const stop = new AbortController();
      const seen: number[] = [];
      const running = client.scalingExperiment(
        { n: [128], dK: [512], draws: 100000 },
        {
          signal: stop.signal,
          onProgress: (fraction) => {
            seen.push(fraction);
            stop.abort();
          },
        },
      );
      expect(await failure(running)).toBeInstanceOf(CancelledError);
      expect(seen[0]).toBeGreaterThan(0);
    });
  });

  describe('cost', () => {
    it('is counted for sizes by the names that its mechanism tells', async () => {
      const mechanisms = await client.mechanisms();
      const tiled = mechanisms.find(({ id }) => id === 'flash');
      expect(tiled?.parameters.map(({ name }) => name)).toEqual(['m', 'queryTile', 'keyTile']);
      const asked = { mechanism: 'flash', shape: { n: 32, dK: 6, dV: 4, queryTile: 8 } };
      const counted = await client.countedCost(asked);
      expect(counted).toEqual(await client.costOf(asked));
      expect(await failure(client.costOf({ mechanism: 'magic' }))).toMatchObject({ code: 'value' });
    });

    it('includes the crossover, which is null where there is none up to the limit', async () => {
      const pair = { a: 'standard', b: 'linear' };
      const least = (await client.crossover(pair)) as number;
      expect(await client.crossover({ ...pair, limit: maxCrossover })).toBe(least);
      expect(await client.crossover({ ...pair, limit: least - 1 })).toBeNull();
      const rates = { multiplyAdd: 1, exp: 10 };
      const time = { a: 'standard', ratesA: rates, b: 'linear', ratesB: { multiplyAdd: 1 } };
      expect(await client.crossoverTime(time)).toBeLessThan(least);
      const shape = { n: 4096 };
      const { multiplyAdds } = await client.costOf({ mechanism: 'standard', shape });
      const predicted = { mechanism: 'standard', shape, rates: { multiplyAdd: 1 } };
      expect(await client.predictedNanoseconds(predicted)).toBe(multiplyAdds);
    });

    it('includes the memory table of one batch of 8 heads in float32 unless told otherwise', async () => {
      const { rows, claimSource } = await client.memoryTable({});
      expect(rows.map(({ standard }) => standard / 2 ** 20)).toEqual([8, 32, 128, 512]);
      expect(claimSource).not.toBe('');
      const half = (await client.memoryTable({ heads: 4, batch: 3, scalarBytes: 2 })).rows;
      expect(half[0]?.standard).toBe((rows[0]?.standard as number) * (3 / 4));
    });

    it('is fitted with a slope and its confidence band', async () => {
      const x = [64, 128, 256, 512];
      const fit = await client.fitSlope({ x, y: x.map((n) => 3 * n * n), at: [1024] });
      expect(fit.slope).toBeCloseTo(2, 12);
      expect(fit.line[0]).toBeCloseTo(3 * 1024 * 1024, 3);
      expect(fit.low[0]).toBeLessThanOrEqual(fit.high[0] as number);
      expect(await failure(client.fitSlope({ x, y: x, at: [0] }))).toMatchObject({
        argument: 'at',
      });
      expect((await failure(client.fitSlope({ x: [1], y: [1] }))).code).toBe('shape');
    });
  });
});
