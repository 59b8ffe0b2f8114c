/** Streams that are decoded for as long as one likes: what they hold, and what a cache that is only read holds. */
import { afterAll, describe, expect, it } from 'vitest';
import { MixerStream } from '../../wasm/client';
import { createFullTestClient } from './in_process';

const LONG = 131_072;
const CALL = 4096;

// What is held is the core's, and the relaxed build has only other kernels.
describe('a stream', () => {
  const client = createFullTestClient('simd');
  afterAll(() => client.dispose());
  const heap = async () => (await client.memoryInfo()).bytes;
  const stream = (id: string, length = LONG + 1) =>
    MixerStream.create(client, { mixer: { id, dModel: 8, length }, seed: 1 });

  it.each([
    ['linear', LONG],
    // A step of these takes longer, and what grew with the tokens would show in a quarter of them.
    ['gated_delta_rule', LONG / 4],
    ['rwkv4', LONG / 4],
  ])(
    'of %s grows by nothing in %i tokens, because its state has one size',
    async (id, length) => {
      const decoded = await stream(id, length + 1);
      const { stateNumbers } = await decoded.advance(CALL);
      const before = await heap();
      for (let tokens = CALL; tokens < length; tokens += CALL) await decoded.advance(CALL);
      const { position, ...end } = await decoded.advance(1);
      expect(position).toBe(length + 1);
      expect(end.stateNumbers).toBe(stateNumbers);
      expect(await heap()).toBe(before);
      await decoded.dispose();
    },
    240_000,
  );

  it('fills a cache without outputs as decoding fills it', async () => {
    for (const id of ['softmax', 'mla', 'linear']) {
      // Both draw 64 tokens at a time.
      const [decoded, read] = [await stream(id), await stream(id)];
      for (let i = 0; i < 3; i++) {
        await decoded.advance(64);
        await read.read(64);
      }
      const [wanted, got] = [await decoded.advance(1), await read.advance(1)];
      expect({ ...got, lastNorm: 0 }).toEqual({ ...wanted, lastNorm: 0 });
      expect(got.lastNorm).toBeGreaterThan(0);
      expect(Math.abs(got.lastNorm / wanted.lastNorm - 1)).toBeLessThan(1e-4);
      await Promise.all([decoded.dispose(), read.dispose()]);
    }
  });

  it('holds 131,072 keys and values of softmax, and frees them', async () => {
    const softmax = await stream('softmax');
    expect((await softmax.read(LONG - 1)).stateNumbers).toBe((LONG - 1) * 16);
    expect((await softmax.advance(1)).stateNumbers).toBe(LONG * 16);
    await softmax.dispose();
  });
});
