import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { createFullTestClient } from '../wasm/in_process';
import { colourViolations, violations } from './axe';
import { alerts } from './lab';
import { arrive, figureAt, paste } from './through';
import { browsing } from './visit';

const visit = browsing();
const complexity = 'labs/complexity/index.html';
/** Turns off the animation at the start, which has a test of its own. */
const calm = { reducedMotion: 'reduce' } as const;

let started: Client | undefined;
const core = (): Client => {
  started ??= createFullTestClient();
  return started;
};
afterAll(() => started?.dispose());

const blocks = (page: Page): Locator => page.locator('attn-order-blocks');
const captionOf = async (figure: Locator): Promise<string> =>
  ((await figure.locator('figcaption').textContent()) ?? '').replace(/\s+/g, ' ');
const textOf = async (one: Locator): Promise<string> =>
  ((await one.textContent()) ?? '').replace(/\s+/g, ' ').trim();
const plain = (text: string): string => text.replace(/(\d),(?=\d{3})/g, '$1');
const edge = (page: Page, name: string): Locator => blocks(page).getByRole('slider', { name });
/** The predictions in the order of the page. */
const QUESTIONS = ['longer', 'wall', 'left', 'here', 'state', 'speed'] as const;
const question = (page: Page, id: (typeof QUESTIONS)[number]): Locator =>
  page.locator('attn-prediction').nth(QUESTIONS.indexOf(id));
/** A figure behind a question, which is skipped. */
async function skippedTo(
  page: Page,
  id: (typeof QUESTIONS)[number],
  figure: string,
): Promise<Locator> {
  const place = await figureAt(page, figure);
  expect(await place.locator('.run').count()).toBe(0);
  await question(page, id).getByRole('button', { name: 'Skip' }).click();
  return place;
}
async function commit(asked: Locator): Promise<void> {
  await asked.scrollIntoViewIfNeeded();
  await asked.locator('input[type=range]').first().press('ArrowRight');
  await asked.getByRole('button', { name: 'Commit' }).click();
  await expect.poll(() => asked.locator('.truth').count(), { timeout: 30_000 }).toBe(1);
}

/** What leaves the page is in one menu. */
const openMenu = (within: Locator): Promise<void> =>
  within.locator('.figure-tools > summary').first().click();

