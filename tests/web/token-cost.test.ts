import { afterEach, expect, it, vi } from 'vitest';
import type { Client } from '#client';
import { type TokenCost, tokenCost } from '../../web/labs/long-texts/figures/draft/token-cost';
import type { Ask } from '../../web/src/lab/types';
import type { Trained } from '../../web/src/models/trained';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What it says of two models whose tokens take `each` ms on a clock of whole ms; the first `held` texts are held up. */
async function said(each: readonly [number, number], held: number): Promise<TokenCost> {
  let now = 0;
  let made = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => Math.floor(now));
  const takes = (ms: number): Trained =>
    ({
      model: {
        generate: async ({ count }: { readonly count: number }) => {
          // Texts of one token come first, and a busy machine holds up those alone.
          now += 3 + count * ms + (count === 1 && made++ < held ? 100 : 0);
        },
      },
    }) as unknown as Trained;
  return tokenCost(
    {} as Client,
    { reader: takes(each[0]), small: takes(each[1]) },
    { prompt: new Int32Array(8), count: 48 },
    { signal: new AbortController().signal, onProgress: () => undefined } satisfies Ask,
  );
}

it('is the time of a token, without that of the prompt', async () => {
  expect(await said([1, 0.25], 0)).toEqual({ reader: 1, small: 0.25, ratio: 0.25, alone: 51 });
});

it('is measured on more texts where short ones were held up, so that no token takes less than nothing', async () => {
  // Four turns of two models are held up.
  const { reader, small, ratio } = await said([1, 0.25], 8);
  // A step of the clock is 1/64 of a millisecond a token when two texts of 32 tokens are timed.
  expect(Math.abs(reader - 1)).toBeLessThanOrEqual(1 / 64);
  expect(Math.abs(small - 0.25)).toBeLessThanOrEqual(1 / 64);
  expect(ratio).toBe(small / reader);
});

it('is measured on more texts where tokens are shorter than the clock can tell', async () => {
  expect(await said([0.5, 1 / 64], 0)).toMatchObject({ reader: 0.5, small: 1 / 64 });
});
