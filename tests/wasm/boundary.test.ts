import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Client, Matrix } from '../../wasm/client';
import { createClient } from '../../wasm/client/client';
import type { Reply } from '../../wasm/client/protocol';
import type { RawCore } from '../../wasm/client/raw';
import { warmCore } from '../../wasm/client/warm';
import { coreWorker, loadCore, testBuilds } from './in_process';
import { failure, matrix } from './support';

afterEach(() => vi.restoreAllMocks());

/** A client, and a record of the buffers that its worker transfers with each answer: their sizes before and after. */
function watched(build: Client['build']) {
  const handedOver: { before: number; after: number }[][] = [];
  const makeWorker = () => {
    const worker = coreWorker();
    const post = worker.scope.postMessage;
    worker.scope.postMessage = (message: Reply, transfer: Transferable[]) => {
      const buffers = transfer as ArrayBuffer[];
      const before = buffers.map((buffer) => buffer.byteLength);
      post(message, transfer);
      if (message.type !== 'result') return;
      handedOver.push(
        buffers.map((buffer, i) => ({ before: before[i] as number, after: buffer.byteLength })),
      );
    };
    return worker;
  };
  return { client: createClient({ ...(build ? { build } : {}), makeWorker }), handedOver };
}

/** Counts the bytes that each way of copying float32 arrays moves from now on. */
function countCopies() {
  const bytes = { slice: 0, set: 0 };
  const { slice, set } = Float32Array.prototype;
  vi.spyOn(Float32Array.prototype, 'slice').mockImplementation(function (this: Float32Array, ...a) {
    const made = slice.apply(this, a) as Float32Array<ArrayBuffer>;
    bytes.slice += made.byteLength;
    return made;
  });
  vi.spyOn(Float32Array.prototype, 'set').mockImplementation(function (this: Float32Array, ...a) {
    bytes.set += 4 * a[0].length;
    set.apply(this, a);
  });
  return bytes;
}

const bytesOf = (...matrices: Matrix[]): number =>
  matrices.reduce((sum, { data }) => sum + data.byteLength, 0);

describe.each(testBuilds)('the boundary of the %s build', (build) => {
  it('copies inputs once and results once, and transfers the weights of n = 1024', async () => {
    const { client, handedOver } = watched(build);
    const n = 1024;
    const qkv = await client.gaussianQkv({ n, dK: 16, dV: 8, seed: 1 });
    handedOver.length = 0;
    const copied = countCopies();
    const { output, weights, logSumExp } = await client.attention(qkv);
    expect(copied.set).toBe(bytesOf(qkv.q, qkv.k, qkv.v));
    expect(copied.slice).toBe(bytesOf(output, weights, logSumExp));
    // Each result fills its whole buffer, and the worker no longer has any of the buffers.
    for (const { data } of [output, weights, logSumExp]) {
      expect(data.byteOffset).toBe(0);
      expect(data.buffer.byteLength).toBe(data.byteLength);
    }
    expect(weights.data.byteLength).toBe(4 * n * n);
    const sizes = [output, weights, logSumExp].map(({ data }) => data.byteLength);
    expect(handedOver).toEqual([sizes.map((before) => ({ before, after: 0 }))]);
    client.dispose();
  });

  it('copies the inputs that a caller keeps, and transfers those that it gives away', async () => {
    const { client } = watched(build);
    const x = matrix(2, 3, [1, 2, 3, 4, 5, 6]);
    const featureMap = { id: 'identity' };
    const kept = await client.applyFeatureMap({ x, featureMap });
    expect(x.data).toHaveLength(6);
    const given = await client.applyFeatureMap({ x, featureMap }, { transfer: true });
    expect(x.data).toHaveLength(0);
    expect([...given.data]).toEqual([...kept.data]);
    // Transferring the same matrix twice is an error, and no call hangs.
    const again = client.applyFeatureMap({ x, featureMap }, { transfer: true });
    expect((await failure(again)).code).toBe('value');
    client.dispose();
  });

  it('reads a part of an array, and frees the wasm memory that it took', async () => {
    const core = await loadCore(build);
    const whole = Float32Array.of(9, 1, 2, 3, 4, 9);
    const x = { rows: 2, cols: 2, data: whole.subarray(1, 5) };
    const made = core.applyFeatureMap({ x, featureMap: { id: 'identity' } });
    expect([...made.data]).toEqual([1, 2, 3, 4]);
    expect(made.data.buffer.byteLength).toBe(16);
  });
});

