// Programs that take part in a benchmark: they answer one request a line, in JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { capture, Stop, which } from '../../wasm/tools/process.mjs';

/** A Python that can import the libraries, or undefined. The user's own is tried before the system's. */
export const pythonWith = (libraries) =>
  [which('python3'), '/usr/bin/python3'].find(
    (python) => python && capture(python, ['-c', `import ${libraries}`]).code === 0,
  );

/** Starts a program; `ask(request)` gives its answer, `answer()` what it says unasked. */
export function openProgram(program, args) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Stop(`${[program, ...args].join(' ')} ended early: see its message above.`);
    return JSON.parse(value);
  };
  return {
    answer,
    ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return answer();
    },
    close: () => child.stdin.end(),
  };
}
