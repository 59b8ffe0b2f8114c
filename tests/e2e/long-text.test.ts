/** Text and matrices that no link can carry: the address stays short, and the page says what a link has lost. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { createTestClient } from '../wasm/in_process';
import { float32, npyFile } from '../web/npy-file';
import { alerts, figure, shows } from './lab';
import { mostOfAddress as most } from './through';
import { browsing, lab } from './visit';

const visit = browsing();
let core: Client;
beforeAll(() => {
  core = createTestClient();
});
afterAll(() => core.dispose());

/** Forty words of a hundred letters: 24 KB in an address. */
const words = Array.from({ length: 40 }, (_, i) =>
  String.fromCharCode(0x430 + (i % 32)).repeat(100),
);
const text = words.join(' ');

const address = (page: Page) => page.evaluate(() => location.href);
const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('a long text', () => {
  it('is there after a reload and for Back, its link says where it works, and elsewhere says what is missing', async () => {
    const { page } = await visit(lab, permissions);
    await shows(page, 'tokens');
    await figure(page).locator('textarea').fill(text);
    await figure(page).locator('textarea').blur();
    const said = await shows(page, 'of 40 tokens');
    expect((await address(page)).length).toBeLessThan(400);
    await page.getByRole('button', { name: 'Copy a link to this view: Difference' }).click();
    await expect
      .poll(() => figure(page).locator('.status').textContent())
      .toContain('Your text is too long for a link');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link.length).toBeLessThanOrEqual(most);
    await page.reload();
    expect(await shows(page, 'of 40 tokens')).toBe(said);
    await expect.poll(() => figure(page).locator('textarea').inputValue()).toBe(text);
    await figure(page).locator('textarea').fill('a short one');
    await figure(page).locator('textarea').blur();
    await shows(page, 'of 3 tokens');
    await page.goBack();
    expect(await shows(page, 'of 40 tokens')).toBe(said);

    const { page: other } = await visit(link.slice(link.indexOf(lab)));
    await shows(other, 'of 11 tokens');
    await expect
      .poll(async () => (await alerts(other)).join(' '))
      .toContain('kept in the browser where it was typed');
  });

  it('in an old link opens the same picture, and nothing is reported', async () => {
    // Servers refuse addresses of 16 KB.
    const old = words.slice(0, 12).join(' ');
    const { page } = await visit(`${lab}?v=1&text=${encodeURIComponent(old)}`);
    expect((await address(page)).length).toBeGreaterThan(most);
    await shows(page, 'of 12 tokens');
    expect(await figure(page).locator('textarea').inputValue()).toBe(old);
    expect(await alerts(page)).toEqual([]);
    await figure(page)
      .getByRole('switch', { name: /Causal/ })
      .check();
    await shows(page, 'of 12 tokens', 'causal mask');
    expect((await address(page)).length).toBeLessThan(400);
  });
});

describe('own matrices', () => {
  async function give(page: Page, seed: number): Promise<void> {
    const { q, k, v } = await core.gaussianQkv({ n: 60, dK: 24, dV: 24, seed });
    for (const [i, { rows, cols, data }] of [q, k, v].entries()) {
      const file = npyFile({ shape: `(${rows}, ${cols})`, data: float32([...data]) });
      await figure(page)
        .locator('attn-matrix-input input[type=file]')
        .nth(i)
        .setInputFiles({ name: `${seed}.npy`, mimeType: '', buffer: Buffer.from(file) });
    }
  }
  const metric = (page: Page) => figure(page).locator('.explained').textContent();

  it('are named in the address, each set by its own name, and missed elsewhere', async () => {
    const { page } = await visit(`${lab}?input=own`, permissions);
    await give(page, 1);
    await shows(page, 'Own matrices Q 60 × 24');
    await expect.poll(() => address(page)).toMatch(/[?&]own=[0-9a-f]{16}/);
    await expect.poll(() => metric(page)).toMatch(/\d/);
    const [first, numbers] = [await address(page), await metric(page)];
    await give(page, 2);
    await expect.poll(() => address(page)).not.toBe(first);
    await expect.poll(() => metric(page)).not.toBe(numbers);
    await page.getByRole('button', { name: 'Copy a link to this view: Difference' }).click();
    await expect
      .poll(() => figure(page).locator('.status').textContent())
      .toContain('Your matrices are too large for a link');
    // The first set is still there, though it is not the last that was opened.
    await page.goto(first);
    await shows(page, 'Own matrices Q 60 × 24');
    await expect.poll(() => metric(page)).toBe(numbers);

    const { page: other } = await visit(first.slice(first.indexOf(lab)));
    await expect
      .poll(async () => (await alerts(other)).join(' '))
      .toContain('kept in the browser where they were opened');
  });
});
