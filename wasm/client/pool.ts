/**
 * Several cores at once, for work that does not depend on each other: models in a race, points of a sweep, seeds.
 * Each job has a worker, and so a heap, to itself while it runs; no memory is shared.
 */
import { type Client, createClient } from './client';
import { CancelledError } from './errors';

/** What a job may use. */
export interface JobTools {
  /** Aborted when the job is to end. */
  readonly signal: AbortSignal;
  /** Tells whoever started the job how far it is, 0 … 1. */
  progress(fraction: number): void;
  /**
   * To be awaited between two calls: waits while the tab is hidden.
   * @throws CancelledError when the job is to end.
   */
  turn(): Promise<void>;
}

/** Work on one core. Objects that it makes there end with it. */
export type Job<Result> = (client: Client, tools: JobTools) => Promise<Result>;

export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

export interface PoolOptions {
  /** How many jobs run at the same time. Default `poolSize()`. */
  readonly workers?: number;
  /** Makes the client of one worker. Default: one with the module `full`. */
  readonly makeClient?: () => Client;
  /** Whether jobs wait while the tab is hidden. Default true. */
  readonly pauseHidden?: boolean;
}

/** How long a job may take to end by itself when it is stopped, say to hand over what it has. */
const farewellMilliseconds = 80;
/** Workers that nothing was asked of for so long are ended: their memory goes back to the machine. */
const idleMilliseconds = 500;
/** Each worker begins with 64 MB. */
const mostWorkers = 8;

/**
 * As many workers as the machine has cores, less one for the page, and at least one. On two cores it is two: what
 * draws needs little of a core, and the page's own core is idle while a race runs.
 */
export const poolSize = (cores = globalThis.navigator?.hardwareConcurrency ?? 1): number =>
  cores === 2 ? 2 : Math.min(Math.max(cores - 1, 1), mostWorkers);

interface Waiting {
  start(client: Client): void;
  /** Ends it, whether it waits or runs. */
  stop(): void;
}

/** Resolves when the tab is shown, or the signal says that nobody waits any more. */
function shown(signal: AbortSignal): Promise<void> | undefined {
  const { document } = globalThis;
  if (!document?.hidden) return undefined;
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
  });
}

/** A pool of workers. Workers are made when there is work for them. */
export class Pool {
  readonly workers: number;
  readonly #makeClient: () => Client;
  readonly #pauseHidden: boolean;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<Waiting, Client>();
  #idle: Client[] = [];
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PoolOptions = {}) {
    this.workers = Math.max(1, options.workers ?? poolSize());
    this.#makeClient =
      options.makeClient ?? (() => createClient({ module: 'full', warmUp: false }));
    this.#pauseHidden = options.pauseHidden ?? true;
  }

  /** How many jobs run, and how many wait for a worker. */
  get running(): number {
    return this.#running.size;
  }
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs a job as soon as a worker is free.
   * @throws what the job throws; CancelledError when it was stopped; CoreError (`trap` or `gone`) when its worker was
   * lost. Other jobs go on then, and the next one gets a new worker.
   */
  run<Result>(job: Job<Result>, { signal, onProgress }: JobOptions = {}): Promise<Result> {
    if (signal?.aborted) return Promise.reject(new CancelledError());
    return new Promise((resolve, reject) => {
      const stopping = new AbortController();
      let farewell: ReturnType<typeof setTimeout> | undefined;
      const end = (broken: boolean): void => {
        clearTimeout(farewell);
        signal?.removeEventListener('abort', stop);
        this.#end(waiting, broken);
      };
      const stop = (): void => {
        if (stopping.signal.aborted) return;
        stopping.abort();
        if (this.#running.has(waiting)) {
          farewell = setTimeout(() => {
            end(true);
            reject(new CancelledError());
          }, farewellMilliseconds);
        } else {
          end(false);
          reject(new CancelledError());
        }
      };
      const tools: JobTools = {
        signal: stopping.signal,
        progress: (fraction) => {
          if (!stopping.signal.aborted) onProgress?.(fraction);
        },
        turn: async () => {
          if (this.#pauseHidden) await shown(stopping.signal);
          if (stopping.signal.aborted) throw new CancelledError();
        },
      };
      const waiting: Waiting = {
        start: (client) => {
          const work = async () => job(client, tools);
          work().then(
            (result) => {
              end(false);
              resolve(result);
            },
            (error: unknown) => {
              // What it made in the worker is there still: only a new worker has nothing of it.
              end(true);
              reject(error);
            },
          );
        },
        stop,
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Ends all jobs, those that wait too: within 100 ms each has settled and none computes any more. */
  stop(): void {
    for (const one of [...this.#waiting, ...this.#running.keys()]) one.stop();
  }

  /** Ends everything at once. The pool can be used again. */
  dispose(): void {
    this.stop();
    for (const client of this.#running.values()) client.dispose();
    this.#sleep();
  }

  #next(): void {
    clearTimeout(this.#rest);
    while (this.#running.size < this.workers) {
      const one = this.#waiting.shift();
      if (!one) break;
      const client = this.#idle.pop() ?? this.#makeClient();
      this.#running.set(one, client);
      one.start(client);
    }
    if (this.#running.size > 0 || this.#idle.length === 0) return;
    this.#rest = setTimeout(() => this.#sleep(), idleMilliseconds);
    (this.#rest as { unref?: () => void }).unref?.();
  }

  #end(one: Waiting, broken: boolean): void {
    const client = this.#running.get(one);
    this.#running.delete(one);
    if (this.#waiting.includes(one)) this.#waiting.splice(this.#waiting.indexOf(one), 1);
    if (client && broken) client.dispose();
    else if (client) this.#idle.push(client);
    this.#next();
  }

  #sleep(): void {
    clearTimeout(this.#rest);
    for (const client of this.#idle) client.dispose();
    this.#idle = [];
  }
}
