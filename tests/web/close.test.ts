/** The comparison that the judge and the tests compare with. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { close } from '../../web/src/exercises/judge/close';
import { expectClose, matrix } from '../wasm/support';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const infinities = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

describe('close', () => {
  it('allows either part of the tolerance, of what is wanted, and no more', () => {
    expect(close(100.9, 100, 0.01, 0)).toBe(true);
    expect(close(101.1, 100, 0.01, 0)).toBe(false);
    expect(close(-100.9, -100, 0.01, 0)).toBe(true);
    expect(close(0.09, 0, 1, 0.1)).toBe(true);
    expect(close(0.11, 0, 1, 0.1)).toBe(false);
    expect(close(1, 0, 1, 0)).toBe(false);
    expect(close(-0, 0, 0, 0)).toBe(true);
    expect(close(Number.MAX_VALUE, -Number.MAX_VALUE, 1, 1)).toBe(false);
  });

  it('allows an infinity beside itself only', () => {
    for (const infinity of infinities) {
      expect(close(infinity, infinity, 0, 0)).toBe(true);
      expect(close(-infinity, infinity, 1e-5, 1e-8)).toBe(false);
      fc.assert(
        fc.property(finite, (other) => {
          expect(close(other, infinity, 1e-5, 1e-8)).toBe(false);
          expect(close(infinity, other, 1e-5, 1e-8)).toBe(false);
        }),
      );
    }
  });

  it('allows NaN beside NaN only', () => {
    expect(close(Number.NaN, Number.NaN, 0, 0)).toBe(true);
    for (const other of [0, 1, ...infinities]) {
      expect(close(other, Number.NaN, 1, 1)).toBe(false);
      expect(close(Number.NaN, other, 1, 1)).toBe(false);
    }
  });
});

describe('expectClose', () => {
  const one = (entry: number) => matrix(1, 1, [entry]);

  it('fails where an infinity is wanted and a number came, and the other way round', () => {
    for (const infinity of infinities) {
      expectClose(one(infinity), one(infinity));
      expect(() => expectClose(one(3), one(infinity))).toThrow('entry 0');
      expect(() => expectClose(one(-infinity), one(infinity))).toThrow('entry 0');
      expect(() => expectClose(one(infinity), one(3))).toThrow('entry 0');
    }
  });

  it('fails for NaN, also where both are: neither was wanted', () => {
    expect(() => expectClose(one(Number.NaN), one(1))).toThrow('entry 0');
    expect(() => expectClose(one(1), one(Number.NaN))).toThrow('entry 0');
    expect(() => expectClose(one(Number.NaN), one(Number.NaN))).toThrow('entry 0');
  });

  it('allows the tolerance of 1 or of the entry', () => {
    expectClose(one(1e-6), one(0), 1e-5);
    expectClose(one(1000.005), one(1000), 1e-5);
    expect(() => expectClose(one(2e-5), one(0), 1e-5)).toThrow('entry 0');
    expect(() => expectClose(one(1000.02), one(1000), 1e-5)).toThrow('entry 0');
  });
});