async function saved(page: Page, within: Locator, name: string): Promise<string> {
  await openMenu(within);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    within.getByRole('button', { name, exact: true }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

/** The areas of the faces as they are drawn. */
const areas = (page: Page): Promise<number[]> =>
  blocks(page)
    .locator('path.face')
    .evaluateAll((faces) =>
      faces.map((face) => {
        const numbers = (face.getAttribute('d') ?? '').match(/-?[\d.]+/g)?.map(Number) ?? [];
        let twice = 0;
        for (let i = 0; i < numbers.length; i += 2) {
          const [x = 0, y = 0] = numbers.slice(i, i + 2);
          const [u = 0, v = 0] = [
            numbers[(i + 2) % numbers.length],
            numbers[(i + 3) % numbers.length],
          ];
          twice += x * v - u * y;
        }
        return Math.abs(twice) / 2;
      }),
    );

describe('Lab 1, complexity: the boxes', () => {
  it('show what the core counts, true to scale', async () => {
    const { page } = await visit(`${complexity}?n=96&d=24&dv=12`, calm);
    await expect.poll(() => captionOf(blocks(page))).toContain('n = 96, d = 24');
    const costs = await core().orderCosts({ n: 96, dK: 24, dV: 12 });
    const verdict = plain(await textOf(blocks(page).locator('.result-line')));
    expect(verdict).toContain(`(QKT)V takes ${costs.plain.standard} multiply-adds`);
    expect(verdict).toContain(`Q(KTV) ${costs.plain.linear}`);
    expect(verdict).toContain(`equal at n = ${costs.plain.crossover}`);
    const said = await blocks(page).locator('table tbody tr td:nth-child(6)').allTextContents();
    expect(said.map(Number)).toEqual([
      ...costs.standard.products.map(({ multiplyAdds }) => multiplyAdds),
      ...costs.linear.products.map(({ multiplyAdds }) => multiplyAdds),
    ]);
    // Each of the four boxes has a left, an upper and a right face.
    const sizes = [
      [96 * 24, 24 * 96, 96 * 96],
      [96 * 96, 96 * 12, 96 * 12],
      [24 * 96, 96 * 12, 24 * 12],
      [96 * 24, 24 * 12, 96 * 12],
    ].flat();
    const drawn = await areas(page);
    expect(drawn).toHaveLength(sizes.length);
    const unit = (drawn[2] ?? 0) / (sizes[2] ?? 1);
    drawn.forEach((area, i) => {
      expect(Math.abs(area / unit / (sizes[i] ?? 1) - 1)).toBeLessThan(0.02);
    });
  });

  it('are resized by dragging an edge, by keys and by sliders, and the link follows', async () => {
    const { page } = await visit(complexity, calm);
    const n = edge(page, 'Edge n');
    await n.waitFor();
    const box = await n.boundingBox();
    if (!box) throw new Error('the edge has no place');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y - 60, { steps: 6 });
    await page.mouse.up();
    await expect
      .poll(async () => Number(await n.getAttribute('aria-valuenow')))
      .toBeGreaterThan(70);
    const dragged = Number(await n.getAttribute('aria-valuenow'));
    await expect.poll(() => new URL(page.url()).searchParams.get('n')).toBe(String(dragged));
    await expect.poll(() => captionOf(blocks(page))).toContain(`n = ${dragged},`);

    await n.focus();
    await page.keyboard.press('PageUp');
    await expect.poll(() => n.getAttribute('aria-valuenow')).toBe(String(2 * dragged));
    const wide = edge(page, 'Edge d_v');
    await wide.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => wide.getAttribute('aria-valuenow')).toBe('17');
    await page.keyboard.press('Home');
    await expect.poll(() => captionOf(blocks(page))).toContain('d_v = 1.'.replace('d_v', 'dv'));
    await page.goBack();
    await expect.poll(() => wide.getAttribute('aria-valuenow')).toBe('17');
  });

  it('grow at one scale: the first boxes stay as outlines, and each box says how many times it is', async () => {
    const { page } = await visit(complexity, calm);
    const n = edge(page, 'Edge n');
    await n.focus();
    const outlines = blocks(page).locator('path.first-box');
    const wide = () =>
      blocks(page)
        .locator('path.face.output')
        .first()
        .evaluate((face) => (face as SVGPathElement).getBBox().height);
    const high = await wide();
    expect(await outlines.count()).toBe(0);
    // Smaller boxes are smaller: the scale stays that of the first.
    await page.keyboard.press('PageDown');
    await expect.poll(() => captionOf(blocks(page))).toContain('n = 32,');
    await expect.poll(() => outlines.count()).toBe(4);
    expect(await wide()).toBeLessThan(0.65 * high);
    for (let i = 0; i < 3; i++) await page.keyboard.press('PageUp');
    await expect.poll(() => captionOf(blocks(page))).toContain('n = 256,');
    const [before, after] = await Promise.all(
      [64, 256].map((n) => core().orderCosts({ n, dK: 16, dV: 16 })),
    );
    const times = (order: 'standard' | 'linear') =>
      (after?.plain[order] ?? 0) / (before?.plain[order] ?? 0);
    const said = await textOf(blocks(page).locator('.blocks svg'));
    expect(said.split(`${times('standard')}× the first`)).toHaveLength(3);
    expect(said.split(`${times('linear')}× the first`)).toHaveLength(3);
    // The outline is as much smaller than its box as n is.
    const sizes = await blocks(page)
      .locator('path.first-box, path.face.between')
      .evaluateAll((paths) => paths.map((path) => (path as SVGPathElement).getBBox().height));
    expect(Math.max(...sizes) / (sizes[1] ?? Number.NaN)).toBeGreaterThan(3.5);
    // A link begins anew.
    await page.getByRole('button', { name: 'Reset' }).first().click();
    await expect.poll(() => outlines.count()).toBe(0);
  });

  it('are framed nowhere by a try, which frames the knobs that it changed', async () => {
    const { page } = await visit(complexity, calm);
    await arrive(page);
    await page.getByRole('button', { name: 'A long text', exact: true }).click();
    const framed = blocks(page).locator('.knob.changed');
    await expect
      .poll(() => framed.evaluateAll((knobs) => knobs.map(({ clientHeight }) => clientHeight > 0)))
      .toEqual([true]);
  });

  it('name every face with its rows and columns, however thin it is', async () => {
    for (const query of ['', '?n=4096', '?n=1&d=1&dv=1', '?n=8&d=256&dv=3']) {
      const { page } = await visit(`${complexity}${query}`, calm);
      await blocks(page).locator('path.face').first().waitFor();
      const names = blocks(page).locator('text.face-name');
      const words = (await names.allTextContents()).join(' ');
      // Three faces of four boxes; a name of two lines is two texts.
      for (const name of ['QKᵀ', 'Kᵀ', 'KᵀV', '(QKᵀ)V', 'Q(KᵀV)']) expect(words).toContain(name);
      expect(words.match(/n×d(?!v)/g)).toHaveLength(2);
      expect(words.match(/n×n/g)).toHaveLength(2);
      expect(words.match(/d×n/g)).toHaveLength(2);
      expect(words.match(/d×dv/g)).toHaveLength(2);
      expect(words.match(/n×dv/g)).toHaveLength(4);
      const sizes = await names.evaluateAll((all) =>
        all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
      );
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
    }
  });

  it('start to move at once, come to rest by themselves, and stop when a visitor acts', async () => {
    const { page } = await visit(complexity);
    const shown = async () => /n = (\d+)/.exec(await captionOf(blocks(page)))?.[1];
    const seen = new Set<string | undefined>();
    await expect
      .poll(async () => seen.add(await shown()).size, { interval: 40, timeout: 10_000 })
      .toBeGreaterThan(4);
    await expect.poll(shown, { timeout: 10_000 }).toBe('64');
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Let n grow' }).click();
    // Asked in the page and stopped by a key: on a busy machine n has grown whole before a second click arrives.
    const said = await page.waitForFunction(() => {
      const figure = document.querySelector('attn-order-blocks');
      const n = Number(
        /n = (\d+)/.exec(figure?.querySelector('figcaption')?.textContent ?? '')?.[1],
      );
      return n > 80 && figure?.querySelector('.grow')?.textContent?.trim();
    });
    expect(await said.jsonValue()).toBe('Stop');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Let n grow' }).count()).toBe(1);
    const rested = new URL(page.url()).searchParams.get('n');
    expect(Number(rested)).toBeGreaterThan(64);
    await expect.poll(shown).toBe(rested);
  });

  it('are not changed by a click while they grow to their first size', async () => {
    const { page } = await visit(complexity);
    const shown = async () => Number(/n = (\d+)/.exec(await captionOf(blocks(page)))?.[1]);
    await expect.poll(shown, { interval: 20 }).toBeLessThan(60);
    await blocks(page).locator('h2').click();
    await expect.poll(shown).toBe(64);
    expect(await edge(page, 'Edge n').getAttribute('aria-valuenow')).toBe('64');
    expect(new URL(page.url()).search).toBe('');
    expect(await saved(page, blocks(page), 'Save the numbers as CSV')).toContain('64,16,64,65536');
  });

  it('of a try stand beside the text, with those before as outlines and the difference in numbers', async () => {
    const { page } = await visit(complexity, calm);
    await arrive(page);
    const view = page.locator('attn-view').first();
    await view.scrollIntoViewIfNeeded();
    await expect.poll(() => view.locator('path.face').count()).toBe(12);
    expect(await view.locator('path.first-box').count()).toBe(0);
    await page.getByRole('button', { name: 'A short text', exact: true }).click();
    await expect.poll(() => view.locator('path.first-box').count()).toBe(4);
    const [before, now] = await Promise.all(
      [64, 4].map((n) => core().orderCosts({ n, dK: 16, dV: 16 })),
    );
    expect(plain(await textOf(view.locator('.result-line')))).toContain(
      `${before?.plain.standard} → ${now?.plain.standard}`,
    );
    expect(new URL(page.url()).search).toBe('');
  });
});

