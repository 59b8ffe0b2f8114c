/** Goes through a page from its first view to its last line, as a reader does who answers every question. */
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const isLab = async (page: Page): Promise<boolean> => (await page.locator('attn-lab').count()) > 0;

/** Moves the mouse. The first event of a page has no length yet, as that of a page that appears under a pointer. */
export async function moveMouse(page: Page): Promise<void> {
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
}

/** Makes the first move of a visitor, which loads everything below a lab's opening. */
export async function arrive(page: Page): Promise<void> {
  await moveMouse(page);
  // The steps of a lab are added one after the other; this is the last one.
  if (await isLab(page)) {
    await expect
      .poll(() => page.locator('attn-lab > #summary').count(), { timeout: 60_000 })
      .toBe(1);
  }
}

/** So long may one part of a page take to load on a busy machine. */
export const PATIENCE_MS = 30_000;

/**
 * All figures of a lab that begin at once compute for 18 s on two cores that do nothing else, and a browser of a test
 * shares them with two others.
 */
export const FIGURES_PATIENCE_MS = 200_000;

/** Waits until every figure of a page has drawn; otherwise says which have not. */
export async function figuresRest(page: Page | Frame): Promise<void> {
  // Asked from here: a frame that is out of sight has no animation frames, in which `waitForFunction` asks.
  const busy = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('[aria-busy="true"], [data-at-work]')].map((one) => {
        const figure = one.closest<HTMLElement>('[data-figure]');
        return `${figure?.dataset.figure ?? 'opening'}: ${one.localName}`;
      }),
    );
  await expect.poll(busy, { timeout: FIGURES_PATIENCE_MS, interval: 200 }).toEqual([]);
}

/** Waits until a second passes in which a page around is told nothing; `told` says what it was told until now. */
export async function isSilent(page: Page, told: () => Promise<unknown>): Promise<void> {
  const stays = async (): Promise<boolean> => {
    const before = await told();
    await page.waitForTimeout(1000);
    return `${await told()}` === `${before}`;
  };
  await expect.poll(stays, { timeout: 30_000 }).toBe(true);
}

/** Runs in the page, because asking for each view from outside takes longer than the view does. Says what does not come. */
async function loadAll(patience: number): Promise<string> {
  const next = (): HTMLElement | null =>
    document.querySelector('attn-load-when-near:has(> .loading-near)');
  for (let place = next(); place; place = next()) {
    const end = performance.now() + patience;
    while (place.isConnected && place.querySelector(':scope > .loading-near')) {
      if (performance.now() > end) {
        const { figure, view } = place.dataset;
        return `${place.closest('[id]')?.id}: ${figure ?? view ?? 'a part without a name'}`;
      }
      // What loads above it moves it, and a page that was opened at an anchor returns there while it grows.
      const { top, bottom } = place.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight)
        place.scrollIntoView({ behavior: 'instant', block: 'center' });
      await new Promise(requestAnimationFrame);
    }
  }
  return '';
}

/** Scrolls through the page until everything that loads near the window has loaded and drawn. */
export async function readThrough(page: Page): Promise<void> {
  // The check fails if the element is ever renamed; otherwise the test would wait for nothing. A step is there a moment
  // before what stands in it.
  if (await isLab(page)) {
    await expect.poll(() => page.locator('attn-load-when-near').count()).toBeGreaterThan(0);
  }
  expect(await page.evaluate(loadAll, PATIENCE_MS), 'does not come').toBe('');
  await figuresRest(page);
}

/**
 * Scrolls to a figure below the opening of a lab, which loads it, and returns its place once it has drawn: a result,
 * or the button that starts its run.
 */
