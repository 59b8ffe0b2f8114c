/**
 * NumPy's `.npy` files, versions 1 to 3: a magic string, a Python dictionary with element type,
 * order and shape, then the raw elements. Format: numpy.lib.format.
 */
import type { Wording } from '#client/phrases';
import { ImportError } from './error.js';
import type { Choice, ImportedMatrix } from './matrix-file.js';
import { say } from './phrases.js';
import { type ArrayReading, readingOfArray } from './reading.js';

/** 4 Mi entries: 2048², more than any picture here shows and still only 16 MiB. */
export const MAX_ENTRIES = 4 * 1024 * 1024;

const WANTED = say('array');
/** NumPy itself refuses to evaluate longer headers. */
const MAX_HEADER_BYTES = 10_000;
const YIELD_EVERY = 16_384;
/** More axes than that nobody counts. */
const MAX_AXES = 8;
/** Characters of one text in an array of texts. */
const MAX_TEXT_WIDTH = 4096;

type Made = 'rounded' | 'converted' | 'as_zero_and_one' | 'as_bfloat16';
type Reader = (view: DataView, offset: number, little: boolean) => number;

interface ElementType {
  readonly bytes: number;
  readonly read: Reader;
  /** What was made of its entries; undefined for nothing. */
  readonly note?: Made;
}

const ROUNDED = 'rounded';
const EXACT = 'converted';

const ELEMENT_TYPES: Readonly<Record<string, ElementType>> = {
  f4: { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) },
  f8: { bytes: 8, read: (view, at, little) => view.getFloat64(at, little), note: ROUNDED },
  f2: { bytes: 2, read: (view, at, little) => half(view.getUint16(at, little)), note: EXACT },
  i1: { bytes: 1, read: (view, at) => view.getInt8(at), note: EXACT },
  i2: { bytes: 2, read: (view, at, little) => view.getInt16(at, little), note: EXACT },
  i4: { bytes: 4, read: (view, at, little) => view.getInt32(at, little), note: ROUNDED },
  i8: { bytes: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)), note: ROUNDED },
  u1: { bytes: 1, read: (view, at) => view.getUint8(at), note: EXACT },
  u2: { bytes: 2, read: (view, at, little) => view.getUint16(at, little), note: EXACT },
  u4: { bytes: 4, read: (view, at, little) => view.getUint32(at, little), note: ROUNDED },
  u8: {
    bytes: 8,
    read: (view, at, little) => Number(view.getBigUint64(at, little)),
    note: ROUNDED,
  },
  b1: { bytes: 1, read: (view, at) => (view.getUint8(at) === 0 ? 0 : 1), note: 'as_zero_and_one' },
  // NumPy knows no bfloat16 and saves it as two bytes of no type; it is the upper half of a float32.
  V2: { bytes: 2, read: bfloat16, note: 'as_bfloat16' },
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  f12: 'longdouble',
  f16: 'longdouble',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  b1: 'bool',
  c8: 'complex64',
  c16: 'complex128',
  O: 'object',
  V2: 'bfloat16',
  // What ml_dtypes saves as one byte is a float8, and the file does not say which.
  f1: 'float8',
  V1: 'float8',
};

/** True when the bytes start as every `.npy` file does. */
export function isNpy(bytes: Uint8Array): boolean {
  return [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59].every((byte, i) => bytes[i] === byte);
}

/** An array of a file: what its header says. */
export interface NpyArray {
  /** As NumPy calls it; `bfloat16` for two bytes that NumPy has no name for; `text`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly kind: 'numbers' | 'text';
  readonly type: ElementType;
  /** Text of four bytes for each character, as NumPy's `U`; else of one, as its `S`. */
  readonly unicode?: boolean;
  readonly little: boolean;
  readonly fortranOrder: boolean;
  /** Where its elements begin in the file. */
  readonly dataStart: number;
}

/** Longer prefixes hold no header that is read. */
export const HEADER_BYTES = 12 + MAX_HEADER_BYTES;

/**
 * What an array is, from the beginning of its file. Throws `ImportError` for one whose elements are neither numbers nor
 * text, with what to do before it is saved again.
 */