describe('Lab 1, complexity: the steps', () => {
  const shown = visit.shared(
    `${complexity}?race.text=own&race.cache=8&time.n=1024&time.rounds=3#handout`,
    calm,
  );

  it('quote the handout as a quotation, beside the counts of the core', async () => {
    const { page } = shown;
    const figure = await figureAt(page, 'handout-count');
    // Two quotations in the picture, three in the table of the sheet.
    await expect.poll(() => figure.locator('q').count()).toBe(5);
    const costs = await core().orderCosts({ n: 4096, dK: 64, dV: 64 });
    // The two orders and their ratio are the columns.
    const cells = async (column: number) =>
      (await figure.locator(`tbody td:nth-child(${column + 2})`).allTextContents()).map((text) =>
        plain(text).trim(),
      );
    expect((await cells(1)).slice(1)).toEqual([
      String(costs.linear.products[0].multiplyAdds),
      String(costs.linear.products[1].multiplyAdds),
      String(costs.plain.linear),
      String(costs.normalized.linear),
    ]);
    expect((await cells(2))[3]).toBe(String(costs.plain.ratio));
    await figure.locator('attn-slider').first().locator('input[type=range]').press('PageDown');
    await expect.poll(() => figure.locator('q').count()).toBe(0);

    const memory = await figureAt(page, 'handout-memory');
    await expect.poll(() => memory.locator('.picture tbody tr').count()).toBe(4);
    const { rows } = await core().memoryTable({});
    const [first] = rows;
    expect(await memory.locator('q').allTextContents()).toHaveLength(8);
    const times = (first?.claimedStandard ?? 0) / (first?.standard ?? 1);
    await expect.poll(() => textOf(memory.locator('.result-line'))).toContain(`${times} times`);
    // With as many heads and texts as the quoted sizes belong to, they are right.
    const texts = memory.locator('attn-slider').nth(1).locator('[role=spinbutton]');
    await texts.fill(String(times));
    await texts.press('Enter');
    await expect.poll(() => textOf(memory.locator('.result-line'))).toContain('1 times');
  });

  it('ask for a guess before they show the answer, and compare it with the core', async () => {
    const { page } = shown;
    const wall = question(page, 'wall');
    await commit(wall);
    const { limit } = await core().memoryInfo();
    const longest = Math.floor(Math.sqrt(limit / 4));
    await expect.poll(() => textOf(wall), { timeout: 20_000 }).toContain(String(longest));
    // The figure of the answer is beside it.
    const beside = page.locator('[data-figure=bytes]');
    const chart = beside.locator('attn-line-chart');
    await expect.poll(() => chart.locator('.marker.strong').count(), { timeout: 20_000 }).toBe(1);
    await expect
      .poll(async () => plain(await textOf(beside.locator('figure .result-line'))))
      .toContain(`n = ${longest}`);
    // How long it would take there is measured here, so only that it is said can be tested.
    const wallSaid = plain(await textOf(beside.locator('.sheet .wall-time')));
    expect(wallSaid).toMatch(/would take about [\d.]+ s there: an estimate, .* at n = 1024\./);

    const longer = question(page, 'longer');
    await commit(longer);
    const { plain: counted } = await core().orderCosts({ n: 131072, dK: 64, dV: 64 });
    expect(await textOf(longer)).toContain(`${counted.ratio} ×`);
    await expect
      .poll(() => textOf(page.locator('[data-figure=growth] figure .result-line')))
      .toMatch(/factor of 4, the linear one by 2/);
  });

  it('count every variant as the core does', async () => {
    const { page } = shown;
    await commit(question(page, 'left'));
    const rows = page.locator('attn-order-gains tbody tr');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(6);
    const client = core();
    const costs = await client.orderCosts({ n: 4096, dK: 64, dV: 64 });
    const D = await client.taylorDimension({ d: 16 });
    const taylor = await client.orderCosts({ n: 4096, dK: 16, dV: 64, D });
    const bars = page.locator('attn-order-gains .gain-bars');
    const gains = (await bars.locator('strong').allTextContents()).map(Number.parseFloat);
    // The reader's answer is a line across all bars.
    expect(await bars.locator('.guess').count()).toBe(6);
    const wanted = [
      costs.plain.ratio,
      costs.normalized.ratio,
      costs.causal?.ratio ?? 0,
      costs.causalNormalized?.ratio ?? 0,
      taylor.plain.ratio,
    ];
    wanted.forEach((ratio, i) => {
      expect(Math.abs((gains[i] ?? 0) / ratio - 1)).toBeLessThan(0.006);
    });
  });

  it('race through a text of the reader: stopped, resumed, and saved', async () => {
    const { page } = shown;
    const race = await skippedTo(page, 'speed', 'race');
    const start = race.locator('.run button').first();
    expect(await start.isDisabled()).toBe(true);
    // Long enough for softmax attention to fill its cache of 8 MiB, 16384 tokens.
    const sentence = 'The whale swam on, and the ship came after it. ';
    const field = race.getByLabel('Your text');
    await field.fill(sentence.repeat(1499));
    // A book is kept out, because a browser would break it into lines for seconds.
    await paste(field, sentence.repeat(9000));
    await expect
      .poll(() => alerts(race))
      .toEqual([expect.stringMatching(/^Saw 493,?453 characters; wanted at most 400,?000\. /)]);
    expect((await field.inputValue()).length).toBe(1499 * sentence.length);
    await paste(field, sentence);
    await expect.poll(() => alerts(race)).toEqual([]);
    await start.click();
    await expect.poll(() => start.textContent(), { timeout: 20_000 }).toContain('Stop');
    const position = async (id: string) =>
      Number(plain(await textOf(race.locator(`.facts td.${id}`).first())).split(' of ')[0]);
    await expect.poll(() => position('softmax'), { timeout: 20_000 }).toBeGreaterThan(0);
    await start.click();
    await expect.poll(() => start.textContent()).toContain('Read on');
    const stopped = await position('softmax');
    await start.click();
    await expect
      .poll(() => textOf(race.locator('.status')), { timeout: 60_000 })
      .toBe('The race is over.');
    expect(stopped).toBeLessThanOrEqual(16384);
    expect(await position('softmax')).toBe(16384);
    expect(await race.locator('.runner.softmax .wall').count()).toBe(1);
    // What the line across the bar means, and who is where on the page, stand in words beside them.
    expect(plain(await textOf(race.locator('.runner.softmax .wall-at')))).toBe('cache full: 16384');
    const readers = await textOf(race.locator('.page-read .fine'));
    expect(readers).toContain('Softmax attention is here');
    expect(readers).toContain('only linear attention has read this');
    const tokens = 1500 * 12;
    expect(await position('linear')).toBe(tokens);
    expect(await textOf(race.locator('.facts td.linear').nth(1))).toBe('16.3 KiB');
    expect(await textOf(race.locator('.facts td.softmax').nth(1))).toBe('8 MiB');
    const verdict = plain(await textOf(race.locator('.result-line')));
    expect(verdict).toContain(`has read all ${tokens} tokens`);
    expect(verdict).toContain('stops after 16384 tokens');
    // The finished race is as readable as any page, and its bars are printed.
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', media: 'print' });
    const printed = await race
      .locator('.covered')
      .evaluateAll((bars) =>
        bars.map((bar) => getComputedStyle(bar).getPropertyValue('print-color-adjust')),
      );
    expect(printed).toEqual(['exact', 'exact']);
    await page.emulateMedia({ media: 'screen' });
    const saved = page.waitForEvent('download');
    await openMenu(race);
    await race.getByRole('button', { name: /CSV/ }).click();
    expect((await saved).suggestedFilename()).toMatch(/race.*\.csv$/);
  });

  it('run linear attention on 16 384 tokens', async () => {
    const { page } = shown;
    const figure = await skippedTo(page, 'state', 'run');
    await figure.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => textOf(figure.locator('.figure-foot .status')), { timeout: 60_000 })
      .toMatch(/^Done/);
    const facts = plain(await textOf(figure.locator('.facts')));
    expect(facts).toContain('Softmax’s weights would take 1 GiB');
    await expect.poll(() => captionOf(figure)).toContain('n = 16384');
  });

  it('have lists that are as wide as their longest option', async () => {
    const figure = await skippedTo(shown.page, 'here', 'time');
    const widths = await figure.locator('.knobs select').evaluateAll((lists) =>
      (lists as HTMLSelectElement[]).map((list) => {
        const shown = list.offsetWidth;
        list.style.width = 'max-content';
        const whole = list.offsetWidth;
        list.style.removeProperty('width');
        return { shown, whole };
      }),
    );
    expect(widths).toHaveLength(2);
    for (const { shown: now, whole } of widths) expect(now).toBeGreaterThanOrEqual(whole);
  });

  it('measure, fit slopes, and keep and export them beside the counts of the same run', async () => {
    const { page } = shown;
    const figure = await figureAt(page, 'time');
    await figure.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => textOf(figure.locator('.figure-foot .status')), { timeout: 60_000 })
      .toMatch(/^Done/);
    // There are seven lengths and three contenders.
    await expect.poll(() => figure.locator('.series .mark').count()).toBe(21);
    await expect.poll(() => figure.locator('.fit').count()).toBe(3);
    await expect.poll(() => figure.locator('.slopes li:not(.crossing)').count()).toBe(3);
    await expect
      .poll(() => textOf(figure.locator('.result-line')))
      .toMatch(/, measured here; counted /);
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
    const verdict = await textOf(figure.locator('.counted'));
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
    const again = await skippedTo(page, 'here', 'time');
    await expect
      .poll(() => again.locator('.slopes li:not(.crossing)').count(), { timeout: 20_000 })
      .toBe(3);
    await expect.poll(() => again.getByText('Kept runs (1)').count()).toBe(1);
  });

  it('fetch the book only when it is asked for, and start it by keyboard', async () => {
    const { page } = await visit(`${complexity}#book`, calm);
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    const race = await skippedTo(page, 'speed', 'race');
    const start = race.locator('.run button').first();
    expect(await textOf(start)).toMatch(
      /Load the book and start \([\d.]+ MiB, compressed \d+ KiB\)/,
    );
    expect(fetched.filter((url) => url.includes('moby-dick'))).toEqual([]);
    await start.focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => textOf(race.locator('.runner.linear .place strong')), { timeout: 30_000 })
      .toMatch(/^(Etymology|Extracts|Chapter \d+\. |Epilogue)/);
    expect(fetched.filter((url) => url.includes('moby-dick'))).toHaveLength(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(start)).toContain('Read on');
  });

  it('keep what was measured when they are stopped', async () => {
    const { page } = await visit(`${complexity}?time.n=4096&time.rounds=9#measure`, calm);
    const figure = await skippedTo(page, 'here', 'time');
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

  it('keep a try in the chart as it was before, and say what it changed', async () => {
    const { page } = await visit(`${complexity}#crossover`, calm);
    const figure = await figureAt(page, 'features');
    const lines = () => figure.locator('attn-line-chart .series').count();
    await expect.poll(lines).toBe(2);
    await page.getByRole('button', { name: 'As many features as Taylor makes' }).click();
    const client = core();
    const D = await client.taylorDimension({ d: 16, compact: false });
    const { plain: counted } = await client.orderCosts({ n: 1, dK: 64, dV: 64, D });
    await expect
      .poll(() => textOf(figure.locator('.result-line')))
      .toContain(`Crossing n*: 64 → ${counted.crossover}`);
    expect(await lines()).toBe(4);
    await page.getByRole('button', { name: 'As many features as Taylor makes' }).click();
    await expect.poll(lines).toBe(2);
  });

  it('ask for a drawn curve before the race, and measure the true one', async () => {
    const { page } = await visit(`${complexity}#book`, calm);
    const race = await figureAt(page, 'race');
    expect(await race.locator('.run').count()).toBe(0);
    const asked = question(page, 'speed');
    await commit(asked);
    const speeds = ((await asked.locator('.truth dd').textContent()) ?? '')
      .match(/[\d.]+/g)
      ?.map(Number);
    expect(speeds).toHaveLength(6);
    // Far into the text every token looks at far more than at the beginning.
    expect(speeds?.at(-1)).toBeLessThan((speeds?.[0] ?? 0) / 2);
    await expect.poll(() => race.locator('.run button').count()).toBe(1);
    await expect.poll(() => textOf(race.locator('.run'))).toMatch(/^Load the book and start/);
  });
});
