/**
 * Checks every message of a worker before it is used, because a student's code may have changed how messages are
 * made.
 */

import type { PhraseValue, Wording } from '#client/phrases';
import { maxPrint } from '../runtime';
import type { CaseOutcome, Dtype, RunCounts, RunError, RunResult, Value } from '../types';

const dtypes: readonly Dtype[] = ['float64', 'float32', 'int64', 'bool'];
const maxDepth = 16;
const maxRank = 8;
/** The most parts that one result may have. A list that holds itself twice would otherwise be read without end. */
const maxParts = 100_000;
const maxWords = 4000;
/** The most parameters of a phrase; our phrases have at most three. */
const maxParameters = 8;
/** The most printed characters of an outcome, with room for the line in which Python says that the text was cut. */
const maxPrints = maxPrint + 200;
/** The most functions of the module `exercise`; it has some ten. */
const maxTaken = 100;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const textOf = (value: unknown, length = maxWords): string =>
  typeof value === 'string' ? value.slice(0, length) : '';
const countOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : 0;

/** Reads a phrase with its parameters. A phrase may contain another, but only as deep as our own phrases do. */
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

/** Reads a value. @throws TypeError where the message holds none. */
function readValue(value: unknown, left = { parts: maxParts }, depth = 0): Value {
  if (--left.parts < 0) throw new TypeError('the result has too many parts to be compared');
  if (value === null || ['number', 'boolean', 'string'].includes(typeof value))
    return value as Value;
  if (depth < maxDepth && Array.isArray(value)) {
    // This check comes before any loop, because a list may be long and hold nothing.
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

export function readLoaded(said: {
  readonly loadError?: unknown;
  readonly prints?: unknown;
  readonly drawings?: unknown;
  readonly taken?: unknown;
}): Pick<RunResult, 'loadError' | 'prints' | 'drawings' | 'taken'> {
  const taken = Array.isArray(said.taken)
    ? said.taken.filter((name): name is string => typeof name === 'string').slice(0, maxTaken)
    : [];
  const read = { prints: textOf(said.prints, maxPrints), ...(taken.length > 0 && { taken }) };
  if (said.loadError !== undefined) return { loadError: readError(said.loadError), ...read };
  if (said.drawings === undefined) return read;
  try {
    return { ...read, drawings: readValue(said.drawings) };
  } catch {
    // What cannot be read is not drawn.
    return read;
  }
}
