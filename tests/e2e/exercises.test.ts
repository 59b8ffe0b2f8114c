import { readFile } from 'node:fs/promises';
import type { BrowserContext, Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readSubmission } from '../../web/src/exercises/submission';
import { formatCount } from '../../web/src/plot/counts';
import { packText } from '../../web/src/state/pack-text';
import { colourViolations, violations } from './axe';
import { fits, moveMouse } from './through';
import { browsing, lab } from './visit';

const visit = browsing();
const all = 'pages/exercises/index.html';
const elu = `${all}?v=1&id=elu-feature-map`;

/** A usual mistake: ELU without the + 1. */
const wrong = `import numpy as np

def elu_feature_map(x):
    print("rows", len(x))
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)
`;
const right = `import numpy as np

def elu_feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
`;
const endless = 'def elu_feature_map(x):\n    while True:\n        pass\n';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const status = (page: Page) => page.locator('attn-exercise .run-status .status');
const code = (page: Page) =>
  page.evaluate(
    () => document.querySelector('attn-exercise')?.querySelector('attn-code-editor')?.value ?? '',
  );
const editable = (page: Page) =>
  page.locator('attn-exercise attn-code-editor').locator('textarea, .cm-content').first();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const contentOf = async (download: Download): Promise<string> =>
  readFile(await download.path(), 'utf8');

async function opened(page: Page, name = 'ELU + 1'): Promise<void> {
  await heading(page, name).waitFor();
  await editable(page).waitFor();
}

/** Replaces the code as a person does who pastes. */
async function write(page: Page, text: string): Promise<void> {
  await editable(page).click();
  await page.locator('attn-exercise .cm-content').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await expect.poll(() => code(page)).toBe(text);
}

const says = (page: Page, text: string | RegExp, timeout = 30_000) =>
  expect.poll(() => status(page).textContent(), { timeout }).toMatch(text);

async function run(page: Page, text: RegExp): Promise<void> {
  await button(page, 'Run').click();
  await says(page, text);
}

const saved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<Record<string, string>>((resolve) => {
        const asked = indexedDB.open('attention-labs');
        asked.onsuccess = () => {
          const store = asked.result.transaction('work').objectStore('work');
          const [keys, values] = [store.getAllKeys(), store.getAll()];
          values.onsuccess = () =>
            resolve(
              Object.fromEntries(
                keys.result.map((key, i) => [String(key), String(values.result[i]?.code)]),
              ),
            );
        };
      }),
  );
const kept = (page: Page, text: string) =>
  expect
    .poll(async () => (await saved(page))['exercise/elu-feature-map/python'], { timeout: 10_000 })
    .toBe(text);

const picture = (page: Page) => page.locator('attn-exercise-picture');
const verdict = (page: Page) => picture(page).locator('.verdict');
/** The pixels of the picture that the student's function makes. */
const yours = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('attn-exercise-picture')?.shadowRoot;
    const heatmap = root?.querySelector('attn-heatmap');
    const matrix = heatmap?.matrix;
    return matrix ? { rows: matrix.rows, cols: matrix.cols, first: matrix.data[0] } : undefined;
  });

