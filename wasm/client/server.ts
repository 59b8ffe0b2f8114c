import { CancelledError, CoreError, SupersededError } from './errors';
import type { Operations } from './operations';
import { type Build, buffersOf, type Reply, type Request, toPlainError } from './protocol';

/** The worker's side of a message port. */
export interface ServerScope {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

type Call = Extract<Request, { type: 'call' }> & { givenUp?: CoreError };

// A running call that a newer one wants to replace is finished when it is quick or nearly done:
// otherwise a steady drag would never show a picture.
const patienceMilliseconds = 100;

// A page that has been quiet for this long is being read.
const quietMilliseconds = 150;

export interface ServerOptions<Raw> {
  /** The build that stands in for one that is not there. */
  nearest?: (build: Build) => Build;
  /** What to do, step by step, while nothing else is asked for. */
  warm?: (core: Raw) => Iterator<void>;
}

/** Answers requests one after another. One server a worker. */
export function serve<Raw>(
  scope: ServerScope,
  load: (build: Build) => Promise<Raw>,
  operations: Operations<Raw>,
  { nearest = (build) => build, warm }: ServerOptions<Raw> = {},
): void {
  const waiting: Call[] = [];
  let running: { call: Call; since: number; fraction: number } | undefined;
  let core: Raw | undefined;
  let working = false;
  let warming: Iterator<void> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  const post = (reply: Reply): void => {
    scope.postMessage(reply, reply.type === 'result' ? [...buffersOf(reply.value)] : []);
  };
  const fail = (id: number, thrown: unknown): void =>
    post({ type: 'error', id, error: toPlainError(thrown) });

  const start = async (asked: Build, warmUp: boolean): Promise<void> => {
    try {
      const build = nearest(asked);
      core = await load(build);
      if (warmUp) warming = warm?.(core);
      post({ type: 'ready', build });
      void work();
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      post({ type: 'failed', error: toPlainError(new CoreError('load', message)) });
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
    waiting.push(call);
    clearTimeout(quiet);
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

  const work = async (): Promise<void> => {
    // Not `running`: between two calls nothing runs, yet the loop is there and will take the next.
    if (working || !core) return;
    working = true;
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      const now = { call, since: performance.now(), fraction: 0 };
      running = now;
      const turn = {
        async breathe(fraction: number): Promise<void> {
          now.fraction = fraction;
          post({ type: 'progress', id: now.call.id, fraction });
          await nextMessage();
          if (now.call.givenUp) throw now.call.givenUp;
        },
      };
      try {
        const operation = operations[call.operation];
        if (!operation) throw new CoreError('value', `there is no call ${call.operation}`);
        const value = await operation(core, call.input, turn);
        post({ type: 'result', id: call.id, value });
      } catch (thrown) {
        fail(call.id, thrown);
      }
      running = undefined;
      // Requests that came in meanwhile may supersede those that wait.
      await nextMessage();
    }
    working = false;
    if (warming) quiet = setTimeout(warmOn, quietMilliseconds);
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
    if (data.type === 'start') void start(data.build, data.warmUp);
    else if (data.type === 'call') enqueue(data);
    else cancel(data.id);
  };
}

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
