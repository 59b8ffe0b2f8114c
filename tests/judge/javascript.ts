/** Runs a student's JavaScript under Node. */
import { createContext, Script } from 'node:vm';
import { ticked } from '../../web/src/exercises/javascript/count-instrumentation';
import { countingNames } from '../../web/src/exercises/javascript/counting-names';
import { explained } from '../../web/src/exercises/javascript/diagnose';
import type { MatrixWorld } from '../../web/src/exercises/javascript/matrix';
import { createJavaScript } from '../../web/src/exercises/javascript/runtime';
import { hook, program } from '../../web/src/exercises/javascript/student-script';
import type { Runtime } from '../../web/src/exercises/runtime';
import type { RunJob } from '../../web/src/exercises/types';

/** Runs the same script as the sandbox's worker does, in a context of its own. */
export function javaScript(
  job: Pick<RunJob, 'code' | 'entry' | 'countEntries' | 'memoryBytes'>,
  multiply?: MatrixWorld['multiply'],
  /** This process is there for one file only: what the runtime itself lives in counts too. */
  ownProcess = false,
): Runtime {
  const script = 'student.js';
  const names = job.countEntries ? countingNames() : undefined;
  const code = names ? ticked(job.code, names) : job.code;
  const { source, place } = program('', code, job.entry, script, names);
  let compiled: unknown;
  const runtime = createJavaScript({
    file: (...counting) => {
      new Script(source, { filename: script }).runInContext(context);
      return (compiled as (...args: unknown[]) => unknown)(...counting);
    },
    place,
    multiply,
    ...(job.memoryBytes && { memoryBytes: job.memoryBytes }),
    countEntries: job.countEntries ?? false,
    realms: () => [
      ...(ownProcess ? [globalThis] : []),
      new Script('globalThis').runInContext(context) as object,
    ],
  });
  const globals = {
    ...runtime.globals,
    // A worker has one realm. This context would otherwise have a Float32Array that differs from the one of `Matrix`.
    Float32Array,
    [hook]: (file: unknown) => {
      compiled = file;
    },
  };
  // eval and new Function are forbidden, as they are under the page's policy.
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  return {
    ...runtime,
    load(started) {
      const { loadError, ...rest } = runtime.load(started);
      // The sandbox does this where a script does not start.
      return { ...rest, ...(loadError && { loadError: explained(loadError, job.code) }) };
    },
  };
}
