/** Writes numbers and arrays exactly as NumPy does; the model is `numpy/core/arrayprint.py`. */

import type { ArrayValue, Dtype } from '../types';

export interface PrintOptions {
  precision: number;
  threshold: number;
  edgeitems: number;
  linewidth: number;
  suppress: boolean;
  floatmode: 'maxprec' | 'fixed' | 'unique' | 'maxprec_equal';
}

export const defaultPrintOptions: Readonly<PrintOptions> = {
  precision: 8,
  threshold: 1000,
  edgeitems: 3,
  linewidth: 75,
  suppress: false,
  floatmode: 'maxprec',
};

/** An array, and its integers where doubles do not tell them apart. */
export interface PrintedArray extends ArrayValue {
  readonly integers?: BigInt64Array;
}

interface Digits {
  readonly negative: boolean;
  /** The digits without a point. The first is not 0, except for zero itself. */
  readonly digits: string;
  /** The power of ten of the first digit. */
  readonly exponent: number;
}

function split(text: string): Digits {
  const [mantissa = '', exponent = '0'] = text.split('e');
  return {
    negative: mantissa.startsWith('-'),
    digits: mantissa.replace(/[-.]/g, ''),
    exponent: Number(exponent),
  };
}

/**
 * Rounds a half to the even digit, as NumPy does; JavaScript rounds halves up. Only numbers that end in an exact 5
 * are halves.
 */
function toEven(rounded: string, longer: string): string {
  const mantissa = rounded.split('e')[0] ?? '';
  const last = mantissa.at(-1) ?? '';
  // An odd last digit may come from a half that was rounded up. The even digit is then the one below it.
  const lower = String(Number(last) - 1);
  if (!/[13579]/.test(last)) return rounded;
  const exact = `${mantissa.slice(0, -1)}${lower}${mantissa.includes('.') ? '' : '.'}5`;
  if (!longer.startsWith(exact) || !/^0*(e|$)/.test(longer.slice(exact.length))) return rounded;
  return mantissa.slice(0, -1) + lower + rounded.slice(mantissa.length);
}
const fixedText = (x: number, digits: number) =>
  toEven(x.toFixed(digits), x.toFixed(Math.min(digits + 40, 100)));
const exponentialText = (x: number, digits: number) =>
  toEven(x.toExponential(digits), x.toExponential(Math.min(digits + 40, 100)));

/** The fewest digits that distinguish this number from its neighbours. */
function shortest(x: number, dtype: Dtype): Digits {
  let text = x.toExponential();
  if (dtype === 'float32')
    for (let precision = 0; precision < 9; precision++) {
      text = exponentialText(x, precision);
      if (Math.fround(Number(text)) === x) break;
    }
  const all = split(text);
  return Object.is(x, -0) ? { ...all, negative: true } : all;
}

/**
 * Writes a number without an exponent, such as "123." or "0.5", with at most `precision` and at least `least` digits
 * after the point.
 */
function positional(
  x: number,
  dtype: Dtype,
  precision: number,
  least: number,
  unique: boolean,
  scalar = false,
) {
  const { negative, digits, exponent } = shortest(x, dtype);
  const size = Math.abs(x);
  let whole: string;
  let fraction: string;
  const places = digits.length - 1 - exponent;
  if (unique && places <= 0) {
    // All digits before the point are written, also those that are not needed to distinguish the number.
    if (scalar) whole = digits.padEnd(exponent + 1, '0');
    else whole = size < 1e21 ? size.toFixed(0) : BigInt(size).toString();
    fraction = '';
  } else if (unique && places <= precision) {
    const padded = exponent < 0 ? '0'.repeat(-exponent) + digits : digits;
    const point = Math.max(exponent, 0) + 1;
    whole = padded.slice(0, point);
    fraction = padded.slice(point);
    if (fraction.length < least && !scalar)
      [whole = '0', fraction = ''] = fixedText(size, least).split('.');
  } else {
    const fixed = size < 1e21 ? fixedText(size, Math.min(precision, 100)) : BigInt(size).toString();
    [whole = '0', fraction = ''] = fixed.split('.');
  }
  fraction = fraction.replace(/0+$/, '').padEnd(least, '0');
  return { whole: (negative ? '-' : '') + whole, fraction };
}

function scientific(x: number, dtype: Dtype, precision: number, least: number) {
  let parts = shortest(x, dtype);
  const count = parts.digits.length - 1;
  if (count > precision || count < least) {
    // Digits beyond the shortest form are the number's own, not zeros.
    const negative = parts.negative;
    parts = {
      ...split(exponentialText(x, Math.min(count > precision ? precision : least, 100))),
      negative,
    };
  }
  const whole = (parts.negative ? '-' : '') + (parts.digits[0] ?? '0');
  const fraction = parts.digits.slice(1).replace(/0+$/, '').padEnd(least, '0');
  const size = Math.abs(parts.exponent).toString().padStart(2, '0');
  return { whole, fraction, exponent: `${parts.exponent < 0 ? '-' : '+'}${size}` };
}

