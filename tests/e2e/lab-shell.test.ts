import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lab as featureMaps } from '../../web/labs/feature-maps/lab';
import { lab as heads } from '../../web/labs/heads/lab';
import { lab as kernelTrick } from '../../web/labs/kernel-trick/lab';
import { lab as surgeon } from '../../web/labs/surgeon/lab';
import { LabSource } from '../../web/plugins/labs';
import { questionsIn } from '../../web/src/lab/page/step-progress';
import type { Check, Lab, LabWords, Prediction } from '../../web/src/lab/types';
import { words } from '../../web/src/lab/words/en';
import { arrive, FIGURES_PATIENCE_MS } from './through';
import { browsing } from './visit';

const visit = browsing();
const labs = await new LabSource(fileURLToPath(new URL('../../web/', import.meta.url))).read();
const wordsOf = ({ id }: Lab): LabWords =>
  labs.find(({ lab }) => lab.id === id)?.words.en as LabWords;
const featureWords = wordsOf(featureMaps);
const kernelWords = wordsOf(kernelTrick);
const pageOf = (lab: Pick<Lab, 'id'>): string => `labs/${lab.id}/index.html`;

const asked = (lab: Lab) => [...questionsIn(lab.steps.flatMap(({ blocks }) => blocks))];
/** The blocks that are on the page before anything is revealed. */
const topLevel = (lab: Lab) => lab.steps.flatMap(({ blocks }) => blocks);
const firstCheck = (lab: Lab, right = 1) =>
  topLevel(lab).find(
    (block): block is Check => block.kind === 'check' && block.right.length === right,
  ) as Check;
const firstPrediction = (lab: Lab, kind: Prediction['answer']['kind']) =>
  topLevel(lab).find(
    (block): block is Prediction => block.kind === 'prediction' && block.answer.kind === kind,
  ) as Prediction;

const question = (page: Page, kind: 'check' | 'prediction', id: string): Locator =>
  page.locator(`attn-${kind}`, { has: page.locator(`#${kind}-${id}-title`) });
const text = async (locator: Locator): Promise<string> =>
  ((await locator.textContent()) ?? '').replace(/\s+/g, ' ').trim();
/** The text of an element that is visible, which is in one language. */
const seen = async (locator: Locator): Promise<string> =>
  (await locator.allInnerTexts()).join(' ').trim();
const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

async function answer(page: Page, check: Check, options: readonly string[]): Promise<void> {
  const place = question(page, 'check', check.id);
  for (const option of options) await place.locator(`input[value="${option}"]`).check();
  await place.getByRole('button', { name: words.check.answer }).click();
}

const check = firstCheck(featureMaps);
const wrong = check.options.find((option) => !check.right.includes(option)) as string;
const said = featureWords.checks[check.id];

const tries = topLevel(featureMaps).find((block) => block.kind === 'tries');
if (tries?.kind !== 'tries') throw new Error('feature-maps has nothing to try');
const [one, two] = tries.tries.filter(({ values }) => 'map' in values);
const titleOf = (id: string | undefined): string =>
  featureWords.tries[tries.id]?.[id ?? '']?.title ?? '';

describe('a lab’s page', () => {
  it('has its title, lead and steps as links without scripts', async () => {
    const { page } = await visit(pageOf(featureMaps), { javaScriptEnabled: false });
    await expect.poll(() => seen(page.getByRole('heading', { level: 1 }))).toContain('feature map');
    const links = page.locator('nav.outline a');
    await expect.poll(() => links.count()).toBe(featureMaps.steps.length + 2);
    const first = featureMaps.steps[0]?.id ?? '';
    await expect.poll(() => links.first().getAttribute('href')).toBe(`#${first}`);
    await expect.poll(() => seen(links.first())).toContain(featureWords.steps[first]);
    await expect.poll(() => seen(page.locator('noscript p').first())).toContain('JavaScript');
  });

  it('opens at the step or figure that a link names', async () => {
    const step = featureMaps.steps.at(-1)?.id ?? '';
    const { page } = await visit(`${pageOf(featureMaps)}#${step}`);
    const heading = page.locator(`#${step}-title`);
    await expect.poll(() => heading.isVisible()).toBe(true);
    await expect
      .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(900);
  });

  it('follows a link that it has moved away while the link was pressed', async () => {
    const { page } = await visit(pageOf(kernelTrick));
    const link = page.getByRole('link', { name: 'How fast is this?' });
    await arrive(page);
    await link.scrollIntoViewIfNeeded();
    const press = async (away: number): Promise<void> => {
      await link.hover();
      await page.mouse.down();
      await page.evaluate(() => {
        const part = document.createElement('div');
        part.style.height = '400px';
        document.querySelector('footer')?.before(part);
      });
      const { x = 0, y = 0 } = (await link.boundingBox()) ?? {};
      if (away > 0) await page.mouse.move(x + away, y + away, { steps: 3 });
      await page.mouse.up();
    };
    const address = page.url();
    await press(40);
    // A time is what is tested: nothing says that a link is not going to be followed.
    await page.waitForTimeout(300);
    expect(page.url(), 'a drag follows no link').toBe(address);
    await press(0);
    await page.waitForURL(/pages\/speed/, { waitUntil: 'commit' });
  });
});

