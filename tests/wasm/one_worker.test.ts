import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { createClient, type Matrix } from '../../wasm/client';
import { KeptValues, keptLimits } from '../../wasm/client/kept';
import type { ModuleName, Request } from '../../wasm/client/protocol';
import type { Prepared } from '../../wasm/client/server';
import { createTestClient, InProcessWorker, loadModule } from './in_process';
import { failure, matrix } from './support';

const featureMap = { id: 'relu' };
const fits = { x: [1, 2, 4], y: [1, 2, 4] };

/** A client and a record of the messages to its one worker; the test decides when each module has loaded. */
function watched(
  prepare?: (module: ModuleName) => Promise<Prepared<never>> | undefined,
  first: ModuleName = 'start',
) {
  const asked: ModuleName[] = [];
  const told: Request[] = [];
  const workers: InProcessWorker[] = [];
  const client = createClient({
    build: 'simd',
    module: first,
    warmUp: false,
    makeWorker: () => {
      const worker = new InProcessWorker({
        prepare: async (module, build) => {
          asked.push(module);
          return (await prepare?.(module)) ?? (() => loadModule(module, build));
        },
      });
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message, transfer) => {
        told.push(structuredClone(message));
        post(message, transfer);
      };
      workers.push(worker);
      return worker;
    },
  });
  return { client, asked, told, workers };
}

