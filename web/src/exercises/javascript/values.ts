/** Converts between the values of exercises and what JavaScript code works with. */

import { say } from '../run-phrases';
import type { ArrayValue, ParameterType, Value } from '../types';
import { isArray, isGiven } from '../value-kinds';
import { entriesOf, Matrix, sizesOf } from './matrix';
import { refusal } from './refusal';

export type Given = Readonly<Record<string, (x: Matrix) => Matrix>>;

function matrixOf({ shape, data }: ArrayValue): Matrix {
  const cols = shape.at(-1) ?? 1;
  return new Matrix(cols === 0 ? (shape.at(-2) ?? 1) : data.length / cols, cols, data);
}

function stackOf({ shape, data, ...rest }: ArrayValue): Matrix[] {
  const [count = 0, ...inner] = shape;
  const size = count === 0 ? 0 : data.length / count;
  return Array.from({ length: count }, (_, at) =>
    matrixOf({ ...rest, shape: inner, data: data.subarray(at * size, (at + 1) * size) }),
  );
}

/** Converts an argument into what a student's function receives. */
export function toJavaScript(value: Value, type: ParameterType | undefined, given: Given): unknown {
  if (isArray(value)) {
    if (type === 'numbers') return Array.from(value.data);
    if (value.shape.length === 0) return value.data[0];
    return value.shape.length > 2 ? stackOf(value) : matrixOf(value);
  }
  if (Array.isArray(value)) {
    return value.map((item: Value) => toJavaScript(item, undefined, given));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isGiven(value)) {
    const found = Object.hasOwn(given, value.name) ? given[value.name] : undefined;
    if (!found) throw new Error(`there is no given function ${value.name}`);
    return found;
  }
  const { entries } = value as Extract<Value, { kind: 'dict' }>;
  return Object.fromEntries(
    Object.entries(entries).map(([key, item]) => [key, toJavaScript(item, undefined, given)]),
  );
}

/** Nesting deeper than this is taken for a list that contains itself. */
const maxDepth = 8;

/** Converts a student's result into a value. @throws TypeError where the result is nothing that can be compared. */
export function fromJavaScript(result: unknown, depth = 0): Value {
  if (depth > maxDepth) throw refusal(TypeError, say('result_itself'));
  switch (typeof result) {
    case 'number':
    case 'boolean':
    case 'string':
      return result;
    case 'undefined':
      return null;
    case 'bigint':
      return Number(result);
    case 'object':
      break;
    default:
      throw refusal(TypeError, say('result_kind', { kind: typeof result }));
  }
  if (result === null) return null;
  if (result instanceof Matrix) {
    return {
      kind: 'array',
      dtype: 'float32',
      shape: sizesOf(result),
      data: Float64Array.from(entriesOf(result)),
    };
  }
  // In a run that counts, `data` is a proxy that only `instanceof` recognises as a typed array.
  if (ArrayBuffer.isView(result) || result instanceof Float32Array) {
    const data = Float64Array.from(result as unknown as ArrayLike<number>);
    return { kind: 'array', dtype: 'float32', shape: [data.length], data };
  }
  if (Array.isArray(result)) return result.map((item) => fromJavaScript(item, depth + 1));
  if (typeof (result as PromiseLike<unknown>).then === 'function') {
    throw refusal(TypeError, say('result_promise'));
  }
  const entries: Record<string, Value> = {};
  for (const [key, item] of Object.entries(result)) entries[key] = fromJavaScript(item, depth + 1);
  return { kind: 'dict', entries };
}