describe('a check', () => {
  it('is part of the progress file, and is forgotten with its lab until that is undone', async () => {
    const { context, page } = await visit(pageOf(featureMaps));
    await arrive(page);
    await answer(page, check, check.right);
    await expect
      .poll(() => text(question(page, 'check', check.id).getByRole('status')))
      .toBe(words.check.right);
    const list = await context.newPage();
    await list.goto(new URL('../../pages/exercises/index.html', page.url()).href);
    const [file] = await Promise.all([
      list.waitForEvent('download'),
      list.getByRole('button', { name: 'Save everything as a file' }).click(),
    ]);
    const saved = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
      labs?: { lab: string; checks: Record<string, { first: string[]; rightAt?: number }> }[];
    };
    expect(saved.labs?.map(({ lab }) => lab)).toEqual([featureMaps.id]);
    expect(saved.labs?.[0]?.checks[check.id]).toMatchObject({ first: check.right, rightAt: 1 });

    await list.locator('#reset-lab').selectOption(featureMaps.id);
    await list.getByRole('button', { name: 'Forget the work of this lab' }).click();
    await expect.poll(() => text(list.locator('.kept .status'))).toContain('forgotten');
    // The tab that shows the lab is notified.
    await expect.poll(() => text(question(page, 'check', check.id).getByRole('status'))).toBe('');
    await list.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => text(question(page, 'check', check.id).getByRole('status')))
      .toBe(words.check.right);
  });
});

describe('a link', () => {
  it('hides steps, and sets and locks knobs of figures below', async () => {
    const hidden = featureMaps.steps[0]?.id ?? '';
    const { page } = await visit(
      `${pageOf(featureMaps)}?curve.d=7&hide=${hidden},curve.slope,text,seed&lock=curve.d,map,causal#curve`,
    );
    const figure = page.locator('attn-phi-curve');
    await expect.poll(() => figure.locator('attn-slider').count()).toBeGreaterThan(0);
    const d = figure.locator('attn-slider').getByRole('spinbutton', { name: /^d/ }).first();
    await expect.poll(() => d.inputValue()).toBe('7');
    await expect.poll(() => d.isDisabled()).toBe(true);
    const opening = page.locator('attn-feature-maps-lab');
    await expect.poll(() => opening.getByLabel('Feature map φ').isDisabled()).toBe(true);
    const toggle = (name: RegExp) => opening.getByRole('switch', { name });
    await expect.poll(() => toggle(/Causal/).isDisabled()).toBe(true);
    await expect.poll(() => toggle(/Scale/).isDisabled()).toBe(false);
    await expect.poll(() => opening.locator('textarea').count()).toBe(0);
    await expect.poll(() => opening.getByLabel('Seed', { exact: true }).count()).toBe(0);
    await expect.poll(() => page.locator(`#${hidden}`).count()).toBe(0);
    await expect.poll(() => page.locator(`nav.outline a[href="#${hidden}"]`).count()).toBe(0);
    await expect.poll(() => page.getByRole('alert').allTextContents()).toEqual([]);
  });

  it('follows the knobs of the opening and of a figure below, and Back undoes both', async () => {
    const { page } = await visit(`${pageOf(featureMaps)}#curve`);
    const figure = page.locator('attn-phi-curve');
    const number = figure.locator('attn-slider').getByRole('spinbutton', { name: /^d/ }).first();
    await expect.poll(() => number.isVisible()).toBe(true);
    await number.fill('9');
    await number.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('curve.d')).toBe('9');
    await page.locator('attn-feature-maps-lab [data-knob=map] select').selectOption('relu');
    await expect.poll(() => new URL(page.url()).searchParams.get('map')).toBe('relu');
    expect(new URL(page.url()).searchParams.get('curve.d')).toBe('9');
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get('map')).toBe(null);
    await expect.poll(() => number.inputValue()).toBe('9');
  });

  it('reports names that the page does not have', async () => {
    const { page } = await visit(`${pageOf(featureMaps)}?hide=nonsense`);
    await expect
      .poll(async () => (await page.getByRole('alert').allTextContents()).join(' '))
      .toContain('nonsense');
  });
});

