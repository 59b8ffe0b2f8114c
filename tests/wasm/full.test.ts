import { afterAll, describe, expect, it } from 'vitest';
import type { Client, PatternChoice, Stack } from '../../wasm/client';
import type { MaskChoice, Matrix, Qkv } from '../../wasm/client/types';
import { createFullTestClient, testBuilds } from './in_process';
import { entry, expectClose, failure, gaussian, matrix } from './support';

const table = (rows: number, cols: number, at: (i: number, j: number) => number): Matrix =>
  matrix(
    rows,
    cols,
    Array.from({ length: rows * cols }, (_, cell) => at(Math.floor(cell / cols), cell % cols)),
  );
const product = (a: Matrix, b: Matrix): Matrix =>
  table(a.rows, b.cols, (i, j) => {
    let sum = 0;
    for (let k = 0; k < a.cols; k++) sum += entry(a, i, k) * entry(b, k, j);
    return sum;
  });
const transposed = (x: Matrix): Matrix => table(x.cols, x.rows, (i, j) => entry(x, j, i));
const times = (a: Matrix, b: Matrix): Matrix =>
  table(a.rows, a.cols, (i, j) => entry(a, i, j) * entry(b, i, j));
const total = (data: Iterable<number>): number => [...data].reduce((sum, value) => sum + value, 0);
const rowSums = (x: Matrix): number[] =>
  Array.from({ length: x.rows }, (_, i) => total(x.data.subarray(i * x.cols, (i + 1) * x.cols)));
const zeros = (rows: number, cols: number): Matrix => table(rows, cols, () => 0);
const keepMatrix = (keep: Matrix): MaskChoice => ({ kind: 'matrix', keep });

/** Unrelated queries n×d_k, keys m×d_k and values m×d_v. */
async function crossQkv(client: Client, n: number, m: number, dK = 4, dV = 3): Promise<Qkv> {
  const [q, k, v] = await Promise.all([
    gaussian(client, n, dK, 1),
    gaussian(client, m, dK, 2),
    gaussian(client, m, dV, 3),
  ]);
  return { q, k, v } as Qkv;
}

