/** A reader's place: Reload, Back, a link to a step, and the next visit. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lab } from '../../web/labs/kernel-trick/lab';
import { arrive, frames, moveMouse } from './through';
import { browsing } from './visit';

const visit = browsing();
const path = `labs/${lab.id}/index.html`;
const far = lab.steps[4]?.id ?? '';
const windows = { 'a large window': [1440, 900], 'a phone': [390, 844] } as const;

/** Where a part of a step far down begins. */
const top = (page: Page): Promise<number | undefined> =>
  page.evaluate((id) => {
    const part = document.querySelector(`#${id} .prose p:last-of-type`);
    return part ? Math.round(part.getBoundingClientRect().top) : undefined;
  }, far);

/** Waits until the page has noted where it is now. */
const noted = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => history.state?.place && history.state.y === Math.round(scrollY));

/** Reads to the middle of that step, as a reader does: with the wheel. */
async function readTo(page: Page, at: number): Promise<void> {
  await arrive(page);
  await expect
    .poll(
      async () => {
        const away = ((await top(page)) ?? 0) - at;
        if (Math.abs(away) > 2)
          await page.mouse.wheel(0, Math.sign(away) * Math.min(3000, Math.abs(away)));
        await frames(page);
        return Math.abs(away);
      },
      { timeout: 30_000 },
    )
    .toBeLessThanOrEqual(2);
  // Figures near by have come, and the place was noted.
  await page.waitForLoadState('networkidle');
  await noted(page);
}

const isAt = async (page: Page, wanted: number | undefined): Promise<void> => {
  const away = async () => Math.abs(((await top(page)) ?? 1e6) - (wanted ?? 0));
  await expect.poll(away, { timeout: 30_000 }).toBeLessThanOrEqual(2);
  // A time is what is tested: it stays there when what comes late has come.
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1500);
  expect(await away()).toBeLessThanOrEqual(2);
};

describe.each(Object.entries(windows))('on %s', (_name, [width, height]) => {
  const options = { viewport: { width, height }, reducedMotion: 'reduce', folded: true } as const;

  it('Reload and Back return to where the reader was, and the next visit offers it', async () => {
    const { context, page } = await visit(path, options);
    await readTo(page, 500);
    const before = await top(page);
    await page.reload();
    await isAt(page, before);
    // To another page, and back.
    await page.goto(new URL('../../index.html', page.url()).href);
    await page.goBack();
    await isAt(page, before);
    // In a new tab nothing jumps; a line offers the place.
    const tab = await context.newPage();
    await tab.goto(page.url());
    const note = tab.locator('.place-note');
    await expect
      .poll(() => note.textContent(), { timeout: 30_000 })
      .toMatch(/You were at step [45]:/);
    expect(await tab.evaluate(() => scrollY)).toBe(0);
    await note.getByRole('button', { name: 'Go on there' }).click();
    await isAt(tab, before);
    await expect.poll(() => note.count()).toBe(0);
  });

  it('a link to a step opens it, and Back returns to where the link was followed', async () => {
    const { page } = await visit(`${path}#${far}`, options);
    const heading = page.locator(`#${far}-title`);
    const at = () => heading.evaluate((one) => one.getBoundingClientRect().top);
    await expect.poll(at, { timeout: 30_000 }).toBeLessThan(200);
    // A time is what is tested: it stays there when what comes late has come.
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1500);
    expect(await at()).toBeLessThan(200);
    expect(await at()).toBeGreaterThan(-5);
    const from = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 150);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(from);
    await noted(page);
    const before = await top(page);
    await page.evaluate((id) => {
      document.querySelector<HTMLAnchorElement>(`nav.outline a[href="#${id}"]`)?.click();
    }, lab.steps[0]?.id);
    await expect
      .poll(() =>
        page
          .locator(`#${lab.steps[0]?.id}-title`)
          .evaluate((one) => Math.abs(one.getBoundingClientRect().top) < 300),
      )
      .toBe(true);
    await page.goBack();
    await isAt(page, before);
  });
});

it('a reader who reloads while the page is still being filled returns to the same place', async () => {
  const { page } = await visit(path, { reducedMotion: 'reduce' });
  await moveMouse(page);
  const part = page.locator('attn-lab > section').first();
  await part.waitFor({ state: 'attached' });
  // The page waits with its next part while the button is down.
  await page.mouse.down();
  const place = () => part.evaluate((one) => Math.round(one.getBoundingClientRect().top));
  await page.mouse.wheel(0, (await place()) - 100);
  await expect.poll(place).toBeLessThan(200);
  await expect
    .poll(() => page.evaluate(() => (history.state as { place?: object } | null)?.place))
    .toBeDefined();
  expect(await page.locator('attn-lab > #summary').count()).toBe(0);
  const before = await place();
  await page.mouse.up();
  await page.reload();
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
});

describe('below 1,100 px, where the picture is pinned above the text', () => {
  const [found, width, height] = ['labs/feature-maps/index.html', 768, 900] as const;

  it('a link to a figure leads to its own scene, and the text passes below the pinned picture', async () => {
    const { page } = await visit(`${found}#registry`, {
      ...{ viewport: { width, height }, reducedMotion: 'reduce', folded: true },
    });
    const scene = page.locator('.scene', { has: page.locator('figure#registry') });
    const away = () => scene.evaluate((one) => Math.abs(one.getBoundingClientRect().top));
    await expect.poll(away, { timeout: 30_000 }).toBeLessThan(60);
    // The middle of the picture is the picture's, also where a paragraph has been scrolled to the same place. What still
    // loads moves the page, so it is scrolled until the paragraph has stayed there for a frame.
    const covered = await scene.evaluate(async (one) => {
      const [view, text] = [one.querySelector('.view'), one.querySelector('.prose p')];
      if (!view || !text) throw new Error('no figure');
      const middle = () => {
        const { left, right, top, bottom } = view.getBoundingClientRect();
        return [(left + right) / 2, (top + bottom) / 2] as const;
      };
      for (let frame = 0; frame < 300; frame++) {
        const { top, bottom } = text.getBoundingClientRect();
        scrollBy({ top: (top + bottom) / 2 - middle()[1], behavior: 'instant' });
        await new Promise(requestAnimationFrame);
        const at = document.elementFromPoint(...middle());
        const box = text.getBoundingClientRect();
        const y = middle()[1];
        if (box.top <= y && box.bottom >= y) return { there: true, picture: view.contains(at) };
      }
      return { there: false };
    });
    expect(covered).toEqual({ there: true, picture: true });
  });
});
