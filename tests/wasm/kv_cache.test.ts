import { afterAll, describe, expect, it } from 'vitest';
import { type Client, createClient, KvCache, type KvCacheOptions } from '../../wasm/client';
import type { Qkv } from '../../wasm/client/types';
import {
  createFullTestClient,
  fullWorker,
  type InProcessWorker,
  loadFull,
  testBuilds,
} from './in_process';
import { columnsOf, expectClose, failure, gaussian, rowsOf } from './support';

const [heads, kvHeads, dK, dV] = [4, 2, 3, 5];
const shape = { kvHeads, dK, dV };

/** The projected tokens of a layer with 4 heads that share 2 key-value heads. */
async function tokens(client: Client, n: number, seed: number): Promise<Qkv> {
  const q = await gaussian(client, n, heads * dK, seed);
  const k = await gaussian(client, n, kvHeads * dK, seed + 1);
  const v = await gaussian(client, n, kvHeads * dV, seed + 2);
  return { q, k, v };
}

const part = ({ q, k, v }: Qkv, from: number, to: number): Qkv => ({
  q: rowsOf(q, from, to),
  k: rowsOf(k, from, to),
  v: rowsOf(v, from, to),
});

describe.each(testBuilds)('a cache in the %s build', (build) => {
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  it('answers with weights for each head, and tells its sizes', async () => {
    const n = 9;
    const x = await tokens(client, n, 1);
    const cache = await KvCache.create(client, { capacity: n, ...shape });
    const made = await cache.decode({ ...x, heads });
    expect([made.output.rows, made.output.cols, made.firstPosition]).toEqual([n, heads * dV, 0]);
    expect(made.weights.map(({ rows, cols }) => [rows, cols])).toEqual(Array(heads).fill([n, n]));
    expect(await cache.info()).toEqual({
      capacity: n,
      kvHeads,
      ring: false,
      size: n,
      appended: n,
      bytes: 4 * n * kvHeads * (dK + dV),
      capacityBytes: 4 * n * kvHeads * (dK + dV),
    });
    await cache.dispose();
  });

  it('with a window is a ring, which keeps the newest tokens in their order', async () => {
    const [n, capacity, window] = [23, 6, 4];
    const x = await tokens(client, n, 2);
    const cache = await KvCache.create(client, { capacity, window, ...shape });
    await cache.append(part(x, 0, n - 1));
    const made = await cache.decode({ ...part(x, n - 1, n), heads });
    expect([made.firstPosition, made.weights[0]?.cols]).toEqual([n - window, window]);
    expect(await cache.info()).toMatchObject({ ring: true, size: capacity, appended: n });
    expectClose(await cache.keys(1), columnsOf(rowsOf(x.k, n - capacity, n), dK, 2 * dK), 0);
    expectClose(await cache.values(0), columnsOf(rowsOf(x.v, n - capacity, n), 0, dV), 0);
    await cache.dispose();
  });

  it('keeps the order of calls whose answers the caller does not await', async () => {
    const x = await tokens(client, 3, 3);
    const cache = await KvCache.create(client, { capacity: 3, ...shape });
    const sizes = [0, 1, 2].map(async (t) => (await cache.append(part(x, t, t + 1))).size);
    const attended = cache.attend({ q: x.q, heads });
    const reset = cache.reset();
    const last = cache.info();
    expect(await Promise.all(sizes)).toEqual([1, 2, 3]);
    const mask = { kind: 'causal' } as const;
    const want = await client.groupedQueryAttention({ ...x, heads, kvHeads, mask });
    expectClose((await attended).output, want.output);
    expect(await reset).toMatchObject({ size: 0, appended: 0, bytes: 0 });
    expect(await last).toMatchObject({ size: 0, capacity: 3 });
    await cache.dispose();
  });

  it('reports both lengths when tokens do not fit, and is unchanged afterwards', async () => {
    const x = await tokens(client, 8, 4);
    const cache = await KvCache.create(client, { capacity: 5, ...shape });
    await cache.append(part(x, 0, 4));
    const before = [await cache.info(), await cache.keys(0), await cache.values(1)];
    const error = await failure(cache.append(part(x, 4, 7)));
    expect(error).toMatchObject({
      code: 'capacity',
      argument: 'k',
      seen: { text: '3 tokens after 4 tokens kept: 7 together' },
      wanted: { text: 'at most 5, the capacity' },
    });
    expect(error.message).toContain('7 together; wanted: at most 5');
    expect(await failure(cache.decode({ ...part(x, 4, 7), heads }))).toMatchObject({
      code: 'capacity',
    });
    // A token is not stored either when only its queries are wrong.
    const wide = { ...part(x, 4, 5), q: x.q, heads };
    expect(await failure(cache.decode(wide))).toMatchObject({ code: 'shape', argument: 'q' });
    expect([await cache.info(), await cache.keys(0), await cache.values(1)]).toEqual(before);
    expect((await cache.append(part(x, 4, 5))).size).toBe(5);
    await cache.dispose();
  });

  it('reports when a ring has overwritten tokens that the first query should see', async () => {
    const x = await tokens(client, 6, 5);
    const cache = await KvCache.create(client, { capacity: 4, window: 4, ...shape });
    await cache.append(x);
    expect(await failure(cache.attend({ q: rowsOf(x.q, 4, 6), heads }))).toMatchObject({
      code: 'capacity',
      argument: 'q',
      seen: { text: '2 queries that look back 5 tokens' },
    });
    expect((await cache.attend({ q: rowsOf(x.q, 5, 6), heads })).output.rows).toBe(1);
    await cache.dispose();
  });

  it('stores numbers in the format that is asked for, and counts its bytes', async () => {
    const n = 6;
    const x = await tokens(client, n, 6);
    const bytes = { float16: 2 * (dK + dV), bfloat16: 2 * (dK + dV), int8: dK + dV + 2 * 4 };
    const kept = new Set<string>();
    for (const storage of ['float16', 'bfloat16', 'int8'] as const) {
      const cache = await KvCache.create(client, { capacity: n, storage, ...shape });
      expect((await cache.append(x)).bytes).toBe(n * kvHeads * bytes[storage]);
      const keys = await cache.keys(0);
      expectClose(keys, columnsOf(x.k, 0, dK), 2e-2);
      kept.add(keys.data.join());
      await cache.dispose();
    }
    expect(kept.size).toBe(3);
  });

  it('counts bytes without a cache', async () => {
    expect(await client.kvCacheBytes({ tokens: 7, ...shape })).toBe(4 * 7 * 2 * 8);
    expect(await client.kvCacheBytes({ tokens: 7, ...shape, storage: 'int8' })).toBe(7 * 2 * 16);
    expect(await client.kvCacheBytes({ tokens: 0, ...shape })).toBe(0);
    // These byte counts exceed 32 bits.
    const large = { tokens: 2 ** 21, kvHeads: 64, dK: 128, dV: 128, storage: 'bfloat16' } as const;
    expect(await client.kvCacheBytes(large)).toBe(2 ** 21 * 64 * 256 * 2);
    const below = { tokens: -1, ...shape };
    expect(await failure(client.kvCacheBytes(below))).toMatchObject({ argument: 'tokens' });
    const most = 2 ** 31 - 1;
    const huge = { tokens: most, kvHeads: most, dK: most, dV: most };
    expect(await failure(client.kvCacheBytes(huge))).toMatchObject({
      code: 'capacity',
      argument: 'tokens',
    });
  });

  it('refuses bad options by name', async () => {
    const make = (options: object): Promise<unknown> =>
      KvCache.create(client, { capacity: 4, ...shape, ...options } as KvCacheOptions);
    expect(await failure(make({ capacity: 0 }))).toMatchObject({
      code: 'value',
      argument: 'capacity',
      seen: { text: '0' },
      wanted: { text: 'at least 1' },
    });
    expect(await failure(make({ kvHeads: 1.5 }))).toMatchObject({ argument: 'kvHeads' });
    expect(await failure(make({ dV: undefined }))).toMatchObject({ code: 'value', argument: 'dV' });
    expect(await failure(make({ window: 5 }))).toMatchObject({
      code: 'value',
      argument: 'window',
      seen: { text: '5' },
      wanted: { text: '1 to 4, the capacity' },
    });
    expect(await failure(make({ storage: 'fp8' }))).toMatchObject({
      code: 'value',
      argument: 'storage',
      seen: { text: '"fp8"' },
      wanted: { text: 'exact, float16, bfloat16 or int8' },
    });
    expect(await failure(make({ capacity: 2 ** 30 }))).toMatchObject({
      code: 'capacity',
      argument: 'capacity',
      wanted: { text: 'at most 512 MiB' },
    });
  });

  it('refuses tokens and queries that do not fit, naming them', async () => {
    const x = await tokens(client, 2, 7);
    const cache = await KvCache.create(client, { capacity: 4, ...shape });
    expect(await failure(cache.append({ k: x.q, v: x.v }))).toMatchObject({
      code: 'shape',
      argument: 'k',
      seen: { text: '2×12' },
      wanted: { text: '2×6 (kv_heads·d_k columns)' },
    });
    const nan = { ...x.v, data: x.v.data.map(() => Number.NaN) };
    expect(await failure(cache.append({ k: x.k, v: nan }))).toMatchObject({
      code: 'value',
      argument: 'v',
    });
    expect(await failure(cache.attend({ q: x.q, heads }))).toMatchObject({ argument: 'q' });
    expect(await failure(cache.decode({ ...x, heads: 3 }))).toMatchObject({
      code: 'value',
      argument: 'heads',
      wanted: { text: 'a multiple of 2' },
    });
    expect(await failure(cache.keys(2))).toMatchObject({
      argument: 'kvHead',
      wanted: { text: '0 to 1' },
    });
    expect((await cache.info()).size).toBe(0);
    await cache.dispose();
  });

  it('is gone after dispose, which may be called again', async () => {
    const cache = await KvCache.create(client, { capacity: 4, ...shape });
    const other = await KvCache.create(client, { capacity: 2, ...shape });
    await cache.dispose();
    await cache.dispose();
    const error = await failure(cache.info());
    expect(error).toMatchObject({ code: 'value', argument: 'handle' });
    expect(error.message).toMatch(/handle is \d+, which no KvCache has; .*disposed.*restarted/);
    expect((await other.info()).capacity).toBe(2);
    await other.dispose();
  });

  it('is refused as the 257th, and caches that were refused do not count', async () => {
    const tiny = { capacity: 1, kvHeads: 1, dK: 1, dV: 1 };
    for (let i = 0; i < 300; i++) await failure(KvCache.create(client, { ...tiny, capacity: 0 }));
    const all = await Promise.all(Array.from({ length: 256 }, () => KvCache.create(client, tiny)));
    expect(await failure(KvCache.create(client, tiny))).toMatchObject({
      code: 'capacity',
      argument: 'kvCache',
      seen: { text: 'one more than the 256 alive' },
    });
    await all[17]?.dispose();
    all.push(await KvCache.create(client, tiny));
    expect((await failure(KvCache.create(client, tiny))).code).toBe('capacity');
    await Promise.all(all.map((cache) => cache.dispose()));
    await (await KvCache.create(client, tiny)).dispose();
  });
});

