import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, limitsFor } from '../../web/src/exercises/judge/compare';
import { indexAt, stacked } from '../../web/src/exercises/judge/value-shape';
import type { ArrayValue, Language, Value } from '../../web/src/exercises/types';

const python = { rtol: 1e-6, atol: 1e-9, language: 'python' as Language };
const javascript = { ...python, language: 'javascript' as Language };

const array = (shape: readonly number[], data: Iterable<number>): ArrayValue => ({
  kind: 'array',
  dtype: 'float64',
  shape,
  data: Float64Array.from(data),
});
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([n, m]) =>
    fc
      .array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
        minLength: n * m,
        maxLength: n * m,
      })
      .map((data) => array([n, m], data)),
  );
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    matrix,
    fc.double(),
    fc.boolean(),
    fc.string(),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('value'), { minKeys: 1, maxKeys: 3 })
      .map((entries): Value => ({ kind: 'dict', entries })),
  ),
})).value;

describe('equal values', () => {
  it('include every value and itself, also with NaN and infinities', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(compare(one, one, python)).toBeUndefined();
        expect(compare(structuredClone(one), one, javascript)).toBeUndefined();
      }),
    );
    const odd = array([3], [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    expect(compare(odd, structuredClone(odd), python)).toBeUndefined();
  });

  it('include numbers within the tolerance, and no others', () => {
    fc.assert(
      fc.property(matrix, fc.nat(), fc.boolean(), (wanted, seed, up) => {
        const at = seed % wanted.data.length;
        const allowed = python.atol + python.rtol * Math.abs(wanted.data[at] as number);
        const moved = (by: number) => {
          const data = wanted.data.slice();
          data[at] = (data[at] as number) + (up ? by : -by);
          return array(wanted.shape, data);
        };
        expect(compare(moved(0.9 * allowed), wanted, python)).toBeUndefined();
        expect(compare(moved(2 * allowed + 1e-12), wanted, python)).toMatchObject({
          reason: 'value',
          index: indexAt(wanted.shape, at),
          wrong: 1,
          of: wanted.data.length,
        });
      }),
    );
  });

  it('may be lists of arrays for stacks, and lists of numbers for vectors', () => {
    const stack = array([2, 1, 2], [1, 2, 3, 4]);
    expect(compare([array([1, 2], [1, 2]), array([1, 2], [3, 4])], stack, python)).toBeUndefined();
    expect(compare([1, 2], array([2], [1, 2]), python)).toBeUndefined();
    expect(
      compare(
        [
          [1, 2],
          [3, 4],
        ],
        array([2, 2], [1, 2, 3, 4]),
        python,
      ),
    ).toBeUndefined();
    expect(stacked([array([1], [1]), array([2], [1, 2])])).toBeUndefined();
  });

  it('may be one row for a vector only in languages without vectors', () => {
    const row = array([1, 3], [1, 2, 3]);
    const vector = array([3], [1, 2, 3]);
    expect(compare(row, vector, javascript)).toBeUndefined();
    expect(compare(vector, row, javascript)).toBeUndefined();
    expect(compare(row, vector, python)).toMatchObject({
      reason: 'shape',
      message: 'Your function returned an array of shape 1×3; an array of 3 numbers is wanted',
    });
    expect(compare(array([3, 1], [1, 2, 3]), vector, javascript)?.reason).toBe('shape');
  });

  it('may be an array of numbers for a tuple of as many numbers, and for no other tuple', () => {
    expect(compare(array([2], [1, 2]), [1, 2], python)).toBeUndefined();
    expect(compare(array([1, 2], [1, 2]), [1, 2], javascript)).toBeUndefined();
    expect(compare(array([2], [1, 3]), [1, 2], python)?.part).toBe('[1]');
    expect(compare(array([3], [1, 2, 3]), [1, 2], python)?.reason).toBe('type');
    expect(compare(array([2, 2], [1, 2, 3, 4]), [1, 2, 3, 4], python)?.reason).toBe('type');
    expect(compare(array([2], [1, 2]), [1, array([1], [2])], python)?.reason).toBe('type');
  });

  it('may be true for 1, and an array without axes for a number', () => {
    expect(compare(true, 1, python)).toBeUndefined();
    expect(compare(1, true, python)).toBeUndefined();
    expect(compare(array([], [2]), 2, python)).toBeUndefined();
    expect(compare(2, array([], [2]), python)).toBeUndefined();
  });
});

