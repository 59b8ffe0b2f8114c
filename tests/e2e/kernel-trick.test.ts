import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client, Matrix } from '#client';
import { cellText, entry } from '../../web/labs/kernel-trick/draw/matrices';
import { gramOf } from '../../web/labs/kernel-trick/figures/gram/eigenvalues';
import { recall } from '../../web/labs/kernel-trick/figures/recall/memories';
import { softmaxRank } from '../../web/labs/kernel-trick/figures/spectrum/rank';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { arrive, figureAt } from './through';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/kernel-trick/index.html';
const calm = { reducedMotion: 'reduce' } as const;
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const order = (page: Page, name: 'Standard order' | 'Linear order'): Locator =>
  page.locator('attn-kt-orders').getByRole('group', { name });
const counter = (page: Page, name: 'Standard order' | 'Linear order') =>
  order(page, name)
    .locator('.counter')
    .textContent()
    .then((text) => (text ?? '').replace(/\s+/g, ' ').trim());
const terms = async (of: Locator): Promise<string> =>
  ((await of.locator('.terms').textContent()) ?? '').replace(/\s+/g, ' ').trim();
/** The cells of a drawn matrix, row by row; an empty string for a cell that is not filled yet. */
const drawn = (of: Locator, id: string): Promise<string[]> =>
  of.locator(`.kt-picture rect[data-m="${id}"]`).evaluateAll((cells) =>
    cells.map((cell) => {
      const next = cell.nextElementSibling;
      return next?.tagName === 'text' ? (next.textContent ?? '') : '';
    }),
  );
const texts = ({ data }: Matrix): string[] =>
  Array.from(data, (value) => (Number.isNaN(value) ? '' : cellText(value)));
const percent = (share: number): string => `${formatNumber(100 * share, share === 1 ? 3 : 2)} %`;
const rounded = ({ rows, cols, data }: Matrix): Matrix => ({
  rows,
  cols,
  data: data.map((value) => Math.round(1.4 * value) + 0),
});

/** Commits to the first option, or to the bar where it stands, and returns the computed answer. */
async function predict(page: Page, id: string): Promise<string> {
  const question = page.locator('attn-prediction', {
    has: page.locator(`#prediction-${id}-title`),
  });
  await question.scrollIntoViewIfNeeded();
  const radio = question.getByRole('radio').first();
  if ((await radio.count()) > 0) await radio.check();
  else {
    await question.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
  }
  await question.getByRole('button', { name: 'Commit' }).click();
  const truth = question.locator('.answers .truth .value');
  await expect.poll(() => truth.count(), { timeout: 30_000 }).toBe(1);
  return ((await truth.textContent()) ?? '').trim();
}

/** Opens the menu *Save*, which stays open after a choice. */
async function openSave(of: Locator): Promise<void> {
  const menu = of.locator('.figure-tools');
  if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
}

const row = async (of: Locator, name: string): Promise<string[]> =>
  (
    await of
      .locator('.kt-table tbody tr', {
        has: of.page().getByRole('rowheader', { name, exact: true }),
      })
      .locator('td')
      .allTextContents()
  ).map((text) => text.replace(/\s+/g, ' ').trim());