describe('a student', () => {
  it('finds a first exercise of five minutes, and others by a filter', async () => {
    const { page } = await visit(all);
    const first = page.locator('.first-one');
    await expect.poll(() => first.textContent()).toMatch(/The causal mask.*about 5 min/s);
    const items = () => page.locator('.lab li').count();
    await expect.poll(items).toBeGreaterThan(80);
    const total = await items();
    await page.getByRole('searchbox', { name: 'Search' }).fill('softmax');
    await expect.poll(items).toBeLessThan(total / 2);
    const titles = await page.locator('.lab li').allTextContents();
    expect(titles.every((text) => /softmax/i.test(text))).toBe(true);
    await page.getByLabel('Difficulty').selectOption('easy');
    await expect.poll(items).toBeLessThan(titles.length);
    const easy = await page.locator('.lab .facts').allTextContents();
    expect(easy.every((text) => text.includes('easy'))).toBe(true);
    await expect
      .poll(() => page.locator('.filter [role=status]').textContent())
      .toBe(`${easy.length} of ${total} exercises fit.`);
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
    await expect.poll(items).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByLabel('Difficulty').selectOption('all');
    await expect.poll(items).toBe(total);
    await first.getByRole('link').click();
    await opened(page, 'The causal mask');
  });

  it.each([
    [1440, 900],
    [390, 844],
  ])('sees what is wrong after Run without scrolling, at %d×%d', async (width, height) => {
    const { page } = await visit(`${all}?v=1&id=retention-recurrent`, {
      viewport: { width, height },
    });
    await opened(page, 'Retention, token by token');
    // The card of what there is stands open above the editor.
    await button(page, 'What you have here').click();
    await page.getByRole('heading', { name: 'What you have in Python' }).waitFor();
    const unscaled = `import numpy as np
def retention_recurrent(Q, K, V, gamma):
    S = np.zeros((K.shape[1], V.shape[1]))
    output = np.zeros((len(Q), V.shape[1]))
    for t in range(len(Q)):
        S = gamma * S + np.outer(K[t], V[t])
        output[t] = Q[t] @ S
    return output
`;
    await write(page, unscaled);
    await run(page, /^Not yet: \d+ of \d+ tests passed\.$/);
    const message = page.locator('attn-test-report .message');
    await expect.poll(() => message.textContent()).toContain('not divided by');
    const below = async () => {
      const box = await message.boundingBox();
      return box ? box.y >= 0 && box.y + box.height <= height : false;
    };
    await expect.poll(below).toBe(true);
  });

  it('writes a wrong answer, reads why, repairs it, sees the picture match, and finds it all after a reload', async () => {
    const { page } = await visit('');
    await page.getByRole('link', { name: 'Exercises', exact: true }).click();
    await page.getByRole('link', { name: 'ELU + 1', exact: true }).click();
    await opened(page);
    expect(new URL(page.url()).search).toBe('?v=1&id=elu-feature-map');
    await expect.poll(() => code(page)).toContain('raise NotImplementedError');
    // The reference is shown before anything has been written.
    await expect
      .poll(() => picture(page).locator('attn-heatmap').nth(1).locator('canvas').count())
      .toBe(2);

    await write(page, wrong);
    await run(page, /^Not yet: \d of 9 tests passed\.$/);
    const report = page.locator('attn-test-report');
    await report.getByText('That is ELU itself, negative below 0.').waitFor();
    const open = report.locator('details[open]');
    await expect.poll(() => open.count()).toBe(1);
    await open.getByText('First difference at').waitFor();
    await expect.poll(() => open.locator('pre').textContent()).toContain('rows 2');
    await expect.poll(() => open.getByRole('group', { name: 'Yours, as numbers' }).count()).toBe(1);
    await expect.poll(() => open.locator('attn-heatmap').count()).toBe(1);
    // Every sign has words beside it.
    const states = await report.locator('.cases .state').allTextContents();
    expect(states).toHaveLength(9);
    expect(states.every((text) => /^(Passed|Failed)$/.test(text))).toBe(true);
    // Hidden tests show their names but no numbers.
    expect(
      await report.locator('.cases > li', { hasText: 'hidden' }).locator('details').count(),
    ).toBe(0);
    await expect.poll(() => verdict(page).textContent()).toContain('differs from the reference');
    expect(await violations(page)).toEqual([]);

    // The picture by its knobs has no entry of 1000 and agrees: then it is that of the test which fails.
    await write(page, right.replace('return ', 'x = np.minimum(x, 9)\n    return '));
    await run(page, /^Not yet: \d of 9 tests passed\.$/);
    await expect
      .poll(() => verdict(page).textContent())
      .toMatch(/^With the numbers of the knobs your picture agrees .* This is the failed test “/);
    await picture(page).getByText('yours − reference, at most').waitFor();
    await picture(page).getByRole('slider').first().press('ArrowRight');
    await expect
      .poll(() => verdict(page).textContent())
      .toBe(
        'Your picture and the reference agree, but a test failed: the picture alone does not show it.',
      );

    await write(page, right);
    await expect.poll(() => report.getByText('You have changed your code since.').count()).toBe(1);
    await run(page, /^Passed: all 9 tests\.$/);
    await expect.poll(() => report.getByText('A mistake we know').count()).toBe(0);
    await expect
      .poll(() => verdict(page).textContent())
      .toBe('Your picture and the reference agree.');
    expect(await violations(page)).toEqual([]);

    await page.reload();
    await opened(page);
    await expect.poll(() => code(page)).toBe(right);
    await says(page, 'It passed.');
    await expect.poll(() => page.locator('.crumb').textContent()).toContain('Passed in Python');

    await page.getByText('Files and links').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save the submission').click(),
    ]);
    const { submission, intact } = readSubmission(await contentOf(download));
    expect(intact).toBe(true);
    expect(submission.exercises).toMatchObject([
      {
        ...{ exercise: 'elu-feature-map', language: 'python', code: right, runs: 3, hints: 0 },
        grade: { passed: true },
        seeds: [24, 25, 26],
      },
    ]);

    // The student writes a loop without end, stops it, and continues.
    await write(page, endless);
    await button(page, 'Run').click();
    await button(page, 'Stop').waitFor();
    // The code has begun to run, and the page still answers. Nothing on the page says that code has begun, so a time
    // has to do.
    await page.waitForTimeout(600);
    await button(page, 'Stop').click();
    await says(page, /^Stopped\./, 5000);
    await expect.poll(() => code(page)).toBe(endless);
    await write(page, right);
    const started = Date.now();
    await run(page, /^Passed: all 9 tests\.$/);
    console.log(`a run after a stop: ${Date.now() - started} ms`);
  });

  it('solves an exercise by keyboard alone', async () => {
    const { page } = await visit(elu);
    await opened(page);
    const focused = () =>
      page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element?.textContent?.trim().slice(0, 40) ?? '';
      });
    const inEditor = () =>
      page.evaluate(() => document.activeElement?.tagName === 'ATTN-CODE-EDITOR');
    const tabTo = async (reached: () => Promise<boolean>, key = 'Tab'): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        if (await reached()) return;
        // The line below the editor says how to leave it.
        if (await inEditor()) await page.keyboard.press('Escape');
        await page.keyboard.press(key);
      }
      throw new Error('Tab does not lead there');
    };
    await tabTo(inEditor);
    await page.locator('attn-exercise .cm-content').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(
      'import numpy as np\ndef elu_feature_map(x):\nreturn np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)',
    );
    // Enter after a colon indents.
    await expect.poll(() => code(page)).toContain('\n    return');
    await page.keyboard.press('ControlOrMeta+Enter');
    await says(page, /^Not yet/);
    await page.locator('attn-test-report').getByText('That is ELU itself').waitFor();
    await expect.poll(() => inEditor()).toBe(true);

    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(
      'import numpy as np\ndef elu_feature_map(x):\nreturn np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))',
    );
    await page.keyboard.press('ControlOrMeta+Enter');
    await says(page, /^Passed/);

    // Tab indents; Escape and then Tab leaves the editor for Run.
    const before = await code(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    await expect.poll(() => code(page)).not.toBe(before);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => code(page)).toBe(before);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused()).toBe('Run');

    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => inEditor()).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(endless);
    await page.keyboard.press('ControlOrMeta+Enter');
    await button(page, 'Stop').waitFor();
    // The code has begun to run by then; nothing on the page says so.
    await page.waitForTimeout(500);
    await page.keyboard.press('Escape');
    await says(page, /^Stopped\./, 5000);
    await expect.poll(() => code(page)).toBe(endless);
    await page.keyboard.press('ControlOrMeta+z');
    await page.keyboard.press('ControlOrMeta+Enter');
    await says(page, /^Passed/);

    // Enter opens a case; a hint that appears receives the focus.
    await tabTo(async () => (await focused()).includes('by hand'));
    await page.keyboard.press('Enter');
    await page.locator('attn-test-report').getByText('Called with').waitFor();
    await tabTo(async () => (await focused()) === 'Hint 1 of 3', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toMatch(/^Decide for each entry/);
  });

  it('opens an exercise inside the lab', async () => {
    const { page, requests } = await visit(lab);
    await moveMouse(page);
    const offered = page.locator('.exercise-list li', { hasText: 'ELU + 1 that stays positive' });
    // The exercises further down load when they come near the window.
    await expect
      .poll(async () => {
        if ((await offered.count()) > 0) return true;
        await page.mouse.wheel(0, 600);
        return false;
      })
      .toBe(true);
    await offered.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('heading', { level: 3, name: 'ELU + 1 that stays positive' }).waitFor();
    await write(page, right.replaceAll('elu_feature_map', 'elu_plus_one'));
    await run(page, /^Passed: all 10 tests\.$/);
    await expect
      .poll(() => verdict(page).textContent())
      .toBe('Your picture and the reference agree.');
    expect(requests.filter((address) => /codemirror/.test(address))).toHaveLength(1);
    expect(await violations(page)).toEqual([]);

    // The next one of this list opens in its place; the page stays.
    const address = page.url();
    await page.getByRole('link', { name: 'Next: ReLU as a feature map' }).click();
    await page.getByRole('heading', { level: 3, name: 'ReLU as a feature map' }).waitFor();
    expect(page.url()).toBe(address);
    await expect.poll(() => page.locator('attn-exercise').count()).toBe(1);
  });

  /** What of the exercise is in the window. */
  const shown = (page: Page) =>
    page.evaluate(() => {
      const picture = document.querySelector('attn-exercise-picture')?.shadowRoot;
      const places: readonly (readonly [string, Element | null | undefined])[] = [
        ['code', document.querySelector('attn-code-editor')],
        ['run', document.querySelector('.run-button')],
        ['result', document.querySelector('.run-status .status')],
        ...['yours', 'reference', 'difference'].map(
          (name, i) => [name, picture?.querySelectorAll('attn-heatmap')[i]] as const,
        ),
        ['knobs', picture?.querySelector('.knobs')],
        ['verdict', picture?.querySelector('.verdict')],
      ];
      return places.flatMap(([name, place]) => {
        const { left, right, top, bottom } = place?.getBoundingClientRect() ?? new DOMRect(-9);
        const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
        return inside ? [name] : [];
      });
    });
  const attention = `${all}?v=1&id=attention`;
  const answer = `import numpy as np

def attention(Q, K, V, mask=None, scale=True):
    scores = Q @ K.T / (np.sqrt(K.shape[1]) if scale else 1)
    if mask is not None:
        scores = np.where(mask == 0, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
`;

  it('has code, Run, result and picture on one screen, and sees the difference drain and what comes next', async () => {
    const { page } = await visit(attention, { viewport: { width: 1440, height: 900 } });
    await opened(page, 'Scaled dot-product attention');
    await write(page, answer.replaceAll('axis=1', 'axis=0'));
    await run(page, /^Not yet/);
    await page.locator('attn-test-report').getByText('Your columns sum to 1').waitFor();
    await expect.poll(() => verdict(page).textContent()).toContain('differs');
    await expect
      .poll(() => shown(page))
      .toEqual(['code', 'run', 'result', 'yours', 'reference', 'difference', 'knobs', 'verdict']);

    await write(page, answer);
    // The largest entry of the difference, whenever another picture of it is drawn.
    await page.evaluate(() => {
      const root = document.querySelector('attn-exercise-picture')?.shadowRoot;
      const seen: number[] = [];
      const look = (): void => {
        const { data } = root?.querySelectorAll('attn-heatmap')[2]?.matrix ?? {};
        const largest = (data ?? new Float32Array()).reduce(
          (most, value) => Math.max(most, Math.abs(value)),
          0,
        );
        if (largest !== seen.at(-1)) seen.push(largest);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(globalThis, { seen });
    });
    await run(page, /^Passed: all 12 tests\.$/);
    const seen = () => page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);
    await expect.poll(async () => (await seen()).at(-1)).toBeLessThan(1e-4);
    const falling = (await seen()).slice(0, -1);
    expect(falling.length).toBeGreaterThan(3);
    expect(falling).toEqual([...falling].sort((a, b) => b - a));

    const next = page.getByRole('link', { name: 'Next: The causal mask' });
    const box = await next.boundingBox();
    expect(box && box.y + box.height <= 900).toBe(true);
    await next.focus();
    await page.keyboard.press('Enter');
    await opened(page, 'The causal mask');
  });

  it('has the picture one flick or one key away from the code on a phone', async () => {
    const { page } = await visit(attention, {
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    });
    await opened(page, 'Scaled dot-product attention');
    await page.locator('.pane-switch').evaluate((place) => place.scrollIntoView());
    expect(await shown(page)).toEqual(['code', 'run', 'result']);
    const shows = (name: string) =>
      page.getByRole('group', { name: 'Shown' }).getByRole('button', { name, exact: true });
    await shows('Picture').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => shown(page)).toContain('reference');
    expect(await shown(page)).not.toContain('code');
    // A flick back.
    await page.locator('.panes').evaluate((panes) => panes.scrollTo({ left: 0 }));
    await expect.poll(() => shows('Code').getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => shown(page)).toContain('code');

    // A message fits beside the code, which may be wider than the window, and the panes never scroll down.
    await write(page, answer.replace('return', 'retrun'));
    await run(page, /^Not yet/);
    const told = await page.locator('attn-code-editor .cm-told').boundingBox();
    expect(told && told.x >= 0 && told.x + told.width <= 390).toBe(true);
    expect(await page.locator('.panes').evaluate((panes) => panes.scrollTop)).toBe(0);

    // With less motion there is no draining: the difference is blank at once.
    await write(page, answer);
    await run(page, /^Passed/);
    await shows('Picture').click();
    await expect.poll(() => verdict(page).textContent()).toContain('agree');
    const largest = () =>
      page.evaluate(() => {
        const root = document.querySelector('attn-exercise-picture')?.shadowRoot;
        const { data } = root?.querySelectorAll('attn-heatmap')[2]?.matrix ?? {};
        return data?.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      });
    expect(await largest()).toBeLessThan(1e-4);
    await fits(page, [390, 768]);
  });

  it.each([
    [
      '',
      'np.exp',
      'import numpy as np\ndef stable_softmax(logits):\n    x = logits - logits.max(axis=1, keepdims=True)\n    total = np.exp(x).sum(axis=1, keepdims=True)\n    return np.exp(x) / total\n',
    ],
    [
      '&in=javascript',
      'm.exp',
      'function stableSoftmax(logits) {\n  const x = logits.minus(logits.maxRows());\n  const total = x.exp().sumRows();\n  return x.exp().div(total);\n}\n',
    ],
  ])(
    'looks up what there is, and after passing sees the code beside ours, what both cost and where it leads%s',
    async (language, name, text) => {
      const softmax = `${all}?v=1&id=stable-softmax${language}`;
      const { page } = await visit(softmax, { viewport: { width: 1440, height: 900 } });
      await opened(page, 'Softmax that does not overflow');
      const opener = button(page, 'What you have here');
      await opener.focus();
      await page.keyboard.press('Enter');
      // The focus goes into the card, and the next stop is the search.
      const card = page.locator('attn-at-hand');
      await card.getByRole('searchbox', { name: 'Search' }).waitFor();
      expect(await opener.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Tab');
      await page.keyboard.type('exp');
      await expect
        .poll(async () =>
          (await card.locator('.names dt').first().textContent())?.replace(/\s+/g, ' '),
        )
        .toContain(name);
      expect(await violations(page)).toEqual([]);
      await fits(page, [768, 390]);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('Escape');
      await expect.poll(() => card.count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
        'What you have here',
      );

      expect(await page.locator('attn-after-passing').count()).toBe(0);
      await write(page, text);
      await run(page, /^Passed/);
      const after = page.locator('attn-after-passing');
      const spent = after.locator('.spent tbody tr');
      await expect.poll(() => spent.count(), { timeout: 30_000 }).toBe(2);
      const numbers = async (row: number) =>
        (await spent.nth(row).locator('td').allTextContents()).map((said) =>
          Number(said.replace(/[,\s]|under|ms/g, '')),
        );
      const [yours, ours] = [await numbers(0), await numbers(1)];
      // They are written as everywhere on the page: 1840, and not 1,840.
      const touched = await spent.locator('td:nth-of-type(2)').allTextContents();
      expect(touched.map((said) => said.trim())).toEqual(
        [yours, ours].map((of) => formatCount(of[1] as number)),
      );
      // It takes every exp twice, so that more is touched; and all of it takes time.
      expect(yours[1]).toBeGreaterThan(ours[1] as number);
      expect(ours[1]).toBeGreaterThan(0);
      expect(yours[2]).toBeGreaterThan(0);
      expect(ours[2]).toBeGreaterThan(0);

      const toAfter = button(page, 'Beside ours, and what it cost');
      const box = await toAfter.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= 900).toBe(true);
      await toAfter.focus();
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
        .toBe('What it cost');
      // Alike lines stand beside each other; those that differ say so.
      const lines = (side: string) => after.locator(`.${side} .line:not(.gap)`);
      expect(await lines('ours').allTextContents()).toContain(
        language ? '}\n' : 'import numpy as np\n',
      );
      const place = async (side: string) => (await lines(side).first().boundingBox())?.y;
      expect(await place('yours')).toBe(await place('ours'));
      expect(await after.locator('.yours .differs:not(.gap)').count()).toBeGreaterThan(1);
      expect(await after.locator('.yours .differs:not(.gap)').first().textContent()).toMatch(
        /^\s*differs: /,
      );
      expect(await violations(page)).toEqual([]);
      for (const media of [{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
        await page.emulateMedia(media);
        expect(await colourViolations(page), JSON.stringify(media)).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      await fits(page, [768, 390, 360]);

      // What it leads to: the step of its lab.
      const step = after.getByRole('link', { name: 'Go to that step' });
      expect(await step.getAttribute('href')).toMatch(/labs\/surgeon\/index\.html#\w+$/);
      await page.reload();
      await opened(page, 'Softmax that does not overflow');
      await expect.poll(() => after.textContent()).toContain('Run measures it.');
      await step.click();
      await page.waitForURL(/labs\/surgeon\/index\.html#/);
      // The address names a step that the lab has.
      await expect
        .poll(() => page.evaluate(() => document.getElementById(location.hash.slice(1)) !== null))
        .toBe(true);

      // The step says that it is passed, and leads to the picture that the kept code paints, without a run.
      const item = page
        .locator('attn-write-it li')
        .filter({ hasText: 'Softmax that does not overflow' });
      await moveMouse(page);
      const near = page.locator('#stages .exercises');
      await near.waitFor();
      await expect
        .poll(async () => {
          await near.scrollIntoViewIfNeeded();
          return item.locator('.passed').allTextContents();
        })
        .toEqual(['passed']);
      await item.getByRole('link', { name: 'Your function’s picture' }).click();
      await opened(page, 'Softmax that does not overflow');
      await expect.poll(() => verdict(page).textContent(), { timeout: 30_000 }).toMatch(/agree/);
      expect(await code(page)).toBe(text);
      await expect
        .poll(async () => {
          const box = await picture(page).boundingBox();
          return box !== null && box.y >= -1 && box.y < 450;
        })
        .toBe(true);
    },
  );

  it('is told that the scratch sheet takes the function, and sees no solution that is hidden', async () => {
    const { page } = await visit(`${all}?v=1&id=local-mask&hide=solution`);
    await opened(page, 'A local mask');
    await write(page, await readFile('web/exercises/local-mask/solution.py', 'utf8'));
    await run(page, /^Passed/);
    const after = page.locator('attn-after-passing');
    await expect
      .poll(() => after.textContent())
      .toContain('The author of this page has taken the solution away.');
    expect(await after.locator('.sides').count()).toBe(0);
    await expect.poll(() => after.locator('.spent tbody tr').count(), { timeout: 30_000 }).toBe(2);
    expect(await after.textContent()).toContain('The scratch sheet now takes local_mask from you');
    await after.getByRole('link', { name: 'Open the sheet' }).click();
    const sheet = page.locator('attn-scratch');
    await sheet.getByRole('button', { name: 'Run', exact: true }).click();
    await expect
      .poll(() => sheet.locator('[data-whose=yours]').count(), { timeout: 30_000 })
      .toBe(1);
  });

  it('sees how hard an exercise is, how long it takes and what it builds on', async () => {
    const { page } = await visit(all);
    const one = page
      .locator('.lab li')
      .filter({ has: page.getByRole('link', { name: /^Online softmax/ }) });
    const facts =
      'hard · about 40 min · builds on Softmax that does not overflow, Scaled dot-product attention';
    const told = (place: ReturnType<Page['locator']>) =>
      expect.poll(async () => (await place.textContent())?.replace(/\s+/g, ' ').trim()).toBe(facts);
    await told(one.locator('.facts'));
    await one.getByRole('link').click();
    await told(page.locator('.exercise-head .facts'));
  });
});

describe('the editor', () => {
  it('is a plain field until it is focused, and keeps what was typed while it loads', async () => {
    const { page, requests } = await visit(elu);
    await opened(page);
    expect(requests.filter((address) => /codemirror/.test(address))).toEqual([]);
    // CodeMirror is held back while the visitor types.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/codemirror/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('attn-code-editor textarea').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('# typed before it was there');
    release();
    await page.locator('attn-code-editor .cm-content').waitFor();
    await page.keyboard.type(', and after');
    await expect.poll(() => code(page)).toBe('# typed before it was there, and after');
    await kept(page, '# typed before it was there, and after');
    await page.reload();
    await opened(page);
    await expect.poll(() => code(page)).toBe('# typed before it was there, and after');
  });
});

describe('the picture', () => {
  it('is saved as SVG and as CSV where it is a curve', async () => {
    const { page } = await visit(`${all}?v=1&id=experiment-scaling-factor&k=n:8`);
    await opened(page, 'What the factor 1/√dk does');
    const file = async (name: string): Promise<Download> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        picture(page).getByRole('button', { name }).click(),
      ]);
      return download;
    };
    // The dict of this solution has its keys in another order than the reference's.
    const solution = new URL(
      '../../web/exercises/experiment-scaling-factor/solution.py',
      import.meta.url,
    );
    await write(page, await readFile(solution, 'utf8'));
    await run(page, /^Passed/);
    await expect
      .poll(() => verdict(page).textContent())
      .toBe('Your picture and the reference agree.');
    const svg = await file('Save the picture as SVG');
    expect(svg.suggestedFilename()).toBe('experiment-scaling-factor.svg');
    const text = await contentOf(svg);
    expect(text).toMatch(/^<svg xmlns/);
    expect(text).toContain('n = 8, seed = 3');
    const csv = (await contentOf(await file('Save the numbers as CSV'))).trimEnd().split('\n');
    const names = ['max_unscaled', 'max_scaled', 'entropy_unscaled', 'entropy_scaled'];
    expect(csv[1]?.split(',')).toEqual([
      'd_k',
      ...names.map((name) => `Reference: ${name}`),
      ...names.map((name) => `Yours: ${name}`),
    ]);
    expect(csv.slice(2).map((line) => line.split(',')[0])).toEqual([
      '1',
      '2',
      '4',
      '8',
      '16',
      '32',
      '64',
      '128',
      '256',
    ]);
    expect(
      csv.slice(2).every((line) =>
        line
          .split(',')
          .slice(1)
          .every((x) => Number(x) > 0),
      ),
    ).toBe(true);
  });

  it('is linked with its knobs and its language', async () => {
    const { page } = await visit(`${elu}&lang=javascript&k=n:5,seed:3`);
    await opened(page);
    await expect.poll(() => page.getByRole('radio', { name: 'JavaScript' }).isChecked()).toBe(true);
    await expect
      .poll(() => picture(page).locator('attn-slider[name=n] [role=spinbutton]').inputValue())
      .toBe('5');
    await write(
      page,
      'function eluFeatureMap(x) {\n  return x.map((v) => (v > 0 ? v + 1 : Math.exp(v)));\n}\n',
    );
    await run(page, /^Passed/);
    await expect.poll(() => yours(page)).toMatchObject({ rows: 5, cols: 8 });
    // Each language has its own text.
    await page.getByRole('radio', { name: 'Python' }).check({ force: true });
    await expect.poll(() => code(page)).toContain('def elu_feature_map');
    await page.getByRole('radio', { name: 'C++' }).check({ force: true });
    await page
      .getByRole('region', { name: 'The command' })
      .getByText('npm run exercise -- elu-feature-map', { exact: true })
      .waitFor();
    // The C++ file is shown as it lies in its folder, to be read.
    const stub = page.getByRole('region', { name: /elu-feature-map\.hpp$/ });
    await expect
      .poll(() => stub.textContent())
      .toBe(await readFile('tests/exercises/elu-feature-map/elu-feature-map.hpp', 'utf8'));
    expect(await violations(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => code(page)).toContain('def elu_feature_map');
  });

  it('has switches for knobs that are on or off, and keeps knobs of a link within their range', async () => {
    const { page } = await visit(`${all}?v=1&id=attention&k=n:100000,d:-3,masked:0`);
    await opened(page, 'Scaled dot-product attention');
    const knob = (name: string) =>
      picture(page).locator(`attn-slider[name=${name}] [role=spinbutton]`);
    await expect.poll(() => knob('n').inputValue()).toBe('64');
    await expect.poll(() => knob('d').inputValue()).toBe('1');
    /** The cells in the corner that a causal mask blocks. */
    const corner = () =>
      page.evaluate(() => {
        const root = document.querySelector('attn-exercise-picture')?.shadowRoot;
        const matrix = [...(root?.querySelectorAll('attn-heatmap') ?? [])][1]?.matrix;
        return matrix ? [matrix.rows, (matrix.data[matrix.cols - 1] ?? 0) > 0] : [];
      });
    await expect.poll(corner).toEqual([64, true]);
    const mask = picture(page).getByRole('switch', { name: 'causal mask' });
    expect(await mask.isChecked()).toBe(false);
    await mask.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => mask.isChecked()).toBe(true);
    await expect.poll(corner).toEqual([64, false]);
    expect(new URL(page.url()).searchParams.get('k')).toContain('masked:1');
    expect(await violations(page)).toEqual([]);
  });
});

