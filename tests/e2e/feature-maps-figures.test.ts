/** Tests the figures of the Feature Maps lab below the opening: they show what the core computes. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, FeatureMapInfo } from '#client';
import { measureQuality } from '../../web/labs/feature-maps/figures/registry/measure-map';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { figure, openMenu, shows } from './lab';
import { answer, arrive, figureAt, moveMouse } from './through';
import { browsing, lab } from './visit';

const visit = browsing();
let core: Client;
let maps: readonly FeatureMapInfo[];

beforeAll(async () => {
  core = createFullTestClient('simd');
  maps = await core.featureMaps();
});
afterAll(() => core.dispose());

/** Commits to a guess in a step whose figure waits for it, and goes to the figure. */
async function guessed(page: Page, step: string, id: string): Promise<Locator> {
  await arrive(page);
  await answer(page.locator(`#${step} attn-prediction`));
  return figureAt(page, id);
}

/** Lets the figures of a step be seen without a guess. */
async function skipped(page: Page, step: string): Promise<void> {
  await arrive(page);
  await page.locator(`#${step} attn-prediction`).getByRole('button', { name: 'Skip' }).click();
}

const flat = async (of: Locator): Promise<string> =>
  ((await of.textContent()) ?? '').replace(/\s+/g, ' ').trim();

const rowOf = (place: Locator, label: string): Locator =>
  place.locator('tbody tr').filter({ has: place.page().locator('th', { hasText: label }) });

