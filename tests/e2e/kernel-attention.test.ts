/** The lab on attention, features and wide networks: its opening, and the links and answers of the lab that it was a part of. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { figureAt } from './through';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/kernel-attention/index.html';
const before = 'labs/kernels/index.html';
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const opening = (page: Page): Locator => page.locator('attn-smoothing-line');
const line = (page: Page): Promise<string | null> =>
  opening(page).locator('.result-line').textContent();

/** The mean at a query, as the core finds it by the call that smooths. */
async function meanAt(
  query: number,
  pairs: readonly (readonly [number, number])[],
  kernel: { readonly id: 'rbf' | 'exponential'; readonly sharp: number },
): Promise<number> {
  const column = (values: readonly number[]) => ({
    ...{ rows: values.length, cols: 1, data: Float32Array.from(values) },
  });
  const made = await core.compareSmootherWithAttention({
    kernel: kernel.id,
    parameters: kernel.id === 'rbf' ? { gamma: kernel.sharp } : { scale: kernel.sharp },
    q: column([query]),
    k: column(pairs.map(([x]) => x)),
    v: column(pairs.map(([, y]) => y)),
  });
  return made.smoother.output.data[0] ?? Number.NaN;
}

describe('the opening of the lab on attention and features', () => {
  it('draws the mean that the core finds by smoothing, with either weights', async () => {
    const link = `${lab}?v=1&q=0.4&sharp=2&pairs=-1,0.5;0.5,-1;2,1`;
    const pairs = [
      [-1, 0.5],
      [0.5, -1],
      [2, 1],
    ] as const;
    const { page } = await visit(link);
    const byDistance = formatNumber(await meanAt(0.4, pairs, { id: 'rbf', sharp: 2 }));
    await expect.poll(() => line(page)).toContain(`the mean of the values is ${byDistance}.`);
    const product = formatNumber(await meanAt(0.4, pairs, { id: 'exponential', sharp: 2 }));
    expect(product).not.toBe(byDistance);
    await page.goto(`${page.url()}&weigh=product`);
    await expect.poll(() => line(page)).toContain(`the mean of the values is ${product}.`);
  });

  it('follows a dot and the query that are dragged, and the link has both', async () => {
    const { page } = await visit(`${lab}?v=1&pairs=-1,0.5;0.5,-1;2,1`);
    const grips = opening(page).locator('.kernel-grip');
    await expect.poll(() => grips.count()).toBe(4);
    const drag = async (at: number, dx: number, dy: number): Promise<void> => {
      const box = await grips.nth(at).boundingBox();
      if (!box) throw new Error('the dot is not shown');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
      await page.mouse.up();
    };
    const said = await line(page);
    await drag(1, 0, -60);
    const value = (key: string) => new URL(page.url()).searchParams.get(key);
    await expect.poll(() => value('pairs')).toMatch(/^-1,0\.5;0\.\d+,-0\.\d+;2,1$/);
    await expect.poll(() => line(page)).not.toBe(said);
    await drag(3, -80, 0);
    await expect.poll(() => Number(value('q'))).toBeLessThan(0.6);
  });
});

describe('a link to what the lab on kernels had once', () => {
  it('opens the same picture in the lab that has it now', async () => {
    const query = '?v=1&projections.n=3&projections.d=4&projections.same=1';
    const { page } = await visit(`${before}${query}#projections`);
    await expect.poll(() => page.url()).toContain(`/${lab}${query}#projections`);
    const figure = await figureAt(page, 'projections');
    // A number in each cell, one for each token at two edges, and what the edges are.
    await expect.poll(() => figure.locator('svg text').count()).toBe(17);
    await expect
      .poll(() => figure.locator('.result-line').textContent())
      .toContain('it is everywhere');
    // Who goes back comes to where they were, and not to the page that leads here.
    await page.goto(new URL(before, page.url().replace(/labs\/.*/, '')).href);
    await page.evaluate(() => {
      location.hash = 'uses';
    });
    await expect.poll(() => page.url()).toContain(`/${lab}#uses`);
    await expect.poll(() => page.locator('#uses').count()).toBe(1);
  });

  it('leaves links to what is still there alone', async () => {
    const { page } = await visit(`${before}?v=1&C=5#bumps`);
    await expect.poll(() => page.locator('#bumps').count()).toBe(1);
    expect(page.url()).toContain(`/${before}?v=1&C=5#bumps`);
  });
});

describe('answers that were given in the lab on kernels', () => {
  it('are in the lab that has the question now', async () => {
    const { page } = await visit('index.html');
    await page.evaluate(
      (record) =>
        new Promise<void>((resolve, reject) => {
          const asked = indexedDB.open('attention-labs');
          asked.onupgradeneeded = () => asked.result.createObjectStore('work');
          asked.onerror = () => reject(asked.error);
          asked.onsuccess = () => {
            const transaction = asked.result.transaction('work', 'readwrite');
            transaction.objectStore('work').put(record, 'lab/kernels');
            transaction.oncomplete = () => {
              asked.result.close();
              resolve();
            };
          };
        }),
      {
        ...{ v: 1, lab: 'kernels', changed: '2026-01-01T00:00:00.000Z', predictions: {} },
        checks: {
          symmetric: {
            ...{ first: ['scale'], last: ['roles'], count: 2, rightAt: 2 },
            time: '2026-01-01T00:00:00.000Z',
          },
        },
        seen: { smoother: '2026-01-01T00:00:00.000Z' },
      },
    );
    await page.goto(new URL(`${before}#smoother`, page.url()).href);
    const check = page.locator('attn-check', { hasText: 'Why is the matrix of scores' });
    await expect.poll(() => check.locator('.because.right').count(), { timeout: 30_000 }).toBe(1);
    expect(page.url()).toContain(`/${lab}#smoother`);
  });
});
