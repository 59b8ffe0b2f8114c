/** Tests the course map: what it shows without scripts, and how it shows a reader's progress. */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { colourViolations, violations } from './axe';
import { fits } from './through';
import { browsing } from './visit';

const visit = browsing();
const home = 'index.html';

/** Writes records into the store where labs and exercises keep their work. */
const keep = (page: Page, records: Readonly<Record<string, unknown>>): Promise<void> =>
  page.evaluate(
    (entries) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('attention-labs');
        opening.onupgradeneeded = () => opening.result.createObjectStore('work');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('work', 'readwrite');
          for (const [key, value] of entries) transaction.objectStore('work').put(value, key);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    Object.entries(records),
  );

const time = '2026-01-01T00:00:00.000Z';
const read = (lab: string, steps: readonly string[]) => ({
  [`lab/${lab}`]: {
    ...{ v: 1, lab, changed: time, predictions: {}, checks: {} },
    seen: Object.fromEntries(steps.map((step) => [step, time])),
  },
});
const passed = (exercise: string) => ({
  [`exercise/${exercise}/python`]: {
    ...{ v: 1, exercise, language: 'python', code: '', revision: 1, changed: time },
    ...{ runs: 1, hints: 0, solutionSeen: false, firstPassed: time },
  },
});

const next = (page: Page) => page.locator('.lab.next');
const way = (page: Page) => next(page).locator('.way');

/** The ids of a lab's steps, read from the outline on its page. */
async function stepsOf(page: Page, lab: string): Promise<string[]> {
  const html = await (
    await page.request.get(new URL(`labs/${lab}/index.html`, page.url()).href)
  ).text();
  const [outline = ''] = /<nav class="outline"[\s\S]*?<\/nav>/.exec(html) ?? [];
  return [...outline.matchAll(/href="#([^"]+)"/g)]
    .map(([, id = '']) => id)
    .filter((id) => !['sources', 'summary'].includes(id));
}

describe('the course map on a first visit', () => {
  const first = visit.shared(home);

  it('has lists, headings and links for a screen reader', async () => {
    const { page } = first;
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
    const course = page.getByRole('region', { name: 'The course' });
    await expect.poll(() => course.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(1);
    await expect.poll(() => course.getByRole('link', { name: 'Complexity' }).count()).toBe(1);
    await expect.poll(() => course.getByRole('link', { name: 'Begin here' }).count()).toBe(1);
  });

  it('prints the map without its buttons', async () => {
    const { page } = first;
    await way(page).waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.lab h3').first().isVisible()).toBe(true);
    await expect.poll(() => page.locator('.masthead').isVisible()).toBe(false);
    await expect.poll(() => way(page).isVisible()).toBe(false);
  });
});

describe('the course map', () => {
  it('lists the labs in order, with their question, what they teach and what they build on', async () => {
    const { page } = await visit(home);
    const numbers = await page.locator('.lab .number').allTextContents();
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual([...numbers].sort((a, b) => Number(a) - Number(b)));
    for (const lab of await page.locator('.lab').all()) {
      await expect.poll(() => lab.locator('.question').textContent()).toMatch(/\?$/);
      await expect.poll(() => lab.locator('.skills li:visible').count()).toBeGreaterThan(2);
      await expect.poll(() => lab.locator('.facts').textContent()).toMatch(/about \d+ minutes/);
      await expect.poll(() => lab.locator('.facts').textContent()).toMatch(/\d+ steps/);
    }
    const last = page.locator('.lab').last();
    await expect.poll(() => last.locator('.facts').textContent()).toContain('builds on Lab 1');
    await last.locator('.facts a').first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#complexity');
  });

  it('can be read without scripts', async () => {
    const { page } = await visit(home, { javaScriptEnabled: false });
    await expect.poll(() => page.locator('.lab h3 a:visible').count()).toBeGreaterThan(1);
    await expect.poll(() => page.getByText('Danach kannst du').first().isVisible()).toBe(false);
  });

  it('says where to begin, and links there', async () => {
    const { page } = await visit(home);
    await expect.poll(() => way(page).textContent()).toBe('Begin here');
    await expect.poll(() => next(page).count()).toBe(1);
    await expect.poll(() => page.locator('.far').count()).toBe(0);
    await way(page).click();
    await expect.poll(() => new URL(page.url()).pathname).toContain('/labs/complexity/');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toMatch(/\?/);
  });

  it('counts the steps and exercises that were done, and links to the first open one', async () => {
    const { page } = await visit(home);
    const steps = await stepsOf(page, 'complexity');
    expect(steps.length).toBeGreaterThan(3);
    await keep(page, { ...read('complexity', steps.slice(0, 1)), ...passed('count-operations') });
    await page.reload();
    const far = page.locator('#complexity .far');
    await expect.poll(() => far.textContent()).toMatch(/1 of \d+ exercises passed/);
    await expect.poll(() => far.textContent()).toContain(`of ${steps.length} steps done`);
    // A step that asks something is not done when it was only read, and then that step is the next one.
    await expect
      .poll(() => far.locator('.marks i').first().getAttribute('class'))
      .toMatch(/seen|done/);
    await expect.poll(() => way(page).textContent()).toMatch(/^Go on with “.+”$/);
    const hash = await way(page).evaluate((link: HTMLAnchorElement) => new URL(link.href).hash);
    expect(steps.slice(0, 2).map((step) => `#${step}`)).toContain(hash);
    await expect.poll(() => page.locator('.kept').textContent()).toContain('kept in this browser');
  });

  it('shows progress that another tab has made in the meantime', async () => {
    const { page } = await visit(home);
    await expect.poll(() => way(page).textContent()).toBe('Begin here');
    await keep(page, passed('count-operations'));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect
      .poll(() => page.locator('.far').textContent())
      .toMatch(/1 of \d+ exercises passed/);
  });

  it('stays whole where storage is denied', async () => {
    const before = (context: BrowserContext) =>
      context.addInitScript(() => {
        Object.defineProperty(window, 'indexedDB', {
          get: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        });
      });
    const { page } = await visit(home, { before });
    await expect.poll(() => way(page).textContent()).toBe('Begin here');
  });

  it('passes axe with half of the course done', async () => {
    const { page } = await visit(home);
    const steps = await stepsOf(page, 'complexity');
    await keep(page, { ...read('complexity', steps), ...passed('count-operations') });
    await page.reload();
    await page.locator('.far').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page), 'dark').toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await colourViolations(page), 'forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await fits(page, [1440, 390, 360]);
  });
});