describe('the kernel trick lab: both orders on one clock', () => {
  it('shows the core’s numbers, cell by cell, and both counts', async () => {
    const { page } = await visit(`${lab}?n=5&d=3&dv=2&seed=4&step=33`, calm);
    await expect
      .poll(() => counter(page, 'Standard order'))
      .toBe('33 of 125 multiply-adds in between: 5 × 5 = 25 numbers');
    const made = await core.gaussianQkv({ n: 5, dK: 3, dV: 2, seed: 4 });
    const qkv = { q: rounded(made.q), k: rounded(made.k), v: rounded(made.v) };
    const [standard, linear] = await Promise.all([
      core.associativityTrace({ ...qkv, order: 'standard', step: 33 }),
      core.associativityTrace({ ...qkv, order: 'linear', step: 33 }),
    ]);
    await expect
      .poll(() => counter(page, 'Linear order'))
      .toBe(`33 of ${linear.total} multiply-adds in between: 3 × 2 = 6 numbers`);
    for (const [name, trace] of [
      ['Standard order', standard],
      ['Linear order', linear],
    ] as const) {
      await expect.poll(() => drawn(order(page, name), 'q')).toEqual(texts(qkv.q));
      await expect.poll(() => drawn(order(page, name), 'product')).toEqual(texts(trace.product));
      await expect.poll(() => drawn(order(page, name), 'output')).toEqual(texts(trace.output));
    }
    // After a jump to the end, both orders have the same outputs.
    const clock = page.locator('attn-kt-orders .transport');
    await clock.getByRole('button', { name: 'To the end' }).click();
    await expect
      .poll(() => page.locator('attn-kt-orders .result-line').textContent())
      .toContain('bit for bit');
    const all = await drawn(order(page, 'Standard order'), 'output');
    expect(all).toEqual(await drawn(order(page, 'Linear order'), 'output'));
    expect(all.every((text) => text !== '')).toBe(true);
  });

  it('shows the terms of a cell, by keys and under the pointer', async () => {
    const { page } = await visit(lab, calm);
    const standard = order(page, 'Standard order');
    await expect.poll(() => counter(page, 'Standard order')).toContain('done');
    await standard.getByRole('application').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => terms(standard)).toMatch(/^\(QKᵀ\)V, row 1, column 1 = /);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => terms(standard)).toMatch(/^QKᵀ, row 1, column 6 = /);
    const made = await core.gaussianQkv({ n: 6, dK: 2, dV: 2, seed: 6 });
    const [q, k] = [rounded(made.q), rounded(made.k)];
    const written = (value: number) => (value < 0 ? `(${cellText(value)})` : cellText(value));
    const products = [0, 1].map((i) => `${written(entry(q, 0, i))}·${written(entry(k, 5, i))}`);
    const cell = (await drawn(standard, 'product'))[5];
    await expect
      .poll(() => terms(standard))
      .toBe(`QKᵀ, row 1, column 6 = ${products.join(' + ')} = ${cell}`);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => terms(standard)).toMatch(/^Kᵀ, row 2, column 6 = /);
    await page.keyboard.press('Escape');
    await expect.poll(() => terms(standard)).toMatch(/^\(QKᵀ\)V, row 6, column 2 = /);
    const linear = order(page, 'Linear order');
    await linear.locator('rect[data-m="product"]').first().hover();
    await expect.poll(() => terms(linear)).toMatch(/^KᵀV, row 1, column 1 = .+·/);
  });

  it('plays, stops, steps and jumps; the link holds the tick', async () => {
    const { page } = await visit(lab, { reducedMotion: 'no-preference' });
    const clock = page.locator('attn-kt-orders .transport');
    const tick = () => clock.locator('.tick').textContent();
    // The animation starts by itself and can be stopped.
    const pause = page.locator('attn-kt-orders').getByRole('button', { name: 'Pause' });
    await expect.poll(() => pause.count()).toBe(1);
    await pause.click();
    await expect.poll(() => page.url()).toMatch(/step=\d+/);
    const stopped = Number(/step=(\d+)/.exec(page.url())?.[1]);
    await expect.poll(tick).toBe(`tick ${stopped} of 144`);
    await clock.getByRole('button', { name: 'One multiply-add on' }).click();
    await expect.poll(tick).toBe(`tick ${stopped + 1} of 144`);
    const slider = clock.getByRole('slider', { name: 'Tick of the clock' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(tick).toBe('tick 0 of 144');
    await expect
      .poll(() => drawn(order(page, 'Standard order'), 'product'))
      .toEqual(Array(36).fill(''));
    await page.goBack();
    await expect.poll(tick).toBe(`tick ${stopped + 1} of 144`);

    const { page: still } = await visit(lab, calm);
    await expect.poll(() => counter(still, 'Standard order')).toContain('done');
    // With reduced motion nothing has moved, and playing jumps from cell to cell.
    const button = still.locator('attn-kt-orders').getByRole('button', { name: 'Play' });
    await expect.poll(() => button.count()).toBe(1);
    // Every tick that is shown is noted, because one that is polled for may be over on a busy machine.
    await still.evaluate(() => {
      const shown = (globalThis as { ticks?: string[] }).ticks ?? [];
      (globalThis as { ticks?: string[] }).ticks = shown;
      const note = (): void => {
        const tick = document.querySelector('attn-kt-orders .transport .tick')?.textContent ?? '';
        if (shown.at(-1) !== tick) shown.push(tick);
      };
      const place = document.querySelector('attn-kt-orders') as Element;
      new MutationObserver(note).observe(place, {
        ...{ childList: true, subtree: true, characterData: true },
      });
    });
    await button.click();
    const ticks = () => still.evaluate(() => (globalThis as { ticks?: string[] }).ticks ?? []);
    await expect.poll(async () => (await ticks()).length).toBeGreaterThan(3);
    const first = (await ticks()).filter((tick) => !/^tick 144/.test(tick)).slice(0, 3);
    expect(first).toEqual(['tick 0 of 144', 'tick 2 of 144', 'tick 4 of 144']);
  });
});

