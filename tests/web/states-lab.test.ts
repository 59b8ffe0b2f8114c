/** What the lab of models with a state computes beside what it asks the core. */
import { afterAll, describe, expect, it } from 'vitest';
import { arrivals } from '../../web/labs/states/figures/arrivals';
import { look } from '../../web/labs/states/figures/looks';
import { MEMORIES, pairNames } from '../../web/labs/states/figures/pairs/memories';
import { lab } from '../../web/labs/states/lab';
import { createFullTestClient } from '../wasm/in_process';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const valuesOf = (group: string, one: string) =>
  lab.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'tries' && block.id === group ? block.tries : []))
    .find(({ id }) => id === one)?.values;

describe('what the text says of a try', () => {
  it('few pairs: every state that is a matrix gives back all four', async () => {
    const values = valuesOf('write', 'few');
    // The try leaves the decay, the noise and the seed as the figure has them at first.
    const how = {
      pairs: 4,
      repeats: 0,
      width: Number(values?.width),
      decay: 0.9,
      noise: 0,
      seed: 4,
    };
    expect(values).toMatchObject({ pairs: how.pairs, repeats: how.repeats });
    expect(how.width).toBe(16);
    const matrices = MEMORIES.filter((memory) => memory !== 'softmax' && memory !== 'rwkv4');
    for (const memory of matrices) {
      const { right } = await client.pairMemoryTrace({ ...how, memory });
      expect(right.at(-1), memory).toBe(1);
    }
  });

  it('the delta rule: a word takes most of the weight away from the same word before it', async () => {
    const values = valuesOf('inside', 'delta');
    const tokens = String(values?.text).split(' ');
    const words = [...new Set(tokens)];
    const [dModel, seed] = [16, 1];
    const ids = tokens.map((word) => words.indexOf(word));
    const x = await client.mixerTokens({ ids, d: dModel, seed });
    const mixer = { id: String(values?.model), dModel, length: 32 };
    const { data, cols } = await client.mixerMatrix({ mixer, x, seed, which: 0 });
    const two = tokens.flatMap((word, i) => (word === 'two' ? [i] : []));
    expect(two).toHaveLength(4);
    for (const [k, row] of two.entries()) {
      const weight = (col: number): number => Math.abs(data[row * cols + col] as number);
      for (const col of two.slice(0, k)) expect(weight(col)).toBeLessThan(0.1 * weight(row));
    }
  });
});

describe('how models are drawn', () => {
  it('gives seven models seven colours, and no two of sixteen the same colour and mark', () => {
    for (const dark of [false, true]) {
      const looks = Array.from({ length: 16 }, (_, i) => look(i, dark));
      expect(new Set(looks.slice(0, 7).map(({ color }) => color)).size).toBe(7);
      expect(new Set(looks.map(({ color, mark }) => `${color} ${mark}`)).size).toBe(16);
    }
  });
});

describe('results of jobs side by side', () => {
  it('come in the order in which they finish, and those before a failure are given first', async () => {
    let finish = (_result: string): void => undefined;
    const later = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const jobs = [later, Promise.resolve('second')];
    const seen: string[] = [];
    for await (const one of arrivals(jobs)) {
      seen.push(one);
      finish('first');
    }
    expect(seen).toEqual(['second', 'first']);

    const given: string[] = [];
    const broken = async (): Promise<void> => {
      const all = [Promise.resolve('kept'), Promise.reject(new Error('lost'))];
      for await (const one of arrivals(all)) given.push(one);
    };
    await expect(broken()).rejects.toThrow('lost');
    expect(given).toEqual(['kept']);
  });
});

describe('names of pairs', () => {
  it('has a prime for a key that is written again', () => {
    expect(pairNames([0, 1, 2, 0, 1])).toEqual(['A', 'B', 'C', "A'", "B'"]);
    expect(pairNames(Array.from({ length: 28 }, (_, i) => i)).slice(-2)).toEqual(['A2', 'B2']);
  });
});
