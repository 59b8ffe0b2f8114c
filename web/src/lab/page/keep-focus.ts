/** Keeps the focus of the keyboard where the reader sees it, while a page grows. */

import { windowBottom } from '../../embed/window.ts';

/** What has the focus, also within shadow trees. */
function focused(): Element | undefined {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one && one !== document.body ? one : undefined;
}

/** The signs that the reader looks elsewhere than at what has the focus; of keys, all but Tab. */
const LOOKS_ELSEWHERE = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Where something lies in the document, and whether some of it is in the window. */
function placeOf(one: Element): { top: number; inWindow: boolean } {
  const { top, bottom } = one.getBoundingClientRect();
  return { top: top + scrollY, inWindow: bottom > 0 && top < windowBottom() };
}

/**
 * Brings what the keyboard has focused back into the window when content that loads pushes it out. A reader who
 * scrolled since the focus moved is left alone, also one who dragged the window's scroll bar, of which no page is told.
 * Returns how to end it.
 */
export function keepFocusInView(page: Element): () => void {
  let elsewhere = false;
  const shownWith = (one: Element): Element => one.closest('label') ?? one;
  const bringBack = (): void => {
    const one = focused();
    if (elsewhere || !one || !page.contains(document.activeElement)) return;
    if (!one.matches(':focus-visible')) return;
    const shown = shownWith(one);
    if (!placeOf(shown).inWindow) shown.scrollIntoView({ block: 'nearest' });
    last = placeOf(shown);
  };
  // What is scrolled out of the window keeps its place in the document; what is pushed out does not.
  let last: { top: number; inWindow: boolean } | undefined;
  const scrolled = (): void => {
    const one = focused();
    if (!one) return;
    const now = placeOf(shownWith(one));
    if (last?.inWindow && !now.inWindow && Math.abs(now.top - last.top) < 1) elsewhere = true;
    last = now;
  };
  // A page may keep its height while a figure moves within it, and focus may move within a shadow tree unseen.
  const left = new IntersectionObserver(bringBack);
  const grown = new ResizeObserver(bringBack);
  grown.observe(page);
  const looksElsewhere = (event: Event): void => {
    elsewhere = !(event instanceof KeyboardEvent && event.key === 'Tab');
  };
  const focusMoved = (): void => {
    elsewhere = false;
    left.disconnect();
    const one = focused();
    if (!one) return;
    left.observe(shownWith(one));
    last = placeOf(shownWith(one));
  };
  page.addEventListener('focusin', focusMoved);
  addEventListener('scroll', scrolled, { passive: true });
  for (const sign of LOOKS_ELSEWHERE) {
    addEventListener(sign, looksElsewhere, { capture: true, passive: true });
  }
  return () => {
    left.disconnect();
    grown.disconnect();
    page.removeEventListener('focusin', focusMoved);
    removeEventListener('scroll', scrolled);
    for (const sign of LOOKS_ELSEWHERE) {
      removeEventListener(sign, looksElsewhere, { capture: true });
    }
  };
}