/** A scalar as `str` writes np.float64 and np.float32 in NumPy before version 2. */
export function scalarText(x: number, dtype: Dtype): string {
  if (dtype === 'bool') return x ? 'True' : 'False';
  if (dtype === 'int64') return String(x);
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf';
  const size = Math.abs(x);
  if (x === 0 || (size >= 1e-4 && size < 1e16)) {
    const { whole, fraction } = positional(x, dtype, Number.POSITIVE_INFINITY, 1, true, true);
    return `${whole}.${fraction}`;
  }
  const { whole, fraction, exponent } = scientific(x, dtype, Number.POSITIVE_INFINITY, 0);
  return `${whole}${fraction && '.'}${fraction}e${exponent}`;
}

type Write = (x: number) => string;

function floats(values: readonly number[], dtype: Dtype, options: PrintOptions): Write {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.map(Math.abs).filter((x) => x !== 0);
  const { floatmode } = options;
  const precision =
    floatmode === 'unique' ? Number.POSITIVE_INFINITY : Math.max(options.precision, 0);
  let scientificNotation = false;
  if (sizes.length > 0) {
    const largest = sizes.reduce((a, b) => Math.max(a, b));
    const smallest = sizes.reduce((a, b) => Math.min(a, b));
    scientificNotation =
      largest >= 1e8 || (!options.suppress && (smallest < 0.0001 || largest / smallest > 1000));
  }
  let left = 0;
  let right = 0;
  let write: Write = () => '';
  const longest = (texts: readonly string[]) =>
    texts.reduce((n, text) => Math.max(n, text.length), 0);
  if (scientificNotation) {
    const fixed = floatmode === 'fixed';
    const parts = finite.map((x) => scientific(x, dtype, precision, fixed ? precision : 0));
    left = longest(parts.map((part) => part.whole));
    const digits = longest(parts.map((part) => part.fraction));
    const exponents = longest(parts.map((part) => part.exponent)) - 1;
    right = exponents + 2 + digits;
    write = (x) => {
      const part = scientific(x, dtype, digits, digits);
      const exponent = part.exponent[0] + part.exponent.slice(1).padStart(exponents, '0');
      return `${part.whole.padStart(left)}.${part.fraction}e${exponent}`;
    };
  } else if (finite.length > 0) {
    const fixed = floatmode === 'fixed';
    const parts = finite.map((x) => positional(x, dtype, precision, fixed ? precision : 0, !fixed));
    left = longest(parts.map((part) => part.whole));
    right = longest(parts.map((part) => part.fraction));
    const least = fixed || floatmode === 'maxprec_equal' ? right : 0;
    const digits = least || precision;
    write = (x) => {
      const part = positional(x, dtype, digits, least, !fixed);
      return `${part.whole.padStart(left)}.${part.fraction.padEnd(right)}`;
    };
  }
  if (finite.length < values.length) {
    const negative = values.includes(Number.NEGATIVE_INFINITY) ? 1 : 0;
    left = Math.max(left, 3 - (right + 1), 3 + negative - (right + 1));
  }
  return (x) => {
    if (Number.isFinite(x)) return write(x);
    const text = Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
    return text.padStart(left + right + 1);
  };
}

function writer(values: readonly number[], array: ArrayValue, options: PrintOptions): Write {
  if (array.dtype === 'bool') {
    const width = array.shape.length === 0 ? 0 : 5;
    return (x) => (x ? 'True' : 'False').padStart(x ? width && 5 : width);
  }
  if (array.dtype === 'int64') {
    const width = values.reduce((n, x) => Math.max(n, String(x).length), 0);
    return (x) => String(x).padStart(width);
  }
  return floats(values, array.dtype, options);
}

/** The flat positions of the entries that are written when long axes are shortened. */
function* shown(shape: readonly number[], edge: number, axis = 0, start = 0): Generator<number> {
  if (axis === shape.length) {
    yield start;
    return;
  }
  const length = shape[axis] ?? 0;
  const stride = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  for (let i = 0; i < length; i++) {
    if (i === edge && length > 2 * edge) i = length - edge;
    yield* shown(shape, edge, axis + 1, start + i * stride);
  }
}

/** What is written of integers is their `String`, so that those of 64 bits may stand in for numbers. */
const entries = ({ data, integers }: PrintedArray) =>
  (integers as ArrayLike<unknown> as ArrayLike<number> | undefined) ?? data;

