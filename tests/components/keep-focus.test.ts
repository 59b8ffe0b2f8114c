/** What the keyboard has focused stays in the window while the page grows, unless the reader scrolled away from it. */
import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { keepFocusInView } from '../../web/src/lab/page/keep-focus';

let end: (() => void) | undefined;
afterEach(() => {
  end?.();
  document.body.replaceChildren();
  scrollTo(0, 0);
});

/** A page as tall as many windows, with a field in it and room above that can grow. */
function tallPage(): { above: HTMLElement; field: HTMLInputElement } {
  const [page, above, below] = ['main', 'div', 'div'].map((name) => document.createElement(name));
  const field = document.createElement('input');
  if (!page || !above || !below) throw new Error('an element is missing');
  below.setAttribute('style', 'height: 6000px');
  page.append(above, field, below);
  document.body.append(page);
  end = keepFocusInView(page);
  return { above, field };
}

/** Longer than what observers and scroll events take to arrive: that nothing moves the page takes a time to see. */
const settled = () => new Promise((done) => setTimeout(done, 300));
const isInWindow = (one: Element): boolean => {
  const { top, bottom } = one.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

it('brings a focused field back that content above has pushed out', async () => {
  const { above, field } = tallPage();
  await userEvent.click(field);
  await settled();
  above.setAttribute('style', 'height: 3000px');
  // It is in the window until the page has grown, too.
  await expect.poll(() => scrollY).toBeGreaterThan(2000);
  expect(isInWindow(field)).toBe(true);
});

it('leaves a reader alone who dragged the scroll bar, also when the page grows afterwards', async () => {
  const { above, field } = tallPage();
  await userEvent.click(field);
  await settled();
  // As the scroll bar does, this scrolls without any event of a pointer or a wheel.
  scrollTo(0, 2500);
  await settled();
  expect(scrollY).toBe(2500);
  above.setAttribute('style', 'height: 500px');
  await settled();
  expect(isInWindow(field)).toBe(false);
});
