import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Client, CompareOptions, Comparison, Matrix } from '../../wasm/client';
import { createClient } from '../../wasm/client/client';
import { CancelledError, CoreError, SupersededError } from '../../wasm/client/errors';
import type { RawCore } from '../../wasm/client/raw';
import {
  coreWorker,
  createFullTestClient,
  createTestClient,
  type InProcessWorker,
  loadCore,
  testBuilds,
} from './in_process';

const matrix = (rows: number, cols: number, data: number[]): Matrix => ({
  rows,
  cols,
  data: Float32Array.from(data),
});

const failure = async (call: Promise<unknown>): Promise<CoreError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CoreError);
  expect(error).toBeInstanceOf(Error);
  return error as CoreError;
};

// From the native core: gaussian_qkv<float>(2, 2, 1, 42).Q.
const NATIVE_GAUSSIAN = [-0.792447507, -0.261961311, 1.58191276, 0.133276999];

describe.each(testBuilds)('the %s build', (build) => {
  // The full module answers every call, also those that start has.
  const client = createFullTestClient(build);
  afterAll(() => client.dispose());

  it('starts and says which build it is', async () => {
    await client.ready();
    expect(client.build).toBe(build);
  });

  it('lists the registry of feature maps with everything the page shows', async () => {
    const maps = await client.featureMaps();
    expect(maps.length).toBeGreaterThanOrEqual(6);
    expect(new Set(maps.map((map) => map.id)).size).toBe(maps.length);
    for (const map of maps) {
      for (const text of [map.label, map.tex, map.dimensionTex, map.kernel, map.note]) {
        expect(text).not.toBe('');
      }
      expect(['positive', 'nonNegative', 'any']).toContain(map.positivity);
      expect(map.paper.url).toMatch(/^https:\/\//);
    }
    // The text is not ASCII, which proves that text crosses the boundary unchanged.
    expect(maps.find((map) => map.id === 'taylor')?.kernel).toContain('s²/2');
  });

  it('runs every registered map from the page’s defaults', async () => {
    const qkv = await client.gaussianQkv({ n: 12, dK: 8, dV: 4, seed: 1 });
    for (const { id } of await client.featureMaps()) {
      const result = await client.compareToSoftmax({ ...qkv, featureMap: { id } });
      expect(result.softmax.data).toHaveLength(144);
      expect(result.implicit.rows).toBe(12);
      expect(result.keptCells).toBe(144);
      expect(result.featureDimension).toBeGreaterThan(0);
      for (let i = 0; i < 144; i++) {
        const p = result.softmax.data[i] as number;
        const a = result.implicit.data[i] as number;
        expect(result.difference.data[i]).toBe(Math.fround(a - p));
      }
    }
  });

  it('draws the same Gaussian numbers as the native core', async () => {
    const { q } = await client.gaussianQkv({ n: 2, dK: 2, dV: 1, seed: 42 });
    expect([...q.data]).toEqual(NATIVE_GAUSSIAN.map(Math.fround));
    const again = await client.gaussianQkv({ n: 3, dK: 2, dV: 5, seed: 42 });
    expect([...again.q.data].slice(0, 4)).toEqual([...q.data]);
  });

  it('makes Q, K and V of a sentence, in any script', async () => {
    const made = await client.textQkv({
      text: 'Grüße, 注意! 🦊',
      dK: 4,
      dV: 3,
      seed: 1,
      maxTokens: 9,
    });
    expect(made.tokens).toEqual(['Grüße', ',', '注', '意', '!', '🦊']);
    expect([made.q.rows, made.q.cols, made.v.cols]).toEqual([6, 4, 3]);
  });

  it('softmax, linear attention and both orders agree where they must', async () => {
    const qkv = await client.gaussianQkv({ n: 9, dK: 5, dV: 3, seed: 3 });
    const soft = await client.attention({ ...qkv, mask: { kind: 'causal' } });
    expect(soft.weights.data[1]).toBe(0);
    expect(soft.output.data[0]).toBeCloseTo(qkv.v.data[0] as number, 5);
    expect(soft.logSumExp.rows).toBe(9);

    const featureMap = { id: 'elu_plus_one' };
    const parallel = await client.linearAttention({ ...qkv, featureMap, causal: true });
    const chunked = await client.linearAttention({ ...qkv, featureMap, causal: true, chunk: 4 });
    parallel.output.data.forEach((value, i) => {
      expect(chunked.output.data[i]).toBeCloseTo(value, 4);
    });
    const weights = await client.computeImplicitAttention({
      ...qkv,
      featureMap,
      mask: { kind: 'causal' },
    });
    expect(weights.data.slice(0, 9).reduce((a, b) => a + b)).toBeCloseTo(1, 4);

    const standard = await client.standardAttentionOrder(qkv);
    const linear = await client.linearAttentionOrder({ ...qkv, featureMap: { id: 'identity' } });
    standard.output.data.forEach((value, i) => {
      expect(linear.data[i]).toBeCloseTo(value, 3);
    });
    const report = await client.verifyAssociativity(qkv);
    expect(report.equal).toBe(true);
    expect(report.kTv.rows).toBe(5);
  });

  it('resumes linear attention from a state and differentiates it', async () => {
    const qkv = await client.gaussianQkv({ n: 6, dK: 4, dV: 2, seed: 5 });
    const featureMap = { id: 'relu' };
    const { state } = await client.linearAttention({ ...qkv, featureMap, causal: true });
    const next = await client.linearAttention({ ...qkv, featureMap, causal: true, state });
    state.z.data.forEach((value, i) => {
      expect(next.state.z.data[i]).toBeCloseTo(2 * value, 3);
    });
    const gradients = await client.linearAttentionBackward({ ...qkv, featureMap, dO: qkv.v });
    expect([gradients.q.rows, gradients.k.cols, gradients.v.cols]).toEqual([6, 4, 2]);
  });

  it('explains a cell with the numbers of the pictures', async () => {
    const qkv = await client.gaussianQkv({ n: 7, dK: 4, dV: 2, seed: 5 });
    const input: CompareOptions = { ...qkv, featureMap: { id: 'taylor' } };
    const whole = await client.compareToSoftmax(input);
    const cell = await client.explainCell({ ...input, query: 2, key: 3 });
    expect(cell.softmaxWeight).toBeCloseTo(whole.softmax.data[2 * 7 + 3] as number, 5);
    expect(cell.implicitWeight).toBeCloseTo(whole.implicit.data[2 * 7 + 3] as number, 5);
    expect(cell.scale).toBe(0.5);
  });

  it('answers bad input with an error that names the argument, the shape seen and the shape wanted', async () => {
    const q = matrix(2, 3, [1, 2, 3, 4, 5, 6]);
    const k = matrix(1, 2, [1, 2]);
    const shape = await failure(client.attention({ q, k, v: k }));
    expect(shape).toMatchObject({
      code: 'shape',
      argument: 'k',
      seen: { text: '1×2' },
      wanted: { text: '1×3 (as many columns as Q: d_k)' },
    });
    expect(shape.message).toContain('K is 1×2');

    const lying = { rows: 2, cols: 2, data: new Float32Array(3) };
    expect(await failure(client.attention({ q: lying, k, v: k }))).toMatchObject({
      code: 'shape',
      argument: 'q',
    });
    const doubles = { rows: 1, cols: 1, data: new Float64Array(1) } as unknown as Matrix;
    expect((await failure(client.attention({ q: doubles, k, v: k }))).argument).toBe('q');

    const nan = matrix(1, 2, [1, Number.NaN]);
    expect(await failure(client.attention({ q: nan, k, v: k }))).toMatchObject({
      code: 'value',
      argument: 'q',
    });
    const unknown = await failure(
      client.linearAttention({ q: k, k, v: k, featureMap: { id: 'eluu' } }),
    );
    expect(unknown).toMatchObject({
      code: 'value',
      argument: 'featureMap',
      seen: { text: '"eluu"' },
    });
    expect(unknown.wanted?.text).toContain('elu_plus_one');
    const text = { text: '  ', dK: 4, dV: 4, seed: 1, maxTokens: 4 };
    expect((await failure(client.textQkv(text))).argument).toBe('text');
    const half = { n: 1.5, dK: 4, dV: 4, seed: 1 };
    expect((await failure(client.gaussianQkv(half))).argument).toBe('n');
    const word = { n: '3', dK: 4, dV: 4, seed: 1 } as never;
    expect((await failure(client.gaussianQkv(word))).message).toContain('string');
    expect((await failure(client.gaussianQkv(undefined as never))).code).toBe('value');
  });

  it('refuses results that would not fit into memory, and keeps working', async () => {
    const qkv = await client.gaussianQkv({ n: 1024, dK: 256, dV: 4, seed: 1 });
    const error = await failure(client.compareToSoftmax({ ...qkv, featureMap: { id: 'taylor' } }));
    expect(error).toMatchObject({ code: 'capacity', argument: 'featureMap' });
    expect(await client.featureMaps()).not.toHaveLength(0);
  });

  it('never fails with anything but a CoreError, whatever matrices it receives', async () => {
    const ids = (await client.featureMaps()).map((map) => map.id);
    const size = fc.integer({ min: 1, max: 5 });
    // Entries cover the whole range of float32, and some are NaN or infinite.
    const exponent = fc.integer({ min: -38, max: 38 });
    const finite = fc.oneof(
      fc.float({ noNaN: true, min: -4, max: 4 }),
      fc.tuple(fc.float({ noNaN: true, min: -9, max: 9 }), exponent).map(([m, e]) => m * 10 ** e),
    );
    const entry = fc.oneof(
      { weight: 200, arbitrary: finite },
      { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity) },
    );
    const filled = (rows: number, cols: number) =>
      fc
        .array(entry, { minLength: rows * cols, maxLength: rows * cols })
        .map((data) => matrix(rows, cols, data));
    const wrong = fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constant(1) },
    );
    const inputs = fc
      .tuple(size, size, size, size, wrong)
      .chain(([n, m, d, dV, extra]) =>
        fc.tuple(filled(n, d), filled(m, d + extra), filled(m, dV), fc.constantFrom(...ids)),
      );
    let computed = 0;
    await fc.assert(
      fc.asyncProperty(inputs, async ([q, k, v, id]) => {
        const result = await client
          .compareToSoftmax({ q, k, v, featureMap: { id } })
          .catch((error: unknown) => error);
        if (result instanceof Error) {
          expect(result).toBeInstanceOf(CoreError);
          expect((result as CoreError).code).toMatch(/^(shape|value)$/);
        } else {
          computed++;
          const { softmax } = result as Comparison;
          expect(softmax.data.every((weight) => weight >= 0 && weight <= 1.00001)).toBe(true);
        }
      }),
      { numRuns: 300, seed: 1 },
    );
    // Most of the inputs must be valid enough to be computed.
    expect(computed).toBeGreaterThan(120);
  });

  it('refuses flags and roles it does not know, and a state for gradients', async () => {
    const qkv = await client.gaussianQkv({ n: 3, dK: 2, dV: 2, seed: 1 });
    const featureMap = { id: 'relu' };
    const causal = 'false' as never;
    expect(await failure(client.linearAttention({ ...qkv, featureMap, causal }))).toMatchObject({
      code: 'value',
      argument: 'causal',
    });
    const role = 'keys' as never;
    expect((await failure(client.applyFeatureMap({ x: qkv.q, featureMap, role }))).argument).toBe(
      'role',
    );
    const { state } = await client.linearAttention({ ...qkv, featureMap, causal: true });
    const wrong = { ...qkv, featureMap, dO: qkv.v, state };
    expect((await failure(client.linearAttentionBackward(wrong))).argument).toBe('state');
  });

  it('names a parameter of a feature map by its own name', async () => {
    const qkv = await client.gaussianQkv({ n: 3, dK: 2, dV: 2, seed: 1 });
    const featureMap = { id: 'elu_plus_one', parameters: { temperature: -1 } };
    expect((await failure(client.compareToSoftmax({ ...qkv, featureMap }))).argument).toBe(
      'temperature',
    );
    expect((await failure(client.gaussianQkv({ n: 2, dK: 0, dV: 1, seed: 1 }))).argument).toBe(
      'dK',
    );
    expect((await failure(client.attention({ ...qkv, k: {} as Matrix }))).argument).toBe('k');
  });

  it('refuses a dimension that does not fit 32 bits instead of trapping', async () => {
    const x = { rows: 1, cols: 65536, data: new Float32Array(65536) };
    for (const id of ['taylor', 'taylor_compact', 'rebased']) {
      expect((await failure(client.applyFeatureMap({ x, featureMap: { id } }))).code).toBe(
        'capacity',
      );
    }
  });
});

