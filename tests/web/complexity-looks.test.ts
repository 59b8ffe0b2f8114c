import { describe, expect, it } from 'vitest';
import { lookOf } from '../../web/labs/complexity/figures/scaling/looks';
import { contenders } from '../../web/labs/complexity/figures/scaling/trial-plan';

describe('the measured lines', () => {
  it('look different, in the shown run and in four that are compared with it', () => {
    for (const variant of Object.values(contenders)) {
      const looks = [undefined, 0, 1, 2, 3].flatMap((run) =>
        variant.map((_, i) => JSON.stringify(lookOf(i, run))),
      );
      expect(new Set(looks).size).toBe(5 * variant.length);
    }
  });

  it('of a run that is compared share a mark that no other run has', () => {
    const marksOf = (run?: number) => [0, 1, 2].map((i) => lookOf(i, run).mark);
    const others = [0, 1, 2, 3].map((run) => new Set(marksOf(run)));
    for (const marks of others) expect(marks.size).toBe(1);
    const all = [...others.flatMap((marks) => [...marks]), ...marksOf()];
    expect(new Set(all).size).toBe(7);
  });
});