/** Each begins with code of its own, in a page in which others have worked before. */
describe('in one visit', () => {
  const shared = visit.shared(elu);

  it('takes hints one by one, and gets the solution only after confirming', async () => {
    const { page } = shared;
    await opened(page);
    await expect.poll(() => button(page, 'Show the solution').count()).toBe(0);
    for (const n of [1, 2, 3]) {
      await button(page, `Hint ${n} of 3`).click();
      await expect.poll(() => page.locator('.hints li').count()).toBe(n);
      // The focus is at the hint, so that a screen reader reads it.
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('LI');
    }
    await button(page, 'Show the solution').click();
    await button(page, 'Not yet').click();
    await expect.poll(() => page.locator('.solution').count()).toBe(0);
    await button(page, 'Show the solution').click();
    await button(page, 'Show it').click();
    await page.locator('.solution pre').getByText('def elu_feature_map').waitFor();
    await page.getByText('Files and links').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save the submission').click(),
    ]);
    const { submission } = readSubmission(await contentOf(download));
    expect(submission.exercises[0]).toMatchObject({ hints: 3, solutionSeen: true });
    await page.reload();
    await opened(page);
    await expect.poll(() => page.locator('.hints li').count()).toBe(3);
  });

  it('from a file is shown beside one’s own', async () => {
    const { page } = shared;
    await page.getByText('Files and links').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Open a file').click(),
    ]);
    const file = {
      name: 'theirs.py',
      mimeType: 'text/x-python',
      buffer: Buffer.from('# theirs\r\n'),
    };
    await chooser.setFiles(file);
    await page.getByRole('alert').getByText('This is theirs.py.').waitFor();
    await button(page, 'Leave it').click();
    await expect.poll(() => code(page)).toContain('raise NotImplementedError');
    const input = page.locator('.files input[type=file]');
    const said = page.locator('.files .status');
    await input.setInputFiles({ ...file, name: 'a.png', buffer: Buffer.from([137, 80, 0, 255]) });
    await expect.poll(() => said.textContent()).toBe('a.png cannot be read as text.');
    await input.setInputFiles({ ...file, name: 'x.json', buffer: Buffer.from('{"a": 1}') });
    await expect.poll(() => said.textContent()).toContain('holds no code for this exercise');
    await expect.poll(() => page.locator('.foreign').count()).toBe(0);
  });

  it('marks the line of an error, and a click on the error goes to that line', async () => {
    const { page } = shared;
    await write(page, 'def elu_feature_map(x):\n    y = x\n    return y.nothing\n');
    await run(page, /^Not yet/);
    const report = page.locator('attn-test-report');
    await page.locator('attn-code-editor .cm-lintRange-error').first().waitFor();
    // What is wrong stands below its line, and is no part of the code.
    const told = page.locator('attn-code-editor .cm-line:has-text("y.nothing") + .cm-told');
    await expect
      .poll(() => told.textContent())
      .toBe("AttributeError: 'numpy.ndarray' object has no attribute 'nothing'");
    expect(await code(page)).not.toContain('AttributeError');
    await report.getByRole('button', { name: 'Go to line 3' }).first().click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.tagName === 'ATTN-CODE-EDITOR'))
      .toBe(true);
    await page.keyboard.press('Home');
    await page.keyboard.insertText('# ');
    expect((await code(page)).split('\n')[2]).toContain('# return');
  });

  it('resets the code, and can undo the reset', async () => {
    const { page } = shared;
    await write(page, right);
    await button(page, 'Start over').click();
    await expect.poll(() => code(page)).toContain('raise NotImplementedError');
    await button(page, 'Undo').click();
    await expect.poll(() => code(page)).toBe(right);
    await kept(page, right);
  });

  it('follows a knob, and keeps the last good one when the function fails', async () => {
    const { page } = shared;
    await write(page, `${right}    # and on it goes\n`);
    await run(page, /^Passed/);
    await expect.poll(() => yours(page)).toMatchObject({ rows: 16, cols: 8 });
    const field = picture(page).locator('attn-slider[name=n] [role=spinbutton]');
    const took = await page.evaluate(async () => {
      const root = document.querySelector('attn-exercise-picture')?.shadowRoot;
      const shown = () => root?.querySelector('attn-heatmap')?.matrix?.rows;
      const slider = root?.querySelector('attn-slider[name=n]');
      const times: number[] = [];
      for (const n of [20, 24, 28, 32, 40, 48, 56, 64]) {
        const started = performance.now();
        slider?.dispatchEvent(new CustomEvent('attn-input', { detail: n }));
        while (shown() !== n) await new Promise((resolve) => setTimeout(resolve, 2));
        times.push(performance.now() - started);
      }
      return times.sort((a, b) => a - b);
    });
    console.log(
      `a knob to the picture, median: ${took[4]?.toFixed(0)} ms (${took.map(Math.round)})`,
    );
    await field.fill('12');
    await field.press('Enter');
    await expect.poll(() => yours(page)).toMatchObject({ rows: 12, cols: 8 });
    expect(page.url()).toContain('k=n:12');
    await expect
      .poll(() => verdict(page).textContent())
      .toBe('Your picture and the reference agree.');
    const file = async (name: string): Promise<Download> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        picture(page).getByRole('button', { name }).click(),
      ]);
      return download;
    };
    const csv = await contentOf(await file('Save the numbers as CSV: Yours'));
    expect(csv).toContain('# Yours. elu-feature-map: n = 12, d = 8, seed = 1.');
    expect(
      csv
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('#')),
    ).toHaveLength(12);
    const png = await readFile(await (await file('Save the picture as PNG: Difference')).path());
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');

    // This function raises an error for some sizes.
    const picky = right.replace(
      '    return',
      "    if len(x) == 33:\n        raise ValueError('not 33')\n    return",
    );
    await write(page, picky);
    await run(page, /^Passed/);
    await field.fill('33');
    await field.press('Enter');
    await picture(page)
      .getByText(/ValueError.*not 33.*The last good picture stays\./)
      .waitFor();
    await expect.poll(() => yours(page)).toMatchObject({ rows: 12 });
    await field.fill('34');
    await field.press('Enter');
    await expect.poll(() => yours(page)).toMatchObject({ rows: 34 });
    await expect.poll(() => picture(page).locator('.trouble').count()).toBe(0);

    const stuck = right.replace('    return', '    while len(x) == 35:\n        pass\n    return');
    await write(page, stuck);
    await run(page, /^Passed/);
    await field.fill('35');
    await field.press('Enter');
    await picture(page).getByText('too slow for these numbers').waitFor({ timeout: 40_000 });
    await field.fill('36');
    await field.press('Enter');
    await expect.poll(() => yours(page), { timeout: 20_000 }).toMatchObject({ rows: 36 });
  });

  it('keeps the report of each language until the page is closed', async () => {
    const { page } = shared;
    await write(page, wrong);
    await run(page, /^Not yet: \d of 9 tests passed\.$/);
    const report = page.locator('attn-test-report');
    const mistake = report.getByText('That is ELU itself');
    await mistake.waitFor();
    const said = await status(page).textContent();
    for (const away of ['C++', 'JavaScript']) {
      await page.getByRole('radio', { name: away }).check({ force: true });
      await expect.poll(() => mistake.count()).toBe(0);
      await page.getByRole('radio', { name: 'Python' }).check({ force: true });
      await mistake.waitFor();
      await expect.poll(() => status(page).textContent()).toBe(said);
      await expect.poll(() => report.getByText('You have changed your code').count()).toBe(0);
    }
    await page.getByRole('link', { name: /^Next Are/ }).click();
    await opened(page, 'Are both orders equal?');
    await expect.poll(() => mistake.count()).toBe(0);
    await page.getByRole('link', { name: 'All exercises' }).click();
    await page.getByRole('link', { name: 'ELU + 1', exact: true }).click();
    await opened(page);
    await mistake.waitFor();
    await expect.poll(() => verdict(page).textContent()).toContain('differs from the reference');
  });

  it('is complete after a reload in the middle of a word', async () => {
    const { page } = shared;
    await write(page, right);
    await kept(page, right);
    await page.keyboard.type('# the last words');
    await page.reload();
    await opened(page);
    await expect.poll(() => code(page)).toContain('# the last words');
  });

  it('restarts Python, running or not, by the keyboard too, and the next run works', async () => {
    const { page } = shared;
    await write(page, 'def elu_feature_map(x):\n    while True: pass\n');
    await button(page, 'Run').click();
    await button(page, 'Stop').waitFor();
    await button(page, 'Restart Python').press('Enter');
    await button(page, 'Run').waitFor();
    await write(page, right);
    await run(page, /^Passed/);
    const cores: string[] = [];
    page.on('worker', (worker) => {
      if (!worker.url().startsWith('blob:')) cores.push(worker.url());
    });
    await button(page, 'Restart Python').click();
    // The core that the tests' references come from begins anew too.
    await expect.poll(() => cores.length).toBe(1);
    await expect.poll(() => page.locator('.run-status').textContent()).toContain('starts anew');
    expect(await code(page)).toBe(right);
    await run(page, /^Passed/);
    await page.getByRole('radio', { name: 'JavaScript' }).check({ force: true });
    await button(page, 'Restart JavaScript').waitFor();
  });
});

