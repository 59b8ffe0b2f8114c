/** A cache of so many tokens is full. What is done then, and what it does to the trained reader. */
import type { Client, Matrix } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { modelNamed, unreadTokens } from '../shared/reader.ts';

export const WAYS = ['ring', 'sinks', 'anew'] as const;
export type Way = (typeof WAYS)[number];

/** The reader's longest text. */
export const N = 128;
const TEXTS = 8;

/** 1 where query i (row) still has key j in its cache of `size` tokens. */
export function inCache(way: Way, size: number, sinks: number): Matrix {
  const data = new Float32Array(N * N);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j <= i; j++) {
      const near =
        way === 'anew'
          ? Math.floor(i / size) === Math.floor(j / size)
          : i - j < (way === 'sinks' ? Math.max(1, size - sinks) : size);
      if (near || (way === 'sinks' && j < sinks)) data[i * N + j] = 1;
    }
  }
  return { rows: N, cols: N, data };
}

export interface Loss {
  /** In nats a token over the tokens that come when the cache is full. */
  readonly whole: number;
  readonly cut: number;
  /** The mean over the texts for each place, in groups of eight. */
  readonly byPlace: readonly {
    readonly at: number;
    readonly whole: number;
    readonly cut: number;
  }[];
  readonly kept: Matrix;
}

/** The tokens of the texts, one after the other, and what should come after each. */
export async function passages(client: Client, ask: Ask, most = TEXTS) {
  const all = await unreadTokens(client, ask);
  const batch = Math.min(most, Math.floor((all.length - 1) / N));
  return {
    batch,
    tokens: all.slice(0, batch * N),
    targets: all.slice(1, batch * N + 1),
  };
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);

export async function lossWith(
  client: Client,
  { way, size, sinks }: { readonly way: Way; readonly size: number; readonly sinks: number },
  ask: Ask,
): Promise<Loss> {
  const { signal } = ask;
  const { model } = await modelNamed(client, 'reader', ask);
  const texts = await passages(client, ask);
  const kept = inCache(way, size, sinks);
  const whole = await model.losses(texts, { signal });
  ask.onProgress(0.6);
  const cut = await model.losses({ ...texts, gates: { keep: kept } }, { signal });
  const over = (losses: Float64Array, from: number, to: number): number =>
    mean([...losses].filter((_, i) => i % N >= from && i % N < to));
  const GROUP = 8;
  return {
    whole: over(whole, size, N),
    cut: over(cut, size, N),
    byPlace: Array.from({ length: N / GROUP }, (_, g) => ({
      at: (g + 0.5) * GROUP,
      whole: over(whole, g * GROUP, (g + 1) * GROUP),
      cut: over(cut, g * GROUP, (g + 1) * GROUP),
    })),
    kept,
  };
}
