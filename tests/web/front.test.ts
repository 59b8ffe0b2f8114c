import { describe, expect, it } from 'vitest';
import { front } from '../../web/labs/feature-maps/figures/pareto/pareto-front';

const at = (cost: number, error: number) => ({ cost, error });

describe('the front of maps', () => {
  it('holds the maps that no other beats in both cost and quality, the cheapest first', () => {
    const [cheap, middle, good] = [at(1, 0.9), at(2, 0.5), at(8, 0.1)];
    expect(front([good, at(3, 0.7), cheap, at(2, 0.6), middle, at(9, 0.1)])).toEqual([
      cheap,
      middle,
      good,
    ]);
  });

  it('does not mistake rounding for better quality', () => {
    const first = at(1, 0.35);
    expect(front([first, at(2, 0.35 * (1 - 1e-6))])).toEqual([first]);
    expect(front([first, at(2, 0.349)])).toHaveLength(2);
  });

  it('leaves out maps whose numbers are not finite', () => {
    expect(front([at(1, Number.NaN), at(Number.POSITIVE_INFINITY, 0)])).toEqual([]);
  });
});
