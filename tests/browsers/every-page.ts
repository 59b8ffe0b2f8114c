/** What holds for every page in every browser: it draws, a knob changes what is drawn, and nothing complains. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { labs, pages, readmeLab } from '../tools/site.mjs';
import { collected, type Place, type Tab } from './tab';

const exercise = 'pages/exercises/?v=1&id=elu-feature-map';
/** Found by their folders, so a new page is tested as soon as it is there; one exercise stands for all. */
const every = [...pages(), exercise];
/** A list has no knob, and what the page for instructors shows is in its frame; by what each offers of every exercise. */
const withoutKnob: Readonly<Record<string, string>> = {
  'pages/exercises/': 'main a[href*="id="]',
  'pages/embed/': '#what option',
};

declare global {
  interface Window {
    /** The knob that `findKnob` found. */
    knob?: HTMLElement;
    /** The knob's figure. */
    drawing?: Element;
  }
}

/**
 * Runs in the page: notes the first knob that a visitor sees, and the figure around it: the nearest element of our own
 * that has a picture beside it. A part of a figure may have a picture that the knob does not change, as the sentence of
 * the home page. Returns whether there is one.
 */
function findKnob(): boolean {
  const all = (root: Document | ShadowRoot | Element): Element[] =>
    [...root.querySelectorAll('*')].flatMap((one) =>
      one.shadowRoot ? [one, ...all(one.shadowRoot)] : [one],
    );
  const above = (one: Element): Element | null =>
    one.parentElement ?? (one.getRootNode() as Partial<ShadowRoot>).host ?? null;
  const main = document.querySelector('main');
  const seen = main
    ? all(main).filter((one) => one.checkVisibility({ visibilityProperty: true }))
    : [];
  for (const kind of ['input[type=range]:enabled', 'select:enabled']) {
    for (const knob of seen.filter((one) => one.matches(kind))) {
      for (let part = above(knob); part && part !== main; part = above(part)) {
        const pictures = all(part).filter((one) => one.matches('canvas, svg, table'));
        if (!part.localName.includes('-') || !pictures.some((one) => !one.closest('.knobs')))
          continue;
        window.knob = knob as HTMLElement;
        window.drawing = part;
        return true;
      }
    }
  }
  return false;
}

/** Runs in the page: everything that the figure of the knob shows except the knob, as a number; 0 while it computes. */
function whatIsDrawn(): number {
  let sum = 17;
  const add = (value: number): void => {
    sum = (Math.imul(sum, 31) + value) | 0;
  };
  const take = (node: Node): boolean => {
    if (node instanceof Text) {
      for (const letter of node.data) add(letter.charCodeAt(0));
      return true;
    }
    if (node instanceof Element) {
      if (node.ariaBusy === 'true') return false;
      if (node.matches('style, attn-slider, .knobs, input')) return true;
      for (const name of [
        'd',
        'x',
        'y',
        'cx',
        'cy',
        'width',
        'height',
        'transform',
        'points',
        'style',
      ]) {
        for (const letter of node.getAttribute(name) ?? '') add(letter.charCodeAt(0));
      }
      if (node instanceof HTMLCanvasElement && node.width * node.height > 0) {
        const seen = node.getContext('2d')?.getImageData(0, 0, node.width, node.height);
        if (seen) for (const pixel of new Uint32Array(seen.data.buffer)) add(pixel);
      }
      if (node.shadowRoot && !take(node.shadowRoot)) return false;
    }
    return [...node.childNodes].every(take);
  };
  return window.drawing && take(window.drawing) ? sum : 0;
}

/** Runs in the page. */
const knob = (): HTMLElement | undefined => window.knob;

const waits = { timeout: 40_000, interval: 100 };

/** Resolves to what is drawn, once it has not changed from one look to the next. */
async function settled(place: Place): Promise<number> {
  let last = 0;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await place.run(whatIsDrawn);
        return last !== 0 && last === before;
      },
      { ...waits, interval: 250, message: 'a figure that has drawn' },
    )
    .toBe(true);
  return last;
}

