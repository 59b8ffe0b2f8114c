/**
 * Speaks with a course site on behalf of a page: finds it, asks what it kept, reports, and leaves. It decides when
 * something is said; `scorm.ts` and `splice.ts` know how.
 *
 * seeking → alone (nobody is there) | review (nothing may be written) | working → finished
 */
import type { Host, Opened, Report } from './host.ts';

export type Phase = 'seeking' | 'alone' | 'review' | 'working' | 'finished';

/** A commit may keep a page waiting for seconds, so it is not made with every key. A Run is reported at once. */
export const REPORT_EVERY_MS = 10_000;

export interface BridgeListener {
  onPhase?(phase: Phase): void;
  /** A report was handed over, or the site refused it. */
  onReport?(taken: boolean): void;
}

export class Bridge {
  phase: Phase = 'seeking';
  #host: Host | undefined;
  #waiting: Report | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = Number.NEGATIVE_INFINITY;
  readonly #listener: BridgeListener;
  readonly #now: () => number;

  constructor(listener: BridgeListener = {}, now: () => number = Date.now) {
    this.#listener = listener;
    this.#now = now;
  }

  /** The most characters of a state. */
  get room(): number {
    return this.#host?.room ?? 0;
  }

  /** Asks each host in turn, and stays with the first that is there. */
  async start(hosts: Iterable<Host> | AsyncIterable<Host>): Promise<Opened | undefined> {
    for await (const host of hosts) {
      const opened = await host.open();
      if (!opened) continue;
      if (this.phase !== 'seeking') {
        // The page was left while the host was asked.
        host.finish();
        return undefined;
      }
      this.#host = host;
      this.#become(opened.review ? 'review' : 'working');
      return opened;
    }
    if (this.phase === 'seeking') this.#become('alone');
    return undefined;
  }

  /**
   * @param atOnce after a Run, an answer or a step; what is only typed waits for its turn
   */
  tell(report: Report, atOnce: boolean): void {
    if (this.phase !== 'working') return;
    this.#waiting = report;
    const wait = this.#last + REPORT_EVERY_MS - this.#now();
    if (atOnce || wait <= 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), wait);
  }

  /** The page is out of sight: some systems end it there without another word. */
  park(): void {
    if (this.phase !== 'working') return;
    this.#send();
    this.#host?.park();
  }

  /** The page is being closed, and does not come back. */
  finish(): void {
    if (this.phase === 'finished') return;
    this.#send();
    this.#become('finished');
    this.#host?.finish();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const report = this.#waiting;
    if (!report || !this.#host || this.phase !== 'working') return;
    this.#waiting = undefined;
    this.#last = this.#now();
    const taken = this.#host.report(report);
    if (typeof taken === 'boolean') this.#listener.onReport?.(taken);
    else void taken.then((is) => this.#listener.onReport?.(is));
  }

  #become(phase: Phase): void {
    this.phase = phase;
    this.#listener.onPhase?.(phase);
  }
}
