import { type OperationName, operationNames } from './operation-names';
import type { RawCore } from './raw';
import type { CompareOptions, Comparison } from './types';

/** What a running operation may do: report progress and let waiting messages in. */
export interface Turn {
  /**
   * Reports progress and yields to the message queue.
   * @throws CancelledError or SupersededError when the call has been given up meanwhile.
   */
  breathe(fraction: number): Promise<void>;
}

// Long enough that yielding costs nothing, short enough that Stop is felt at once.
const turnMilliseconds = 30;

/** `compareToSoftmax` in steps of about `turnMilliseconds`. */
async function compareToSoftmax(
  core: RawCore,
  input: CompareOptions,
  turn: Turn,
): Promise<Comparison> {
  const start = performance.now();
  let resting = 0;
  const work = core.makeComparison(input);
  try {
    let rows = 16;
    for (;;) {
      const before = performance.now();
      if (work.step(rows)) break;
      const spent = performance.now() - before;
      rows = Math.max(1, Math.round(rows * Math.min(8, turnMilliseconds / Math.max(spent, 0.1))));
      if (spent * 2 < turnMilliseconds && performance.now() - start < turnMilliseconds) continue;
      const rest = performance.now();
      await turn.breathe(work.progress());
      resting += performance.now() - rest;
    }
    const result = work.result();
    return { ...result, milliseconds: performance.now() - start - resting };
  } finally {
    work.delete();
  }
}

type Operation = (core: RawCore, input: never, turn: Turn) => unknown;

/** Most calls are one synchronous call of the module under the same name. */
const direct = (name: Exclude<OperationName, 'compareToSoftmax'>): Operation => {
  return (core, input) =>
    // Embind counts arguments.
    name === 'featureMaps'
      ? core.featureMaps()
      : (core[name] as (input: unknown) => unknown)(input);
};

const steps: Partial<Record<OperationName, Operation>> = { compareToSoftmax };

export const operations = Object.fromEntries(
  operationNames.map((name) => [name, steps[name] ?? direct(name as never)]),
) as Record<OperationName, Operation>;
