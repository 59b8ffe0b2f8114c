/**
 * SPLICE: three messages between a page in a frame and the page around it, by which Runestone, OpenDSA, CodeCheck and the
 * hosts of PreTeXt keep scores. The page of a SCORM package speaks the other side of it (`answerSplice`).
 */
import type { ExerciseRun, Host, Opened, Report } from './host.ts';

/** So long may the page around take to answer. Not all hosts ever do. */
export const SPLICE_PATIENCE_MS = 5000;
/** The question is asked again meanwhile: the page around may begin to listen late. */
export const ASK_AGAIN_MS = 1000;

/** A state is small; hosts keep it in a row of a table. */
const ROOM = 60_000;

interface Message {
  readonly subject?: unknown;
  readonly message_id?: unknown;
  readonly state?: unknown;
  readonly error?: unknown;
}

/** The part of a window that hears and is told. */
export interface Ear {
  addEventListener(type: 'message', listen: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listen: (event: MessageEvent) => void): void;
}
export interface Mouth {
  postMessage(message: unknown, origin: string): void;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Hosts keep our state as they like: as the text that it is, or within an object. */
const textOf = (state: unknown): string => {
  if (typeof state === 'string') return state;
  return isObject(state) && typeof state.attentionLabs === 'string' ? state.attentionLabs : '';
};

/**
 * @param here the window that hears
 * @param host the page around. Only what comes from it is heard; its address is not known here, and what it is told is
 *   its student's own work.
 */
export function spliceHost(here: Ear, host: Mouth): Host {
  let last = 0;
  const mark = Math.random().toString(36).slice(2);
  const send = (subject: string, fields: object = {}): string => {
    const message_id = `attention-labs-${mark}-${++last}`;
    host.postMessage({ subject: `SPLICE.${subject}`, message_id, ...fields }, '*');
    return message_id;
  };
  let latest: string | undefined;
  let refused = false;
  let review = false;
  const told = ({ source, data }: MessageEvent): void => {
    if (source !== host || !isObject(data)) return;
    if (data.subject !== 'SPLICE.reportScoreAndState.response' || data.message_id !== latest)
      return;
    refused = data.error !== undefined;
  };
  return {
    room: ROOM,
    open: () =>
      new Promise<Opened | undefined>((resolve) => {
        const asked = new Set<string>();
        const finish = (opened: Opened | undefined): void => {
          clearInterval(again);
          clearTimeout(patience);
          here.removeEventListener('message', listen);
          if (opened) here.addEventListener('message', told);
          resolve(opened);
        };
        const listen = ({
          source,
          data,
        }: MessageEvent<Message & { student?: unknown; review?: unknown }>): void => {
          if (source !== host || !isObject(data)) return;
          if (data.subject !== 'SPLICE.getState.response' || !asked.has(String(data.message_id))) {
            return;
          }
          review = data.review === true;
          finish({
            state: textOf(data.state),
            review,
            student: typeof data.student === 'string' ? data.student : '',
          });
        };
        here.addEventListener('message', listen);
        const ask = (): void => void asked.add(send('getState'));
        const again = setInterval(ask, ASK_AGAIN_MS);
        const patience = setTimeout(() => finish(undefined), SPLICE_PATIENCE_MS);
        ask();
      }),
    report({ state, score, complete, place, exercises }: Report): boolean {
      if (review) return false;
      // A host that says nothing has taken it as far as anybody knows; one that refused the last one is not believed.
      latest = send('reportScoreAndState', {
        score,
        state: {
          ...{ attentionLabs: state, complete },
          ...(place !== undefined && { place }),
          ...(exercises && { exercises }),
        },
      });
      return !refused;
    },
    // Everything was said when it happened: a message from a page that is being closed may come too late.
    park: () => undefined,
    finish: () => here.removeEventListener('message', told),
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

/** The exercises of a report, as far as they are some. */
function exercisesOf(value: unknown): ExerciseRun[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): ExerciseRun[] => {
    if (!isObject(one) || typeof one.id !== 'string' || !/^[\w-]{1,100}$/.test(one.id)) return [];
    const { id, last } = one;
    if (!isObject(last)) return [{ id }];
    const { time, language, runs, passed, rightCases, cases } = last;
    const isWhole =
      typeof time === 'string' &&
      !Number.isNaN(Date.parse(time)) &&
      typeof language === 'string' &&
      /^\w{1,20}$/.test(language) &&
      [runs, rightCases, cases].every(isCount);
    if (!isWhole) return [{ id }];
    const counts = { runs, rightCases, cases } as Record<'runs' | 'rightCases' | 'cases', number>;
    return [{ id, last: { time, language, passed: passed === true, ...counts } }];
  });
}

/** What a page in a frame says by SPLICE, as the page around it hears it. */
export interface SpliceAnswers {
  /** Resolves once it is known what was kept. */
  state(): Promise<Opened | undefined>;
  report(report: Report): boolean | Promise<boolean>;
}

/**
 * The page around: answers the page in one frame, and nobody else.
 * @param frame the frame's window
 * @param origin the origin of the frame's page
 */
export function answerSplice(
  here: Ear,
  frame: () => unknown,
  origin: string,
  answers: SpliceAnswers,
): void {
  here.addEventListener('message', (event: MessageEvent) => {
    const { source, data } = event;
    if (source === null || source !== frame() || event.origin !== origin || !isObject(data)) return;
    const { subject, message_id } = data;
    const answer = (fields: object): void =>
      (source as unknown as Mouth).postMessage(
        { subject: `${String(subject)}.response`, message_id, ...fields },
        origin,
      );
    if (subject === 'SPLICE.getState') {
      void answers.state().then((opened) => {
        if (!opened) return;
        const { state, review } = opened;
        answer({ state: { attentionLabs: state }, review });
      });
    } else if (subject === 'SPLICE.reportScoreAndState') {
      const { score, state } = data;
      const { complete, place, exercises } = isObject(state)
        ? state
        : ({} as Record<string, unknown>);
      const isScore = typeof score === 'number' && score >= 0 && score <= 1;
      void Promise.resolve(
        answers.report({
          state: textOf(state),
          score: isScore ? score : null,
          complete: complete === true,
          ...(typeof place === 'string' && { place }),
          exercises: exercisesOf(exercises),
        }),
      ).then((taken) => answer(taken ? {} : { error: 'not taken' }));
    }
  });
}