describe('kept work', () => {
  it('by a newer version of the page is named, left as it is and offered as a file', async () => {
    const { page } = await visit(elu);
    await opened(page);
    await write(page, '# first');
    await kept(page, '# first');
    const newer = { v: 2, exercise: 'elu-feature-map', language: 'python', code: ['cells'] };
    await page.evaluate(
      (record) =>
        new Promise((resolve) => {
          const asked = indexedDB.open('attention-labs');
          asked.onsuccess = () => {
            const work = asked.result.transaction('work', 'readwrite');
            work.objectStore('work').put(record, 'exercise/elu-feature-map/python');
            work.oncomplete = resolve;
          };
        }),
      newer,
    );
    await page.reload();
    await opened(page);
    const notice = page.locator('attn-exercise .notice.newer');
    await notice.getByText('A newer version of this page').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      notice.getByRole('button').click(),
    ]);
    expect(JSON.parse(await contentOf(download))).toMatchObject({
      ...{ format: 'attention-labs/progress', works: [newer] },
    });
    await write(page, '# beside it');
    await expect
      .poll(async () => (await saved(page))['exercise/elu-feature-map/python@v1'])
      .toBe('# beside it');
    expect((await saved(page))['exercise/elu-feature-map/python']).toBe('cells');
    expect(await violations(page)).toEqual([]);
  });

  it('stays in memory when the storage is full, and the page says so', async () => {
    const { page } = await visit(elu, {
      before: (context: BrowserContext) =>
        context.addInitScript(() => {
          const full = () => {
            throw new DOMException('full', 'QuotaExceededError');
          };
          IDBObjectStore.prototype.put = full;
          Storage.prototype.setItem = full;
        }),
    });
    await opened(page);
    await write(page, right);
    await page.getByRole('status').getByText('storage for this site is full').waitFor();
    await run(page, /^Passed/);
    await expect.poll(() => code(page)).toBe(right);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save the code').first().click(),
    ]);
    expect(await contentOf(download)).toBe(right);
    // The visitor opens another exercise and returns: nothing is lost until the page is closed.
    await page.getByRole('link', { name: /^Next: / }).click();
    await opened(page, 'Are both orders equal?');
    await page.getByRole('link', { name: 'Previous' }).click();
    await opened(page);
    await expect.poll(() => code(page)).toBe(right);
  });

  it('of another tab is offered and never overwritten', async () => {
    const { page, context } = await visit(elu);
    await opened(page);
    await write(page, '# first\n');
    await kept(page, '# first\n');
    const other = await context.newPage();
    await other.goto(page.url());
    await opened(other);
    await expect.poll(() => code(other)).toBe('# first\n');
    await write(other, '# of the second tab\n');
    await kept(other, '# of the second tab\n');
    await page.getByRole('alert').getByText('Another tab has a version of this code').waitFor();
    await expect.poll(() => code(page)).toBe('# first\n');
    // Text typed afterwards does not replace the other tab's version.
    await write(page, '# of the first tab\n');
    // A time is what is tested: nothing is saved for longer than a save takes to begin.
    await page.waitForTimeout(600);
    await kept(page, '# of the second tab\n');
    await button(page, 'The other version').click();
    await page.locator('.other pre').getByText('# of the second tab').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Take that version').click();
    await expect.poll(() => code(page)).toBe('# of the second tab\n');
    await button(page, 'Undo').click();
    await expect.poll(() => code(page)).toBe('# of the first tab\n');
    await kept(page, '# of the first tab\n');
    await other.getByRole('alert').getByText('Another tab has a version').waitFor();
    await button(other, 'Keep this one').click();
    await kept(other, '# of the second tab\n');
  });

  it('moves to another browser in one file, and the page first lists what the file would replace', async () => {
    const { page } = await visit(elu);
    await opened(page);
    await write(page, right);
    await run(page, /^Passed/);
    await page.getByRole('link', { name: 'All exercises' }).click();
    await heading(page, 'Exercises').waitFor();
    await expect.poll(() => page.locator('.total').textContent()).toContain('1 of ');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save everything as a file').click(),
    ]);
    const file = await contentOf(download);

    const { page: there } = await visit(elu);
    await opened(there);
    await write(there, '# mine\n');
    await kept(there, '# mine\n');
    await there.getByRole('link', { name: 'All exercises' }).click();
    const choose = async (name: string, text: string): Promise<void> => {
      const [chooser] = await Promise.all([
        there.waitForEvent('filechooser'),
        button(there, 'Open such a file').click(),
      ]);
      const buffer = Buffer.from(text);
      await chooser.setFiles({ name, mimeType: 'application/json', buffer });
    };
    await choose('bad.json', '{"no": "progress"}');
    await there.getByText('This file holds no progress of Attention Labs.').waitFor();
    await choose('good.json', file);
    await there.getByRole('cell', { name: 'replaces yours' }).waitFor();
    expect(await violations(there)).toEqual([]);
    await button(there, 'Take 1 record').click();
    await kept(there, right);
    await button(there, 'Undo').click();
    await kept(there, '# mine\n');
    await choose('good.json', file);
    await button(there, 'Take 1 record').click();
    await kept(there, right);

    await there.getByLabel('Reset a lab').selectOption('kernel-trick');
    await button(there, 'Forget the work of this lab').click();
    await expect.poll(async () => Object.keys(await saved(there))).toEqual([]);
    await button(there, 'Undo').click();
    await kept(there, right);
  });
});

