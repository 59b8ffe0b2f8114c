/**
 * Runs a student's code where it can neither reach the page nor keep it waiting: in a worker inside a frame without
 * an origin, with a time limit. Every run gets a fresh worker; one for Python is prepared in advance.
 */

import { type CountingNames, countingNames } from '../javascript/counting-names';
import { runError } from '../javascript/errors';
import { program } from '../javascript/student-script';
import { say } from '../phrases';
import { errorOf, say as sayOfRun } from '../run-phrases';
import { maxPrint } from '../runtime';
import type { CaseOutcome, RunError, RunJob, RunResult, Value } from '../types';
import { type Assets, assetsFor } from './assets';
import { Frame, type FrameWorker, policyMessage, type WorkerListeners } from './frame';
import { hasAsyncSyntax } from './lingering';
import type { Boot, FromWorker, ToWorker } from './messages';
import { readLoaded, readOutcome } from './read-outcome';
import {
  type LiveJob,
  type RunnableLanguage,
  type Sandbox,
  SandboxError,
  type SandboxOptions,
} from './types';

export type * from './types';
export { SandboxError } from './types';

/** What a worker is started for. */
type Start = LiveJob & Pick<RunJob, 'countEntries' | 'countLists' | 'modules' | 'ours'>;
type RunOptions = NonNullable<Parameters<Sandbox['run']>[1]>;
type Stopped = NonNullable<RunResult['stopped']>;

/** The time in milliseconds that the fixed piece of work takes on the machine for which the limits were chosen. */
const usualSpin = 6;
const maxSlowness = 6;
/** The time limit for one call of the live figure. */
const callSeconds = 3;
const bootSeconds = 30;
/**
 * The most pieces of printed text that one call may send; it leaves room above the number of characters that are
 * kept.
 */
const maxPieces = 2 * maxPrint;

const noCounts = { multiplyAdds: 0, touched: 0, bytes: 0 };

/** The error of a case that was interrupted and therefore has no value. */
function interruption(stopped: Stopped, seconds: number): RunError {
  switch (stopped) {
    case 'time':
      return errorOf(
        'TimeLimit',
        sayOfRun('no_answer', { seconds: Math.round(seconds * 10) / 10 }),
      );
    case 'output':
      return errorOf('OutputLimit', sayOfRun('much_print'));
    case 'memory':
      return errorOf('MemoryError', sayOfRun('run_memory'));
    case 'user':
      return errorOf('Stopped', sayOfRun('stopped_by_user'));
    case 'crash':
      return errorOf('Crash', sayOfRun('worker_gone'));
  }
}

/** Recognises the error of WebAssembly that a policy forbids; its message names the policy. */
const bootError = (message: string): SandboxError =>
  /content security policy|unsafe-eval/i.test(message)
    ? new SandboxError('policy', policyMessage)
    : /memory/i.test(message)
      ? new SandboxError('memory', say('sandbox_memory'))
      : new SandboxError('load', message);

const isMemory = (error: unknown): boolean =>
  error instanceof SandboxError && error.code === 'memory';

/** Memory that code took may stay taken as long as the frame is there. */
const outOfMemory = ({ stopped, loadError, cases }: RunResult): boolean =>
  stopped === 'memory' ||
  stopped === 'crash' ||
  [loadError, cases.at(-1)?.error].some(
    (error) => error?.type === 'MemoryError' || /memory/i.test(error?.message ?? ''),
  );

/** A worker with its runtime, until it is ended. */
class Session {
  readonly #worker: FrameWorker;
  readonly #refuse: (error: SandboxError | RunError) => void;
  #onMessage: (message: FromWorker) => void = () => undefined;
  #onEnd: (stopped: Stopped, error?: RunError) => void = () => undefined;
  /** Resolves to the time of the fixed piece of work; rejects where the runtime does not start. */
  readonly ready: Promise<number>;
  ended = false;
  /** It has answered, and something may go on in it. */
  spent = false;