describe('the outline', () => {
  it('opens at the foot of a small screen, by keyboard', async () => {
    const { page } = await visit(pageOf(featureMaps), { viewport: { width: 390, height: 800 } });
    await arrive(page);
    const toggle = page.locator('.outline-toggle');
    await expect.poll(() => toggle.isVisible()).toBe(true);
    const list = page.locator('nav.outline ol');
    await expect.poll(() => list.isVisible()).toBe(false);
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => list.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => list.isVisible()).toBe(false);
    await expect.poll(() => isFocused(toggle)).toBe(true);
  });
});

describe('a try', () => {
  it('shows its knobs for a while, moves nothing, and gives the reader’s own knobs back', async () => {
    const { page } = await visit(`${pageOf(featureMaps)}?map=exp`, { folded: true });
    await arrive(page);
    const button = page.getByRole('button', { name: titleOf(one?.id) });
    const map = page.locator('attn-feature-maps-lab [data-knob=map] select');
    await button.scrollIntoViewIfNeeded();
    const at = () => page.evaluate(() => scrollY);
    const before = await at();
    await button.click();
    await expect.poll(() => text(page.locator('.lab-status'))).toContain(titleOf(one?.id));
    await expect.poll(() => map.inputValue()).toBe(String(one?.values.map));
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    // The opening is far away; a view of it stands beside the try.
    const line = page
      .locator('.scene', { has: page.locator(`[data-try="${tries.id}-${one?.id}"]`) })
      .locator('.trying');
    await expect.poll(() => text(line)).toContain('→');
    await expect
      .poll(() => page.locator('attn-feature-maps-lab [data-knob=map].changed').count())
      .toBe(1);
    // The link stays the reader's own.
    expect(new URL(page.url()).searchParams.get('map')).toBe('exp');
    // Another try takes its place; the button, Escape and the figure's own button lead back.
    await page.getByRole('button', { name: titleOf(two?.id) }).click();
    await expect.poll(() => map.inputValue()).toBe(String(two?.values.map));
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('Escape');
    await expect.poll(() => map.inputValue()).toBe('exp');
    await expect.poll(() => line.count()).toBe(0);
    await button.click();
    await expect.poll(() => line.count()).toBe(1);
    await button.click();
    await expect.poll(() => map.inputValue()).toBe('exp');
    await button.click();
    await line.getByRole('button').click();
    await expect.poll(() => map.inputValue()).toBe('exp');
    expect(await at()).toBe(before);
  });

  it('waits for the answer to a question that hides its picture', async () => {
    const { page } = await visit(pageOf(surgeon));
    await arrive(page);
    const question = page.locator('#scaling attn-prediction');
    const button = page.locator('[data-try=scaling-few]');
    await button.click();
    const entry = page.locator('li', { has: button });
    await expect.poll(() => text(entry)).toContain(words.tries.answerFirst);
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    await question.getByRole('button', { name: 'Skip' }).click();
    await button.click();
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    expect(await text(entry)).not.toContain(words.tries.answerFirst);
  });
});

