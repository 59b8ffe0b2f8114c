/** The attention surgeon: operations by keys, three models that train, pictures to name, and a phone. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, LanguageModel, type TaskOptions, Tokenizer } from '#client';
import {
  modelOf,
  type Sees,
  SIZES,
  TEST_BATCHES,
} from '../../web/labs/surgeon/figures/models/train-three';
import { words as figures } from '../../web/labs/surgeon/words/figures/en';
import { formatNumber } from '../../web/src/plot/format';
import { createFullTestClient } from '../wasm/in_process';
import { arrive, figureAt, fits, readThrough } from './through';
import { delayTraining, watchTraining } from './training-workers';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/surgeon/index.html';
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const said = (page: Page): Locator => page.locator('attn-operating-table .sg-said');

describe('the operating table', () => {
  it('says what goes wrong in the core’s numbers, when a stage is moved by keys', async () => {
    const { page } = await visit(lab);
    await expect.poll(() => said(page).textContent()).toContain('Nothing is wrong');
    const order = (): Promise<(string | null)[]> =>
      page
        .locator('.sg-stage')
        .evaluateAll((stages) => stages.map((stage) => stage.getAttribute('data-stage')));
    expect(await order()).toEqual(['scores', 'scale', 'mask', 'softmax', 'output']);

    await page.getByRole('button', { name: 'Move “mask” one place later' }).focus();
    await page.keyboard.press('Enter');
    const { q, k, v } = await core.textQkv({
      ...{ text: 'the cat sat on the mat', dK: 16, dV: 3, seed: 1, maxTokens: 8 },
    });
    const late = await core.attentionStages({ q, k, v, order: 'scaleSoftmaxMask', fill: 'zero' });
    expect(late.rowsOff).toBe(5);
    await expect
      .poll(() => said(page).textContent())
      .toContain(`sums to ${formatNumber(late.worstSum)}`);
    expect(await order()).toEqual(['scores', 'scale', 'softmax', 'mask', 'output']);
    // The focus goes with the stage, so that the next key moves it back or takes it out.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Move “mask” one place earlier');

    await page.getByRole('button', { name: 'Take out “mask”' }).press('Enter');
    const none = await core.attentionStages({ q, k, v, mask: 'none' });
    await expect
      .poll(() => said(page).textContent())
      .toContain(`${formatNumber(100 * none.futureShare, 2)} % of the weight is on the future`);
  });

  it('has the rows of all matrices beside each other, those of V and the output too', async () => {
    const { page } = await visit(lab);
    await expect.poll(() => page.locator('.sg-stages .sg-matrix').count()).toBe(6);
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 800, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      const rows = await page
        .locator('.sg-stages .sg-matrix')
        .evaluateAll((matrices) =>
          matrices.map((matrix) =>
            [...matrix.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().top),
          ),
        );
      const [first = []] = rows;
      expect(first).toHaveLength(6);
      for (const tops of rows) {
        tops.forEach((top, i) => {
          expect(Math.abs(top - (first[i] ?? 0)), `${viewport.width}, row ${i}`).toBeLessThan(1.5);
        });
      }
    }
  });

  it('has room for every button of a stage, however short the sentence is', async () => {
    const { page } = await visit(`${lab}?text=cat&softmax=none`);
    await expect.poll(() => page.locator('.sg-stage').count()).toBe(5);
    const cut = () =>
      page.locator('.sg-head > *').evaluateAll((parts) =>
        parts
          .filter((part) => {
            const stage = part.closest('.sg-stage')?.getBoundingClientRect();
            // A pixel may be cut by rounding.
            return part.getBoundingClientRect().right > (stage?.right ?? 0) + 1;
          })
          .map((part) => part.textContent?.trim()),
      );
    expect(await cut(), 'in a wide window').toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await cut(), 'on a phone').toEqual([]);
  });

  it('shows how an output number came about, walked to with the arrow keys', async () => {
    const { page } = await visit(lab);
    const trace = page.locator('attn-operating-table .sg-trace');
    await expect.poll(() => trace.textContent()).toContain('output of sat, column 1');
    await page.locator('.output td.picked button').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => trace.textContent()).toContain('output of on, column 2');
    const { q, k, v } = await core.textQkv({
      ...{ text: 'the cat sat on the mat', dK: 16, dV: 3, seed: 1, maxTokens: 8 },
    });
    const { output } = await core.attentionStages({ q, k, v });
    expect(await trace.locator('tbody tr').last().locator('b').textContent()).toBe(
      formatNumber(output.data[3 * 3 + 1] as number),
    );
  });
});

describe('three language models', () => {
  const words = figures.models;
  /** A training takes seconds, and longer where other tests run too. */
  const patient = { timeout: 150_000 };
  const press = (figure: Locator, name: string): Promise<void> =>
    figure.getByRole('button', { name, exact: true }).press('Enter');
  /** The figure, whose button waits behind its question. */
  async function asked(page: Page): Promise<Locator> {
    const figure = await figureAt(page, 'three');
    expect(await figure.getByRole('button', { name: words.start, exact: true }).count()).toBe(0);
    await page.locator('#models attn-prediction .commit .plain').press('Enter');
    await figure.getByRole('button', { name: words.start, exact: true }).waitFor();
    return figure;
  }
  /** What stands beside the text about a part of the figure. */
  async function view(page: Page, title: string): Promise<Locator> {
    const found = page.locator('[data-view="three"]').filter({
      has: page.getByRole('heading', { name: title }),
    });
    for (const place of await page.locator('[data-view="three"]').all()) {
      await place.scrollIntoViewIfNeeded();
    }
    await expect.poll(() => found.count()).toBe(1);
    return found;
  }
  /** What the three models wrote, one text each. A view is drawn anew only once the reader comes to it. */
  async function written(texts: Locator): Promise<readonly string[]> {
    await texts.scrollIntoViewIfNeeded();
    await expect.poll(() => texts.locator('.sg-written').count()).toBe(3);
    return texts.locator('.sg-written').allTextContents();
  }
  const trained = (figure: Locator): Promise<void> =>
    expect.poll(() => figure.getByRole('button', { name: words.again }).count(), patient).toBe(1);
  const cells = (figure: Locator, name: string): Promise<string[]> =>
    figure
      .locator('.sg-numbers tbody tr')
      .filter({ has: figure.page().getByRole('rowheader', { name, exact: true }) })
      .locator('td')
      .allTextContents();

  /** The loss on new sequences of the model that the page trains, trained here. */
  async function testLoss(task: TaskOptions, sees: Sees, steps: number): Promise<number> {
    const model = await LanguageModel.create(core, { ...modelOf(task.vocabulary ?? 0, 0), sees });
    await model.start({ task, steps, batch: SIZES.batch, learningRate: 0.01, seed: 0 });
    for (let done = false; !done; ) ({ done } = await model.advance({}));
    const { loss } = await model.evaluate({ batches: TEST_BATCHES });
    await model.dispose();
    return loss;
  }

  it('stop, go on where they were, and come to what the core comes to', async () => {
    const { page } = await visit(`${lab}?three.steps=60`, { before: watchTraining });
    const figure = await asked(page);
    const looks = await view(page, words.titles.attention);
    const texts = await view(page, words.titles.texts);
    await delayTraining(page, 200);
    await press(figure, words.start);
    await looks.scrollIntoViewIfNeeded();
    await expect.poll(() => looks.locator('attn-heatmap').count(), patient).toBe(3);
    // Who moves a knob meanwhile can still stop it.
    await figure.getByRole('slider', { name: words.picture }).press('ArrowLeft');
    await press(figure, 'Stop');
    await figure.getByRole('button', { name: words.goOn, exact: true }).waitFor();
    expect(await figure.locator('.status').textContent()).toBe(words.stopped);
    expect(await figure.locator('.sg-numbers').count(), 'measured at the end only').toBe(0);
    await delayTraining(page, 0);
    await press(figure, words.goOn);
    await trained(figure);
    const { entropyRate } = await core.markovSource({ vocabulary: 16, seed: 0 });
    await figure
      .locator('attn-line-chart')
      .getByText(words.floor(formatNumber(entropyRate)))
      .waitFor();
    const task: TaskOptions = { kind: 'markov', vocabulary: 16, length: SIZES.length, seed: 0 };
    const wanted: string[] = [];
    for (const sees of ['earlier', 'all', 'later'] as const) {
      wanted.push(formatNumber(await testLoss(task, sees, 60)));
    }
    expect(await cells(figure, words.rows.test)).toEqual(wanted);
    for (const name of Object.values(words.rows)) {
      const three = await cells(figure, name);
      expect(three, name).toHaveLength(3);
      for (const one of three) expect(one, name).toMatch(/^\d/);
    }
    expect(await written(texts)).toHaveLength(3);
    // The pictures go through the training: back to its beginning, where nothing has a shape yet.
    await figure.getByRole('slider', { name: words.picture }).press('Home');
    await looks.scrollIntoViewIfNeeded();
    await looks.getByText(`${words.frames} 0,`).first().waitFor();
    // Another training begins anew, and is given up with the page.
    await press(figure, words.again);
    await expect.poll(() => figure.locator('.sg-numbers').count(), patient).toBe(0);
    await page.reload();
    const anew = await asked(page);
    await anew.getByRole('button', { name: words.start, exact: true }).waitFor();
    expect(
      await anew.getByRole('slider', { name: words.steps }).getAttribute('aria-valuetext'),
    ).toBe('60');
  });

  it('learn a text that the reader pasted, and say when it is too short', async () => {
    const { page } = await visit(`${lab}?three.steps=50`);
    const figure = await asked(page);
    const texts = await view(page, words.titles.texts);
    const field = figure.getByRole('textbox', { name: words.text, exact: true });
    await field.fill('Too short to learn anything.');
    await press(figure, words.start);
    await figure.getByRole('alert').getByText(words.short(200)).waitFor();
    expect(await field.inputValue()).toBe('Too short to learn anything.');

    // The shortest text that is taken, with letters beyond ASCII.
    const text = 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. '
      .repeat(4)
      .slice(0, 200)
      .trim()
      .padEnd(200, 'ß');
    await field.fill(text);
    await press(figure, words.start);
    await trained(figure);
    // The button keeps the focus while it cannot be pressed.
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
      words.again,
    );
    const tokenizer = await Tokenizer.create(core, { text });
    const { vocabulary } = await tokenizer.info();
    const tokens = await tokenizer.encode(text);
    await tokenizer.dispose();
    expect(vocabulary).toBe(new Set(text).size);
    expect(await figure.locator('figcaption').textContent()).toContain(`vocabulary ${vocabulary},`);
    const { unigramEntropy } = await core.describeTask({
      ...{ kind: 'text', vocabulary, length: SIZES.length, text: tokens, heldOut: 0.2 },
    });
    await figure
      .locator('attn-line-chart')
      .getByText(words.unigram(formatNumber(unigramEntropy ?? Number.NaN)))
      .waitFor();
    // Nobody knows the floor of a text, nor how likely another one is.
    expect(await figure.locator('attn-line-chart').textContent()).not.toContain('entropy rate');
    expect(await cells(figure, words.rows.written)).toEqual([]);
    expect(await cells(figure, words.rows.prefix)).toHaveLength(3);
    for (const said of await written(texts)) {
      const letters = said.trim().replace(/^[^:]+:\s*/, '');
      expect(letters.length).toBeGreaterThan(100);
      for (const letter of letters.replaceAll(' · ', '')) expect(text).toContain(letter);
    }
  });
});

