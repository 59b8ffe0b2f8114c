/** The lab of models with a state: asking a state, sorting the registry, and a race that is left. */
import { describe, expect, it } from 'vitest';
import { lab } from '../../web/labs/states/lab';
import { arrive, readThrough } from './through';
import { browsing } from './visit';

const visit = browsing();
const path = 'labs/states/index.html';

it('asks for another key with the arrow keys, and a link shows the same', async () => {
  const { page } = await visit(path, { reducedMotion: 'reduce' });
  const asked = page.getByRole('radio', { name: /Ask for the key of pair/ });
  await asked.first().focus();
  const before = await page.locator('.st-verdict').allTextContents();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => asked.nth(2).isChecked()).toBe(true);
  await expect.poll(() => page.locator('.st-verdict').allTextContents()).not.toEqual(before);
  await expect.poll(() => new URL(page.url()).searchParams.get('ask')).toBe('3');
  const shown = await page.locator('.st-verdict').allTextContents();
  await page.reload();
  await expect.poll(() => page.locator('.st-verdict').allTextContents()).toEqual(shown);
});

it('sorts its registry', async () => {
  const { page } = await visit(path, { reducedMotion: 'reduce' });
  await arrive(page);
  await readThrough(page);
  const registry = page.locator('attn-states-registry');
  const first = registry.locator('tbody tr').first();
  const smallest = await registry.locator('tbody tr').first().textContent();
  await registry.getByRole('button', { name: /Numbers in the state/ }).click();
  await expect.poll(() => first.textContent()).not.toBe(smallest);
  expect(await registry.locator('th[aria-sort=ascending]').textContent()).toContain('state');
});

it('prints every step and every table whole at the first press of the keys for printing', async () => {
  // As wide as a sheet of A4 between its margins.
  const { page } = await visit(path, { viewport: { width: 718, height: 1000 } });
  await page.evaluate(() => {
    window.print = () => {
      document.body.dataset.printed = 'yes';
    };
  });
  await page.keyboard.press('Control+p');
  await expect.poll(() => page.locator('body[data-printed]').count(), { timeout: 60_000 }).toBe(1);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.locator('.loading-near .missing:visible').count()).toBe(0);
  await expect.poll(() => page.locator('attn-lab figure [aria-busy="true"]').count()).toBe(0);
  for (const { id } of lab.steps) {
    expect(await page.locator(`#${id}-title`).isVisible(), id).toBe(true);
  }
  const tables = page.locator('attn-lab .scroll:has(table)');
  expect(await tables.count()).toBeGreaterThan(1);
  const cut = (all: readonly Element[]) =>
    all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel);
  expect(await tables.evaluateAll(cut)).toEqual([]);
}, 120_000);

/** Counts the workers of the page, and lets a test end the newest one as a machine does that runs out of memory. */
function countWorkers(): void {
  const all: Worker[] = [];
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      all.push(this);
    }
  };
  Object.assign(globalThis, {
    workersMade: () => all.length,
    endNewestWorker: () => all.at(-1)?.terminate(),
  });
}

interface Counted {
  workersMade(): number;
  endNewestWorker(): void;
}

describe('a race', () => {
  const open = async () => {
    const { page } = await visit(`${path}?trained.seeds=1`, {
      reducedMotion: 'reduce',
      before: (context) => context.addInitScript(countWorkers),
    });
    await arrive(page);
    await readThrough(page);
    const race = page.locator('attn-states-frontier');
    const start = race.locator('.run button');
    const points = race.locator('tbody th');
    const some = () => expect.poll(() => points.count(), { timeout: 120_000 }).toBeGreaterThan(0);
    return { page, race, start, points, some };
  };

  it('keeps its points when it is stopped and the page is loaded again, and goes on from them', async () => {
    const { page, race, start, points, some } = await open();
    await start.click();
    await some();
    await race.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => start.isEnabled()).toBe(true);
    const kept = await race.locator('tbody tr').allTextContents();
    await page.reload();
    await arrive(page);
    await race.scrollIntoViewIfNeeded();
    await expect.poll(() => race.locator('tbody tr').allTextContents()).toEqual(kept);
    // The next run has them at once: no model trains again within a second.
    await start.click();
    await expect.poll(() => points.count(), { timeout: 1000 }).toBe(kept.length);
    expect(await race.locator('tbody tr').allTextContents()).toEqual(kept);
    await race.getByRole('button', { name: 'Stop' }).click();
  });

  it('keeps its points when the page is loaded again in the middle', async () => {
    const { page, race, start, some } = await open();
    await start.click();
    await some();
    const kept = await race.locator('tbody tr').allTextContents();
    // A row is kept as it arrives; nobody says that it is kept, so the page is given a moment.
    await page.waitForTimeout(500);
    await page.reload();
    await arrive(page);
    await race.scrollIntoViewIfNeeded();
    await expect
      .poll(() => race.locator('tbody tr').allTextContents())
      .toEqual(expect.arrayContaining(kept));
    await page.locator('attn-states-frontier details.runs summary').click();
    expect(await race.locator('details.runs li').textContent()).toContain('stopped early');
  });

  it('goes on when a worker is lost, says which point is missing, and trains that one alone', async () => {
    const { page, race, start, points, some } = await open();
    await start.click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as Counted).workersMade()))
      .toBeGreaterThan(2);
    await some();
    await page.evaluate(() => (globalThis as unknown as Counted).endNewestWorker());
    // A worker that says nothing is given a minute.
    await expect.poll(() => start.isEnabled(), { timeout: 240_000 }).toBe(true);
    expect(await race.locator('.notice').first().textContent()).toContain('1 point was lost');
    const kept = await race.locator('tbody tr').allTextContents();
    expect(kept).toHaveLength(5);
    await start.click();
    await expect.poll(() => points.count(), { timeout: 5000 }).toBe(5);
    await expect.poll(() => start.isEnabled(), { timeout: 120_000 }).toBe(true);
    const all = await race.locator('tbody tr').allTextContents();
    expect(all).toHaveLength(6);
    expect(all).toEqual(expect.arrayContaining(kept));
  }, 420_000);
});
