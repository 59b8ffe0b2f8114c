/**
 * A walk through a page, from its first view to its last line, with every question answered. Whatever must hold for
 * all pages is tested on these walks, once in English and once in German, and in no other file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { answerAll, arrive, readThrough } from './through';
import { lab, pages } from './visit';

/** All exercises share one HTML file with their list, so one exercise is walked as well. */
export const walks = [...pages(), 'pages/exercises/index.html?id=analyze-feature-map-quality'];

/** A lab whose words are in English for now; on its German page everything around them is German. */
export const inEnglish = (path: string): boolean =>
  path.startsWith('labs/') && !existsSync(`web/${dirname(path)}/words/de.md`);

/** Settings with which the experiment of a lab takes seconds, and the figure that runs it. */
const experiments: Readonly<Record<string, readonly [search: string, figure: string]>> = {
  [lab]: ['?random.most=256&random.d=8&random.n=16&random.draws=2&random.times=1', 'random'],
};

/** The address where a walk begins. */
export const startOf = (path: string): string => path + (experiments[path]?.[0] ?? '');

export async function walk(page: Page, path: string): Promise<void> {
  await arrive(page);
  await readThrough(page);
  await answerAll(page);
  await readThrough(page);
  const [, experiment] = experiments[path] ?? [];
  if (experiment) {
    const figure = page.locator(`[data-figure="${experiment}"]`);
    await figure.locator('.run > button').click();
    await expect
      .poll(() => figure.locator('attn-line-chart .series .mark').count(), { timeout: 60_000 })
      .toBe(30);
  }
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  // Only labs are checked, because exercises mention NaN.
  if (!path.startsWith('labs/')) return;
  const text = (await page.locator('main').textContent()) ?? '';
  expect(text).not.toMatch(/undefined|\[object/);
  // A lab that teaches what NaN does has it in its words, and shows it.
  if (!readFileSync(`web/${dirname(path)}/words/en.md`, 'utf8').includes('NaN')) {
    expect(text).not.toContain('NaN');
  }
}

/** The title and descriptions by which a page presents itself where it is shared. */
export const about = (page: Page): Promise<(string | null | undefined)[]> =>
  page.evaluate(() =>
    ['og:title', 'og:description'].map((name) =>
      document.querySelector(`meta[property="${name}"]`)?.getAttribute('content'),
    ),
  );

/** The link to the page in another language. */
export const other = (page: Page, language: string) =>
  page.locator('attn-language-switch').getByRole('link', { name: language });
