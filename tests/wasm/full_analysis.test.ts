import { afterAll, describe, expect, it } from 'vitest';
import { CancelledError } from '../../wasm/client/errors';
import { createFullTestClient, testBuilds } from './in_process';
import { entry, expectClose, failure, gaussian, matrix } from './support';

describe.each(testBuilds)('analysis and cost in the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  describe('matrices of attention weights', () => {
    it('names a head that looks at the token before', async () => {
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
      expect(made.previousTokenScore).toBe(1);
      expect(made.meanEntropy).toBe(0);
      expect(made.rows.max).toEqual(new Float64Array(n).fill(1));
      expect([...made.rows.topKey]).toEqual([0, 0, 1, 2, 3, 4]);
      expect([...made.columns.received]).toEqual([2, 1, 1, 1, 1, 0]);
      // Row 0 repeats row 1: the last column is empty, and the first occurs twice.
      expect(made.rank).toBe(n - 1);
      expect(made.singularValues).toHaveLength(n);
    });

    it('gives the entropy of equal weights, and no rank unless it is asked for', async () => {
      const weights = matrix(4, 4, Array(16).fill(0.25));
      const made = await client.analyzeAttentionPatterns({ weights, rank: false });
      expect(made.meanEntropy).toBeCloseTo(Math.log(4), 12);
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

    it('counts singular values and the rank they show', async () => {
      const x = matrix(3, 2, [3, 0, 0, 4, 0, 0]);
      const [first, second] = await client.singularValues({ x });
      expect(first).toBeCloseTo(4, 12);
      expect(second).toBeCloseTo(3, 12);
      expect(await client.numericalRank({ x })).toBe(2);
      expect(await client.numericalRank({ x, tolerance: 0.8 })).toBe(1);
    });

    it('compares causal, no and reverse masking', async () => {
      const qkv = await client.gaussianQkv({ n: 9, dK: 4, dV: 2, seed: 1 });
      const made = await client.compareMasking(qkv);
      expect(made.causal.future).toBe(0);
      expect(made.reverse.past).toBe(0);
      expect(made.none.past * made.none.future).toBeGreaterThan(0);
      const bias = await client.createCausalMask({ n: 9 });
      expect((await client.attention({ ...qkv, bias })).weights).toEqual(made.causal.weights);
      const reverse = await client.createReverseMask({ n: 9 });
      expect(entry(reverse, 0, 8)).toBe(0);
      expect(entry(reverse, 8, 0)).toBe(Number.NEGATIVE_INFINITY);
      expect((await failure(client.createCausalMask({ n: 0 }))).argument).toBe('n');
    });
  });

  describe('feature maps', () => {
    it('have quality numbers that agree with the comparison', async () => {
      const qkv = await client.gaussianQkv({ n: 40, dK: 16, dV: 8, seed: 3 });
      const asked = { ...qkv, featureMap: { id: 'relu' } };
      const [made, compared] = await Promise.all([
        client.analyzeFeatureMapQuality(asked),
        client.compareToSoftmax(asked),
      ]);
      expect(made.correlation).toBe(compared.correlation);
      expect(made.mse).toBe(compared.mse);
      expect(made.underflow).toBeNaN();
      expect(made.zeroFeatures).toBeGreaterThan(0.4);
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
    it('takes quantiles as NumPy does', async () => {
      const values = [4, 1, 3, 2];
      expect([...(await client.quantiles({ values, probabilities: [0, 0.5, 1] }))]).toEqual([
        1, 2.5, 4,
      ]);
      const gradient = matrix(2, 2, [3, 4, 0, 0]);
      const made = await client.gradientQuantiles({ gradient, probabilities: [0, 1] });
      expect([...made.rowNorms]).toEqual([0, 5]);
      expect(made.smallShare).toBe(0.5);
      const bad = client.quantiles({ values, probabilities: [2] });
      expect(await failure(bad)).toMatchObject({ code: 'value', argument: 'probabilities' });
    });

    it('runs the scaling experiment in steps, the same for the same seed', async () => {
      const asked = { n: [8, 16], dK: [16, 64], draws: 6, seed: 2 };
      const { cells, milliseconds } = await client.scalingExperiment(asked);
      expect(cells.map(({ n, dK, scaled }) => [n, dK, scaled])).toEqual(
        [8, 16].flatMap((n) => [16, 64].flatMap((dK) => [false, true].map((s) => [n, dK, s]))),
      );
      for (let i = 0; i < cells.length; i += 2) {
        expect(cells[i]?.rowMax.mean).toBeGreaterThan(cells[i + 1]?.rowMax.mean as number);
        expect(cells[i]?.rowMax.standardError).toBeGreaterThan(0);
      }
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
    it('is counted as its formula says, for every mechanism', async () => {
      for (const { id } of await client.mechanisms()) {
        const shape = { n: 32, dK: 6, dV: 4, window: 3, block: 4, k: 5, chunk: 7, heads: 4 };
        const asked = { mechanism: id, shape };
        const [formula, counted] = [await client.costOf(asked), await client.countedCost(asked)];
        expect(formula.multiplyAdds).toBeGreaterThan(0);
        // ELU + 1 takes an exp for negative entries only.
        expect({ ...counted, exps: 0 }).toEqual({ ...formula, exps: 0 });
      }
      expect(await failure(client.costOf({ mechanism: 'magic' }))).toMatchObject({ code: 'value' });
    });

    it('includes the crossover and the corrected numbers of lab 2', async () => {
      expect(await client.linearCrossover({ D: 64, dK: 64, dV: 64 })).toBe(64);
      const shape = { n: 4096 };
      const { multiplyAdds } = await client.costOf({ mechanism: 'standard', shape });
      expect(multiplyAdds).toBe(2147483648);
      const sizes = { n: 4096, D: 64, dV: 64 };
      expect(await client.linearMultiplyAdds({ ...sizes, normalize: false })).toBe(33554432);
      expect(await client.crossover({ a: 'standard', b: 'standard', limit: 500 })).toBeNull();
      const least = await client.crossover({ a: 'standard', b: 'linear' });
      expect(least).toBeGreaterThan(64);
      expect(least).toBeLessThan(128);
      const rates = { multiplyAdd: 1, exp: 10 };
      const time = { a: 'standard', ratesA: rates, b: 'linear', ratesB: { multiplyAdd: 1 } };
      expect(await client.crossoverTime(time)).toBeLessThan(least as number);
      const predicted = { mechanism: 'standard', shape, rates: { multiplyAdd: 1 } };
      expect(await client.predictedNanoseconds(predicted)).toBe(multiplyAdds);
    });

    it('includes the memory table: 8 MiB where the course text says 1 GiB', async () => {
      const { rows, claimSource } = await client.memoryTable({});
      expect(rows.map(({ standard }) => standard / 2 ** 20)).toEqual([8, 32, 128, 512]);
      expect(rows.map(({ claimedStandard, standard }) => claimedStandard / standard)).toEqual([
        128, 128, 128, 128,
      ]);
      expect(claimSource).not.toBe('');
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
