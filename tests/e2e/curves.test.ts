import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { beatsBaseline, inputScales, kinds } from '../../web/src/figures/random-features/run-rows';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { openMenu } from './lab';
import { figureAt } from './through';
import { browsing, german, lab } from './visit';

const visit = browsing();

const cells = async (of: Locator, row: number): Promise<string[]> =>
  (await of.locator('.figure-table tbody tr').nth(row).locator('th, td').allTextContents()).map(
    (text) => text.replace(/\s+/g, ' ').trim(),
  );
const caption = (of: Locator) => of.locator('figcaption').textContent();
const chart = (of: Locator) => of.getByRole('application');
const core = () => createFullTestClient();

async function saved(of: Locator, page: Page, name: string): Promise<string> {
  await openMenu(of);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    of.getByRole('button', { name }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

const done = (of: Locator) => of.locator('.progress .status');

describe('in one visit', () => {
  // Both experiments take seconds: five numbers of rows, six kinds and two draws; nine inputs, three kinds and two draws.
  const knobs = [
    'curve.map=relu',
    'random.most=256&random.d=8&random.n=16&random.draws=2&random.times=1',
    'collapse.n=16&collapse.draws=2&collapse.m=32&collapse.rows=iid',
  ].join('&');
  const shown = visit.shared(`${lab}?v=1&${knobs}#curve`);

  it('a feature map’s curve shows where features are zero and flat, with the numbers of the core', async () => {
    const { page } = shown;
    const curve = await figureAt(page, 'curve');
    // The curve is φ₁ = max(0, t), and the other features stay 0.
    await expect.poll(() => cells(curve, 0)).toContain('−4 … 0');
    const [name, range, zero, flat, tiny] = await cells(curve, 0);
    expect(name).toBe('φ₁');
    expect(zero).toBe('−4 … 0');
    expect(flat).toBe('−4 … 0');
    expect(tiny).toBe('nowhere');
    expect(range).toBe(`0 … ${formatNumber(4)}`);
    await expect.poll(() => curve.locator('attn-line-chart .stretch').count()).toBe(1);
    // The points have descriptions of their own.
    await chart(curve).focus();
    const spoken = curve.locator('attn-line-chart').getByRole('status');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => spoken.textContent()).toBe('φ₁ at t = −4.00: 0');
    await page.keyboard.press('End');
    await expect.poll(() => spoken.textContent()).toBe('φ₁ at t = 4.00: 4.000');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => spoken.textContent()).toMatch(/^φ₁′ at t = 4\.00: 1\.0/);
    await curve.getByRole('combobox', { name: 'Feature map' }).selectOption('elu_plus_one');
    await expect.poll(() => caption(curve)).toContain('ELU');
    await expect.poll(async () => (await cells(curve, 0))[2]).toBe('nowhere');
    const client = await core();
    const { phi } = await client.featureMapCurve({
      ...{ featureMap: { id: 'elu_plus_one' }, d: 4, from: -4, to: 4, points: 201 },
    });
    const first = Array.from({ length: phi.rows }, (_, i) => phi.data[i * phi.cols] ?? Number.NaN);
    expect((await cells(curve, 0))[1]).toBe(
      `${formatNumber(Math.min(...first))} … ${formatNumber(Math.max(...first))}`,
    );
    client.dispose();
    // Defaults are left out of a link.
    expect(new URL(page.url()).searchParams.get('curve.map')).toBeNull();
  });

  it('Taylor against exp has the values of 1 + s + s²/2, and where they leave exp(s)', async () => {
    const { page } = shown;
    const taylor = await figureAt(page, 'taylor');
    await expect.poll(() => taylor.locator('.figure-table tbody tr').count()).toBe(2);
    const [, dimension, within = '', low, high] = await cells(taylor, 0);
    expect(dimension).toBe(String(1 + 16 + 16 * 16));
    expect([low, high]).toEqual([formatNumber(1 - 4 + 8), formatNumber(1 + 4 + 8)]);
    const exact = (await cells(taylor, 1)).slice(3);
    expect(exact).toEqual([-4, 4].map((s) => formatNumber(Math.exp(s))));
    const ends = [...within.replaceAll('−', '-').matchAll(/-?\d+(?:\.\d+)?/g)].map(([s]) =>
      Number(s),
    );
    expect(ends).toHaveLength(2);
    for (const s of ends) {
      expect(Math.abs((1 + s + s ** 2 / 2) / Math.exp(s) - 1)).toBeCloseTo(0.1, 2);
    }
    await taylor.getByRole('radio', { name: 'relative error' }).check();
    await expect.poll(() => taylor.locator('attn-line-chart .limit').count()).toBe(1);
    await taylor.getByRole('radio', { name: 'logarithmic' }).check();
    await expect
      .poll(() => new URL(page.url()).searchParams.get('taylor.axis'), { timeout: 5000 })
      .toBe('log');
    const csv = await saved(taylor, page, 'CSV');
    expect(csv).toContain('s,exp_s,taylor_mean,taylor_low,taylor_median,taylor_high');
    expect(
      csv
        .trimEnd()
        .split('\n')
        .filter((line) => /^-?\d/.test(line)),
    ).toHaveLength(201);
  });

  it('the experiment of the collapse finds the input size from which equal weights are better', async () => {
    const { page } = shown;
    const collapse = await figureAt(page, 'collapse');
    await collapse.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => done(collapse).textContent(), { timeout: 30_000 })
      .toBe('Done: 27 rows.');
    const client = await core();
    for (const [row, kind] of kinds.entries()) {
      const points: { x: number; ratio: number }[] = [];
      for (const inputScale of inputScales) {
        const { rows } = await client.randomFeatureErrors({
          ...{ kind, m: [32], d: 16, n: 16, inputScale, draws: 2, seed: 1 },
        });
        const [one] = rows;
        if (one) points.push({ x: inputScale, ratio: one.mse.median / one.uniformMse.median });
      }
      const found = beatsBaseline(points);
      const said = found.map(({ from, to }) => {
        if (from === undefined) {
          return to === undefined ? 'everywhere here' : `up to ${formatNumber(to)}`;
        }
        return `from ${formatNumber(from)} ${to === undefined ? 'on' : `to ${formatNumber(to)}`}`;
      });
      expect((await cells(collapse, row)).at(-1)).toBe(said.join(', ') || 'nowhere here');
    }
    client.dispose();
  });

  it('the random-features experiment runs, is kept, and can be saved and shown again', async () => {
    const { page } = shown;
    const random = await figureAt(page, 'random');
    await random.getByRole('button', { name: 'Run experiment' }).click();
    await expect.poll(() => done(random).textContent(), { timeout: 30_000 }).toBe('Done: 30 rows.');
    await expect.poll(() => random.locator('attn-line-chart .series .mark').count()).toBe(30);
    await expect.poll(() => random.locator('attn-line-chart .fit').count()).toBe(6);
    const rows = await Promise.all([0, 1, 2, 3, 4, 5].map((row) => cells(random, row)));
    const negative = (of: readonly string[]) => of.at(-2);
    for (const row of rows) {
      const [kind = ''] = row;
      // Only trigonometric features can make an estimate negative.
      if (kind.startsWith('trigonometric')) expect(negative(row)).toMatch(/^[\d.]*[1-9][\d.]* %$/);
      else expect(negative(row)).toBe('0 %');
    }
    const client = await core();
    const { rows: expected } = await client.randomFeatureErrors({
      ...{ kind: 'positive', m: [256], d: 8, n: 16, inputScale: 1, draws: 2, seed: 1 },
    });
    expect(rows[0]?.[1]).toBe(formatNumber(expected[0]?.relativeRms ?? Number.NaN));
    expect(rows[0]?.[2]).toBe(formatNumber(expected[0]?.predictedRms ?? Number.NaN));
    client.dispose();
    const csv = await saved(random, page, 'CSV');
    expect(csv.match(/^(positive|trigonometric|hyperbolic),/gm)).toHaveLength(30);
    expect(await saved(random, page, 'SVG')).toMatch(/^<svg xmlns=/);
    // Choosing another quantity to show does not start another experiment.
    await random.getByRole('combobox', { name: 'Show' }).selectOption('mse');
    await expect
      .poll(() => random.locator('attn-line-chart').getByText('equal weights').count())
      .toBeGreaterThan(0);
    await expect.poll(() => random.locator('p.run').textContent()).not.toContain('moved');
    await page.reload();
    const again = await figureAt(page, 'random');
    await expect.poll(() => again.locator('attn-line-chart .series .mark').count()).toBe(30);
    await expect.poll(() => again.locator('.runs summary').textContent()).toContain('(1)');
  });
});