export async function figureAt(page: Page, id: string): Promise<Locator> {
  await arrive(page);
  const place = page.locator(`[data-figure="${id}"]`);
  // A page that was opened at a link's anchor returns there while it grows.
  await expect
    .poll(
      async () => {
        // In a narrow window the place of a figure that has loaded has no box of its own.
        await place.locator('.loading-near, figure').first().scrollIntoViewIfNeeded();
        return place.locator('figure:not(:has([aria-busy="true"]))').count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  return place;
}

/** Commits to an answer in a prediction, unless it has one, and waits for the result that is computed then. */
export async function answer(question: Locator): Promise<void> {
  const truth = question.locator('.truth');
  if ((await truth.count()) > 0) return;
  await question.scrollIntoViewIfNeeded();
  const radio = question.getByRole('radio').first();
  if ((await radio.count()) > 0) await radio.check();
  // Of a curve the first bar draws all of it.
  else await question.getByRole('slider').first().press('ArrowRight');
  await question.locator('button[type=submit]').click();
  await expect.poll(() => truth.count(), { timeout: 60_000 }).toBe(1);
}

/** Commits to an answer in every prediction. */
export async function answerAll(page: Page): Promise<void> {
  const questions = page.locator('attn-prediction');
  for (let i = 0; i < (await questions.count()); i++) await answer(questions.nth(i));
}

/** Pastes a text into a field from the clipboard, as a visitor does: a script's own insertion has fewer events. */
export async function paste(field: Locator, text: string): Promise<void> {
  const page = field.page();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field.press('ControlOrMeta+V');
}

/** Waits until the page has shown what it was told to: a frame is drawn, and the next one begins. */
export const frames = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Waits until as much is kept in the browser below keys that begin so: the values, or the rows of a run. */
export async function isKept(page: Page, prefix: string, atLeast = 1): Promise<void> {
  // Asked from here: a predicate of `waitForFunction` that is asynchronous is taken for a yes at once.
  const kept = (): Promise<number> =>
    page.evaluate(async (prefix) => {
      // Opening one that the page has not made yet would make it, without the page's store.
      const made = (await indexedDB.databases()).some(({ name }) => name === 'attention-labs');
      if (!made) return 0;
      const database = await new Promise<IDBDatabase>((done, fail) => {
        const opening = indexedDB.open('attention-labs');
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => fail(opening.error);
      });
      const store = database.transaction('work').objectStore('work');
      const all = await new Promise<{ readonly rows?: readonly unknown[] }[]>((done, fail) => {
        const asking = store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`));
        asking.onsuccess = () => done(asking.result);
        asking.onerror = () => fail(asking.error);
      });
      database.close();
      return all.reduce((sum, { rows }) => sum + (rows?.length ?? 1), 0);
    }, prefix);
  await expect.poll(kept, { timeout: 30_000 }).toBeGreaterThanOrEqual(atLeast);
}

/** What stands out of a page that is wider than its window, by how many pixels; nothing where the page is not. */
const standingOut = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out: string[] = [];
    const search = (root: Document | ShadowRoot): void => {
      for (const one of root.querySelectorAll('*')) {
        const by = Math.round(one.getBoundingClientRect().right - clientWidth);
        if (by > 0 && by <= scrollWidth - clientWidth) {
          const place = one.closest('[data-figure], [data-view], [id]');
          out.push(`${by} px: ${place?.outerHTML.slice(0, 80)} ${one.outerHTML.slice(0, 160)}`);
        }
        if (one.shadowRoot) search(one.shadowRoot);
      }
    };
    search(document);
    return [`the page by ${scrollWidth - clientWidth} px`, ...out.slice(0, 8)];
  });

/** Checks that the page fits into windows of these widths. */
export async function fits(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => standingOut(page), { message: `${width} pixels` }).toEqual([]);
  }
  // A picture that is drawn for its width is drawn again in the frame in which it sees the new one.
  await frames(page);
}

type Noting = typeof window & { longest: number };

/** Notes the longest address that the pages of a context ever show. */
export const noteAddresses = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const noted = window as Noting;
    noted.longest = location.href.length;
    for (const name of ['pushState', 'replaceState'] as const) {
      const real = history[name].bind(history);
      history[name] = (...all: Parameters<History['pushState']>) => {
        real(...all);
        noted.longest = Math.max(noted.longest, location.href.length);
      };
    }
  });

/** The length of the longest address that the page has shown, once `noteAddresses` was called. */
export const longestAddress = (page: Page): Promise<number> =>
  page.evaluate(() => (window as Noting).longest);

/** The longest address that a page may show, in characters. */
export const mostOfAddress = 4096;
