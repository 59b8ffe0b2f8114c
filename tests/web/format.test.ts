import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDifference, formatNumber } from '../../web/src/plot/format';

const read = (text: string): number => Number(text.replace('−', '-'));

describe('a number as it is shown', () => {
  it('has no power of ten where rounding gives it one more digit before the point', () => {
    expect(formatNumber(99.97, 2)).toBe('100');
    expect(formatNumber(-999.7)).toBe('−1000');
    expect(formatNumber(99.97)).toBe('100');
    expect(formatNumber(0.9996)).toBe('1.00');
  });
});

describe('a subtraction as it is shown', () => {
  it('shows the digit without which it would be wrong on the page', () => {
    expect(formatDifference(0.1094, 0.5537)).toEqual({
      from: '0.1094',
      less: '0.5537',
      difference: '−0.4443',
    });
    expect(formatDifference(0.5, 0.25)).toEqual({
      from: '0.500',
      less: '0.250',
      difference: '0.250',
    });
  });

  it('is right to the last digit that is shown', () => {
    const weight = fc.double({ min: 0.001, max: 1, noNaN: true });
    fc.assert(
      fc.property(weight, weight, (a, b) => {
        const { from, less, difference } = formatDifference(a, b);
        expect(read(from) - read(less)).toBeCloseTo(read(difference), 9);
      }),
      // No number of decimals up to eight rounds these three alike.
      { examples: [[0.24282341000000002, 0.038365655000000005]] },
    );
  });
});