describe('in another visit', () => {
  const knobs = [
    'curve.map=exp&curve.reach=110&curve.axis=log',
    'taylor.beside=elu_plus_one',
    'random.most=4096&random.d=32&random.n=128&random.draws=20',
  ].join('&');
  const shown = visit.shared(`${lab}?v=1&${knobs}#curve`);

  it('a feature map’s curve shows where float32 ends, on a logarithmic axis', async () => {
    const { page } = shown;
    const curve = await figureAt(page, 'curve');
    await expect.poll(() => cells(curve, 0)).toContain('φ₁');
    const [, , zero, , , infinite] = await cells(curve, 0);
    // e^t is never 0, so a 0 in float32 is an underflow.
    expect(zero).toMatch(/^−110 … −8\d/);
    expect(infinite).toMatch(/… 110$/);
  });

  it('Taylor shows another map beside it, with a band where the kernel is not a function of q·k alone', async () => {
    const { page } = shown;
    const taylor = await figureAt(page, 'taylor');
    await expect.poll(() => taylor.locator('.figure-table tbody tr').count()).toBe(3);
    await expect.poll(() => taylor.locator('attn-line-chart .series').count()).toBe(3);
    expect((await cells(taylor, 1))[2]).toBe('not even at s = 0');
    await taylor.getByRole('switch', { name: /Divide by the value/ }).click();
    await expect.poll(async () => (await cells(taylor, 1))[2]).toMatch(/^s from/);
  });

  it('the random-features experiment can be stopped, and keeps its results so far', async () => {
    const { page } = shown;
    const random = await figureAt(page, 'random');
    await random.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => random.locator('attn-line-chart .series .mark').count(), { timeout: 30_000 })
      .toBeGreaterThan(0);
    await random.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => done(random).textContent()).toContain('Stopped.');
    await expect
      .poll(() => random.locator('attn-line-chart .series .mark').count())
      .toBeGreaterThan(0);
    await expect.poll(() => random.locator('.runs').textContent()).toContain('stopped early');
  });
});

it('a curve shows an error beside the knob that caused it, and keeps working', async () => {
  const { page } = await visit(`${lab}?v=1&curve.map=no_such_map#curve`);
  const curve = await figureAt(page, 'curve');
  await expect.poll(() => curve.getByRole('alert').allTextContents()).not.toEqual([]);
  await curve.getByRole('combobox', { name: 'Feature map' }).selectOption('square');
  await expect.poll(() => cells(curve, 0)).toContain('t = 0');
  await expect.poll(() => curve.getByRole('alert').allTextContents()).toEqual([]);
});

it('the curves speak German', async () => {
  const { page } = await visit(`${german(lab)}#curve`);
  const curve = await figureAt(page, 'curve');
  await expect.poll(() => curve.locator('h3').textContent()).toContain('entlang einer Geraden');
  await expect.poll(() => caption(curve)).toContain('Punkte von t = −4 bis 4');
  await chart(curve).focus();
  await page.keyboard.press('ArrowRight');
  const spoken = curve.locator('attn-line-chart').getByRole('status');
  await expect.poll(() => spoken.textContent()).toMatch(/^φ₁ bei t = −4/);
});
