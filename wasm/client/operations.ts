import { timingSteps } from './full/timing';
import { callNames, firstSteps, startNames, withoutInput } from './names';
import type { RawCore, RawFull, RawWork } from './raw';

/** What a running operation may do: report progress and let waiting messages in. */
export interface Turn {
  /**
   * Reports progress and yields to the message queue.
   * @throws CancelledError or SupersededError when the call has been given up meanwhile.
   */
  breathe(fraction: number): Promise<void>;
}

/** One call of the client, as the worker carries it out. */
export interface Operation<Raw> {
  (core: Raw, input: unknown, turn: Turn): unknown;
  /** It may take long and breathes between its steps; others answer at once. */
  readonly takesTurns?: true;
}
/** Every call by its name. */
export type Operations<Raw> = Readonly<Record<string, Operation<Raw>>>;

// Long enough that yielding costs nothing, short enough that Stop is felt at once.
const turnMilliseconds = 30;
/** Steps may be as small as they can be. */
const smallest = { amount: 1, spent: Number.POSITIVE_INFINITY };

/**
 * Long work in steps of about `turnMilliseconds`; the result is told how many milliseconds the core
 * worked on it.
 */
export function inSteps<Raw, Input>(
  make: (core: Raw, input: Input) => RawWork<object>,
  first: number,
): Operation<Raw> {
  const work = async (core: Raw, input: unknown, turn: Turn) => {
    const start = performance.now();
    let resting = 0;
    const work = make(core, input as Input);
    try {
      let amount = first;
      let last = { amount, spent: 0 };
      // What smaller steps may not go below.
      let least = smallest;
      for (;;) {
        const before = performance.now();
        if (work.step(amount)) break;
        const spent = performance.now() - before;
        // Some work gets slower in smaller steps: one row of two matrices of 2048² takes ten times what four rows take.
        // If only the time decided, steps would shrink to one row and never grow again.
        if (amount < last.amount && spent > last.spent) least = last;
        // The work itself has become harder.
        else if (spent > 4 * least.spent) least = smallest;
        last = { amount, spent };
        const factor = Math.min(8, turnMilliseconds / Math.max(spent, 0.1));
        amount = Math.max(least.amount, Math.round(amount * factor));
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
  return Object.assign(work, { takesTurns: true } as const);
}

/** Most calls are one synchronous call of the module under the same name; `special` are not. */
function makeOperations<Raw extends object>(
  names: readonly string[],
  special: Operations<Raw>,
): Operations<Raw> {
  const calledBy = (core: Raw, name: string) =>
    core[name as keyof Raw] as (...input: unknown[]) => never;
  const operation = (name: string): Operation<Raw> => {
    const first = (firstSteps as Readonly<Record<string, number>>)[name];
    const make = `make${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    if (first) return inSteps((core, input) => calledBy(core, make)(input), first);
    const takesInput = !withoutInput.has(name);
    // Embind counts arguments.
    return (core, input) => (takesInput ? calledBy(core, name)(input) : calledBy(core, name)());
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, special[name] ?? operation(name)])),
    // What the page has made: with the option `keep` it stays here.
    keep: (_, input) => input,
    // Results are handed over, and what is kept must stay.
    read: (_, input) => structuredClone(input),
  };
}

/** How many objects of the page live in a module. `start` makes none, and has no call that counts them. */
export const aliveIn = (core: Partial<Pick<RawFull, 'aliveObjects'>>): number =>
  (core.aliveObjects?.() ?? []).reduce((sum, { count }) => sum + count, 0);

export const startOperations = makeOperations<RawCore>(startNames, {});
export const fullOperations = makeOperations<RawFull>(callNames, timingSteps);
