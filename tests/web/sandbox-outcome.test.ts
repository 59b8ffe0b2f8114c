import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compare } from '../../web/src/exercises/judge/compare';
import { readLoaded, readOutcome } from '../../web/src/exercises/sandbox/read-outcome';
import type { CaseOutcome } from '../../web/src/exercises/types';

const counts = { multiplyAdds: 1, touched: 2, bytes: 3, largest: 4 };

it('leaves well-formed outcomes unchanged', () => {
  const outcomes: CaseOutcome[] = [
    { value: 1, prints: 'x', counts, milliseconds: 2 },
    { value: null, prints: '', counts, milliseconds: 0 },
    {
      value: [
        { kind: 'array', dtype: 'bool', shape: [1, 2], data: Float64Array.of(0, 1) },
        { kind: 'dict', entries: { a: 'text', b: [true] } },
      ],
      prints: '',
      counts,
      milliseconds: 0,
    },
    {
      error: { type: 'ValueError', message: 'no', line: 3, column: 1 },
      prints: '',
      counts,
      milliseconds: 0,
    },
  ];
  for (const outcome of outcomes) expect(readOutcome(outcome)).toEqual(outcome);
  expect(readLoaded({ prints: 'x' })).toEqual({ prints: 'x' });
});

it('turns a malformed array into an error', () => {
  const array = { kind: 'array', dtype: 'float64', shape: [2], data: Float64Array.of(1, 2) };
  for (const wrong of [
    { ...array, shape: [3] },
    { ...array, shape: '2' },
    { ...array, shape: [-1, -2] },
    { ...array, data: [1, 2] },
    { ...array, dtype: 'complex' },
    { kind: 'dict', entries: 3 },
    { kind: 'given', name: 'relu' },
    {},
    undefined,
  ]) {
    expect(readOutcome({ value: wrong, prints: '', counts, milliseconds: 0 })).toMatchObject({
      error: { type: 'TypeError' },
    });
  }
});

it('refuses values that would keep the page busy', () => {
  let bomb: unknown[] = [1];
  for (let i = 0; i < 15; ++i) bomb = [bomb, bomb, bomb, bomb];
  const sparse: unknown[] = [];
  sparse.length = 4_294_967_295;
  const many = { kind: 'array', dtype: 'float64', shape: sparse, data: new Float64Array(0) };
  for (const value of [bomb, sparse, many, { kind: 'dict', entries: { a: bomb } }]) {
    expect(readOutcome({ value, prints: '', counts, milliseconds: 0 })).toMatchObject({
      error: { type: 'TypeError' },
    });
  }
  const long = 'x'.repeat(5_000_000);
  expect(readOutcome({ value: 1, prints: long }).prints.length).toBeLessThan(11_000);
  expect(readOutcome({ error: { type: 'A', message: long } }).error?.message.length).toBeLessThan(
    5000,
  );
});

it('turns any message into an outcome that can be judged', () => {
  const deep: unknown[] = [];
  deep.push(deep);
  const fields = fc.record(
    { value: fc.anything(), error: fc.anything(), prints: fc.anything(), counts: fc.anything() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fields, fc.anything(), fc.constant({ value: deep })), (said) => {
      const { value, error, prints, counts } = readOutcome(said);
      expect(typeof prints).toBe('string');
      expect(counts.multiplyAdds).toBeGreaterThanOrEqual(0);
      expect((value === undefined) !== (error === undefined)).toBe(true);
      // Any value must be comparable without an exception.
      compare(value, 1, { rtol: 0, atol: 0, language: 'javascript' });
    }),
  );
});
