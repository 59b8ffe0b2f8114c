/** Brings the outline in the page's markup to life: it marks where the reader is and which steps are done. */
import { html, nothing, render } from 'lit';
import { theRecords } from '../questions/answer-records.ts';
import { shellWords } from '../words/index.ts';
import type { OpenLab } from './open-lab.ts';
import { type Standing, standingOf, stepsDone } from './step-progress.ts';

const MARKS: Readonly<Record<Standing, string>> = {
  new: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11',
  seen: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 2.5v11',
  done: 'M2.5 8.5l4 4l7-9',
};

/**
 * A step counts as read when its end stayed on the screen for this long. Who scrolls past it, or stops for a moment to
 * look where they are, has not read it.
 */
const READ_MS = 5000;

export function enhanceOutline(nav: HTMLElement, { lab, store, tools }: OpenLab): void {
  const words = shellWords.now.outline;
  const records = theRecords();
  const steps = lab.steps.filter(({ id }) => !store.hides(id));
  const links = new Map(
    [...nav.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  const list = nav.querySelector('ol');
  if (!list) return;
  list.id = 'outline-list';

  // On a small screen the outline is a bar that opens.
  const toggle = document.createElement('button');
  toggle.type = 'button';
  toggle.className = 'outline-toggle';
  toggle.setAttribute('aria-controls', list.id);
  const setOpen = (open: boolean): void => {
    nav.classList.toggle('open', open);
    toggle.setAttribute('aria-expanded', String(open));
  };
  setOpen(false);
  toggle.addEventListener('click', () => setOpen(!nav.classList.contains('open')));
  nav.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !nav.classList.contains('open')) return;
    setOpen(false);
    toggle.focus();
  });
  list.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) setOpen(false);
  });
  addEventListener('click', (event) => {
    if (event.target instanceof Node && !nav.contains(event.target)) setOpen(false);
  });
  list.before(toggle);
  const total = document.createElement('p');
  total.className = 'fine outline-total';
  nav.append(total);
  const marks = new Map(
    steps.map(({ id }) => {
      const mark = document.createElement('span');
      mark.className = 'mark';
      links.get(id)?.append(mark);
      return [id, mark];
    }),
  );

  let current = '';
  const draw = (): void => {
    const record = records.get(lab.id);
    for (const step of steps) {
      const standing = standingOf(step, record);
      const mark = marks.get(step.id);
      if (!mark) continue;
      render(
        html`<svg class=${standing} viewBox="0 0 16 16" aria-hidden="true">
            <path d=${MARKS[standing]} />
          </svg>
          ${standing === 'new' ? nothing : html`<span class="visually-hidden">(${words.state[standing]})</span>`}`,
        mark,
      );
    }
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
    }
    const done = stepsDone(steps, record);
    const far = words.progress(done, steps.length);
    total.textContent = records.problem ? `${far}. ${shellWords.now.notKept.outline}` : far;
    const at = steps.findIndex(({ id }) => id === current);
    const link = links.get(current);
    const name = [...(link?.childNodes ?? [])]
      .filter((node) => !(node instanceof Element && node.className === 'mark'))
      .map((node) => node.textContent)
      .join('')
      .trim();
    render(
      html`<span>${at < 0 ? words.open : words.here(at + 1, steps.length)}</span
        ><span class="here" lang=${at < 0 ? nothing : (tools.lang ?? nothing)}>${name}</span
        ><span class="share" aria-hidden="true">${done}/${steps.length}</span>`,
      toggle,
    );
  };
  records.listen((changed) => {
    if (changed === lab.id) draw();
  });
  draw();

  // The step that a line in the upper part of the window crosses.
  const under = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) current = target.id;
        else if (current === target.id) current = '';
      }
      draw();
    },
    { rootMargin: '-30% 0px -69% 0px' },
  );
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const ends = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      if (!isIntersecting) continue;
      const id = target.closest('section.step')?.id ?? '';
      const read = (): void => {
        // A page in another tab is not read.
        if (document.hidden) timers.set(target, setTimeout(read, READ_MS));
        else records.seen(lab.id, id);
      };
      timers.set(target, setTimeout(read, READ_MS));
    }
  });
  for (const section of document.querySelectorAll('attn-lab > section')) under.observe(section);
  for (const end of document.querySelectorAll('attn-lab .step-end')) ends.observe(end);
}
