/** One token more, with a cache and without one, measured on the trained reader. */
import type { Client } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { modelNamed, unreadTokens } from '../shared/reader.ts';

/** How many tokens stand before the one that is timed. */
export const LENGTHS = [8, 32, 64, 96, 127] as const;
/** The fastest of so many runs counts. */
const RUNS = 3;

export interface TokenTime {
  readonly before: number;
  /** Milliseconds a token. */
  readonly cached: number;
  readonly plain: number;
  /** Rows that go through every layer for the token. */
  readonly rows: number;
}

/** What is being measured now. */
const measuring = new WeakMap<Client, Promise<readonly TokenTime[]>>();

/** The times as they are now. A question and its figure that ask at once measure once. */
export async function tokenTimes(client: Client, ask: Ask): Promise<readonly TokenTime[]> {
  const there = measuring.get(client);
  if (there) return there;
  const times = measure(client, ask).finally(() => measuring.delete(client));
  measuring.set(client, times);
  return times;
}

async function measure(client: Client, ask: Ask): Promise<readonly TokenTime[]> {
  const { signal } = ask;
  const { model } = await modelNamed(client, 'reader', ask);
  const all = await unreadTokens(client, ask);
  const quickest = async (work: () => Promise<unknown>): Promise<number> => {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < RUNS; run++) {
      const begun = performance.now();
      await work();
      best = Math.min(best, performance.now() - begun);
    }
    return best;
  };
  const made: TokenTime[] = [];
  for (const [i, before] of LENGTHS.entries()) {
    const prompt = all.slice(0, before);
    const tokens = all.slice(0, before + 1);
    // The prompt is read token by token through the cache, too. One token alone is shorter than the clock's step, and the
    // difference of two long times is mostly what else the machine did meanwhile.
    const cached = await quickest(() => model.generate({ prompt, count: 1 }, { signal }));
    const plain = await quickest(() => model.logits({ tokens }, { signal }));
    made.push({ before, cached: cached / before, plain, rows: before + 1 });
    ask.onProgress((i + 1) / LENGTHS.length);
  }
  return made;
}
