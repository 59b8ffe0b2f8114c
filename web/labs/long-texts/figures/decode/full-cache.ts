/** A cache of so many tokens is full. What is done then, and what it does to the trained reader. */
import type { Client, Matrix } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { meanOf, modelNamed, unreadPassages } from '../shared/reader.ts';

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

export async function lossWith(
  client: Client,
  { way, size, sinks }: { readonly way: Way; readonly size: number; readonly sinks: number },
  ask: Ask,
): Promise<Loss> {
  const { signal } = ask;
  const { model } = await modelNamed(client, 'reader', ask);
  const texts = await unreadPassages(client, N, TEXTS, ask);
  const kept = inCache(way, size, sinks);
  const whole = await model.losses(texts, { signal });
  ask.onProgress(0.6);
  const cut = await model.losses({ ...texts, gates: { keep: kept } }, { signal });
  const over = async (from: number, to: number) => {
    const of = (losses: Float64Array): Promise<number> =>
      meanOf(
        client,
        losses.filter((_, i) => i % N >= from && i % N < to),
        signal,
      );
    return { whole: await of(whole), cut: await of(cut) };
  };
  const GROUP = 8;
  const groups = Array.from({ length: N / GROUP }, async (_, g) => ({
    at: (g + 0.5) * GROUP,
    ...(await over(g * GROUP, (g + 1) * GROUP)),
  }));
  return { ...(await over(size, N)), byPlace: await Promise.all(groups), kept };
}
