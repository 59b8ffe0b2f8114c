/** Runs a target: changes inputs of the corpus, keeps those that reached something new, and finds faults. */
import { getHeapStatistics } from 'node:v8';
import { Reached, reached, startCounting } from './coverage';
import { mutated } from './mutate';
import { type Random, random } from './random';
import { Finding, type Outcome, type Target } from './target';

/** The most time and memory that an input of at most a kilobyte may take. */
const MOST = { milliseconds: 1000, bytes: 64 * 2 ** 20 };

export interface Fault {
  readonly target: string;
  readonly input: Uint8Array;
  readonly error: Error;
}

export interface Report {
  executions: number;
  /** The number of inputs that reached something new. */
  added: number;
  outcomes: Record<Outcome, number>;
  faults: Fault[];
}

const held = (): number => {
  const { used_heap_size, external_memory, malloced_memory } = getHeapStatistics();
  return used_heap_size + external_memory + malloced_memory;
};

/**
 * The kind of an error, which decides whether two faults are the same: its message without the parts that depend on
 * the input.
 */
export const kindOf = ({ name, message, stack = '' }: Error): string => {
  const place = /\n\s+at (?!must|mustBe|same)([^\n(]*)/.exec(stack)?.[1] ?? '';
  const plain = (message.split(':')[0] ?? '').replace(/'[^']*'|"[^"]*"|-?\d[\d.e+-]*/g, '#');
  return `${name}: ${plain} ${place.trim()}`;
};

export interface Hooks {
  /** Called with each input before it is read, so that a caller can detect a hang. */
  readonly begins?: (input: Uint8Array) => void;
  /** The most time and memory that an input may take. */
  readonly most?: { readonly milliseconds: number; readonly bytes: number };
}

export class Fuzzer {
  readonly report: Report = {
    ...{ executions: 0, added: 0, faults: [] },
    outcomes: { read: 0, refused: 0 },
  };
  readonly corpus: Uint8Array[] = [];
  readonly #random: Random;
  readonly #reached = new Reached();
  readonly #known = new Set<string>();
  /** The inputs of the corpus that were read and not refused. */
  readonly #whole: Uint8Array[] = [];
  #last: Outcome = 'refused';

  constructor(
    private readonly target: Target,
    seed: number,
    private readonly hooks: Hooks = {},
  ) {
    this.#random = random(seed);
  }

  get places(): number {
    return this.#reached.places;
  }

  /** Reads these inputs unchanged; those that reach something new stay in the corpus. */
  async read(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) {
      await this.#execute(input);
      // Without counted branches no input can be preferred, so all are kept.
      if (this.#reached.add() || this.#reached.places === 0) this.#keep(input);
    }
  }

  #keep(input: Uint8Array): void {
    this.corpus.push(input);
    if (this.#last === 'read') this.#whole.push(input);
  }

  /** Reads changed inputs until `isOver`. */
  async fuzz(isOver: (executions: number) => boolean): Promise<void> {
    const { corpus } = this;
    for (let round = 0; !isOver(round); round++) {
      // Later inputs reached deeper branches. Changes of refused inputs are mostly refused too, so half of the
      // choices, or most of them, are from accepted ones.
      const accepted = this.target.mostly ? !this.#random.once(8) : this.#random.once(2);
      const from = accepted && this.#whole.length > 0 ? this.#whole : corpus;
      const half = this.#random.once(2) ? from.length >> 1 : 0;
      const input = from[half + this.#random.below(from.length - half)] as Uint8Array;
      const other = this.#random.pick(corpus);
      const made = mutated(input, this.#random, other, this.target);
      await this.#execute(made);
      if (this.#reached.add()) {
        this.#keep(made);
        this.report.added++;
      }
    }
  }

  async #execute(input: Uint8Array): Promise<void> {
    this.report.executions++;
    const error = await this.#attempt(input, true);
    if (error) this.#fault(input, error);
  }

  /** Returns the fault of this input, if it has one. */
  async #attempt(input: Uint8Array, count = false): Promise<Error | undefined> {
    this.hooks.begins?.(input);
    startCounting();
    const { most = MOST } = this.hooks;
    const before = held();
    const started = performance.now();
    let outcome: Outcome;
    this.#last = 'refused';
    try {
      const checked = this.target.check(input);
      outcome = checked instanceof Promise ? await checked : checked;
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Finding(`threw ${String(thrown)}`);
    }
    this.#last = outcome;
    if (count) this.report.outcomes[outcome]++;
    const bytes = held() - before;
    if (bytes > most.bytes) return new Finding(`held ${Math.round(bytes / 2 ** 20)} MiB`);
    let spent = performance.now() - started;
    // The machine may have been busy, so the least of several times counts.
    for (let again = 0; again < 3 && spent > most.milliseconds; again++) {
      const begun = performance.now();
      await this.target.check(input);
      spent = Math.min(spent, performance.now() - begun);
    }
    if (spent > most.milliseconds) return new Finding(`took ${Math.round(spent)} ms`);
    return undefined;
  }

  #fault(input: Uint8Array, error: Error): void {
    const kind = kindOf(error);
    if (this.#known.has(kind)) return;
    this.#known.add(kind);
    this.report.faults.push({ target: this.target.name, input, error });
  }

  /** Returns a shorter input with the same fault. */
  async shortened({ input, error }: Fault): Promise<Uint8Array> {
    const kind = kindOf(error);
    let best = input;
    for (let size = best.length >> 1; size > 0; size >>= 1) {
      for (let at = 0; at + size <= best.length; ) {
        const shorter = Uint8Array.from([...best.subarray(0, at), ...best.subarray(at + size)]);
        const found = await this.#attempt(shorter);
        if (found && kindOf(found) === kind) best = shorter;
        else at += size;
      }
    }
    return best;
  }

  /**
   * The smallest inputs of the corpus that together reach everything that the corpus reaches, within limits of bytes
   * and files. Inputs that reach rare branches are taken first.
   */
  async smallest(maxBytes: number, maxFiles: number): Promise<readonly Uint8Array[]> {
    const owners = new Map<number, Uint8Array>();
    const seen = new Map<number, number>();
    for (const input of [...this.corpus].sort((a, b) => a.length - b.length)) {
      await this.#attempt(input);
      for (const place of reached()) {
        if (!owners.has(place)) owners.set(place, input);
        seen.set(place, (seen.get(place) ?? 0) + 1);
      }
    }
    const rare = [...owners].sort(([a], [b]) => (seen.get(a) ?? 0) - (seen.get(b) ?? 0));
    const chosen = new Set<Uint8Array>();
    let bytes = 0;
    for (const [, input] of rare) {
      if (chosen.has(input) || bytes + input.length > maxBytes || chosen.size >= maxFiles) continue;
      chosen.add(input);
      bytes += input.length;
    }
    return [...chosen];
  }
}
