/**
 * A course site as a page sees it: who keeps the score and the state of a student's work. Each way to speak with one
 * is a `Host`; `bridge.ts` decides when something is said.
 */

/** An exercise that the page offers, and what came of its last Run in this browser. */
export interface ExerciseRun {
  readonly id: string;
  readonly last?: {
    /** ISO 8601. */
    readonly time: string;
    readonly language: string;
    readonly runs: number;
    readonly passed: boolean;
    readonly rightCases: number;
    readonly cases: number;
  };
}

/** What a host is given. Everything in it is whole: it replaces what was given before. */
export interface Report {
  /** Text of ours (`kept-state.ts`); no longer than the host's `room`. */
  readonly state: string;
  /** The share of what is required, 0 to 1; null while nothing of it has been tried. */
  readonly score: number | null;
  /** Whether all that is required has been done. */
  readonly complete: boolean;
  /** The step in which the student is. */
  readonly place?: string;
  /** All exercises of the page, in their order. */
  readonly exercises?: readonly ExerciseRun[];
}

export interface Opened {
  /** The text that was kept; empty when there is none. */
  readonly state: string;
  /** The host shows a finished attempt: nothing may be written. */
  readonly review: boolean;
  /** Who works here, in the host's own words; empty when it does not say. */
  readonly student: string;
}

export interface Host {
  /** The most characters that it keeps of a state. */
  readonly room: number;
  /** Resolves to undefined when nobody is there. */
  open(): Promise<Opened | undefined>;
  /** Hands over a report; returns whether the host took all of it. */
  report(report: Report): boolean | Promise<boolean>;
  /** The page is out of sight, and may be gone without another word. */
  park(): void;
  /** The page is being closed. Called once, and nothing after it. */
  finish(): void;
}