describe.each(testBuilds)('the %s build of the full module', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  describe('one row of softmax', () => {
    it('refuses a matrix that is not one row, and weights that are not a distribution', async () => {
      const square = matrix(2, 2, [1, 2, 3, 4]);
      expect(await failure(client.softmax({ x: square }))).toMatchObject({
        code: 'shape',
        argument: 'x',
        seen: { text: '2×2' },
        wanted: { text: 'one row or one column' },
      });
      expect(await failure(client.softmax({ x: matrix(1, 0, []) }))).toMatchObject({
        code: 'shape',
        argument: 'x',
        seen: { text: 'empty' },
      });
      const nan = matrix(1, 2, [1, Number.NaN]);
      expect(await failure(client.softmax({ x: nan }))).toMatchObject({
        code: 'value',
        argument: 'x',
      });
      const half = matrix(1, 2, [0.25, 0.25]);
      for (const call of [client.softmaxJacobian, client.softmaxJacobianNorm, client.entropy]) {
        expect(await failure(call({ p: half }))).toMatchObject({ code: 'value', argument: 'p' });
      }
    });
  });

  describe('dropout and gradients', () => {
    it('takes probability, seed and stream of the dropout, and drops nothing without one', async () => {
      const dropout = { probability: 0.3, seed: 7 };
      const ask = (how: object) =>
        client.dropoutKeep({ n: 60, m: 50, dropout: { ...dropout, ...how } });
      const keep = await ask({});
      expect(await ask({})).toEqual(keep);
      for (const other of [{ seed: 8 }, { stream: 1 }, { probability: 0.9 }]) {
        expect(await ask(other)).not.toEqual(keep);
      }
      expect(total((await client.dropoutKeep({ n: 2, m: 3 })).data)).toBe(6);
      const qkv = await crossQkv(client, 6, 9);
      expect(await client.attentionWithDropout(qkv)).toEqual(await client.attention(qkv));
    });

    it('names the wrong part of the dropout, of the forward pass or of dO', async () => {
      const qkv = await crossQkv(client, 2, 3);
      const dO = zeros(2, 3);
      const refuse = (wrong: object) =>
        failure(client.attentionBackward({ ...qkv, dO, ...wrong } as never));
      expect(await refuse({ dropout: { probability: 1 } })).toMatchObject({
        code: 'value',
        argument: 'dropout.probability',
        seen: { text: '1' },
      });
      expect(await refuse({ dropout: {} })).toMatchObject({
        code: 'value',
        argument: 'dropout.probability',
        seen: { text: 'undefined' },
        wanted: { text: 'a number' },
      });
      expect(await refuse({ dropout: { probability: 0.5, keep: zeros(3, 2) } })).toMatchObject({
        code: 'shape',
        argument: 'dropout.keep',
        seen: { text: '3×2' },
      });
      expect(await refuse({ dO: zeros(3, 3) })).toMatchObject({ code: 'shape', argument: 'dO' });
      expect(await refuse({ forward: 'again' })).toMatchObject({
        code: 'value',
        argument: 'forward',
      });
      expect(await failure(client.dropoutKeep({ n: -1, m: 2 }))).toMatchObject({
        code: 'value',
        argument: 'n',
      });
    });
  });

  describe('batches of heads', () => {
    const [batch, heads, n, m, dK, dV] = [2, 3, 4, 5, 3, 2];
    const stack = async (rows: number, cols: number, seed: number): Promise<Stack> => {
      const { data } = await gaussian(client, batch * heads * rows, cols, seed);
      return { batch, heads, rows, cols, data };
    };
    const stacks = async () => ({
      q: await stack(n, dK, 1),
      k: await stack(m, dK, 2),
      v: await stack(m, dV, 3),
    });
    /** Returns the matrix of head h in batch entry b. */
    const cut = ({ rows, cols, data, ...x }: Stack, b: number, h: number): Matrix => {
      const from = (b * x.heads + h) * rows * cols;
      return matrix(rows, cols, data.subarray(from, from + rows * cols));
    };

    it('keep the order of entries and heads, with a mask for each entry', async () => {
      const given = await stacks();
      const bias = await gaussian(client, n, m, 5);
      const batchMasks: readonly MaskChoice[] = [{ kind: 'causal' }, { kind: 'full' }];
      const made = await client.batchedAttention({ ...given, bias, batchMasks });
      for (let b = 0; b < batch; b++) {
        for (let h = 0; h < heads; h++) {
          const [q, k, v] = [cut(given.q, b, h), cut(given.k, b, h), cut(given.v, b, h)];
          const one = { q, k, v, bias, mask: batchMasks[b] as MaskChoice };
          const alone = await client.attention(one);
          expectClose(cut(made.output, b, h), alone.output);
          expectClose(cut(made.weights as Stack, b, h), alone.weights);
          expectClose(cut(made.logSumExp, b, h), alone.logSumExp);
        }
      }
      const lean = await client.batchedAttention({ ...given, weights: false });
      expect(lean).not.toHaveProperty('weights');
      const dO = await stack(n, dV, 4);
      const biased = await client.batchedAttentionBackward({ ...given, bias, dO });
      expect([biased.dBias?.rows, biased.dBias?.cols]).toEqual([n, m]);
      const unbiased = await client.batchedAttentionBackward({ ...given, dO });
      expect(unbiased).not.toHaveProperty('dBias');
    });

    it('refuse stacks and masks that do not fit', async () => {
      const given = await stacks();
      const refuse = (wrong: object) =>
        failure(client.batchedAttention({ ...given, ...wrong } as never));
      const { data } = given.k;
      expect(await refuse({ k: { ...given.k, heads: 1, batch: 6 } })).toMatchObject({
        code: 'shape',
        argument: 'k',
        seen: { text: '6×1×5×3' },
      });
      expect(await refuse({ k: { ...given.k, rows: 6 } })).toMatchObject({
        code: 'shape',
        argument: 'k',
        seen: { text: '2×3×6×3 with 90 numbers' },
      });
      expect(await refuse({ k: { rows: 30, cols: 3, data } })).toMatchObject({
        code: 'shape',
        argument: 'k',
        seen: { text: 'batch not a whole number' },
        wanted: { text: 'a stack {batch, heads, rows, cols, data}' },
      });
      const empty = { batch: 0, heads: 3, rows: 4, cols: 3, data: new Float32Array(0) };
      expect(await refuse({ q: empty, k: empty, v: empty })).toMatchObject({
        code: 'shape',
        argument: 'q',
      });
      expect(await refuse({ batchMasks: [{ kind: 'causal' }] })).toMatchObject({
        code: 'shape',
        argument: 'batchMasks',
      });
      expect(await refuse({ batchMasks: 'causal' })).toMatchObject({
        code: 'value',
        argument: 'batchMasks',
        seen: { text: 'string' },
      });
    });
  });

  describe('the usual mistakes', () => {
    it('are listed, each can be asked for by its id, and NaN comes back as NaN', async () => {
      const variants = await client.attentionVariants();
      const qkv = await crossQkv(client, 5, 5);
      for (const { id, label, breaks, foundIn } of variants) {
        for (const text of [id, label, breaks, foundIn]) expect(text).toMatch(/./);
        const { output } = await client.attentionVariant({ ...qkv, variant: id });
        expect([output.rows, output.cols]).toEqual([5, 3]);
      }
      const large = { ...qkv, scale: 1e3 };
      const overflow = await client.attentionVariant({ ...large, variant: 'naive_exp' });
      expect(overflow.weights.data.some(Number.isNaN)).toBe(true);
    });

    it('are named by an id', async () => {
      const qkv = await crossQkv(client, 2, 2);
      const unknown = await failure(client.attentionVariant({ ...qkv, variant: 'naive' }));
      expect(unknown).toMatchObject({ code: 'value', argument: 'variant' });
      expect(unknown.wanted?.text).toContain('naive_exp');
      expect(await failure(client.attentionVariant(qkv as never))).toMatchObject({
        code: 'value',
        argument: 'variant',
        seen: { text: 'undefined' },
        wanted: { text: 'a string' },
      });
    });
  });

  describe('flash attention', () => {
    it('returns the trace and the gradient of the bias only when they are asked for', async () => {
      const qkv = await crossQkv(client, 13, 17);
      const dO = await gaussian(client, 13, 3, 4);
      const tiled = { ...qkv, queryTile: 2147483647, keyTile: 3 };
      const forward = await client.flashAttention(tiled);
      expect(forward).not.toHaveProperty('trace');
      expect([forward.queryTiles, forward.keyTiles]).toEqual([1, 6]);
      const { trace } = await client.flashAttention({ ...tiled, trace: true });
      expect([trace?.runningMax.rows, trace?.runningSum.cols]).toEqual([6, 13]);
      const back = await client.flashAttentionBackward({ ...tiled, dO, forward, dBias: true });
      expect([back.dBias?.rows, back.dBias?.cols]).toEqual([13, 17]);
      const lean = await client.flashAttentionBackward({ ...tiled, dO, forward });
      expect(lean).not.toHaveProperty('dBias');
    });

    it('refuses tiles of size 0 and a forward pass that does not belong to the inputs', async () => {
      const qkv = await crossQkv(client, 3, 4);
      expect(await failure(client.flashAttention({ ...qkv, queryTile: 0 }))).toMatchObject({
        code: 'value',
        argument: 'queryTile',
        seen: { text: '0' },
        wanted: { text: 'at least 1' },
      });
      expect(await failure(client.flashAttention({ ...qkv, keyTile: 1.5 }))).toMatchObject({
        code: 'value',
        argument: 'keyTile',
      });
      const dO = zeros(3, 3);
      expect(await failure(client.flashAttentionBackward({ ...qkv, dO } as never))).toMatchObject({
        code: 'value',
        argument: 'forward',
        seen: { text: 'undefined' },
      });
      const forward = { output: zeros(3, 3), logSumExp: zeros(2, 1) };
      expect(await failure(client.flashAttentionBackward({ ...qkv, dO, forward }))).toMatchObject({
        code: 'shape',
        argument: 'forward.logSumExp',
      });
    });
  });

  describe('patterns', () => {
    const [n, m] = [6, 9];

    it('are listed with everything that the page shows, and each can be made from its defaults', async () => {
      const patterns = await client.patterns();
      const scores = await gaussian(client, 16, 16, 1);
      for (const { id, fromCells } of patterns) {
        const pattern: PatternChoice = fromCells ? { id, cells: scores } : { id };
        const made = await client.makePattern({ n: 16, m: 16, pattern });
        const picture = await client.patternMatrix({ n: 16, m: 16, pattern });
        expect(total(picture.data)).toBe(made.nnz);
        expect(made.density).toBe(made.nnz / 256);
        expect(made.columns).toHaveLength(made.nnz);
        expect(made.rowStart).toHaveLength(17);
        const lengths = rowSums(picture);
        expect(made.longestRow).toBe(Math.max(...lengths));
        lengths.forEach((length, i) => {
          const [from, to] = made.rowStart.subarray(i, i + 2) as Iterable<number>;
          const keys = made.columns.subarray(from, to);
          expect(keys).toHaveLength(length);
          for (const key of keys) expect(entry(picture, i, key)).toBe(1);
        });
        const future = table(16, 16, (i, j) => (j > i ? entry(picture, i, j) : 0));
        expect(made.causal).toBe(total(future.data) === 0);
      }
    });

    it('are named with their parameters and drawn from a seed', async () => {
      const random = (seed: number) =>
        client.makePattern({ n: 20, m: 20, pattern: { id: 'random', seed } });
      expect(await random(1)).toEqual(await random(1));
      expect((await random(1)).columns).not.toEqual((await random(2)).columns);
      const window = { id: 'sliding_window', parameters: { left: 1, right: 0 } };
      const made = await client.makePattern({ n, m, pattern: window });
      expect([...made.columns]).toEqual([2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]);
      expect([made.causal, made.causalBottomRight]).toEqual([false, true]);
    });

    it('can be made from masks, nearest keys, blocks, padding and lists', async () => {
      const { q, k } = await crossQkv(client, n, m);
      const picture = (pattern: PatternChoice) => client.patternMatrix({ q, k, pattern });
      const causal: MaskChoice = { kind: 'causal' };
      const triangle = table(n, m, (i, j) => (j <= i ? 1 : 0));
      expectClose(await picture({ kind: 'mask', mask: causal }), triangle, 0);
      expectClose(await picture({ id: 'matrix', cells: triangle }), triangle, 0);

      const scores = product(q, transposed(k));
      const best = await picture({ kind: 'nearestKeys', k: 1, mask: causal });
      expect(rowSums(best)).toEqual(Array(n).fill(1));
      expectClose(times(best, triangle), best, 0);
      const near = await picture({ kind: 'nearestKeys', k: 2, nearness: 'euclidean' });
      expect(rowSums(near)).toEqual(Array(n).fill(2));
      expectClose(
        await picture({ id: 'top_k', cells: scores, parameters: { k: 3 } }),
        await picture({ kind: 'nearestKeys', k: 3 }),
        0,
      );

      const keep = matrix(1, m, [1, 1, 0, 1, 1, 1, 0, 0, 1]);
      const padded = table(n, m, (_, j) => entry(keep, 0, j));
      expectClose(await picture({ kind: 'padding', keep }), padded, 0);

      const rowStart = Int32Array.of(0, 2, 2, 3, 3, 3, 4);
      const columns = Int32Array.of(8, 0, 4, 5);
      const made = await client.makePattern({
        n,
        m,
        pattern: { kind: 'lists', rowStart, columns },
      });
      expect([...made.columns]).toEqual([0, 8, 4, 5]);
      expect(made.rowStart).toEqual(rowStart);
      const values = matrix(1, 4, [1, 2, 3, 4]);
      const spread = await client.patternMatrix({
        n,
        m,
        pattern: { kind: 'lists', ...made },
        values,
      });
      const wanted = (i: number, j: number) =>
        [1, 2, 3, 4][['0 0', '0 8', '2 4', '5 5'].indexOf(`${i} ${j}`)] ?? 0;
      expectClose(spread, table(n, m, wanted), 0);

      const randomBlocks = [[3], [0], [1], []];
      const bird: PatternChoice = { kind: 'bigBird', block: 2, randomBlocks };
      const blocks = await client.patternMatrix({ n: 12, m: 12, pattern: bird });
      expect([entry(blocks, 2, 6), entry(blocks, 3, 7), entry(blocks, 2, 8)]).toEqual([1, 1, 0]);
    });

    it('can be united and intersected', async () => {
      const site = { n: 7, m: 7 };
      const local: PatternChoice = { id: 'local', parameters: { context: 3 } };
      const strided: PatternChoice = { id: 'strided', parameters: { stride: 3 } };
      const [a, b] = [
        await client.patternMatrix({ ...site, pattern: local }),
        await client.patternMatrix({ ...site, pattern: strided }),
      ];
      const of = [local, strided];
      const both = { ...site, pattern: { kind: 'intersection', of } } as const;
      expectClose(await client.patternMatrix(both), times(a, b), 0);
      const either = { ...site, pattern: { kind: 'union', of } } as const;
      const known = { id: 'sparse_transformer', parameters: { context: 3 } };
      expect(await client.makePattern(either)).toEqual(
        await client.makePattern({ ...site, pattern: known }),
      );
      const nested: PatternChoice = { kind: 'union', of: [{ kind: 'intersection', of }, local] };
      expectClose(await client.patternMatrix({ ...site, pattern: nested }), a, 0);
    });

    it('refuse a wrong choice with its name', async () => {
      const refuse = (pattern: unknown, site: object = { n, m }) =>
        failure(client.makePattern({ ...site, pattern } as never));
      const unknown = await refuse({ id: 'slidingWindow' });
      expect(unknown).toMatchObject({ code: 'value', argument: 'pattern' });
      expect(unknown.wanted?.text).toContain('sliding_window');
      expect(await refuse({ id: 'sliding_window', parameters: { left: -2 } })).toMatchObject({
        code: 'value',
        argument: 'left',
        seen: { text: '-2' },
      });
      expect(await refuse({ id: 'sliding_window', parameters: { w: 2 } })).toMatchObject({
        code: 'value',
        argument: 'w',
      });
      expect(await refuse({ id: 'longformer' })).toMatchObject({
        code: 'shape',
        argument: 'pattern',
        seen: { text: '6×9' },
      });
      expect(await refuse({ id: 'matrix' })).toMatchObject({ code: 'shape', argument: 'cells' });
      expect(await refuse({ id: 'full', cells: zeros(n, m) })).toMatchObject({
        code: 'shape',
        argument: 'cells',
      });
      expect(await refuse({ id: 'random', seed: -1 })).toMatchObject({
        code: 'value',
        argument: 'seed',
      });
      expect(await refuse({ kind: 'causal' })).toMatchObject({
        code: 'value',
        argument: 'pattern',
        seen: { text: '"causal"' },
      });
      for (const none of [undefined, null, 'full', 3]) {
        expect(await refuse(none)).toMatchObject({
          code: 'value',
          argument: 'pattern',
          wanted: { text: 'an object with an id or a kind' },
        });
      }
      expect(await refuse({ kind: 'nearestKeys', k: 2 })).toMatchObject({
        code: 'shape',
        argument: 'q',
      });
      const { q, k } = await crossQkv(client, n, m);
      expect(await refuse({ kind: 'nearestKeys', k: 0 }, { q, k })).toMatchObject({
        code: 'value',
        argument: 'k',
        seen: { text: '0' },
      });
      const nearness = 'cosine';
      expect(await refuse({ kind: 'nearestKeys', k: 1, nearness }, { q, k })).toMatchObject({
        code: 'value',
        argument: 'nearness',
        seen: { text: '"cosine"' },
        wanted: { text: 'dot or euclidean' },
      });
      expect(await refuse({ kind: 'bigBird', block: 2 })).toMatchObject({
        code: 'value',
        argument: 'randomBlocks',
      });
      const square = { n: 6, m: 6 };
      const randomBlocks = [['0']];
      expect(
        await refuse({ kind: 'bigBird', block: 2, randomBlocks: [[9]] }, square),
      ).toMatchObject({ code: 'value', argument: 'randomBlocks', seen: { text: 'block 9' } });
      expect(await refuse({ kind: 'bigBird', block: 2, randomBlocks }, square)).toMatchObject({
        code: 'value',
        argument: 'randomBlocks',
        seen: { text: 'string' },
      });
      expect(await refuse({ kind: 'padding', keep: zeros(1, 8) })).toMatchObject({
        code: 'shape',
        argument: 'pattern',
        seen: { text: '6×8' },
      });
      const lists = { kind: 'lists', rowStart: [0, 1, 1, 1, 1, 1, 1], columns: [9] };
      expect(await refuse(lists)).toMatchObject({
        code: 'value',
        argument: 'columns',
        seen: { text: 'key 9' },
        wanted: { text: 'keys from 0 to 8' },
      });
      expect(
        await refuse({ ...lists, rowStart: [0, 2, 1, 1, 1, 1, 1], columns: [8] }),
      ).toMatchObject({
        code: 'value',
        argument: 'rowStart',
      });
      expect(await refuse({ ...lists, rowStart: [0, 1], columns: [8] })).toMatchObject({
        code: 'shape',
        argument: 'pattern',
        seen: { text: '1×9' },
      });
      for (const of of [undefined, [], {}]) {
        expect(await refuse({ kind: 'union', of })).toMatchObject({
          code: 'value',
          argument: 'pattern',
        });
      }
      const nested = (depth: number): PatternChoice =>
        depth === 0 ? { id: 'full' } : { kind: 'union', of: [nested(depth - 1)] };
      expect((await client.makePattern({ n, m, pattern: nested(8) })).nnz).toBe(n * m);
      expect(await refuse(nested(9))).toMatchObject({ code: 'value', argument: 'pattern' });
      expect(await refuse({ id: 'full' }, { n: 100000, m: 100000 })).toMatchObject({
        code: 'capacity',
        argument: 'pattern',
      });
      expect(await refuse({ id: 'none' }, { n: 2147483647, m: 1 })).toMatchObject({
        code: 'capacity',
        argument: 'n',
      });
      expect(await refuse({ id: 'full' }, { n: 0, m: 3 })).toMatchObject({ code: 'value' });
      expect(await refuse({ id: 'full' }, {})).toMatchObject({ code: 'value', argument: 'n' });
      const values = zeros(3, 1);
      const spread = client.patternMatrix({ n, m, pattern: { id: 'full' }, values });
      expect(await failure(spread)).toMatchObject({
        code: 'shape',
        argument: 'values',
        seen: { text: '3' },
      });
    });
  });

  describe('sparse attention', () => {
    it('comes with the lists of its pattern, and with the gradient of a bias that was given', async () => {
      const [n, m, dV] = [10, 14, 3];
      const qkv = await crossQkv(client, n, m, 4, dV);
      const { q, k } = qkv;
      const dO = await gaussian(client, n, dV, 4);
      const bias = await gaussian(client, n, m, 5);
      const pattern: PatternChoice = {
        kind: 'nearestKeys',
        k: 4,
        mask: { kind: 'causalBottomRight' },
      };
      const made = await client.sparseAttention({ ...qkv, bias, pattern });
      expect(made.pattern).toEqual(await client.makePattern({ q, k, pattern }));
      expect(made.weights.data).toHaveLength(made.pattern.nnz);
      const mask = keepMatrix(await client.patternMatrix({ q, k, pattern }));
      const right = await client.attention({ ...qkv, bias, mask });
      const lists: PatternChoice = { kind: 'lists', ...made.pattern };
      const values = made.weights;
      expectClose(await client.patternMatrix({ n, m, pattern: lists, values }), right.weights);

      // One number a kept cell, in the order of the lists, does what the matrix does.
      const { rowStart, columns } = made.pattern;
      const owner = (at: number) => rowStart.findIndex((from) => from > at) - 1;
      const cells = [...columns].map((j, at) => entry(bias, owner(at), j));
      const cellBias = matrix(1, cells.length, cells);
      const same = await client.sparseAttention({ ...qkv, cellBias, pattern });
      expectClose(same.output, made.output, 1e-6);

      const back = await client.sparseAttentionBackward({ ...qkv, bias, pattern, dO });
      expect(back.dBias?.data).toHaveLength(made.pattern.nnz);
      const plain = await client.sparseAttentionBackward({ ...qkv, pattern, dO });
      expect(plain).not.toHaveProperty('dBias');
    });

    it('names the argument that is wrong', async () => {
      const qkv = await crossQkv(client, 4, 6);
      const refuse = (wrong: object) =>
        failure(client.sparseAttention({ ...qkv, pattern: { id: 'full' }, ...wrong } as never));
      expect(await refuse({ pattern: { id: 'local' } })).toMatchObject({
        code: 'shape',
        argument: 'pattern',
      });
      expect(await refuse({ k: zeros(6, 5) })).toMatchObject({ code: 'shape', argument: 'k' });
      expect(await refuse({ q: zeros(0, 4), pattern: { id: 'full' } })).toMatchObject({
        code: 'value',
        argument: 'n',
      });
      expect(await refuse({ bias: zeros(6, 4) })).toMatchObject({
        code: 'shape',
        argument: 'bias',
      });
      expect(await refuse({ cellBias: zeros(1, 23) })).toMatchObject({
        code: 'shape',
        argument: 'cellBias',
      });
      expect(await refuse({ scale: Number.NaN })).toMatchObject({
        code: 'value',
        argument: 'scale',
      });
    });
  });

  describe('hierarchical attention', () => {
    it('refuses blocks without keys and negative windows', async () => {
      const qkv = await crossQkv(client, 3, 4);
      expect(await failure(client.hierarchicalAttention({ ...qkv, pool: 0 }))).toMatchObject({
        code: 'value',
        argument: 'pool',
        seen: { text: '0' },
        wanted: { text: 'at least 1' },
      });
      const window = -1;
      expect(await failure(client.hierarchicalWeightsReference({ ...qkv, window }))).toMatchObject({
        code: 'value',
        argument: 'window',
      });
      const causal = 1 as never;
      expect(await failure(client.hierarchicalAttention({ ...qkv, causal }))).toMatchObject({
        code: 'value',
        argument: 'causal',
        wanted: { text: 'true or false' },
      });
    });
  });

  describe('numbers with fewer bits', () => {
    it('come with their bits, in the format that is asked for', async () => {
      expect(await client.roundNumber({ x: 1 / 3 })).toEqual({
        value: 0.333251953125,
        bits: 0x3555,
      });
      const brain = { value: 0.333984375, bits: 0x3eab };
      expect(await client.roundNumber({ x: 1 / 3, precision: 'bfloat16' })).toEqual(brain);
      expect(await client.roundNumber({ x: 65520 })).toEqual({ value: Infinity, bits: 0x7c00 });
      const { bits, value } = brain;
      expect(await client.numberFromBits({ bits, precision: 'bfloat16' })).toBe(value);
    });

    it('come as codes with a scale for each row or for the matrix', async () => {
      const x = await gaussian(client, 6, 9, 2);
      for (const [scales, count] of [
        ['row', 6],
        ['matrix', 1],
      ] as const) {
        const made = await client.quantizeInt8({ x, scales });
        expect(made.codes.data).toBeInstanceOf(Int8Array);
        expect([made.codes.rows, made.codes.cols, made.scales.rows]).toEqual([6, 9, count]);
        made.codes.data.forEach((code, cell) => {
          const step = entry(made.scales, count === 1 ? 0 : Math.floor(cell / 9), 0);
          expect(made.dequantized.data[cell]).toBeCloseTo(step * code, 6);
        });
      }
    });

    it('in attention are those of the options, and scores are rounded when that is asked for', async () => {
      const qkv = await crossQkv(client, 8, 12);
      const errors = await Promise.all([
        client.attentionRounded(qkv),
        client.attentionRounded({ ...qkv, precision: 'bfloat16' }),
        client.attentionInt8Kv(qkv),
        client.attentionInt8Kv({ ...qkv, scales: 'matrix' }),
      ]);
      const sizes = errors.map(({ outputError }) => outputError.maxAbsolute);
      expect(new Set(sizes).size).toBe(4);
      const large = { ...qkv, scale: 1e6 };
      const rounded = await client.attentionRounded({ ...large, roundScores: true });
      expect(rounded.nonFinite).not.toBe(0);
      expect((await client.attentionRounded(large)).nonFinite).toBe(0);
    });

    it('are refused in unknown formats and for empty matrices', async () => {
      const precision = 'float8' as never;
      expect(await failure(client.roundNumber({ x: 1, precision }))).toMatchObject({
        code: 'value',
        argument: 'precision',
        seen: { text: '"float8"' },
        wanted: { text: 'float16 or bfloat16' },
      });
      expect(await failure(client.numberFromBits({ bits: 65536 }))).toMatchObject({
        code: 'value',
        argument: 'bits',
        seen: { text: '65536' },
        wanted: { text: '0 to 65535' },
      });
      const nan = matrix(1, 1, [Number.NaN]);
      expect(await failure(client.quantizeInt8({ x: nan }))).toMatchObject({
        code: 'value',
        argument: 'x',
      });
      const scales = 7 as never;
      expect(await failure(client.quantizeInt8({ x: zeros(1, 1), scales }))).toMatchObject({
        code: 'value',
        argument: 'scales',
        seen: { text: 'number' },
        wanted: { text: 'row or matrix' },
      });
      const unequal = { reference: zeros(1, 2), approximate: zeros(2, 1) };
      expect(await failure(client.precisionError(unequal))).toMatchObject({
        code: 'shape',
        argument: 'approximate',
      });
      expect((await client.roundMatrix({ x: zeros(0, 3) })).rows).toBe(0);
    });
  });

  it('never fails with anything but an error of shape, value or capacity', async () => {
    const qkv = await crossQkv(client, 3, 3, 2, 2);
    const stack = (x: Matrix): Stack => ({ batch: 1, heads: 1, ...x });
    const [q, k, v] = [stack(qkv.q), stack(qkv.k), stack(qkv.v)];
    const { weights: p } = await client.softmax({ x: matrix(1, 2, [1, 2]) });
    const forward = await client.attention(qkv);
    const attention = {
      ...qkv,
      mask: { kind: 'causal' },
      scale: 1,
      bias: zeros(3, 3),
      dropout: { probability: 0.5, seed: 1, stream: 1 },
      dO: qkv.v,
      forward,
    };
    const pattern = { kind: 'union', of: [{ id: 'full' }] };
    const all = client;
    type Name = keyof typeof all;
    const inputs: Partial<Record<Name, object>> = {
      softmax: { x: p },
      softmaxJacobian: { p },
      softmaxJacobianNorm: { p },
      entropy: { p },
      dropoutKeep: { n: 2, m: 2, dropout: { probability: 0.5 } },
      attentionWithDropout: attention,
      attentionBackward: attention,
      batchedAttention: { ...attention, q, k, v, batchMasks: [{ kind: 'full' }], weights: true },
      batchedAttentionBackward: { ...attention, q, k, v, dO: v },
      attentionVariant: { ...attention, variant: 'naive_exp' },
      additiveMaskBackward: attention,
      flashAttention: { ...attention, queryTile: 2, keyTile: 2, trace: true },
      flashAttentionBackward: { ...attention, queryTile: 2, keyTile: 2, dBias: true },
      makePattern: { n: 3, m: 3, pattern },
      patternMatrix: { q: qkv.q, k: qkv.k, pattern, values: zeros(9, 1) },
      sparseAttention: { ...attention, pattern, cellBias: zeros(9, 1) },
      sparseAttentionBackward: { ...attention, pattern, cellBias: zeros(9, 1) },
      hierarchicalAttention: { ...attention, pool: 2, window: 1, causal: true },
      hierarchicalAttentionBackward: { ...attention, pool: 2, window: 1, causal: true },
      hierarchicalWeightsReference: { ...qkv, pool: 2, window: 1, causal: true },
      roundNumber: { x: 1, precision: 'float16' },
      numberFromBits: { bits: 1, precision: 'float16' },
      roundMatrix: { x: p, precision: 'float16' },
      quantizeInt8: { x: p, scales: 'row' },
      precisionError: { reference: p, approximate: p },
      attentionRounded: { ...attention, precision: 'bfloat16', roundScores: true },
      attentionInt8Kv: { ...attention, scales: 'matrix' },
      createCausalMask: { n: 3 },
      createReverseMask: { n: 3 },
      compareMasking: qkv,
      singularValues: { x: p },
      numericalRank: { x: p, tolerance: 0.1 },
      quantiles: { values: [1, 2], probabilities: [0.5] },
      gradientQuantiles: { gradient: p, probabilities: [0.5], small: 1 },
      analyzeAttentionPatterns: {
        weights: forward.weights,
        alignment: 'topLeft',
        window: 1,
        sparsityThreshold: 0.1,
        rank: true,
        rankTolerance: 0.1,
        thresholds: { target: 0.4 },
      },
      analyzeFeatureMapQuality: {
        ...qkv,
        featureMap: { id: 'relu' },
        mask: { kind: 'causal' },
        nearZero: 0.1,
        spectrum: true,
      },
      featureMapBackward: { x: qkv.q, dPhi: qkv.q, featureMap: { id: 'relu' }, role: 'key' },
      orderCosts: { n: 4, m: 3, dK: 2, dV: 2, D: 3 },
      associativityTrace: { ...qkv, order: 'linear', step: 5 },
      recurrentTrace: { ...qkv, featureMap: { id: 'relu' }, epsilon: 0.1, denominator: 'clamp' },
      denominators: { q: qkv.q, k: qkv.k, featureMap: { id: 'relu' }, mask: { kind: 'causal' } },
      symmetricEigenvalues: { x: zeros(3, 3) },
      featureMapCurve: {
        featureMap: { id: 'relu' },
        d: 2,
        direction: zeros(1, 2),
        from: -1,
        to: 1,
        points: 3,
        offset: 0,
        length: 1,
        role: 'key',
      },
      kernelCurve: { featureMap: { id: 'relu' }, d: 2, norm: 1, points: 3, draws: 2, seed: 1 },
      randomFeatureErrors: {
        kind: 'hyperbolic',
        orthogonal: true,
        m: [2],
        d: 2,
        n: 3,
        inputScale: 0.5,
        draws: 2,
        seed: 1,
      },
      associativityPrecision: { n: 3, dK: 2, dV: 2, seed: 1, rtol: 1, atol: 1, draws: 2 },
      costOf: { mechanism: 'standard', shape: { n: 4, m: 4, D: 4 }, scalarBytes: 4 },
      linearMultiplyAdds: { n: 2, m: 2, D: 2, dV: 2, normalize: true },
      linearCrossover: { D: 2, dK: 2, dV: 2 },
      bandCells: { n: 4, w: 1 },
      taylorDimension: { d: 4, compact: true },
      stateFloats: { kind: 'linear', dModel: 4, length: 4, heads: 1, D: 4, dV: 4 },
      predictedNanoseconds: { mechanism: 'standard', rates: { multiplyAdd: 1 } },
      crossover: { a: 'standard', b: 'linear', shape: { dK: 4 }, limit: 100 },
      crossoverTime: { a: 'standard', ratesA: { exp: 1 }, b: 'linear', ratesB: { exp: 1 } },
      memoryTable: { heads: 1, batch: 1, window: 1, scalarBytes: 4, copies: 2 },
      modelMemory: {
        ...{ batch: 2, heads: 4, layers: 3, n: 8, d: 4, kvHeads: 2, feedForward: 8 },
        ...{ vocabulary: 5, precision: 'autocast', dropout: false, flash: false },
        checkpointEvery: 2,
      },
      flashIo: { n: 8, d: 4, tileRows: 4, tileCols: 2, causal: true },
      countedFlashIo: { n: 8, d: 4, tileRows: 4, tileCols: 2, causal: true, seed: 1 },
      checkpointPlan: {
        ...{ layers: 4, segment: 2, numbersPerLayer: 3, numbersPerInput: 1 },
        lastSegmentKept: true,
      },
      fitSlope: { x: [1, 2, 3], y: [1, 4, 9], confidence: 0.9, at: [4] },
      measuredCrossing: { x: [1, 2], round: [1, 1], a: [1, 4], b: [2, 2], confidence: 0.9 },
      multiplyAddPeak: { rounds: 3 },
      timeRound: { trials: [{ mechanism: 'fused', n: 4 }], milliseconds: 0.1 },
      copyIn: { x: p },
      copyOut: { rows: 1, cols: 1 },
    };
    const lists: PatternChoice[] = [
      { kind: 'lists', rowStart: Int32Array.of(0, 1, 2, 3), columns: Int32Array.of(0, 1, 2) },
      { kind: 'bigBird', block: 1, randomBlocks: [[0]] },
      { kind: 'padding', keep: zeros(1, 3) },
      { kind: 'nearestKeys', k: 1, nearness: 'dot', mask: { kind: 'full' } },
      { kind: 'mask', mask: { kind: 'causal' } },
      { id: 'random', parameters: { keys: 1 }, seed: 1 },
      { id: 'matrix', cells: zeros(3, 3) },
    ];
    const garbage: unknown[] = [
      undefined,
      null,
      0,
      -1,
      0.5,
      2147483647,
      Number.NaN,
      Infinity,
      10n,
      true,
      '',
      'length',
      [],
      [[[]]],
      {},
      { length: 4 },
      { rows: 1, cols: 1, data: [1] },
      { kind: 'matrix' },
      { kind: 'union', of: [null] },
      new Float32Array(2),
      zeros(0, 0),
      zeros(0, 3),
      zeros(3, 0),
      matrix(3, 3, Array(9).fill(Number.NaN)),
      stack(zeros(0, 2)),
    ];
    let [answers, refusals] = [0, 0];
    const attempt = async (name: Name, input: unknown): Promise<void> => {
      const call = all[name] as (input: unknown) => Promise<unknown>;
      const result = await call(input).catch((error: unknown) => error);
      if (result instanceof Error) {
        refusals++;
        const { code } = await failure(Promise.reject(result));
        if (!/^(shape|value|capacity)$/.test(code)) expect.fail(`${name}: ${code} ${result}`);
      } else {
        answers++;
      }
    };
    for (const [name, input] of Object.entries(inputs) as [Name, object][]) {
      await (all[name] as (input: unknown) => Promise<unknown>)(input);
      for (const wrong of garbage) {
        await attempt(name, wrong);
        for (const key of Object.keys(input)) await attempt(name, { ...input, [key]: wrong });
      }
    }
    for (const choice of lists) {
      await client.sparseAttention({ ...qkv, pattern: choice });
      for (const wrong of garbage) {
        for (const key of Object.keys(choice)) {
          await attempt('sparseAttention', { ...qkv, pattern: { ...choice, [key]: wrong } });
        }
      }
    }
    // Some of these inputs are valid, such as a scale of 0.5.
    // attack.test.ts tries every call that is declared.
    expect(answers).toBeGreaterThan(200);
    expect(refusals).toBeGreaterThan(2000);
  }, 60000);
});
