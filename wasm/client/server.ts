import { CancelledError, CoreError, refused, SupersededError } from './errors';
import { KeptValues } from './kept';
import type { Operations, Turn } from './operations';
import { say } from './phrases';
import {
  type Build,
  buffersOf,
  type CallRequest,
  type ModuleName,
  type Reply,
  type Request,
  toPlainError,
} from './protocol';

/** The worker's side of a message port. */
export interface ServerScope {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

type Call = CallRequest & {
  givenUp?: CoreError;
  /** `start` has this call, but not for this input. */
  full?: true;
};

/** A module that was downloaded and compiled; called, it takes its memory and is ready to answer. */
export type Prepared<Raw> = () => Promise<Raw>;

// A running call that a newer one wants to replace is finished when it is quick or nearly done:
// otherwise a steady drag would never show a picture.
const patienceMilliseconds = 100;

// A page that has been quiet for this long is being read.
const quietMilliseconds = 150;

// A heap beyond this is given back once nothing was asked for so long.
const largeHeapBytes = 2 ** 28;
const restMilliseconds = 1000;

export interface ServerOptions<Raw> {
  /** Downloads and compiles a module. */
  prepare: (module: ModuleName, build: Build) => Promise<Prepared<Raw>>;
  /** The calls of each module; `full` has those of `start` too. */
  operations: Readonly<Record<ModuleName, Operations<Raw>>>;
  /** The build that stands in for one that is not there. */
  nearest?: (build: Build) => Build;
  /** How many objects of the page live in a module: they cannot move to another worker. */
  alive?: (core: Raw) => number;
  /** What to do, step by step, while nothing else is asked for. */
  warm?: (core: Raw) => Iterator<void>;
}

/**
 * Answers requests one after another; between the steps of a long call those that are done at once. One
 * server a worker. It begins with one module; when a call
 * arrives that only `full` can answer, `full` is prepared while the first module goes on answering, then
 * takes its place for good.
 */
export function serve<Raw extends object>(
  scope: ServerScope,
  { prepare, operations, nearest = (build) => build, alive = () => 0, warm }: ServerOptions<Raw>,
): void {
  const waiting: Call[] = [];
  const kept = new KeptValues();
  let running: { call: Call; since: number; fraction: number } | undefined;
  /** What answers now. The only reference to a module: the memory of one that was replaced is free. */
  let now: { core: Raw; module: ModuleName } | undefined;
  let build: Build;
  /** What it begins with. */
  let first: ModuleName = 'start';
  let full: 'coming' | Prepared<Raw> | undefined;
  let working = false;
  let warmUp = false;
  let warming: Iterator<void> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const post = (reply: Reply): void => {
    const { value = undefined } = reply.type === 'result' ? reply : {};
    const kept = reply.type === 'retired' ? reply.kept : value;
    scope.postMessage(reply, [...buffersOf(kept)]);
  };
  const fail = (id: number, thrown: unknown): void =>
    post({ type: 'error', id, error: toPlainError(thrown) });
  const loadError = (thrown: unknown): CoreError =>
    new CoreError('load', thrown instanceof Error ? thrown.message : String(thrown));

  const take = async (module: ModuleName, prepared: Prepared<Raw>): Promise<void> => {
    const core = await prepared();
    now = { core, module };
    warming = warmUp ? warm?.(core) : undefined;
    post({ type: 'ready', build, module });
  };

  const start = async (module: ModuleName): Promise<void> => {
    try {
      await take(module, await prepare(module, build));
      void work();
    } catch (thrown) {
      post({ type: 'failed', error: toPlainError(loadError(thrown)) });
    }
  };

  const inStart = (call: Call): boolean => !call.full && call.operation in operations.start;

  /** Calls that `full` alone has wait for it; where it does not come, the next one tries again. */
  const fetchFull = async (): Promise<void> => {
    if ((now?.module ?? first) === 'full' || full) return;
    full = 'coming';
    try {
      full = await prepare('full', build);
      void work();
    } catch (thrown) {
      giveUpFull(thrown);
    }
  };

  const giveUpFull = (thrown: unknown): void => {
    full = undefined;
    for (const call of waiting.filter((one) => !inStart(one))) {
      waiting.splice(waiting.indexOf(call), 1);
      fail(call.id, loadError(thrown));
    }
  };

  const enqueue = (call: Call): void => {
    if (call.key !== undefined) {
      for (const older of waiting.filter((one) => one.key === call.key)) {
        waiting.splice(waiting.indexOf(older), 1);
        fail(older.id, new SupersededError());
      }
      if (
        running?.call.key === call.key &&
        running.fraction < 0.5 &&
        performance.now() - running.since > patienceMilliseconds
      ) {
        running.call.givenUp = new SupersededError();
      }
    }
    try {
      // At once, so that a page may release a value right after it has asked about it.
      waiting.push({ ...call, input: kept.resolve(call.input) });
    } catch (thrown) {
      // Nothing of the core was touched yet: whatever it was, it was the input.
      const isSaid = thrown instanceof CoreError;
      fail(
        call.id,
        isSaid ? thrown : refused('value', 'input', say('too_deep'), say('few_within')),
      );
      return;
    }
    clearTimeout(quiet);
    clearTimeout(rest);
    if (!inStart(call)) void fetchFull();
    void work();
  };

  const cancel = (id: number): void => {
    const at = waiting.findIndex((call) => call.id === id);
    if (at >= 0) {
      waiting.splice(at, 1);
      fail(id, new CancelledError());
    } else if (running?.call.id === id) {
      running.call.givenUp = new CancelledError();
    }
  };

  /** The first call in the queue that this module can answer, or the first that is done at once. */
  const next = (module: ModuleName, atOnce = false): Call | undefined => {
    const at = waiting.findIndex(
      (call) =>
        (module === 'full' || inStart(call)) &&
        !(atOnce && operations[module][call.operation]?.takesTurns),
    );
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };

  const answer = async (call: Call, core: Raw, module: ModuleName, turn: Turn): Promise<void> => {
    try {
      const operation = operations[module][call.operation];
      if (!operation) throw new CoreError('value', say('unknown_call', { name: call.operation }));
      const value = await operation(core, call.input, turn);
      post({
        type: 'result',
        id: call.id,
        value: call.keep ? kept.keep(value, `${call.id}`) : value,
      });
    } catch (thrown) {
      // Thrown by calls of `start` that leave an input to `full`, such as textQkv of calls/base.cpp.
      if (module === 'start' && (thrown as Error).message === 'full') {
        waiting.unshift({ ...call, full: true });
        void fetchFull();
      } else fail(call.id, thrown);
    }
  };

  const run = async (call: Call, core: Raw, module: ModuleName): Promise<void> => {
    const state = { call, since: performance.now(), fraction: 0 };
    running = state;
    const turn: Turn = {
      async breathe(fraction: number): Promise<void> {
        state.fraction = fraction;
        post({ type: 'progress', id: call.id, fraction });
        await nextMessage();
        // A figure that asks for little does not wait until a long measurement is over.
        while (!call.givenUp) {
          const short = next(module, true);
          if (!short) return;
          await answer(short, core, module, turn);
          await nextMessage();
        }
        throw call.givenUp;
      },
    };
    await answer(call, core, module, turn);
    running = undefined;
  };

  const work = async (): Promise<void> => {
    // Not `running`: between two calls nothing runs, yet the loop is there and will take the next.
    if (working || !now) return;
    working = true;
    for (;;) {
      if (typeof full === 'function') {
        await take('full', full).catch(giveUpFull);
        full = undefined;
      }
      const call = next(now.module);
      if (!call) break;
      await run(call, now.core, now.module);
      // Requests that came in meanwhile may supersede those that wait.
      await nextMessage();
    }
    working = false;
    if (warming) quiet = setTimeout(warmOn, quietMilliseconds);
    if (!full && heapBytes(now.core) > largeHeapBytes && alive(now.core) === 0) {
      rest = setTimeout(() => post({ type: 'large' }), restMilliseconds);
    }
  };

  /** Goes on warming until a call arrives; `work` comes back here when it has no more to do. */
  const warmOn = async (): Promise<void> => {
    while (warming && waiting.length === 0 && !working) {
      try {
        if (warming.next().done) warming = undefined;
      } catch {
        // Nobody asked for it; a core that is broken says so when it is asked for something.
        warming = undefined;
      }
      await nextMessage();
    }
  };

  scope.onmessage = ({ data }) => {
    if (data.type === 'start') {
      build = nearest(data.build);
      warmUp = data.warmUp;
      first = data.module;
      kept.take(data.kept);
      post({ type: 'alive' });
      void start(first);
    } else if (data.type === 'call') {
      if (!running) post({ type: 'alive' });
      enqueue(data);
    } else if (data.type === 'ping') post({ type: 'alive' });
    else if (data.type === 'retire') post({ type: 'retired', kept: kept.entries });
    else if (data.type === 'preload') void fetchFull();
    else if (data.type === 'release') kept.release(data.kept);
    else cancel(data.id);
  };
}

/** Emscripten's glue keeps its view of the memory current. */
const heapBytes = (core: object): number =>
  (core as { readonly HEAPU8?: Uint8Array }).HEAPU8?.byteLength ?? 0;

/** Lets messages that have arrived be handled. */
const nextMessage: () => Promise<void> =
  typeof setImmediate === 'function'
    ? // Node drains one port before it looks at another, and an open port keeps it alive.
      () => new Promise((resolve) => setImmediate(resolve))
    : byMessage();

/** setTimeout would wait 4 ms. */
function byMessage(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port2.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(null);
    });
}
