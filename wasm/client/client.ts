import { chooseBuild } from './capabilities';
import { CancelledError, CoreError, refused } from './errors';
import { type Kept, type KeptEntry, keptParts, type OrKept, partsOf } from './kept';
import { callNames } from './names';
import { say, type Wording } from './phrases';
import {
  type Build,
  buffersOf,
  fromPlainError,
  type ModuleName,
  type Reply,
  type Request,
} from './protocol';
import type { CallOptions, FullCalls } from './types';

/** What the client needs of a worker; tests put another in its place. */
export interface WorkerLike {
  postMessage(message: Request, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

export interface ClientOptions {
  /** The module worker of this package unless given. */
  makeWorker?: () => WorkerLike;
  /**
   * Which binary. Unless given, the fastest that this browser can run, or a slower one that the
   * page's address asks for (`?build=simd`). Where it is missing, the next slower one runs.
   */
  build?: Build;
  /**
   * Which module to begin with. Default `start`, which is smaller; `full` for a page that needs more
   * at once.
   */
  module?: ModuleName;
  /** Whether the worker gets into its stride while nothing is asked of it. Default true. */
  warmUp?: boolean;
}

/** The calls as the modules have them: their inputs, their results, what they cost. */
type Calls = FullCalls;

/**
 * One of `Calls`. The matrices of its input may be kept ones. With the option `keep` those of its
 * result stay in the worker: the answer has their shapes and stands for them in later calls, until
 * `release`.
 */
type Asked<Call> = Call extends (input: infer Input, options?: CallOptions) => Promise<infer Result>
  ? undefined extends Input
    ? (input?: undefined, options?: CallOptions) => Promise<Result>
    : {
        (
          input: OrKept<Input>,
          options: CallOptions & { readonly keep: true },
        ): Promise<Kept<Result>>;
        (input: OrKept<Input>, options?: CallOptions): Promise<Result>;
      }
  : never;

/** Every call of the core. All results are fresh arrays that belong to the caller. */
export type Client = { readonly [Name in keyof Calls]: Asked<Calls[Name]> } & Connected;

/** What a client has beside its calls. */
export interface Connected {
  /** Which binary runs. Certain after the first answer. */
  readonly build: Build | undefined;
  /** Which module answers now. */
  readonly module: ModuleName;
  /** Resolves when the core is ready; rejects with the reason when it cannot start. */
  ready(): Promise<void>;
  /** Fetches `full` before a call needs it. When that fails, the call that needs it tries again. */
  preload(): void;
  /** Hands a value over to the worker's keeping; its numbers are copied there once. */
  keep<T extends object>(value: T, options?: CallOptions): Promise<Kept<T>>;
  /** A copy of a kept value, with its numbers. */
  read<T>(kept: Kept<T>, options?: CallOptions): Promise<T>;
  /** Whether every kept matrix in `value` is still there: not after `release` or a restart. */
  holds(value: unknown): boolean;
  /**
   * Frees every kept matrix in `value`; calls that were made before still see it. What nobody refers
   * to any more is freed sooner or later without this.
   */
  release(value: unknown): void;
  /** Replaces the worker at once. Calls still running fail with the code `gone`. */
  restart(): void;
  /** Stops the worker. Calls still running end with `CancelledError`. */
  dispose(): void;
}

/**
 * Starts the core in a worker. Share one client among all figures of a document: the worker has one
 * module, and so one heap, at a time.
 */
export function createClient(options: ClientOptions = {}): Client {
  const connection = new Connection(options);
  const calls = callNames.map((name) => [
    name,
    (input?: unknown, call?: CallOptions) => connection.call(name, input, call),
  ]);
  return {
    ...Object.fromEntries(calls),
    get build() {
      return connection.build;
    },
    get module() {
      return connection.module;
    },
    ready: () => connection.ready,
    preload: () => connection.preload(),
    keep: (value: object, call?: CallOptions) =>
      connection.call('keep', value, { ...call, keep: true }),
    read: (value: unknown, call?: CallOptions) => connection.call('read', value, call),
    holds: (value: unknown) => connection.holds(value),
    release: (value: unknown) => connection.release(value),
    restart: () => connection.restart(),
    dispose: () => connection.dispose(),
  };
}

/**
 * A worker for a frame without an origin, which may neither start the script itself nor any module worker. It may
 * start a classic worker made of text, and that may import the script. Messages that come before the script is
 * there are given to it then.
 */
class ImportingWorker {
  constructor(script: URL, { name = '' }: WorkerOptions) {
    const text = `const early = [];
const keep = (event) => early.push(event);
addEventListener('message', keep);
import(${JSON.stringify(script.href)}).then(
  () => {
    removeEventListener('message', keep);
    for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
  },
  (error) => setTimeout(() => { throw error; }),
);`;
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    // biome-ignore lint/correctness/noConstructorReturn: `moduleWorker` calls this class as it calls `Worker`.
    return new Worker(address, { name }) as unknown as ImportingWorker;
  }
}

// Vite finds the script by this very expression, whatever `Worker` is.
const moduleWorker = (Worker: new (script: URL, options: WorkerOptions) => unknown): WorkerLike =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'attention core',
  }) as WorkerLike;

