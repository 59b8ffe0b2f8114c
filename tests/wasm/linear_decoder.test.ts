import { afterAll, describe, expect, it } from 'vitest';
import { createClient, KvCache, LinearDecoder, type LinearDecoderOptions } from '../../wasm/client';
import type { Matrix, Qkv } from '../../wasm/client/types';
import { createFullTestClient, fullWorker, type InProcessWorker, testBuilds } from './in_process';
import { expectClose, failure, matrix, rowsOf } from './support';

const [dK, dV] = [4, 3];
const shape = { dK, dV };

const part = ({ q, k, v }: Qkv, from: number, to: number): Qkv => ({
  q: rowsOf(q, from, to),
  k: rowsOf(k, from, to),
  v: rowsOf(v, from, to),
});

describe.each(testBuilds)('a decoder in the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());
  const tokens = (n: number, seed: number) => client.gaussianQkv({ n, dK, dV, seed });

  it('takes every option of its map and its denominator, and tells its sizes', async () => {
    const n = 7;
    const x = await tokens(n, 1);
    const how = {
      featureMap: { id: 'cosformer' },
      denominator: 'clamp',
      epsilon: 0.25,
      length: 9,
    } as const;
    const want = await client.linearAttention({ ...x, ...how, causal: true });
    const decoder = await LinearDecoder.create(client, { ...shape, ...how });
    expectClose(await decoder.decode(x), want.output, 1e-4);
    const { state, position } = await decoder.snapshot();
    expect([state.s.rows, state.s.cols, state.z.rows, state.z.cols]).toEqual([8, dV, 1, 8]);
    expect(position).toBe(n);
    const bytes = 4 * 8 * (dV + 1);
    expect(await decoder.info()).toEqual({ position: n, featureDimension: 8, bytes });
    const bare = await LinearDecoder.create(client, { ...shape, ...how, normalize: false });
    expect(await bare.decode(x)).not.toEqual(want.output);
    await Promise.all([decoder.dispose(), bare.dispose()]);
  });

  it('reads a prompt, returns to a snapshot, and another decoder starts from that snapshot', async () => {
    const x = await tokens(6, 2);
    const options = { ...shape, featureMap: { id: 'elu_plus_one' } };
    const want = await client.linearAttention({ ...x, ...options, causal: true });
    const decoder = await LinearDecoder.create(client, options);
    expect((await decoder.append(part(x, 0, 4))).position).toBe(4);
    const moment = await decoder.snapshot();
    const tail = rowsOf(want.output, 4, 6);
    expectClose(await decoder.decode(part(x, 4, 6)), tail);
    // A snapshot is a copy, so later tokens are not in it.
    expect(moment.position).toBe(4);
    expect((await decoder.restore(moment)).position).toBe(4);
    expectClose(await decoder.decode(part(x, 4, 6)), tail);
    const other = await LinearDecoder.create(client, { ...options, initial: moment });
    expectClose(await other.decode(part(x, 4, 6)), tail);
    const empty = await other.reset();
    expect(empty.position).toBe(0);
    expect((await other.snapshot()).state.s.data.every((entry) => entry === 0)).toBe(true);
    expectClose(await other.decode(x), want.output);
    await Promise.all([decoder.dispose(), other.dispose()]);
  });

  it('refuses maps that need the whole sequence, and names a way that works', async () => {
    const make = (options: object) =>
      failure(LinearDecoder.create(client, { ...shape, ...options } as LinearDecoderOptions));
    const featureMap = { id: 'elu_plus_one' };
    const ahead = await make({ featureMap: { id: 'cosformer' } });
    expect(ahead).toMatchObject({ code: 'value', argument: 'featureMap' });
    expect(ahead.wanted?.text).toContain('length given');
    const stabilised = { id: 'softmax_kernel', parameters: { stabilize: 1 } };
    expect(await make({ featureMap: stabilised })).toMatchObject({ argument: 'featureMap' });
    expect(await make({ featureMap, dV: 0 })).toMatchObject({
      code: 'value',
      argument: 'dV',
      seen: { text: '0' },
      wanted: { text: 'at least 1' },
    });
    expect(await make({ featureMap, epsilon: -1 })).toMatchObject({ argument: 'epsilon' });
    expect(await make({ featureMap, denominator: 'max' })).toMatchObject({
      argument: 'denominator',
    });
    expect(await make({ featureMap: { id: 'taylor' }, dK: 512, dV: 4096 })).toMatchObject({
      code: 'capacity',
      argument: 'dV',
    });
    const state = { s: matrix(2, dV, Array(6).fill(0)), z: matrix(1, 4, [0, 0, 0, 0]) };
    expect(await make({ featureMap, initial: { state, position: 0 } })).toMatchObject({
      code: 'shape',
      argument: 'state.s',
      seen: { text: '2×3' },
      wanted: { text: '4×3 (D×d_v)' },
    });
  });

  it('is unchanged after an error', async () => {
    const x = await tokens(3, 3);
    const options = { ...shape, featureMap: { id: 'cosformer' }, length: 4 };
    const decoder = await LinearDecoder.create(client, options);
    await decoder.append(x);
    const before = await decoder.snapshot();
    expect((await failure(decoder.decode(x))).code).toBe('value');
    expect(await failure(decoder.append({ k: x.v, v: x.v }))).toMatchObject({
      code: 'shape',
      argument: 'k',
      seen: { text: '3×3' },
      wanted: { text: '3×4 (d_k columns)' },
    });
    const nan: Matrix = { ...x.v, data: x.v.data.map(() => Number.NaN) };
    expect(await failure(decoder.decode({ ...x, v: nan }))).toMatchObject({ argument: 'v' });
    const past = { ...before, position: -1 };
    expect(await failure(decoder.restore(past))).toMatchObject({
      code: 'value',
      argument: 'position',
    });
    expect((await failure(decoder.restore({} as never))).code).toBe('value');
    expect(await decoder.snapshot()).toEqual(before);
    expect((await decoder.append(part(x, 0, 1))).position).toBe(4);
    await decoder.dispose();
  });

  it('is gone after dispose, and no cache is taken for it', async () => {
    const decoder = await LinearDecoder.create(client, { ...shape, featureMap: { id: 'relu' } });
    await decoder.dispose();
    const cache = await KvCache.create(client, { capacity: 1, kvHeads: 1, ...shape });
    const error = await failure(decoder.info());
    expect(error).toMatchObject({ code: 'value', argument: 'handle' });
    expect(error.message).toContain('which no LinearDecoder has');
    await decoder.dispose();
    expect((await cache.info()).size).toBe(0);
    await cache.dispose();
  });
});

describe('a decoder whose core ended', () => {
  it('is unknown, and a new decoder continues from its snapshot', async () => {
    const workers: InProcessWorker[] = [];
    const client = createClient({
      module: 'full',
      build: 'simd',
      makeWorker: () => {
        const worker = fullWorker();
        workers.push(worker);
        return worker;
      },
    });
    const x = await client.gaussianQkv({ n: 4, dK, dV, seed: 4 });
    const options = { ...shape, featureMap: { id: 'elu_plus_one' } };
    const want = await client.linearAttention({ ...x, ...options, causal: true });
    const old = await LinearDecoder.create(client, options);
    await old.append(part(x, 0, 3));
    const initial = await old.snapshot();
    workers[0]?.onerror?.({ message: 'gone' } as ErrorEvent);
    expect(await failure(old.info())).toMatchObject({ code: 'value', argument: 'handle' });
    await old.dispose();
    const next = await LinearDecoder.create(client, { ...options, initial });
    expectClose(await next.decode(part(x, 3, 4)), rowsOf(want.output, 3, 4));
    client.dispose();
  });
});
