/**
 * Keeps the reader's place: which part of the page stands where in the window. Steps and figures come late and change
 * the length of the page, so the place is an element and its distance from the top of the window, not a number of
 * pixels. It is kept in the entry of the history, for Reload and Back, and by lab in this browser, for the next visit.
 */

import { scrollsItself, windowBottom } from '../../embed/window.ts';
import { journal } from '../../state/journal.ts';
import { heightOfEntry, KEY, type Place, placeOfEntry } from './kept-place.ts';

/** The place is noted this long after the page began to move: browsers limit how often the history may change. */
const NOTE_MS = 700;
/** What comes late may move the page for this long, unless the reader moves it first. */
const SETTLE_MS = 8000;
/** The share of the window above which a part no longer counts as read. */
const LINE = 0.3;

export const forgetPlace = (lab: string): void => journal.remove(KEY + lab);

function elementOf({ step, part: [scene, element] }: Place): Element | undefined {
  const section = document.getElementById(step);
  const found =
    scene < 0
      ? section?.children[element]
      : section?.querySelectorAll(':scope > .scene')[scene]?.children[element];
  return found ?? section ?? undefined;
}

/** A pinned figure stays where it is while the text moves, so it tells no place; its scene does. */
const pinned = (element: Element): boolean =>
  element.matches('.lab-figure, .split-handle') || element.getClientRects().length === 0;

/** Where the reader is; undefined at the opening. */
export function currentPlace(): Place | undefined {
  const line = windowBottom() * LINE;
  for (const section of document.querySelectorAll('attn-lab > section')) {
    const { top, bottom } = section.getBoundingClientRect();
    if (bottom <= line) continue;
    if (top > line) return undefined;
    const scenes = [...section.querySelectorAll(':scope > .scene')];
    const parts: [Element, Place['part']][] = [
      ...(section.firstElementChild
        ? [[section.firstElementChild, [-1, 0]] as [Element, Place['part']]]
        : []),
      ...scenes.flatMap((scene, i) =>
        [...scene.children].map((element, k) => [element, [i, k]] as [Element, Place['part']]),
      ),
    ];
    const last = parts.findLast(
      ([element]) => !pinned(element) && element.getBoundingClientRect().top <= line,
    );
    if (!last) return undefined;
    const [element, part] = last;
    return { step: section.id, part, top: Math.round(element.getBoundingClientRect().top) };
  }
  return undefined;
}

const SIGNS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Calls `act` when the reader moves the page, or presses something there. Returns how to stop. */
export function untilMoved(act: () => void): () => void {
  for (const sign of SIGNS) addEventListener(sign, act, { capture: true, passive: true });
  return () => {
    for (const sign of SIGNS) removeEventListener(sign, act, { capture: true });
  };
}

/** Holds an element at its place in the window while the page settles, until the reader moves. */
export function hold(
  find: () => { readonly element: Element; readonly top: number } | undefined,
): void {
  const end = performance.now() + SETTLE_MS;
  let over = false;
  // The browser would hold a paragraph below what comes late, and move the window as if someone had scrolled.
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  const stop = (): void => {
    if (!over) style.overflowAnchor = '';
    over = true;
    unheard();
  };
  const unheard = untilMoved(stop);
  let before: { readonly at: number; readonly y: number } | undefined;
  const step = (now: number): void => {
    if (over) return;
    const held = find();
    if (held) {
      const { top } = held.element.getBoundingClientRect();
      const { scrollY: y } = window;
      // The window moved and the page did not: someone scrolled in a way that no event tells, as a screen reader does.
      if (before && Math.abs(y - before.y) >= 1 && Math.abs(top + y - before.at) < 1) {
        stop();
        return;
      }
      if (Math.abs(top - held.top) >= 1) scrollBy({ top: top - held.top, behavior: 'instant' });
      before = { at: top + y, y: window.scrollY };
    }
    if (now < end) requestAnimationFrame(step);
    else stop();
  };
  requestAnimationFrame(step);
}

/** Returns to a place. */
export const returnTo = (place: Place): void =>
  hold(() => {
    const element = elementOf(place);
    return element && { element, top: place.top };
  });

/** Notes the reader's place from now on. Returns how to stop. */
export function keepPlace(lab: string): () => void {
  // The browser would restore pixels, before what comes late is there.
  history.scrollRestoration = 'manual';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let { hash } = location;
  const note = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // In an iframe as tall as its page it is the page around that scrolls.
    if (!scrollsItself()) return;
    const place = currentPlace();
    history.replaceState({ ...history.state, place, y: Math.round(scrollY) }, '');
    // Without storage the place lasts as long as the tab.
    if (place) journal.set(KEY + lab, JSON.stringify(place));
  };
  // What comes late may move a page for seconds, so the place is noted meanwhile too, and not only once it rests.
  const onScroll = (): void => {
    timer ??= setTimeout(note, NOTE_MS);
  };
  // A link to a step makes a new entry; the old one keeps the place that is left.
  const onClick = ({ target }: Event): void => {
    if (target instanceof Element && target.closest('a[href^="#"]')) note();
  };
  const onPop = (): void => {
    // Back also undoes a knob, which moves nothing.
    if (location.hash === hash) return;
    ({ hash } = location);
    const place = placeOfEntry();
    if (place) returnTo(place);
    else scrollTo({ top: heightOfEntry(), behavior: 'instant' });
  };
  const onHash = (): void => {
    ({ hash } = location);
  };
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('pagehide', note);
  addEventListener('click', onClick, { capture: true });
  addEventListener('popstate', onPop);
  addEventListener('hashchange', onHash);
  return () => {
    clearTimeout(timer);
    removeEventListener('scroll', onScroll);
    removeEventListener('pagehide', note);
    removeEventListener('click', onClick, { capture: true });
    removeEventListener('popstate', onPop);
    removeEventListener('hashchange', onHash);
  };
}
