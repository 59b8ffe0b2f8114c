/**
 * A lab or an exercise within a course site: what the site kept is brought back, and what the student does is handed over. Loaded only in
 * a frame, or in a window that another one opened.
 */
import { theProgress } from '../../components/exercise/page-work.ts';
import type { Work } from '../../exercises/kept-work.ts';
import { exercisesIn } from '../../lab/page/step-progress.ts';
import { isBlank, mergedRecords, theRecords } from '../../lab/questions/answer-records.ts';
import { openRecord } from '../../lab/questions/open-record.ts';
import type { Step } from '../../lab/types';
import { language } from '../../strings/language.ts';
import { adopt } from '../../styles/adopt.ts';
import { cameFromOurs, sentFrom } from '../led-on.ts';
import { obeyLater } from '../obey-later.ts';
import { Bridge } from './bridge.ts';
import { words } from './course-site-words.ts';
import type { Host } from './host.ts';
import { isLater, newerWorks, packWork, unpackWork } from './kept-state.ts';
import { doneOf, requiredBy, runsOf } from './required.ts';
import { findApi, scormHost } from './scorm.ts';
import { spliceHost } from './splice.ts';

/** What is typed is packed when typing rests. */
const PACK_AFTER_MS = 1000;

/**
 * Who may be there. `host=splice` in the link says that the page around speaks for the learning system: a package does
 * that, and its page and this one must not both speak to the same system.
 */
function* hosts(): Generator<Host> {
  if (new URLSearchParams(location.search).get('host') !== 'splice') {
    for (const version of ['1.2', '2004'] as const) {
      const api = findApi(window, version);
      if (api) yield scormHost(api, version);
    }
  }
  if (window.parent !== window) yield spliceHost(window, window.parent);
}

/** As wide as what stands above and below it. */
const CSS =
  '.course-site { box-sizing: border-box; max-width: var(--page); margin: 0.5rem auto 0; padding: 0 var(--margin); }';

/** The line that says what was handed over. It has its place as soon as a host is there, so that nothing moves later. */
function sayer(before: string): (text: string, more?: string) => void {
  adopt(CSS);
  const line = document.createElement('p');
  line.className = 'fine course-site';
  line.setAttribute('role', 'status');
  document.querySelector(before)?.before(line);
  return (text, more) => {
    line.textContent = more ? `${text} ${more}` : text;
  };
}

/** What a page offers: a lab, or one exercise. */
export interface Place {
  /** The id of the lab; that of the exercise with `exercise-` before it. */
  readonly id: string;
  readonly steps: readonly Step[];
}

/** @param before the element of the page before which it says what was handed over */
export async function joinCourseSite(load: () => Promise<Place>, before: string): Promise<void> {
  let say: ReturnType<typeof sayer> = () => undefined;
  let left: readonly Work[] = [];
  let score: number | null = null;
  let handOver = async (): Promise<void> => void theProgress().leave();
  obeyLater(() => handOver());
  const bridge = new Bridge({
    onReport(taken) {
      const [time, share] = [
        new Date().toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }),
        score === null ? undefined : `${Math.round(score * 100)} %`,
      ];
      const names = [...new Set(left.map(({ exercise }) => exercise))].join(', ');
      say(
        taken ? words.handed(time, share) : words.refused,
        names === '' ? undefined : words.left(names),
      );
    },
  });
  // `unload` and its like are forbidden in the frames of Moodle, and end the cache for Back everywhere.
  addEventListener('pagehide', ({ persisted }: PageTransitionEvent) =>
    persisted ? bridge.park() : bridge.finish(),
  );
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') bridge.park();
  });
  const opened = await bridge.start(hosts());
  if (!opened) return;
  const { id, steps } = await load();
  const kept = await unpackWork(opened.state);
  // The frame has one place in the course site, which is that of the page it was opened with.
  const sent = sentFrom();
  if (kept ? kept.page !== id && kept.page !== sent : cameFromOurs() && !sent)
    return bridge.finish();
  say = sayer(before);
  if (isLater(opened.state)) {
    say(words.later);
    return bridge.finish();
  }
  if (bridge.phase === 'review') say(words.review);
  else say(opened.state !== '' && !kept ? words.unreadable : words.working);

  const offered = new Set(steps.flatMap(({ blocks }) => exercisesIn(blocks)));
  const required = requiredBy(location.search, steps);
  const [records, progress] = [theRecords(), theProgress()];
  const own = async (): Promise<readonly Work[]> =>
    (await progress.all()).filter(
      ({ exercise, code, runs }) => offered.has(exercise) && (code !== '' || runs > 0),
    );

  // The answers of steps that have moved, from before they did.
  const formerly = kept?.labs.find(({ lab }) => lab === sent && lab !== id);
  if (sent && formerly && !isBlank(formerly)) {
    await records.restore([[sent, mergedRecords(await records.open(sent), formerly)]]);
  }
  const here = await openRecord(records, { id, steps });
  const answers = kept?.labs.find((one) => one.lab === id);
  if (answers && !isBlank(answers)) await records.restore([[id, mergedRecords(here, answers)]]);
  const newer = newerWorks(
    (kept?.works ?? []).filter(({ exercise }) => offered.has(exercise)),
    await own(),
  );
  if (newer.length > 0) await progress.replace(newer);

  let asked = 0;
  let urgent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Packs what there is now; of several that are under way the last one counts. */
  const tell = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const turn = ++asked;
    const works = await own();
    const record = records.get(id);
    const labs = isBlank(record) ? [] : [record];
    const packed = await packWork({ page: id, labs, works }, bridge.room);
    if (turn !== asked) return;
    left = packed.left;
    const done = doneOf(required, steps, record, works);
    score = done.score;
    const [place] = Object.entries(record.seen).sort(([, a], [, b]) => (a < b ? 1 : -1))[0] ?? [];
    const now = urgent;
    urgent = false;
    bridge.tell(
      {
        ...{ state: packed.text, ...done, exercises: runsOf(required.exercises, works) },
        ...(place !== undefined && { place }),
      },
      now,
    );
  };
  const atOnce = (): void => {
    urgent = true;
    void tell();
  };
  handOver = async () => {
    progress.leave();
    urgent = true;
    await tell();
    bridge.park();
  };
  records.listen((changed) => {
    if (changed === id) atOnce();
  });
  document.addEventListener('attn-graded', atOnce);
  progress.listen({
    onSaved: () => {
      timer ??= setTimeout(() => void tell(), PACK_AFTER_MS);
    },
  });
  // What was done before the site was found, or in this browser without it.
  if (!isBlank(records.get(id)) || (await own()).length > 0) atOnce();
}
