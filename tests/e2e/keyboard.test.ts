/**
 * Keys alone lead through every lab on a phone: Tab from its first control to its last, always onwards, and on the way
 * every prediction is answered.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { labs } from '../tools/site.mjs';
import { figureAt, frames, PATIENCE_MS } from './through';
import { browsing } from './visit';

const visit = browsing();
/** The lab with most controls has some 350, and each view has a few more. */
const MOST = 900;

interface Stop {
  readonly what: string;
  readonly inWindow: boolean;
  /** It stands in the document behind what had the focus before. */
  readonly onwards: boolean;
  /** Its type, in a prediction that is not answered yet. */
  readonly asks: string | null | undefined;
  /** It belongs to the last part of the page. */
  readonly last: boolean;
  /** Something close to it is still loading, and the page says so. */
  readonly loading: boolean;
}

/** Where the focus is; undefined where the browser has it. */
const focus = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    if (!one || one === document.body) return undefined;
    const noted = window as typeof window & { last?: Element | null };
    const { last } = noted;
    const now = document.activeElement;
    noted.last = now;
    // A figure has the focus after a new picture has taken away what had it.
    const behind = last?.isConnected && !now?.contains(last) && now?.compareDocumentPosition(last);
    const box = (one.closest('label') ?? one).getBoundingClientRect();
    const name = one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 40);
    return {
      what: `${document.activeElement?.closest('.step')?.id}: ${one.localName} ${name}`,
      inWindow: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      onwards: !behind || (behind & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
      asks: one.closest('attn-prediction form') && one.getAttribute('type'),
      last: one.closest('#summary') !== null,
      loading: [...document.querySelectorAll('.loading-near')].some((place) => {
        const { top, bottom } = place.getBoundingClientRect();
        return bottom > 0 && top < innerHeight + 300;
      }),
    };
  });

/** Does with keys what a prediction asks for. */
async function answer(page: Page, asks: Stop['asks']): Promise<void> {
  if (asks === 'radio') await page.keyboard.press('Space');
  if (asks === 'range') await page.keyboard.press('ArrowRight');
  if (asks !== 'submit') return;
  const truths = page.locator('attn-prediction .truth');
  const before = await truths.count();
  await page.keyboard.press('Enter');
  await expect.poll(() => truths.count(), { timeout: 60_000 }).toBe(before + 1);
}

describe('with keys alone', () => {
  it.each(labs())(
    '%s is walked to its summary and answered, and what has the focus is in the window',
    async (lab) => {
      const { page } = await visit(`${lab}index.html`, {
        viewport: { width: 390, height: 844 },
        folded: true,
        reducedMotion: 'reduce',
      });
      await page.keyboard.press('Tab');
      // The first move of a visitor has loaded the steps.
      await expect.poll(() => page.locator('attn-lab > #summary').count()).toBe(1);
      const outside: string[] = [];
      const back: string[] = [];
      const trail: string[] = [];
      let ended = false;
      while (!ended && trail.length < MOST) {
        let stop = await focus(page);
        if (!stop) break;
        if (!stop.onwards) back.push(`${trail.at(-1)} → ${stop.what}`);
        // The Tab key would pass what is not there yet, so a reader waits for it.
        if (stop.loading) {
          await expect
            .poll(async () => (await focus(page))?.loading, { timeout: PATIENCE_MS })
            .toBe(false);
        }
        if (!stop.inWindow) {
          // What loads above it may have moved it, and the browser brings it back.
          const brought = async () => {
            stop = (await focus(page)) ?? stop;
            return stop?.inWindow;
          };
          // One that is never brought back is listed with the others, below.
          await expect
            .poll(brought, { timeout: 3000 })
            .toBe(true)
            .catch(() => undefined);
        }
        trail.push(stop.what);
        if (!stop.inWindow) outside.push(stop.what);
        ended = stop.last;
        await answer(page, stop.asks);
        await page.keyboard.press('Tab');
        // What is near begins to load with the next frames.
        await frames(page);
      }
      expect(ended, `around in a circle: ${trail.slice(-40).join(', ')}`).toBe(true);
      expect(outside).toEqual([]);
      expect(back).toEqual([]);
      const predictions = page.locator('attn-prediction');
      expect(await predictions.locator('.truth').count()).toBe(await predictions.count());
    },
  );

  it('a sheet is opened, gone through in its order and left, and the page is never behind it', async () => {
    // No question stands before this figure.
    const { page } = await visit('labs/kernel-trick/index.html', { folded: true });
    const view = (await figureAt(page, 'tied')).locator('.view');
    const more = view.locator('.more-knobs');
    const sheet = view.locator('.sheet');
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => sheet.evaluate((one) => one === document.activeElement)).toBe(true);
    const inSheet = () => sheet.evaluate((one) => one.contains(document.activeElement));
    // From its button through its knobs to what follows it in the page, where it is closed.
    let stops = 0;
    for (; stops < 60; stops++) {
      await page.keyboard.press('Tab');
      if (!(await inSheet())) break;
      const { box, place } = await sheet.evaluate((one) => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        const [box, place] = [at?.getBoundingClientRect(), one.getBoundingClientRect()];
        return { box: [box?.top ?? 0, box?.bottom ?? 0], place: [place.top, place.bottom] };
      });
      expect(box[1], 'the sheet scrolls to what has the focus').toBeGreaterThan(place[0] ?? 0);
      expect(box[0]).toBeLessThan(place[1] ?? 0);
    }
    expect(stops).toBeGreaterThan(2);
    await expect.poll(() => sheet.isVisible()).toBe(false);
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    const after = await view.evaluate(
      (one) =>
        (one.compareDocumentPosition(document.activeElement ?? document.body) &
          Node.DOCUMENT_POSITION_FOLLOWING) !==
        0,
    );
    expect(after, 'the keyboard goes on behind the view').toBe(true);
  });
});
