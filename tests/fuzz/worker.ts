/**
 * Runs one target in a thread of its own. The parent thread sees in shared memory which input is being read, and
 * still has it when this thread hangs or runs out of memory.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Fuzzer } from './engine';
import { targets } from './targets';

interface Work {
  readonly name: string;
  readonly seed: number;
  readonly milliseconds: number;
  readonly folder: string;
  /** When given, only this input is read. */
  readonly only?: Uint8Array;
  /** The shared memory: the number of executions, the length of the current input, and the input. */
  readonly shared: SharedArrayBuffer;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

// Most inputs are refused with an error, and collecting its places costs more than the reading.
Error.stackTraceLimit = 4;

if (workerData === null) {
  parentPort?.postMessage(targets.map(({ name }) => name));
} else {
  const work = workerData as Work;
  const target = targets.find(({ name }) => name === work.name);
  if (!target) throw new Error(`there is no target ${work.name}`);
  const numbers = new Int32Array(work.shared, 0, 2);
  const bytes = new Uint8Array(work.shared, 8);
  const fuzzer = new Fuzzer(target, work.seed, {
    begins: (input) => {
      bytes.set(input.subarray(0, bytes.length));
      numbers[1] = input.length;
      Atomics.add(numbers, 0, 1);
    },
  });
  const kept = existsSync(work.folder)
    ? readdirSync(work.folder).map((name) => new Uint8Array(readFileSync(join(work.folder, name))))
    : [];
  await fuzzer.read(work.only ? [work.only] : [...kept, ...target.seeds]);
  const end = performance.now() + work.milliseconds;
  if (!work.only) await fuzzer.fuzz((round) => round % 64 === 0 && performance.now() >= end);
  const faults = [];
  for (const fault of fuzzer.report.faults) {
    const { name, message, stack } = fault.error;
    faults.push({ input: await fuzzer.shortened(fault), name, message, stack });
  }
  const corpus = work.only ? [] : await fuzzer.smallest(work.maxBytes, work.maxFiles);
  const { executions, added, outcomes } = fuzzer.report;
  parentPort?.postMessage({ executions, added, outcomes, faults, corpus, places: fuzzer.places });
}
