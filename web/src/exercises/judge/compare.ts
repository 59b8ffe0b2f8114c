/** Decides whether a function returned what is expected and, if not, reports the first difference. */

import type { ArrayValue, Language, Mismatch, Tolerance, Value } from '../types';
import { isArray, isDict } from '../value-kinds';
import { close } from './close';
import { describe, indexAt, isList, sizes, stacked } from './value-shape';

export type Limits = Pick<Tolerance, 'rtol' | 'atol'>;

export interface CompareOptions extends Limits {
  /** JavaScript has no vectors, so a 1×d matrix counts as a vector of length d. */
  readonly language: Language;
}

/**
 * The tolerance for a language. JavaScript's matrices are float32 and need a wider one. Plain numbers are float64 in
 * JavaScript too, so an exercise without arrays keeps its own tolerance.
 */
export function limitsFor(
  tolerance: Limits,
  language: Language,
  args: readonly Value[],
): CompareOptions {
  const { rtol, atol } = tolerance;
  const single = language === 'javascript' && args.some((arg) => isArray(arg));
  return single
    ? // Where no absolute part is wanted, small entries count as much as large ones in float32 too.
      { language, rtol: Math.max(rtol, 1e-4), atol: atol === 0 ? 0 : Math.max(atol, 1e-5) }
    : { language, rtol, atol };
}

/** The largest magnitude in a value, 0 where there is no finite number in it. */
function largestIn(value: Value): number {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.abs(value) : 0;
  if (isArray(value)) return largestOf(value.data);
  if (isDict(value)) return largestOf(Object.values(value.entries).map(largestIn));
  return Array.isArray(value) ? largestOf(value.map(largestIn)) : 0;
}

function largestOf(numbers: Iterable<number>): number {
  let largest = 0;
  for (const one of numbers) if (Number.isFinite(one)) largest = Math.max(largest, Math.abs(one));
  return largest;
}

/**
 * The same tolerance for the long inputs on which work is counted. A float32 sum of a thousand products is off by
 * some 1e-6 of its largest terms, also where they cancel and the sum itself is small; 2e-5 of the largest entry
 * leaves room for every order of summation. An exercise that allows nothing absolute keeps that.
 */
export function forLongSums(options: CompareOptions, expected: Value): CompareOptions {
  if (options.atol === 0) return options;
  return { ...options, atol: Math.max(options.atol, 2e-5 * largestIn(expected)) };
}

/** Returns undefined where the two values agree. */
export function compare(
  actual: Value | undefined,
  expected: Value,
  options: CompareOptions,
): Mismatch | undefined {
  return compareAt('', actual ?? null, expected, options);
}