/** Waits for the first figure, moves its first knob, and waits for another picture. */
async function moveKnob(place: Place): Promise<void> {
  await expect.poll(() => place.run(findKnob), { ...waits, message: 'a knob' }).toBe(true);
  const before = await settled(place);
  const isList = await place.run(() => window.knob instanceof HTMLSelectElement);
  await place.press(knob, isList ? 'ArrowDown' : 'ArrowRight');
  await expect
    .poll(async () => [0, before].includes(await place.run(whatIsDrawn)), {
      ...waits,
      message: 'the picture after the knob was moved',
    })
    .toBe(false);
}

/**
 * Runs in the page: loads everything below the opening by going there, and returns the figures that drew nothing. A
 * figure that still computes after the patience, in ms, has to say so with a progress bar.
 */
async function readThrough(patience: number): Promise<string[]> {
  // Only something that hangs takes as long: the figures of a lab compute for half a minute when all begin at once.
  const until = async (what: () => string, holds: () => boolean): Promise<void> => {
    const end = performance.now() + 150_000;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`waited for ${what()}`);
      await new Promise((done) => setTimeout(done, 30));
    }
  };
  const some = (selector: string): HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>(selector),
  ];
  await until(
    () => 'the end of the lab',
    () => some('attn-lab > #summary').length === 1,
  );
  const places = some('attn-load-when-near');
  if (places.length === 0) throw new Error('nothing in this lab loads when the reader comes near');
  for (const place of places) {
    place.scrollIntoView({ block: 'center', behavior: 'instant' });
    const loading = (): boolean => place.querySelector(':scope > .loading-near') !== null;
    const follows = (): string => `what follows “${place.textContent?.trim().slice(0, 40)}”`;
    await until(follows, () => !loading());
  }
  const end = performance.now() + patience;
  const saysSo = (one: Element): boolean => one.closest('.view')?.querySelector('progress') != null;
  const busy = (): HTMLElement[] =>
    some('figure [aria-busy="true"]').filter((one) => performance.now() < end || !saysSo(one));
  const named = (): string => `the figures ${busy().map((one) => one.closest('figure')?.id)}`;
  await until(named, () => busy().length === 0);
  // An experiment that was not started says so in the place of its picture.
  const drawn = 'canvas, svg, table, button, attn-heatmap, attn-line-chart';
  return some(`figure .picture:not(:has(${drawn}))`)
    .filter((one) => !one.textContent?.trim())
    .map((one) => one.closest('figure')?.id ?? '');
}

/** Runs in the page: the messages about something that went wrong. */
const alerts = (): string[] =>
  [...document.querySelectorAll('main [role=alert]')]
    .map((one) => one.textContent?.trim() ?? '')
    .filter(Boolean);

/** Runs in the page: the plain field of an exercise, or the editor that takes its place once it has the focus. */
const field = (): Element | null | undefined =>
  document
    .querySelector('attn-exercise attn-code-editor')
    ?.shadowRoot?.querySelector('.cm-content, textarea');
const rich = (): boolean =>
  document
    .querySelector('attn-exercise attn-code-editor')
    ?.shadowRoot?.querySelector('.cm-content') instanceof Element;
/** Runs in the page: the code as the exercise has it. */
const code = (): string | undefined =>
  (document.querySelector('attn-exercise attn-code-editor') as { value?: string } | null)?.value;
const status = (): string =>
  document.querySelector('attn-exercise .run-status .status')?.textContent?.trim() ?? '';
const verdict = (): string =>
  document
    .querySelector('attn-exercise-picture')
    ?.shadowRoot?.querySelector('.verdict')
    ?.textContent?.trim() ?? '';

/** Runs in the page: what an editor gets when somebody pastes. A page may not read the clipboard of the machine. */
function paste(text: string): void {
  const editor = document
    .querySelector('attn-exercise attn-code-editor')
    ?.shadowRoot?.querySelector('.cm-content');
  if (!editor) throw new Error('no editor');
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  // Firefox makes an event from the last two only.
  const data = { clipboardData, dataType: 'text/plain', data: text };
  const options = { ...data, bubbles: true, cancelable: true };
  editor.dispatchEvent(new ClipboardEvent('paste', options));
}

const inPython = (): Element | null =>
  document.querySelector('attn-exercise .languages label:nth-of-type(1)');
const inJavaScript = (): Element | null =>
  document.querySelector('attn-exercise .languages label:nth-of-type(2)');

