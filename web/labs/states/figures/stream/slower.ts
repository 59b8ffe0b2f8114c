/** How much longer a token takes as the text before it grows: what the question about the stream is answered with. */
import { type Client, MixerStream } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

/** The tokens just before each length that are decoded and timed, in rounds of which the fastest counts. */
const [TOKENS, ROUNDS] = [64, 4];
/** What a first run has to compile and to fetch does not count. */
const WARM = 512;

/** For each of these lengths, the time of a token over that at the first of them. */
export async function slowdown(
  client: Client,
  lengths: readonly number[],
  ask: Ask,
): Promise<readonly number[]> {
  const { signal } = ask;
  const mixer = { id: 'softmax', dModel: 32, length: lengths.at(-1) ?? 0 };
  const stream = await MixerStream.create(client, { mixer, seed: 1 }, { signal });
  try {
    let at = WARM;
    await stream.advance(WARM, { signal });
    const times: number[] = [];
    for (const [i, length] of lengths.entries()) {
      const from = length - ROUNDS * TOKENS;
      while (at < from) {
        const count = Math.min(4096, from - at);
        await stream.read(count, { signal });
        at += count;
      }
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now();
        await stream.advance(TOKENS, { signal });
        least = Math.min(least, performance.now() - start);
      }
      at = length;
      times.push(least);
      ask.onProgress((i + 1) / lengths.length);
    }
    return times.map((time) => time / (times[0] ?? time));
  } finally {
    await stream.dispose();
  }
}
