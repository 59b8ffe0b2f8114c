/**
 * A lab within a course site: what the site kept is brought back, and what the student does is handed over. Loaded only in
 * a frame, or in a window that another one opened.
 */
import { theProgress } from '../../components/exercise/page-work.ts';
import type { Work } from '../../exercises/kept-work.ts';
import { exercisesIn } from '../../lab/page/step-progress.ts';
import { isBlank, mergedRecords, theRecords } from '../../lab/questions/answer-records.ts';
import type { Lab } from '../../lab/types';
import { language } from '../../strings/language.ts';
import { Bridge } from './bridge.ts';
import { words } from './course-site-words.ts';
import type { Host, Opened } from './host.ts';
import { type KeptWork, newerWorks, packWork, unpackWork } from './kept-state.ts';
import { doneOf, requiredBy } from './required.ts';
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

/** The line that says what was handed over. It has its place as soon as a host is there, so that nothing moves later. */
function sayer(): (text: string, more?: string) => void {
  const line = document.createElement('p');
  line.className = 'fine course-site';
  line.setAttribute('role', 'status');
  document.querySelector('.lab-body')?.before(line);
  return (text, more) => {
    line.textContent = more ? `${text} ${more}` : text;
  };
}

export async function joinCourseSite(id: string, load: () => Promise<{ readonly lab: Lab }>) {
  let say: ReturnType<typeof sayer> = () => undefined;
  let left: readonly Work[] = [];
  let score: number | null = null;
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
  say = sayer();
  say(bridge.phase === 'review' ? words.review : words.working);

  const { lab } = await load();
  const offered = new Set(lab.steps.flatMap(({ blocks }) => exercisesIn(blocks)));
  const required = requiredBy(location.search, lab.steps);
  const [records, progress] = [theRecords(), theProgress()];
  const own = async (): Promise<readonly Work[]> =>
    (await progress.all()).filter(
      ({ exercise, code, runs }) => offered.has(exercise) && (code !== '' || runs > 0),
    );

  const restore = async ({ state }: Opened): Promise<void> => {
    const kept: KeptWork | undefined = await unpackWork(state);
    if (state !== '' && !kept) say(words.unreadable);
    const here = await records.open(id);
    const record = kept?.labs.find((one) => one.lab === id);
    if (record && !isBlank(record)) await records.restore([[id, mergedRecords(here, record)]]);
    const works = newerWorks(
      (kept?.works ?? []).filter(({ exercise }) => offered.has(exercise)),
      await own(),
    );
    if (works.length > 0) await progress.replace(works);
  };
  await restore(opened);

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
    const packed = await packWork({ labs: isBlank(record) ? [] : [record], works }, bridge.room);
    if (turn !== asked) return;
    left = packed.left;
    const done = doneOf(required, lab.steps, record, works);
    score = done.score;
    const [place] = Object.entries(record.seen).sort(([, a], [, b]) => (a < b ? 1 : -1))[0] ?? [];
    const now = urgent;
    urgent = false;
    bridge.tell({ state: packed.text, ...done, ...(place !== undefined && { place }) }, now);
  };
  const atOnce = (): void => {
    urgent = true;
    void tell();
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
