/** What the lab of models with a state computes beside what it asks the core. */
import { afterAll, describe, expect, it } from 'vitest';
import { arrivals } from '../../web/labs/states/figures/arrivals';
import { SETS } from '../../web/labs/states/figures/capacity/capacities';
import { modelsOf } from '../../web/labs/states/figures/frontier/models';
import { KINDS } from '../../web/labs/states/figures/language/models';
import { looksOf } from '../../web/labs/states/figures/looks';
import {
  FRONT,
  keysOf,
  MEMORIES,
  pairNames,
  saidOf,
} from '../../web/labs/states/figures/pairs/memories';
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
  /** What the figure of the opening has at first. */
  const usual = { pairs: 12, repeats: 3, width: 12, decay: 0.9, noise: 0, seed: 4 };
  const rightOf = async (memory: string, how: Record<string, number>) =>
    (await client.pairMemoryTrace({ ...usual, ...how, memory })).right.at(-1) ?? 0;
  const tryOf = (one: string) => valuesOf('write', one) as Record<string, number>;

  it('no key twice: the delta rule has nothing to overwrite, and softmax brings back each key', async () => {
    expect(tryOf('once')).toEqual({ repeats: 0 });
    expect(await rightOf('softmax', tryOf('once'))).toBe(1);
    // With keys written twice softmax has both values and no way to say which is newer.
    expect(await rightOf('softmax', {})).toBeLessThan(1);
    expect(await rightOf('delta_rule', {})).toBeGreaterThan(await rightOf('linear_sum', {}));
  });

  it('many pairs: each state that is a matrix loses keys, softmax only those written twice', async () => {
    expect(tryOf('crowded')).toEqual({ pairs: 32 });
    const keys = 32 - usual.repeats;
    const softmax = await rightOf('softmax', tryOf('crowded'));
    expect(softmax).toBeLessThan(1);
    expect(softmax).toBeGreaterThanOrEqual((keys - usual.repeats) / keys);
    for (const memory of ['linear_sum', 'retention', 'delta_rule']) {
      const many = await rightOf(memory, tryOf('crowded'));
      expect(many, memory).toBeLessThan(await rightOf(memory, {}));
    }
  });

  it('a strong decay: the states that fade lose keys, the first ones before the last', async () => {
    expect(tryOf('fading')).toEqual({ decay: 0.6 });
    const how = { ...usual, ...tryOf('fading'), memory: 'retention' };
    const trace = await client.pairMemoryTrace(how);
    const { first } = await client.pairStream(usual);
    const newest = (j: number): number => trace.wanted[11 * 12 + j] as number;
    const kept = keysOf(first)
      .sort((a, b) => newest(a) - newest(b))
      .map((j) => saidOf(trace, first, 12, j).kind === 'right');
    expect(kept).toEqual([...kept].sort());
    expect(kept.slice(-3)).toEqual([true, true, true]);
    expect(kept[0]).toBe(false);
    expect(await rightOf('linear_sum', tryOf('fading'))).toBe(await rightOf('linear_sum', {}));
  });

  it('noisy questions: softmax loses keys that it has kept, and no memory in front gains any', async () => {
    expect(tryOf('noisy')).toEqual({ noise: 2 });
    expect(await rightOf('softmax', tryOf('noisy'))).toBeLessThan(await rightOf('softmax', {}));
    for (const memory of FRONT) {
      const noisy = await rightOf(memory, tryOf('noisy'));
      expect(noisy, memory).toBeLessThanOrEqual(await rightOf(memory, {}));
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

describe('one try', () => {
  it('changes one knob, or says why two', () => {
    for (const { blocks } of lab.steps) {
      for (const block of blocks) {
        if (block.kind !== 'tries') continue;
        for (const { id, values, together } of block.tries) {
          if (together === undefined) expect(Object.keys(values), id).toHaveLength(1);
        }
      }
    }
  });
});

describe('a prediction', () => {
  it('is not answered by the opening, nor by the shares that are exact', async () => {
    const [question] = lab.steps
      .flatMap(({ blocks }) => blocks)
      .filter((block) => block.kind === 'prediction' && block.id === 'twice');
    if (question?.kind !== 'prediction') throw new Error('the question is gone');
    const truth = await question.truth({ client } as never, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(truth).toBeGreaterThan(0);
    expect(truth).toBeLessThan(100);
  });
});

describe('how models are drawn', () => {
  const sets: Readonly<Record<string, readonly string[]>> = {
    'the opening': MEMORIES,
    'the feature maps': SETS.maps,
    'the language models': Object.keys(KINDS),
    'the frontier': [...new Set(modelsOf('all', 'small').map(({ family }) => family))],
  };

  it.each(Object.entries(sets))('%s: no two have the same colour and mark', (_, ids) => {
    for (const dark of [false, true]) {
      const looks = [...looksOf(ids, dark).values()];
      expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(ids.length);
    }
  });
});

describe('what a memory says', () => {
  it('is the newest value, an older one, that of another key, both, or nothing', async () => {
    const how = { pairs: 4, repeats: 2, width: 16, decay: 0.9, noise: 0, seed: 4 };
    const { first } = await client.pairStream(how);
    expect(keysOf(first)).toEqual([0, 1]);
    const softmax = await client.pairMemoryTrace({ ...how, memory: 'softmax' });
    expect(saidOf(softmax, first, 1, 1)).toEqual({ kind: 'later' });
    expect(saidOf(softmax, first, 2, 0)).toEqual({ kind: 'right' });
    expect(saidOf(softmax, first, 4, 0)).toEqual({ kind: 'both' });
    const delta = await client.pairMemoryTrace({ ...how, memory: 'delta_rule' });
    expect(saidOf(delta, first, 4, 1)).toEqual({ kind: 'right' });
    const found = Float64Array.from(delta.found);
    found[4 * 3] = 0;
    expect(saidOf({ ...delta, found }, first, 4, 0)).toEqual({ kind: 'old' });
    found[4 * 3] = 1;
    expect(saidOf({ ...delta, found }, first, 4, 0)).toEqual({ kind: 'other', pair: 1 });
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
  it('has one letter for a key, however often it is written', () => {
    expect(pairNames([0, 1, 2, 0, 1])).toEqual(['A', 'B', 'C', 'A', 'B']);
    expect(pairNames(Array.from({ length: 28 }, (_, i) => i)).slice(-2)).toEqual(['A2', 'B2']);
  });
});
