/** The pool of workers: independent jobs, Stop, a crash, a hidden tab, and workers that end. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Client, LanguageModel, Pool, poolSize, train } from '../../wasm/client';
import { createClient } from '../../wasm/client/client';
import { CancelledError } from '../../wasm/client/errors';
import { fullWorker, type InProcessWorker } from './in_process';
import { failure } from './support';

const made: InProcessWorker[] = [];
const makeClient = (): Client =>
  createClient({
    build: 'simd',
    module: 'full',
    warmUp: false,
    makeWorker: () => {
      const worker = fullWorker();
      made.push(worker);
      return worker;
    },
  });
const alive = () => made.filter(({ terminated }) => !terminated).length;

const pools: Pool[] = [];
const newPool = (workers: number) => {
  const pool = new Pool({ workers, makeClient });
  pools.push(pool);
  return pool;
};
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose();
  made.length = 0;
  vi.unstubAllGlobals();
});

const task = { kind: 'markov', vocabulary: 5, length: 8 } as const;
const small = { vocabulary: 5, dModel: 8, layers: 1, length: 8 } as const;

/** Trains a small model; the loss of its last step. */
const race =
  (seed: number, steps: number, onStep: () => unknown = () => undefined) =>
  async (client: Client, tools: Parameters<Parameters<Pool['run']>[0]>[1]) => {
    const model = await LanguageModel.create(client, { ...small, seed });
    await model.start({ task, steps, batch: 4, seed });
    const last = await train(model, tools, { milliseconds: 1, onSlice: () => void onStep() });
    const finished = last?.finished ?? 0;
    await model.dispose();
    return finished;
  };

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a pool of workers', () => {
  it('is as large as the machine allows', () => {
    expect([1, 2, 3, 4, 64].map(poolSize)).toEqual([1, 2, 2, 3, 8]);
  });

  it('runs jobs side by side, in their order, with progress; the workers end when all is done', async () => {
    const pool = newPool(2);
    const fractions: number[] = [];
    const jobs = [1, 2, 3].map((seed) =>
      pool.run(race(seed, 12), { onProgress: (fraction) => fractions.push(fraction) }),
    );
    expect([pool.running, pool.waiting]).toEqual([2, 1]);
    expect(await Promise.all(jobs)).toEqual([12, 12, 12]);
    expect(made).toHaveLength(2);
    expect(fractions.filter((fraction) => fraction === 1)).toHaveLength(3);
    expect(alive()).toBe(2);
    await vi.waitFor(() => expect(alive()).toBe(0), 2000);
    // And there are new ones when there is work again.
    expect(await pool.run(race(1, 2))).toBe(2);
  });

  it('stops all within 100 ms; a job may hand over what it has, one that does not listen is ended', async () => {
    const pool = newPool(2);
    let steps = 0;
    const listens = pool.run(race(1, 1_000_000, () => steps++));
    const deaf = pool.run(() => new Promise(() => undefined));
    const queued = pool.run(race(2, 5));
    await vi.waitFor(() => expect(steps).toBeGreaterThan(3), 5000);
    const start = performance.now();
    pool.stop();
    const [first, second, third] = await Promise.allSettled([listens, deaf, queued]);
    expect(performance.now() - start).toBeLessThan(100);
    expect(first).toMatchObject({ status: 'fulfilled', value: expect.any(Number) });
    for (const one of [second, third]) {
      expect((one as PromiseRejectedResult).reason).toBeInstanceOf(CancelledError);
    }
    const before = steps;
    await wait(30);
    expect(steps).toBe(before);
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });

  it('stops one by its signal, and no other', async () => {
    const pool = newPool(2);
    const stopping = new AbortController();
    const one = pool.run(
      async (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
      { signal: stopping.signal },
    );
    const other = pool.run(race(1, 6));
    stopping.abort();
    expect(await one).toBe('stopped');
    expect(await other).toBe(6);
    expect(await failure(pool.run(race(1, 1), { signal: stopping.signal }))).toBeInstanceOf(
      CancelledError,
    );
  });

  it('loses one job with a worker that crashes, and says so', async () => {
    const pool = newPool(2);
    let begun = false;
    const lost = pool.run(
      race(1, 1_000_000, () => {
        begun = true;
      }),
    );
    const other = pool.run(race(2, 40));
    const third = pool.run(race(3, 4));
    await vi.waitFor(() => expect(begun).toBe(true), 5000);
    made[0]?.onerror?.({ message: 'out of memory' } as ErrorEvent);
    const error = await failure(lost);
    expect(error.code).toBe('trap');
    expect(error.message).toContain('out of memory');
    expect(await Promise.all([other, third])).toEqual([40, 4]);
    expect(made[0]?.terminated).toBe(true);
  });

  it('pauses while the tab is hidden', async () => {
    const listeners = new Set<() => void>();
    const document = {
      hidden: false,
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    };
    vi.stubGlobal('document', document);
    const pool = newPool(1);
    let steps = 0;
    const job = pool.run(race(1, 1_000_000, () => steps++));
    await vi.waitFor(() => expect(steps).toBeGreaterThan(3), 5000);
    document.hidden = true;
    await vi.waitFor(() => expect(listeners.size).toBe(1), 1000);
    const paused = steps;
    await wait(60);
    expect(steps).toBe(paused);
    document.hidden = false;
    for (const listener of [...listeners]) listener();
    await vi.waitFor(() => expect(steps).toBeGreaterThan(paused), 5000);
    pool.stop();
    expect(await job).toBeGreaterThan(0);
    expect(listeners.size).toBe(0);
  });
});