describe('a difference', () => {
  it('of shapes is reported first', () => {
    expect(
      compare(array([8, 4], Array(32).fill(0)), array([4, 8], Array(32).fill(1)), python),
    ).toEqual(
      expect.objectContaining({
        reason: 'shape',
        message:
          'Your function returned an array of shape 8×4; an array of shape 4×8 is wanted: it looks transposed',
      }),
    );
  });

  it('of entries is reported with its place, its size and the number of wrong entries', () => {
    const wanted = array([2, 2], [1, 2, 4, 0]);
    expect(compare(array([2, 2], [1, 2.5, 5, 0]), wanted, python)).toEqual({
      part: '',
      reason: 'value',
      message: 'Entry [0, 1] is 2.5, not 2; 2 of 4 entries differ',
      index: [0, 1],
      actual: array([2, 2], [1, 2.5, 5, 0]),
      expected: wanted,
      maxAbsolute: 1,
      maxRelative: 0.25,
      wrong: 2,
      of: 4,
    });
  });

  it('is a NaN where a number is wanted, and a number where NaN is wanted', () => {
    const wanted = array([2], [1, 2]);
    expect(compare(array([2], [Number.NaN, 2]), wanted, python)).toMatchObject({
      reason: 'nan',
      message: 'Entry [0] is NaN, not 1; 1 of 2 entries differ',
      maxAbsolute: 0,
      unbounded: true,
    });
    const [masked, open] = [array([2], [-Infinity, 2]), array([2], [0, 1])];
    expect(compare(open, masked, python)).toMatchObject({ maxAbsolute: 1, unbounded: true });
    expect(compare(1, Number.NaN, python)?.reason).toBe('value');
    expect(compare(Number.POSITIVE_INFINITY, 1, python)?.reason).toBe('value');
    expect(compare(1, Number.POSITIVE_INFINITY, python)?.reason).toBe('value');
  });

  it('in a tuple or a dictionary is reported with its place', () => {
    expect(compare([1, 2], [1, 3], python)).toMatchObject({
      part: '[1]',
      message: 'Entry [1] is 2, not 3',
    });
    const wanted: Value = { kind: 'dict', entries: { mse: 1, max: [1, 2] } };
    expect(compare({ kind: 'dict', entries: { mse: 1 } }, wanted, python)).toMatchObject({
      reason: 'missing',
      message: 'Your function returned a dictionary without the key max',
    });
    const other: Value = { kind: 'dict', entries: { mse: 1, max: [1, 5] } };
    expect(compare(other, wanted, python)).toMatchObject({ part: "['max'][1]" });
    expect(compare([1], [1, 2], python)?.message).toBe(
      'Your function returned 1 result; 2 are wanted',
    );
  });

  it('is a missing result, and a result of another kind', () => {
    expect(compare(null, 1, python)?.message).toBe(
      'Your function returned nothing; a number is wanted; is there a return?',
    );
    expect(compare(undefined, array([1], [1]), python)?.reason).toBe('missing');
    expect(compare('text', 1, python)?.reason).toBe('type');
    expect(compare(1, array([2], [1, 1]), python)?.reason).toBe('type');
    expect(compare(array([2], [1, 1]), 1, python)?.reason).toBe('type');
    expect(compare(1, [1, 2], python)?.reason).toBe('type');
    expect(compare({ kind: 'dict', entries: {} }, null, python)?.reason).toBe('type');
  });
});

describe('the tolerance', () => {
  const own = { rtol: 1e-9, atol: 1e-12 };

  it('is wider for matrices of float32, and only for them', () => {
    expect(limitsFor(own, 'javascript', [array([1], [1])])).toMatchObject({
      rtol: 1e-4,
      atol: 1e-5,
    });
    expect(limitsFor(own, 'javascript', [3, 4])).toMatchObject(own);
    expect(limitsFor(own, 'python', [array([1], [1])])).toMatchObject(own);
    const wide = { rtol: 0.1, atol: 0.1 };
    expect(limitsFor(wide, 'javascript', [array([1], [1])])).toMatchObject(wide);
  });
});
