/** What a worker says is read with care: a student's code may have changed how it is made. */

import type { PhraseValue, Wording } from '#client/phrases';
import { maxPrint } from '../runtime';
import type { CaseOutcome, Dtype, RunCounts, RunError, Value } from '../types';

const dtypes: readonly Dtype[] = ['float64', 'float32', 'int64', 'bool'];
const maxDepth = 16;
const maxRank = 8;
/** Parts of one result. A list that holds itself twice would be read without end. */
const maxParts = 100_000;
const maxWords = 4000;
/** Of a phrase; ours have three. */
const maxParameters = 8;
/** Python adds a line that says that it was cut. */
const maxPrints = maxPrint + 200;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const textOf = (value: unknown, length = maxWords): string =>
  typeof value === 'string' ? value.slice(0, length) : '';
const countOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : 0;

/** A phrase with its parameters; one within another no deeper than ours are. */
function readWording(value: unknown, depth = 0): Wording | undefined {
  if (!isObject(value) || !isObject(value.params) || typeof value.id !== 'string') return undefined;
  const params: [string, PhraseValue][] = [];
  for (const name of Object.keys(value.params).slice(0, maxParameters)) {
    const given = value.params[name];
    const inner = depth === 0 ? readWording(given, 1) : undefined;
    params.push([name, inner ?? (typeof given === 'number' ? given : textOf(given))]);
  }
  return { id: textOf(value.id), params: Object.fromEntries(params), text: textOf(value.text) };
}

export function readError(value: unknown): RunError {
  const { type, message, said, line, column } = isObject(value) ? value : ({} as Fields);
  const wording = readWording(said);
  return {
    type: textOf(type) || 'Error',
    message: textOf(message),
    ...(wording && { said: wording }),
    ...(Number.isInteger(line) && { line: line as number }),
    ...(Number.isInteger(column) && { column: column as number }),
  };
}

/** @throws TypeError where it is none. */
function readValue(value: unknown, left = { parts: maxParts }, depth = 0): Value {
  if (--left.parts < 0) throw new TypeError('the result has too many parts to be compared');
  if (value === null || ['number', 'boolean', 'string'].includes(typeof value))
    return value as Value;
  if (depth < maxDepth && Array.isArray(value)) {
    // Before a loop: a list may be long and have nothing in it.
    if (value.length > left.parts) throw new TypeError('the result is too long to be compared');
    return value.map((item) => readValue(item, left, depth + 1));
  }
  if (depth < maxDepth && isObject(value)) {
    if (value.kind === 'array') return readArray(value);
    if (value.kind === 'dict' && isObject(value.entries)) {
      const entries: [string, Value][] = [];
      for (const key in value.entries) {
        entries.push([key, readValue(value.entries[key], left, depth + 1)]);
      }
      return { kind: 'dict', entries: Object.fromEntries(entries) };
    }
  }
  throw new TypeError('the result could not be read');
}

function readArray({ dtype, shape, data }: Fields): Value {
  const isShape =
    Array.isArray(shape) &&
    shape.length <= maxRank &&
    shape.every((size) => Number.isInteger(size) && size >= 0);
  if (!isShape || !(data instanceof Float64Array) || !dtypes.includes(dtype as Dtype)) {
    throw new TypeError('the result could not be read');
  }
  const size = shape.reduce((product: number, length: number) => product * length, 1);
  if (size !== data.length) throw new TypeError('the result does not have the size of its shape');
  return { kind: 'array', dtype: dtype as Dtype, shape, data };
}

function readCounts(value: unknown): RunCounts {
  const { multiplyAdds, touched, bytes, largest } = isObject(value) ? value : ({} as Fields);
  return {
    multiplyAdds: countOf(multiplyAdds),
    touched: countOf(touched),
    bytes: countOf(bytes),
    ...(largest !== undefined && { largest: countOf(largest) }),
  };
}

export function readOutcome(outcome: unknown): CaseOutcome {
  const said = isObject(outcome) ? outcome : {};
  const rest = {
    prints: textOf(said.prints, maxPrints),
    counts: readCounts(said.counts),
    milliseconds: countOf(said.milliseconds),
  };
  if (said.error !== undefined) return { ...rest, error: readError(said.error) };
  try {
    return { ...rest, value: readValue(said.value) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...rest, error: { type: 'TypeError', message } };
  }
}

export function readLoaded(said: { readonly loadError?: unknown; readonly prints?: unknown }) {
  const prints = textOf(said.prints, maxPrints);
  return said.loadError === undefined
    ? { prints }
    : { loadError: readError(said.loadError), prints };
}
