/**
 * SCORM 1.2 and 2004: an object in a window around the page, whose methods take and give text and answer at once. What
 * differs between the two stands in one table. The rules beside the standard are Moodle's, which takes a student's chance
 * to improve away when it is told too much: no `failed`, no score before there is one, no final status before all is done.
 */
import type { ExerciseRun, Host, Opened, Report } from './host.ts';

export type ScormVersion = '1.2' | '2004';

type Method = (...args: string[]) => unknown;
export type ScormApi = Readonly<Record<string, Method>>;

interface Dialect {
  /** The name of the object in its window. */
  readonly api: string;
  readonly methods: Readonly<
    Record<'initialize' | 'finish' | 'get' | 'set' | 'commit' | 'error', string>
  >;
  /** The most characters of the state and of the place. */
  readonly room: number;
  readonly placeRoom: number;
  readonly elements: Readonly<
    Record<'mode' | 'student' | 'status' | 'place' | 'score' | 'exit' | 'time', string>
  >;
  /** The exit of an attempt that is done. */
  readonly done: string;
  readonly time: (milliseconds: number) => string;
  /** All that is said of a score, and of an attempt in which everything was done, besides its status. */
  readonly scored: (score: number) => readonly (readonly [element: string, value: string])[];
  readonly passed: readonly (readonly [element: string, value: string])[];
  /** How an exercise is written down. */
  readonly interaction: {
    readonly type: string;
    readonly when: readonly [element: string, value: (time: Date) => string];
    readonly response: string;
    readonly wrong: string;
  };
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Hours, minutes and seconds. More than the largest number of hours that fits is that number. */
function parts(milliseconds: number): readonly [number, number, number] {
  const seconds = Math.min(Math.max(0, Math.round(milliseconds / 1000)), 9999 * 3600 + 3599);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
}

/** `0001:02:03.00`: four digits, because some hosts want no fewer. */
export function time12(milliseconds: number): string {
  const [hours, minutes, seconds] = parts(milliseconds);
  return `${String(hours).padStart(4, '0')}:${two(minutes)}:${two(seconds)}.00`;
}

/** `PT1H2M3S`. */
export function time2004(milliseconds: number): string {
  const [hours, minutes, seconds] = parts(milliseconds);
  return `PT${hours}H${minutes}M${seconds}S`;
}

/** A score of a hundred, without a long fraction. */
const percent = (score: number): string => String(Math.round(score * 10_000) / 100);

const dialects: Readonly<Record<ScormVersion, Dialect>> = {
  '1.2': {
    api: 'API',
    methods: {
      initialize: 'LMSInitialize',
      finish: 'LMSFinish',
      get: 'LMSGetValue',
      set: 'LMSSetValue',
      commit: 'LMSCommit',
      error: 'LMSGetLastError',
    },
    room: 4096,
    placeRoom: 255,
    elements: {
      mode: 'cmi.core.lesson_mode',
      student: 'cmi.core.student_id',
      status: 'cmi.core.lesson_status',
      place: 'cmi.core.lesson_location',
      score: 'cmi.core.score.raw',
      exit: 'cmi.core.exit',
      time: 'cmi.core.session_time',
    },
    done: '',
    time: time12,
    scored: (score) => [
      ['cmi.core.score.min', '0'],
      ['cmi.core.score.max', '100'],
      ['cmi.core.score.raw', percent(score)],
    ],
    passed: [['cmi.core.lesson_status', 'passed']],
    interaction: {
      type: 'performance',
      when: ['time', (at) => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')],
      response: 'student_response',
      wrong: 'wrong',
    },
  },
  '2004': {
    api: 'API_1484_11',
    methods: {
      initialize: 'Initialize',
      finish: 'Terminate',
      get: 'GetValue',
      set: 'SetValue',
      commit: 'Commit',
      error: 'GetLastError',
    },
    room: 64_000,
    placeRoom: 1000,
    elements: {
      mode: 'cmi.mode',
      student: 'cmi.learner_id',
      status: 'cmi.completion_status',
      place: 'cmi.location',
      score: 'cmi.score.raw',
      exit: 'cmi.exit',
      time: 'cmi.session_time',
    },
    done: 'normal',
    time: time2004,
    scored: (score) => [
      ['cmi.score.min', '0'],
      ['cmi.score.max', '100'],
      ['cmi.score.raw', percent(score)],
      ['cmi.score.scaled', String(Math.round(score * 10_000) / 10_000)],
      ['cmi.progress_measure', String(Math.round(score * 10_000) / 10_000)],
    ],
    passed: [
      ['cmi.completion_status', 'completed'],
      ['cmi.success_status', 'passed'],
    ],
    interaction: {
      type: 'other',
      // The standard has a time zone behind a part of a second only.
      when: ['timestamp', (at) => at.toISOString().replace(/\.\d+/, '.00')],
      response: 'learner_response',
      wrong: 'incorrect',
    },
  },
};

/** No lab has so many; a report that came by message may. */
const MOST_INTERACTIONS = 50;
/** The most characters of a response, which is less than both versions allow. */
const RESPONSE = 255;

/** What a window may be asked for when the API is looked for; reading any of it may throw. */
export interface ApiWindow {
  readonly parent?: unknown;
  readonly top?: unknown;
  readonly opener?: unknown;
}

const HIGHEST = 500;

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // A window of another origin.
    return undefined;
  }
}