describe('a round of ten pictures', () => {
  it('is scored against what the core measures', async () => {
    const { page } = await visit(lab);
    const figure = await figureAt(page, 'quiz');
    const { kinds } = figures.picture;
    const words = figures.quiz;
    let right = 0;
    for (let picture = 1; picture <= 10; picture++) {
      await figure.getByText(words.title(picture, 10)).waitFor();
      const { head } = await core.headQuizPicture({ seed: 4, index: picture - 1 });
      const is = kinds[head.id as keyof typeof kinds];
      // Every third answer is wrong.
      const said = picture % 3 === 0 ? (is === kinds.broad ? kinds.local : kinds.broad) : is;
      if (said === is) right++;
      const score = formatNumber(head.score, 2);
      const answers = figure.getByRole('group', { name: words.which });
      await answers.getByRole('button', { name: said, exact: true }).click();
      await figure
        .getByText(said === is ? words.yes(is, score) : words.no(is, said, score))
        .first()
        .waitFor();
      // The first answer counts.
      await answers.getByRole('button', { name: is, exact: true }).press('Enter');
      expect(
        await figure
          .locator('.result-line')
          .getByText(words.score(right, picture, 10))
          .count(),
      ).toBe(1);
      if (picture < 10) await figure.getByRole('button', { name: words.next }).click();
    }
    expect(right).toBe(7);
    expect(await figure.getByRole('button', { name: words.next }).count()).toBe(0);
  });
});

