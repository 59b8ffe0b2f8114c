import { afterAll, describe, expect, it } from 'vitest';
import { createFullTestClient, createTestClient, testBuilds } from './in_process';
import { entry, expectClose, failure } from './support';

describe.each(testBuilds)('the kernel trick in the %s build', (build) => {
  const client = createTestClient(build);
  const full = createFullTestClient(build);
  afterAll(() => {
    client.dispose();
    full.dispose();
  });

  it('is answered by start and by full', async () => {
    await client.ready();
    expect((await client.featureMaps()).length).toBeGreaterThan(5);
    const asked = { n: 8, dK: 3, dV: 2 };
    expect(await full.orderCosts(asked)).toEqual(await client.orderCosts(asked));
  });

  it('counts what both orders cost', async () => {
    const made = await client.orderCosts({ n: 4096, dK: 64, dV: 64 });
    expect(made.plain).toEqual({
      standard: 2147483648,
      linear: 33554432,
      ratio: 64,
      crossover: 64,
    });
    expect(made.standard.products[0]).toEqual({
      rows: 4096,
      inner: 64,
      cols: 4096,
      multiplyAdds: 1073741824,
    });
    expect(made.standard.intermediate.bytes).toBe(2 ** 26);
    expect(made.linear.intermediate).toEqual({ rows: 64, cols: 64, numbers: 4096, bytes: 16384 });
    expect(made.causal?.ratio).toBeCloseTo(32, 1);
    expect(made.normalized.linear).toBe(
      await full.linearMultiplyAdds({ n: 4096, D: 64, dV: 64, normalize: true }),
    );
    expect((await client.orderCosts({ n: 3, m: 4, dK: 1, dV: 1 })).causal).toBeUndefined();
    expect(await failure(client.orderCosts({ n: 0, dK: 1, dV: 1 }))).toMatchObject({
      code: 'value',
      argument: 'n',
    });
    expect((await failure(client.orderCosts({ n: 2, dK: 0.5, dV: 1 }))).argument).toBe('dK');
  });

  it('fills both orders cell by cell until they agree', async () => {
    const qkv = await client.gaussianQkv({ n: 4, dK: 3, dV: 2, seed: 1 });
    const ends = [];
    for (const order of ['standard', 'linear'] as const) {
      const start = await client.associativityTrace({ ...qkv, order, step: 0 });
      expect(start).toMatchObject({ stage: 'product', row: 0, col: 0, terms: [], multiplyAdds: 0 });
      expect(start.product.data.every(Number.isNaN)).toBe(true);
      const one = await client.associativityTrace({ ...qkv, order, step: start.productTotal + 1 });
      expect(one).toMatchObject({ stage: 'output', row: 0, col: 0 });
      expect(one.terms).toHaveLength(1);
      expect(one.terms[0]?.sum).toBe(entry(one.output, 0, 0));
      expect(one.product.data.some(Number.isNaN)).toBe(false);
      const end = await client.associativityTrace({ ...qkv, order, step: start.total });
      expect(end.multiplyAdds).toBe(start.total);
      ends.push(end.output);
      const tooFar = client.associativityTrace({ ...qkv, order, step: start.total + 1 });
      expect(await failure(tooFar)).toMatchObject({ code: 'value', argument: 'step' });
    }
    const [standard, linear] = ends;
    if (!standard || !linear) throw new Error('two orders');
    expectClose(linear, standard);
    expectClose(standard, (await full.verifyAssociativity(qkv)).standard);
    const large = await client.gaussianQkv({ n: 17, dK: 3, dV: 2, seed: 1 });
    const refused = client.associativityTrace({ ...large, order: 'linear', step: 0 });
    expect(await failure(refused)).toMatchObject({ code: 'capacity', argument: 'q' });
  });

  it('returns every state of the recurrent view', async () => {
    const qkv = await client.gaussianQkv({ n: 9, dK: 4, dV: 3, seed: 2 });
    for (const id of ['elu_plus_one', 'taylor', 'cosformer']) {
      const featureMap = { id };
      const made = await client.recurrentTrace({ ...qkv, featureMap });
      const want = await full.linearAttention({ ...qkv, featureMap, causal: true });
      expectClose(made.output, want.output, 1e-4);
      expect(made.maxDifference).toBeLessThan(1e-4);
      const D = made.featureDimension;
      expect([made.s.rows, made.s.cols, made.z.rows, made.z.cols]).toEqual([9 * D, 3, 9, D]);
      expectClose({ rows: D, cols: 3, data: made.s.data.subarray(8 * D * 3) }, want.state.s, 1e-4);
      expect([made.sum.cols, made.denominator.cols]).toEqual([1, 1]);
    }
    const featureMap = { id: 'elu_plus_one' };
    const negative = client.recurrentTrace({ ...qkv, featureMap, epsilon: -1 });
    expect(await failure(negative)).toMatchObject({ code: 'value', argument: 'epsilon' });
    const long = await client.gaussianQkv({ n: 65, dK: 4, dV: 3, seed: 2 });
    expect((await failure(client.recurrentTrace({ ...long, featureMap }))).code).toBe('capacity');
  });
});