/** Looks in a window, and in each one around it. */
function above(from: unknown, name: string): ScormApi | undefined {
  let at = from as (ApiWindow & Record<string, unknown>) | null | undefined;
  for (let height = 0; at && height < HIGHEST; ++height) {
    const here = at;
    const found = quietly(() => here[name]);
    if (typeof found === 'object' && found !== null) return found as ScormApi;
    const parent = quietly(() => here.parent);
    if (parent === here) return undefined;
    // Above a window of another origin there may be one of ours.
    at = parent as typeof at;
  }
  return undefined;
}

/** The API of this version: in the window, around it, or around the one that opened it. */
export function findApi(window: ApiWindow, version: ScormVersion): ScormApi | undefined {
  const { api } = dialects[version];
  return (
    above(window, api) ??
    above(
      quietly(() => (window.top as ApiWindow).opener),
      api,
    ) ??
    above(
      quietly(() => window.opener),
      api,
    )
  );
}

const text = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value);
const isTrue = (answer: unknown): boolean => String(answer) === 'true';

/** "Not implemented" is no error: the element is one that the host need not have. */
const NOT_THERE = ['401', '402'];

/**
 * @param now the clock, in milliseconds
 */
export function scormHost(
  api: ScormApi,
  version: ScormVersion,
  now: () => number = Date.now,
): Host {
  const dialect = dialects[version];
  const { methods, elements } = dialect;
  const begun = now();
  /** What the host has of each element, as far as this page wrote or read it. */
  const there = new Map<string, string>();
  let review = false;
  let ended = false;
  /** Whether something was written that has not been committed. */
  let unsent = false;

  const call = (method: keyof typeof methods, ...args: string[]): unknown =>
    // The method is called on its object: some hosts use `this`.
    quietly(() => api[methods[method]]?.(...args));
  const get = (element: string): string => {
    const value = text(call('get', element));
    if (value !== '') there.set(element, value);
    return value;
  };
  const set = (element: string, value: string): boolean => {
    if (there.get(element) === value) return true;
    if (isTrue(call('set', element, value))) {
      there.set(element, value);
      unsent = true;
      return true;
    }
    return NOT_THERE.includes(text(call('error')));
  };
  const setAll = (pairs: readonly (readonly [string, string])[]): boolean => {
    let taken = true;
    for (const [element, value] of pairs) taken = set(element, value) && taken;
    return taken;
  };
  /**
   * One record for each exercise, at the same place for every student and at every launch: a system may have no hole
   * before a record, and does not say which ones it has. Nothing is lost where a system wants none of this.
   */
  let wanted = true;
  const writeDown = (exercises: readonly ExerciseRun[]): void => {
    const { type, when, response, wrong } = dialect.interaction;
    if (!wanted || !exercises.some(({ last }) => last)) return;
    exercises.slice(0, MOST_INTERACTIONS).forEach(({ id, last }, i) => {
      const put = (name: string, value: string): void => {
        const element = `cmi.interactions.${i}.${name}`;
        wanted &&= set(element, value) && there.get(element) === value;
      };
      put('id', id);
      put('type', type);
      if (!last) return;
      const { time, language, runs, passed, rightCases, cases } = last;
      put(when[0], when[1](new Date(time)));
      const said = `${language}; runs: ${runs}; cases: ${rightCases} of ${cases}`;
      put(response, said.slice(0, RESPONSE));
      put('result', passed ? 'correct' : wrong);
    });
  };
  const commit = (): boolean => {
    if (!unsent) return true;
    const taken = isTrue(call('commit', ''));
    unsent = !taken;
    return taken;
  };
  /** A final status is never taken back: an attempt that was passed stays passed. */
  const isDone = (): boolean => ['passed', 'completed'].includes(there.get(elements.status) ?? '');
  /** Resumed when it is opened again, until all is done. */
  const leave = (): void => {
    set(elements.exit, isDone() ? dialect.done : 'suspend');
    set(elements.time, dialect.time(now() - begun));
  };

  return {
    room: dialect.room,
    async open(): Promise<Opened | undefined> {
      // Who answered "false" may have been asked before, by another page of ours; then it answers to everything else.
      call('initialize', '');
      const status = get(elements.status);
      const mode = get(elements.mode);
      review = mode === 'review' || mode === 'browse';
      const opened = { state: get('cmi.suspend_data'), review, student: get(elements.student) };
      if (review) return opened;
      const fresh = ['', 'not attempted', 'unknown'].includes(status);
      if (fresh && !set(elements.status, 'incomplete')) return undefined;
      // From here on the host keeps what there is, even when the page never gets to say goodbye.
      set(elements.exit, 'suspend');
      commit();
      return opened;
    },
    report({ state, score, complete, place, exercises = [] }: Report): boolean {
      if (review || ended) return false;
      let taken = state.length <= dialect.room && set('cmi.suspend_data', state);
      if (place !== undefined && place.length <= dialect.placeRoom) set(elements.place, place);
      if (score !== null) taken = setAll(dialect.scored(score)) && taken;
      if (complete) taken = setAll(dialect.passed) && taken;
      writeDown(exercises);
      return commit() && taken;
    },
    park(): void {
      if (review || ended) return;
      set(elements.time, dialect.time(now() - begun));
      commit();
    },
    finish(): void {
      if (ended) return;
      if (!review) {
        leave();
        // Some answer nothing while a page is being closed; that is no reason not to finish.
        commit();
      }
      ended = true;
      call('finish', '');
    },
  };
}
