import { afterAll, describe, expect, it } from 'vitest';
import {
  type Client,
  createClient,
  type GroupedQueryInput,
  type MultiHeadWeights,
} from '../../wasm/client';
import type { DenominatorRule, Matrix } from '../../wasm/client/types';
import { createFullTestClient, fullWorker, testBuilds } from './in_process';
import { entry, expectClose, failure, gaussian, matrix, rowsOf } from './support';

const moved = (x: Matrix, along: Matrix, step: number): Matrix =>
  matrix(
    x.rows,
    x.cols,
    x.data.map((value, i) => value + step * (along.data[i] as number)),
  );

/** A layer's weights with its three projections as separate matrices. */
type Separate = MultiHeadWeights & Required<Pick<MultiHeadWeights, 'wq' | 'wk' | 'wv' | 'bo'>>;

/** A layer with 4 heads of width 3 over 2 key-value heads with values of width 5. */
async function layer(client: Client, sources = { q: 7, k: 7, v: 7 }): Promise<Separate> {
  const draw = (rows: number, cols: number, seed: number) => gaussian(client, rows, cols, seed);
  return {
    heads: 4,
    kvHeads: 2,
    wq: await draw(12, sources.q, 1),
    wk: await draw(6, sources.k, 2),
    wv: await draw(10, sources.v, 3),
    wo: await draw(8, 20, 4),
    bq: await draw(1, 12, 5),
    bk: await draw(6, 1, 6),
    bv: await draw(1, 10, 7),
    bo: await draw(1, 8, 8),
  };
}