/** Replaces the code by a language's solution, as somebody does who pastes it, and runs it until all tests pass. */
async function solve(place: Place, language: 'Python' | 'JavaScript'): Promise<void> {
  const [file, choice, name] =
    language === 'Python'
      ? (['solution.py', inPython, 'def elu_feature_map'] as const)
      : (['solution.js', inJavaScript, 'function eluFeatureMap'] as const);
  const solution = readFileSync(`web/exercises/elu-feature-map/${file}`, 'utf8');
  await expect.poll(() => place.run(code), { ...waits, message: 'an editor' }).toBeTruthy();
  await place.click(choice);
  await expect.poll(() => place.run(code), waits).toContain(name);
  await place.click(field);
  await expect.poll(() => place.run(rich), { ...waits, message: 'CodeMirror' }).toBe(true);
  await place.press(field, 'SelectAll');
  await place.run(paste, solution);
  await expect.poll(() => place.run(code), waits).toBe(solution);
  // The cursor stands behind what was pasted, and what is typed goes there.
  await place.press(field, 'Enter');
  await expect.poll(() => place.run(code), waits).toMatch(/\n\s*\n\s*$/);
  expect((await place.run(code))?.startsWith(solution)).toBe(true);
  await place.click(() => document.querySelector('attn-exercise .run-button'));
  await expect
    .poll(() => place.run(status), { ...waits, message: `${language} runs` })
    .toMatch(/^Passed: all \d+ tests\.$/);
  await expect.poll(() => place.run(verdict), waits).toBe('Your picture and the reference agree.');
}

/** Runs in the course page. */
const iframe = (): Element | null => document.querySelector('iframe');

/** By how much the page in a frame is taller than its frame. */
const hidden = (): number =>
  document.documentElement.scrollHeight - document.documentElement.clientHeight;

/** The tests of a browser. The figures of a lab have the patience, in ms, to compute once all of them have begun. */
export function everyPage(
  name: string,
  open: () => Promise<Tab>,
  patience = Number.MAX_SAFE_INTEGER,
): void {
  describe(name, () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await open();
      console.log(tab.version);
    });
    afterAll(() => tab?.close());

    const visit = async (path: string): Promise<void> => {
      await tab.open(inject('noted') + path);
      expect(await tab.run(collected), 'the collector runs').toBeDefined();
    };
    const isClean = async (): Promise<void> => {
      expect(await tab.run(alerts), 'messages on the page').toEqual([]);
      expect(await tab.problems(), 'complaints').toEqual([]);
    };

    it('says what goes wrong in a page', async () => {
      await visit('broken.html');
      const wanted = ['said', 'thrown', 'refused', 'no-such-picture', 'elsewhere'];
      const missing = async (): Promise<string[]> => {
        const problems = (await tab.problems()).join('\n');
        return wanted.filter((word) => !problems.includes(word));
      };
      await expect.poll(missing, waits).toEqual([]);
    });

    it.each(every)('opens “%s”, and a knob changes the picture', async (path) => {
      await visit(path);
      const offers = withoutKnob[path];
      if (offers) {
        const exercises = readdirSync('web/exercises', { withFileTypes: true });
        const offered = (all: string): number => document.querySelectorAll(all).length;
        const count = exercises.filter((one) => one.isDirectory()).length;
        await expect.poll(() => tab.run(offered, offers), waits).toBeGreaterThanOrEqual(count);
      } else {
        await moveKnob(tab);
      }
      if (labs().includes(path)) {
        await tab.press(() => document.body, 'ArrowDown');
        expect(await tab.run(readThrough, patience), 'figures that drew nothing').toEqual([]);
      }
      await isClean();
    });

    it.each(['Python', 'JavaScript'] as const)('runs an exercise in %s', async (language) => {
      await visit(exercise);
      await solve(tab, language);
      await isClean();
    });

    it('shows a lab in a page of another origin', async () => {
      await tab.open(inject('course') + readmeLab);
      await tab.inFrame(iframe, async (frame) => {
        await moveKnob(frame);
        await expect.poll(() => frame.run(hidden), waits).toBe(0);
      });
      expect(await tab.problems(), 'complaints').toEqual([]);
    });

    it('runs an exercise in a page of another origin', async () => {
      await tab.open(inject('course') + exercise);
      await tab.inFrame(iframe, async (frame) => {
        await solve(frame, 'Python');
        await expect.poll(() => frame.run(hidden), waits).toBe(0);
      });
      expect(await tab.problems(), 'complaints').toEqual([]);
    });
  });
}
