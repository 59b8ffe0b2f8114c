/**
 * The program of a process that runs one job of a student's code and nothing else. The process has no rights to
 * files, to other processes or to code made from text, and its parent ends it at the time limit. See
 * tests/tools/regrade.mjs.
 */
import { readFileSync } from 'node:fs';
import { Arrays } from '#client/arrays';
import type { CaseOutcome, RunJob, Value } from '../../web/src/exercises/types';
import { isArray } from '../../web/src/exercises/value-kinds';
import { createNodeRunner } from './node';

export interface ChildTask {
  readonly job: RunJob;
  /** Paths that this process may read. */
  readonly arrays: string;
  readonly interpreter: string;
  readonly glue: string;
}

/** A larger result is no answer to any exercise, and its parent would have to hold it. */
const mostNumbers = 4_000_000;

function numbersIn(value: Value | undefined): number {
  if (Array.isArray(value))
    return value.reduce((sum: number, one: Value) => sum + numbersIn(one), 1);
  return isArray(value) ? value.data.length : 1;
}

const sendable = (outcome: CaseOutcome): CaseOutcome => {
  if (numbersIn(outcome.value) <= mostNumbers) return outcome;
  const { value, ...rest } = outcome;
  const message = 'the result is too large to be compared';
  return { ...rest, error: { type: 'ValueError', message } };
};

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
    ownProcess: true,
    onOutcome: (outcome) => send({ type: 'case', outcome: sendable(outcome) }),
  });
  // Python's module `js` is the global object, so everything on it could be reached.
  for (const name of ['process', 'fetch', 'WebSocket', 'EventSource', 'Buffer', 'global']) {
    Reflect.deleteProperty(globalThis, name);
  }
  const { loadError, prints } = await run(job);
  send({ type: 'done', loadError, prints });
  disconnect?.();
});
