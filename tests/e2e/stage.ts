/**
 * What a try, a prediction or a knob changes is on the screen with it: measures rectangles on every prediction, every try
 * and every knob of a lab.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { answer } from './through';

/** A picture is on the screen when this share of it is, or its whole width and this many pixels of its height. */
const SHARE = 0.6;
const HEIGHT = 200;

interface Seen {
  /** The control's own rectangle is inside the window and nothing lies over its middle. */
  readonly control: boolean;
  /** The share of the picture that is seen, and its rectangle that is seen. */
  readonly share: number;
  readonly width: number;
  readonly height: number;
  readonly whole: readonly [width: number, height: number];
}

/**
 * Runs in the page: what of the picture of a figure, and of the control, is seen. Scrolled boxes and what is pinned
 * above count.
 */
function seenOf(element: Element, id: string): Seen {
  const root = document.querySelector(`[id="${id}"]`)?.closest('.stage');
  const inWindow = (rect: DOMRect, within: Element | null): DOMRect => {
    let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom];
    const cut = (box: { left: number; top: number; right: number; bottom: number }): void => {
      left = Math.max(left, box.left);
      top = Math.max(top, box.top);
      right = Math.min(right, box.right);
      bottom = Math.min(bottom, box.bottom);
    };
    cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    for (let box = within; box; box = box.parentElement) {
      if (!/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowY)) continue;
      if (box !== document.documentElement && box !== document.body) {
        cut(box.getBoundingClientRect());
      }
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  // What is drawn: a heatmap's picture, a chart, a table, whichever comes first.
  const drawn = [
    ...(root?.querySelectorAll<HTMLElement>(
      'attn-heatmap, attn-line-chart, .kt-picture, .blocks, .bars, .table-scroll, .scroll, svg, table, .run',
    ) ?? []),
  ].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('button, .trying'),
  );
  // Of a strip of pictures, the first that is in view: a try moves the strip to what it changes.
  const inStrip = (found: Element): boolean => {
    const strip = found.closest('.sg-stages')?.getBoundingClientRect();
    return !strip || found.getBoundingClientRect().left > strip.left - 1;
  };
  const first = drawn.find((found) => !found.matches('.run, .run *') && inStrip(found)) ?? drawn[0];
  // Heatmaps of a grid may stand in another order than in the document; the highest is the first that is seen.
  const grid = first?.matches('attn-heatmap') && !first.closest('.sg-stages');
  const top = (found: Element): number => Math.round(found.getBoundingClientRect().top);
  const one = grid
    ? drawn
        .filter(
          (found) => found.matches('attn-heatmap') && found.parentElement === first.parentElement,
        )
        .reduce((high, found) => (top(found) < top(high) ? found : high), first)
    : first;
  const frame = one?.shadowRoot?.querySelector<HTMLElement>('.frame') ?? one;
  const picture = frame?.getBoundingClientRect() ?? new DOMRect();
  const seen = inWindow(picture, one ?? null);
  const own = element.getBoundingClientRect();
  const ownSeen = inWindow(own, element);
  const middle = [ownSeen.x + ownSeen.width / 2, ownSeen.y + ownSeen.height / 2] as const;
  const at = document.elementFromPoint(...middle);
  return {
    control:
      ownSeen.width * ownSeen.height > 0.9 * own.width * own.height &&
      at !== null &&
      (element.contains(at) || at.contains(element)),
    share: (seen.width * seen.height) / (picture.width * picture.height || 1),
    width: seen.width,
    height: seen.height,
    whole: [picture.width, picture.height] as const,
  };
}

const isSeen = ({ control, share, width, height, whole }: Seen): boolean =>
  control &&
  width > 0 &&
  (share >= SHARE || (width >= whole[0] - 1 && height >= Math.min(HEIGHT, whole[1] - 1)));

/**
 * Runs in the page: brings the control to where a reader has it, into its figure, and that, or the text around it, into
 * the window.
 */