describe('in one visit', () => {
  const registry = 'n=50&dk=16&dv=8&draws=3&tn=64';
  const price = 'n=32&dk=8&dv=8&draws=1&m=16&tn=64&x=dimension';
  const of = (figure: string, knobs: string): string => `&${knobs}`.replaceAll('&', `&${figure}.`);
  const shown = visit.shared(
    `${lab}?input=gaussian&n=40&dk=8&maps.b=taylor${of('registry', registry)}${of('graded', registry)}` +
      `${of('pareto', price)}${of('rows', 'n=64&draws=1')}${of('gradients', 'n=32')}`,
  );

  it('two maps beside softmax show the core’s numbers, and follow the first figure', async () => {
    const { page } = shown;
    await shows(page, 'n = 40');
    const place = await figureAt(page, 'maps');
    // The prediction above asks which map is closest.
    await expect.poll(() => flat(place)).toContain('It waits for your answer there');
    expect(await place.locator('td').count()).toBe(0);
    await skipped(page, 'beside');
    const cells = async (name: string) =>
      (await rowOf(place, name).locator('td').allTextContents()).map((text) => text.trim());
    const wanted = async (n: number) => {
      const qkv = await core.gaussianQkv({ n, dK: 8, dV: 16, seed: 1 });
      return Promise.all(
        ['elu_plus_one', 'taylor'].map(async (id) =>
          formatNumber(
            (await core.compareToSoftmax({ ...qkv, featureMap: { id, seed: 1 } })).correlation,
          ),
        ),
      );
    };
    await expect.poll(() => cells('Correlation')).toEqual(await wanted(40));
    const slider = figure(page).getByRole('spinbutton', { name: /n\s*tokens/ });
    await slider.fill('24');
    await slider.press('Tab');
    await shows(page, 'n = 24');
    await expect.poll(() => cells('Correlation')).toEqual(await wanted(24));
  });

  it('a prediction is committed before the core’s bound is shown', async () => {
    const { page } = shown;
    await moveMouse(page);
    const asked = page.locator('attn-prediction').filter({ hasText: '100 × 100 weights' });
    await asked.scrollIntoViewIfNeeded();
    expect(await asked.textContent()).not.toContain('0.0200');
    await asked.getByRole('slider').press('ArrowRight');
    await asked.getByRole('button', { name: 'Commit' }).click();
    await expect.poll(() => asked.textContent()).toMatch(/0\.02\b|0\.0200/);
  });

  it('dead rows and gradients are counted and computed by the core', async () => {
    const { page } = shown;
    const place = await guessed(page, 'dead', 'rows');
    await openMenu(place);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Save the numbers as CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    const { q } = await core.gaussianQkv({ n: 64, dK: 2, dV: 1, seed: 1 });
    const dead = Array.from({ length: 64 }, (_, i) =>
      [...q.data.subarray(2 * i, 2 * i + 2)].every((x) => x <= 0),
    ).filter(Boolean).length;
    const line = csv.split(/\r?\n/).find((one) => one.startsWith('2,'));
    expect(line?.split(',').slice(1, 4).map(Number)).toEqual([dead / 64, dead, 64]);
    // A map that gives the weights of another one is not offered beside it.
    const offered = await place
      .locator('select option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(offered).toContain('relu');
    expect(offered.filter((id) => ['t2r', 'taylor_compact'].includes(id))).toEqual([]);

    const gradients = await figureAt(page, 'gradients');
    const qkv = await core.gaussianQkv({ n: 32, dK: 16, dV: 16, seed: 1 });
    const { v: dO } = await core.gaussianQkv({ n: 32, dK: 1, dV: 16, seed: 2 });
    const back = await core.linearAttentionBackward({
      ...qkv,
      dO,
      featureMap: { id: 'relu', seed: 1 },
      causal: false,
    });
    const { rowNorms } = await core.gradientQuantiles({ gradient: back.q });
    const cells = () => rowOf(gradients, 'ReLU').first().locator('td').allTextContents();
    await expect
      .poll(async () => (await cells()).slice(0, 5))
      .toEqual([...rowNorms].map((value) => formatNumber(value)));
  });

  it('the registry stands beside the course text’s grades in the last step, each with its column’s name', async () => {
    const { page } = shown;
    const place = await figureAt(page, 'graded');
    await place.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => place.locator('.status').textContent(), { timeout: 60_000 })
      .toContain('Done: 4 rows');
    const elu = await flat(place.locator('tr[data-map=elu_plus_one]'));
    expect(elu).toContain('0.0823');
    expect(elu).toContain('Softmax Approx ★★');
    // Under “Trouble” stand stars for something else, and say so.
    expect(elu).toMatch(/none seen Stability ★★★★/);
    await expect
      .poll(() => flat(place))
      .toMatch(/ELU \+ 1: the course text prints “0\.0823”, .+ times/);
    await openMenu(place);
    const [drawn] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Save the picture as SVG' }).click(),
    ]);
    const svg = await readFile(await drawn.path(), 'utf8');
    expect(svg).toContain('“0.0823”');
    expect(svg).toContain('Stability ★★★★');
  });

  it('the price is shown with a front, and no point is better than the front', async () => {
    const { page } = shown;
    const place = await guessed(page, 'price', 'pareto');
    await place.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => place.locator('.status').textContent(), { timeout: 60_000 })
      .toContain('Done:');
    await expect.poll(() => flat(place)).toContain('On the front: ');
    await openMenu(place);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Save the numbers as JSON' }).click(),
    ]);
    const { rows } = JSON.parse(await readFile(await download.path(), 'utf8')) as {
      rows: [string, number, number, number, number, number, number][];
    };
    const front = rows.filter((row) => row[6] === 1);
    expect(front.length).toBeGreaterThan(0);
    for (const [, dimension, , , error] of front) {
      for (const other of rows) {
        if (other[4] === null) continue;
        expect(other[1] <= dimension && other[4] < error).toBe(false);
      }
    }
  });

  it('the registry is measured, sorted and exported, and its link repeats the measurement', async () => {
    const { page } = shown;
    const place = await figureAt(page, 'registry');
    await place.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => place.locator('.status').textContent(), { timeout: 60_000 })
      .toContain(`Done: ${maps.length} rows`);

    const draws = async function* () {
      for (let seed = 1; seed <= 3; seed++) {
        const qkv = await core.gaussianQkv({ n: 50, dK: 16, dV: 8, seed });
        yield { qkv, seed, causal: false, scale: undefined };
      }
    };
    for (const id of ['elu_plus_one', 'relu', 'softmax_kernel']) {
      const info = maps.find((map) => map.id === id) as FeatureMapInfo;
      const row = await measureQuality(core, info, draws(), { features: 128, scaled: true });
      const cells = await place.locator(`tr[data-map=${id}] td`).allTextContents();
      const shown = cells.map((cell) => cell.trim().split(/\s/)[0]);
      expect(shown.slice(0, 5), id).toEqual([
        String(row.dimension),
        ...[row.minWeight, row.correlation, row.mse, row.outputError].map((x) => formatNumber(x)),
      ]);
    }
    // Two maps give the weights of others, so they are neither counted nor named as the best.
    expect(await flat(place)).toContain(
      `${maps.length - 2} different maps measured. Best correlation: Taylor, order 2`,
    );
    // Four maps are shown first, and nothing of a text that the reader may not have.
    expect(await place.locator('tbody tr').count()).toBe(4);
    expect(await flat(place)).not.toMatch(/0\.0823|course text|★/);
    const all = place.getByRole('button', { name: /^Show all \d+ maps$/ });
    const promised = Number(/\d+/.exec((await all.textContent()) ?? '')?.[0]);
    expect(promised).toBeGreaterThan(10);
    await all.click();
    await expect.poll(() => place.locator('tbody tr').count()).toBe(promised);
    expect(page.url()).toContain('registry.every=');
    // Maps that measure the same to the digit share a row that names them all.
    const named = await flat(place.locator('tbody'));
    for (const { label } of maps) expect(named).toContain(label);
    expect(await flat(rowOf(place, 'the same to the digit').first())).toMatch(/ReLU|Taylor/);

    const header = place.getByRole('columnheader', { name: 'Mean squared error' });
    const order = () =>
      place
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-map') ?? ''));
    const before = await order();
    await header.getByRole('button').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
    const after = await order();
    expect(after).not.toEqual(before);
    expect([...after].sort()).toEqual([...before].sort());
    await header.getByRole('button').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(order).not.toEqual(after);
    expect(new Set(before).size).toBe(before.length);
    expect(before.length).toBeLessThan(maps.length);

    await openMenu(place);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Save the numbers as CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain('elu_plus_one');
    expect(csv).toMatch(/registry\.n=50/);

    await openMenu(place);
    const [drawn] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Save the picture as SVG' }).click(),
    ]);
    const svg = await readFile(await drawn.path(), 'utf8');
    expect(svg).toContain('The registry, measured');
    for (const { label } of maps) expect(svg, label).toContain(`>${label}</text>`);
    const said = await place.locator('tr[data-map=relu] td').nth(1).textContent();
    expect(svg).toContain(`>${said?.trim().split(/\s/)[0]}</text>`);

    await page.reload();
    const again = await figureAt(page, 'registry');
    await expect.poll(() => again.locator('tbody tr').count()).toBe(before.length);
  });
});

it('the registry keeps its measurements when it is stopped', async () => {
  const { page } = await visit(`${lab}?registry.draws=50&registry.tn=4096&registry.every=1`);
  await skipped(page, 'stars');
  const place = await figureAt(page, 'registry');
  await place.getByRole('button', { name: 'Run experiment' }).click();
  await expect
    .poll(() => place.locator('tbody tr').count(), { timeout: 60_000 })
    .toBeGreaterThan(0);
  await place.getByRole('button', { name: 'Stop' }).click();
  await expect
    .poll(() => place.locator('.status').textContent(), { timeout: 60_000 })
    .toContain('Stopped. What was measured stays');
  const rows = await place.locator('tbody tr').count();
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(maps.length);
});
