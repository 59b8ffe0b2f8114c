/** Tests the course map: what it shows without scripts, and how it shows a reader's progress. */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Lab } from '../../web/src/lab/types';
import { createTestClient } from '../wasm/in_process';
import { colourViolations, violations } from './axe';
import { fits, moveMouse } from './through';
import { browsing, type Visit } from './visit';

const visit = browsing();
const home = 'index.html';

/** Every lab, found by its folder. */
const labs = Object.values(
  import.meta.glob<Lab>('../../web/labs/*/lab.ts', { import: 'lab', eager: true }),
);

/** A visitor who wants no motion. */
const calm = { reducedMotion: 'reduce' } as const;

/** Writes records into the store where labs and exercises keep their work. */
const keep = (page: Page, records: Readonly<Record<string, unknown>>): Promise<void> =>
  page.evaluate(
    (entries) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('attention-labs');
        opening.onupgradeneeded = () => opening.result.createObjectStore('work');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('work', 'readwrite');
          for (const [key, value] of entries) transaction.objectStore('work').put(value, key);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    Object.entries(records),
  );

const time = '2026-01-01T00:00:00.000Z';
const read = (lab: string, steps: readonly string[]) => ({
  [`lab/${lab}`]: {
    ...{ v: 1, lab, changed: time, predictions: {}, checks: {} },
    seen: Object.fromEntries(steps.map((step) => [step, time])),
  },
});
const passed = (exercise: string) => ({
  [`exercise/${exercise}/python`]: {
    ...{ v: 1, exercise, language: 'python', code: '', revision: 1, changed: time },
    ...{ runs: 1, hints: 0, solutionSeen: false, firstPassed: time },
  },
});

/** What the map adds to its markup comes with the first move of a visitor. */
const arrive = async (...where: Parameters<typeof visit>): Promise<Visit> => {
  const visited = await visit(...where);
  await moveMouse(visited.page);
  return visited;
};

const next = (page: Page) => page.locator('.lab.next');
const way = (page: Page) => next(page).locator('.way');

/** The ids of a lab's steps, read from the outline on its page. */
async function stepsOf(page: Page, lab: string): Promise<string[]> {
  const html = await (
    await page.request.get(new URL(`labs/${lab}/index.html`, page.url()).href)
  ).text();
  const [outline = ''] = /<nav class="outline"[\s\S]*?<\/nav>/.exec(html) ?? [];
  return [...outline.matchAll(/href="#([^"]+)"/g)]
    .map(([, id = '']) => id)
    .filter((id) => !['sources', 'summary'].includes(id));
}

describe('the course map on a first visit', () => {
  const first = visit.shared(home);

  it('has lists, headings and links for a screen reader', async () => {
    const { page } = first;
    await moveMouse(page);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
    const course = page.getByRole('region', { name: 'The course' });
    const titles = course.getByRole('heading', { level: 4 });
    await expect.poll(() => titles.count()).toBeGreaterThan(1);
    const parts = course.getByRole('heading', { level: 3 });
    await expect
      .poll(() => parts.allTextContents())
      .toEqual([
        'Attention taken apart',
        'Linear attention',
        'Kernels',
        'Models with a state',
        'Many heads, long texts',
      ]);
    await expect.poll(() => course.getByRole('link', { name: 'Complexity' }).count()).toBe(1);
    await expect.poll(() => course.getByRole('link', { name: 'Begin here' }).count()).toBe(1);
  });

  it('prints the map without its buttons', async () => {
    const { page } = first;
    await way(page).waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.lab h4').first().isVisible()).toBe(true);
    await expect.poll(() => page.locator('.masthead').isVisible()).toBe(false);
    await expect.poll(() => way(page).isVisible()).toBe(false);
  });
});

