import { afterAll, describe, expect, it } from 'vitest';
import {
  type Client,
  createClient,
  type GroupedQueryInput,
  type MultiHeadInput,
  type MultiHeadWeights,
} from '../../wasm/client';
import type { DenominatorRule, Matrix } from '../../wasm/client/types';
import { createFullTestClient, fullWorker, testBuilds } from './in_process';
import {
  columnsOf,
  entry,
  expectClose,
  failure,
  gaussian,
  matrix,
  rowsOf,
  sideBySide,
} from './support';

/** xWᵀ + b, as torch's Linear. */
const project = (x: Matrix, w: Matrix, b?: Matrix): Matrix =>
  matrix(
    x.rows,
    w.rows,
    Array.from({ length: x.rows * w.rows }, (_, cell) => {
      const [i, o] = [Math.floor(cell / w.rows), cell % w.rows];
      let sum = b?.data[o] ?? 0;
      for (let k = 0; k < x.cols; k++) sum += entry(x, i, k) * entry(w, o, k);
      return sum;
    }),
  );

/** Σ x ∘ y */
const inner = (x: Matrix, y: Matrix): number =>
  x.data.reduce((sum, value, i) => sum + value * (y.data[i] as number), 0);

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

  it('are attentions side by side, and query heads 0 and 1 use key-value head 0', async () => {
    const x = await qkv(5, 7, 10);
    const bias = await gaussian(client, 5, 7, 14);
    const mask = { kind: 'causalBottomRight' } as const;
    const options = { mask, bias, scale: 0.7 };
    const made = await client.groupedQueryAttention({ ...x, ...options });
    expect(made.weights).toHaveLength(4);
    for (let h = 0; h < 4; h++) {
      const g = Math.floor(h / 2);
      const one = await client.attention({
        q: columnsOf(x.q, 3 * h, 3 * h + 3),
        k: columnsOf(x.k, 3 * g, 3 * g + 3),
        v: columnsOf(x.v, 5 * g, 5 * g + 5),
        ...options,
      });
      expectClose(columnsOf(made.output, 5 * h, 5 * h + 5), one.output);
      expectClose(made.weights[h] as Matrix, one.weights);
      expectClose(rowsOf(made.logSumExp, h, h + 1), matrix(1, 5, one.logSumExp.data));
    }
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
        let sum = 0;
        for (let j = 0; j < m; j++) {
          const at = i + m - n;
          const sees = at - 2 <= j && j <= at + 1 && keepKeys[j];
          if (sees) expect(entry(weights, i, j)).toBeGreaterThan(0);
          else expect(entry(weights, i, j)).toBe(0);
          sum += entry(weights, i, j);
        }
        expect(sum).toBeCloseTo(1, 5);
      }
    }
  });

  it('that are pruned have no weights and no output, and need no parameters', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 6, 7, 40);
    const keepHeads = [true, false, true, true];
    const whole = await client.multiHeadAttention({ x, weights });
    const pruned = await client.multiHeadAttention({ x, weights, keepHeads });
    expect(pruned.heads.weights[1]?.data.every((weight) => weight === 0)).toBe(true);
    expect([...rowsOf(pruned.heads.logSumExp, 1, 2).data]).toEqual(Array(6).fill(-Infinity));
    expectClose(pruned.heads.weights[2] as Matrix, whole.heads.weights[2] as Matrix, 0);
    const blank = weights.wo.data.map((value, cell) => {
      const head = Math.floor((cell % 20) / 5);
      return head === 1 ? 0 : value;
    });
    expectClose(pruned.output, project(whole.heads.output, matrix(8, 20, blank), weights.bo));

    const all = await client.countParameters({ weights });
    expect(all).toEqual({
      query: 12 * (7 + 1),
      key: 6 * (7 + 1),
      value: 10 * (7 + 1),
      output: 8 * 20 + 8,
      total: 12 * 8 + 6 * 8 + 10 * 8 + 8 * 21,
    });
    const rest = await client.countParameters({ weights, keepHeads });
    expect(rest).toMatchObject({ query: 9 * 8, key: 6 * 8, value: 10 * 8, output: 8 * 15 + 8 });
    const half = await client.countParameters({ weights, keepHeads: [true, true, false, false] });
    expect(half).toMatchObject({ key: 3 * 8, value: 5 * 8 });
  });

  it('in a layer use packed or separate projections, of one source or of three', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 6, 7, 50);
    const mask = { kind: 'causal' } as const;
    const self = await client.multiHeadAttention({ x, weights, mask });
    const { heads, kvHeads, wq, wk, wv, wo, bq, bk, bv, bo } = weights as Required<Separate>;
    const byHand = await client.groupedQueryAttention({
      q: project(x, wq, bq),
      k: project(x, wk, bk),
      v: project(x, wv, bv),
      heads,
      kvHeads,
      mask,
    });
    expectClose(self.heads.output, byHand.output, 1e-4);
    expectClose(self.output, project(byHand.output, wo, bo), 1e-4);

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

  it('drop weights head by head, the same ones for the same seed', async () => {
    const x = await qkv(5, 6, 60);
    const plain = await client.groupedQueryAttention(x);
    const keep = matrix(4 * 5, 6, Array(120).fill(1));
    const doubled = await client.groupedQueryAttention({
      ...x,
      dropout: { probability: 0.5, keep },
    });
    expectClose(doubled.output, moved(plain.output, plain.output, 1));
    expectClose(doubled.weights[3] as Matrix, plain.weights[3] as Matrix, 0);
    const drawn = (seed: number) =>
      client.groupedQueryAttention({ ...x, dropout: { probability: 0.4, seed } });
    const [first, again, other] = [await drawn(1), await drawn(1), await drawn(2)];
    expectClose(first.output, again.output, 0);
    expect(other.output.data).not.toEqual(first.output.data);
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

  // Central differences in float32 err by a rounding of 1e-7 in sums of about 10, over a step of 1e-2.
  const differs = (got: number, want: number): void =>
    expect(Math.abs(got - want)).toBeLessThan(5e-3 * Math.max(1, Math.abs(want)));

  it('have gradients that equal the slopes of their output', async () => {
    const x: GroupedQueryInput = {
      ...(await qkv(5, 6, 70)),
      mask: { kind: 'causalBottomRight' },
      bias: await gaussian(client, 5, 6, 73),
      dropout: { probability: 0.3, seed: 3 },
    };
    const dO = await gaussian(client, 5, 20, 74);
    const made = await client.groupedQueryAttentionBackward({ ...x, dO });
    const step = 1e-2;
    for (const [name, slope] of [
      ['q', made.dQ],
      ['k', made.dK],
      ['v', made.dV],
      ['bias', made.dBias],
    ] as const) {
      const at = x[name] as Matrix;
      const along = await gaussian(client, at.rows, at.cols, 75);
      const value = async (by: number) => {
        const there = { ...x, [name]: moved(at, along, by) };
        return inner((await client.groupedQueryAttention(there)).output, dO);
      };
      const wanted = ((await value(step)) - (await value(-step))) / (2 * step);
      differs(inner(slope as Matrix, along), wanted);
    }
    const { bias, ...rest } = x;
    expect(await client.groupedQueryAttentionBackward({ ...rest, dO })).not.toHaveProperty('dBias');
  });

  it('in a layer have the right gradients for its sources and every weight', async () => {
    const weights = await layer(client);
    const [x, y] = [await gaussian(client, 5, 7, 80), await gaussian(client, 6, 7, 81)];
    const dOutput = await gaussian(client, 5, 8, 82);
    const input: MultiHeadInput = { x, yk: y, yv: y, weights };
    const made = await client.multiHeadAttentionBackward({ ...input, dOutput });
    const value = async (changed: object) =>
      inner((await client.multiHeadAttention({ ...input, ...changed })).output, dOutput);
    // The step is small enough for the softmax of these large scores to be nearly straight over it.
    const step = 2e-3;
    const check = async (slope: Matrix | undefined, at: Matrix, put: (there: Matrix) => object) => {
      expect(slope?.data).toHaveLength(at.data.length);
      const along = await gaussian(client, at.rows, at.cols, 83);
      const size = Math.sqrt(inner(along, along));
      const unit = moved(along, along, 1 / size - 1);
      const wanted =
        ((await value(put(moved(at, unit, step)))) - (await value(put(moved(at, unit, -step))))) /
        (2 * step);
      expect(Math.abs(inner(slope as Matrix, unit) - wanted)).toBeLessThan(
        2e-2 * Math.max(1, Math.abs(wanted)),
      );
    };
    await check(made.dX, x, (there) => ({ x: there }));
    await check(made.dYk, y, (there) => ({ yk: there }));
    await check(made.dYv, y, (there) => ({ yv: there }));
    for (const name of ['wq', 'wk', 'wv', 'wo', 'bq', 'bk', 'bv', 'bo'] as const) {
      await check(made.dWeights[name], weights[name] as Matrix, (there) => ({
        weights: { ...weights, [name]: there },
      }));
    }

    const self = await client.multiHeadAttentionBackward({ x, weights, dOutput });
    expect(self).not.toHaveProperty('dYk');
    const three = await client.multiHeadAttentionBackward({ x, yk: x, yv: x, weights, dOutput });
    const sum = moved(moved(three.dX, three.dYk as Matrix, 1), three.dYv as Matrix, 1);
    expectClose(self.dX, sum, 1e-4);
    const { bo, ...without } = weights;
    const bare = await client.multiHeadAttentionBackward({ x, weights: without, dOutput });
    expect(bare.dWeights).not.toHaveProperty('bo');
    expect(
      await failure(client.multiHeadAttentionBackward({ x, weights, dOutput: x })),
    ).toMatchObject({ code: 'shape', argument: 'dOutput' });
  });

  it('with linear attention in them are linear attentions side by side', async () => {
    const weights = await layer(client);
    const x = await gaussian(client, 6, 7, 90);
    const { wq, wk, wv, wo, bq, bk, bv, bo } = weights;
    const [q, k, v] = [project(x, wq, bq), project(x, wk, bk), project(x, wv, bv)];
    for (const denominator of ['add', 'clamp', 'addToKeySum'] as const) {
      const how = {
        featureMap: { id: 'elu_plus_one' },
        causal: true,
        epsilon: 0.5,
        denominator,
        chunk: 2,
      };
      const made = await client.multiHeadLinearAttention({ x, weights, ...how });
      const parts: Matrix[] = [];
      for (let h = 0; h < 4; h++) {
        const g = Math.floor(h / 2);
        const one = await client.linearAttention({
          q: columnsOf(q, 3 * h, 3 * h + 3),
          k: columnsOf(k, 3 * g, 3 * g + 3),
          v: columnsOf(v, 5 * g, 5 * g + 5),
          ...how,
        });
        parts.push(one.output);
        expectClose(made.states[g]?.s as Matrix, one.state.s, 1e-4);
        expectClose(made.states[g]?.z as Matrix, one.state.z, 1e-4);
      }
      expect(made.states).toHaveLength(2);
      expectClose(made.heads, sideBySide(parts), 1e-4);
      expectClose(made.output, project(sideBySide(parts), wo, bo), 1e-4);
    }
    const state = { s: matrix(3, 5, Array(15).fill(0)), z: matrix(1, 3, [0, 0, 0]) };
    const wrong = { x, weights, featureMap: { id: 'relu' }, state };
    expect(await failure(client.multiHeadLinearAttention(wrong))).toMatchObject({
      code: 'value',
      argument: 'state',
    });
  });

  it('follow each rule of the denominator, forward and backward', async () => {
    const { q, k, v } = await client.gaussianQkv({ n: 5, dK: 3, dV: 2, seed: 100 });
    const featureMap = { id: 'elu_plus_one' };
    const [phi, psi] = [
      await client.applyFeatureMap({ x: q, featureMap, role: 'query' }),
      await client.applyFeatureMap({ x: k, featureMap, role: 'key' }),
    ];
    const scores = project(phi, psi);
    const sums = Array.from({ length: 5 }, (_, i) =>
      rowsOf(scores, i, i + 1).data.reduce((sum, value) => sum + value, 0),
    );
    // Some rows are clamped and others are not.
    const epsilon = [...sums].sort((a, b) => a - b)[2] as number;
    const rules: Record<DenominatorRule, (sum: number, ones: number) => number> = {
      add: (sum) => sum + epsilon,
      clamp: (sum) => Math.max(sum, epsilon),
      addToKeySum: (sum, ones) => sum + epsilon * ones,
    };
    for (const [denominator, rule] of Object.entries(rules) as [
      DenominatorRule,
      typeof rules.add,
    ][]) {
      const want = Array.from({ length: 10 }, (_, cell) => {
        const [i, c] = [Math.floor(cell / 2), cell % 2];
        const row = [...rowsOf(scores, i, i + 1).data];
        const ones = [...rowsOf(phi, i, i + 1).data].reduce((sum, value) => sum + value, 0);
        const over = row.reduce((total, value, j) => total + value * entry(v, j, c), 0);
        return over / rule(sums[i] as number, ones);
      });
      const options = { q, k, v, featureMap, epsilon, denominator };
      const { output } = await client.linearAttention(options);
      expectClose(output, matrix(5, 2, want));
      // The output is linear in V, whatever the denominator is.
      const made = await client.linearAttentionBackward({ ...options, dO: v });
      expect(inner(made.v, v)).toBeCloseTo(inner(output, v), 4);
    }
    const add = await client.linearAttention({ q, k, v, featureMap, epsilon });
    const said = await client.linearAttention({ q, k, v, featureMap, epsilon, denominator: 'add' });
    expectClose(add.output, said.output, 0);
    const denominator = 'plus' as never;
    expect(
      await failure(client.linearAttention({ q, k, v, featureMap, denominator })),
    ).toMatchObject({
      code: 'value',
      argument: 'denominator',
      seen: { text: '"plus"' },
      wanted: { text: 'add, clamp or addToKeySum' },
    });
  });

  it('have an implicit attention that follows the rule and the padding of linear attention', async () => {
    const [n, m, valid] = [4, 6, 5];
    const { q } = await client.gaussianQkv({ n, dK: 3, dV: 2, seed: 120 });
    const { k, v } = await client.gaussianQkv({ n: m, dK: 3, dV: 2, seed: 121 });
    const featureMap = { id: 'elu_plus_one' };
    const transposed = matrix(2, m, [...columnsOf(v, 0, 1).data, ...columnsOf(v, 1, 2).data]);
    for (const denominator of ['add', 'clamp', 'addToKeySum'] as const) {
      const options = { featureMap, epsilon: 12, denominator };
      const mask = { kind: 'full', validKeys: valid } as const;
      const weights = await client.computeImplicitAttention({ q, k, mask, ...options });
      const linear = await client.linearAttention({ q, k, v, validKeys: valid, ...options });
      expectClose(project(weights, transposed), linear.output);
      const whole = await client.compareToSoftmax({ q, k, v, mask, ...options });
      expectClose(whole.implicit, weights);
      expect(whole.keptCells).toBe(n * valid);
      const cell = await client.explainCell({ q, k, mask, ...options, query: 2, key: 1 });
      expect(cell.implicitWeight).toBeCloseTo(entry(weights, 2, 1), 5);
      expect(cell.visibleKeys).toBe(valid);
    }
    const mask = { kind: 'causal', validKeys: 7 } as const;
    expect(await failure(client.attention({ q, k, v, mask }))).toMatchObject({
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

  it('may draw their random features beforehand', async () => {
    const rows = await client.randomProjection({ m: 7, d: 4, orthogonal: true, seed: 5 });
    for (const [i, j] of [
      [0, 1],
      [1, 3],
      [4, 6],
    ] as const) {
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += entry(rows, i, c) * entry(rows, j, c);
      expect(Math.abs(dot)).toBeLessThan(1e-5);
    }
    const again = await client.randomProjection({ m: 7, d: 4, orthogonal: true, seed: 5 });
    expectClose(again, rows, 0);
    const free = await client.randomProjection({ m: 7, d: 4, seed: 5 });
    expect(free.data).not.toEqual(rows.data);
    const fixed = await client.randomProjection({ m: 7, d: 4, seed: 5, norms: 'fixed' });
    for (let i = 0; i < 7; i++) {
      const row = rowsOf(fixed, i, i + 1);
      expect(inner(row, row)).toBeCloseTo(4, 5);
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
