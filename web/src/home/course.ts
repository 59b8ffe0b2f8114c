/**
 * The course map is markup (web/plugins/course-map.ts). This adds how far the reader is, the small pictures, and the
 * typed sentence to the links. It is loaded with the visitor's first move.
 */
import { labs } from 'virtual:labs';
import { Progress } from '../exercises/kept-work.ts';
import { theRecords } from '../lab/questions/answer-records.ts';
import { openRecord } from '../lab/questions/open-record.ts';
import { langOf, language, orEnglish } from '../strings/language.ts';
import { type LabStanding, labStanding, type MapLab, nextLab } from './course-progress.ts';
import { drawThumbnails } from './thumbnails.ts';
import { homeWords } from './words.ts';

/** A sentence that is being typed is not drawn letter by letter. */
const REDRAW_MS = 600;

const words = homeWords[language];
const records = theRecords();
const progress = new Progress();

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** One mark for each step: open, seen or done. The words beside the marks say the same. */
function marks({ steps }: LabStanding): HTMLElement {
  const row = element('span', 'marks');
  row.setAttribute('aria-hidden', 'true');
  row.append(...steps.map((step) => element('i', step)));
  return row;
}

/** The sentence that the visitor typed; empty while it is the page's own one. */
let typed = '';
const thumbnails = drawThumbnails(() => typed || words.sentence);

/** The address of a lab, with the sentence where its opening takes one. */
function addressOf({ id, takesText }: MapLab, step = ''): string {
  const search = typed && takesText ? `?${new URLSearchParams({ [takesText]: typed })}` : '';
  return `./labs/${id}/index.html${search}${step && `#${step}`}`;
}

/** Where to go on: the lab's first step that is not done. */
function way(lab: MapLab, { steps, begun }: LabStanding): HTMLElement {
  const link = element('a', 'way', words.begin);
  link.href = addressOf(lab);
  const step = lab.steps[steps.findIndex((standing) => standing !== 'done')];
  if (begun && step) {
    const [before = '', after = ''] = words.goOn('\n').split('\n');
    const title = element('span', '', orEnglish(step.title));
    title.lang = langOf(step.title) ?? language;
    link.replaceChildren(before, title, after);
    link.href = addressOf(lab, step.id);
  }
  return link;
}

function show(lab: MapLab, standing: LabStanding, isNext: boolean): void {
  const item = document.getElementById(lab.id);
  const place = item?.querySelector<HTMLElement>('.standing');
  if (!item || !place) return;
  item.classList.toggle('next', isNext);
  item.classList.toggle('done', standing.done === standing.steps.length);
  const parts: HTMLElement[] = [];
  if (standing.begun) {
    const said = [words.stepsDone(standing.done, standing.steps.length)];
    if (lab.exercises.length > 0) said.push(words.passed(standing.passed, lab.exercises.length));
    const line = element('p', 'far', `${said.join(', ')}.`);
    line.prepend(marks(standing));
    parts.push(line);
  }
  if (isNext) parts.push(way(lab, standing));
  place.replaceChildren(...parts);
  place.hidden = parts.length === 0;
}

const figure = document.querySelector('attn-home-figure');
let redraw: ReturnType<typeof setTimeout> | undefined;

/** The links to labs take the sentence along, and their pictures are drawn of it once it rests. */
function takeAlong(sentence: string): void {
  if (sentence === typed) return;
  typed = sentence;
  for (const lab of labs) {
    const title = document.getElementById(lab.id)?.querySelector<HTMLAnchorElement>('h4 a');
    if (title) title.href = addressOf(lab);
  }
  again();
  clearTimeout(redraw);
  redraw = setTimeout(thumbnails, REDRAW_MS);
}
figure?.addEventListener('attn-sentence', ({ detail }) => takeAlong(detail));

let queue = Promise.resolve();

async function refresh(): Promise<void> {
  const works = await progress.all();
  const passed = new Set(works.filter((work) => work.firstPassed).map((work) => work.exercise));
  const standings: LabStanding[] = [];
  for (const lab of labs) standings.push(labStanding(lab, await openRecord(records, lab), passed));
  const next = nextLab(labs, standings);
  labs.forEach((lab, i) => {
    const standing = standings[i];
    if (standing) show(lab, standing, lab === next);
  });
  const kept = document.querySelector('.kept');
  if (!kept) return;
  const anything = standings.some(({ begun }) => begun);
  const all = labs.length > 0 && !next ? [words.allDone] : [];
  kept.textContent = [...all, ...(anything ? [words.kept] : [])].join(' ');
}

/** Updates run one after the other, so that an older state is never shown last. */
const again = (): void => {
  queue = queue.then(refresh);
};
records.listen(again);
progress.listen({ onSaved: again, onReplaced: again });
// The reader may have come back from a lab, in this tab or another.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) again();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') again();
});
again();
takeAlong(figure?.typed ?? '');
