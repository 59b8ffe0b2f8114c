import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeArgs, makeValue, randomOf } from '../../web/src/exercises/judge/inputs';
import type { ArrayValue, Input } from '../../web/src/exercises/types';
import { openArrays } from '../judge/arrays';

const random = randomOf(await openArrays());
const made = (input: Input) => makeValue(input, random) as ArrayValue;
const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
const size = (lengths: readonly number[]) => lengths.reduce((a, b) => a * b, 1);

describe('made arrays', () => {
  it("equal NumPy's, from its RandomState", () => {
    // Expected: np.random.RandomState(42).randn(3) and .random_sample(2).
    const normal = made({ make: 'normal', seed: 42, shape: [3] });
    expect([...normal.data]).toEqual(
      [0.4967141530112327, -0.13826430117118466, 0.6476885381006925].map(Math.fround),
    );
    const uniform = made({ make: 'uniform', seed: 42, shape: [2] });
    expect([...uniform.data]).toEqual([0.3745401188473625, 0.9507143064099162].map(Math.fround));
  });

  it('are the same every time, rounded to float32, and have their shape', () => {
    const input = fc.record({
      make: fc.constantFrom('normal' as const, 'uniform' as const),
      shape,
      seed: fc.nat(2 ** 31),
    });
    fc.assert(
      fc.property(input, (one) => {
        const { data } = made(one);
        expect(data).toHaveLength(size(one.shape));
        expect(data).toEqual(data.map(Math.fround));
        expect(made(one)).toEqual({ ...made(one), data });
      }),
    );
  });

  it('are scaled and shifted', () => {
    const plain = made({ make: 'normal', seed: 1, shape: [50] });
    const moved = made({ make: 'normal', seed: 1, shape: [50], scale: 2, shift: 1 });
    moved.data.forEach((x, at) => {
      expect(x).toBeCloseTo(2 * (plain.data[at] as number) + 1, 5);
    });
    const { data } = made({ make: 'uniform', seed: 1, shape: [500], low: -3, high: -1 });
    expect(Math.min(...data)).toBeGreaterThanOrEqual(-3);
    expect(Math.max(...data)).toBeLessThan(-1);
  });

  it('hold the entries that `set` replaces, NaN and infinities too', () => {
    const set = [
      [0, Number.NaN],
      [3, Number.NEGATIVE_INFINITY],
    ] as const;
    expect([...made({ make: 'full', value: 2, shape: [2, 2], set }).data]).toEqual([
      Number.NaN,
      2,
      2,
      Number.NEGATIVE_INFINITY,
    ]);
    expect(() => made({ make: 'full', value: 2, shape: [1], set: [[1, 0]] })).toThrow('no entry 1');
    expect(() => made({ make: 'values', data: [1], shape: [2] })).toThrow('not 1');
  });

  it('count up, and keep whole numbers that float32 cannot hold', () => {
    expect([...made({ make: 'range', shape: [3], start: 1, step: 2 }).data]).toEqual([1, 3, 5]);
    const whole = made({ make: 'values', data: [16_777_217], shape: [1], dtype: 'int64' });
    expect(whole.data[0]).toBe(16_777_217);
  });
});

describe('masks', () => {
  it('show the past, the future, or random cells', () => {
    expect([...made({ make: 'mask', of: 'causal', shape: [2, 3] }).data]).toEqual([
      1, 0, 0, 1, 1, 0,
    ]);
    expect([...made({ make: 'mask', of: 'reverse', shape: [2, 2] }).data]).toEqual([1, 1, 0, 1]);
    const some = made({ make: 'mask', of: 'random', seed: 3, keep: 0.25, shape: [40, 40] });
    const kept = some.data.reduce((a, b) => a + b) / 1600;
    expect(kept).toBeGreaterThan(0.2);
    expect(kept).toBeLessThan(0.3);
    const empty = made({ make: 'mask', of: 'causal', shape: [3, 3], emptyRows: [1] });
    expect([...empty.data]).toEqual([1, 0, 0, 0, 0, 0, 1, 1, 1]);
  });
});

it('inputs that are not arrays stay unchanged', () => {
  const given: Input = { kind: 'given', name: 'relu' };
  const inputs: Input[] = [
    1,
    true,
    null,
    'text',
    given,
    [1, { make: 'full', value: 1, shape: [1] }],
  ];
  const values = makeArgs(inputs, random);
  expect(values.slice(0, 5)).toEqual([1, true, null, 'text', given]);
  expect(values[5]).toMatchObject([1, { kind: 'array', shape: [1] }]);
});