const makeModuleWorker = (): WorkerLike =>
  moduleWorker(globalThis.origin === 'null' ? ImportingWorker : globalThis.Worker);

/** One that was handed over before is empty; Node loses a message that hands it over again. */
const isFilled = (buffer: ArrayBuffer): boolean => buffer.byteLength > 0;

type ReadOptions = Omit<CallOptions, 'transfer'> & {
  readonly transfer: boolean;
  readonly keep: boolean;
};

/** Also one of another frame, whose class is not the one of this. */
const isSignal = (value: unknown): value is AbortSignal => {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
};

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** @throws CoreError by the name of the option that is of another type. */
function readOptions(given: unknown): ReadOptions {
  if (given !== undefined && given !== null && typeof given !== 'object') {
    throw refused('value', 'options', say('type_seen', { type: typeOf(given) }), say('options'));
  }
  const { key, signal, onProgress, transfer, keep } = (given ?? {}) as Record<string, unknown>;
  const check = (name: string, value: unknown, isRight: boolean, wanted: Wording): void => {
    if (value === undefined || value === null || isRight) return;
    throw refused('value', name, say('type_seen', { type: typeOf(value) }), wanted);
  };
  check('key', key, typeof key === 'string', say('key'));
  check('signal', signal, isSignal(signal), say('signal'));
  check('onProgress', onProgress, typeof onProgress === 'function', say('on_progress'));
  check('transfer', transfer, typeof transfer === 'boolean', say('true_or_false'));
  check('keep', keep, typeof keep === 'boolean', say('true_or_false'));
  return {
    ...(typeof key === 'string' && { key }),
    ...(isSignal(signal) && { signal }),
    ...(typeof onProgress === 'function' && {
      onProgress: onProgress as NonNullable<CallOptions['onProgress']>,
    }),
    ...{ transfer: transfer === true, keep: keep === true },
  };
}

/** What is deeper can be posted, but engines cannot read it on the other side: no answer would ever come. */
const MOST_WITHIN = 100;

function isDeep(input: unknown): boolean {
  const seen = new Set<object>();
  let level = [input];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_WITHIN) return true;
    level = level.flatMap((one) => {
      if (typeof one !== 'object' || one === null || seen.has(one)) return [];
      seen.add(one);
      return partsOf(one).map(([, part]) => part);
    });
  }
  return false;
}

/** What of an input that could not be posted is to blame: a function, a symbol, an array that was handed over. */
function notSent(input: unknown): CoreError {
  const isSent = (value: unknown): boolean => {
    try {
      structuredClone(value);
      return true;
    } catch {
      return false;
    }
  };
  let name = 'input';
  let value = input;
  try {
    for (const [key, part] of Object.entries(input ?? {})) {
      if (isSent(part)) continue;
      [name, value] = [key, part];
      break;
    }
  } catch {
    return refused('value', name, say('throws'), say('plain_values'));
  }
  const seen = ArrayBuffer.isView(value)
    ? say('array_handed_over')
    : say('cannot_be_sent', { type: typeOf(value) });
  return refused('value', name, seen, say('plain_values'));
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: CoreError): void;
  onProgress: CallOptions['onProgress'];
  release(): void;
}

const tickMilliseconds = 1000;
/** How often a worker that owes nothing is asked whether it is there. */
const restMilliseconds = 5000;
/** A worker that is idle answers at once. */
const idleSilenceMilliseconds = 2000;
/** One that is in a call answers soon or reports progress many times a second; a slow phone may take longer. */
const busySilenceMilliseconds = 60_000;