describe('the builds', () => {
  it.each(testBuilds)('agree with the simd build up to rounding: %s', async (build) => {
    const [simd, other] = [createTestClient('simd'), createTestClient(build)];
    const qkv = await simd.gaussianQkv({ n: 33, dK: 16, dV: 8, seed: 2 });
    const same = await other.gaussianQkv({ n: 33, dK: 16, dV: 8, seed: 2 });
    expect([...same.q.data]).toEqual([...qkv.q.data]);
    const input = { ...qkv, featureMap: { id: 'elu_plus_one' } };
    const a = await simd.compareToSoftmax(input);
    const b = await other.compareToSoftmax(input);
    a.softmax.data.forEach((value, i) => {
      expect(b.softmax.data[i]).toBeCloseTo(value, 6);
    });
    simd.dispose();
    other.dispose();
  });
});

/** A core whose comparisons take `steps` slow steps each, so that other messages arrive meanwhile. */
function slowCore(real: RawCore, steps: number, milliseconds: number): RawCore {
  return {
    ...real,
    featureMaps: () => real.featureMaps(),
    makeCompareToSoftmax: () => {
      let done = 0;
      return {
        step: () => {
          const end = performance.now() + milliseconds;
          while (performance.now() < end);
          return ++done >= steps;
        },
        progress: () => done / steps,
        result: () => ({ done }) as never,
        delete: () => undefined,
      };
    },
  };
}

