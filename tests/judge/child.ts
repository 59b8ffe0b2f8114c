/**
 * A process that runs one job of a student's code and nothing else: no rights to files, to other
 * processes or to code made from text; its parent ends it when time is up. See
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

process.once('message', async ({ job, arrays, interpreter, glue }: ChildTask) => {
  const engine = readFileSync(arrays);
  const run = createNodeRunner({
    makeArrays: () => Arrays.load(engine),
    python: async () => ({
      loadMicroPython: (await import(/* @vite-ignore */ glue)).loadMicroPython,
      wasm: readFileSync(interpreter),
    }),
    onOutcome: (outcome) => send({ type: 'case', outcome }),
  });
  // Nothing in the student's reach asks for these any more.
  for (const name of ['fetch', 'WebSocket', 'EventSource'])
    Reflect.deleteProperty(globalThis, name);
  try {
    const { loadError, prints } = await run(job);
    send({ type: 'done', loadError, prints });
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
  process.disconnect?.();
});
