/** Tests what visitors bring: the names and the choices of their files, in the picture, in the link and in what is saved. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { float32, npyFile } from '../web/npy-file';
import { zipFile } from '../web/zip-file';
import { alerts, figure, shows } from './lab';
import { browsing, lab } from './visit';

const visit = browsing();

const places = (page: Page) => figure(page).locator('attn-matrix-input');
const give = (page: Page, place: number, name: string, content: string | Uint8Array) =>
  places(page)
    .nth(place)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
const labels = (page: Page) =>
  figure(page).locator('attn-heatmap').first().locator('.label').allTextContents();
const address = (page: Page): Promise<string> => page.evaluate(() => location.href);

const q = 'token,0,1\nthe,0.5,0.25\ncat,0.125,2\n sat,1,0.5\n';
const k = ',0,1\nein,0.5,0.25\nHund,0.125,2\n';
const v = '0,1\n0.5,0.25\n0.125,2\n';

describe('own tables', () => {
  it('name the rows and columns of the picture, of the arcs and of what is saved', async () => {
    const { page } = await visit(`${lab}?input=own`);
    await give(page, 0, 'q.csv', q);
    await give(page, 1, 'k.csv', k);
    await give(page, 2, 'v.csv', v);
    await shows(page, 'Own matrices Q 3 × 2, K 2 × 2, V 2 × 2');
    await expect
      .poll(async () => (await labels(page)).map((label) => label.trim()))
      .toEqual(expect.arrayContaining(['the', 'cat', 'sat', 'ein', 'Hund']));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      figure(page)
        .getByRole('button', { name: /CSV: Softmax/i })
        .first()
        .click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\n');
    const table = lines.filter((line) => !line.startsWith('#'));
    expect(table[0]).toBe(',ein,Hund');
    expect(table.slice(1, 4).map((line) => line.split(',')[0])).toEqual(['the', 'cat', '" sat"']);
    await figure(page)
      .getByRole('button', { name: /arcs|lines/i })
      .first()
      .click();
    const words = figure(page).locator('attn-arcs').first().locator('.word');
    await expect
      .poll(async () => (await words.allTextContents()).map((word) => word.trim()))
      .toEqual(['the', 'cat', 'sat', 'ein', 'Hund']);
  });

  it('are read in the other way at one click, which the link has', async () => {
    const { page } = await visit(`${lab}?input=own`);
    await give(page, 0, 'q.csv', q);
    await give(page, 1, 'k.csv', k);
    await give(page, 2, 'v.csv', v);
    await shows(page, 'V 2 × 2');
    const read = await address(page);
    await places(page).nth(0).getByRole('button', { name: 'Read as numbers' }).click();
    await shows(page, 'Own matrices Q 4 × 2');
    await expect.poll(() => address(page)).toContain('pick=q');
    const other = await address(page);
    expect(new URL(other).searchParams.get('own')).toBe(new URL(read).searchParams.get('own'));
    await page.reload();
    await shows(page, 'Own matrices Q 4 × 2');
    expect(await address(page)).toBe(other);
    await page.goBack();
    await shows(page, 'Own matrices Q 3 × 2');
    expect(await alerts(page)).toEqual([]);
  });
});

describe('an own archive', () => {
  const archive = (): Uint8Array => {
    const counting = (length: number, step: number) =>
      float32(Array.from({ length }, (_, i) => (i * step) % 1));
    const deep = (step: number) => npyFile({ shape: '(2, 3, 4, 2)', data: counting(48, step) });
    return zipFile([
      { name: 'Q.npy', data: deep(0.37) },
      { name: 'K.npy', data: deep(0.61) },
      { name: 'V.npy', data: deep(0.83) },
    ]);
  };

  it('fills all three places, and its layer and head stay in the link', async () => {
    const { page } = await visit(`${lab}?input=own`);
    await give(page, 1, 'qkv.npz', archive());
    await shows(page, 'Own matrices Q 4 × 2, K 4 × 2, V 4 × 2');
    const head = places(page).nth(0).getByLabel('head, 0 to 2');
    await head.selectOption('2');
    await places(page).nth(0).getByLabel('layer or batch, 0 to 1').selectOption('1');
    await expect
      .poll(async () => new URL(await address(page)).searchParams.get('pick'))
      .toBe('q:Q@1.2;k:K@0.0;v:V@0.0');
    const numbers = () => figure(page).locator('.key-numbers').first().textContent();
    await expect.poll(numbers).toMatch(/\d/);
    await page.waitForTimeout(500);
    const [before, link] = [await numbers(), await address(page)];
    await page.reload();
    await shows(page, 'Own matrices Q 4 × 2');
    await expect.poll(numbers).toBe(before);
    await expect.poll(() => head.inputValue()).toBe('2');
    // A link may be edited by hand.
    await page.goto(link.replace(/pick=[^&]*/, 'pick=q:Q@0.1;k:K@0.0;v:V@0.0'));
    await expect.poll(() => head.inputValue()).toBe('1');
    await expect.poll(numbers).not.toBe(before);
    expect(await alerts(page)).toEqual([]);
  });
});