  constructor(
    start: (listeners: WorkerListeners) => FrameWorker,
    boot: Boot,
    /** The code may leave something running without reading a name for it. */
    lingers = false,
  ) {
    let settle: (spin: number) => void = () => undefined;
    let refuse: (error: SandboxError | RunError) => void = () => undefined;
    this.ready = new Promise((resolve, reject) => {
      settle = resolve;
      refuse = reject;
    });
    // A rejection is handled here, because nobody may be waiting for `ready` yet.
    this.ready.catch(() => undefined);
    this.#refuse = refuse;
    this.#worker = start({
      onError: (message, line, column) => {
        const memory = /memory/i.test(message);
        const place = { script: 'x', before: boot.before ?? 0, lines: boot.lines ?? 0 };
        const [, name = 'Error', words = message] =
          /^(?:Uncaught )?(\w*Error): (.*)$/s.exec(message) ?? [];
        const stack = `x:${line}:${column}`;
        const error = runError({ name, message: words, stack }, place);
        refuse(error);
        this.#onEnd(memory ? 'memory' : 'crash', error);
      },
      onGone: (error) => {
        this.ended = true;
        refuse(error);
        this.#onEnd('crash');
      },
    });
    this.#worker.port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'ready') settle(data.spin);
      else if (data.type === 'failed') refuse(bootError(data.message));
      else {
        if (data.type === 'answer') this.spent = lingers || data.lingers === true;
        this.#onMessage(data);
      }
    };
  }

  send(message: ToWorker): void {
    this.#worker.port.postMessage(message);
  }

  listen(
    onMessage: (message: FromWorker) => void,
    onEnd: (stopped: Stopped, error?: RunError) => void,
  ): void {
    this.#onMessage = onMessage;
    this.#onEnd = onEnd;
  }

  end(why?: RunError): void {
    this.ended = true;
    this.#refuse(why ?? new SandboxError('load', say('sandbox_not_started')));
    this.#onMessage = () => undefined;
    this.#onEnd = () => undefined;
    this.#worker.end();
  }
}

