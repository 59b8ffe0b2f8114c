/** How fast softmax attention reads after so many tokens, measured here: the truth of the drawn prediction. */
import { type Client, TextReader } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import type { RunnerId } from './race.ts';

/** After so many tokens the speed is measured. */
export const READ_BEFORE = [256, 512, 1024, 2048, 4096, 8192] as const;
/** So many tokens are timed there; linear attention, whose speed stays what it is, reads more of them. */
const TIMED = 128;
const TIMED_LINEAR = 4096;
/** What takes milliseconds is timed so often, and the fastest time counts: anything else on the machine only adds to it. */
const TIMES = 3;
/** Up to here a time is so short that a moment in which the machine did something else would be all of it. */
const SHORT = 2048;
const WIDTH = 64;
const BYTES = 4;

const SENTENCE = 'the whale swam on and the ship came after it ';

/** In percent of the speed of linear attention, for each of `READ_BEFORE`. */
export async function readingSpeeds(
  client: Client,
  { signal, onProgress }: Ask,
): Promise<number[]> {
  const last = (READ_BEFORE.at(-1) ?? 0) + TIMED;
  const text = SENTENCE.repeat(Math.ceil((2 * last) / SENTENCE.split(' ').length));
  const reader = (mechanism: RunnerId): Promise<TextReader> =>
    TextReader.create(client, {
      ...{ mechanism, sections: [text], dK: WIDTH, dV: WIDTH, seed: 1 },
      ...(mechanism === 'softmax' ? { cacheBytes: 2 * last * WIDTH * BYTES } : {}),
    });
  const rate = async (of: TextReader, tokens: number): Promise<number> =>
    tokens / (await of.read(tokens)).milliseconds;

  const softmaxRates = async (upTo: number, onToken: (position: number) => void) => {
    const softmax = await reader('softmax');
    try {
      const rates: number[] = [];
      let position = 0;
      for (const before of READ_BEFORE.filter((n) => n <= upTo)) {
        while (position < before) {
          signal.throwIfAborted();
          // In parts, so that a reader who leaves does not wait for the longest.
          const more = Math.min(1024, before - position);
          await softmax.read(more);
          position += more;
          onToken(position);
        }
        rates.push(await rate(softmax, TIMED));
        position += TIMED;
      }
      return rates;
    } finally {
      await softmax.dispose();
    }
  };

  const linear = await reader('linear');
  try {
    // The first tokens of a reader are slower: its memory is new.
    await linear.read(TIMED);
    let whole = 0;
    for (let i = 0; i < TIMES; i++) whole = Math.max(whole, await rate(linear, TIMED_LINEAR));
    const runs = [await softmaxRates(last, (position) => onProgress((position / last) ** 2))];
    while (runs.length < TIMES) runs.push(await softmaxRates(SHORT, () => undefined));
    return READ_BEFORE.map((_, i) => (100 * Math.max(...runs.map((run) => run[i] ?? 0))) / whole);
  } finally {
    await linear.dispose();
  }
}
