import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readSubmission } from '../../web/src/exercises/submission';
import { browsing, german as inGerman } from './visit';

const visit = browsing();
const all = 'pages/exercises/index.html';
const german = `${inGerman(all)}?v=1`;

/** A mistake: the feature map is not applied to the keys. */
const wrong = `def linear_attention_order(Q, K, V, feature_map):
    return feature_map(Q) @ (K.T @ V)
`;
const quadratic = `def linear_attention_order(Q, K, V, feature_map):
    return (feature_map(Q) @ feature_map(K).T) @ V
`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const code = (page: Page) =>
  page.evaluate(
    () => document.querySelector('attn-exercise')?.querySelector('attn-code-editor')?.value ?? '',
  );
/** Reads the text of the report, whose parts are in a shadow tree. */
const report = (page: Page) =>
  page.evaluate(() => document.querySelector('attn-test-report')?.shadowRoot?.textContent ?? '');
const status = (page: Page) => page.locator('attn-exercise .run-status .status');

async function opened(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.locator('attn-code-editor').locator('textarea, .cm-content').first().waitFor();
}

async function write(page: Page, text: string): Promise<void> {
  await page.locator('attn-code-editor').locator('textarea, .cm-content').first().click();
  await page.locator('attn-exercise .cm-content').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await expect.poll(() => code(page)).toBe(text);
}

async function run(page: Page, says: RegExp): Promise<void> {
  await button(page, 'Ausführen').click();
  await expect.poll(() => status(page).textContent(), { timeout: 60_000 }).toMatch(says);
}

/** The requested files with words in a language. The name of a built file begins with the name of its source. */
const wordsIn = (requests: readonly string[], language: string) =>
  requests.filter((url) =>
    new RegExp(`/assets/(?:\\w+-)*${language}-[^/]*\\.js$`).test(new URL(url).pathname),
  );

describe('exercises in German', () => {
  it('are listed and opened in German, and left in German', async () => {
    const { page } = await visit(german);
    await page.getByRole('heading', { level: 1, name: 'Übungen' }).waitFor();
    await page.getByRole('link', { name: 'Finde die Kreuzung' }).click();
    await opened(page, 'Finde die Kreuzung');
    await expect.poll(() => page.title()).toBe('Finde die Kreuzung · Attention Labs');
    expect(page.url()).toContain('/de/');
    await expect.poll(() => page.locator('.task').textContent()).toContain('runde sie nicht');
    await page.getByRole('radio', { name: 'JavaScript' }).check({ force: true });
    await expect.poll(() => page.url()).toContain('in=javascript');
    await expect.poll(() => code(page)).toContain('noch nicht geschrieben');
    await page.reload();
    await opened(page, 'Finde die Kreuzung');
    await expect.poll(() => code(page)).toContain('Finde die Kreuzung');
    const next = page.locator('.steps a[rel=next]');
    await next.click();
    await opened(page, 'Bestimme den Exponenten der Kosten');
  });

  it('report mistakes in German, and write the submission as in English', async () => {
    const { page } = await visit(`${german}&id=linear-attention-order`);
    await opened(page, 'Attention in der linearen Reihenfolge');
    await expect.poll(() => code(page)).toContain('Gibt zurück: output');
    await write(page, wrong);
    // How many of the three drawn tests a wrong answer passes is a matter of what is drawn.
    await run(page, /^Noch nicht: \d von 9 Tests bestanden\.$/);
    await expect
      .poll(() => report(page), { timeout: 30_000 })
      .toContain('die Keys nicht. Sie gehört auf beide.');
    await expect.poll(() => report(page)).toContain('sechs Token, ELU + 1');
    await expect
      .poll(() => report(page))
      .toMatch(/Eintrag \[\d, \d\] ist [−-]?[\d.]+, nicht [−-]?[\d.]+; \d+ von \d+ Einträgen/);
    await expect.poll(() => report(page)).not.toMatch(/\b(?:Entry|entries|wanted)\b/);
    await page.getByText('Dateien und Links').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Abgabe speichern').click(),
    ]);
    const { submission } = readSubmission(await readFile(await download.path(), 'utf8'));
    const { grade } = submission.exercises[0] ?? {};
    expect(grade?.variant).toBe('keys-unmapped');
    expect(grade?.cases.map(({ name }) => name)).toContain('six tokens, ELU + 1');
    expect(grade?.cases.find(({ passed }) => !passed)?.why).toMatch(/^Entry \[/);
    await write(page, quadratic);
    await run(page, /^Noch nicht: Die Zahlen stimmen, die Kosten sind zu hoch\.$/);
    await expect
      .poll(() => report(page), { timeout: 30_000 })
      .toMatch(/hat ungefähr n².*nötig sind 2·n·D·d/);
  });

  it('load the words of one language only', async () => {
    const english = await visit(`${all}?v=1&id=crossover`);
    await opened(english.page, 'Find the crossover');
    expect(wordsIn(english.requests, 'de')).toEqual([]);
    const other = await visit(`${german}&id=crossover`);
    await opened(other.page, 'Finde die Kreuzung');
    // These are the words of the list, of the exercise, of the judge and of the shared parts of the page.
    expect(wordsIn(other.requests, 'de').length).toBeGreaterThanOrEqual(3);
    expect(wordsIn(other.requests, 'de').length).toBeLessThanOrEqual(8);
    expect(wordsIn(other.requests, 'en')).toEqual([]);
  });

  it('still open old links whose lang= names the programming language', async () => {
    const { page } = await visit(`${german}&id=crossover&lang=javascript`);
    await opened(page, 'Finde die Kreuzung');
    await expect.poll(() => code(page)).toContain('function crossover(d, dV, D)');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});