describe('the kernel trick lab on a phone', () => {
  it('has numbers and names that can be read', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await visit(lab, { ...calm, viewport, folded: true });
    await expect.poll(() => counter(page, 'Linear order')).toContain('done');
    const sizes = await page
      .locator('attn-kt-orders .kt-picture :is(text, tspan)')
      .evaluateAll((texts) =>
        texts.map((text) => {
          const scale = (text as SVGTextElement).getScreenCTM()?.a ?? 0;
          return scale * Number(text.getAttribute('font-size'));
        }),
      );
    // Nine pixels as the smallest, less what scaling rounds.
    expect(Math.min(...sizes)).toBeGreaterThan(8.9);
    // Both counters are seen side by side, so that they can be compared.
    const [one, other] = await page
      .locator('attn-kt-orders .kt-orders .counter')
      .evaluateAll((counters) => counters.map((each) => each.getBoundingClientRect().top));
    expect(one).toBe(other);
  });

  it('has its knobs below the picture, also in tab order, and beside it in landscape', async () => {
    const { page } = await visit(`${lab}?step=20`, {
      ...calm,
      folded: true,
      viewport: { width: 390, height: 800 },
    });
    await expect.poll(() => counter(page, 'Standard order')).toMatch(/^20 of/);
    const inOrder = () =>
      page
        .locator('attn-kt-orders .bench > *')
        .evaluateAll((parts) =>
          parts.map((part) => [part.className, part.getBoundingClientRect().top] as const),
        );
    const phone = await inOrder();
    expect(phone.map(([name]) => name)).toEqual(['stage', 'knobs']);
    expect(phone[1]?.[1]).toBeGreaterThan(phone[0]?.[1] ?? Number.NaN);
    const picture = order(page, 'Linear order').getByRole('application');
    await picture.focus();
    const entries = page
      .locator('attn-kt-orders .knob-panel')
      .getByRole('radio', { name: 'Whole numbers' });
    // Tab goes past the menu below the picture to the first knob.
    const focused = (): Promise<boolean> =>
      entries.evaluate((radio) => radio === document.activeElement);
    for (let i = 0; i < 4 && !(await focused()); i++) await page.keyboard.press('Tab');
    expect(await focused()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect
      .poll(async () => (await inOrder()).map(([name]) => name))
      .toEqual(['knobs', 'stage']);
    // The same figure continues: it was not made again.
    await expect.poll(() => counter(page, 'Standard order')).toMatch(/^20 of/);
  });
});

describe.each([
  [1440, 900],
  [1280, 720],
  [390, 844],
])('the kernel trick lab at %i × %i', (width, height) => {
  it('has both orders whole in its first view, at the smallest and largest sizes too', async () => {
    const viewport = { width, height };
    for (const sizes of ['', '?n=2&d=1&dv=1', '?n=8&d=4&dv=4&numbers=real']) {
      const { page } = await visit(`${lab}${sizes}`, { ...calm, viewport, folded: true });
      await expect.poll(() => counter(page, 'Linear order')).toMatch(/^(\d+) of \1 /);
      const seen = (): Promise<unknown> =>
        page.locator('attn-kt-orders .view').evaluate((view) => {
          const place = view.getBoundingClientRect();
          const out = [...view.querySelectorAll('.kt-order, .kt-picture svg, .terms, .result-line')]
            .filter((part) => {
              const box = part.getBoundingClientRect();
              return (
                box.left < place.left - 1 ||
                box.right > place.right + 1 ||
                box.bottom > place.bottom + 1
              );
            })
            .map((part) => part.className.toString() || part.tagName);
          return { over: view.getAttribute('data-over'), out };
        });
      await expect.poll(seen, { message: sizes }).toEqual({ over: null, out: [] });
    }
  });
});