it('fits a phone, where every question can be answered by touch', async () => {
  const { page } = await visit(lab, {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    ...{ folded: true, reducedMotion: 'reduce', colorScheme: 'dark' },
  });
  // No link is near the title: a finger beside one follows it.
  const opened = page.url();
  await page.getByRole('heading', { level: 1 }).tap();
  await arrive(page);
  await readThrough(page);
  expect(page.url().replace(/[?#].*/, '')).toBe(opened.replace(/[?#].*/, ''));
  const predictions = page.locator('attn-prediction');
  expect(await predictions.count()).toBe(6);
  for (let i = 0; i < 6; i++) {
    const one = predictions.nth(i);
    await one.scrollIntoViewIfNeeded();
    const radio = one.getByRole('radio').first();
    if ((await radio.count()) > 0) await radio.tap();
    else await one.getByRole('slider').first().press('ArrowRight');
    await one.locator('button[type=submit]').tap();
    await one.locator('.truth').waitFor({ timeout: 60_000 });
  }
  // The last answer has begun the training. What the models write is drawn where the reader looks.
  const texts = page.locator('[data-view="three"]').filter({
    has: page.getByRole('heading', { name: figures.models.titles.texts }),
  });
  await texts.scrollIntoViewIfNeeded();
  await expect.poll(() => texts.locator('.sg-written').count(), { timeout: 150_000 }).toBe(3);
  await page.locator('#summary').scrollIntoViewIfNeeded();
  await expect
    .poll(() => page.locator('#summary').getByText('They sum to less than 1.').count())
    .toBe(1);
  await fits(page, [390, 360]);
});
