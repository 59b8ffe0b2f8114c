/** What lives in the worker, counted by the core: what the page made, and the trials of the stopwatch. */
import { afterAll, expect, it } from 'vitest';
import { KvCache, Tokenizer } from '../../wasm/client';
import { createClient } from '../../wasm/client/client';
import { callThat, declared, made } from './declared';
import { fullWorker } from './in_process';

const client = createClient({
  build: 'simd',
  module: 'full',
  warmUp: false,
  makeWorker: () => fullWorker(),
});
afterAll(() => client.dispose());

it('is counted by kind until it is given back', async () => {
  expect(await client.aliveObjects()).toEqual([]);
  const cache = { capacity: 4, kvHeads: 1, dK: 2, dV: 2 };
  const caches = [await KvCache.create(client, cache), await KvCache.create(client, cache)];
  const tokenizer = await Tokenizer.create(client, { text: 'some words' });
  const trial = { mechanism: 'fused', n: 2 } as const;
  await client.timeRound({ trials: [trial], milliseconds: 0.1 });
  const counted = [...(await client.aliveObjects())].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  expect(counted).toEqual([
    { kind: 'KvCache', count: 2 },
    { kind: 'Tokenizer', count: 1 },
    { kind: 'trial', count: 1 },
  ]);
  await caches[0]?.dispose();
  await tokenizer.dispose();
  await client.timeRound({ trials: [], milliseconds: 1 });
  expect(await client.aliveObjects()).toEqual([{ kind: 'KvCache', count: 1 }]);
  await caches[1]?.dispose();
  expect(await client.aliveObjects()).toEqual([]);
});

it('is no object whose making was refused', async () => {
  await expect(KvCache.create(client, { capacity: 0, kvHeads: 1, dK: 2, dV: 2 })).rejects.toThrow();
  expect(await client.aliveObjects()).toEqual([]);
});

it('is of kinds that each declare how one is made and how it ends', () => {
  const handles = declared.calls.map(({ arguments: [first] }) => first?.type);
  const kinds = new Set(
    handles.filter((type) => type?.kind === 'handle').map((type) => type?.name),
  );
  expect([...kinds].sort()).toEqual(Object.keys(made).sort());
  for (const kind of Object.keys(made)) {
    expect(callThat('makes', kind)).not.toBe(callThat('ends', kind));
  }
});
