/** The runtimes of the page under Node: what runs code for scripts and tests. */
import { createContext, Script } from 'node:vm';
import type { Arrays } from '#client/arrays';
import { hook, program } from '../../web/src/exercises/javascript/program';
import { createJavaScript, multiplyBy } from '../../web/src/exercises/javascript/runtime';
import { createPython } from '../../web/src/exercises/python/interpreter';
import type { Runtime } from '../../web/src/exercises/runtime';
import type { CaseOutcome, RunJob, Runner } from '../../web/src/exercises/types';

export interface NodeParts {
  /** A fresh engine: one for each run, as in a worker. */
  readonly makeArrays: () => Promise<Arrays>;
  readonly python: () => Promise<
    Pick<Parameters<typeof createPython>[0], 'loadMicroPython' | 'wasm'>
  >;
}

/** Runs in this process, with no limit of time: for code that is known to end, or that a parent watches. */
export const createNodeRunner =
  ({ makeArrays, python }: NodeParts): Runner =>
  async (job, { signal, onCase } = {}) => {
    signal?.throwIfAborted();
    const arrays = await makeArrays();
    const runtime =
      job.language === 'javascript'
        ? javaScript(job, arrays)
        : await createPython({ ...(await python()), arrays });
    const { loadError, prints } = runtime.load(job);
    if (loadError) return { loadError, prints, cases: [] };
    const cases: CaseOutcome[] = [];
    for (const { args } of job.cases) {
      cases.push(runtime.call(args));
      onCase?.(cases.length);
    }
    return { prints, cases };
  };

/** The same script as in the sandbox's worker, in a context of its own. */
function javaScript(job: RunJob, arrays: Arrays): Runtime {
  const script = 'student.js';
  const { source, place } = program('', job.code, job.entry, script);
  let compiled: unknown;
  const runtime = createJavaScript({
    file: () => {
      new Script(source, { filename: script }).runInContext(context);
      return (compiled as () => unknown)();
    },
    place,
    multiply: multiplyBy(arrays),
    countEntries: job.countEntries ?? false,
  });
  const context = createContext({
    ...runtime.globals,
    [hook]: (file: unknown) => {
      compiled = file;
    },
  });
  return runtime;
}