describe('start and full', () => {
  it('begin with start, which stays while it has every call', async () => {
    const { client, asked, workers } = watched();
    await client.featureMaps();
    await client.orderCosts({ n: 4, dK: 2, dV: 2 });
    expect([asked, client.module, workers.length]).toEqual([['start'], 'start', 1]);
    client.dispose();
  });

  it('full replaces start in the same worker at the first call that needs it', async () => {
    const { client, asked, workers } = watched();
    const before = await client.gaussianQkv({ n: 4, dK: 3, dV: 2, seed: 1 });
    expect((await client.fitSlope({ ...fits, at: [8] })).slope).toBeCloseTo(1);
    expect([asked, client.module, workers.length]).toEqual([['start', 'full'], 'full', 1]);
    expect(await client.gaussianQkv({ n: 4, dK: 3, dV: 2, seed: 1 })).toEqual(before);
    expect(asked).toHaveLength(2);
    client.dispose();
  });

  it('start answers its calls while full is loading', async () => {
    let arrive = (): void => undefined;
    const { client } = watched((module) =>
      module === 'start'
        ? undefined
        : new Promise((resolve) => (arrive = () => resolve(undefined as never))),
    );
    const order: string[] = [];
    const slope = client.fitSlope({ ...fits, at: [8] }).then(() => order.push('full'));
    await client.featureMaps().then(() => order.push('start'));
    await client.featureMaps().then(() => order.push('start'));
    expect(client.module).toBe('start');
    arrive();
    await slope;
    expect(order).toEqual(['start', 'start', 'full']);
    client.dispose();
  });

  it('start reads texts in Latin letters, and full those that need tables of Unicode', async () => {
    const { client, asked } = watched();
    const ask = (text: string) => client.textQkv({ text, dK: 4, dV: 2, seed: 1, maxTokens: 64 });
    const latin = 'Grüße – “don’t”\u00ad s…';
    const before = await ask(latin);
    expect(before.tokens).toEqual(['Grüße', '–', '“', 'don’t', '”', 's', '…']);
    expect(asked).toEqual(['start']);
    // What waits for full does not keep start from answering.
    const [persian, maps] = await Promise.all([ask('حال شما چیست؟\u202e'), client.featureMaps()]);
    expect(persian.tokens).toEqual(['حال', 'شما', 'چیست', '؟']);
    expect(maps).not.toHaveLength(0);
    expect([asked, client.module]).toEqual([['start', 'full'], 'full']);
    expect(await ask(latin)).toEqual(before);
    const same = await ask('Über u\u0308ber ΣΑΣ σας 한 \u1112\u1161\u11ab');
    const other = await ask('über über σας ΣΑΣ 한 한');
    expect(same.q).toEqual(other.q);
    client.dispose();
  });

  it('a text that needs full fails with the module that does not come, and with a later one that does', async () => {
    let broken = true;
    const { client } = watched((module) =>
      module === 'full' && broken ? Promise.reject(new Error('offline')) : undefined,
    );
    const ask = () => client.textQkv({ text: '？OK', dK: 4, dV: 2, seed: 1, maxTokens: 64 });
    expect(await failure(ask())).toMatchObject({ code: 'load' });
    expect(
      (await client.textQkv({ text: 'OK', dK: 4, dV: 2, seed: 1, maxTokens: 64 })).tokens,
    ).toEqual(['OK']);
    broken = false;
    expect((await ask()).tokens).toEqual(['？', 'OK']);
    client.dispose();
  });

  it('a newer text takes the place of one that waits for full', async () => {
    let arrive = (): void => undefined;
    const { client } = watched((module) =>
      module === 'start'
        ? undefined
        : new Promise((resolve) => (arrive = () => resolve(undefined as never))),
    );
    const ask = (text: string) =>
      client.textQkv({ text, dK: 4, dV: 2, seed: 1, maxTokens: 64 }, { key: 'input' });
    const first = failure(ask('１'));
    await client.featureMaps();
    const second = ask('２？');
    expect(await first).toMatchObject({ code: 'superseded' });
    await client.featureMaps();
    arrive();
    expect((await second).tokens).toEqual(['２', '？']);
    client.dispose();
  });

  it('full can be fetched in advance, and is fetched only once', async () => {
    const { client, asked } = watched();
    await client.ready();
    client.preload();
    client.preload();
    await vi.waitFor(() => expect(client.module).toBe('full'));
    await client.fitSlope({ ...fits, at: [8] });
    client.preload();
    await client.featureMaps();
    expect(asked).toEqual(['start', 'full']);
    client.dispose();
  });

  it('may begin with full, which is then fetched once', async () => {
    const { client, asked } = watched(undefined, 'full');
    client.preload();
    const [fit, maps] = await Promise.all([
      client.fitSlope({ ...fits, at: [8] }),
      client.featureMaps(),
    ]);
    expect(fit.slope).toBeCloseTo(1);
    expect(maps).not.toHaveLength(0);
    expect(asked).toEqual(['full']);
    client.dispose();
  });

  it('report when full cannot be fetched, continue with start, and try again', async () => {
    let online = false;
    const { client, asked } = watched((module) => {
      if (module === 'full' && !online) return Promise.reject(new Error('no network'));
      return undefined;
    });
    const [error] = await Promise.all([
      failure(client.fitSlope({ ...fits, at: [8] })),
      client.featureMaps(),
    ]);
    expect([error.code, error.message]).toEqual(['load', 'no network']);
    expect(client.module).toBe('start');
    online = true;
    expect((await client.fitSlope({ ...fits, at: [8] })).slope).toBeCloseTo(1);
    expect(asked).toEqual(['start', 'full', 'full']);
    client.dispose();
  });

  it('a call that waits for full can be cancelled', async () => {
    const { client } = watched((module) =>
      module === 'full' ? new Promise(() => undefined) : undefined,
    );
    const stop = new AbortController();
    const waits = failure(client.fitSlope({ ...fits, at: [8] }, { signal: stop.signal }));
    await client.featureMaps();
    stop.abort();
    expect((await waits).code).toBe('cancelled');
    client.dispose();
  });

  it('the heap of start is freed', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heaps: WeakRef<object>[] = [];
    const { client } = watched(async (module) => async () => {
      const core = await loadModule(module, 'simd');
      heaps.push(new WeakRef(core));
      return core as never;
    });
    const qkv = await client.gaussianQkv({ n: 64, dK: 8, dV: 8, seed: 1 });
    await client.compareToSoftmax({ ...qkv, featureMap });
    await client.fitSlope({ ...fits, at: [8] });
    expect(heaps).toHaveLength(2);
    await vi.waitFor(() => {
      collect();
      expect(heaps[0]?.deref()).toBeUndefined();
    });
    expect(heaps[1]?.deref()).toBeDefined();
    client.dispose();
  });

  it('full is loaded again after it has crashed', async () => {
    const { client, asked, workers } = watched();
    await client.fitSlope({ ...fits, at: [8] });
    workers[0]?.onerror?.({ message: 'gone' } as ErrorEvent);
    await client.featureMaps();
    expect([asked, workers.length]).toEqual([['start', 'full', 'full'], 2]);
    client.dispose();
  });
});