describe('code that someone else wrote', () => {
  it('from a link is shown and not run, and replaces nothing', async () => {
    const { page } = await visit(elu);
    await opened(page);
    await write(page, right);
    await kept(page, right);
    const theirs = `${wrong}print("I ran")\n`;
    const packed = await packText(theirs);
    const ran: string[] = [];
    page.on('console', (message) => ran.push(message.text()));
    await page.goto('about:blank');
    await page.goBack();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `code=${packed}`);
    await page.reload();
    await opened(page);
    await page.getByRole('alert').getByText('This code came with the link.').waitFor();
    await expect.poll(() => code(page)).toBe(right);
    await page.locator('.foreign pre').getByText('I ran').waitFor();
    expect(await violations(page)).toEqual([]);
    // A time is what is tested: left alone, the code does not begin to run.
    await page.waitForTimeout(1000);
    expect(await status(page).textContent()).not.toMatch(/Running|passed/);
    expect(await yours(page)).toBeUndefined();
    await button(page, 'Put it into the editor').click();
    await expect.poll(() => code(page)).toBe(theirs);
    expect(page.url()).not.toContain('#code');
    await expect.poll(() => yours(page)).toBeUndefined();
    await button(page, 'Undo').click();
    await expect.poll(() => code(page)).toBe(right);
    await kept(page, right);
  });

  it('says so when the link is damaged', async () => {
    const { page } = await visit(`${elu}#code=AAAA`);
    await opened(page);
    await page.getByRole('alert').getByText('The link’s code is damaged').waitFor();
  });
});

