import { afterAll, describe, expect, it } from 'vitest';
import { maxOrderSize } from '../../wasm/client';
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

  it('takes m for n and D for d_k where they are left out, up to the largest size', async () => {
    const made = await client.orderCosts({ n: 4096, dK: 64, dV: 32 });
    expect(made).toEqual(await client.orderCosts({ n: 4096, m: 4096, dK: 64, dV: 32, D: 64 }));
    expect(made.standard.products[0]).toEqual({
      rows: 4096,
      inner: 64,
      cols: 4096,
      multiplyAdds: 1073741824,
    });
    expect(Object.keys(made.plain)).toEqual(['standard', 'linear', 'ratio', 'crossover']);
    expect((await client.orderCosts({ n: 3, m: 4, dK: 1, dV: 1 })).causal).toBeUndefined();
    const largest = { n: maxOrderSize, dK: 1, dV: 1 };
    expect((await client.orderCosts(largest)).standard.intermediate.rows).toBe(maxOrderSize);
    for (const n of [0, maxOrderSize + 1]) {
      expect(await failure(client.orderCosts({ ...largest, n }))).toMatchObject({
        code: 'value',
        argument: 'n',
        wanted: { params: { least: 1, most: maxOrderSize } },
      });
    }
    expect((await failure(client.orderCosts({ n: 2, dK: 0.5, dV: 1 }))).argument).toBe('dK');
  });

  it('returns a step of either order with its terms, and refuses steps after the last', async () => {
    const qkv = await client.gaussianQkv({ n: 4, dK: 3, dV: 2, seed: 1 });
    for (const order of ['standard', 'linear'] as const) {
      const start = await client.associativityTrace({ ...qkv, order, step: 0 });
      expect(start).toMatchObject({ stage: 'product', row: 0, col: 0, terms: [], multiplyAdds: 0 });
      expect(start.product.data.every(Number.isNaN)).toBe(true);
      const one = await client.associativityTrace({ ...qkv, order, step: start.productTotal + 1 });
      expect(one).toMatchObject({ stage: 'output', row: 0, col: 0 });
      expect(one.terms).toHaveLength(1);
      expect(one.terms[0]?.sum).toBe(entry(one.output, 0, 0));
      const tooFar = client.associativityTrace({ ...qkv, order, step: start.total + 1 });
      expect(await failure(tooFar)).toMatchObject({ code: 'value', argument: 'step' });
    }
    const large = await client.gaussianQkv({ n: 17, dK: 3, dV: 2, seed: 1 });
    const refused = client.associativityTrace({ ...large, order: 'linear', step: 0 });
    expect(await failure(refused)).toMatchObject({ code: 'capacity', argument: 'q' });
  });

  it('returns every state of the recurrent view, one below the other', async () => {
    const qkv = await client.gaussianQkv({ n: 9, dK: 4, dV: 3, seed: 2 });
    const featureMap = { id: 'taylor' };
    const made = await client.recurrentTrace({ ...qkv, featureMap });
    const D = made.featureDimension;
    expect([made.s.rows, made.s.cols, made.z.rows, made.z.cols]).toEqual([9 * D, 3, 9, D]);
    const { state } = await full.linearAttention({ ...qkv, featureMap, causal: true });
    expectClose({ rows: D, cols: 3, data: made.s.data.subarray(8 * D * 3) }, state.s, 1e-4);
    expect([made.sum.cols, made.denominator.cols]).toEqual([1, 1]);
    const negative = client.recurrentTrace({ ...qkv, featureMap, epsilon: -1 });
    expect(await failure(negative)).toMatchObject({ code: 'value', argument: 'epsilon' });
    const long = await client.gaussianQkv({ n: 65, dK: 4, dV: 3, seed: 2 });
    expect((await failure(client.recurrentTrace({ ...long, featureMap }))).code).toBe('capacity');
  });
});