describe.each(testBuilds)('heads in the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  const qkv = async (n: number, m: number, seed: number): Promise<GroupedQueryInput> => ({
    q: await gaussian(client, n, 12, seed),
    k: await gaussian(client, m, 6, seed + 1),
    v: await gaussian(client, m, 10, seed + 2),
    heads: 4,
    kvHeads: 2,
  });

  it('have one key-value head each without kvHeads', async () => {
    const { q } = await qkv(4, 4, 20);
    const given = { q, k: q, v: q, heads: 4 };
    const own = await client.groupedQueryAttention(given);
    const said = await client.groupedQueryAttention({ ...given, kvHeads: 4 });
    expectClose(own.output, said.output, 0);
  });

  it('see the keys of the window that are not padding, and no others', async () => {
    const [n, m] = [4, 6];
    const x = await qkv(n, m, 30);
    const window = { left: 2, right: 1 };
    const keepKeys = [true, true, false, true, true, false];
    const made = await client.groupedQueryAttention({ ...x, window, keepKeys });
    for (const weights of made.weights) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < m; j++) {
          const at = i + m - n;
          const sees = at - 2 <= j && j <= at + 1 && keepKeys[j];
          if (sees) expect(entry(weights, i, j)).toBeGreaterThan(0);
          else expect(entry(weights, i, j)).toBe(0);
        }
      }
    }
  });

  it('are pruned by a list of flags, in attention and in the count of parameters', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 6, 7, 40);
    const keepHeads = [true, false, true, true];
    const whole = await client.multiHeadAttention({ x, weights });
    const pruned = await client.multiHeadAttention({ x, weights, keepHeads });
    expect(pruned.heads.weights[1]?.data.every((weight) => weight === 0)).toBe(true);
    expect([...rowsOf(pruned.heads.logSumExp, 1, 2).data]).toEqual(Array(6).fill(-Infinity));
    expectClose(pruned.heads.weights[2] as Matrix, whole.heads.weights[2] as Matrix, 0);
    const all = await client.countParameters({ weights });
    expect(all).toEqual({ query: 96, key: 48, value: 80, output: 168, total: 392 });
    expect((await client.countParameters({ weights, keepHeads })).query).toBe(72);
  });

  it('in a layer use packed or separate projections, of one source or of three', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 6, 7, 50);
    const { heads, kvHeads, wq, wk, bq, bk } = weights as Required<Separate>;
    const cross = await layer(client, { q: 7, k: 4, v: 9 });
    const [yk, yv] = [await gaussian(client, 5, 4, 51), await gaussian(client, 5, 9, 52)];
    const made = await client.multiHeadAttention({ x, yk, yv, weights: cross });
    expect([made.output.rows, made.output.cols]).toEqual([6, 8]);
    expect(made.heads.weights.map(({ rows, cols }) => [rows, cols])).toEqual(Array(4).fill([6, 5]));
    // Values come from the keys' source where they have no source of their own.
    const y = await gaussian(client, 5, 7, 53);
    const two = await client.multiHeadAttention({ x, yk: y, weights });
    const three = await client.multiHeadAttention({ x, yk: y, yv: y, weights });
    expectClose(two.output, three.output, 0);

    // In a packed projection, key and value heads have one width.
    const wSame = await gaussian(client, 6, 7, 54);
    const [wIn, bIn] = [matrix(24, 7, [...wq.data, ...wk.data, ...wSame.data]), matrix(1, 24, [])];
    const biases = [...bq.data, ...bk.data, ...wSame.data.subarray(0, 6)];
    const woSame = await gaussian(client, 8, 12, 55);
    const packed = await client.multiHeadAttention({
      x,
      weights: {
        heads,
        kvHeads,
        wIn,
        bIn: { ...bIn, data: Float32Array.from(biases) },
        wo: woSame,
      },
    });
    const separate = await client.multiHeadAttention({
      x,
      weights: {
        ...{ heads, kvHeads, wq, wk, wv: wSame, wo: woSame, bq, bk },
        bv: matrix(6, 1, wSame.data.subarray(0, 6)),
      },
    });
    expectClose(packed.output, separate.output, 0);
  });

  it('take keep, seed and probability of the dropout', async () => {
    const x = await qkv(5, 6, 60);
    const plain = await client.groupedQueryAttention(x);
    const keep = matrix(4 * 5, 6, Array(120).fill(1));
    const doubled = await client.groupedQueryAttention({
      ...x,
      dropout: { probability: 0.5, keep },
    });
    expectClose(doubled.output, moved(plain.output, plain.output, 1));
    const drawn = async (seed: number) =>
      (await client.groupedQueryAttention({ ...x, dropout: { probability: 0.4, seed } })).output;
    expect(await drawn(1)).toEqual(await drawn(1));
    expect(await drawn(2)).not.toEqual(await drawn(1));
    const few = { probability: 0.5, keep: matrix(5, 6, Array(30).fill(1)) };
    expect(await failure(client.groupedQueryAttention({ ...x, dropout: few }))).toMatchObject({
      code: 'shape',
      argument: 'dropout.keep',
    });
    const always = { probability: 1 };
    expect(await failure(client.groupedQueryAttention({ ...x, dropout: always }))).toMatchObject({
      code: 'value',
      argument: 'dropout.probability',
    });
  });

  it('have a gradient for the bias only where there is one', async () => {
    const x = await qkv(5, 6, 70);
    const dO = await gaussian(client, 5, 20, 74);
    const bias = await gaussian(client, 5, 6, 73);
    const made = await client.groupedQueryAttentionBackward({ ...x, bias, dO });
    expect([made.dBias?.rows, made.dBias?.cols]).toEqual([5, 6]);
    expect(await client.groupedQueryAttentionBackward({ ...x, dO })).not.toHaveProperty('dBias');
  });

  it('in a layer have gradients for the sources and biases that were given, and no others', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 5, 7, 80);
    const dOutput = await gaussian(client, 5, 8, 82);
    const self = await client.multiHeadAttentionBackward({ x, weights, dOutput });
    expect(self).not.toHaveProperty('dYk');
    const three = await client.multiHeadAttentionBackward({ x, yk: x, yv: x, weights, dOutput });
    const sum = moved(moved(three.dX, three.dYk as Matrix, 1), three.dYv as Matrix, 1);
    expectClose(self.dX, sum, 1e-4);
    for (const name of ['wq', 'wk', 'wv', 'wo', 'bq', 'bk', 'bv', 'bo'] as const) {
      expect(self.dWeights[name]?.data, name).toHaveLength((weights[name] as Matrix).data.length);
    }
    const { bo, ...without } = weights;
    const bare = await client.multiHeadAttentionBackward({ x, weights: without, dOutput });
    expect(bare.dWeights).not.toHaveProperty('bo');
    expect(
      await failure(client.multiHeadAttentionBackward({ x, weights, dOutput: x })),
    ).toMatchObject({ code: 'shape', argument: 'dOutput' });
  });

  it('with linear attention return a state for each key-value head, and refuse one', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 6, 7, 90);
    const how = { featureMap: { id: 'elu_plus_one' }, causal: true, chunk: 2 };
    const { states, heads } = await client.multiHeadLinearAttention({ x, weights, ...how });
    expect(states.map(({ s, z }) => [s.rows, s.cols, z.rows, z.cols])).toEqual([
      [3, 5, 1, 3],
      [3, 5, 1, 3],
    ]);
    expect([heads.rows, heads.cols]).toEqual([6, 20]);
    const state = { s: matrix(3, 5, Array(15).fill(0)), z: matrix(1, 3, [0, 0, 0]) };
    const wrong = { x, weights, featureMap: { id: 'relu' }, state };
    expect(await failure(client.multiHeadLinearAttention(wrong))).toMatchObject({
      code: 'value',
      argument: 'state',
    });
  });

  it('take a rule of the denominator by its name, and add without one', async () => {
    const { q, k, v } = await client.gaussianQkv({ n: 5, dK: 3, dV: 2, seed: 100 });
    const asked = { q, k, v, featureMap: { id: 'elu_plus_one' }, epsilon: 9 };
    const output = async (denominator?: DenominatorRule) =>
      (await client.linearAttention(denominator ? { ...asked, denominator } : asked)).output;
    const add = await output('add');
    expect(await output()).toEqual(add);
    expect(await output('clamp')).not.toEqual(add);
    expect(await output('addToKeySum')).not.toEqual(add);
    expect(await failure(output('plus' as never))).toMatchObject({
      code: 'value',
      argument: 'denominator',
      seen: { text: '"plus"' },
      wanted: { text: 'add, clamp or addToKeySum' },
    });
  });

  it('see no key from the first one of padding on, in every call that takes a mask', async () => {
    const [n, m, validKeys] = [4, 6, 5];
    const { q } = await client.gaussianQkv({ n, dK: 3, dV: 2, seed: 120 });
    const { k, v } = await client.gaussianQkv({ n: m, dK: 3, dV: 2, seed: 121 });
    const asked = { q, k, featureMap: { id: 'elu_plus_one' }, epsilon: 12 };
    const mask = { kind: 'full', validKeys } as const;
    const weights = await client.computeImplicitAttention({ ...asked, mask });
    expect([0, 1, 2, 3].map((i) => entry(weights, i, m - 1))).toEqual([0, 0, 0, 0]);
    const whole = await client.compareToSoftmax({ ...asked, v, mask });
    expectClose(whole.implicit, weights);
    expect(whole.keptCells).toBe(n * validKeys);
    const cell = await client.explainCell({ ...asked, mask, query: 2, key: 1 });
    expect(cell.implicitWeight).toBeCloseTo(entry(weights, 2, 1), 5);
    expect(cell.visibleKeys).toBe(validKeys);
    const beyond = { kind: 'causal', validKeys: 7 } as const;
    expect(await failure(client.attention({ q, k, v, mask: beyond }))).toMatchObject({
      code: 'value',
      argument: 'validKeys',
      seen: { text: '7' },
      wanted: { text: '0 to 6' },
    });
  });

  it('refuse bad input with the name that the caller used for the argument', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 4, 7, 110);
    const ask = (changed: object, more: object = {}) =>
      failure(client.multiHeadAttention({ x, weights: { ...weights, ...changed }, ...more }));
    expect(await ask({ heads: 5 })).toMatchObject({
      code: 'value',
      argument: 'heads',
      seen: { text: '5 for a d_model of 12' },
      wanted: { text: 'a number from 1 on that divides 12' },
    });
    expect(await ask({ kvHeads: 3 })).toMatchObject({ code: 'value', argument: 'kvHeads' });
    expect(await ask({ wk: matrix(5, 7, Array(35).fill(0)) })).toMatchObject({
      code: 'shape',
      argument: 'wk',
      seen: { text: '5×7' },
      wanted: { text: '6×7 (kv_heads·d rows)' },
    });
    expect(
      await ask({ wq: { ...weights.wq, data: weights.wq.data.map(() => NaN) } }),
    ).toMatchObject({ code: 'value', argument: 'wq' });
    expect(await ask({ bq: matrix(1, 3, [1, 2, 3]) })).toMatchObject({
      code: 'shape',
      argument: 'bq',
    });
    expect(await ask({ bq: matrix(2, 6, Array(12).fill(0)) })).toMatchObject({
      code: 'shape',
      argument: 'bq',
      seen: { text: '2×6' },
      wanted: { text: 'one row or one column' },
    });
    expect(await ask({ wo: undefined })).toMatchObject({ code: 'shape', argument: 'wo' });
    expect(await ask({ wIn: matrix(23, 7, Array(161).fill(0)) })).toMatchObject({
      code: 'shape',
      argument: 'wIn',
    });
    expect(await ask({ wIn: matrix(24, 7, Array(168).fill(0)), bIn: x })).toMatchObject({
      code: 'shape',
      argument: 'bIn',
    });
    expect(await ask({}, { yk: x, yv: matrix(4, 2, Array(8).fill(0)) })).toMatchObject({
      code: 'shape',
      argument: 'yv',
    });
    expect(await ask({}, { keepKeys: [true] })).toMatchObject({
      code: 'shape',
      argument: 'keepKeys',
      seen: { text: '1 entries' },
    });
    expect(await ask({}, { keepHeads: [1, 0, 1, 1] })).toMatchObject({
      code: 'value',
      argument: 'keepHeads',
      seen: { text: 'number' },
      wanted: { text: 'true or false' },
    });
    expect(await ask({}, { keepHeads: 3 })).toMatchObject({ argument: 'keepHeads' });
    expect(await ask({}, { window: { left: -1 } })).toMatchObject({
      code: 'value',
      argument: 'window.left',
      seen: { text: '-1' },
    });
    expect(await failure(client.multiHeadAttention({ x } as never))).toMatchObject({
      code: 'value',
      argument: 'weights',
    });
    const { q, k, v } = await qkv(3, 4, 111);
    const odd = client.groupedQueryAttention({ q, k, v, heads: 4, kvHeads: 4 });
    expect(await failure(odd)).toMatchObject({ code: 'value', argument: 'kvHeads' });
  });

  it('describe a map with its parameters, and when it is drawn again', async () => {
    const describeMap = (id: string, more: object = {}) =>
      client.describeFeatureMap({ featureMap: { id, ...more }, dK: 4 });
    expect(await describeMap('relu')).toEqual({
      dimension: 4,
      positivity: 'nonNegative',
      streamable: true,
    });
    const stabilised = await describeMap('softmax_kernel', { parameters: { stabilize: 1 } });
    expect(stabilised).toMatchObject({ positivity: 'positive', streamable: false });
    const cosformer = { featureMap: { id: 'cosformer' }, dK: 4 };
    expect((await client.describeFeatureMap(cosformer)).streamable).toBe(false);
    expect((await client.describeFeatureMap({ ...cosformer, length: 8 })).streamable).toBe(true);

    const seed = 12;
    expect(await client.redrawSeed({ seed, step: 999 })).toBe(seed);
    const next = await client.redrawSeed({ seed, step: 1000 });
    expect(next).not.toBe(seed);
    expect(Number.isSafeInteger(next)).toBe(true);
    expect(await client.redrawSeed({ seed, step: 19, interval: 10 })).toBe(next);
    expect(await client.redrawSeed({ seed, step: 5000, interval: 0 })).toBe(seed);
    expect(await failure(client.redrawSeed({ seed, step: -1 }))).toMatchObject({
      code: 'value',
      argument: 'step',
    });
  });

  it('may draw their random features beforehand, with orthogonal rows or rows of one length', async () => {
    const draw = (how: object) => client.randomProjection({ m: 7, d: 4, seed: 5, ...how });
    const free = await draw({});
    expect(await draw({ orthogonal: false, norms: 'gaussian' })).toEqual(free);
    for (const how of [{ orthogonal: true }, { norms: 'fixed' }, { seed: 6 }]) {
      expect(await draw(how)).not.toEqual(free);
    }
    for (const name of ['m', 'd'] as const) {
      const none = { m: 3, d: 3, seed: 1, [name]: 0 };
      expect(await failure(client.randomProjection(none))).toMatchObject({
        code: 'value',
        argument: name,
        seen: { text: '0' },
        wanted: { text: 'at least 1' },
      });
    }
  });
});

