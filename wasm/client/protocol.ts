import { CancelledError, CoreError, type ErrorCode, SupersededError } from './errors';
import type { KeptEntry } from './kept';
import type { Wording } from './phrases';

/** The binaries, the fastest first. */
export const builds = ['relaxed', 'simd'] as const;

/**
 * Which binary. `relaxed` needs wasm's relaxed SIMD, whose multiply-add rounds once on most machines
 * and twice on others; `simd` needs SIMD128 and gives the same bits everywhere.
 */
export type Build = (typeof builds)[number];

/** `start`: what pages open with. `full`: every call. Only one of them is loaded at a time. */
export type ModuleName = 'start' | 'full';

/** One call on its way to the worker. */
export interface CallRequest {
  type: 'call';
  id: number;
  key: string | undefined;
  operation: string;
  input: unknown;
  /** The matrices of the result stay in the worker. */
  keep: boolean;
}

/** From the page to the worker. */
export type Request =
  | {
      type: 'start';
      build: Build;
      module: ModuleName;
      warmUp: boolean;
      /** What the worker before it has kept. */
      kept: readonly KeptEntry[];
    }
  /** Are you there? */
  | { type: 'ping' }
  /** Hand over what you keep; nothing is asked of you any more. */
  | { type: 'retire' }
  /** Load `full` before a call needs it. */
  | { type: 'preload' }
  | CallRequest
  | { type: 'cancel'; id: number }
  /** These kept values are not needed any more. */
  | { type: 'release'; kept: readonly string[] };

/** An error as it crosses `postMessage`, which would drop a subclass and its fields. */
export interface PlainError {
  code: ErrorCode;
  message: string;
  said: Wording | undefined;
  argument: string;
  seen: Wording | undefined;
  wanted: Wording | undefined;
}

/** From the worker to the page. */
export type Reply =
  /** This module answers from now on. */
  | { type: 'ready'; build: Build; module: ModuleName }
  | { type: 'failed'; error: PlainError }
  /** To `start`, to `ping`, and to a call that nothing keeps waiting, before it runs. */
  | { type: 'alive' }
  /** It is idle, and its heap has grown large. */
  | { type: 'large' }
  | { type: 'retired'; kept: readonly KeptEntry[] }
  | { type: 'progress'; id: number; fraction: number }
  | { type: 'result'; id: number; value: unknown }
  | { type: 'error'; id: number; error: PlainError };

const coreCodes: readonly ErrorCode[] = ['shape', 'value', 'capacity'];

/**
 * Sorts out what was thrown. Errors of the core and our own carry a code. Embind's and JavaScript's
 * complaints about arguments are errors of value. Whatever else comes out of wasm means that its
 * memory can no longer be trusted.
 */
export function toPlainError(thrown: unknown): PlainError {
  const { said, argument = '', seen, wanted } = (thrown ?? {}) as Partial<PlainError>;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: codeOf(thrown), message, said, argument, seen, wanted };
}

function codeOf(thrown: unknown): ErrorCode {
  if (thrown instanceof CoreError) return thrown.code;
  if (!(thrown instanceof Error)) return 'trap';
  const { code } = thrown as Partial<PlainError>;
  if (code && coreCodes.includes(code)) return code;
  return thrown instanceof TypeError || thrown.name === 'BindingError' ? 'value' : 'trap';
}

export function fromPlainError(plain: PlainError): CoreError {
  if (plain.code === 'superseded') return new SupersededError();
  if (plain.code === 'cancelled') return new CancelledError();
  const { code, message, said, argument, seen, wanted } = plain;
  return new CoreError(code, said ?? message, argument, seen, wanted);
}

/** Every ArrayBuffer inside a result, so that it is handed over and not copied. */
export function buffersOf(
  value: unknown,
  found: Set<ArrayBuffer> = new Set(),
  seen: Set<unknown> = new Set(),
): Set<ArrayBuffer> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return found;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (Array.isArray(value)) {
    // Lists are of one kind: words and numbers, of which there can be many, hold no buffers.
    if (typeof value[0] === 'object') for (const part of value) buffersOf(part, found, seen);
  } else {
    for (const part of Object.values(value)) buffersOf(part, found, seen);
  }
  return found;
}