function compareAt(
  part: string,
  actual: Value,
  expected: Value,
  options: CompareOptions,
): Mismatch | undefined {
  const here = part === '' ? 'Your function returned' : `Part ${part} is`;
  const wrong = (reason: Mismatch['reason'], message: string): Mismatch => ({
    part,
    reason,
    message,
    actual,
    expected,
  });
  if (actual === null && expected !== null) {
    const hint = part === '' ? '; is there a return?' : '';
    const wanted =
      part === '' && isList(expected)
        ? `${expected.length} results are wanted`
        : `${describe(expected)} is wanted`;
    return wrong('missing', `${here} nothing; ${wanted}${hint}`);
  }
  const type = (): Mismatch =>
    wrong(
      'type',
      `${here} ${describe(actual)}; ${describe(expected)} is wanted${
        Number.isNaN(actual) && options.language === 'javascript'
          ? ': signs such as * and + make NaN of matrices, use times, mul and plus'
          : ''
      }`,
    );

  if (isDict(expected)) {
    if (!isDict(actual)) return type();
    for (const [key, value] of Object.entries(expected.entries)) {
      const found = Object.hasOwn(actual.entries, key) ? actual.entries[key] : undefined;
      if (found === undefined) {
        return wrong('missing', `${here} a dictionary without the key ${key}`);
      }
      const mismatch = compareAt(`${part}['${key}']`, found, value, options);
      if (mismatch) return mismatch;
    }
    return undefined;
  }
  if (isList(expected)) {
    const list = isList(actual) ? actual : numbersOf(actual, expected);
    if (!list) {
      if (part !== '') return type();
      const wanted = `${expected.length} results are wanted, in their order`;
      return wrong('type', `${here} ${describe(actual)}; ${wanted}`);
    }
    if (list.length !== expected.length) {
      // Within a result a list is no tuple of results.
      const what =
        part === ''
          ? `${list.length} ${list.length === 1 ? 'result' : 'results'}`
          : `a list of ${list.length}`;
      return wrong('shape', `${here} ${what}; ${expected.length} are wanted`);
    }
    for (const [at, value] of expected.entries()) {
      const mismatch = compareAt(`${part}[${at}]`, list[at] ?? null, value, options);
      if (mismatch) return mismatch;
    }
    return undefined;
  }
  if (isArray(expected)) {
    const array = isArray(actual) || isList(actual) ? stacked(actual) : undefined;
    if (!array) {
      // NumPy treats a single number as an array of shape ().
      return expected.shape.length === 0 && typeof actual === 'number'
        ? compareNumbers(part, scalar(actual), expected, options, here)
        : type();
    }
    return compareNumbers(part, array, expected, options, here);
  }
  if (typeof expected === 'number' || typeof expected === 'boolean') {
    const value = isArray(actual) && actual.shape.length === 0 ? actual.data[0] : actual;
    if (typeof value !== 'number' && typeof value !== 'boolean') return type();
    return compareNumbers(part, scalar(value), scalar(expected), options, here);
  }
  if (actual === expected) return undefined;
  if (typeof actual !== typeof expected || expected === null) return type();
  return wrong('value', `${here} ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

/** An array is accepted in place of a tuple of as many numbers. */
function numbersOf(actual: Value, expected: readonly Value[]): readonly Value[] | undefined {
  const plain = expected.every((one) => typeof one === 'number' || typeof one === 'boolean');
  if (!plain || !isArray(actual) || actual.data.length !== expected.length) return undefined;
  return actual.shape.filter((length) => length !== 1).length <= 1 ? [...actual.data] : undefined;
}

const scalar = (value: number | boolean): ArrayValue => ({
  kind: 'array',
  dtype: 'float64',
  shape: [],
  data: Float64Array.of(Number(value)),
});

/** Whether two shapes mean the same in that language. */
function fits(actual: readonly number[], expected: readonly number[], language: Language): boolean {
  if (sizes(actual) === sizes(expected)) return true;
  if (language !== 'javascript') return false;
  // In JavaScript a vector is one row, on its own or in a stack, and a list of numbers is a row.
  const rows = (shape: readonly number[]) => (shape.length === 1 ? [1, ...shape] : shape);
  return sizes(rows(actual)) === sizes(rows(expected));
}

function compareNumbers(
  part: string,
  actual: ArrayValue,
  expected: ArrayValue,
  { rtol, atol, language }: CompareOptions,
  here: string,
): Mismatch | undefined {
  if (!fits(actual.shape, expected.shape, language)) {
    const turned = sizes([...actual.shape].reverse()) === sizes(expected.shape);
    const hint = turned && expected.shape.length === 2 ? ': it looks transposed' : '';
    return {
      part,
      reason: 'shape',
      message: `${here} ${describe(actual)}; ${describe(expected)} is wanted${hint}`,
      actual,
      expected,
    };
  }
  let first = -1;
  let wrong = 0;
  let nans = 0;
  let maxAbsolute = 0;
  let maxRelative = 0;
  let unbounded = false;
  for (let at = 0; at < expected.data.length; ++at) {
    const is = actual.data[at] as number;
    const wanted = expected.data[at] as number;
    if (close(is, wanted, rtol, atol)) continue;
    const error = Math.abs(is - wanted);
    if (Number.isNaN(is)) ++nans;
    if (first < 0) first = at;
    ++wrong;
    // Where one of the numbers is not finite, the difference has no size.
    if (Number.isFinite(error)) {
      maxAbsolute = Math.max(maxAbsolute, error);
      if (wanted !== 0) maxRelative = Math.max(maxRelative, error / Math.abs(wanted));
    } else {
      unbounded = true;
    }
  }
  if (first < 0) return undefined;
  const { shape } = expected;
  const index = indexAt(shape, first);
  const of = expected.data.length;
  const is = numberText(actual.data[first] as number);
  const wanted = numberText(expected.data[first] as number);
  const place = part + (index.length > 0 ? `[${index.join(', ')}]` : '');
  const what = place === '' ? 'Your function returned' : `Entry ${place} is`;
  const rest = of === 1 ? '' : `; ${wrong} of ${of} entries differ`;
  return {
    part,
    reason: nans > 0 ? 'nan' : 'value',
    message: `${what} ${is}, not ${wanted}${rest}`,
    ...(index.length > 0 && { index }),
    actual: shape.length === 0 ? (actual.data[0] as number) : actual,
    expected: shape.length === 0 ? (expected.data[0] as number) : expected,
    maxAbsolute,
    maxRelative,
    ...(unbounded && { unbounded }),
    wrong,
    of,
  };
}

/**
 * A number as text. Six digits tell numbers apart that differ by more than a tolerance; numbers that look equal at
 * six digits are written with more.
 */
export const numberText = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(9))) : String(value);