describe('lists of matrices', () => {
  it('are transferred, not copied', async () => {
    const transferred: Transferable[] = [];
    const client = createClient({
      module: 'full',
      build: 'simd',
      makeWorker: () => {
        const worker = fullWorker();
        const post = worker.scope.postMessage;
        worker.scope.postMessage = (message, transfer) => {
          transferred.push(...transfer);
          post(message, transfer);
        };
        return worker;
      },
    });
    const { q } = await client.gaussianQkv({ n: 4, dK: 6, dV: 1, seed: 1 });
    transferred.length = 0;
    const made = await client.groupedQueryAttention({ q, k: q, v: q, heads: 3 });
    // The five buffers are the output, three heads of weights and the sums.
    expect(transferred).toHaveLength(5);
    for (const buffer of transferred) expect((buffer as ArrayBuffer).byteLength).toBe(0);
    expect(made.weights[2]?.data).toHaveLength(16);
    client.dispose();
  });
});

describe('the layer of RetNet', () => {
  const client = createFullTestClient('simd');
  afterAll(() => client.dispose());

  it('works on all tokens at once where chunk is 0', async () => {
    const draw = (rows: number, cols: number, seed: number) => gaussian(client, rows, cols, seed);
    const weights = {
      heads: 2,
      q: await draw(8, 6, 1),
      k: await draw(8, 6, 2),
      v: await draw(10, 6, 3),
      gate: await draw(10, 6, 4),
      out: await draw(6, 10, 5),
    };
    const x = await draw(9, 6, 6);
    const of = (form: 'parallel' | 'chunked', chunk: number) =>
      client.retentionLayer({ x, weights, form, chunk });
    const whole = await of('parallel', 9);
    expect(await of('chunked', 0)).toEqual(whole);
    expect(await of('parallel', 0)).toEqual(whole);
    expect((await of('chunked', 3)).output.data).not.toEqual(whole.output.data);
    expect((await failure(of('chunked', -1))).argument).toBe('chunk');
  });
});