describe('the figure', () => {
  const sentence = (page: Page) => page.getByLabel('Type a sentence');
  const slab = (page: Page) => page.locator('.of-slab');
  const length = (page: Page) => page.getByRole('slider', { name: /words in the text/ });
  const cost = (page: Page, row: string) =>
    page.locator('.costs tr').filter({ hasText: row }).locator('td');
  /** English numbers are written in groups of three, with commas. */
  const numberIn = (text: string | null): number =>
    Number(/= ([\d,]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''));
  /** The share of the stage's pixels that are drawn in the colour of softmax attention. */
  const orange = (page: Page): Promise<number> =>
    page.locator('.stage canvas').evaluate((canvas: HTMLCanvasElement) => {
      // The page's own canvas is not made for reading often, and Chromium warns of it.
      const copy = document.createElement('canvas');
      copy.width = canvas.width;
      copy.height = canvas.height;
      const drawing = copy.getContext('2d', { willReadFrequently: true });
      drawing?.drawImage(canvas, 0, 0);
      const { data } = drawing?.getImageData(0, 0, copy.width, copy.height) ?? { data: [] };
      let drawn = 0;
      for (let i = 0; i < data.length; i += 4) {
        if ((data[i + 3] ?? 0) > 20 && (data[i] ?? 0) > (data[i + 2] ?? 0) + 20) drawn++;
      }
      return drawn / (data.length / 4);
    });

  /** How wide the drawing in the colour of linear attention is, in pixels of the page. */
  const blue = (page: Page): Promise<{ width: number }> =>
    page.locator('.stage canvas').evaluate((canvas: HTMLCanvasElement) => {
      const copy = document.createElement('canvas');
      copy.width = canvas.width;
      copy.height = canvas.height;
      const drawing = copy.getContext('2d', { willReadFrequently: true });
      drawing?.drawImage(canvas, 0, 0);
      const { data } = drawing?.getImageData(0, 0, copy.width, copy.height) ?? { data: [] };
      let [least, most] = [copy.width, -1];
      for (let i = 0; i < data.length; i += 4) {
        if ((data[i + 3] ?? 0) <= 20 || (data[i + 2] ?? 0) <= (data[i] ?? 0) + 20) continue;
        const x = (i / 4) % copy.width;
        [least, most] = [Math.min(least, x), Math.max(most, x)];
      }
      const width = most < 0 ? 0 : most - least + 1;
      return { width: (width * canvas.clientWidth) / canvas.width };
    });

  it('draws the arcs of a sentence by itself, lets them become the matrix and the text grow', async () => {
    const { page } = await visit(home);
    const words = page.locator('attn-arcs').getByRole('option');
    await expect.poll(() => words.count()).toBe(11);
    // The text grows from the length of the sentence to that of the slider, and the slab with it.
    await expect.poll(async () => numberIn(await slab(page).textContent())).toBe(11 * 11);
    await expect
      .poll(async () => numberIn(await slab(page).textContent()), { timeout: 20_000 })
      .toBe(1_000_000);
    await expect.poll(() => page.locator('.of-state').textContent()).toContain('272 numbers');
    // A move of the visitor's ends what moves by itself.
    await page.getByRole('button', { name: 'Show it again' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(async () => numberIn(await slab(page).textContent())).toBe(1_000_000);
  });

  it('shows another sentence as it is typed, and keeps it in the link, in the tab and on the way into a lab', async () => {
    const { page } = await visit(`${home}?n=100`);
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(11);
    await sentence(page).fill('time flies like an arrow');
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(5);
    await sentence(page).press('Enter');
    await expect
      .poll(() => new URL(page.url()).searchParams.get('text'))
      .toBe('time flies like an arrow');
    const lab = page.locator('#feature-maps h4 a');
    await expect.poll(() => lab.getAttribute('href')).toContain('text=time+flies');
    // A lab whose opening shows no sentence keeps its old address.
    await expect
      .poll(() => page.locator('#complexity h4 a').getAttribute('href'))
      .toBe('./labs/complexity/index.html');
    await lab.click();
    await expect.poll(() => page.locator('textarea').inputValue()).toBe('time flies like an arrow');
    await page.getByRole('link', { name: 'Attention Labs' }).first().click();
    await expect.poll(() => sentence(page).inputValue()).toBe('time flies like an arrow');
  });

  it('counts what each length costs: four times for twice the text, and twice', async () => {
    const { page } = await visit(`${home}?n=512`, calm);
    const adds = async (): Promise<number[]> =>
      (await cost(page, 'Multiply-adds').allTextContents()).map((text) =>
        Number(text.replaceAll(',', '')),
      );
    const core = createTestClient();
    const of = async (n: number): Promise<number[]> => {
      const { normalized } = await core.orderCosts({ n, dK: 16, dV: 16, D: 16 });
      return [normalized.standard, normalized.linear];
    };
    try {
      const wanted = await of(512);
      await expect.poll(adds).toEqual(wanted);
      await expect
        .poll(() => cost(page, 'Twice as long').allTextContents())
        .toEqual(['4 times as much', '2 times as much']);
      await length(page).focus();
      await page.keyboard.press('PageUp');
      await expect.poll(() => new URL(page.url()).searchParams.get('n')).toBe('522');
      await expect.poll(adds).toEqual(await of(522));
      await page.keyboard.press('End');
      await expect.poll(() => slab(page).textContent()).toContain('1.00×10¹² weights');
    } finally {
      core.dispose();
    }
  });

  it('zooms out with every word: the slab is whole, and S and z shrink beside it until nothing is seen of them', async () => {
    const { page } = await visit(`${home}?n=12`, calm);
    await expect.poll(() => orange(page)).toBeGreaterThan(0);
    const small = await orange(page);
    const set = (n: number) => page.getByRole('spinbutton').fill(String(n));
    await set(24);
    await expect.poll(() => orange(page)).toBeGreaterThan(3 * small);
    // From here on the slab has all the room that there is, and the state loses by it.
    await set(200);
    await expect.poll(async () => (await blue(page)).width).toBeLessThan(40);
    const [full, some] = [await orange(page), await blue(page)];
    await set(2000);
    await expect.poll(async () => (await blue(page)).width).toBeLessThan(some.width / 4);
    expect(await orange(page)).toBeCloseTo(full, 1);
    await set(1_000_000);
    await expect.poll(async () => (await blue(page)).width).toBe(0);
    await expect
      .poll(() => page.locator('.stays').textContent())
      .toMatch(/S is 1\/\d+ of a pixel wide/);
  });

  it('times both here when asked, and says what is an estimate', async () => {
    const { page } = await visit(`${home}?n=1000000`, calm);
    await page.getByRole('button', { name: 'Time both here' }).click();
    const times = cost(page, 'Time on this machine');
    await expect
      .poll(() => times.first().textContent(), { timeout: 60_000 })
      .toMatch(/≈ .+ estimated from [\d\s]+ words/);
    await page.getByRole('spinbutton').fill('200');
    await page.keyboard.press('Enter');
    await expect.poll(() => times.allTextContents(), { timeout: 20_000 }).toHaveLength(2);
    for (const time of await times.all()) {
      await expect.poll(() => time.textContent()).toMatch(/s measured just now/);
    }
  });

  it('says beside the sentence what is wrong with it, and keeps the last picture', async () => {
    const { page } = await visit(`${home}?n=100`);
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(11);
    await sentence(page).fill('');
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.textContent()).toMatch(/\w.*\.\s*$/);
    await expect.poll(() => sentence(page).getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(11);
    await sentence(page).fill('all is well');
    await expect.poll(() => alert.count()).toBe(0);
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(3);
  });

  it('says what is wrong with the sentence of a link, and shows and counts with its own', async () => {
    const words = (count: number): string => Array.from({ length: count }, () => 'word').join('+');
    const { page } = await visit(`${home}?n=100&text=${words(65)}`, calm);
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.textContent()).toMatch(/64.* 65 tokens/);
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(11);
    await page.getByRole('spinbutton').fill('2000');
    await expect.poll(async () => numberIn(await slab(page).textContent())).toBe(4_000_000);
    await expect.poll(() => alert.count()).toBe(1);
    // One word less is not too long for anything that the figure asks.
    await sentence(page).fill(words(64).replaceAll('+', ' '));
    await expect.poll(() => alert.count()).toBe(0);
    await expect.poll(() => page.locator('attn-arcs').getByRole('option').count()).toBe(64);
  });

  it('moves only by the visitor’s hand where motion is not wanted', async () => {
    const { page } = await visit(home, calm);
    await expect.poll(async () => numberIn(await slab(page).textContent())).toBe(1_000_000);
    await page.getByRole('button', { name: 'Show it again' }).click();
    await expect.poll(async () => numberIn(await slab(page).textContent())).toBe(121);
    await page.getByRole('button', { name: 'Show it again' }).click();
    await expect.poll(async () => numberIn(await slab(page).textContent())).toBe(1_000_000);
  });

  it('draws the labs’ small pictures once they are near, of the sentence that was typed', async () => {
    const { page } = await arrive(`${home}?text=one+two+three`, calm);
    const pictures = page.locator('.thumb:not([hidden])');
    const count = await pictures.count();
    expect(count).toBe(await page.locator('.lab').count());
    for (let i = 0; i < count; i++) {
      await pictures.nth(i).scrollIntoViewIfNeeded();
      await expect.poll(() => pictures.nth(i).locator('rect').count()).toBeGreaterThan(5);
    }
    // Two matrices of three words each.
    await expect.poll(() => page.locator('#feature-maps .thumb rect').count()).toBe(18);
  });

  it('takes the sentence along into every lab that shows words', async () => {
    const typed = 'one two three four five six seven eight nine ten';
    const { page } = await arrive(`${home}?${new URLSearchParams({ text: typed })}`, calm);
    const links = page.locator('.lab h4 a');
    const said = async (lab: string): Promise<string | null> => {
      const address = await page.locator(`#${lab} h4 a`).getAttribute('href');
      const { searchParams } = new URL(address ?? '', page.url());
      return [...searchParams.values()].join();
    };
    const showing = labs.filter(({ takesText }) => takesText !== undefined);
    expect(showing.length, 'labs that show words').toBeGreaterThan(0);
    expect(showing.length, 'labs that show words').toBeLessThan(labs.length);
    for (const { id, takesText } of labs) {
      await expect.poll(() => said(id), { message: id }).toBe(takesText ? typed : '');
    }
    expect(await links.count()).toBeGreaterThan(3);
    await page.locator('#surgeon h4 a').click();
    const opening = page.locator('attn-operating-table');
    await expect
      .poll(() => opening.locator('.knob[data-knob=text]').textContent())
      .toContain('the first 8 of 10 words');
    expect(await opening.locator('.sg-text').inputValue()).toBe(typed);
    await page.goBack();
    // The page may have been loaded again; its links have the sentence once its figure is there.
    await expect.poll(() => said('states')).toBe(typed);
    await page.locator('#states h4 a').click();
    const matrices = page.locator('[data-figure=matrices]');
    await moveMouse(page);
    // A prediction comes before the figure.
    const question = page.locator('#inside attn-prediction');
    await question.scrollIntoViewIfNeeded();
    await question.getByRole('radio').first().check();
    await question.locator('button[type=submit]').click();
    await expect
      .poll(() => matrices.locator('[data-knob=text] input').inputValue(), { timeout: 60_000 })
      .toBe(typed);
  });

  it('passes axe in every look, with and without room', async () => {
    const { page } = await visit(`${home}?n=1000000&text=one+two`, calm);
    await expect.poll(() => page.locator('.of-slab').count()).toBe(1);
    await page.locator('attn-arcs').getByRole('option').first().click();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page), 'dark').toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await colourViolations(page), 'forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await fits(page, [1440, 768, 390, 360]);
  });
});

