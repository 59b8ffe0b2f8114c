/** A student's JavaScript under Node. */
import { createContext, Script } from 'node:vm';
import { ticked } from '../../web/src/exercises/javascript/count-instrumentation';
import type { MatrixWorld } from '../../web/src/exercises/javascript/matrix';
import { createJavaScript } from '../../web/src/exercises/javascript/runtime';
import { hook, program } from '../../web/src/exercises/javascript/student-script';
import type { Runtime } from '../../web/src/exercises/runtime';
import type { RunJob } from '../../web/src/exercises/types';

/** The same script as in the sandbox's worker, in a context of its own. */
export function javaScript(
  job: Pick<RunJob, 'code' | 'entry' | 'countEntries' | 'memoryBytes'>,
  multiply?: MatrixWorld['multiply'],
): Runtime {
  const script = 'student.js';
  const { source, place } = program(
    '',
    job.countEntries ? ticked(job.code) : job.code,
    job.entry,
    script,
  );
  let compiled: unknown;
  const runtime = createJavaScript({
    file: () => {
      new Script(source, { filename: script }).runInContext(context);
      return (compiled as () => unknown)();
    },
    place,
    multiply,
    ...(job.memoryBytes && { memoryBytes: job.memoryBytes }),
    countEntries: job.countEntries ?? false,
  });
  const globals = {
    ...runtime.globals,
    // In a worker there is one realm; here matrices would hold another one's.
    Float32Array,
    [hook]: (file: unknown) => {
      compiled = file;
    },
  };
  // No eval and no new Function, as under the page's policy.
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  return runtime;
}
