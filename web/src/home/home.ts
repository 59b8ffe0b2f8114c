/** The course map is markup (web/plugins/course-map.ts); this adds how far the reader is. */
import { labs } from 'virtual:labs';
import './home.css';
import '../components/language-switch/language-switch.ts';
import '../components/theme-switch/theme-switch.ts';
import { tellHeight } from '../embed/tell-height.ts';
import { Progress } from '../exercises/kept-work.ts';
import { theRecords } from '../lab/answer-records.ts';
import { langOf, language, orEnglish } from '../strings/language.ts';
import { type LabStanding, labStanding, type MapLab, nextLab } from './course-progress.ts';
import { homeWords } from './words.ts';

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

/** Where to go on: the lab's first step that is not done. */
function way(lab: MapLab, { steps, begun }: LabStanding): HTMLElement {
  const link = element('a', 'way', words.begin);
  const address = `./labs/${lab.id}/index.html`;
  link.href = address;
  const step = lab.steps[steps.findIndex((standing) => standing !== 'done')];
  if (begun && step) {
    const [before = '', after = ''] = words.goOn('\n').split('\n');
    const title = element('span', '', orEnglish(step.title));
    title.lang = langOf(step.title) ?? language;
    link.replaceChildren(before, title, after);
    link.href = `${address}#${step.id}`;
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

let queue = Promise.resolve();

async function refresh(): Promise<void> {
  const works = await progress.all();
  const passed = new Set(works.filter((work) => work.firstPassed).map((work) => work.exercise));
  const standings: LabStanding[] = [];
  for (const lab of labs) standings.push(labStanding(lab, await records.open(lab.id), passed));
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
tellHeight();