function body(
  array: PrintedArray,
  options: PrintOptions,
  separator: string,
  prefix: string,
  suffix: string,
  own?: Write,
) {
  const { shape } = array;
  if (shape.includes(0)) return '[]';
  const data = entries(array);
  const shortened = data.length > options.threshold;
  const edge = shortened ? options.edgeitems : Number.POSITIVE_INFINITY;
  const values = Array.from(shown(shape, edge), (at) => data[at] ?? 0);
  const write = own ?? writer(values, array, options);
  const width = options.linewidth - suffix.length;
  const bare = separator.trimEnd();

  const rows = (axis: number, start: number, indent: string, room: number): string => {
    const left = shape.length - axis;
    if (left === 0) return write(data[start] ?? 0);
    const length = shape[axis] ?? 0;
    const stride = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    const cut = shortened && 2 * edge < length;
    const places: (number | undefined)[] = [];
    for (let i = 0; i < length; i++) {
      if (cut && i === edge) {
        places.push(undefined);
        i = length - edge;
      }
      places.push(i);
    }
    let text = '';
    if (left === 1) {
      const limit = room - Math.max(bare.length, 1);
      let line = indent;
      places.forEach((i, k) => {
        const word = i === undefined ? '...' : write(data[start + i * stride] ?? 0);
        if (line.length + word.length > limit && line.length > indent.length) {
          text += `${line.trimEnd()}\n`;
          line = indent;
        }
        line += word + (k < places.length - 1 ? separator : '');
      });
      text += line;
    } else {
      const between = bare + '\n'.repeat(left - 1);
      text = places
        .map((i) =>
          i === undefined ? '...' : rows(axis + 1, start + i * stride, `${indent} `, room - 1),
        )
        .map((part) => indent + part)
        .join(between);
    }
    return `[${text.slice(indent.length)}]`;
  };
  return rows(0, 0, ` ${' '.repeat(prefix.length)}`, width);
}

/** The text of `str(array)`. */
export function arrayText(array: PrintedArray, options: PrintOptions): string {
  if (array.shape.length === 0) return scalarText(entries(array)[0] ?? 0, array.dtype);
  return body(array, options, ' ', '', '');
}

/** The text that `np.array2string` makes. */
export function arrayToString(
  array: PrintedArray,
  options: PrintOptions,
  separator: string,
  prefix: string,
  suffix: string,
): string {
  return body(array, options, separator, prefix, suffix);
}

/** The text of `repr(array)`. */
export function arrayRepr(array: PrintedArray, options: PrintOptions, name = 'array'): string {
  const { dtype, shape } = array;
  const prefix = `${name}(`;
  const empty = shape.includes(0);
  const implied = dtype !== 'float32' && !empty;
  const suffix = implied ? ')' : ',';
  let text: string;
  if (empty && shape.length !== 1)
    text = `[], shape=(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  else text = body(array, options, ', ', prefix, suffix);
  const whole = prefix + text + suffix;
  if (implied) return whole;
  const type = `dtype=${dtype})`;
  const last = whole.length - (whole.lastIndexOf('\n') + 1);
  const spacer =
    last + type.length + 1 > options.linewidth ? `\n${' '.repeat(prefix.length)}` : ' ';
  return whole + spacer + type;
}

/** The text of `str(tensor)` in PyTorch: four digits, and the dtype only where it is not the default. */
export function tensorText(array: PrintedArray): string {
  const { dtype, shape } = array;
  const options: PrintOptions = { ...defaultPrintOptions, precision: 4, linewidth: 80 };
  let write: Write | undefined;
  if (dtype === 'float32' || dtype === 'float64') {
    const shortened = array.data.length > options.threshold;
    const edge = shortened ? options.edgeitems : Number.POSITIVE_INFINITY;
    const values = Array.from(shown(shape, edge), (at) => array.data[at] ?? 0);
    write = tensorWriter(values);
  } else if (dtype === 'bool') {
    const width = array.data.includes(0) ? 5 : 4;
    write = (x) => (x ? 'True' : 'False').padStart(width);
  }
  const text = body(array, options, ', ', 'tensor(', ')', write).replaceAll(', ..., ', ',  ..., ');
  const empty = shape.includes(0);
  const usual = dtype !== 'float64';
  const size = empty && shape.length > 1 ? `, size=(${shape.join(', ')})` : '';
  const type = usual && !(empty && dtype !== 'float32') ? '' : `, dtype=torch.${dtype}`;
  return `tensor(${text}${size}${type})`;
}

function tensorWriter(values: readonly number[]): Write {
  const sizes = values.filter((x) => Number.isFinite(x) && x !== 0).map(Math.abs);
  const whole = sizes.every((x) => Number.isInteger(x));
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  const smallest = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const far = sizes.length > 0 && (largest / smallest > 1000 || largest > 1e8);
  const tiny = sizes.length > 0 && smallest < 1e-4 && !whole;
  const one = (x: number): string => {
    if (Number.isNaN(x)) return 'nan';
    if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf';
    if (whole && !far) return `${Object.is(x, -0) ? '-0' : x}.`;
    if (far || tiny) {
      const [mantissa = '', exponent = ''] = x.toExponential(4).split('e');
      const digits = exponent.slice(1).padStart(2, '0');
      return `${mantissa}e${exponent[0]}${digits}`;
    }
    return Object.is(x, -0) ? '-0.0000' : x.toFixed(4);
  };
  // Zeros, infinities and NaN do not decide the width, because PyTorch does not look at them.
  const counted = values.filter((x) => Number.isFinite(x) && x !== 0);
  const width = counted.reduce((n, x) => Math.max(n, one(x).length), 1);
  return (x) => one(x).padStart(width);
}
