/** Functions that tell the kinds of values apart and describe values for people. */

import type { ArrayValue, Value } from '../types';
import { isArray, isDict } from '../value-kinds';

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

/** A shape as text, such as "4×8". */
export const sizes = (shape: readonly number[]): string => shape.join('×');

/** A value in words: "an array of shape 4×8", "3 results", "nothing". */
export function describe(value: Value | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (isArray(value)) {
    if (value.shape.length === 0) return 'a number';
    return value.shape.length === 1
      ? `an array of ${value.shape[0]} numbers`
      : `an array of shape ${sizes(value.shape)}`;
  }
  if (isDict(value)) return `a dictionary of ${Object.keys(value.entries).join(', ') || 'nothing'}`;
  if (isList(value)) return value.length === 1 ? 'a list of one' : `a list of ${value.length}`;
  if (Number.isNaN(value)) return 'NaN';
  if (typeof value === 'object') return `the function ${value.name}`;
  return { number: 'a number', boolean: 'true or false', string: 'a text' }[
    typeof value as 'number' | 'boolean' | 'string'
  ];
}

/** Lists of numbers, or of arrays of one shape, turned into the one array that they stand for. */
export function stacked(value: Value): ArrayValue | undefined {
  if (isArray(value)) return value;
  if (typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'array', dtype: 'float64', shape: [], data: Float64Array.of(Number(value)) };
  }
  if (!isList(value) || value.length === 0) return undefined;
  const parts = value.map(stacked);
  const first = parts[0];
  if (!first) return undefined;
  const size = first.data.length;
  const data = new Float64Array(size * parts.length);
  for (const [at, part] of parts.entries()) {
    if (!part || sizes(part.shape) !== sizes(first.shape)) return undefined;
    data.set(part.data, at * size);
  }
  return { kind: 'array', dtype: first.dtype, shape: [parts.length, ...first.shape], data };
}

/** The index of the entry at the flat position `at`; for a matrix, [row, column]. */
export function indexAt(shape: readonly number[], at: number): number[] {
  const index = new Array<number>(shape.length);
  let rest = at;
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const length = shape[axis] as number;
    index[axis] = rest % length;
    rest = Math.floor(rest / length);
  }
  return index;
}
