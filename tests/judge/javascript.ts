/** Runs a student's JavaScript under Node. */
import { createContext, Script } from 'node:vm';
import { ticked } from '../../web/src/exercises/javascript/count-instrumentation';
import type { MatrixWorld } from '../../web/src/exercises/javascript/matrix';
import { createJavaScript } from '../../web/src/exercises/javascript/runtime';
import { hook, program } from '../../web/src/exercises/javascript/student-script';
import type { Runtime } from '../../web/src/exercises/runtime';
import type { RunJob } from '../../web/src/exercises/types';

/** Runs the same script as the sandbox's worker does, in a context of its own. */
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
    // A worker has one realm. This context would otherwise have a Float32Array that differs from the one of `Matrix`.
    Float32Array,
    [hook]: (file: unknown) => {
      compiled = file;
    },
  };
  // eval and new Function are forbidden, as they are under the page's policy.
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  return runtime;
}
