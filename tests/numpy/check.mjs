// Compares what our Python makes of an expression with what NumPy made of it (expected.json).
import { readFileSync } from 'node:fs';
import { close } from '../../web/src/exercises/judge/close.ts';

const here = new URL('.', import.meta.url);
const read = (name) => readFileSync(new URL(name, here), 'utf8');
const preamble = read('preamble.py');
export const { records } = JSON.parse(read('expected.json'));

const parameters = ['A', 'B', 'I', 'v', 'k', 'S', 'm', 'f', 'z', 'Q', 'K', 'V'];

/** Splits the statements of a record into all but the last, and the last. */
function parts(code) {
  const lines = code.split('\n');
  if (lines.length > 1) return [lines.slice(0, -1), lines.at(-1)];
  const statements = code.split('; ');
  return [statements.slice(0, -1), statements.at(-1)];
}

export function program({ code, error, value }) {
  const told = value !== null && typeof value === 'object' && 'other' in value ? 'None' : 'value';
  const [before, last] = parts(code);
  const body = [
    ...before,
    error && /^\w+ = /.test(last) ? `${last}; value = None` : `value = ${last}`,
  ];
  const indented = body.map((line) => `    ${line}`).join('\n');
  const call = 'case(**{k: v for k, v in names().items() if k not in ("np", "math")})';
  const run = error
    ? `    try:
        ${call}
    except Exception as e:
        return [type(e).__name__, str(e)]`
    : `    value = ${call}
    return [${told}, str(value), repr(value)]`;
  return `${preamble}
def case(${parameters.join(', ')}, **more):
${indented}
    return value

def run():
${run}
`;
}

const near = (x, y) => close(x, y, 1e-6, 1e-12);

const special = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};
const number = (x) => (x !== null && typeof x === 'object' && 'x' in x ? special[x.x] : Number(x));
const types = { int32: 'int64' };

/** Describes the difference between a value and NumPy's value; '' when they agree. */
function difference(actual, expected, where = '') {
  if (expected !== null && typeof expected === 'object' && !Array.isArray(expected)) {
    if ('other' in expected) return '';
    if ('array' in expected) {
      if (actual?.kind !== 'array') return `${where}: no array but ${JSON.stringify(actual)}`;
      const dtype = types[expected.dtype] ?? expected.dtype;
      if (actual.dtype !== dtype) return `${where}: dtype ${actual.dtype}, not ${dtype}`;
      if (actual.shape.join() !== expected.shape.join())
        return `${where}: shape (${actual.shape}), not (${expected.shape})`;
      const at = expected.array.findIndex((x, i) => !near(actual.data[i], number(x)));
      return at < 0 ? '' : `${where}[${at}]: ${actual.data[at]}, not ${number(expected.array[at])}`;
    }
    if ('dict' in expected) {
      for (const [key, value] of Object.entries(expected.dict)) {
        const found = difference(actual?.entries?.[key], value, `${where}[${key}]`);
        if (found) return found;
      }
      return '';
    }
    const x = number(expected);
    return typeof actual === 'number' && near(actual, x) ? '' : `${where}: ${actual}, not ${x}`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return `${where}: ${JSON.stringify(actual)}, not a list of ${expected.length}`;
    for (let i = 0; i < expected.length; i++) {
      const found = difference(actual[i], expected[i], `${where}[${i}]`);
      if (found) return found;
    }
    return '';
  }
  if (typeof expected === 'number')
    return typeof actual === 'number' && near(actual, expected)
      ? ''
      : `${where}: ${JSON.stringify(actual)}, not ${expected}`;
  return actual === expected
    ? ''
    : `${where}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

const numerals = /-?\d+\.?\d*(?:e[-+]?\d+)?/g;
/** Compares texts: they must be equal, or differ only in the last digits of numbers. */
function texts(actual, expected, what) {
  if (actual === expected) return '';
  const gap = (text) => text.replace(numerals, '#').replace(/\s+/g, ' ');
  const left = actual.match(numerals) ?? [];
  const right = expected.match(numerals) ?? [];
  const allNear = left.every((x, i) => near(Number(x), Number(right[i])));
  if (gap(actual) === gap(expected) && left.length === right.length && allNear) return '';
  return `${what}:\n${actual}\n  not\n${expected}`;
}

/** Runs one record. `complaints` are empty when it agrees; `exact` says whether every character agreed. */
export function check(python, record) {
  const loaded = python.load({ code: program(record), entry: 'run', parameters: [] });
  if (loaded.loadError) return { complaints: [`load: ${loaded.loadError.message}`], exact: false };
  const { value, error, prints } = python.call([]);
  if (record.error) {
    if (!value) return { complaints: [`no ${record.error}`], exact: false };
    const [type, message] = value;
    const complaints = type === record.error ? [] : [`${type}: ${message}, not ${record.error}`];
    return { complaints, exact: message === record.message };
  }
  if (error) return { complaints: [`${error.type}: ${error.message}`], exact: false };
  const [result, text, repr] = value;
  const complaints = [
    difference(result, record.value),
    texts(text, record.str, 'str'),
    texts(repr, record.repr, 'repr'),
    texts(prints, record.prints ?? '', 'prints'),
  ].filter(Boolean);
  return { complaints, exact: text === record.str && repr === record.repr };
}
