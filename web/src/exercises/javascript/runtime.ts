/** Runs JavaScript in the sandbox: calls the student's function with `Matrix` objects. */

import type { Arrays } from '#client/arrays';
import * as givenFunctions from '../../../exercises/given.js';
import { camelCase } from '../camel-case';
import { errorOf, say } from '../run-phrases';
import { maxPrint, type Runtime, type RuntimeHooks } from '../runtime';
import type { CaseOutcome, RunError, RunJob, Value } from '../types';
import { textConsole } from './console-text';
import { countBuiltins } from './counting-builtins';
import { type Place, runError } from './errors';
import { enterWorld, Matrix, type MatrixWorld, multiplyPlainly } from './matrix';
import { Held } from './unmeasured-lists';
import { fromJavaScript, type Given, toJavaScript } from './values';
import { Counter } from './work-counter';

const { isArray } = Array;
const { isView } = ArrayBuffer;

const functions = givenFunctions as unknown as Given;
/** The functions that the exercises provide, by their names in specifications and in JavaScript. */
const given: Given = {
  ...functions,
  ...Object.fromEntries(
    ['elu_plus_one', 'squared_relu'].map((name) => [name, functions[camelCase(name)]]),
  ),
} as Given;

export interface JavaScriptParts {
  /** Runs the top level of the file and answers the entry. */
  readonly file: (tick: () => void, made: <T>(array: T) => T) => unknown;
  readonly place: Place;
  readonly hooks?: RuntimeHooks;
  readonly memoryBytes?: number;
  readonly countEntries?: boolean;
  /** Global objects whose methods count in a run that counts: the student's. */
  readonly realms?: () => readonly object[];
  /** Default: in JavaScript. */
  readonly multiply?: MatrixWorld['multiply'] | undefined;
}

/**
 * The number of entries that an array holds itself. A view holds none: what is read through it counts for the array
 * that it shows.
 */
function ownEntries(value: object): number | undefined {
  if (value instanceof Matrix) return value.rows * value.cols;
  // In runs that count, `data` is a proxy, which only `instanceof` recognises as a typed array.
  const shows = ArrayBuffer.isView(value) || value instanceof TypedArray;
  return shows ? (value as Float32Array).length : undefined;
}
const TypedArray = Object.getPrototypeOf(Float32Array) as new () => object;

/** Makes a `multiply` that uses the array engine. */
export const multiplyBy =
  (arrays: Arrays): MatrixWorld['multiply'] =>
  (a, b, out, n, k, m) => {
    const mark = arrays.mark();
    try {
      const left = arrays.from(a, [n, k], 'float32');
      out.set(arrays.values(arrays.matmul(left, arrays.from(b, [k, m], 'float32'))));
    } finally {
      arrays.release(mark);
    }
  };

/** The global names that a student's file sees besides those of the language. */
export type Globals = Readonly<Record<string, unknown>>;

/** Makes a runtime, and the global names that must exist before its `load` is called. */
export function createJavaScript({
  file,
  place,
  hooks,
  memoryBytes = 2 ** 29,
  countEntries = false,
  realms,
  multiply = multiplyPlainly,
}: JavaScriptParts): Runtime & { readonly globals: Globals } {
  const counter = new Counter();
  const held = new Held(ownEntries);
  const world: MatrixWorld = { counter, multiply, memoryBytes, countEntries: false };
  let prints = '';
  let entry: unknown;
  let parameters: RunJob['parameters'] = [];

  const write = (text: string): void => {
    if (prints.length < maxPrint) prints = (prints + text).slice(0, maxPrint);
    hooks?.onPrint?.(text);
  };
  const takePrints = (): string => {
    const taken = prints;
    prints = '';
    return taken;
  };

  /** Between calls nothing counts: there only the values of arguments and results are made. */
  let counting = false;
  let loading = false;
  const touched = (entries: number): void => {
    if (counting) counter.touched(entries);
  };
  const made = <T>(array: T): T => {
    if (loading) held.add(array);
    if (!counting) return array;
    if (isView(array)) counter.made((array as unknown as Uint8Array).length, 8);
    // A list that was made long is memory taken; one that grows is measured later.
    else if (isArray(array)) counter.made((array as unknown[]).length, 8);
    counter.held(held.add(array));
    return array;
  };

  return {
    globals: {
      Matrix,
      console: textConsole(write),
      ...functions,
    },
    load(job) {
      enterWorld(world);
      parameters = job.parameters;
      let loadError: RunError | undefined;
      try {
        if (countEntries) for (const realm of realms?.() ?? []) countBuiltins(realm, touched, made);
        loading = countEntries;
        entry = file(() => touched(1), made);
        held.stand();
        if (job.entry && typeof entry !== 'function') {
          loadError = errorOf('NameError', say('no_function', { name: job.entry }));
        }
      } catch (error) {
        loadError = runError(error, place);
      }
      loading = false;
      return { ...(loadError && { loadError }), prints: takePrints() };
    },
    call(args) {
      enterWorld(world);
      const started = performance.now();
      let outcome: { value: Value } | { error: RunError };
      try {
        const ready = args.map((value, at) => toJavaScript(value, parameters[at], given));
        counter.take();
        held.take();
        world.countEntries = countEntries;
        counting = countEntries;
        const result = (entry as (...args: unknown[]) => unknown)(...ready);
        counting = false;
        world.countEntries = false;
        outcome = { value: fromJavaScript(result) };
      } catch (error) {
        outcome = { error: runError(error, place) };
      }
      counting = false;
      world.countEntries = false;
      const milliseconds = performance.now() - started;
      counter.held(held.take());
      const answer: CaseOutcome = {
        ...outcome,
        prints: takePrints(),
        counts: counter.take(),
        milliseconds,
      };
      return answer;
    },
  };
}
