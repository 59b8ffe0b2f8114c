import { ArrayError } from './errors';
import type { Exports } from './load';

/** An array, by number. Numbers above 0; one that was freed is an error and not another array. */
export type Handle = number;

/** All entries (left out or null), one axis, or several. */
export type Axis = number | readonly number[] | null | undefined;

/** A part of `x[…]`: an integer, `null` for a new axis, `'...'`, a slice, or an array of integers or booleans. */
export type IndexPart =
  | number
  | null
  | '...'
  | {
      readonly start?: number | null;
      readonly stop?: number | null;
      readonly step?: number | null;
    }
  | { readonly array: Handle };

/**
 * Parts, or the same as text, which is quick to pass through MicroPython: `"3,:,1:-1,::2"`, with `n`
 * for a new axis, `...`, and `#12` for the array with handle 12.
 */
export type IndexList = readonly IndexPart[] | string;

/** Byte offsets in the scratch buffer: integers first, then doubles. */
const doublesAt = 512;

/** Stands for an integer that is left out. */
const none = -0x80000000;

/** WebAssembly would cut an integer to 32 bits; what does not fit them fits no array either. */
export function clampInt(value: number): number {
  return value === none ? value : Math.max(-0x7fffffff, Math.min(0x7fffffff, Math.trunc(value)));
}
export const maybeInt = (value: number | null | undefined) =>
  value == null ? none : clampInt(value);

/**
 * Arguments and results on their way: lists through the scratch buffer that both sides see, failures
 * as -1, or NaN where a number is asked for.
 */
export class Boundary {
  #ints = new Int32Array();
  #doubles = new Float64Array();
  #scratch = 0;
  #scratchBytes = 0;

  constructor(readonly x: Exports) {
    this.#reserve(4096);
  }

  made(handle: number): Handle {
    if (handle > 0) return handle;
    throw this.#error();
  }
  number(value: number): number {
    if (value >= 0) return value;
    throw this.#error();
  }
  /** Failures are NaN; a NaN need not be one. */
  real(value: number): number {
    if (Number.isNaN(value) && this.x.failed() === 1) throw this.#error();
    return value;
  }
  /** As many as the call says; what a call returns as several arrays are their handles. */
  integers(count: number): number[] {
    this.number(count);
    return Array.from(this.view().subarray(0, count));
  }
  text(at: number): string {
    const bytes = new Uint8Array(this.x.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }
  #error(): ArrayError {
    const { x } = this;
    return new ArrayError(
      this.text(x.error_type()),
      this.text(x.error_message()),
      this.text(x.error_said()),
    );
  }

  /** The scratch buffer as integers; memory that grew took the old view away. */
  view(): Int32Array {
    if (this.#ints.length === 0) this.#look();
    return this.#ints;
  }
  /** Its doubles. */
  doubles(count: number): Float64Array {
    this.view();
    return this.#doubles.subarray(doublesAt / 8, doublesAt / 8 + count);
  }
  #look(): void {
    const { buffer } = this.x.memory;
    this.#ints = new Int32Array(buffer, this.#scratch, this.#scratchBytes / 4);
    this.#doubles = new Float64Array(buffer, this.#scratch, this.#scratchBytes / 8);
  }
  #reserve(bytes: number): void {
    if (bytes > this.#scratchBytes) {
      this.#scratchBytes = (bytes + 4095) & ~4095;
      this.#scratch = this.number(this.x.scratch(this.#scratchBytes));
      this.#look();
    }
  }
  /** Returns their number. */
  putInts(values: readonly number[]): number {
    if (values.length > 128) this.#reserve(4 * values.length);
    const ints = this.view();
    for (let i = 0; i < values.length; i++) ints[i] = clampInt(values[i] as number);
    return values.length;
  }
  putDoubles(values: readonly number[]): number {
    if (values.length > 128) this.#reserve(8 * values.length + doublesAt);
    this.view();
    for (let i = 0; i < values.length; i++) this.#doubles[doublesAt / 8 + i] = values[i] as number;
    return values.length;
  }
  /** Returns the number of bytes. */
  putText(text: string, at: number): number {
    const bytes = new TextEncoder().encode(text);
    this.#reserve(at + bytes.length);
    new Uint8Array(this.x.memory.buffer, this.#scratch + at).set(bytes);
    return bytes.length;
  }
  /** How many axes were put; −1 for all. */
  putAxes(axis: Axis): number {
    if (axis === undefined || axis === null) return -1;
    if (typeof axis === 'number') {
      this.view()[0] = clampInt(axis);
      return 1;
    }
    this.putInts(axis);
    return axis.length;
  }
  /** Four integers for each part: its kind and what it says. */
  putParts(list: IndexList): number {
    const parts = typeof list === 'string' ? parseParts(list) : list;
    const codes: number[] = [];
    for (const part of parts) {
      if (typeof part === 'number') codes.push(0, part, 0, 0);
      else if (part === null) codes.push(2, 0, 0, 0);
      else if (part === '...') codes.push(3, 0, 0, 0);
      else if ('array' in part) codes.push(4, part.array, 0, 0);
      else {
        if (part.step === 0) throw new ArrayError('ValueError', 'slice step cannot be zero');
        codes.push(1, part.start ?? none, part.stop ?? none, part.step ?? 1);
      }
    }
    this.putInts(codes);
    return parts.length;
  }
}

function parseParts(text: string): IndexPart[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    if (part === 'n') return null;
    if (part === '...') return '...';
    if (part.startsWith('#')) return { array: Number(part.slice(1)) };
    if (!part.includes(':')) return Number(part);
    const [start, stop, step] = part.split(':').map((word) => (word === '' ? null : Number(word)));
    return { start, stop, step } as IndexPart;
  });
}
