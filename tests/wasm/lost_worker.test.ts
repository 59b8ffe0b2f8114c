/** A worker that ends without a word, and one whose memory has grown large. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../wasm/client/client';
import type { RawFull } from '../../wasm/client/raw';
import { InProcessWorker, loadFull } from './in_process';
import { failure } from './support';

const sizes = { n: 16, dK: 4, dV: 4, seed: 3 };
const featureMap = { id: 'relu' };

function watched(load: () => Promise<RawFull> = () => loadFull('simd')) {
  const workers: InProcessWorker[] = [];
  const client = createClient({
    build: 'simd',
    module: 'full',
    warmUp: false,
    makeWorker: () => {
      const worker = new InProcessWorker({ prepare: async () => load });
      workers.push(worker);
      return worker;
    },
  });
  return { client, workers };
}

/** Lets messages through, which go by real ports. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
/** Time of the page passes, a little at a time as it does on one that is awake. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    ahead += 500;
    vi.advanceTimersByTime(500);
    await settle();
  }
}

/** How far the clock of these tests is ahead of the real one, which the worker's steps wait for. */
let ahead = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a worker that ends without a word', () => {
  it('is replaced while it is idle, and what it kept is said to be gone', async () => {
    const { client, workers } = watched();
    const kept = await client.gaussianQkv(sizes, { keep: true });
    workers[0]?.terminate();
    await pass(9000);
    expect(workers).toHaveLength(2);
    expect(client.holds(kept)).toBe(false);
    expect((await failure(client.attention(kept))).code).toBe('gone');
    expect((await client.gaussianQkv(sizes)).q.rows).toBe(16);
    client.dispose();
  });

  it('owes an answer: the call is refused within seconds, and the next one is answered', async () => {
    const { client, workers } = watched();
    await client.ready();
    workers[0]?.terminate();
    const asked = failure(client.gaussianQkv(sizes));
    await pass(3500);
    expect(await asked).toMatchObject({ code: 'gone', said: { id: 'client.stopped' } });
    expect((await client.gaussianQkv(sizes)).q.rows).toBe(16);
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('is not started for ever when it ends before it is ready', async () => {
    const { client, workers } = watched(() => new Promise(() => undefined));
    const ready = failure(client.ready());
    await settle();
    workers[0]?.terminate();
    await pass(9000);
    expect(await ready).toMatchObject({ code: 'load', said: { id: 'client.not_started' } });
    expect(workers).toHaveLength(1);
  });

  it('is noticed in the middle of a call that reported progress', async () => {
    const { client, workers } = watched(() => slowFull());
    let moved = (): void => undefined;
    const moves = new Promise<void>((resolve) => (moved = resolve));
    const asked = failure(client.compareToSoftmax({} as never, { onProgress: () => moved() }));
    await moves;
    workers[0]?.terminate();
    await pass(62_000);
    expect((await asked).code).toBe('gone');
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('is noticed in the middle of a call that reports no progress', async () => {
    const { client, workers } = watched();
    await client.ready();
    const [worker] = workers;
    const deliver = worker?.onmessage;
    // It still says that it is there when the call arrives, and ends during the call.
    if (worker) {
      worker.onmessage = (event) => {
        if (event.data.type === 'alive') deliver?.call(worker, event);
        else worker.terminate();
      };
    }
    const asked = failure(client.gaussianQkv(sizes));
    await pass(3500);
    expect(workers).toHaveLength(1);
    await pass(62_000);
    expect((await asked).code).toBe('gone');
    expect(workers).toHaveLength(2);
    client.dispose();
  });
});

/** A core whose comparisons never end. */
async function slowFull(): Promise<RawFull> {
  const real = await loadFull('simd');
  return {
    ...real,
    makeCompareToSoftmax: () => ({
      step: () => {
        const end = Date.now() + 5;
        while (Date.now() < end);
        return false;
      },
      progress: () => 0.5,
      result: () => ({}) as never,
      delete: () => undefined,
    }),
  };
}

describe('no false alarm', () => {
  /** Drops what the page asks of an idle worker from now on. */
  const deafen = (worker: InProcessWorker | undefined): void => {
    if (worker) worker.postMessage = () => undefined;
  };

  it('on a page in the background', async () => {
    const { client, workers } = watched();
    await client.ready();
    deafen(workers[0]);
    vi.stubGlobal('document', { hidden: true });
    await pass(20_000);
    expect(workers).toHaveLength(1);
    vi.stubGlobal('document', { hidden: false });
    await pass(9000);
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('after a machine has slept', async () => {
    const { client, workers } = watched();
    await client.ready();
    const [worker] = workers;
    const post = worker?.postMessage.bind(worker);
    const queue: Parameters<InProcessWorker['postMessage']>[] = [];
    if (worker) worker.postMessage = (...message) => queue.push(message);
    await pass(5500);
    expect(queue.map(([{ type }]) => type)).toEqual(['ping']);
    // An hour later, and both go on where they were.
    ahead += 3_600_000;
    vi.advanceTimersByTime(1000);
    for (const message of queue) post?.(...message);
    await pass(1000);
    expect(workers).toHaveLength(1);
    client.dispose();
  });

  it('while a call that cannot breathe runs', async () => {
    const real = await loadFull('simd');
    const { client, workers } = watched(async () => ({
      ...real,
      // Fifteen seconds of the page's clock in one go.
      gaussianQkv: (input) => {
        ahead += 15_000;
        return real.gaussianQkv(input);
      },
    }));
    await client.ready();
    expect((await client.gaussianQkv(sizes)).q.rows).toBe(16);
    await pass(2000);
    expect(workers).toHaveLength(1);
    client.dispose();
  });
});

it('restart gives a fresh core at once, and refuses what was under way', async () => {
  const { client, workers } = watched(() => slowFull());
  const kept = await client.gaussianQkv(sizes, { keep: true });
  const asked = failure(client.compareToSoftmax({} as never));
  await settle();
  client.restart();
  expect((await asked).code).toBe('gone');
  expect(client.holds(kept)).toBe(false);
  expect((await client.gaussianQkv(sizes)).q.rows).toBe(16);
  expect([workers.length, workers[0]?.terminated]).toEqual([2, true]);
  client.dispose();
});

describe('a heap that has grown large', () => {
  /** The first core has grown, those after it have not. */
  const grownOnce = () => {
    let cores = 0;
    return watched(async () => {
      const core = await loadFull('simd');
      return ++cores === 1 ? { ...core, HEAPU8: { byteLength: 2 ** 28 + 1 } } : core;
    });
  };
  /** Longer than a core waits before it is exchanged, where no other work takes the machine. */
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 1200));
  const exchanged = (workers: readonly unknown[]) =>
    expect.poll(() => workers.length, { timeout: 20_000 }).toBe(2);

  it('is given back once nothing is asked, and what was kept stays', async () => {
    const { client, workers } = watched();
    const kept = await client.gaussianQkv(sizes, { keep: true });
    const released = await client.gaussianQkv(sizes, { keep: true });
    const before = await client.read(kept);
    // 256 MiB in, and as much for what comes out.
    const x = { rows: 2 ** 16, cols: 2 ** 10, data: new Float32Array(2 ** 26) };
    await client.applyFeatureMap({ x, featureMap }, { transfer: true });
    expect(workers).toHaveLength(1);
    await exchanged(workers);
    await expect.poll(() => workers[0]?.terminated).toBe(true);
    client.release(released);
    expect(await client.read(kept)).toEqual(before);
    expect(client.holds(kept)).toBe(true);
    expect((await client.compareToSoftmax({ ...kept, featureMap })).softmax.rows).toBe(16);
    expect((await failure(client.read(released))).code).toBe('gone');
    await quiet();
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('is given back between two calls of a page that asks just then', async () => {
    const { client, workers } = grownOnce();
    const kept = await client.gaussianQkv(sizes, { keep: true });
    const { k } = await client.gaussianQkv(sizes);
    const [worker] = workers;
    const answer = worker?.onmessage;
    let later: Promise<unknown> | undefined;
    if (worker) {
      worker.onmessage = (event) => {
        answer?.call(worker, event);
        // It was asked to hand over; these calls wait for its successor.
        if (event.data.type !== 'large') return;
        const stop = new AbortController();
        later = Promise.all([
          client.attention({ q: kept.q, k, v: k }, { transfer: true }),
          failure(client.gaussianQkv(sizes, { signal: stop.signal })),
        ]);
        stop.abort();
      };
    }
    await expect.poll(() => later !== undefined, { timeout: 20_000 }).toBe(true);
    const [answered, stopped] = (await later) as [{ output: { rows: number } }, { code: string }];
    expect([answered.output.rows, stopped.code, k.data.length]).toEqual([16, 'cancelled', 0]);
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('stays while an object of the page lives in it', async () => {
    const { client, workers } = grownOnce();
    await client.kvCacheMake({ handle: 1, capacity: 8, kvHeads: 1, dK: 2, dV: 2 });
    await quiet();
    expect(workers).toHaveLength(1);
    await client.kvCacheDelete({ handle: 1 });
    await exchanged(workers);
    client.dispose();
  });
});