describe('warming up', () => {
  /** A core that records which of its calls were made. */
  async function listening(calls: string[]): Promise<RawCore> {
    const real = await loadCore('simd');
    const noted = Object.entries(real).map(([name, call]) => [
      name,
      typeof call !== 'function'
        ? call
        : (...input: unknown[]) => {
            calls.push(name);
            return (call as (...input: unknown[]) => unknown)(...input);
          },
    ]);
    return Object.fromEntries(noted) as RawCore;
  }

  const quiet = () => new Promise((resolve) => setTimeout(resolve, 250));

  it('happens while no call is waiting, and ends', async () => {
    const calls: string[] = [];
    const core = await listening(calls);
    const makeWorker = () => coreWorker(async () => core, { warm: warmCore });
    const client = createClient({ build: 'simd', makeWorker });
    await client.ready();
    expect(calls).toEqual([]);
    await vi.waitFor(
      () => expect(calls.filter((name) => name === 'makeCompareToSoftmax')).toHaveLength(4),
      { timeout: 10_000 },
    );
    await quiet();
    const all = calls.length;
    expect(calls).toContain('attention');
    await client.gaussianQkv({ n: 1, dK: 1, dV: 1, seed: 1 });
    await quiet();
    expect(calls).toHaveLength(all + 1);
    client.dispose();
  });

  it('pauses for a call and continues after it', async () => {
    const steps: string[] = [];
    const real = await loadCore('simd');
    function* warm() {
      for (let step = 0; step < 100; step++) {
        steps.push('warm');
        const end = performance.now() + 2;
        while (performance.now() < end);
        yield;
      }
    }
    const core: RawCore = {
      ...real,
      featureMaps: () => {
        steps.push('call');
        return [];
      },
    };
    const makeWorker = () => coreWorker(async () => core, { warm });
    const client = createClient({ build: 'simd', makeWorker });
    await client.ready();
    await vi.waitFor(() => expect(steps.length).toBeGreaterThan(0), { interval: 1 });
    await client.featureMaps();
    await vi.waitFor(() => expect(steps).toHaveLength(101), { timeout: 4000 });
    // The call did not have to wait for the rest of the hundred steps.
    expect(steps.indexOf('call')).toBeLessThan(100);
    client.dispose();
  });

  it('can be switched off, and an error in it affects no call', async () => {
    const calls: string[] = [];
    const core = await listening(calls);
    const cold = createClient({
      build: 'simd',
      warmUp: false,
      makeWorker: () => coreWorker(async () => core, { warm: warmCore }),
    });
    await cold.ready();
    await quiet();
    expect(calls).toEqual([]);
    cold.dispose();

    // biome-ignore lint/correctness/useYield: it fails before it gets there.
    function* mishap(): Generator<void, void> {
      calls.push('mishap');
      throw new Error('no');
    }
    const client = createClient({
      build: 'simd',
      makeWorker: () => coreWorker(async () => core, { warm: mishap }),
    });
    await client.ready();
    await vi.waitFor(() => expect(calls).toEqual(['mishap']));
    expect((await client.gaussianQkv({ n: 1, dK: 1, dV: 1, seed: 1 })).q.rows).toBe(1);
    client.dispose();
  });
});

it('says which build stands in for one that is not there', async () => {
  const asked: string[] = [];
  const load = async (build: 'relaxed' | 'simd') => {
    asked.push(build);
    return loadCore(build);
  };
  const client = createClient({
    build: 'relaxed',
    makeWorker: () => coreWorker(load, { nearest: () => 'simd' }),
  });
  await client.ready();
  expect(asked).toEqual(['simd']);
  expect(client.build).toBe('simd');
  client.dispose();
});