/** One worker at a time, the requests it owes an answer, what it keeps, and what to do when it dies. */
class Connection {
  build: Build | undefined;
  /** The one that answers, or is to begin with. */
  module: ModuleName;
  ready!: Promise<void>;
  readonly #makeWorker: () => WorkerLike;
  readonly #warmUp: boolean;
  #worker: WorkerLike | undefined;
  #running = false;
  /** When the worker was last heard of, or could have been; undefined until it has said anything. */
  #heard: number | undefined;
  /** It was asked while it was idle, and has not answered yet. */
  #asked = false;
  #ticked = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** While a worker whose heap is large hands over what it keeps: what the next one is told. */
  #held: Request[] | undefined;
  #rejectReady: (error: CoreError) => void = () => undefined;
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();
  /** Names of what the worker keeps. They are never used twice. */
  readonly #kept = new Set<string>();
  readonly #unused = new FinalizationRegistry<string>((kept) => this.#forget([kept]));

  constructor(options: ClientOptions) {
    this.#makeWorker = options.makeWorker ?? makeModuleWorker;
    this.#warmUp = options.warmUp ?? true;
    this.build = options.build;
    this.module = options.module ?? 'start';
    this.#start();
  }

  call(operation: string, input: unknown, given?: unknown): Promise<unknown> {
    let options: ReadOptions;
    try {
      options = readOptions(given);
    } catch (error) {
      return Promise.reject(
        error instanceof CoreError
          ? error
          : refused('value', 'options', say('throws'), say('options')),
      );
    }
    const { key, signal, onProgress, transfer, keep } = options;
    if (signal?.aborted) return Promise.reject(new CancelledError());
    // No worker: it could not be started or was disposed of, and `ready` knows why.
    if (!this.#worker) return this.ready.then(() => Promise.reject(new CancelledError()));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const abort = (): void => this.#send({ type: 'cancel', id });
      signal?.addEventListener('abort', abort, { once: true });
      const release = (): void => signal?.removeEventListener('abort', abort);
      const idle = this.#pending.size === 0;
      this.#pending.set(id, { resolve, reject, onProgress, release });
      try {
        if (isDeep(input)) throw refused('value', 'input', say('too_deep'), say('few_within'));
        const handedOver = transfer ? [...buffersOf(input)].filter(isFilled) : [];
        this.#send({ type: 'call', id, key, operation, input, keep }, handedOver);
        if (idle) this.#expect();
      } catch (error) {
        this.#pending.delete(id);
        release();
        reject(error instanceof CoreError ? error : notSent(input));
      }
    });
  }

  preload(): void {
    this.#send({ type: 'preload' });
  }

  holds(value: unknown): boolean {
    return keptParts(value).every(({ kept }) => this.#kept.has(kept));
  }

  release(value: unknown): void {
    this.#forget(keptParts(value).map(({ kept }) => kept));
  }

  restart(): void {
    this.#replace(say('asked'));
  }

  dispose(): void {
    this.#stop(() => new CancelledError());
  }

  #send(message: Request, handedOver: Transferable[] = []): void {
    if (this.#held) this.#held.push(structuredClone(message, { transfer: handedOver }));
    else this.#worker?.postMessage(message, handedOver);
  }

  /** @param kept what another worker has handed over */
  #start(kept: readonly KeptEntry[] = []): void {
    this.#running = false;
    this.#heard = undefined;
    this.#watch();
    this.ready = new Promise((resolve, reject) => {
      this.#rejectReady = reject;
      this.build ??= chooseBuild();
      const worker = this.#newWorker();
      this.#worker = worker;
      worker.onmessage = ({ data }) => {
        // One that was replaced may still have messages under way.
        if (worker !== this.#worker) return;
        this.#heard = performance.now();
        this.#asked = false;
        if (data.type === 'failed') {
          this.#stop(() => fromPlainError(data.error));
        } else if (data.type === 'ready') {
          this.#running = true;
          this.build = data.build;
          this.module = data.module;
          resolve();
        } else if (data.type === 'large') {
          this.#retire();
        } else if (data.type === 'retired') {
          this.#succeed(data.kept);
        } else if (data.type !== 'alive') {
          this.#answer(data);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault?.();
        if (worker !== this.#worker) return;
        this.#crash(event.message || say('no_file'));
      };
      worker.onmessageerror = () => {
        if (worker === this.#worker) this.#crash(say('unreadable'));
      };
      const { build, module } = this;
      const handedOver = [...buffersOf(kept)];
      worker.postMessage({ type: 'start', build, module, warmUp: this.#warmUp, kept }, handedOver);
    });
    // Whoever cares awaits `ready`; a rejection nobody looks at is no page error.
    this.ready.catch((error: CoreError) => {
      // What was held for this worker cannot be asked of it.
      if (!this.#worker) this.#refuse(() => error);
    });
  }

  #newWorker(): WorkerLike {
    try {
      return this.#makeWorker();
    } catch (error) {
      // A content security policy without worker-src, or another origin.
      const reason = error instanceof Error ? error.message : String(error);
      throw new CoreError('load', say('worker_refused', { reason }));
    }
  }

  /** A worker can end without a word, and then answers nothing. */
  #watch(): void {
    clearInterval(this.#timer);
    this.#ticked = performance.now();
    this.#timer = setInterval(() => this.#tick(), tickMilliseconds);
    // In Node it keeps nobody from leaving.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#ticked > 2 * tickMilliseconds;
    this.#ticked = now;
    if (this.#heard === undefined) return;
    // A machine that slept, a page that was busy or lies in the background: answers may be under way.
    if (late || globalThis.document?.hidden) this.#heard = now;
    const silence = now - this.#heard;
    if (this.#asked) {
      if (silence >= idleSilenceMilliseconds) this.#lose();
    } else if (this.#running && this.#pending.size > 0) {
      if (silence >= busySilenceMilliseconds) this.#lose();
    } else if (silence >= restMilliseconds) {
      this.#send({ type: 'ping' });
      this.#expect();
    }
  }

  /** An idle worker was told something that it answers at once. */
  #expect(): void {
    this.#asked = true;
    this.#heard &&= performance.now();
  }

  #lose(): void {
    if (this.#running) this.#replace(say('silent'));
    else this.#crash(say('silent'));
  }

  /** A new worker takes over. What was asked of the old one is to be asked again. */
  #replace(reason: Wording): void {
    this.#stop(() => new CoreError('gone', say('stopped', { reason })));
    this.#start();
  }

  /** Wasm memory never shrinks. The worker is idle, so another takes its place with what it keeps. */
  #retire(): void {
    if (this.#pending.size > 0 || this.#held) return;
    this.#send({ type: 'retire' });
    this.#expect();
    this.#held = [];
  }

  #succeed(kept: readonly KeptEntry[]): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#start(kept.filter(({ name }) => this.#kept.has(name)));
    for (const message of held) {
      const input = message.type === 'call' ? message.input : undefined;
      this.#send(message, [...buffersOf(input)]);
    }
    if (this.#pending.size > 0) this.#expect();
  }

  /** The worker can no longer be trusted: a new one takes over, nothing is replayed. */
  #crash(reason: string | Wording): void {
    if (!this.#running) {
      this.#stop(() => new CoreError('load', say('not_started', { reason })));
      return;
    }
    this.#stop(() => new CoreError('trap', say('stopped', { reason })));
    this.#start();
  }

  #stop(reason: () => CoreError): void {
    clearInterval(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#held = undefined;
    this.#asked = false;
    this.#kept.clear();
    this.#rejectReady(reason());
    // After a start that succeeded the line above has no effect: later calls must fail all the same.
    if (this.#running) this.ready = Promise.reject(reason());
    this.ready.catch(() => undefined);
    this.#refuse(reason);
  }

  #refuse(reason: () => CoreError): void {
    for (const [id, pending] of [...this.#pending]) {
      this.#pending.delete(id);
      pending.release();
      pending.reject(reason());
    }
  }

  #answer(reply: Extract<Reply, { id: number }>): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.type === 'progress') {
      pending.onProgress?.(reply.fraction);
    } else if (reply.type === 'error' && reply.error.code === 'trap') {
      this.#crash(reply.error.said ?? reply.error.message);
    } else {
      this.#pending.delete(reply.id);
      pending.release();
      if (reply.type === 'error') {
        pending.reject(fromPlainError(reply.error));
        return;
      }
      for (const part of keptParts(reply.value)) {
        this.#kept.add(part.kept);
        this.#unused.register(part, part.kept);
      }
      pending.resolve(reply.value);
    }
  }

  #forget(names: readonly string[]): void {
    const kept = names.filter((name) => this.#kept.delete(name));
    if (kept.length > 0) this.#send({ type: 'release', kept });
  }
}