describe('kept values', () => {
  const sizes = { n: 32, dK: 8, dV: 4, seed: 3 };
  const bytesOf = (input: unknown): number =>
    input && typeof input === 'object'
      ? ArrayBuffer.isView(input)
        ? input.byteLength
        : Object.values(input).reduce((sum: number, part) => sum + bytesOf(part), 0)
      : 0;

  it('stand for the values in later calls, and their numbers are not sent again', async () => {
    const { client, told } = watched();
    const whole = await client.gaussianQkv(sizes);
    const kept = await client.gaussianQkv(sizes, { keep: true });
    expect(kept.q).toEqual({ rows: 32, cols: 8, kept: expect.any(String) });
    told.length = 0;
    const cell = { query: 3, key: 5, featureMap };
    expect(await client.explainCell({ ...kept, ...cell })).toEqual(
      await client.explainCell({ ...whole, ...cell }),
    );
    expect(told.map((message) => bytesOf((message as { input: unknown }).input))).toEqual([
      0,
      4 * (32 * 8 + 32 * 8 + 32 * 4),
    ]);
    client.dispose();
  });

  it('may be a part of an input or of a result, and survive the change of modules', async () => {
    const { client } = watched();
    const { q, k, v } = await client.gaussianQkv(sizes);
    const keptV = await client.keep(v);
    expect(keptV).toEqual({ rows: 32, cols: 4, kept: expect.any(String) });
    const compared = await client.compareToSoftmax({ q, k, v: keptV, featureMap }, { keep: true });
    // Results that are not matrices arrive as usual.
    expect(compared.mse).toBeGreaterThan(0);
    expect(compared.softmaxRange).toHaveLength(2);
    const whole = await client.compareToSoftmax({ q, k, v, featureMap });
    const { analyzeAttentionPatterns } = client;
    const spread = await analyzeAttentionPatterns({ weights: compared.softmax });
    expect(client.module).toBe('full');
    expect(spread).toEqual(await analyzeAttentionPatterns({ weights: whole.softmax }));
    const { output } = await client.attention({ q, k, v });
    expect((await client.attention({ q, k, v: keptV })).output).toEqual(output);
    client.dispose();
  });

  it('can be read, and are kept afterwards', async () => {
    const { client } = watched();
    const kept = await client.gaussianQkv(sizes, { keep: true });
    const whole = await client.gaussianQkv(sizes);
    expect(await client.read(kept)).toEqual(whole);
    expect(await client.read({ of: [kept.q] })).toEqual({ of: [whole.q] });
    client.dispose();
  });

  it('are freed by release, after the calls that were made before it', async () => {
    const { client } = watched();
    const kept = await client.gaussianQkv(sizes, { keep: true });
    expect(client.holds(kept)).toBe(true);
    const asked = client.attention(kept);
    client.release(kept);
    expect(client.holds(kept)).toBe(false);
    expect((await asked).output.rows).toBe(32);
    const error = await failure(client.attention(kept));
    expect([error.code, error.argument]).toEqual(['gone', 'q']);
    client.dispose();
  });

  it('are gone after a restart: a call with them gives a clear error, and new ones work', async () => {
    const { client, workers } = watched();
    const kept = await client.gaussianQkv(sizes, { keep: true });
    workers[0]?.onerror?.({ message: 'crashed' } as ErrorEvent);
    expect(client.holds(kept)).toBe(false);
    expect(await failure(client.attention(kept))).toMatchObject({ code: 'gone', argument: 'q' });
    const again = await client.gaussianQkv(sizes, { keep: true });
    expect(again.q.kept).not.toBe(kept.q.kept);
    expect((await client.attention(again)).output.rows).toBe(32);
    client.dispose();
  });

  it('are freed when no handle to them is left', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { client, told } = watched();
    await client.gaussianQkv(sizes, { keep: true });
    await vi.waitFor(() => {
      collect();
      const names = told.flatMap((message) => (message.type === 'release' ? message.kept : []));
      expect(names).toHaveLength(3);
    });
    client.dispose();
  });

  it('are limited in size, and a refused value is not kept', () => {
    const values = new KeptValues();
    const of = (numbers: number): Matrix => ({
      rows: 1,
      cols: numbers,
      // The array reports its length without taking the memory.
      data: Object.defineProperty(new Float32Array(0), 'byteLength', { value: 4 * numbers }),
    });
    const most = keptLimits.bytes / 4;
    const kept = values.keep(of(most - 1), 'a') as { kept: string };
    expect(() => values.keep({ one: of(1), two: of(1) }, 'b')).toThrow(/release some first/);
    values.keep(of(1), 'c');
    values.release([kept.kept]);
    values.keep(of(most - 1), 'd');
    const many = Array.from({ length: keptLimits.values }, () => matrix(1, 1, [1]));
    expect(() => new KeptValues().keep([...many, ...many], 'e')).toThrow(/release some first/);
  });

  it('made from a transferred value have the same numbers', async () => {
    const client = createTestClient('simd');
    const x = matrix(2, 2, [1, 2, 3, 4]);
    const kept = await client.keep(x, { transfer: true });
    expect(x.data).toHaveLength(0);
    const made = await client.applyFeatureMap({ x: kept, featureMap: { id: 'identity' } });
    expect([...made.data]).toEqual([1, 2, 3, 4]);
    client.dispose();
  });
});