describe('the course map', () => {
  it('lists the labs in order, with their question, what they teach and what they build on', async () => {
    const { page } = await arrive(home);
    const numbers = await page.locator('.lab .number').allTextContents();
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers).toEqual([...numbers].sort((a, b) => Number(a) - Number(b)));
    for (const lab of await page.locator('.lab').all()) {
      await expect.poll(() => lab.locator('.question').textContent()).toMatch(/\?$/);
      await expect.poll(() => lab.locator('.skills li:visible').count()).toBeGreaterThan(2);
      await expect.poll(() => lab.locator('.facts').textContent()).toMatch(/about \d+ minutes/);
      await expect.poll(() => lab.locator('.facts').textContent()).toMatch(/\d+ steps/);
    }
    const lab = page.locator('#kernel-trick');
    await expect.poll(() => lab.locator('.facts').textContent()).toContain('builds on Lab 1');
    await lab.locator('.facts a').first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#complexity');
  });

  it('can be read without scripts', async () => {
    const { page } = await visit(home, { javaScriptEnabled: false });
    await expect.poll(() => page.locator('.lab h4 a:visible').count()).toBeGreaterThan(1);
    await expect.poll(() => page.getByText('Danach kannst du').first().isVisible()).toBe(false);
  });

  it('says what it is on the first screen, with one button and all of the square, on a phone too', async () => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const { page } = await visit(home, { ...calm, viewport: size });
      const start = page.getByRole('link', { name: 'Start', exact: true });
      const first = labs.find(({ number }) => number === 0)?.id;
      await expect.poll(() => start.getAttribute('href')).toBe(`./labs/${first}/index.html`);
      await page.locator('.of-slab').waitFor();
      for (const one of [page.locator('.lead'), start, page.locator('.stage')]) {
        const box = await one.boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0), String(size.width)).toBeLessThanOrEqual(
          size.height,
        );
      }
    }
  });

  it('names licence and authors at the end, and shows instructors their page', async () => {
    const { page } = await visit(home);
    const foot = page.locator('footer');
    await expect.poll(() => foot.textContent()).toContain('contributors');
    await expect
      .poll(() => foot.getByRole('link', { name: 'For instructors' }).getAttribute('href'))
      .toBe('./pages/embed/index.html');
    const licence = await page.request.get(new URL('licence.txt', page.url()).href);
    expect(await licence.text()).toMatch(/^MIT License/);
  });

  it('numbers the labs without gaps, in the order of the course', async () => {
    const { page } = await visit(home);
    const numbers = await page.locator('.lab .number').allTextContents();
    expect(numbers).toEqual(labs.map((_, i) => String(i)));
  });

  it('says where to begin, and links there', async () => {
    const { page } = await arrive(home);
    await expect.poll(() => way(page).textContent()).toBe('Begin here');
    await expect.poll(() => next(page).count()).toBe(1);
    await expect.poll(() => page.locator('.far').count()).toBe(0);
    await way(page).click();
    await expect.poll(() => new URL(page.url()).pathname).toContain('/labs/surgeon/');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toMatch(/\?/);
  });

  it('counts the steps and exercises that were done, and links to the first open one', async () => {
    const { page } = await arrive(home);
    const steps = await stepsOf(page, 'complexity');
    expect(steps.length).toBeGreaterThan(3);
    // The course begins with another lab, and goes on there once it was begun.
    const first = await stepsOf(page, 'surgeon');
    await keep(page, {
      ...read('complexity', steps.slice(0, 1)),
      ...read('surgeon', first.slice(0, 1)),
      ...passed('count-operations'),
    });
    await page.reload();
    await moveMouse(page);
    const far = page.locator('#complexity .far');
    await expect.poll(() => far.textContent()).toMatch(/1 of \d+ exercises passed/);
    await expect.poll(() => far.textContent()).toContain(`of ${steps.length} steps done`);
    // A step that asks something is not done when it was only read, and then that step is the next one.
    await expect
      .poll(() => far.locator('.marks i').first().getAttribute('class'))
      .toMatch(/seen|done/);
    await expect.poll(() => way(page).textContent()).toMatch(/^Go on with “.+”$/);
    const hash = await way(page).evaluate((link: HTMLAnchorElement) => new URL(link.href).hash);
    expect(first.slice(0, 2).map((step) => `#${step}`)).toContain(hash);
    await expect.poll(() => page.locator('.kept').textContent()).toContain('kept in this browser');
  });

  it('shows progress that another tab has made in the meantime', async () => {
    const { page } = await arrive(home);
    await expect.poll(() => way(page).textContent()).toBe('Begin here');
    await keep(page, passed('count-operations'));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect
      .poll(() => page.locator('.far').textContent())
      .toMatch(/1 of \d+ exercises passed/);
  });

  it('stays whole where storage is denied', async () => {
    const before = (context: BrowserContext) =>
      context.addInitScript(() => {
        Object.defineProperty(window, 'indexedDB', {
          get: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        });
      });
    const { page } = await arrive(home, { before });
    await expect.poll(() => way(page).textContent()).toBe('Begin here');
  });

  it('passes axe with half of the course done', async () => {
    const { page } = await arrive(home);
    const steps = await stepsOf(page, 'complexity');
    await keep(page, { ...read('complexity', steps), ...passed('count-operations') });
    await page.reload();
    await moveMouse(page);
    await page.locator('.far').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourViolations(page), 'dark').toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await colourViolations(page), 'forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await fits(page, [1440, 390, 360]);
  });
});
