/** What the lab of models with a state computes beside what it asks the core. */
import { describe, expect, it } from 'vitest';
import { arrivals } from '../../web/labs/states/figures/arrivals';
import { pairNames } from '../../web/labs/states/figures/pairs/memories';

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
