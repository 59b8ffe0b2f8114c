/**
 * What a try, a prediction or a knob changes is on the screen with it: a walk through every lab that measures
 * rectangles, on a large window and on a phone.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { answer, arrive } from './through';
import { browsing } from './visit';

const visit = browsing();
const labs = [
  'surgeon',
  'kernels',
  'complexity',
  'kernel-trick',
  'feature-maps',
  'states',
] as const;
const windows = {
  'a phone': { width: 390, height: 844 },
  'a large window': { width: 1440, height: 900 },
} as const;

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

type Tools = typeof globalThis & {
  readonly bring: typeof bring;
  readonly seenOf: typeof seenOf;
};

/** Puts both into every page, so that one call can use them together: asking the browser is what takes time here. */
const withTools = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`Object.assign(globalThis, { bring: ${bring}, seenOf: ${seenOf} })`);

const comeTo = (control: Locator): Promise<void> => control.evaluate(bring);
const look = (control: Locator, figure: string): Promise<Seen> => control.evaluate(seenOf, figure);

const drawn = async (page: Page, figure: string): Promise<void> => {
  await expect
    .poll(() => page.locator(`[id="${figure}"] [aria-busy="true"]`).count(), { timeout: 30_000 })
    .toBe(0);
};

const whereabouts = (control: Locator): Promise<readonly [scrolled: number, top: number]> =>
  control.evaluate((one) => [scrollY, one.getBoundingClientRect().top] as const);

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

/** Looks at every prediction, every try and every knob of a lab, and returns those whose picture is not seen. */
async function missedIn(page: Page, width: number): Promise<string[]> {
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
      if ((await question.locator('.why').count()) === 0) {
        await answer(question);
        await expect.poll(() => question.locator('.why').count(), { timeout: 60_000 }).toBe(1);
      }
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
    for (let k = 0; k < (await tries.count()); k++) {
      const button = tries.nth(k);
      const figure = scene.locator('figure').first();
      await comeTo(button);
      if (k === 0) {
        await expect.poll(() => figure.count(), { timeout: 30_000 }).toBe(1);
        await comeTo(button);
        // What was still loading when the reader came has come when nothing moves.
        await stands(button);
      }
      const id = (await figure.getAttribute('id')) ?? '';
      const press = async (on: boolean): Promise<void> => {
        await button.click();
        await expect
          .poll(() => button.getAttribute('aria-pressed'), { interval: 20 })
          .toBe(String(on));
      };
      // The last try of a scene is still on from the window before, and a press leaves it.
      if ((await button.getAttribute('aria-pressed')) === 'true') {
        await press(false);
        await drawn(page, id);
        await comeTo(button);
      }
      const before = await whereabouts(button);
      await press(true);
      await drawn(page, id);
      note(`try ${(await button.textContent())?.trim()}`, await look(button, id));
      const after = await whereabouts(button);
      // Where a knob above the text grows by a line, the browser scrolls by as much, and what is read stays.
      const [still, at] = [0, 1].map((k) => Math.abs((after[k] ?? 0) - (before[k] ?? 0)));
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
  for (const knob of await page.locator('.knobs [data-knob]').elementHandles()) {
    if (!(await knob.isVisible())) continue;
    // An experiment that was not run has no picture yet, but a button to run it.
    const [what, seen] = await knob.evaluate(async (node) => {
      const tools = globalThis as Tools;
      const one = node as HTMLElement;
      await tools.bring(one);
      const id = one.closest('.bench')?.querySelector('figure')?.id ?? '';
      return [`knob ${id}.${one.dataset.knob}`, tools.seenOf(one, id)] as const;
    });
    note(what, seen);
  }
  await fold(page, false);
  return missed;
}

it.each(labs)(
  '%s: what a control changes is on the screen with it, on a phone and on a large window',
  async (lab) => {
    const { page } = await visit(`labs/${lab}/index.html`, {
      viewport: windows['a phone'],
      folded: true,
      reducedMotion: 'reduce',
      before: withTools,
    });
    await arrive(page);
    const missed: Record<string, string[]> = {};
    // One page shows both, because loading a lab and computing its figures take longer than looking at them.
    for (const [name, viewport] of Object.entries(windows)) {
      await page.setViewportSize(viewport);
      missed[name] = await missedIn(page, viewport.width);
    }
    expect(missed).toEqual({ 'a phone': [], 'a large window': [] });
  },
  240_000,
);