describe('the knobs of a figure', () => {
  it('are at first sight where a link sets them, and the others in a sheet', async () => {
    const { page } = await visit(`${pageOf(kernelTrick)}?dv=3`, { folded: true });
    await expect.poll(() => page.locator('.lab-opening [data-knob=dV]').isVisible()).toBe(true);
    const sheet = page.locator('.lab-opening .sheet');
    await expect.poll(() => sheet.isVisible()).toBe(false);
    expect(await sheet.locator('[data-knob=dV]').count()).toBe(0);
    const more = page.locator('.lab-opening .more-knobs');
    // What comes below the opening meanwhile makes the page longer.
    const place = () =>
      page.locator('.lab-opening').evaluate((one) => [scrollY, one.getBoundingClientRect().height]);
    await page.locator('.lab-opening > [data-drawn]').waitFor();
    let before = await place();
    // The picture is fitted to its place in the frames after it was drawn.
    await expect
      .poll(
        async () => {
          const was = before;
          before = await place();
          return `${was}` === `${before}`;
        },
        { interval: 500 },
      )
      .toBe(true);
    await more.click();
    await expect.poll(() => sheet.isVisible()).toBe(true);
    await expect.poll(() => sheet.locator('.about').textContent()).toContain('Attention Labs');
    // It lies over the page.
    expect(await place()).toEqual(before);
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.isVisible()).toBe(false);
    await expect.poll(() => isFocused(more)).toBe(true);
  });
});

describe('a printed page', () => {
  it.each([heads, kernelTrick, surgeon])(
    'has every figure of $id at the first press of the keys for printing',
    async (lab) => {
      const { page } = await visit(pageOf(lab), { folded: true });
      await page.evaluate(() => {
        window.print = () => {
          document.body.dataset.printed = 'yes';
        };
      });
      // The very first move: nothing below the opening is there yet.
      await page.keyboard.press('Control+p');
      await expect
        .poll(() => page.locator('body[data-printed]').count(), { timeout: FIGURES_PATIENCE_MS })
        .toBe(1);
      await page.emulateMedia({ media: 'print' });
      await expect.poll(() => page.locator('.loading-near .missing:visible').count()).toBe(0);
      await expect.poll(() => page.locator('attn-lab figure [aria-busy="true"]').count()).toBe(0);
      expect(await page.locator('.print-note').count()).toBe(0);
      // What a picture was made from is said below it, and not in a sheet, even where one is open.
      await page.emulateMedia({ media: 'screen' });
      const sheet = page.locator('.lab-opening .sheet');
      await page.locator('.lab-opening .more-knobs').click();
      await expect.poll(() => sheet.isVisible()).toBe(true);
      expect(await page.locator('figcaption:visible').count()).toBe(0);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.sheet:visible').count()).toBe(0);
      expect(await page.locator(':is(.view-knobs, .figure-foot):visible').count()).toBe(0);
      // A figure whose question is open would answer it, and one that was not run has nothing to say. The small
      // pictures inside a figure have its caption.
      const said = await page.locator('main figure:not(figure figure)').evaluateAll((figures) =>
        figures
          .filter(
            (figure) =>
              !figure.querySelector('.open-question, .picture > :is(.waiting, .before-run)'),
          )
          .map((figure) => {
            const caption = figure.querySelector('figcaption');
            return caption?.checkVisibility() ? (caption.textContent?.trim().length ?? 0) : 0;
          }),
      );
      expect(said.length).toBeGreaterThan(4);
      expect(Math.min(...said)).toBeGreaterThan(10);
    },
  );
});

