/** Through a page from its first view to its last line, as a reader goes who answers everything. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const isLab = async (page: Page): Promise<boolean> => (await page.locator('attn-lab').count()) > 0;

/** The visitor is there: what is below a lab's opening comes with the first move. */
export async function arrive(page: Page): Promise<void> {
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  // A lab's steps come one after the other; this is the last.
  if (await isLab(page)) {
    await expect.poll(() => page.locator('attn-lab > #summary').count()).toBe(1);
  }
}

/** Everything that comes when one draws near has come, and has drawn. */
export async function readThrough(page: Page): Promise<void> {
  // Were it called otherwise one day, nothing would be waited for.
  if (await isLab(page)) {
    expect(await page.locator('attn-load-when-near').count()).toBeGreaterThan(0);
  }
  await expect
    .poll(
      async () => {
        const waiting = page.locator('attn-load-when-near:has(> .loading-near)');
        const count = await waiting.count();
        // It may be there by the time it is scrolled to.
        if (count > 0) {
          await waiting
            .first()
            .scrollIntoViewIfNeeded()
            .catch(() => undefined);
        }
        return count;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  await expect
    .poll(() => page.locator('figure [aria-busy="true"]').count(), { timeout: 60_000 })
    .toBe(0);
}

/** Commits to an answer of every prediction, and waits for what is computed then. */
export async function answerAll(page: Page): Promise<void> {
  const questions = page.locator('attn-prediction');
  for (let i = 0; i < (await questions.count()); i++) {
    const question = questions.nth(i);
    await question.scrollIntoViewIfNeeded();
    const radio = question.getByRole('radio').first();
    if ((await radio.count()) > 0) await radio.check();
    else await question.getByRole('slider').press('ArrowRight');
    await question.locator('button[type=submit]').click();
    await expect.poll(() => question.locator('.truth').count(), { timeout: 60_000 }).toBe(1);
  }
}

/** How far the page reaches beyond its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** It is as wide as its window, in windows of these widths. */
export async function fits(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflow(page), { message: `${width} pixels` }).toBeLessThanOrEqual(0);
  }
}
