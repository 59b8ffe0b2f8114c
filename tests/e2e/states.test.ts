/** The lab of models with a state: asking a state, sorting the registry, and a race that is left. */
import { expect, it } from 'vitest';
import { lab } from '../../web/labs/states/lab';
import { arrive, FIGURES_PATIENCE_MS, figureAt, isKept, readThrough } from './through';
import { endTraining, watchTraining } from './training-workers';
import { browsing } from './visit';

const visit = browsing();
const path = 'labs/states/index.html';

it('asks for another key with the arrow keys, and a link shows the same', async () => {
  const { page } = await visit(path, { reducedMotion: 'reduce' });
  const opening = page.locator('attn-states-pairs');
  const asked = opening.getByRole('radio', { name: /Ask for key/ });
  // The value that comes back, and what is said of it: verdicts alone may be those of the key before.
  const answers = () =>
    opening.locator('.st-answer').evaluateAll((all) =>
      // Lit's own marks have other numbers on each page.
      all.map((one) => one.outerHTML.replace(/<!--.*?-->/g, '')),
    );
  await asked.first().focus();
  const before = await answers();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => asked.nth(2).isChecked()).toBe(true);
  await expect.poll(answers).not.toEqual(before);
  await expect.poll(() => new URL(page.url()).searchParams.get('ask')).toBe('3');
  const shown = await answers();
  await page.reload();
  await expect.poll(answers).toEqual(shown);
});

it('has room on a phone for each verdict and for how many keys come back', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await visit(`${path}?pairs=32&repeats=0`, { reducedMotion: 'reduce', viewport });
  const opening = page.locator('attn-states-pairs');
  const verdicts = opening.locator('.st-verdict');
  const scores = opening.locator('.st-score');
  await expect.poll(() => scores.filter({ visible: true }).count()).toBe(4);
  expect(await verdicts.filter({ visible: true }).count()).toBe(4);
  // The four others are in the sheet.
  expect(await opening.locator('.sheet tbody tr').count()).toBe(8);
  for (const lines of [verdicts, scores]) {
    const cut = (all: readonly Element[]) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
    expect(await lines.evaluateAll(cut)).toEqual([]);
  }
});

it('sorts its registry', async () => {
  const { page } = await visit(path, { reducedMotion: 'reduce' });
  await arrive(page);
  await readThrough(page);
  const registry = page.locator('attn-states-registry');
  const table = registry.locator('.sheet table');
  const first = table.locator('tbody tr').first();
  const drawn = registry.locator('.picture tbody th');
  expect(await table.locator('thead th:not([aria-sort=none])').count()).toBe(0);
  const smallest = await first.textContent();
  await registry.getByRole('button', { name: /Numbers in the state/ }).click();
  await expect.poll(() => first.textContent()).not.toBe(smallest);
  const sorted = registry.locator('th[aria-sort=ascending]');
  expect(await sorted.textContent()).toContain('state');
  await registry.getByRole('button', { name: 'Model' }).click();
  await expect.poll(() => sorted.textContent()).toContain('Model');
  const names = await table.locator('tbody th').allTextContents();
  // The picture has the order of the table.
  expect((await drawn.allTextContents()).map((name) => name.trim())).toEqual(
    names.map((name) => name.trim()),
  );
  const lower = names.map((name) => name.trim().toLowerCase());
  expect(lower).toEqual([...lower].sort());
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
  await expect
    .poll(() => page.locator('body[data-printed]').count(), { timeout: FIGURES_PATIENCE_MS })
    .toBe(1);
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
});

it('keeps the points of a race over a stop, a reload and a lost worker, and trains only what is missing', async () => {
  const { page } = await visit(`${path}?trained.seeds=1`, {
    reducedMotion: 'reduce',
    before: watchTraining,
  });
  const race = page.locator('attn-states-frontier');
  const start = race.locator('.run button');
  const points = race.locator('.sheet tbody th');
  const rows = () => race.locator('.sheet tbody tr').allTextContents();
  const skip = () =>
    page
      .locator('attn-prediction:has(#prediction-trained-title)')
      .getByRole('button', { name: 'Skip' })
      .click();
  const come = async (): Promise<void> => {
    await figureAt(page, 'trained');
    await skip();
  };
  const more = (than: number) =>
    expect.poll(() => points.count(), { timeout: 120_000 }).toBeGreaterThan(than);
  /** Runs it again: the first rows of the new run are all that is kept. A model that trained again would come alone. */
  const goOn = async (kept: readonly string[]): Promise<void> => {
    const shownOfOld = race.locator('details.runs li[aria-current]');
    await expect.poll(() => shownOfOld.count()).toBe(1);
    await start.click();
    await expect.poll(() => shownOfOld.count(), { timeout: 30_000 }).toBe(0);
    expect((await rows()).sort()).toEqual([...kept].sort());
  };

  await arrive(page);
  await readThrough(page);
  // The run waits behind the question.
  expect(await start.count()).toBe(0);
  await skip();
  await start.click();
  await more(0);
  const inTheMiddle = await rows();
  await isKept(page, 'run/states/', inTheMiddle.length);
  await page.reload();
  await come();
  await expect.poll(rows).toEqual(expect.arrayContaining(inTheMiddle));
  await race.locator('details.runs summary').click();
  expect(await race.locator('details.runs li').textContent()).toContain('stopped early');

  const kept = await rows();
  await goOn(kept);
  await race.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => start.isEnabled()).toBe(true);
  await page.reload();
  await come();
  await expect.poll(rows).toEqual(kept);

  await goOn(kept);
  await more(kept.length);
  await endTraining(page);
  // A worker that says nothing is given a minute.
  await expect.poll(() => start.isEnabled(), { timeout: 240_000, interval: 500 }).toBe(true);
  expect(await race.locator('.notice').first().textContent()).toContain('1 point was lost');
  const without = await rows();
  expect(without).toHaveLength(5);
  await goOn(without);
  await expect.poll(() => start.isEnabled(), { timeout: 120_000 }).toBe(true);
  const all = await rows();
  expect(all).toHaveLength(6);
  expect(all).toEqual(expect.arrayContaining(without));
});
