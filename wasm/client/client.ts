import { chooseBuild } from './capabilities';
import { CancelledError, CoreError } from './errors';
import { operationNames } from './operation-names';
import { type Build, buffersOf, fromPlainError, type Reply, type Request } from './protocol';
import type { Call, CallOptions, Client, CoreClient, SmallClient } from './types';

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
  /** Whether the worker gets into its stride while nothing is asked of it. Default true. */
  warmUp?: boolean;
}

/** Starts the core in a worker of its own. Share one client among all figures of a page. */
export function createClient(options: ClientOptions = {}): CoreClient {
  return connect<CoreClient>(operationNames, { makeWorker: makeModuleWorker, ...options });
}

/**
 * The same client, known to be the core's: figures share one whose type leaves that open.
 * @throws TypeError where the page started another
 */
export function withCore(client: SmallClient): CoreClient {
  if ('compareToSoftmax' in client) return client as CoreClient;
  throw new TypeError('this page has to start with createClient');
}

/** A client whose calls are `names`, answered by the workers that `makeWorker` makes. */
export function connect<Of extends Client>(
  names: readonly Call<Of>[],
  options: ClientOptions & { makeWorker: () => WorkerLike },
): Of {
  const connection = new Connection(options);
  const calls = names.map((name) => [
    name,
    (input?: unknown, call?: CallOptions) => connection.call(name, input, call),
  ]);
  return {
    ...Object.fromEntries(calls),
    get build() {
      return connection.build;
    },
    ready: () => connection.ready,
    dispose: () => connection.dispose(),
  } as unknown as Of;
}

const makeModuleWorker = (): WorkerLike =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'attention core' });

/** One that was handed over before is empty; Node loses a message that hands it over again. */
const isFilled = (buffer: ArrayBuffer): boolean => buffer.byteLength > 0;

interface Pending {
  resolve(value: unknown): void;
  reject(error: CoreError): void;
  onProgress: CallOptions['onProgress'];
  release(): void;
}

/** One worker at a time, the requests it owes an answer, and what to do when it dies. */
class Connection {
  build: Build | undefined;
  ready!: Promise<void>;
  readonly #makeWorker: () => WorkerLike;
  readonly #warmUp: boolean;
  #worker: WorkerLike | undefined;
  #running = false;
  #rejectReady: (error: CoreError) => void = () => undefined;
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();

  constructor(options: ClientOptions & { makeWorker: () => WorkerLike }) {
    this.#makeWorker = options.makeWorker;
    this.#warmUp = options.warmUp ?? true;
    this.build = options.build;
    this.#start();
  }

  call(
    operation: string,
    input: unknown,
    { key, signal, onProgress, transfer = false }: CallOptions = {},
  ): Promise<unknown> {
    const worker = this.#worker;
    if (signal?.aborted) return Promise.reject(new CancelledError());
    // No worker: it could not be started or was disposed of, and `ready` knows why.
    if (!worker) return this.ready.then(() => Promise.reject(new CancelledError()));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const abort = (): void => worker.postMessage({ type: 'cancel', id }, []);
      signal?.addEventListener('abort', abort, { once: true });
      const release = (): void => signal?.removeEventListener('abort', abort);
      this.#pending.set(id, { resolve, reject, onProgress, release });
      try {
        const handedOver = transfer ? [...buffersOf(input)].filter(isFilled) : [];
        worker.postMessage({ type: 'call', id, key, operation, input }, handedOver);
      } catch (error) {
        // A function or a DOM node cannot be sent to a worker, nor an array that was handed over.
        this.#pending.delete(id);
        release();
        reject(new CoreError('value', error instanceof Error ? error.message : String(error)));
      }
    });
  }

  dispose(): void {
    this.#stop(() => new CancelledError());
  }

  #start(): void {
    this.#running = false;
    this.ready = new Promise((resolve, reject) => {
      this.#rejectReady = reject;
      this.build ??= chooseBuild();
      const worker = this.#newWorker();
      this.#worker = worker;
      worker.onmessage = ({ data }) => {
        // One that was replaced may still have messages under way.
        if (worker !== this.#worker) return;
        if (data.type === 'failed') {
          this.#stop(() => fromPlainError(data.error));
        } else if (data.type === 'ready') {
          this.#running = true;
          this.build = data.build;
          resolve();
        } else {
          this.#answer(data);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault?.();
        if (worker !== this.#worker) return;
        this.#crash(event.message || 'its file could not be loaded or was blocked');
      };
      worker.onmessageerror = () => {
        if (worker === this.#worker) this.#crash('an answer could not be read');
      };
      worker.postMessage({ type: 'start', build: this.build, warmUp: this.#warmUp }, []);
    });
    // Whoever cares awaits `ready`; a rejection nobody looks at is no page error.
    this.ready.catch(() => undefined);
  }

  #newWorker(): WorkerLike {
    try {
      return this.#makeWorker();
    } catch (error) {
      // A content security policy without worker-src, or another origin.
      const reason = error instanceof Error ? error.message : String(error);
      throw new CoreError('load', `the worker of the core was refused: ${reason}`);
    }
  }

  /** The worker can no longer be trusted: a new one takes over, nothing is replayed. */
  #crash(reason: string): void {
    if (!this.#running) {
      this.#stop(() => new CoreError('load', `the core could not be started: ${reason}`));
      return;
    }
    this.#stop(
      () =>
        new CoreError('trap', `the core stopped (${reason}) and was restarted; please try again`),
    );
    this.#start();
  }

  #stop(reason: () => CoreError): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#rejectReady(reason());
    // After a start that succeeded the line above has no effect: later calls must fail all the same.
    if (this.#running) this.ready = Promise.reject(reason());
    this.ready.catch(() => undefined);
    for (const [id, pending] of [...this.#pending]) {
      this.#pending.delete(id);
      pending.release();
      pending.reject(reason());
    }
  }

  #answer(reply: Exclude<Reply, { type: 'ready' | 'failed' }>): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.type === 'progress') {
      pending.onProgress?.(reply.fraction);
    } else if (reply.type === 'error' && reply.error.code === 'trap') {
      this.#crash(reply.error.message);
    } else {
      this.#pending.delete(reply.id);
      pending.release();
      if (reply.type === 'result') pending.resolve(reply.value);
      else pending.reject(fromPlainError(reply.error));
    }
  }
}