describe('the page', () => {
  it('works offline once the editor was focused, with all that it offers', async () => {
    const { page, context, requests } = await visit(elu, {
      // The browser requests the tab's icon again with every new address.
      expectedErrors: /ERR_INTERNET_DISCONNECTED/,
    });
    await opened(page);
    await editable(page).click();
    await page.locator('attn-exercise .cm-content').waitFor();
    let seen = 0;
    const settled = () => {
      const before = seen;
      seen = requests.length;
      return before === seen;
    };
    await expect.poll(settled, { interval: 2500, timeout: 40_000 }).toBe(true);
    await context.setOffline(true);
    await write(page, wrong);
    await run(page, /^Not yet/);
    await page.locator('attn-test-report').getByText('That is ELU itself').waitFor();
    await write(page, right);
    await run(page, /^Passed/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      picture(page).getByRole('button', { name: 'Save the numbers as CSV: Reference' }).click(),
    ]);
    expect(await contentOf(file)).toContain('# Reference.');
    await page.getByRole('radio', { name: 'JavaScript' }).check({ force: true });
    await expect.poll(() => code(page)).toContain('function eluFeatureMap');
    await write(
      page,
      'function eluFeatureMap(x) {\n  return x.map((v) => (v > 0 ? v + 1 : Math.exp(v)));\n}\n',
    );
    await run(page, /^Passed/);
    await page
      .getByRole('navigation', { name: 'Exercises before and after' })
      .getByRole('link')
      .last()
      .click();
    await expect.poll(() => heading(page, 'Are both orders equal?').count()).toBe(1);
  });

  it('runs the course’s snippets on its scratch sheet', async () => {
    const { page } = await visit(all);
    await button(page, 'Open the scratch sheet').click();
    const sheet = page.locator('attn-scratch');
    await sheet.getByLabel('Start from').selectOption('featureMaps');
    await sheet.getByRole('button', { name: 'Run', exact: true }).click();
    await expect
      .poll(() => sheet.locator('.output').textContent(), { timeout: 30_000 })
      .toMatch(/^ELU\+1: MSE=0\.\d{4}, corr=0\.\d{3}\nReLU: .*\nSquared ReLU: /);
    await sheet.getByLabel('Start from').selectOption('kernelTrick');
    await sheet.getByRole('button', { name: 'Run', exact: true }).click();
    await expect
      .poll(() => sheet.locator('.output').textContent(), { timeout: 30_000 })
      .toBe('(100, 100)\n');
    expect(await violations(page)).toEqual([]);
  });

  it('runs the snippets of day 42 from a link, with what the student has passed', async () => {
    const { page } = await visit(`${all}?sheet=day42sparse`);
    const sheet = page.locator('attn-scratch');
    await sheet.waitFor();
    const written = () =>
      page.evaluate(
        () =>
          document.querySelector('attn-scratch')?.querySelector('attn-code-editor')?.value ?? '',
      );
    await expect.poll(written).toContain('SparseAttention(sparse_config)');
    // What is then written is not replaced by the preset again.
    await expect.poll(() => new URL(page.url()).searchParams.has('sheet')).toBe(false);
    const press = () => sheet.getByRole('button', { name: 'Run', exact: true }).click();
    const output = sheet.locator('.output');
    const parts = sheet.locator('.parts');
    await press();
    await expect.poll(() => output.textContent(), { timeout: 30_000 }).toContain('sees: 129\n');
    expect(await parts.locator('summary').textContent()).toContain('0 of its functions are yours');
    const row = parts.getByRole('listitem').filter({ hasText: 'local_mask' });
    expect(await row.textContent()).toMatch(/ours, until yours has passed; +used in this run/);
    expect(await violations(page)).toEqual([]);
    await fits(page, [390]);
    // A name that nobody has filled says which exercise does.
    await parts.getByLabel('Only my own').check();
    await press();
    const status = sheet.locator('.run-status .status');
    await expect
      .poll(() => status.textContent(), { timeout: 30_000 })
      .toContain('pages/exercises/?id=local-mask');

    await row.getByRole('link').click();
    await opened(page, 'A local mask');
    const solution = await readFile('web/exercises/local-mask/solution.py', 'utf8');
    await write(page, solution.replace('    back =', "    print('mine')\n    back ="));
    await run(page, /^Passed/);
    await button(page, 'Open the scratch sheet').click();
    await press();
    await expect.poll(() => output.textContent(), { timeout: 30_000 }).toContain('mine\n');
    expect(await parts.locator('summary').textContent()).toContain('1 of its functions is yours');
    expect(await row.getAttribute('data-whose')).toBe('yours');
  });

  it('shows what is drawn with matplotlib beside the code, grades it, and draws on the sheet', async () => {
    // The link asks for C++, in which nothing is drawn: Python takes its place.
    const { page } = await visit(`${all}?v=1&id=plot-multihead-attention&in=cpp`);
    await opened(page, 'Plot all heads in a grid');
    const solution = await readFile('web/exercises/plot-multihead-attention/solution.py', 'utf8');
    await write(page, solution.replace(', vmin=0, vmax=1', ''));
    await run(page, /^Not yet/);
    await page.getByText('Every picture has a scale of its own').waitFor();
    const heads = page.locator('attn-exercise-picture .drawing').first().locator('attn-heatmap');
    await expect.poll(() => heads.count()).toBe(4);
    await write(page, solution);
    await run(page, /^Passed/);
    await page.getByText('Your picture and the reference agree.').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await fits(page, [768, 390]);
    await button(page, 'Open the scratch sheet').click();
    const sheet = page.locator('attn-scratch');
    await sheet.getByLabel('Start from').selectOption('heads');
    await sheet.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => sheet.locator('attn-heatmap').count(), { timeout: 30_000 }).toBe(4);
  });

  it('says so where the link names no exercise, and stays usable', async () => {
    const { page } = await visit(`${all}?id=nothing`);
    await page.getByRole('alert').getByText('‘nothing’').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'ELU + 1', exact: true }).count())
      .toBe(1);
  });

  it('is accessible in every look with a report, and as wide as its window', async () => {
    const { page } = await visit(`${all}?id=linear-attention-order`);
    await opened(page, 'Attention in the linear order');
    await write(
      page,
      'def linear_attention_order(Q, K, V, feature_map):\n    scores = feature_map(Q) @ feature_map(K).T\n    return scores @ V\n',
    );
    await run(page, /^Not yet/);
    await page.locator('attn-test-report .cost').waitFor();
    await expect
      .poll(() => page.locator('attn-test-report .cost').textContent())
      .toContain('Fitted slope');
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page), 'dark').toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await colourViolations(page), 'forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await fits(page, [768, 390, 360]);
    // The report now holds arrays, which are wider.
    await write(page, 'def linear_attention_order(Q, K, V, feature_map):\n    return V\n');
    await run(page, /^Not yet/);
    await page.locator('attn-test-report attn-heatmap').first().waitFor();
    await fits(page, [768, 390, 360]);
  });

  it('reads a cell of the difference by touch, and counts from 0 everywhere', async () => {
    const touch = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const { page } = await visit(elu, touch);
    await opened(page);
    await write(page, wrong);
    await run(page, /^Not yet/);
    const delta = page.locator('attn-test-report attn-heatmap');
    await delta.getByText('Tap a cell to read it').waitFor();
    await delta.locator('.frame').tap({ position: { x: 4, y: 4 } });
    await delta.getByText('row 0, column 0').waitFor();
    const painted = picture(page).locator('attn-heatmap').first();
    await painted.locator('.frame').tap({ position: { x: 4, y: 4 } });
    await painted.getByText('token 0, feature 0').waitFor();
  });
});