function bring(element: Element): Promise<void> {
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  // A pinned figure is read while it is pinned.
  const pinned = element.closest('.scene.staged > .lab-figure');
  const box = pinned?.getClientRects()[0] ?? element.getBoundingClientRect();
  const split = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const above = Math.min(split, innerHeight * 0.6);
  scrollBy({ top: box.top + box.height / 2 - (above + innerHeight) / 2, behavior: 'instant' });
  // What scrolls, grows or loads with it has come to rest when it stays for three frames.
  return new Promise<void>((done) => {
    let [last, still] = ['', 0];
    const look = (): void => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const now = `${[scrollY, left, top, width, height]}`;
      still = now === last ? still + 1 : 0;
      last = now;
      if (still === 2) done();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Runs in the page: resolves with the first frame in which something is true. */
function until(what: string, isTrue: () => boolean): Promise<void> {
  const latest = performance.now() + 30_000;
  return new Promise((done, fail) => {
    const look = (now: number): void => {
      if (isTrue()) done();
      else if (now > latest) fail(new Error(`waited 30 s for ${what}`));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Where the page and a control in it are. */
type Whereabouts = readonly [scrolled: number, top: number];

interface Tried {
  readonly name: string;
  readonly seen: Seen;
  readonly before: Whereabouts;
  readonly after: Whereabouts;
}

/** Runs in the page: presses a try where a reader has it. */
async function pressTry(button: HTMLElement, id: string): Promise<Tried> {
  const { bring, seenOf, until } = globalThis as Tools;
  const whereabouts = (): Whereabouts => [scrollY, button.getBoundingClientRect().top];
  await bring(button);
  const before = whereabouts();
  button.click();
  await until('a pressed try', () => button.ariaPressed === 'true');
  // The figure is asked anew in the next frame.
  let frames = 0;
  await until(
    'a picture',
    () => frames++ > 0 && !document.querySelector(`[id="${id}"] [aria-busy="true"]`),
  );
  const name = button.textContent?.trim() ?? '';
  return { name, seen: seenOf(button, id), before, after: whereabouts() };
}

/** Runs in the page: looks at every knob where a reader has it. */
async function lookAtKnobs(): Promise<[what: string, seen: Seen][]> {
  const { bring, seenOf } = globalThis as Tools;
  const looks: [what: string, seen: Seen][] = [];
  for (const knob of document.querySelectorAll<HTMLElement>('.knobs [data-knob]')) {
    const { width, height } = knob.getBoundingClientRect();
    if (width * height === 0 || !knob.checkVisibility({ visibilityProperty: true })) continue;
    await bring(knob);
    // An experiment that was not run has no picture yet, but a button to run it.
    const id = knob.closest('.bench')?.querySelector('figure')?.id ?? '';
    looks.push([`knob ${id}.${knob.dataset.knob}`, seenOf(knob, id)]);
  }
  return looks;
}

const tools = { bring, seenOf, until, pressTry, lookAtKnobs };
type Tools = typeof globalThis & typeof tools;

/**
 * Puts what runs in the page into every page, so that one call does much: asking the browser is what takes time here.
 */
export const withTools = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(
    Object.entries(tools)
      .map(([name, tool]) => `globalThis.${name} = ${tool};`)
      .join('\n'),
  );

const comeTo = (control: Locator): Promise<void> => control.evaluate(bring);
const look = (control: Locator, figure: string): Promise<Seen> => control.evaluate(seenOf, figure);

const drawn = async (page: Page, figure: string): Promise<void> => {
  await expect
    .poll(() => page.locator(`[id="${figure}"] [aria-busy="true"]`).count(), { timeout: 30_000 })
    .toBe(0);
};

/** Resolves once the control and the page have not moved for 200 ms. */
const stands = (control: Locator): Promise<void> =>
  control.evaluate(
    (one) =>
      new Promise<void>((done) => {
        let [last, since] = ['', 0];
        const look = (now: number): void => {
          const at = `${[scrollY, one.getBoundingClientRect().top]}`;
          if (at !== last) [last, since] = [at, now];
          if (now - since > 200) done();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );

const fold = (page: Page, open: boolean): Promise<void> =>
  page.evaluate((wanted) => {
    for (const more of document.querySelectorAll<HTMLElement>(
      `.more-knobs[aria-expanded="${!wanted}"]`,
    ))
      more.click();
  }, open);

/** Gives the reader's knobs back where a try is still on. */
async function leaveTries(page: Page): Promise<void> {
  const on = page.locator('.tries button[aria-pressed="true"]');
  while ((await on.count()) > 0) {
    const before = await on.count();
    await on.first().click();
    await expect.poll(() => on.count()).toBeLessThan(before);
  }
}

/** Looks at every prediction, every try and every knob of a lab, and returns those whose picture is not seen. No try is on after it. */
export async function missedIn(page: Page, width: number): Promise<string[]> {
  const missed: string[] = [];
  const note = (what: string, seen: Seen): void => {
    if (!isSeen(seen)) missed.push(`${what}: ${JSON.stringify(seen)}`);
  };
  const scenes = page.locator('.scene');
  for (let i = 0; i < (await scenes.count()); i++) {
    const scene = scenes.nth(i);
    const predictions = scene.locator('attn-prediction');
    for (let k = 0; k < (await predictions.count()); k++) {
      const question = predictions.nth(k);
      await comeTo(question);
      // It stays answered when the window changes.
      await answer(question);
      const place = scene.locator('attn-load-when-near[data-figure]').first();
      if ((await place.count()) === 0) continue;
      const id = (await place.getAttribute('data-figure')) ?? '';
      if ((await place.locator('.run').count()) > 0) continue;
      await expect
        .poll(() => scene.locator('figure figcaption').count(), { timeout: 30_000 })
        .toBeGreaterThan(0);
      await drawn(page, id);
      await comeTo(question.locator('.answers'));
      note(
        `prediction ${await question.locator('h3').first().textContent()}`,
        await look(question.locator('.answers'), id),
      );
    }
    const tries = scene.locator('.tries button');
    const figure = scene.locator('figure').first();
    for (let k = 0; k < (await tries.count()); k++) {
      const button = tries.nth(k);
      if (k === 0) {
        await comeTo(button);
        await expect.poll(() => figure.count(), { timeout: 30_000 }).toBe(1);
        await comeTo(button);
        // What was still loading when the reader came has come when nothing moves.
        await stands(button);
      }
      const id = (await figure.getAttribute('id')) ?? '';
      const { name, seen, before, after } = await button.evaluate(
        (one, id) => (globalThis as Tools).pressTry(one as HTMLElement, id),
        id,
      );
      note(`try ${name}`, seen);
      // Where a knob above the text grows by a line, the browser scrolls by as much, and what is read stays.
      const [still, at] = [0, 1].map((i) => Math.abs((after[i] ?? 0) - (before[i] ?? 0)));
      if ((at ?? 0) > 1 || (width > 1100 && still !== 0))
        missed.push(`try ${k} in scene ${i} moves the page: ${before} to ${after}`);
    }
  }
  // Figures that no question and no try led to are loaded first: knobs that come while others are counted would take
  // their numbers.
  const places = page.locator('attn-load-when-near[data-figure]');
  for (let i = 0; i < (await places.count()); i++) {
    if ((await places.nth(i).locator('figure').count()) > 0) continue;
    await comeTo(places.nth(i));
    await expect
      .poll(() => places.nth(i).locator('figure').count(), { timeout: 30_000 })
      .toBeGreaterThan(0);
  }
  // Every knob, those of the opening and those that were folded too.
  await fold(page, true);
  const looks = await page.evaluate(() => (globalThis as Tools).lookAtKnobs());
  for (const [what, seen] of looks) note(what, seen);
  await fold(page, false);
  await leaveTries(page);
  return missed;
}