describe('one visit to a lab', () => {
  const shown = visit.shared(pageOf(featureMaps));

  it('fetches what is below the opening with the visitor’s first move', async () => {
    const { page, requests } = shown;
    await expect.poll(() => seen(page.locator('attn-feature-maps-lab figcaption'))).not.toBe('');
    const script = /\/(?:shell|approach|prediction|embedded|full)-[^/]*\.js$/;
    expect(requests.filter((url) => script.test(url))).toEqual([]);
    await expect.poll(() => page.locator('attn-lab > section').count()).toBe(0);
    await arrive(page);
    expect(requests.filter((url) => /\/shell-[^/]*\.js$/.test(url))).toHaveLength(1);
    expect(requests.filter((url) => /full-[^/]*\.js$/.test(url))).toEqual([]);
  });

  it('marks in the outline the steps that were read, not those that were scrolled past', async () => {
    const { page } = shown;
    const total = page.locator('.outline-total');
    await expect.poll(() => text(total)).toBe(words.outline.progress(0, featureMaps.steps.length));
    // A step without questions is done once it is read.
    const quiet = featureMaps.steps.find(({ blocks }) => [...questionsIn(blocks)].length === 0);
    const step = quiet ?? featureMaps.steps[0];
    // Who scrolls past, and stops for a second now and then, has read nothing.
    for (const { id } of featureMaps.steps.slice(0, 3)) {
      await page.locator(`#${id} .step-end`).scrollIntoViewIfNeeded();
      await page.waitForTimeout(1200);
    }
    expect(await page.locator('nav.outline svg:not(.new)').count()).toBe(0);
    await page.locator(`#${step?.id} .step-end`).scrollIntoViewIfNeeded();
    const mark = page.locator(`nav.outline a[href="#${step?.id}"] .mark`);
    await expect
      .poll(() => text(mark), { timeout: 12_000 })
      .toBe(`(${quiet ? words.outline.state.done : words.outline.state.seen})`);
    await expect.poll(() => page.locator('nav.outline [aria-current="step"]').count()).toBe(1);
  });

  it('explains the chosen option of a check, and the answer is kept', async () => {
    const { page } = shown;
    const place = question(page, 'check', check.id);
    await place.getByRole('button', { name: words.check.answer }).click();
    await expect
      .poll(() => place.getByRole('alert').allTextContents())
      .toContain(words.check.missing);
    await answer(page, check, [wrong]);
    await expect.poll(() => text(place.getByRole('status'))).toContain(words.check.wrong);
    await expect.poll(() => place.locator('.because').count()).toBe(1);
    await expect.poll(() => text(place.locator('.because'))).toContain(words.check.incorrect);
    await answer(page, check, check.right);
    await expect.poll(() => text(place.getByRole('status'))).toBe(words.check.right);
    await expect.poll(() => place.locator('.because').count()).toBe(check.options.length);
    // A screen reader reads the explanation together with the option.
    const id = await place.locator(`input[value="${wrong}"]`).getAttribute('aria-describedby');
    expect((await text(page.locator(`#${id}`))).length).toBeGreaterThan(
      Math.min(20, said?.options[wrong]?.why.length ?? 0),
    );
    await page.reload();
    await arrive(page);
    await expect.poll(() => text(place.getByRole('status'))).toBe(words.check.right);
    await page.locator('#summary').scrollIntoViewIfNeeded();
    await expect
      .poll(() => text(page.locator('attn-lab-summary')))
      .toContain(words.summary.checkResults.later(2));
  });

  it('makes a try the reader’s own when a knob is moved', async () => {
    const { page } = shown;
    await page.getByRole('button', { name: titleOf(one?.id) }).click();
    const map = page.locator('attn-feature-maps-lab [data-knob=map] select');
    await expect.poll(() => map.inputValue()).toBe(String(one?.values.map));
    await page
      .locator('attn-feature-maps-lab')
      .getByRole('switch', { name: /Causal/ })
      .check();
    // A view that is far away is drawn again where it can be seen.
    await expect.poll(() => page.locator('attn-feature-maps-lab .trying').count()).toBe(0);
    const link = new URL(page.url()).searchParams;
    expect(link.get('map')).toBe(String(one?.values.map));
    expect(link.get('causal')).toBe('1');
  });

  it('is whole on paper, without its controls', async () => {
    const { page } = shown;
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('nav.outline').isVisible()).toBe(false);
    await expect.poll(() => page.locator(':is(.knobs, .sheet):visible').count()).toBe(0);
    await expect
      .poll(() => page.locator(`#${featureMaps.steps[0]?.id}-title`).isVisible())
      .toBe(true);
    await expect.poll(() => page.getByRole('button', { name: words.check.answer }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('can show the summary alone, with the reader’s name on it', async () => {
    const { page } = shown;
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await page.locator('#summary').scrollIntoViewIfNeeded();
    const name = page.getByLabel(words.summary.name);
    await expect.poll(() => name.isVisible()).toBe(true);
    await name.fill('Ada');
    await page.getByRole('button', { name: words.summary.print }).click();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator(`#${featureMaps.steps[0]?.id}`).isVisible()).toBe(false);
    await expect.poll(() => page.locator('.lab-opening').isVisible()).toBe(false);
    const paper = await seen(page.locator('#summary'));
    expect(paper).toContain('Ada');
    expect(paper).toContain(words.summary.notYet);
    expect(paper).toContain(words.summary.takeAlong);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => page.locator(`#${featureMaps.steps[0]?.id}`).isVisible()).toBe(true);
  });
});

describe('one visit to another lab', () => {
  const shown = visit.shared(pageOf(kernelTrick));
  const prediction = firstPrediction(kernelTrick, 'number');

  it('tells its parts to a screen reader', async () => {
    const { page } = shown;
    await arrive(page);
    const tree = await page.locator('main').ariaSnapshot();
    expect(tree).toContain('navigation "In this lab"');
    for (const { id } of kernelTrick.steps) {
      expect(tree).toContain(`heading "${kernelWords.steps[id]}" [level=2]`);
      expect(tree).toContain(`region "${kernelWords.steps[id]}"`);
    }
    // Every question is a region with a name of its own, a group of options and a button.
    for (const block of topLevel(kernelTrick)) {
      if (block.kind !== 'check') continue;
      const own = await question(page, 'check', block.id).ariaSnapshot();
      expect(own).toMatch(/^- region /);
      expect(own).toContain(block.right.length > 1 ? 'checkbox' : 'radio');
      expect(own).toContain(`button "${words.check.answer}"`);
      expect(own).toContain('status');
    }
  });

  it('has a prediction that waits for a guess, computes the answer and shows both, by keyboard alone', async () => {
    const { page } = shown;
    const place = question(page, 'prediction', prediction.id);
    const commit = place.getByRole('button', { name: words.prediction.commit });
    await commit.focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => place.getByRole('alert').allTextContents())
      .toContain(words.prediction.missing.number);
    const bar = place.getByRole('slider', { name: words.prediction.bar });
    await expect.poll(() => isFocused(bar)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => text(place.locator('output'))).not.toBe('?');
    const guess = await text(place.locator('output'));
    await expect.poll(() => bar.getAttribute('aria-valuetext')).toBe(guess);
    await page.keyboard.press('Tab');
    await expect.poll(() => isFocused(commit)).toBe(true);
    await page.keyboard.press('Enter');
    // The focus moves to the answer; it is not lost together with the button.
    await expect.poll(() => isFocused(place.locator('.result'))).toBe(true);
    await expect.poll(() => place.locator('.truth').count(), { timeout: 40_000 }).toBe(1);
    await expect.poll(() => text(place.locator('.yours'))).toContain(guess);
    await expect
      .poll(() => text(place.getByRole('status').last()))
      .toContain(words.prediction.truth);
    await expect.poll(() => text(place.locator('.why'))).not.toBe('');

    // The first answer stays, whatever the reader answers later.
    await place.getByRole('button', { name: words.prediction.again }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(bar)).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => place.locator('.truth').count(), { timeout: 40_000 }).toBe(1);
    await expect.poll(() => text(place.locator('.first'))).toContain(guess);
    await page.reload();
    await arrive(page);
    await expect.poll(() => place.locator('.truth').count()).toBe(1);
    await expect.poll(() => text(place.locator('.first'))).toContain(guess);
  });

  it('is light on paper, whatever the theme', async () => {
    const { page } = shown;
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = (): Promise<unknown> =>
      page.locator('.lab-opening > *').evaluate((figure) => Reflect.get(figure, 'dark'));
    await expect.poll(dark).toBe(true);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect.poll(dark).toBe(false);
    await expect.poll(() => page.locator('.figure-tools').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  it('says on paper what was not loaded, unless the whole lab is printed', async () => {
    const { page } = shown;
    await page.emulateMedia({ media: 'print' });
    const missing = page.locator('.loading-near .missing:visible');
    await expect.poll(() => missing.count()).toBeGreaterThan(0);
    await expect.poll(() => seen(missing.first())).toBe(words.load.missing);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => {
      window.print = () => {
        document.body.dataset.printed = 'yes';
      };
    });
    await page.locator('#summary').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: words.summary.printAll }).click();
    await expect
      .poll(() => page.locator('body[data-printed]').count(), { timeout: FIGURES_PATIENCE_MS })
      .toBe(1);
    const again = page.getByRole('button', { name: words.summary.printAll });
    await expect.poll(() => isFocused(again)).toBe(true);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => missing.count()).toBe(0);
    await expect.poll(() => page.locator('attn-lab figure [aria-busy="true"]').count()).toBe(0);
    await expect.poll(() => page.locator('attn-lab figcaption').count()).toBeGreaterThan(5);
  });
});

it('every question of these two labs has an id of its own', () => {
  const ids = asked(featureMaps).map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(ids).size).toBe(ids.length);
});
