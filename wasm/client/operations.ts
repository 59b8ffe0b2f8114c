import { operationNames } from './operation-names';
import type { RawCore, RawWork } from './raw';

/** What a running operation may do: report progress and let waiting messages in. */
export interface Turn {
  /**
   * Reports progress and yields to the message queue.
   * @throws CancelledError or SupersededError when the call has been given up meanwhile.
   */
  breathe(fraction: number): Promise<void>;
}

/** One call of the client, as the worker carries it out. */
export type Operation<Raw> = (core: Raw, input: unknown, turn: Turn) => unknown;
/** Every call by its name. */
export type Operations<Raw> = Readonly<Record<string, Operation<Raw>>>;

// Long enough that yielding costs nothing, short enough that Stop is felt at once.
const turnMilliseconds = 30;

/**
 * Long work in steps of about `turnMilliseconds`; the result is told how many milliseconds the core
 * worked on it.
 */
export function inSteps<Raw, Input>(
  make: (core: Raw, input: Input) => RawWork<object>,
  first: number,
): Operation<Raw> {
  return async (core, input, turn) => {
    const start = performance.now();
    let resting = 0;
    const work = make(core, input as Input);
    try {
      let amount = first;
      for (;;) {
        const before = performance.now();
        if (work.step(amount)) break;
        const spent = performance.now() - before;
        const factor = Math.min(8, turnMilliseconds / Math.max(spent, 0.1));
        amount = Math.max(1, Math.round(amount * factor));
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
  };
}

/** Most calls are one synchronous call of the module under the same name; `special` are not. */
export function makeOperations<Raw extends object>(
  names: readonly string[],
  special: Operations<Raw>,
): Operations<Raw> {
  const direct = (name: string): Operation<Raw> => {
    return (core, input) => {
      const call = core[name as keyof Raw] as (...input: unknown[]) => unknown;
      // Embind counts arguments.
      return input === undefined ? call() : call(input);
    };
  };
  return Object.fromEntries(names.map((name) => [name, special[name] ?? direct(name)]));
}

/** Special operations of the core; the full module has them too. */
export const coreSteps: Operations<RawCore> = {
  compareToSoftmax: inSteps((core: RawCore, input: never) => core.makeComparison(input), 16),
};

export const coreOperations = makeOperations(operationNames, coreSteps);
