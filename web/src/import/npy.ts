/**
 * NumPy's `.npy` files, versions 1 to 3: a magic string, a Python dictionary with element type,
 * order and shape, then the raw elements. Format: numpy.lib.format.
 */
import type { Wording } from '#client/phrases';
import { ImportError } from './error.js';
import type { ImportedMatrix } from './matrix-file.js';
import { say } from './phrases.js';

/** 4 Mi entries: 2048², more than any picture here shows and still only 16 MiB. */
export const MAX_ENTRIES = 4 * 1024 * 1024;

const WANTED = say('array');
/** NumPy itself refuses to evaluate longer headers. */
const MAX_HEADER_BYTES = 10_000;
const YIELD_EVERY = 16_384;

type Made = 'rounded' | 'converted' | 'as_zero_and_one';
type Reader = (view: DataView, offset: number, little: boolean) => number;

interface ElementType {
  readonly bytes: number;
  readonly read: Reader;
  /** What becoming a float32 does to the values; empty when nothing. */
  /** What was made of its entries. */
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
};

/** True when the bytes start as every `.npy` file does. */
export function isNpy(bytes: Uint8Array): boolean {
  return [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59].every((byte, i) => bytes[i] === byte);
}

/** Reads a `.npy` file; yields where the work may pause. Throws `ImportError` and nothing else. */
export function* parseNpy(bytes: Uint8Array): Generator<void, ImportedMatrix> {
  const { header, dataStart } = readHeader(bytes);
  const { descr, shape: sizes, fortranOrder } = header;
  const shape = `(${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})`;

  if (typeof descr !== 'string') {
    throw new ImportError(say('structured', { shape }), WANTED);
  }
  const parts = /^([<>=|])([a-zA-Z])(\d*)$/.exec(descr);
  const code = parts ? `${parts[2]}${parts[3]}` : descr;
  const known = Object.hasOwn(TYPE_NAMES, code) ? TYPE_NAMES[code] : undefined;
  const typeName = known ?? `dtype '${descr.slice(0, 40)}'`;
  const array = arrayOf(typeName);
  const type = Object.hasOwn(ELEMENT_TYPES, code) ? ELEMENT_TYPES[code] : undefined;
  if (!type || !parts) {
    throw new ImportError(say('array_seen', { array, shape }), say('array_of_floats'));
  }
  if (sizes.length !== 2) {
    throw new ImportError(
      say('array_dimensions', { array, shape, n: sizes.length }),
      say('array_of_two'),
    );
  }
  const [rows, cols] = sizes as [number, number];
  if (rows === 0 || cols === 0) throw new ImportError(say('array_empty', { array, shape }), WANTED);
  if (rows * cols > MAX_ENTRIES) {
    throw new ImportError(
      say('array_entries', { array, shape, n: rows * cols }),
      say('at_most_entries', { most: MAX_ENTRIES }),
    );
  }
  const wantedBytes = rows * cols * type.bytes;
  const seenBytes = bytes.length - dataStart;
  if (seenBytes < wantedBytes) {
    throw new ImportError(
      say('array_cut_off', { array, shape, n: seenBytes }),
      say('bytes_of_data', { n: wantedBytes }),
    );
  }

  const view = new DataView(bytes.buffer, bytes.byteOffset + dataStart, wantedBytes);
  // '=' is what an old NumPy wrote on its own machine; all machines here are little endian.
  const little = parts[1] !== '>';
  const data = new Float32Array(rows * cols);
  let untilYield = YIELD_EVERY;
  for (let row = 0, at = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++, at++) {
      const source = fortranOrder ? col * rows + row : at;
      const exact = type.read(view, source * type.bytes, little);
      data[at] = exact;
      if (!Number.isFinite(data[at])) {
        const value = Number.isFinite(exact)
          ? say('beyond_float32', { cell: `${exact}` })
          : describe(exact);
        throw new ImportError(
          say('array_holds', { array, shape, value, row, column: col }),
          say('finite_only'),
        );
      }
      if (--untilYield === 0) {
        untilYield = YIELD_EVERY;
        yield;
      }
    }
  }
  const notes: Wording[] = type.note ? [say(type.note, { type: typeName })] : [];
  if (seenBytes > wantedBytes) {
    notes.push(say('bytes_left_out', { n: seenBytes - wantedBytes }));
  }
  return { rows, cols, data, notes };
}

interface Header {
  /** Undefined for a structured type, which is a list. */
  readonly descr: string | undefined;
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
    shape: sizes,
    fortranOrder: order,
  };
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
