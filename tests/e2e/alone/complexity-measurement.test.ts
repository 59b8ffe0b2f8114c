/** Tests the measurement of Lab 1 on its page. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { createFullTestClient } from '../../wasm/in_process';
import { browsing } from '../visit';

const visit = browsing();
const complexity = 'labs/complexity/index.html';
const calm = { reducedMotion: 'reduce' } as const;

let started: Client | undefined;
const core = (): Client => {
  started ??= createFullTestClient();
  return started;
};
afterAll(() => started?.dispose());

const captionOf = async (figure: Locator): Promise<string> =>
  ((await figure.locator('figcaption').textContent()) ?? '').replace(/\s+/g, ' ');
const textOf = async (one: Locator): Promise<string> =>
  ((await one.textContent()) ?? '').replace(/\s+/g, ' ').trim();
const plain = (text: string): string => text.replace(/(\d)\s(?=\d{3})/g, '$1');

async function figureAt(page: Page, step: string, tag: string): Promise<Locator> {
  await page.locator(`#${step}`).first().scrollIntoViewIfNeeded();
  const figure = page.locator(tag).first();
  await figure.scrollIntoViewIfNeeded();
  await figure.locator('figure').waitFor();
  return figure;
}

async function saved(page: Page, within: Locator, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    within.getByRole('button', { name, exact: true }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

describe('Lab 1, complexity: the measurement', () => {
  it('runs, fits slopes, is kept, is exported, and shows the counts of the same run', async () => {
    const { page } = await visit(`${complexity}?time.n=1024&time.rounds=3#measure`, calm);
    const figure = await figureAt(page, 'measure', 'attn-scaling-experiment');
    await figure.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => textOf(figure.locator('.figure-foot .status')), { timeout: 60_000 })
      .toMatch(/^Done/);
    // There are seven lengths and three contenders.
    await expect.poll(() => figure.locator('.series .mark').count()).toBe(21);
    await expect.poll(() => figure.locator('.fit').count()).toBe(3);
    await expect.poll(() => figure.locator('.slopes li:not(.crossing)').count()).toBe(3);
    await expect.poll(() => textOf(figure.locator('.verdict'))).toMatch(/Measured here, /);
    const [head = '', ...lines] = (await saved(page, figure, 'Save the numbers as CSV'))
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(head.split(',').slice(0, 5)).toEqual([
      'kind',
      'contender',
      'n',
      'round',
      'milliseconds',
    ]);
    expect(lines.filter((line) => line.startsWith('time'))).toHaveLength(3 * 7 * 3);
    // The crossing, its interval and the sentence on it are those of the samples in the file.
    const of = (id: string) =>
      new Map(
        lines
          .map((line) => line.split(','))
          .filter(([kind, contender]) => kind === 'time' && contender === id)
          .map(([, , n, round, milliseconds]) => [`${n} ${round}`, Number(milliseconds)] as const),
      );
    const [softmax, linear] = [of('softmax'), of('linear')];
    const keys = [...softmax.keys()].map((key) => key.split(' ').map(Number));
    const crossing = await core().measuredCrossing({
      x: keys.map(([n = 0]) => n),
      round: keys.map(([, round = 0]) => round),
      a: [...softmax.values()],
      b: [...softmax.keys()].map((key) => linear.get(key) ?? Number.NaN),
    });
    const lineOf = await figure.locator('.slopes .crossing').allTextContents();
    expect(lineOf).toHaveLength(crossing.kind === 'between' ? 1 : 0);
    if (crossing.kind === 'between') expect(lineOf[0]).toContain(`n = ${Math.round(crossing.x)}`);
    const { interval } = crossing;
    expect(await figure.locator('svg rect.interval').count()).toBe(interval ? 1 : 0);
    const star = (await core().orderCosts({ n: 1, dK: 64, dV: 64 })).plain.crossover;
    const verdict = await textOf(figure.locator('.verdict'));
    if (interval) {
      expect(lineOf[0]).toContain(`(${Math.round(interval.low)} to ${Math.round(interval.high)})`);
      expect(verdict.includes('That is earlier than')).toBe(interval.high < star);
      expect(verdict.includes('That is later than')).toBe(interval.low > star);
      expect(verdict.includes('covers n')).toBe(interval.low <= star && star <= interval.high);
    }
    const counted = lines.find((line) => line.startsWith('count,softmax,1024,'))?.split(',');
    const cost = await core().costOf({ mechanism: 'fused', shape: { n: 1024, dK: 64, dV: 64 } });
    expect(Number(counted?.[5])).toBe(cost.multiplyAdds);
    expect(Number(counted?.[7])).toBe(cost.peakBytes);

    await figure.getByRole('radio', { name: 'bytes' }).check({ force: true });
    await expect.poll(() => figure.locator('.marker.limit').count()).toBe(1);
    await figure.getByRole('radio', { name: 'time' }).check({ force: true });
    await figure.getByRole('switch').click();
    await expect
      .poll(() => textOf(figure.locator('.recorded-note')))
      .toContain('npm run bench:peers -- --record');

    await page.reload();
    const again = await figureAt(page, 'measure', 'attn-scaling-experiment');
    await expect
      .poll(() => again.locator('.slopes li:not(.crossing)').count(), { timeout: 20_000 })
      .toBe(3);
    await expect.poll(() => again.getByText('Kept runs (1)').count()).toBe(1);
  });

  it('can be stopped, and keeps what was measured', async () => {
    const { page } = await visit(`${complexity}?time.n=4096&time.rounds=9#measure`, calm);
    const figure = await figureAt(page, 'measure', 'attn-scaling-experiment');
    await figure.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => figure.locator('.series .mark').count(), { timeout: 30_000 })
      .toBeGreaterThan(4);
    await figure.getByRole('button', { name: 'Stop' }).click();
    await expect
      .poll(() => textOf(figure.locator('.figure-foot .status')), { timeout: 30_000 })
      .toMatch(/^Stopped/);
    await expect.poll(() => figure.getByText('stopped early').count()).toBe(1);
    await expect.poll(() => figure.locator('.series .mark').count()).toBeGreaterThan(4);
  });

  it('runs linear attention on 16 384 tokens', async () => {
    const { page } = await visit(`${complexity}#long`, calm);
    const figure = await figureAt(page, 'long', 'attn-long-run');
    await figure.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => textOf(figure.locator('.figure-foot .status')), { timeout: 60_000 })
      .toMatch(/^Done/);
    const facts = plain(await textOf(figure.locator('.facts')));
    expect(facts).toContain('Softmax’s weights would take 1 GiB');
    await expect.poll(() => captionOf(figure)).toContain('n = 16384');
  });
});