export function npyHeader(bytes: Uint8Array): NpyArray {
  const { header, dataStart } = readHeader(bytes);
  const { descr, shape, fortranOrder, field } = header;
  const sizes = shapeText(shape);
  if (descr === undefined) {
    throw new ImportError(
      say('structured', { shape: sizes }),
      field === undefined ? WANTED : say('one_field', { field }),
    );
  }
  const parts = /^([<>=|])([a-zA-Z])(\d*)(\[[^\]]*\])?$/.exec(descr);
  const [, order = '', letter = '', size = ''] = parts ?? [];
  const code = parts ? `${letter}${size}` : descr;
  // '=' is what an old NumPy wrote on its own machine; all machines here are little endian.
  const place = { shape, fortranOrder, dataStart, little: order !== '>' };
  const numbers = Object.hasOwn(ELEMENT_TYPES, code) ? ELEMENT_TYPES[code] : undefined;
  if (parts && numbers) {
    return { ...place, kind: 'numbers', dtype: nameOf(code, descr), type: numbers };
  }
  const width = Number(size);
  if ((letter === 'U' || letter === 'S') && width <= MAX_TEXT_WIDTH) {
    const bytesEach = letter === 'U' ? 4 * width : width;
    const type = { bytes: bytesEach, read: () => Number.NaN };
    return { ...place, kind: 'text', dtype: 'text', type, unicode: letter === 'U' };
  }
  const array = arrayOf(nameOf(code, descr));
  const seen = say(letter === 'O' ? 'array_of_objects' : 'array_seen', { array, shape: sizes });
  throw new ImportError(seen, ADVICE[letter] ?? say('array_of_floats'));
}

/** What helps for a type that is none of numbers here: it has to work before the array is saved. */
const ADVICE: Readonly<Record<string, Wording>> = {
  c: say('real_part'),
  O: say('no_objects'),
  V: say('cast_before'),
  M: say('whole_numbers'),
  m: say('whole_numbers'),
};

const nameOf = (code: string, descr: string): string =>
  (Object.hasOwn(TYPE_NAMES, code) ? TYPE_NAMES[code] : undefined) ??
  `dtype '${descr.slice(0, 40)}'`;