/** Makes a sandbox. Nothing is opened or fetched until the first request. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new FrameSandbox(options);
}

class FrameSandbox implements Sandbox {
  readonly #options: SandboxOptions;
  #frame: Promise<Frame> | undefined;
  #standby: Promise<Session> | undefined;
  /** A session in which only code of ours has run. A student's code never runs in it. */
  #ours: Session | undefined;
  #spins: number[] = [];
  readonly #booting = new Set<Session>();
  /** Why the frame, or a worker in it, was refused. */
  #refused: SandboxError | undefined;
  #disposed = false;
  /** The functions that end what is running; `stop()` calls them. */
  readonly #stops = new Set<(stopped: Stopped) => void>();
  readonly #live: Live;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#live = new Live(
      (job) => this.#session(job),
      () => this.slowness,
      this.#stops,
    );
  }

  readonly run: Sandbox['run'] = async (job, options = {}) => {
    if ((job.language as string) === 'cpp') {
      throw new SandboxError('unsupported', say('sandbox_cpp'));
    }
    options.signal?.throwIfAborted();
    let stoppedBefore = false;
    const stopBefore = (): void => {
      stoppedBefore = true;
      for (const booting of this.#booting) booting.end();
    };
    this.#stops.add(stopBefore);
    let session: Session;
    try {
      session = await this.#session(job);
    } catch (error) {
      if (stoppedBefore) return { prints: '', cases: [], stopped: 'user' };
      return brokenBefore(error, job);
    } finally {
      this.#stops.delete(stopBefore);
    }
    if (stoppedBefore) {
      session.end();
      return { prints: '', cases: [], stopped: 'user' };
    }
    this.#options.onPhase?.('running', job.language);
    const result = await this.#watched(session, job, options);
    if (job.language === 'python') this.#standBy();
    this.#options.onPhase?.('ready', job.language);
    return result;
  };

  load(job: LiveJob): ReturnType<Sandbox['load']> {
    return this.#live.load(job);
  }

  call(args: readonly Value[]): Promise<CaseOutcome | undefined> {
    return this.#live.call(args);
  }

  stop(): void {
    for (const stop of [...this.#stops]) stop('user');
  }

  restart(): void {
    this.stop();
    this.#refused = undefined;
    this.#discardFrame();
  }

  async prefetch(language: RunnableLanguage): Promise<void> {
    await Promise.all([assetsFor(language), this.#openFrame()]);
    if (language === 'python' && !this.#disposed) await this.#standBy();
  }

  get slowness(): number {
    if (this.#spins.length === 0) return 1;
    // The shortest measured time counts, because other work on the machine can only lengthen it.
    return Math.min(maxSlowness, Math.max(1, Math.min(...this.#spins) / usualSpin));
  }

  dispose(): void {
    this.#disposed = true;
    this.stop();
    this.#live.end();
    this.#discardFrame();
  }

  /** Workers end with it. */
  #discardFrame(): void {
    this.#live.forget();
    for (const session of [this.#standby, this.#ours]) {
      void Promise.resolve(session).then(
        (one) => one?.end(),
        () => undefined,
      );
    }
    this.#standby = undefined;
    this.#ours = undefined;
    this.#frame?.then((frame) => frame.close()).catch(() => undefined);
    this.#frame = undefined;
  }

  #openFrame(): Promise<Frame> {
    if (this.#disposed) {
      return Promise.reject(new SandboxError('load', say('sandbox_disposed')));
    }
    this.#frame = (this.#frame ?? Frame.open()).then((frame) => {
      if (frame.alive) return frame;
      // The frame's process ended, and the prepared worker ended with it.
      this.#standby = undefined;
      this.#ours = undefined;
      return Frame.open();
    });
    this.#frame.catch(() => {
      this.#frame = undefined;
    });
    return this.#frame;
  }

  /** Returns a session that is ready to load code: the prepared one, or a new one. */
  async #session(job: Start): Promise<Session> {
    if (job.language === 'javascript') return this.#boot(job);
    const used = this.#ours;
    this.#ours = undefined;
    if (job.ours && used && !used.ended) return used;
    used?.end();
    const waiting = this.#standby;
    this.#standby = undefined;
    const session = await waiting?.catch(() => undefined);
    if (session && !session.ended) return session;
    session?.end();
    return this.#boot(job);
  }

  #standBy(): Promise<unknown> {
    if (this.#disposed) return Promise.resolve();
    if (!this.#standby) {
      const nothing = { language: 'python', code: '', entry: '', parameters: [] } as const;
      const booted = this.#boot(nothing, () => undefined);
      this.#standby = booted;
      booted.catch(() => {
        if (this.#standby === booted) this.#standby = undefined;
      });
    }
    return this.#standby;
  }

  async #boot(job: Start, onPhase = this.#options.onPhase): Promise<Session> {
    onPhase?.('fetching', job.language);
    const assets = await assetsFor(job.language);
    onPhase?.('starting', job.language);
    let session: Session;
    try {
      // A policy does not change while the page is open, and asking again would fill the console with errors.
      if (this.#refused) throw this.#refused;
      session = await this.#bootInFrame(job, assets).catch((error) => {
        if (!isMemory(error)) throw error;
        // What another run took is given back with its frame.
        this.#discardFrame();
        return this.#bootInFrame(job, assets);
      });
    } catch (error) {
      if (error instanceof SandboxError && error.code === 'policy') this.#refused = error;
      throw error;
    }
    onPhase?.('ready', job.language);
    return session;
  }

  async #bootInFrame(job: Start, { script, ...bytes }: Assets): Promise<Session> {
    const frame = await this.#openFrame();
    const names = job.countEntries ? countingNames() : undefined;
    const code =
      job.language === 'javascript' && names ? await withTicks(job.code, names) : job.code;
    const { source, place } =
      job.language === 'javascript'
        ? program(script, code, job.entry, '', names)
        : { source: script, place: { before: 0, lines: 0 } };
    const boot: Boot = {
      ...bytes,
      memoryBytes: this.#memoryBytes,
      before: place.before,
      lines: place.lines,
      countEntries: job.countEntries ?? false,
    };
    const session = new Session(
      (listeners) => frame.start(source, boot, listeners),
      boot,
      job.language === 'javascript' && hasAsyncSyntax(job.code),
    );
    if (job.language !== 'javascript') return this.#booted(session, () => frame.close());
    // A student's file can close the function around it, and then it runs before the session is ready.
    const seconds = (this.#options.scriptSeconds ?? 10) * this.slowness;
    return this.#booted(session, () => session.end(interruption('time', seconds)), seconds);
  }

  get #memoryBytes(): number {
    return this.#options.memoryBytes ?? 2 ** 29;
  }

  async #booted(session: Session, giveUp: () => void, seconds = bootSeconds): Promise<Session> {
    const timer = setTimeout(giveUp, seconds * 1000);
    this.#booting.add(session);
    try {
      this.#spins = [...this.#spins, await session.ready].slice(-9);
      return session;
    } catch (error) {
      session.end();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#booting.delete(session);
    }
  }

  /** Loads the code, calls it case by case, and stops at the first deadline that is missed. */
  #watched(first: Session, job: RunJob, options: RunOptions): Promise<RunResult> {
    const { signal, onCase } = options;
    const total = job.cases.length;
    const { deadlines = [{ cases: total, seconds: this.#options.seconds ?? 30 }] } = options;
    return new Promise((resolve) => {
      let session = first;
      let finished = false;
      const cases: CaseOutcome[] = [];
      let loaded: ReturnType<typeof readLoaded> | undefined;
      let printed = '';
      const finish = (result: RunResult): void => {
        for (const timer of timers) clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#stops.delete(stop);
        finished = true;
        if (outOfMemory(result)) this.#discardFrame();
        if (job.ours && !result.stopped && !session.spent) this.#ours = session;
        else session.end();
        resolve(result);
      };
      const stop = (stopped: Stopped, error?: RunError, seconds = 0): void => {
        const why = error ?? interruption(stopped, seconds);
        const cut = { error: why, prints: printed, counts: noCounts, milliseconds: 0 };
        if (loaded) finish({ prints: loaded.prints, cases: [...cases, cut], stopped });
        else finish({ loadError: why, prints: printed, cases, stopped });
      };
      const abort = (): void => stop('user');
      const timers = deadlines.map(({ cases: wanted, seconds }) => {
        const scaled = seconds * this.slowness;
        return setTimeout(() => {
          if (cases.length < wanted || !loaded) stop('time', undefined, scaled);
        }, scaled * 1000);
      });
      let pieces = 0;
      // The worker counts its prints too, but the code that runs there may send any message.
      const print = (text: unknown): void => {
        if (typeof text !== 'string' || ++pieces > maxPieces) stop('output');
        else if (printed.length < maxPrint) printed = (printed + text).slice(0, maxPrint);
      };
      const next = (): void => {
        pieces = 0;
        printed = '';
        const { args } = job.cases[cases.length] ?? {};
        if (args && session.spent) void renew();
        else if (args) session.send({ type: 'call', id: cases.length, args });
        else {
          finish({ prints: '', ...loaded, cases });
        }
      };
      const begin = (): void => {
        session.listen(hear, (stopped, error) => stop(stopped, error));
        session.send({ type: 'load', job: fileOf(job) });
      };
      /** What a case leaves running does not reach into the next. */
      const renew = async (): Promise<void> => {
        session.end();
        try {
          const fresh = await this.#session(job);
          if (finished) return fresh.end();
          session = fresh;
          this.#options.onPhase?.('running', job.language);
          begin();
        } catch {
          if (!finished) stop('crash');
        }
      };
      const hear = (message: FromWorker): void => {
        if (message.type === 'print') print(message.text);
        else if (message.type === 'flood') stop('output');
        else if (message.type === 'loaded') {
          const again = readLoaded(message);
          loaded ??= again;
          if (again.loadError) finish({ ...again, cases });
          else next();
        } else if (message.type === 'answer' && message.id === cases.length) {
          cases.push(readOutcome(message.outcome));
          onCase?.(cases.length);
          next();
        }
      };
      this.#stops.add(stop);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted) return abort();
      begin();
    });
  }
}

/** The parser is only wanted where cost is counted. */
const withTicks = async (code: string, names: CountingNames): Promise<string> =>
  (await import('../javascript/count-instrumentation')).ticked(code, names);

const fileOf = (start: Start) => {
  const {
    code,
    entry,
    parameters,
    countEntries = false,
    countLists = false,
    draws = false,
    modules = {},
  } = start;
  return { code, entry, parameters, countEntries, countLists, draws, modules };
};

/**
 * The result for a script that does not parse. Such a script never starts, and the fault is the student's, not the
 * sandbox's.
 */
async function brokenBefore(error: unknown, { language, code }: Start): Promise<RunResult> {
  if (error instanceof Error || typeof error !== 'object' || error === null) throw error;
  const raised = error as RunError;
  const loadError =
    language === 'javascript' && raised.type === 'SyntaxError'
      ? (await import('../javascript/diagnose')).explained(raised, code)
      : raised;
  const late = loadError.type === 'TimeLimit';
  return { loadError, prints: '', cases: [], ...(late && { stopped: 'time' }) };
}

/** Keeps code loaded for the live figure. The newest call replaces a waiting one. */
class Live {
  readonly #open: (job: LiveJob) => Promise<Session>;
  readonly #slowness: () => number;
  readonly #stops: Set<(stopped: Stopped) => void>;
  #job: LiveJob | undefined;
  #session: Promise<Session> | undefined;
  #version = 0;
  #running = false;
  #waiting:
    | {
        readonly args: readonly Value[];
        readonly resolve: (outcome: CaseOutcome | undefined) => void;
        readonly reject: (error: unknown) => void;
      }
    | undefined;
  #lastId = 0;

  constructor(
    open: (job: LiveJob) => Promise<Session>,
    slowness: () => number,
    stops: Set<(stopped: Stopped) => void>,
  ) {
    this.#open = open;
    this.#slowness = slowness;
    this.#stops = stops;
  }

  async load(job: LiveJob): ReturnType<Sandbox['load']> {
    this.end();
    this.#job = job;
    const version = this.#version;
    try {
      const { session, loaded } = await this.#opened(job);
      if (version === this.#version && !loaded.loadError) {
        this.#session = Promise.resolve(session);
        return loaded;
      }
      session.end();
      if (version === this.#version) this.#job = undefined;
      return loaded;
    } catch (error) {
      if (version === this.#version) this.#job = undefined;
      return brokenBefore(error, job);
    }
  }

  call(args: readonly Value[]): Promise<CaseOutcome | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting?.resolve(undefined);
      this.#waiting = { args, resolve, reject };
      if (!this.#running) this.#drain();
    });
  }

  /** The code is loaded anew before the next call. */
  forget(): void {
    this.#session?.then((session) => session.end()).catch(() => undefined);
    this.#session = undefined;
  }

  end(): void {
    ++this.#version;
    this.#waiting?.resolve(undefined);
    this.#waiting = undefined;
    this.forget();
    this.#job = undefined;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting) {
      const { args, resolve, reject } = this.#waiting;
      this.#waiting = undefined;
      await this.#once(args).then(resolve, reject);
    }
    this.#running = false;
  }

  async #once(args: readonly Value[]): Promise<CaseOutcome | undefined> {
    const job = this.#job;
    if (!job) return undefined;
    const version = this.#version;
    this.#session ??= this.#opened(job).then(({ session }) => session);
    const session = await this.#session;
    if (version !== this.#version) return undefined;
    const outcome = await this.#answer(session, args);
    // The student's timers end with the call.
    if (session.spent) session.end();
    if (session.ended && version === this.#version) this.#session = undefined;
    return version === this.#version ? outcome : undefined;
  }

  async #opened(job: LiveJob) {
    const session = await this.#open(job);
    type Loaded = Awaited<ReturnType<Sandbox['load']>>;
    const loaded = await this.#limited<Loaded>(
      session,
      (message) => (message.type === 'loaded' ? readLoaded(message) : undefined),
      (loadError) => ({ loadError, prints: '' }),
      () => session.send({ type: 'load', job: fileOf(job) }),
    );
    return { session, loaded };
  }

  #answer(session: Session, args: readonly Value[]): Promise<CaseOutcome> {
    const id = ++this.#lastId;
    return this.#limited<CaseOutcome>(
      session,
      (message) =>
        message.type === 'answer' && message.id === id ? readOutcome(message.outcome) : undefined,
      (error) => ({ error, prints: '', counts: noCounts, milliseconds: 0 }),
      () => session.send({ type: 'call', id, args }),
    );
  }

  /** Asks one question. A session that does not answer in time is ended. */
  #limited<Answer>(
    session: Session,
    read: (message: FromWorker) => Answer | undefined,
    failed: (error: RunError) => Answer,
    ask: () => void,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const seconds = callSeconds * this.#slowness();
      const finish = (answer: Answer): void => {
        clearTimeout(timer);
        this.#stops.delete(stop);
        resolve(answer);
      };
      const stop = (stopped: Stopped, error?: RunError): void => {
        session.end();
        finish(failed(error ?? interruption(stopped, seconds)));
      };
      const timer = setTimeout(() => stop('time'), seconds * 1000);
      this.#stops.add(stop);
      session.listen((message) => {
        if (message.type === 'flood') return stop('output');
        const answer = read(message);
        if (answer !== undefined) finish(answer);
      }, stop);
      ask();
    });
  }
}
