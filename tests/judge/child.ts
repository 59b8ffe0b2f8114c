/**
 * The program of a process that runs one job of a student's code and nothing else. The process has no rights to
 * files, to other processes or to code made from text, and its parent ends it at the time limit. See
 * tests/tools/regrade.mjs.
 */
import { readFileSync } from 'node:fs';
import { Arrays } from '#client/arrays';
import type { RunJob } from '../../web/src/exercises/types';
import { createNodeRunner } from './node';

export interface ChildTask {
  readonly job: RunJob;
  /** Paths that this process may read. */
  readonly arrays: string;
  readonly interpreter: string;
  readonly glue: string;
}

const send = process.send?.bind(process) as (message: unknown) => void;
const disconnect = process.disconnect?.bind(process);

process.once('message', async ({ job, arrays, interpreter, glue }: ChildTask) => {
  const engine = readFileSync(arrays);
  // Everything that needs Node's process is done first.
  const parts = {
    loadMicroPython: (await import(/* @vite-ignore */ glue)).loadMicroPython,
    wasm: readFileSync(interpreter),
  };
  const run = createNodeRunner({
    makeArrays: () => Arrays.load(engine),
    python: async () => parts,
    onOutcome: (outcome) => send({ type: 'case', outcome }),
  });
  // Python's module `js` is the global object, so everything on it could be reached.
  for (const name of ['process', 'fetch', 'WebSocket', 'EventSource', 'Buffer', 'global']) {
    Reflect.deleteProperty(globalThis, name);
  }
  const { loadError, prints } = await run(job);
  send({ type: 'done', loadError, prints });
  disconnect?.();
});
