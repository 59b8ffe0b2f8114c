import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lengths, type Measurement, subjects } from '../../web/pages/speed/measurement';
import { violations } from './axe';
import { browsing, lab } from './visit';

const visit = browsing();
const speed = 'pages/speed/index.html';
/** Settings with which a measurement takes seconds: seven lengths and few rounds. */
const quick = `${speed}?n=256&rounds=5`;

const status = (page: Page) => page.locator('.run .status');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const marksOf = (page: Page) => page.locator('attn-line-chart .series .mark');
const captionOf = async (page: Page): Promise<string> =>
  (await page.locator('figcaption').first().textContent()) ?? '';
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
/** Everything that a visitor sees or saves of a measurement. */
const resultsOf = async (page: Page) => ({
  verdict: (await page.locator('.verdict').textContent())?.trim(),
  marks: await marksOf(page).count(),
  caption: await captionOf(page),
  duels: await page
    .getByRole('region', { name: 'Where linear attention overtakes' })
    .allTextContents(),
});
const contentOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

async function measured(page: Page, rounds = 5): Promise<void> {
  await button(page, 'Measure').click();
  await expect
    .poll(() => status(page).textContent(), { timeout: 50_000 })
    .toContain(`Measured in ${rounds} rounds.`);
}

async function saved(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, `Save ${name}`).click(),
  ]);
  return contentOf(download);
}

