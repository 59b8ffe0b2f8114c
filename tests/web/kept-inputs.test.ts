import { afterAll, describe, expect, it } from 'vitest';
import { type Client, CoreError } from '#client';
import { featureMapsOf } from '../../web/src/core';
import { keptGaussian, keptOwn, keptText, withKept } from '../../web/src/lab/figure/kept-inputs';
import { RecentAnswers } from '../../web/src/lab/figure/recent-answers';
import { createTestClient } from '../wasm/in_process';

/** A client that counts the calls made to it. */
function counting() {
  const client = createTestClient('simd');
  const asked: string[] = [];
  const counted = Object.fromEntries(
    (['gaussianQkv', 'textQkv', 'keep', 'featureMaps'] as const).map((name) => [
      name,
      (...input: unknown[]) => {
        asked.push(name);
        return (client[name] as (...input: unknown[]) => unknown)(...input);
      },
    ]),
  );
  return { client: { ...client, ...counted } as Client, asked };
}

describe('inputs that stay in the core', () => {
  const clients: Client[] = [];
  afterAll(() => {
    for (const client of clients) client.dispose();
  });
  const start = () => {
    const made = counting();
    clients.push(made.client);
    return made;
  };
  const sizes = { n: 8, dK: 4, dV: 2, seed: 5 };

  it('are computed once for all callers, and are the same numbers', async () => {
    const { client, asked } = start();
    const first = await keptGaussian(client, sizes);
    expect(await keptGaussian(client, { ...sizes })).toBe(first);
    expect(asked).toEqual(['gaussianQkv']);
    const text = { text: 'one two one', dK: 4, dV: 2, seed: 1, maxTokens: 9 };
    expect((await keptText(client, text)).tokens).toEqual(['one', 'two', 'one']);
    await keptText(client, text);
    expect(asked).toEqual(['gaussianQkv', 'textQkv']);
    const whole = await client.gaussianQkv(sizes);
    expect(await client.read(first)).toEqual(whole);
    expect(await client.attention(first)).toEqual(await client.attention(whole));
  });

  it('of the page are sent once while they are the same objects', async () => {
    const { client, asked } = start();
    const own = await client.gaussianQkv(sizes);
    const kept = await keptOwn(client, own);
    expect(await keptOwn(client, { ...own })).toBe(kept);
    expect(await keptOwn(client, { ...own, v: { ...own.v } })).not.toBe(kept);
    // Each matrix by itself, so that no task of the page copies all three, and as a copy: the page keeps its own.
    expect(asked).toEqual(['gaussianQkv', ...Array.from({ length: 6 }, () => 'keep')]);
    expect(own.q.data.length).toBe(sizes.n * sizes.dK);
    expect(await client.read(kept)).toEqual(own);
  });

  it('asked for twice at once are kept once', async () => {
    const { client } = start();
    const [one, other] = await Promise.all([
      keptGaussian(client, sizes),
      keptGaussian(client, sizes),
    ]);
    expect(other).toBe(one);
    expect(client.holds(one)).toBe(true);
  });

  it('make room for others, the one used longest ago first', async () => {
    const { client } = start();
    // Each has 3·2²¹ entries, so two fit into the store and three do not.
    const large = (seed: number) => keptGaussian(client, { n: 4096, dK: 512, dV: 512, seed });
    const first = await large(1);
    const second = await large(2);
    await large(1);
    await large(3);
    expect([client.holds(first), client.holds(second)]).toEqual([true, false]);
    expect(await large(2)).not.toBe(second);
  });

  it('are made again when they are gone', async () => {
    const { client, asked } = start();
    let times = 0;
    const output = await withKept(async () => {
      const kept = await keptGaussian(client, sizes);
      // The release stands for a restart of the core between the two calls.
      if (times++ === 0) client.release(kept);
      return client.attention(kept);
    });
    expect(output.output.rows).toBe(8);
    expect(asked).toEqual(['gaussianQkv', 'gaussianQkv']);
    await expect(withKept(() => Promise.reject(new CoreError('value', 'no')))).rejects.toThrow(
      'no',
    );
  });

  it('include the feature maps, which are requested once', async () => {
    const { client, asked } = start();
    expect(await featureMapsOf(client)).toBe(await featureMapsOf(client));
    expect(asked).toEqual(['featureMaps']);
  });
});

describe('recent answers', () => {
  it('are returned again while the store has room, and failures are not', async () => {
    const recent = new RecentAnswers<number>(10, (answer) => answer);
    const asked: number[] = [];
    const ask = (size: number) =>
      recent.of(size, async () => {
        asked.push(size);
        return size;
      });
    for (const size of [4, 5, 4, 5, 3, 4, 20, 20, 3]) expect(await ask(size)).toBe(size);
    expect(asked).toEqual([4, 5, 3, 4, 20, 3]);
    const fail = () => recent.of('no', () => Promise.reject(new Error('no')));
    await expect(fail()).rejects.toThrow('no');
    await expect(fail()).rejects.toThrow('no');
  });
});