const shapeText = (shape: readonly number[]): string =>
  `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

/** Which part of an array is the matrix: all axes but the last two are in front of it. */
interface Part {
  readonly rows: number;
  readonly cols: number;
  /** One index for each axis in front. */
  readonly front: readonly number[];
}

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** The bytes of all elements; refuses a file that ends before them. */
function checkLength(bytes: Uint8Array, array: NpyArray): number {
  const { dtype, shape, type, dataStart } = array;
  const wanted = product(shape) * type.bytes;
  const seen = bytes.length - dataStart;
  if (seen >= wanted) return wanted;
  throw new ImportError(
    say('array_cut_off', { array: arrayOf(dtype), shape: shapeText(shape), n: seen }),
    say('bytes_of_data', { n: wanted }),
  );
}

/** The numbers of one part, in C order; with `holes` also NaN, where something is not there. */
function* partOf(
  bytes: Uint8Array,
  array: NpyArray,
  part: Part,
  holes = false,
): Generator<void, Float32Array> {
  const { shape, type, little, fortranOrder, dtype } = array;
  const { rows, cols, front } = part;
  const view = new DataView(bytes.buffer, bytes.byteOffset + array.dataStart);
  const before = shape.slice(0, front.length);
  const many = product(before);
  // Fortran: the first axis runs fastest. C: the last one does.
  let first = 0;
  if (fortranOrder) first = before.reduceRight((at, size, i) => at * size + (front[i] ?? 0), 0);
  else first = before.reduce((at, size, i) => at * size + (front[i] ?? 0), 0) * rows * cols;
  const [down, right] = fortranOrder ? [many, many * rows] : [cols, 1];
  const data = new Float32Array(rows * cols);
  let untilYield = YIELD_EVERY;
  for (let row = 0, at = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++, at++) {
      const exact = type.read(view, (first + row * down + col * right) * type.bytes, little);
      data[at] = exact;
      if (!Number.isFinite(data[at]) && !(holes && Number.isNaN(exact))) {
        const value = Number.isFinite(exact)
          ? say('beyond_float32', { cell: `${exact}` })
          : describe(exact);
        throw new ImportError(
          say('array_holds', {
            array: arrayOf(dtype),
            shape: shapeText(shape),
            value,
            row,
            column: col,
          }),
          say('finite_only'),
        );
      }
      if (--untilYield === 0) {
        untilYield = YIELD_EVERY;
        yield;
      }
    }
  }
  return data;
}

/** All numbers of an array, in C order; with `holes`, NaN is let through. */
export function* allNumbers(
  bytes: Uint8Array,
  array: NpyArray,
  { holes = false }: { readonly holes?: boolean } = {},
): Generator<void, Float32Array> {
  checkLength(bytes, array);
  const entries = product(array.shape);
  if (!array.fortranOrder)
    return yield* partOf(bytes, array, { rows: 1, cols: entries, front: [] }, holes);
  const { shape } = array;
  const [rows = 1, cols = 1] = shape.length > 1 ? shape.slice(-2) : [1, shape[0] ?? 1];
  const before = shape.length > 1 ? shape.slice(0, -2) : [];
  const data = new Float32Array(entries);
  for (let i = 0; i < product(before); i++) {
    let left = i;
    const front = before.map((_, axis) => {
      const inner = product(before.slice(axis + 1));
      const index = Math.floor(left / inner);
      left -= index * inner;
      return index;
    });
    data.set(yield* partOf(bytes, array, { rows, cols, front }, holes), i * rows * cols);
  }
  return data;
}

/** The texts of an array, each without the zeros that fill it up. */
export function textsOf(bytes: Uint8Array, array: NpyArray): readonly string[] {
  checkLength(bytes, array);
  const { shape, type, little, dataStart, fortranOrder } = array;
  const count = product(shape);
  if (count > MAX_ENTRIES || (fortranOrder && shape.filter((n) => n !== 1).length > 1)) return [];
  const wide = array.unicode === true;
  const view = new DataView(bytes.buffer, bytes.byteOffset + dataStart, count * type.bytes);
  return Array.from({ length: count }, (_, i) => {
    const from = i * type.bytes;
    if (!wide) {
      const text = bytes.subarray(dataStart + from, dataStart + from + type.bytes);
      return new TextDecoder().decode(text).replace(/\0+$/, '');
    }
    let text = '';
    for (let at = from; at < from + type.bytes; at += 4) {
      const code = view.getUint32(at, little);
      text += code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
    }
    return text.replace(/\0+$/, '');
  });
}

/** Reads a `.npy` file; yields where the work may pause. Throws `ImportError` and nothing else. */
export function* parseNpy(
  bytes: Uint8Array,
  wanted: ArrayReading = { at: [] },
): Generator<void, ImportedMatrix> {
  const array = npyHeader(bytes);
  const { shape, type, kind, dtype } = array;
  const sizes = shapeText(shape);
  const named = arrayOf(dtype);
  if (kind === 'text') {
    throw new ImportError(
      say('array_seen', { array: say('array_of_texts'), shape: sizes }),
      WANTED,
    );
  }
  if (shape.length === 0 || shape.length > MAX_AXES) {
    throw new ImportError(
      say('array_dimensions', { array: named, shape: sizes, n: shape.length }),
      say('array_of_two'),
    );
  }
  if (product(shape) === 0) {
    throw new ImportError(say('array_empty', { array: named, shape: sizes }), WANTED);
  }
  const [rows = 1, cols = 1] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]];
  const before = shape.slice(0, -2);
  if (rows * cols > MAX_ENTRIES) {
    throw new ImportError(
      say('array_entries', { array: named, shape: sizes, n: rows * cols }),
      say('at_most_entries', { most: MAX_ENTRIES }),
    );
  }
  const needed = checkLength(bytes, array);

  // An axis of length 1 is nothing to choose from.
  const asked = before.flatMap((size, axis) => (size > 1 ? [axis] : []));
  const at = asked.map((axis, i) => Math.min(wanted.at[i] ?? 0, (before[axis] as number) - 1));
  const front = before.map((_, axis) => at[asked.indexOf(axis)] ?? 0);
  const data = yield* partOf(bytes, array, { rows, cols, front });

  const notes: Wording[] = type.note ? [say(type.note, { type: dtype })] : [];
  if (shape.length === 1) notes.push(say('one_axis'));
  if (asked.length < before.length) notes.push(say('axes_of_one'));
  const after = bytes.length - array.dataStart - needed;
  if (after > 0) notes.push(say('bytes_left_out', { n: after }));
  const choices: Choice[] = asked.map((axis, place) => ({
    kind: 'axis',
    axis: axisName(axis, before.length),
    place,
    length: before[axis] as number,
    index: at[place] as number,
  }));
  return {
    ...{ rows, cols, data, notes },
    ...(choices.length > 0 && { choices, reading: readingOfArray({ member: wanted.member, at }) }),
  };
}

/** What the axes in front of a matrix are, counted from the matrix: head, layer or batch; of three, layer, batch, head. */
function axisName(axis: number, axes: number): Wording {
  const fromMatrix = axes - axis;
  if (fromMatrix === 1) return say('axis_head');
  if (fromMatrix === 2) return say(axes === 2 ? 'axis_layer_or_batch' : 'axis_batch');
  if (fromMatrix === 3 && axes === 3) return say('axis_layer');
  return say('axis_number', { n: axis });
}

interface Header {
  /** Undefined for a structured type, which is a list. */
  readonly descr: string | undefined;
  /** The first field of a structured type. */
  readonly field: string | undefined;
  readonly shape: readonly number[];
  readonly fortranOrder: boolean;
}

function readHeader(bytes: Uint8Array): { header: Header; dataStart: number } {
  const major = bytes[6] ?? 0;
  const lengthBytes = major === 1 ? 2 : 4;
  if (bytes.length < 8 + lengthBytes) {
    throw new ImportError(say('npy_cut_off', { n: bytes.length }), WANTED);
  }
  if (major < 1 || major > 3) {
    throw new ImportError(say('npy_version', { version: `${major}.${bytes[7]}` }), say('versions'));
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER_BYTES) {
    throw new ImportError(
      say('npy_long_header', { n: length }),
      say('header_of_at_most', { most: MAX_HEADER_BYTES }),
    );
  }
  const dataStart = 8 + lengthBytes + length;
  if (dataStart > bytes.length) {
    throw new ImportError(say('npy_cut_off', { n: bytes.length }), WANTED);
  }
  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(
    bytes.subarray(8 + lengthBytes, dataStart),
  );
  return { header: interpret(text), dataStart };
}

function interpret(text: string): Header {
  const garbage = (): ImportError =>
    new ImportError(say('npy_odd_header', { text: text.trim().slice(0, 80) }), say('header_with'));
  const literal = parseLiteral(text);
  if (!(literal instanceof Map)) throw garbage();
  const descr = literal.get('descr');
  const order = literal.get('fortran_order');
  const shape = literal.get('shape');
  if (typeof order !== 'boolean' || !Array.isArray(shape)) throw garbage();
  if (typeof descr !== 'string' && !Array.isArray(descr)) throw garbage();
  const sizes = shape.map((size) => {
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) throw garbage();
    return size;
  });
  return {
    descr: typeof descr === 'string' ? descr : undefined,
    field: fieldOf(descr),
    shape: sizes,
    fortranOrder: order,
  };
}

function fieldOf(descr: Literal): string | undefined {
  const first = Array.isArray(descr) ? descr[0] : undefined;
  const name = Array.isArray(first) ? first[0] : undefined;
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : undefined;
}

type Literal = string | number | boolean | null | Literal[] | Map<string, Literal>;

const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\d+)L?(?![\w.])|(True|False|None)\b|([{}()[\],:]))/y;
/** A structured type nests three deep; more is an attack on the call stack. */
const MAX_DEPTH = 16;

/** The few Python literals a header uses. Undefined when the text is anything else. */
function parseLiteral(text: string): Literal | undefined {
  let position = 0;
  const take = (): { kind: 'value' | 'mark'; value: Literal } | undefined => {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (!match) return undefined;
    position = TOKEN.lastIndex;
    if (match[1] !== undefined) return { kind: 'value', value: match[1].slice(1, -1) };
    if (match[2] !== undefined) return { kind: 'value', value: Number(match[2]) };
    if (match[3] !== undefined) {
      return { kind: 'value', value: match[3] === 'None' ? null : match[3] === 'True' };
    }
    return { kind: 'mark', value: match[4] as string };
  };
  const isNext = (mark: string): boolean => {
    const before = position;
    const token = take();
    if (token?.kind === 'mark' && token.value === mark) return true;
    position = before;
    return false;
  };

  function value(depth: number): Literal | undefined {
    const token = take();
    if (!token || depth > MAX_DEPTH) return undefined;
    if (token.kind === 'value') return token.value;
    if (token.value === '{') return dictionary(depth);
    if (token.value === '(') return list(')', depth);
    if (token.value === '[') return list(']', depth);
    return undefined;
  }
  function list(end: string, depth: number): Literal[] | undefined {
    const items: Literal[] = [];
    while (!isNext(end)) {
      const item = value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!isNext(',')) return isNext(end) ? items : undefined;
    }
    return items;
  }
  function dictionary(depth: number): Map<string, Literal> | undefined {
    const items = new Map<string, Literal>();
    while (!isNext('}')) {
      const key = value(depth + 1);
      if (typeof key !== 'string' || !isNext(':')) return undefined;
      const item = value(depth + 1);
      if (item === undefined) return undefined;
      items.set(key, item);
      if (!isNext(',')) return isNext('}') ? items : undefined;
    }
    return items;
  }

  const literal = value(0);
  return text.slice(position).trim() === '' ? literal : undefined;
}

const word = new DataView(new ArrayBuffer(4));

/** The sign, the exponent and the first seven digits of a float32. */
function bfloat16(view: DataView, offset: number, little: boolean): number {
  word.setUint32(0, view.getUint16(offset, little) << 16);
  return word.getFloat32(0);
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function describe(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'infinity' : '−infinity';
}

/** English has two articles: an int8 array, a uint8 array. */
function arrayOf(type: string): Wording {
  return say(/^[aeiou](?!int)/i.test(type) ? 'an_array_of' : 'a_array_of', { type });
}