describe('the page "How fast is this?"', () => {
  it('is linked from the start page and from the lab, and names the build that runs', async () => {
    const { page, requests } = await visit('');
    // The start page has a core of its own.
    await expect.poll(() => requests.some((address) => address.endsWith('.wasm'))).toBe(true);
    const before = requests.length;
    await page.getByRole('link', { name: 'How fast is this?' }).click();
    const fact = (name: string) =>
      page.locator('.here div', { has: page.locator('dt', { hasText: name }) }).locator('dd');
    await expect.poll(() => fact('Binary').textContent()).toMatch(/SIMD/);
    await expect.poll(() => fact('A vector holds').textContent()).toMatch(/4 floats/);
    await expect.poll(() => fact('Chosen').textContent()).toContain('exceptions');
    await expect.poll(() => fact('Browser').textContent()).toMatch(/Chrome \d+/);
    const wasm = requests.slice(before).filter((address) => address.endsWith('.wasm'));
    expect(wasm).toHaveLength(1);
    expect(wasm[0]).toMatch(/full[^/]*\.wasm$/);
    // The size that the page states equals the size that the server sent.
    const bytes = (await (await page.request.get(wasm[0] ?? '')).body()).length;
    await expect
      .poll(() => fact('Downloaded').textContent())
      .toContain(`${(bytes / 1000).toFixed(0)} kB`);

    const { page: other } = await visit(lab);
    await other.getByRole('link', { name: 'How fast is this?' }).click();
    await other.getByRole('heading', { level: 1, name: 'How fast is this?' }).waitFor();
  });

  describe('a measurement', () => {
    const shown = visit.shared(`${quick}&guess=200`);

    it('measures, compares the guess, saves the results, and keeps them over a reload', async () => {
      const { page } = shown;
      await expect.poll(() => page.getByText('your guess: 200').count()).toBe(1);
      await measured(page);
      await expect
        .poll(() => page.locator('.verdict').textContent())
        .toMatch(/^\s*You said 200; here (linear|softmax) attention is /);
      const all = lengths(256);
      await expect
        .poll(() => page.locator('attn-line-chart .series').count())
        .toBe(subjects.length);
      await expect
        .poll(() => page.locator('attn-line-chart .series .mark').count())
        .toBe(subjects.length * all.length);
      // Fitted lines are drawn, and the table has a slope for each of them.
      await expect.poll(() => page.locator('attn-line-chart .fit').count()).toBe(subjects.length);
      const table = page.getByRole('region', { name: 'What was measured, and what was counted' });
      await expect.poll(() => table.locator('tbody tr').count()).toBe(subjects.length);
      const share = await table.locator('tbody tr').first().locator('td').nth(6).textContent();
      const percent = Number(/[\d.]+/.exec(share ?? '')?.[0]);
      expect(percent).toBeGreaterThan(0);
      await page.locator('#length').selectOption('64');
      await expect
        .poll(() => table.locator('tbody tr').first().locator('td').nth(2).textContent())
        .toMatch(/\d/);
      const region = (name: string) => page.getByRole('region', { name });
      await expect
        .poll(() => region('Where linear attention overtakes').locator('tbody tr').count())
        .toBe(4);
      await expect.poll(() => region('Does it stay fast?').locator('tbody tr').count()).toBe(2);
      await expect.poll(() => page.locator('.facts dd').allTextContents()).toHaveLength(3);
      expect(await violations(page)).toEqual([]);

      // The description of a point states its share of the peak.
      await page.getByRole('application').focus();
      const spoken = page.locator('attn-line-chart').getByRole('status');
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => spoken.textContent()).toMatch(/^Softmax, n = 32: [\d.]+ ms/);
      await page.keyboard.press('End');
      await expect.poll(() => spoken.textContent()).toMatch(/^Softmax, n = 256: .* % of the peak$/);
      await page.getByRole('radio', { name: 'share of the peak' }).check({ force: true });
      await expect.poll(() => page.url()).toContain('show=rate');
      await page.getByRole('heading', { name: 'Share of the multiply-add peak' }).waitFor();
      // Shares lie below the peak and have no crossings.
      const chart = page.locator('attn-line-chart').first();
      await expect.poll(() => chart.locator('.marker').count()).toBe(1);
      await expect.poll(() => chart.locator('.limit').count()).toBe(1);
      await chart.getByText(/^the multiply-add peak, [\d.]+ GF\/s$/).waitFor();
      await chart.getByText('100 %', { exact: true }).waitFor();
      await expect
        .poll(() => captionOf(page))
        .toMatch(/^Fastest of 5 interleaved rounds, against the fastest/);
      const shares = (await saved(page, 'every sample as CSV')).toString('utf8');
      expect(shares).toMatch(/^# Medians of 5 interleaved rounds with quartiles/);
      await page.goBack();

      const csv = (await saved(page, 'every sample as CSV')).toString('utf8').trimEnd().split('\n');
      const samples = subjects.length * all.length * 5;
      expect(csv).toHaveLength(2 + samples + 4 * 5 + all.length * 5);
      expect(csv[0]).toMatch(/^# Medians of 5 interleaved rounds .* Peak [\d.]+ GF\/s/);
      const json = JSON.parse(
        (await saved(page, 'the whole measurement as JSON')).toString('utf8'),
      ) as Measurement & { format: string; findings: { duels: { predicted: number }[] } };
      expect(json).toMatchObject({ format: 'attention-labs/speed', guess: 200, finished: true });
      expect(json.findings.duels).toHaveLength(4);
      expect(json.samples.fused?.[256]).toHaveLength(5);
      const svg = (await saved(page, 'as SVG')).toString('utf8');
      const parsed = await page.evaluate((text) => {
        const made = new DOMParser().parseFromString(text, 'image/svg+xml');
        return { name: made.documentElement.nodeName, wrong: made.querySelector('parsererror') };
      }, svg);
      expect(parsed).toEqual({ name: 'svg', wrong: null });
      expect(svg).toContain('your guess: 200');
      const png = await saved(page, 'as PNG');
      expect([...png.subarray(1, 4)].map((code) => String.fromCharCode(code)).join('')).toBe('PNG');
      expect(png.length).toBeGreaterThan(10_000);

      const median = await table.locator('tbody tr').first().locator('td').first().textContent();
      await page.reload();
      await expect.poll(() => status(page).textContent()).toContain('This is what you measured on');
      await page.locator('#length').selectOption('64');
      await expect
        .poll(() => table.locator('tbody tr').first().locator('td').first().textContent())
        .toBe(median);
    });

    it('shows it again after a stop, a failure and Undo, marks one made elsewhere, and forgets it', async () => {
      const { page } = shown;
      const before = await resultsOf(page);

      await button(page, 'Measure again').click();
      await expect
        .poll(() => page.locator('.run .rounds').textContent(), { timeout: 30_000 })
        .toMatch(/round \d+ of/);
      await button(page, 'Stop').click();
      await expect
        .poll(() => status(page).textContent(), { timeout: 15_000 })
        .toContain('The finished measurement from before is back.');
      expect(await resultsOf(page)).toEqual(before);

      await page.evaluate(() => {
        const { client } = document.querySelector('attn-speed-page') as unknown as {
          client: { timeRound: (...args: unknown[]) => Promise<unknown> };
        };
        const { timeRound } = client;
        let calls = 0;
        client.timeRound = (...args) =>
          ++calls === 4 ? Promise.reject(new Error('made to fail')) : timeRound(...args);
      });
      await button(page, 'Measure again').click();
      await page.getByRole('alert').getByText('The measurement ended: made to fail').waitFor();
      await expect.poll(() => resultsOf(page)).toEqual(before);

      await button(page, 'Forget the measurement').click();
      await expect.poll(() => focused(page)).toBe('Measure');
      await expect.poll(() => status(page).textContent()).toContain('The measurement is gone.');
      await button(page, 'Undo').click();
      await expect.poll(() => focused(page)).toBe('Measure again');
      await expect.poll(() => status(page).textContent()).toContain('The measurement is back.');
      await page.reload();
      await expect.poll(() => status(page).textContent()).toContain('This is what you measured on');
      await expect.poll(() => resultsOf(page)).toEqual(before);

      // The page says that a measurement was made elsewhere, and reports address parts that it cannot use.
      const measuredAt = page.url();
      await page.evaluate(async () => {
        type Place = { browser: string };
        const { measurement, storage, client } = document.querySelector(
          'attn-speed-page',
        ) as unknown as {
          measurement: { place: Place };
          storage: { save: (key: string, value: unknown) => Promise<unknown> };
          client: { build: string };
        };
        const place = { ...measurement.place, browser: 'Chrome 1' };
        const elsewhere = { ...measurement, place, clockStep: 2 };
        await storage.save(`speed/measurement/${client.build}`, elsewhere);
      });
      await page.goto(page.url().replace('?', '?build=bogus&'));
      await expect.poll(() => status(page).textContent()).toMatch(/ in Chrome 1\./);
      await expect
        .poll(() => page.locator('.verdict').textContent())
        .toMatch(/^\s*You said 200; with .+ in Chrome 1 /);
      // A sample has to last 50 steps of a coarse clock.
      await page.getByText('steps of 2 ms. A sample must last 100 ms').waitFor();
      await expect
        .poll(() => page.locator('.here dd').nth(1).textContent())
        .toContain('the address asks for “bogus”, which is none of ours');
      await page.goto(measuredAt);
      await button(page, 'Forget the measurement').click();
      await expect.poll(() => status(page).textContent()).toContain('The measurement is gone.');
      await page.reload();
      await expect.poll(() => button(page, 'Measure').isEnabled()).toBe(true);
      // A time is what is tested: no measurement comes from anywhere.
      await page.waitForTimeout(300);
      expect(await marksOf(page).count()).toBe(0);

      // Nothing has been measured yet with the other binary.
      await page.getByRole('link', { name: 'SIMD128', exact: true }).click();
      await expect
        .poll(() => page.locator('.here dd').nth(1).textContent())
        .toContain('the address asks for it');
      await expect.poll(() => button(page, 'Measure').isEnabled()).toBe(true);
      // A time is what is tested: no measurement comes from anywhere.
      await page.waitForTimeout(300);
      expect(await marksOf(page).count()).toBe(0);
    });
  });

  it('can be stopped, and keeps the complete rounds', async () => {
    const { page } = await visit(`${speed}?n=256&rounds=31`);
    // A disabled button takes no focus, and pressing Enter would then do nothing.
    await expect.poll(() => button(page, 'Measure').isEnabled()).toBe(true);
    await button(page, 'Measure').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => status(page).textContent()).toContain('Measuring in 31 rounds');
    await expect.poll(() => focused(page)).toBe('Stop');
    // Caption and progress describe the kept measurement, whatever the settings are by now.
    await page.getByRole('radio', { name: '5', exact: true }).check({ force: true });
    await expect
      .poll(() => page.locator('.run .rounds').textContent(), { timeout: 30_000 })
      .toMatch(/round ([4-9]|[12]\d) of 31, about \d+ s left/);
    await expect
      .poll(() => page.locator('figcaption').first().textContent())
      .toMatch(/^Medians of ([3-9]|[12]\d) of 31 interleaved rounds .* Not finished\.$/);
    await button(page, 'Stop').focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => status(page).textContent(), { timeout: 15_000 })
      .toMatch(/Stopped\. What was measured in \d+ complete rounds is kept\./);
    await expect.poll(() => focused(page)).toBe('Measure again');
    // The visitor has made no guess.
    await expect
      .poll(() => page.locator('.verdict').textContent())
      .toMatch(/^\s*Here (linear|softmax) attention is /);
    await expect.poll(() => page.getByText('your guess').count()).toBe(0);
    const [, rounds = ''] = /Medians of (\d+) of 31/.exec(await captionOf(page)) ?? [];
    const csv = (await saved(page, 'every sample as CSV')).toString('utf8');
    expect(csv.match(/^fused,32,/gm)).toHaveLength(Number(rounds));
    expect(csv.match(/^performer,256,/gm)).toHaveLength(Number(rounds));
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => captionOf(page)).toContain(`Medians of ${rounds} of 31`);
  });

  it('keeps nothing of an interrupted round, and is not stopped by a double click', async () => {
    const { page } = await visit(`${speed}?n=4096&rounds=31`);
    await expect.poll(() => button(page, 'Measure').isEnabled()).toBe(true);
    await button(page, 'Measure').dblclick();
    await expect
      .poll(() => marksOf(page).count(), { timeout: 30_000 })
      .toBeGreaterThan(subjects.length);
    await expect
      .poll(() => captionOf(page))
      .toMatch(/^Samples of the first of 31 interleaved rounds/);
    await button(page, 'Stop').click();
    await expect
      .poll(() => status(page).textContent(), { timeout: 15_000 })
      .toContain('Stopped before the first round was complete.');
    await expect.poll(() => marksOf(page).count()).toBe(0);
    await expect.poll(() => page.locator('.verdict').count()).toBe(0);
  });

  it('accepts the guess from the slider, the keyboard, the grip and the link', async () => {
    const { page } = await visit(speed);
    const slider = page.getByRole('slider', { name: 'n, tokens, your guess' });
    await slider.focus();
    await page.keyboard.press('PageUp');
    await expect.poll(() => page.url()).toContain('guess=522');
    const grip = page.locator('attn-line-chart .grip');
    const box = await grip.boundingBox();
    if (!box) throw new Error('no grip');
    const y = box.y + box.height / 3;
    await page.mouse.move(box.x + box.width / 2, y);
    await page.mouse.down();
    await page.mouse.move(box.x - 100, y, { steps: 5 });
    await page.mouse.up();
    const guess = async () => Number(await slider.getAttribute('aria-valuetext'));
    await expect.poll(guess).toBeLessThan(522);
    const now = await guess();
    await expect.poll(() => page.url()).toContain(`guess=${now}`);
    await page.goBack();
    await expect.poll(guess).toBe(522);
    const wrong = 'recbuild=scalar&n=17';
    const { page: other } = await visit(`${speed}?guess=77&lock=guess&hide=rounds&${wrong}`);
    const locked = other.getByRole('slider', { name: 'n, tokens, your guess' });
    await expect.poll(() => locked.getAttribute('aria-valuetext')).toBe('77');
    await expect.poll(() => locked.isDisabled()).toBe(true);
    await expect.poll(() => other.locator('attn-line-chart .grip').count()).toBe(0);
    await expect.poll(() => other.getByRole('group', { name: 'Rounds' }).count()).toBe(0);
    await expect.poll(() => other.getByRole('alert').textContent()).toContain('17');
    // Several problems of one link are reported in one message.
    await expect.poll(() => other.getByRole('alert').locator('li').count()).toBe(2);
    await button(other, 'Dismiss').click();
    await expect.poll(() => other.getByRole('alert').count()).toBe(0);
    const { page: hidden } = await visit(`${speed}?guess=77&hide=guess`);
    await expect.poll(() => button(hidden, 'Measure').isEnabled()).toBe(true);
    await expect
      .poll(() => hidden.locator('attn-line-chart').locator('.grip, .marker').count())
      .toBe(0);
    await expect.poll(() => hidden.getByText('your guess').count()).toBe(0);
  });

  it('shows the recorded run as a picture and as a table that can be sorted', async () => {
    const { page } = await visit(speed);
    const recorded = page.locator('attn-recorded');
    const table = recorded.locator('table').first();
    await table.waitFor();
    await expect
      .poll(() => recorded.locator('figcaption').textContent())
      .toMatch(/Recorded on \d{4}-\d\d-\d\d on .+ with npm run bench:peers/);
    await expect.poll(() => recorded.locator('.dots .mark').count()).toBeGreaterThan(3);
    const values = async () =>
      (await table.locator('tbody tr td:nth-of-type(2)').allTextContents()).map(Number);
    // The page says which variant of each library ran, and what a hollow mark means.
    expect((await table.locator('.variant').allTextContents()).every((said) => said !== '')).toBe(
      true,
    );
    await expect
      .poll(() => recorded.locator('.legend').textContent())
      .toContain('hollow: the same attention, in chunks');
    const save = async (name: string) =>
      (await saved(page, `${name}: Beside other libraries`)).toString('utf8');
    expect(await save('as SVG')).toContain('hollow: the same attention, in chunks');
    const csv = (await save('every ratio as CSV')).trimEnd().split('\n');
    expect(csv[0]).toMatch(/^# Recorded on /);
    expect(csv.length).toBeGreaterThan(2 + (await table.locator('tbody tr').count()));
    const json: unknown = JSON.parse(await save('the whole run as JSON'));
    expect(json).toHaveProperty('about.machine.cpu');
    const build = recorded.getByRole('combobox', { name: 'Our build' });
    for (const one of ['simd', 'relaxed']) {
      await build.selectOption(one);
      await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(0);
      // What the project asks of itself is no visitor's business.
      expect(await recorded.textContent()).not.toMatch(/goal|wanted/i);
    }
    const narrow = await table.getByRole('button', { name: 'n', exact: true }).boundingBox();
    expect(narrow?.width).toBeGreaterThanOrEqual(24);
    expect(narrow?.height).toBeGreaterThanOrEqual(24);
    const ours = table.getByRole('button', { name: 'Ours, median ms' });
    await ours.click();
    const up = await values();
    expect(up).toEqual([...up].sort((a, b) => a - b));
    await ours.click();
    await expect.poll(() => values()).toEqual([...up].reverse());
    await expect.poll(() => table.locator('th[aria-sort=descending]').count()).toBe(1);
    const length = recorded.getByRole('combobox', { name: 'Length' });
    const first = await length.locator('option').first().getAttribute('value');
    await length.selectOption(first ?? '');
    await expect.poll(() => page.url()).toContain(`rec=${first}`);
  });

  it('reports when the core cannot be loaded', async () => {
    const { page } = await visit(speed, {
      before: (context) => context.route('**/full*.wasm', (route) => route.abort()),
      expectedErrors: /full|wasm|Failed to load|ERR_FAILED/i,
    });
    await page.getByText('The core could not start.').waitFor();
    await expect.poll(() => button(page, 'Measure').isEnabled()).toBe(false);
    expect(await violations(page)).toEqual([]);
  });
});
