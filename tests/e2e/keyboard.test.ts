/** The Tab key alone leads through every lab, from its first control to its last, on a phone. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { labs } from '../tools/site.mjs';
import { browsing } from './visit';

const visit = browsing();
/** The lab with most controls has some 350; figures that are lent are passed once more in each scene. */
const MOST = 900;

interface Stop {
  readonly what: string;
  readonly inWindow: boolean;
  /** It belongs to the last part of the page. */
  readonly last: boolean;
}

/** Where the focus is; undefined where the browser has it. */
const focus = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    if (!one || one === document.body) return undefined;
    const box = (one.closest('label') ?? one).getBoundingClientRect();
    const name = one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 40);
    return {
      what: `${document.activeElement?.closest('.step')?.id}: ${one.localName} ${name}`,
      inWindow: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      last: one.closest('#summary') !== null,
    };
  });

describe('with the Tab key alone', () => {
  it.each(labs())(
    '%s is walked to its summary, and what has the focus is in the window',
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
      const trail: string[] = [];
      let ended = false;
      while (!ended && trail.length < MOST) {
        let stop = await focus(page);
        if (!stop) break;
        if (!stop.inWindow) {
          // What loads above it may have moved it, and the browser brings it back.
          await page.waitForTimeout(1000);
          stop = (await focus(page)) ?? stop;
        }
        trail.push(stop.what);
        if (!stop.inWindow) outside.push(stop.what);
        ended = stop.last;
        await page.keyboard.press('Tab');
        // What is near loads, and figures move to their scenes.
        await page.waitForTimeout(20);
      }
      expect(ended, `around in a circle: ${trail.slice(-40).join(', ')}`).toBe(true);
      expect(outside).toEqual([]);
    },
    300_000,
  );
});
