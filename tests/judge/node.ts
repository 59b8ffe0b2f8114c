/** The runtimes of the page under Node: what runs code for scripts and tests. */
import type { Arrays } from '#client/arrays';
import { multiplyBy } from '../../web/src/exercises/javascript/runtime';
import { createPython } from '../../web/src/exercises/python/interpreter';
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
}

/** Runs in this process, with no limit of time: for code that is known to end, or that a parent watches. */
export const createNodeRunner =
  ({ makeArrays, python, onOutcome }: NodeParts): Runner =>
  async (job, { signal, onCase } = {}) => {
    signal?.throwIfAborted();
    const arrays = await makeArrays();
    const runtime =
      job.language === 'javascript'
        ? javaScript(job, multiplyBy(arrays))
        : await createPython({ ...(await python()), arrays });
    const { loadError, prints } = runtime.load(job);
    if (loadError) return { loadError, prints, cases: [] };
    const cases: CaseOutcome[] = [];
    for (const { args } of job.cases) {
      const outcome = runtime.call(args);
      cases.push(outcome);
      onOutcome?.(outcome);
      onCase?.(cases.length);
    }
    return { prints, cases };
  };
