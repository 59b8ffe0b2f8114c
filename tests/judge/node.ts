/** The runtimes of the page under Node: what runs code for scripts and tests. */
import type { Arrays } from '#client/arrays';
import { multiplyBy } from '../../web/src/exercises/javascript/runtime';
import { createPython, type Python } from '../../web/src/exercises/python/interpreter';
import type { CaseOutcome, Runner } from '../../web/src/exercises/types';
import { javaScript } from './javascript';

export interface NodeParts {
  /** Told of each case as soon as it is done. */
  readonly onOutcome?: (outcome: CaseOutcome) => void;
  /** A fresh engine: one for each run, as in a worker. */
  readonly makeArrays: () => Promise<Arrays>;
  readonly python: () => Promise<
    Pick<Parameters<typeof createPython>[0], 'loadMicroPython' | 'wasm'>
  >;
  /**
   * Python goes on in one interpreter, with globals of its own for every file, as the page does for code of
   * ours. What a student wrote must not set this.
   */
  readonly warm?: boolean;
}

/** After these the interpreter itself may have stopped, and would say nothing but that. */
const mayHaveStopped = /^(?:MemoryError|RuntimeError|RecursionError)$/;

/** Runs in this process, with no limit of time: for code that is known to end, or that a parent watches. */
export function createNodeRunner({
  makeArrays,
  python,
  onOutcome,
  warm = false,
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
        ? javaScript(job, multiplyBy(await makeArrays()))
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