describe('a cache whose core', () => {
  const tiny = { capacity: 2, kvHeads: 1, dK: 1, dV: 1 };

  it('trapped is unknown to the new core, and is never taken for another cache', async () => {
    const client = createClient({
      module: 'full',
      build: 'simd',
      makeWorker: () =>
        fullWorker(async (build) => ({
          ...(await loadFull(build)),
          explainCell: () => {
            throw new WebAssembly.RuntimeError('unreachable');
          },
        })),
    });
    const old = await KvCache.create(client, tiny);
    const trapped = failure(client.explainCell({} as never));
    const queued = failure(old.info());
    expect((await trapped).code).toBe('trap');
    expect((await queued).code).toBe('trap');
    // The new core's first cache must not be taken for the old one.
    const fresh = await KvCache.create(client, { ...tiny, capacity: 1 });
    for (const call of [old.info(), old.reset(), old.keys(0)]) {
      const error = await failure(call);
      expect(error).toMatchObject({ code: 'value', argument: 'handle' });
      expect(error.wanted?.text).toContain('the core was restarted');
    }
    await old.dispose();
    expect((await fresh.info()).capacity).toBe(1);
    client.dispose();
  });

  it('ended without a message is unknown too', async () => {
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
    const old = await KvCache.create(client, tiny);
    workers[0]?.onerror?.({ message: 'gone' } as ErrorEvent);
    expect(await failure(old.info())).toMatchObject({ code: 'value', argument: 'handle' });
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('was disposed of is cancelled; disposing of the cache is harmless', async () => {
    const client = createFullTestClient();
    const cache = await KvCache.create(client, tiny);
    client.dispose();
    expect((await failure(cache.info())).code).toBe('cancelled');
    await cache.dispose();
    expect((await failure(KvCache.create(client, tiny))).code).toBe('cancelled');
  });
});
