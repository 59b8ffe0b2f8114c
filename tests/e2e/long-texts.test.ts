/** The long texts lab: the opening is painted on, its pattern is in the link, a question is answered, a try is on. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { formatCount, formatPlain } from '../../web/src/plot/counts';
import { createFullTestClient } from '../wasm/in_process';
import { answer, figureAt } from './through';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/long-texts/index.html';
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const opening = (page: Page): Locator => page.locator('attn-long-paint');
const line = (page: Page): Locator => opening(page).locator('.result-line');
const cellsOf = async (written: { readonly window: number; readonly stride?: number }) => {
  const { window, stride } = written;
  const of = [
    { id: 'local', parameters: { context: window } },
    ...(stride ? [{ id: 'strided', parameters: { stride } }] : []),
  ];
  const { nnz } = await core.makePattern({ n: 64, m: 64, pattern: { kind: 'union', of } });
  return formatCount(nnz);
};

describe('the opening of the long texts lab', () => {
  it('draws what the core keeps, and the text of the marked row', async () => {
    const { page } = await visit(lab);
    await expect.poll(() => line(page).textContent()).toContain('The pattern keeps');
    expect(await line(page).textContent()).toContain(`${await cellsOf({ window: 8 })} cells`);
    const words = opening(page).locator('.long-text');
    expect(await words.locator('.query').count()).toBe(1);
    // A window of eight: seven words before the query in one layer, seven more in each other.
    expect(await words.locator('[data-hops="1"]').count()).toBe(7);
    expect(await words.locator('[data-hops="2"]').count()).toBe(7);
  });

  it('is painted on by a drag, and the link has the pattern', async () => {
    const { page } = await visit(`${lab}?brush=stride`);
    await expect.poll(() => line(page).textContent()).toContain('The pattern keeps');
    const box = await opening(page).locator('svg.paintable').boundingBox();
    if (!box) throw new Error('the picture is not shown');
    const cell = (row: number, column: number): [number, number] => [
      box.x + ((column + 0.5) / 64) * box.width,
      box.y + ((row + 0.5) / 64) * box.height,
    ];
    await page.mouse.move(...cell(40, 38));
    await page.mouse.down();
    await page.mouse.move(...cell(40, 24), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.get('p')).toBe('w8.s16');
    const cells = await cellsOf({ window: 8, stride: 16 });
    await expect.poll(() => line(page).textContent()).toContain(`${cells} cells`);
    const { page: other } = await visit(`${lab}?p=w8.s16`);
    await expect.poll(() => line(other).textContent()).toContain(`${cells} cells`);
  });

  it('says which strokes of a link it cannot read', async () => {
    const { page } = await visit(`${lab}?p=w8.x3`);
    await expect.poll(() => opening(page).textContent()).toContain('cannot be read: x3');
  });
});

describe('below the opening of the long texts lab', () => {
  it('commits a guess about random keys, and shows what the draws gave', async () => {
    const { page } = await visit(lab);
    await figureAt(page, 'reach');
    const question = page.locator('attn-prediction').filter({ hasText: 'five others at random' });
    await answer(question);
    const figure = page.locator('attn-long-connect').first();
    await expect
      .poll(() => figure.locator('.result-line').textContent(), { timeout: 60_000 })
      .toMatch(/With 5 random keys a token everything is connected in [\d.]+\u00a0% of 100 draws/);
  });

  it('offers the brushes that answer the first question once that is answered', async () => {
    const { page } = await visit(lab);
    await figureAt(page, 'reach');
    const brushes = () => opening(page).locator('select').first().textContent();
    await expect.poll(brushes).not.toContain('stride');
    // With steps as wide as the stride it keeps the same cells.
    expect(await brushes()).not.toContain('dilated');
    expect(await brushes()).toContain('window');
    await answer(page.locator('attn-prediction').filter({ hasText: 'a stride of eight' }));
    await expect.poll(brushes).toContain('stride');
    expect(await brushes()).toContain('dilated');
  });

  it('tries a stride alone, and says what it has changed', async () => {
    const { page } = await visit(lab);
    const place = await figureAt(page, 'reach');
    const said = place.locator('.result-line');
    await expect.poll(() => said.textContent()).toContain('everything after 17 layers');
    await page.getByRole('button', { name: 'A stride alone' }).click();
    const n = 1024;
    const { cells } = await core.patternReach({
      ...{ n, m: n, causal: true, layers: 2 },
      pattern: { id: 'strided', parameters: { stride: 32 } },
    });
    const share = formatPlain((100 * cells) / ((n * (n + 1)) / 2));
    await expect.poll(() => said.textContent()).toContain(`→ ${share}`);
  });

  it('measures 16,384 tokens under every pattern that lists its cells', async () => {
    const { page } = await visit(lab);
    const place = await figureAt(page, 'times');
    await place.getByRole('button', { name: 'Run' }).click();
    const said = place.locator('.result-line');
    await expect.poll(() => said.textContent(), { timeout: 120_000 }).toContain('At 16,384 tokens');
    // What chooses its cells is the last of them, and no list stands for it.
    await expect
      .poll(() => said.textContent(), { timeout: 120_000 })
      .toMatch(/Block top-k takes [\d.]+ times what its cells alone would/);
    await expect.poll(() => place.locator('attn-line-chart').count(), { timeout: 120_000 }).toBe(1);
  });

  it('runs the trained reader under each pattern, and no pattern makes it better than all keys by much', async () => {
    const { page } = await visit(lab);
    const place = await figureAt(page, 'losses');
    await place.getByRole('button', { name: 'Run' }).click();
    const said = place.locator('.result-line');
    await expect
      .poll(() => place.locator('.status').textContent(), { timeout: 120_000 })
      .toContain('13');
    const [full = 0, best = 0, worst = 0] = [
      ...((await said.textContent()) ?? '').matchAll(/\d+\.\d+/g),
    ].map(Number);
    expect(full).toBeGreaterThan(2);
    expect(best).toBeGreaterThan(0.97 * full);
    expect(worst).toBeGreaterThan(1.1 * full);
  });
});