describe('the kernel trick lab: its steps', () => {
  const knobs = [
    'runs.seeds=3&runs.n=20&runs.d=8',
    'worked.q1=2&worked.q2=1&worked.k1=1&worked.k2=1',
    'state.t=2',
    'recall-figure.n=64&recall-figure.draws=2&recall-figure.since=64',
  ].join('&');
  const shown = visit.shared(`${lab}?${knobs}`, calm);
  beforeEach(() => arrive(shown.page));

  it('rounding: a relative tolerance alone fails as the core says, and an absolute one helps', async () => {
    const { page } = shown;
    const report = await core.associativityPrecision({
      ...{ n: 100, dK: 64, dV: 64, draws: 20, seed: 0, rtol: 1e-5, atol: 0 },
    });
    expect(report.float32.failedDraws).toBe(20);
    expect(report.float64.failedDraws).toBe(0);
    // The sweep over seeds would tell how many pass, so it waits for the answer.
    const runs = await figureAt(page, 'runs');
    const start = runs.getByRole('button', { name: 'Run experiment' });
    await expect
      .poll(() => runs.locator('.picture').textContent())
      .toContain('waits for your answer');
    expect(await start.count()).toBe(0);
    expect(await predict(page, 'rtol')).toBe('Not one');
    await expect.poll(() => start.count()).toBe(1);
    const rounding = await figureAt(page, 'rounding-figure');
    await expect.poll(() => row(rounding, 'Seeds that fail')).toEqual(['20 of 20', '0 of 20']);
    await expect
      .poll(() => row(rounding, 'Largest |a − b| / |b|'))
      .toEqual([
        formatNumber(report.float32.maxRelativeDifference),
        formatNumber(report.float64.maxRelativeDifference),
      ]);
    await expect.poll(() => rounding.locator('attn-line-chart .mark').count()).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'With an atol' }).click();
    await expect.poll(() => row(rounding, 'Seeds that fail')).toEqual(['0 of 20', '0 of 20']);
    // A try leaves the link as it is.
    expect(page.url()).not.toContain('atol');
  });

  it('softmax: ranks and changed entries', async () => {
    const { page } = shown;
    const { rank } = await softmaxRank(core, { n: 32, dK: 4, seed: 1 }, {});
    expect(rank).toBe(32);
    expect(await predict(page, 'rank')).toBe('The full 32');
    const spectrum = await figureAt(page, 'spectrum');
    const ranks = await spectrum.locator('.kt-table tbody td:nth-child(2)').allTextContents();
    expect(ranks.map((text) => text.trim())).toEqual(['4', '32', '15']);
    const tied = await figureAt(page, 'tied');
    const changed = await tied.locator('.kt-part strong').allTextContents();
    expect(changed).toEqual(['6 of 36 changed', '6 of 36 changed', '36 of 36 changed']);
    // A comparison is one row.
    const tops = await tied
      .locator('.kt-part svg')
      .evaluateAll((matrices) =>
        matrices.map((one) => Math.round(one.getBoundingClientRect().top)),
      );
    expect(new Set(tops).size).toBe(1);
  });

  it('kernel: features add up to the Taylor polynomial, and a score’s ELU is no kernel', async () => {
    const { page } = shown;
    const worked = await figureAt(page, 'worked');
    const s = 3 / Math.SQRT2;
    const facts = worked.locator('.kt-facts dd');
    await expect
      .poll(async () => Number(await facts.first().textContent()))
      .toBeCloseTo(1 + s + s ** 2 / 2, 2);
    expect(Number(await facts.nth(1).textContent())).toBeCloseTo(Math.exp(s), 2);
    await expect.poll(() => worked.locator('.kt-table tbody tr').count()).toBe(7);
    const gram = await gramOf(core, { kernel: 'elu', n: 8, d: 2, seed: 1 }, {});
    expect(gram.negative).toBeGreaterThan(0);
    expect(await predict(page, 'psd')).toBe('No: an eigenvalue is negative');
    const figureOf = await figureAt(page, 'gram');
    await expect
      .poll(() => figureOf.locator('.result-line').textContent())
      .toContain(`${gram.negative} negative.`);
    await figureOf.getByRole('combobox').selectOption('exp');
    await expect.poll(() => figureOf.locator('.result-line').textContent()).toContain('None below');
  });

  it('the state, token by token, gives what the whole matrix gives', async () => {
    const { page } = shown;
    const state = await figureAt(page, 'state');
    const qkv = await core.gaussianQkv({ n: 8, dK: 2, dV: 3, seed: 1 });
    const trace = await core.recurrentTrace({ ...qkv, featureMap: { id: 'elu_plus_one' } });
    const part = (matrix: Matrix, from: number, rows: number): Matrix => ({
      ...{ rows, cols: matrix.cols },
      data: matrix.data.slice(from * matrix.cols, (from + rows) * matrix.cols),
    });
    await expect.poll(() => drawn(state, 's')).toEqual(texts(part(trace.s, 2, 2)));
    await state.getByRole('button', { name: 'One token on' }).click();
    await expect.poll(() => drawn(state, 's')).toEqual(texts(part(trace.s, 4, 2)));
    await expect.poll(() => drawn(state, 'z')).toEqual(texts(part(trace.z, 2, 1)));
    await expect.poll(() => drawn(state, 'o')).toEqual(texts(part(trace.output, 2, 1)));
    // The text about both ways to the answers has a view of its own.
    const answers = page.locator('attn-view', { has: page.locator('[data-m="parallel"]') });
    await answers.scrollIntoViewIfNeeded();
    await expect.poll(() => drawn(answers, 'parallel')).toEqual(texts(trace.parallel));
    const last = texts(part(trace.output, 1, 1));
    await expect.poll(async () => (await drawn(answers, 'output')).slice(3, 6)).toEqual(last);
    expect(trace.maxDifference).toBeLessThan(1e-5);
    await expect
      .poll(() => state.textContent())
      .toContain(
        `Largest difference between the two over all tokens: ${formatNumber(trace.maxDifference)}.`,
      );
  });

  it('a fact fades from the state, and softmax keeps it', async () => {
    const { page } = shown;
    const first = { features: 64, n: 1024, d: 16, scale: 2, draws: 10, seed: 1 };
    const asked = await recall(core, 'elu', first, {});
    const weight = 100 * (asked.weight.at(-1)?.median ?? Number.NaN);
    expect(weight).toBeLessThan(1);
    expect(await predict(page, 'recall')).toBe(`${formatNumber(weight, 2)} %`);
    const place = await figureAt(page, 'recall-figure');
    // The figure shows what the question asks, and not the numbers of the link; its sentence has the same number.
    await expect
      .poll(() => place.locator('.result-line').textContent())
      .toContain(`${percent(weight / 100)} with ELU + 1`);
    for (const [memory, name] of [
      ['softmax', 'Softmax'],
      ['elu', 'ELU + 1'],
      ['taylor', 'Taylor of order 2'],
      ['random', 'Random features'],
    ] as const) {
      const { weight, right, numbers, weights, fact } = await recall(core, memory, first, {});
      expect((await row(place, name)).slice(1)).toEqual([
        String(numbers.at(-1)),
        percent(weight.at(-1)?.median ?? Number.NaN),
        percent(right.at(-1) ?? Number.NaN),
      ]);
      expect(fact.cols).toBe(16);
      await expect
        .poll(() => place.locator('.kt-picture').getAttribute('aria-label'))
        .toContain(
          `${name}: weight of the fact ${percent(weights[1024] ?? Number.NaN)} in this stream,`,
        );
    }
    // The number in the prose moves the picture, and more random features change their row alone.
    const before = await row(place, 'Random features');
    await page.getByRole('button', { name: 'Buy more features' }).click();
    await expect
      .poll(async () => (await row(place, 'Random features'))[0], { timeout: 60_000 })
      .toBe('1024');
    expect(await row(place, 'Random features')).not.toEqual(before);
    // A try leaves the link as it is.
    expect(page.url()).not.toContain('recall-figure.features');
  });

  it('denominators of the identity, and the handout’s 64', async () => {
    const { page } = shown;
    const { q, k } = await core.gaussianQkv({ n: 100, dK: 64, dV: 64, seed: 1 });
    const sums = await core.denominators({ q, k, featureMap: { id: 'identity' } });
    const negative = sums.data.filter((sum) => sum <= 0).length;
    expect(negative).toBeGreaterThan(20);
    expect(await predict(page, 'negative')).toBe(`${negative} %`);
    const signs = await figureAt(page, 'signs');
    const line = signs.locator('.result-line');
    await expect.poll(() => line.textContent()).toContain(`${negative} of 100 rows`);
    await signs.getByRole('combobox').selectOption('elu_plus_one');
    await expect.poll(() => line.textContent()).toContain('0 of 100 rows');
    const counts = await figureAt(page, 'counts');
    const { plain, causal } = await core.orderCosts({ n: 4096, dK: 64, dV: 64 });
    await expect
      .poll(() => row(counts, 'Both products'))
      .toEqual([formatNumber(plain.standard, 4), formatNumber(plain.linear, 4), '64.0']);
    expect((await row(counts, 'Both, causal: only keys up to the query'))[2]).toBe(
      formatNumber(causal?.ratio ?? Number.NaN),
    );
    expect((await row(counts, 'The handout, quoted'))[0]).toBe('1.07 billion ops');
    // A table can be saved like a picture.
    await openSave(counts);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      counts.getByRole('button', { name: 'Save the picture as SVG' }).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toContain('What is a speedup of 64 made of?');
    expect(file).toContain('“1.07 billion ops”');
    expect(file).toContain(`>${formatNumber(plain.standard, 4)}<`);
    expect(file).toContain('one head');
  });

  it('a chart saved as PNG is set in the page’s font', async () => {
    const { page } = shown;
    const counts = await figureAt(page, 'counts');
    await openSave(counts);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      counts.getByRole('button', { name: 'Save the picture as PNG' }).click(),
    ]);
    const bytes = [...(await readFile(await download.path()))];
    const widths = await page.evaluate(async (png) => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(png)]));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [picture.width, picture.height];
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(picture, 0, 0);
      // The title: 18 px at twice the size, on a line of its own from x = 24 on.
      const { data, width, height } = context.getImageData(0, 30, picture.width, 44);
      let last = 0;
      for (let i = 0; i < width * height; i++) {
        if ((data[4 * i] as number) !== data[0]) last = Math.max(last, i % width);
      }
      const measured = (font: string): number => {
        context.font = `600 18px ${font}`;
        return context.measureText('What is a speedup of 64 made of?').width;
      };
      await document.fonts.load('600 18px "AL Sans"');
      return { drawn: last / 2 - 24, own: measured('"AL Sans"'), other: measured('system-ui') };
    }, bytes);
    expect(Math.abs(widths.own - widths.other)).toBeGreaterThan(8);
    expect(Math.abs(widths.drawn - widths.own)).toBeLessThan(3);
  });

  it('an experiment over seeds is kept, and its rows are the core’s', async () => {
    const { page } = shown;
    const runs = page.locator('[data-figure="runs"]');
    await runs.scrollIntoViewIfNeeded();
    await runs.getByRole('button', { name: 'Run experiment' }).click();
    await expect
      .poll(() => runs.locator('figcaption').textContent(), { timeout: 30_000 })
      .toContain('seeds 0…2');
    await openSave(runs);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      runs.getByRole('button', { name: 'Save the numbers as CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    const report = await core.associativityPrecision({ n: 20, dK: 8, dV: 8, seed: 2, rtol: 1e-5 });
    const last = (lines[lines.length - 1] ?? '').split(',').map(Number);
    expect(last.slice(0, 2)).toEqual([20, 2]);
    expect(last[3]).toBeCloseTo(report.float32.maxRelativeDifference, 10);
    await page.reload();
    await arrive(page);
    await runs.scrollIntoViewIfNeeded();
    await expect
      .poll(() => runs.locator('figcaption').textContent(), { timeout: 30_000 })
      .toContain('seeds 0…2');
  });
});
