/** Smaller caches of the trained reader: their bytes a token, and what the reader loses on a text it has not read. */
import type { Client } from '#client';
import { LanguageModel } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { N } from '../decode/full-cache.ts';
import { meanOf, modelNamed, unreadPassages } from '../shared/reader.ts';

/** How many texts the losses are means of. */
const TEXTS = 2;

/** The widths of latent vectors, and of the one turned key beside each. */
const LATENT = [64, 32, 16];
const ROPE = 12;

export const AXES = ['channel', 'token'] as const;
export interface SmallCache {
  readonly id: string;
  readonly kind: 'exact' | 'bits' | 'grouped' | 'latent';
  readonly bits?: number;
  readonly heads?: number;
  /** The width of the latent vector. */
  readonly latent?: number;
  /** Bytes of all layers' caches a token, at the reader's longest text. */
  readonly bytes: number;
  /** Nats a token. */
  readonly loss: number;
}

export interface SmallSetting {
  readonly axis: (typeof AXES)[number];
  /** How many of the newest tokens stay exact. */
  readonly exact: number;
}

export async function* smallCaches(
  client: Client,
  { axis, exact }: SmallSetting,
  ask: Ask,
): AsyncGenerator<{ readonly row: SmallCache; readonly fraction: number }> {
  const { signal } = ask;
  const { model } = await modelNamed(client, 'reader', ask);
  const texts = await unreadPassages(client, N, TEXTS, ask);
  const wholeBytes = await model.stateBytes(N, { signal });
  // A text at a time, so that Stop is quick: each token has a cache of its own to be rounded.
  const lossOf = async (gates = {}): Promise<number> => {
    const losses: number[] = [];
    for (let s = 0; s < texts.batch; s++) {
      const tokens = texts.tokens.slice(s * N, (s + 1) * N);
      const targets = texts.targets.slice(s * N, (s + 1) * N);
      losses.push(...(await model.losses({ tokens, targets, gates }, { signal })));
    }
    return meanOf(client, losses, signal);
  };
  const row = { id: 'exact', kind: 'exact' as const, bytes: wholeBytes / N, loss: await lossOf() };
  yield { row, fraction: 0.1 };
  const { layers } = await model.info({ signal });
  const heads = layers[0]?.matrices ?? 1;
  const width = wholeBytes / (4 * 2 * N * layers.length * heads);
  const sample = await client.gaussianQkv({ n: N, dK: width, dV: width, seed: 1 }, { signal });
  for (const [i, bits] of [8, 4, 2].entries()) {
    const cache = {
      keys: {
        bits,
        zeroPoint: true,
        axis: axis === 'token' ? ('row' as const) : ('column' as const),
      },
      values: { bits, zeroPoint: true, axis: 'row' as const },
      ...{ exactKeys: exact, exactValues: exact },
    };
    const loss = await lossOf({ cache });
    // The bytes depend on the numbers of rows and columns only.
    const one = await client.quantizedCacheAttention({ ...sample, ...cache }, { signal });
    const bytes = (one.bytes * heads * layers.length) / N;
    yield {
      row: { id: `bits${bits}`, kind: 'bits', bits, bytes, loss },
      fraction: 0.1 + 0.2 * (i + 1),
    };
  }
  const file = await model.save({}, { signal });
  const changed = async (change: (copy: LanguageModel) => Promise<unknown>) => {
    const copy = await LanguageModel.open(client, { file }, { signal });
    try {
      await change(copy);
      const bytes = (await copy.stateBytes(N, { signal })) / N;
      return { bytes, loss: await meanOf(client, await copy.losses(texts, { signal }), signal) };
    } finally {
      await copy.dispose();
    }
  };
  const others = [
    ...[2, 1].map((heads) => ({ id: `grouped${heads}`, kind: 'grouped' as const, heads })),
    ...LATENT.map((latent) => ({ id: `latent${latent}`, kind: 'latent' as const, latent })),
  ];
  for (const [i, what] of others.entries()) {
    const made = await changed((copy) =>
      what.kind === 'grouped'
        ? copy.groupHeads(what.heads, { signal })
        : copy.latentHeads({ latent: what.latent, rope: ROPE }, { signal }),
    );
    yield { row: { ...what, ...made }, fraction: 0.7 + (0.3 * (i + 1)) / others.length };
  }
}
