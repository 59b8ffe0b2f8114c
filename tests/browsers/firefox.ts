/** Firefox, driven by WebDriver BiDi. */
import puppeteer, { type ElementHandle, type Frame } from 'puppeteer-core';
import { firefox } from '../tools/browsers.mjs';
import { collected, comeTo, type Find, type Place, type Tab } from './tab';

async function element(frame: Frame, find: Find): Promise<ElementHandle> {
  const found = (await frame.evaluateHandle(find)).asElement();
  if (!found) throw new Error(`the page has no element: ${find}`);
  return found as ElementHandle;
}

const place = (frame: Frame): Place => ({
  run: (script, ...args) => frame.evaluate(script as never, ...args) as never,
  click: async (find) => {
    const one = await element(frame, find);
    await one.evaluate(comeTo);
    await one.click();
  },
  press: async (find, key) => {
    const one = await element(frame, find);
    if (key !== 'SelectAll') return one.press(key);
    await one.focus();
    const { keyboard } = frame.page();
    const modifier = process.platform === 'darwin' ? 'Meta' : 'Control';
    await keyboard.down(modifier);
    await keyboard.press('a');
    await keyboard.up(modifier);
  },
});

export async function openFirefox(): Promise<Tab> {
  const executablePath = firefox();
  if (!executablePath) throw new Error('no Firefox found: set FIREFOX_PATH');
  const browser = await puppeteer.launch({
    ...{ browser: 'firefox', executablePath, defaultViewport: { width: 1280, height: 900 } },
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', 'ui.prefersReducedMotion': 1 },
  });
  const page = await browser.newPage();
  const problems: string[] = [];
  // This includes the consoles of frames and workers, and what the policy forbids.
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return {
    ...place(page.mainFrame()),
    version: await browser.version(),
    open: async (url) => {
      // Firefox reports what the old page was still loading, when it leaves that page.
      await page.goto('about:blank');
      problems.length = 0;
      await page.goto(url);
    },
    inFrame: async (find, work) => {
      const iframe = await element(page.mainFrame(), find);
      await iframe.evaluate(comeTo);
      const frame = await iframe.contentFrame();
      if (!frame) throw new Error('the iframe is empty');
      return work(place(frame));
    },
    problems: async () => {
      const noted = await Promise.all(page.frames().map((frame) => frame.evaluate(collected)));
      return [...problems, ...noted.flatMap((some) => some ?? [])];
    },
    close: () => browser.close(),
  };
}
