/** The page's runtimes under Node; scripts and tests run code with them. */
import type { Arrays } from '#client/arrays';
import { multiplyBy } from '../../web/src/exercises/javascript/runtime';
import { createPython, type Python } from '../../web/src/exercises/python/interpreter';
import type { CaseOutcome, Runner } from '../../web/src/exercises/types';
import { javaScript } from './javascript';

export interface NodeParts {
  /** Called with each outcome as soon as its case is done. */
  readonly onOutcome?: (outcome: CaseOutcome) => void;
  /** Makes a fresh engine. Each run gets its own, as in a worker. */
  readonly makeArrays: () => Promise<Arrays>;
  readonly python: () => Promise<
    Pick<Parameters<typeof createPython>[0], 'loadMicroPython' | 'wasm'>
  >;
  /**
   * Python keeps one interpreter, with new globals for every file, as the page does for our own code. A run of a
   * student's code must not set this.
   */
  readonly warm?: boolean;
  /** The process runs one file of a student's and nothing after it. */
  readonly ownProcess?: boolean;
}

/**
 * After one of these errors the interpreter itself may have stopped, and would answer every call with the same error.
 */
const mayHaveStopped = /^(?:MemoryError|RuntimeError|RecursionError)$/;

/** Runs code in this process without a time limit, for code that is known to end or that a parent process watches. */
export function createNodeRunner({
  makeArrays,
  python,
  onOutcome,
  warm = false,
  ownProcess = false,
}: NodeParts): Runner {
  const fresh = async (): Promise<Python> =>
    createPython({ ...(await python()), arrays: await makeArrays() });
  let kept: Promise<Python> | undefined;
  const interpreter = (): Promise<Python> => {
    if (!warm) return fresh();
    kept ??= fresh();
    return kept;
  };
  return async (job, { signal, onCase } = {}) => {
    signal?.throwIfAborted();
    const runtime =
      job.language === 'javascript'
        ? javaScript(job, multiplyBy(await makeArrays()), ownProcess)
        : await interpreter();
    const { loadError, prints } = runtime.load(job);
    const cases: CaseOutcome[] = [];
    for (const { args } of loadError ? [] : job.cases) {
      const outcome = runtime.call(args);
      cases.push(outcome);
      onOutcome?.(outcome);
      onCase?.(cases.length);
    }
    const errors = [loadError, ...cases.map(({ error }) => error)];
    if (errors.some((error) => error && mayHaveStopped.test(error.type))) kept = undefined;
    return { ...(loadError && { loadError }), prints, cases };
  };
}