async function slowClient(steps: number, milliseconds: number): Promise<Client> {
  const real = await loadCore('simd');
  const client = createClient({
    build: 'simd',
    makeWorker: () => coreWorker(async () => slowCore(real, steps, milliseconds)),
  });
  await client.ready();
  return client;
}

describe('requests', () => {
  const input = {} as CompareOptions;

  it('a newer request with the same key takes the place of queued older ones', async () => {
    const client = await slowClient(3, 2);
    const calls = [1, 2, 3, 4].map(() => client.compareToSoftmax(input, { key: 'picture' }));
    const other = client.compareToSoftmax(input, { key: 'another' });
    const results = await Promise.allSettled([...calls, other]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(SupersededError);
    client.dispose();
  });

  it('a newer request also stops an older one that is running', async () => {
    const client = await slowClient(100, 40);
    const long = failure(client.compareToSoftmax(input, { key: 'picture' }));
    await new Promise((resolve) => setTimeout(resolve, 250));
    const next = failure(client.compareToSoftmax(input, { key: 'picture' }));
    expect(await long).toBeInstanceOf(SupersededError);
    client.dispose();
    expect(await next).toBeInstanceOf(CancelledError);
  });

  it('reports growing progress and stops at the signal, running or waiting', async () => {
    const client = await slowClient(50, 35);
    const stop = new AbortController();
    const seen: number[] = [];
    const running = client.compareToSoftmax(input, {
      signal: stop.signal,
      onProgress: (fraction) => {
        seen.push(fraction);
        if (seen.length === 3) stop.abort();
      },
    });
    const waiting = client.compareToSoftmax(input, { signal: stop.signal });
    for (const error of await Promise.all([failure(running), failure(waiting)])) {
      expect(error).toBeInstanceOf(CancelledError);
    }
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    expect(await failure(client.compareToSoftmax(input, { signal: stop.signal }))).toBeInstanceOf(
      CancelledError,
    );
    // The worker is free for other calls.
    expect(await client.featureMaps()).not.toHaveLength(0);
    client.dispose();
  });

  it('frees the wasm memory of a call, also when it fails or is stopped', async () => {
    const real = await loadCore('simd');
    let held = 0;
    let made = 0;
    const counting: RawCore = {
      ...real,
      gaussianQkv: (options) => real.gaussianQkv(options),
      makeCompareToSoftmax: (options) => {
        const comparison = real.makeCompareToSoftmax(options);
        held++;
        made++;
        return {
          // The call computes one row in each step, and slowly, so that there is time to stop it.
          step: () => {
            const end = performance.now() + 35;
            while (performance.now() < end);
            return comparison.step(1);
          },
          progress: () => comparison.progress(),
          result: () => comparison.result(),
          delete: () => {
            held--;
            comparison.delete();
          },
        };
      },
    };
    const client = createClient({
      build: 'simd',
      makeWorker: () => coreWorker(async () => counting),
    });
    const qkv = await client.gaussianQkv({ n: 6, dK: 8, dV: 4, seed: 1 });
    await client.compareToSoftmax({ ...qkv, featureMap: { id: 'relu' } });
    expect([made, held]).toEqual([1, 0]);
    const stop = new AbortController();
    const stopped = client.compareToSoftmax(
      { ...qkv, featureMap: { id: 'exp' } },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect(await failure(stopped)).toBeInstanceOf(CancelledError);
    expect([made, held]).toEqual([2, 0]);
    await failure(client.compareToSoftmax({ ...qkv, featureMap: { id: 'nope' } }));
    expect([made, held]).toEqual([2, 0]);
    client.dispose();
  });

  it('never runs two calls at once, also when requests come in right after an answer', async () => {
    const client = await slowClient(8, 35);
    await client.compareToSoftmax(input);
    const stop = new AbortController();
    const order: string[] = [];
    const first = client
      .compareToSoftmax(input, { signal: stop.signal, onProgress: () => stop.abort() })
      .catch((error: unknown) => {
        order.push('first');
        return error;
      });
    const second = client.compareToSoftmax(input).then(() => order.push('second'));
    expect(await first).toBeInstanceOf(CancelledError);
    await second;
    expect(order).toEqual(['first', 'second']);
    client.dispose();
  });

  it('answers short calls between the steps of a long one', async () => {
    const client = await slowClient(20, 35);
    const order: string[] = [];
    const long = client.compareToSoftmax(input).then(() => order.push('long'));
    const other = client.compareToSoftmax(input).then(() => order.push('other long'));
    await client.featureMaps().then(() => order.push('short'));
    expect(order).toEqual(['short']);
    await Promise.all([long, other]);
    expect(order).toEqual(['short', 'long', 'other long']);
    client.dispose();
  });

  it('transfers results instead of copying them', async () => {
    const transferred: Transferable[] = [];
    const client = createClient({
      build: 'simd',
      makeWorker: () => {
        const worker = coreWorker();
        const post = worker.scope.postMessage;
        worker.scope.postMessage = (message, transfer) => {
          transferred.push(...transfer);
          post(message, transfer);
        };
        return worker;
      },
    });
    const { q } = await client.gaussianQkv({ n: 5, dK: 3, dV: 2, seed: 1 });
    expect(q.data).toHaveLength(15);
    expect(transferred).toHaveLength(3);
    expect((transferred[0] as ArrayBuffer).byteLength).toBe(0);
    client.dispose();
  });
});

describe('failures', () => {
  it('a core that does not start reports why, at once and on every call', async () => {
    const client = createClient({
      build: 'simd',
      makeWorker: () => coreWorker(() => Promise.reject(new Error('blocked by a policy'))),
    });
    const error = await failure(client.ready());
    expect(error.code).toBe('load');
    expect(error.message).toContain('blocked by a policy');
    expect((await failure(client.featureMaps())).code).toBe('load');
  });

  it('a worker file that cannot be loaded is a load failure too', async () => {
    const client = createClient({
      build: 'simd',
      makeWorker: () => {
        const worker = coreWorker(() => new Promise(() => undefined));
        queueMicrotask(() => worker.onerror?.({ message: '' } as ErrorEvent));
        return worker;
      },
    });
    const error = await failure(client.featureMaps());
    expect(error.code).toBe('load');
    expect(error.message).toContain('could not be loaded or was blocked');
  });

  it('a trap rejects the running call, restarts the core and repeats no call', async () => {
    let started = 0;
    const real = await loadCore('simd');
    const client = createClient({
      build: 'simd',
      makeWorker: () =>
        coreWorker(async () => {
          started++;
          return {
            ...real,
            featureMaps: () => real.featureMaps(),
            explainCell: () => {
              throw new WebAssembly.RuntimeError('unreachable');
            },
          };
        }),
    });
    const trapped = client.explainCell({} as never);
    const queued = client.featureMaps();
    const [first, second] = await Promise.all([failure(trapped), failure(queued)]);
    expect(first.code).toBe('trap');
    expect(first.message).toContain('unreachable');
    expect(second.code).toBe('trap');
    expect(await client.featureMaps()).not.toHaveLength(0);
    expect(started).toBe(2);
    client.dispose();
  });

  it('input that cannot be sent is a value error, and leaves no call waiting', async () => {
    const client = createTestClient();
    const stop = new AbortController();
    const error = await failure(client.attention({ q: () => 1 } as never, { signal: stop.signal }));
    // In Node the message is cloned at once, as in a browser.
    expect(error.code).toBe('value');
    stop.abort();
    expect(await client.featureMaps()).not.toHaveLength(0);
    client.dispose();
  });

  it('a worker that the page may not make is a load failure', async () => {
    const client = createClient({
      build: 'simd',
      makeWorker: () => {
        throw new Error('refused by worker-src');
      },
    });
    const error = await failure(client.ready());
    expect(error.code).toBe('load');
    expect(error.message).toContain('refused by worker-src');
    expect((await failure(client.featureMaps())).code).toBe('load');
  });

  it('a late error of a worker that was replaced does not stop the new worker', async () => {
    const workers: InProcessWorker[] = [];
    const client = createClient({
      build: 'simd',
      makeWorker: () => {
        const worker = coreWorker();
        workers.push(worker);
        return worker;
      },
    });
    await client.ready();
    workers[0]?.onerror?.({ message: 'first' } as ErrorEvent);
    workers[0]?.onerror?.({ message: 'second' } as ErrorEvent);
    expect(await client.featureMaps()).not.toHaveLength(0);
    expect(workers).toHaveLength(2);
    client.dispose();
  });

  it('after dispose every call ends as cancelled', async () => {
    const client = createTestClient();
    await client.ready();
    const running = client.featureMaps();
    client.dispose();
    expect(await failure(running)).toBeInstanceOf(CancelledError);
    expect(await failure(client.featureMaps())).toBeInstanceOf(CancelledError);
  });
});
