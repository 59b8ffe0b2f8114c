/**
 * Attacks the site from pages of strangers, which open its pages, and pages of their own with the script in which a
 * student's code runs, in every way that a browser has. Their text must never run in the origin of the site, where a
 * visitor's solutions are kept.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { chromiumFlags, launchWindowless } from '../tools/chromium.mjs';
import { pages } from './visit';

/** The browser finds every name below `.test` on this machine, so that it sees pages of several sites. */
const site = 'labs.course.test';

const strangers: readonly (readonly [where: string, host: string])[] = [
  ['the same host at another port', site],
  ['a sibling below the same domain', 'other.course.test'],
  ['another site', 'stranger.test'],
];

/** Ways to open the frame, by the attribute `sandbox` that it gets. */
const embeddings = {
  bare: undefined,
  'with our origin': 'allow-scripts allow-same-origin',
  confined: 'allow-scripts',
} as const;
type Way = keyof typeof embeddings | 'in a window';

/** What a stranger's text finds where it runs. */
interface Loot {
  readonly origin: string;
  /** The names of the databases, or why they cannot be listed. */
  readonly kept: string;
  /** What the site answers, or why it cannot be asked. */
  readonly asked: string;
}

interface Stranger {
  readonly loot: Partial<Record<Way, Loot>>;
  embed(name: Way, sandbox?: string): Promise<void>;
  openWindow(name: Way): void;
  say(name: Way): void;
  attack(name: Way): void;
}
type StrangersWindow = typeof window & Stranger & { readonly heard: number };

const text = `self.onmessage = async ({ data: { address }, ports: [port] }) => {
  const why = ({ name }) => name;
  const databases = async () => (await indexedDB.databases()).map(({ name }) => name).join();
  const kept = await databases().catch(why);
  const asked = await fetch(address).then(({ status }) => String(status), why);
  port.postMessage({ origin: self.origin, kept, asked });
};`;

/** Runs in a stranger's page. */
function prepare({ address, text }: { readonly address: string; readonly text: string }): void {
  const loot: Record<string, Loot> = {};
  const targets: Record<string, Window> = {};
  const stranger: Stranger = {
    loot,
    embed: (name, sandbox) =>
      new Promise((done) => {
        const element = document.createElement('iframe');
        if (sandbox) element.setAttribute('sandbox', sandbox);
        element.onload = () => {
          targets[name] = element.contentWindow as Window;
          done();
        };
        element.src = address;
        document.body.append(element);
      }),
    openWindow(name) {
      targets[name] = window.open(address) as Window;
    },
    say(name) {
      targets[name]?.postMessage('no beginning', '*');
    },
    attack(name) {
      const target = targets[name] as Window;
      const channel = new MessageChannel();
      const answers = new MessageChannel();
      answers.port1.onmessage = ({ data }) => {
        loot[name] = data;
      };
      target.postMessage('begin', '*', [channel.port2]);
      const start = { type: 'start', id: 1, source: text, boot: { address } };
      channel.port1.postMessage(start, [answers.port2]);
    },
  };
  Object.assign(window, stranger);
}

let browser: Browser;
/** The visitor, who has worked on the site and then opens the strangers' pages. */
let visitor: BrowserContext;
let host: Server;
let frameScript = '';
/** The site's own pages, at the strangers' addresses. */
let pagesOfOurs: readonly string[] = [];

beforeAll(async () => {
  const rules = '--host-resolver-rules=MAP *.test 127.0.0.1';
  browser = await launchWindowless({ args: [...chromiumFlags, rules] });
  host = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    // This header makes a page what it would be in `<iframe sandbox="allow-scripts">`.
    if (url === '/without-origin') {
      response.setHeader('Content-Security-Policy', 'sandbox allow-scripts');
    }
    // A page of the stranger's own, with the script of our frame.
    const script = url === '/frame' ? `<script src="${frameScript}"></script>` : '';
    response.end(
      `<!doctype html><html lang="en"><title>A stranger</title><body>${script}</body></html>`,
    );
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));

  const ours = new URL(inject('siteUrl').replace(/ /g, '%20'));
  ours.hostname = site;
  frameScript = new URL('sandbox/frame.js', ours).href;
  pagesOfOurs = pages().map((path) => new URL(path, ours).href);
  visitor = await browser.newContext();
  // It hears what the frame hears, and hears it first.
  await visitor.addInitScript(() => {
    Object.assign(window, { heard: 0 });
    addEventListener('message', () => ++(window as typeof window & { heard: number }).heard);
  });
  const page = await visitor.newPage();
  await page.goto(new URL('pages/exercises/index.html?v=1&id=elu-feature-map', ours).href);
  const editor = page.locator('attn-exercise attn-code-editor');
  await editor.locator('textarea, .cm-content').first().click();
  await editor.locator('.cm-content').waitFor();
  await page.keyboard.type('# mine');
  const drawers = () =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await vi.waitFor(async () => expect(await drawers()).toContain('attention-labs'), 30_000);
});
afterAll(async () => {
  await browser?.close();
  host?.close();
});

async function openStranger(name: string, path = '', address = ''): Promise<Page> {
  const page = await visitor.newPage();
  await page.goto(`http://${name}:${(host.address() as AddressInfo).port}/${path}`);
  const own = `http://${name}:${(host.address() as AddressInfo).port}/frame`;
  await page.evaluate(prepare, { address: address || own, text });
  return page;
}

const lootOf = (page: Page) => page.evaluate(() => (window as StrangersWindow).loot);

type Evaluating = Pick<Page, 'evaluate'>;

/** Opens the frame in one of the ways, and returns it. */
async function opened(page: Page, way: Way): Promise<Evaluating> {
  if (way === 'in a window') {
    const opening = visitor.waitForEvent('page');
    await page.evaluate((name) => (window as StrangersWindow).openWindow(name), way);
    const there = await opening;
    await there.waitForLoadState();
    return there;
  }
  await page.evaluate(([name, sandbox]) => (window as StrangersWindow).embed(name, sandbox), [
    way,
    embeddings[way],
  ] as const);
  // A page of ours may embed another itself, as the instructors' page does: the frame that was attacked is the stranger's own.
  return page.mainFrame().childFrames().at(-1) as Evaluating;
}

const heardBy = (target: Evaluating) => target.evaluate(() => (window as StrangersWindow).heard);

/** Attacks, and returns once the frame has heard it. */
async function attack(page: Page, way: Way): Promise<void> {
  const target = await opened(page, way);
  await page.evaluate((name) => (window as StrangersWindow).attack(name), way);
  await expect.poll(() => heardBy(target)).toBeGreaterThan(0);
}

describe.each(strangers)('a page of %s', (_, name) => {
  it('gets nothing from the frame, however it opens it', async () => {
    const page = await openStranger(name);
    for (const way of [...Object.keys(embeddings), 'in a window'] as Way[]) await attack(page, way);
    // A frame that is asked later, and does answer, shows that the others have had the time to.
    const last = await openStranger(name, 'without-origin');
    await attack(last, 'confined');
    await expect.poll(() => lootOf(last)).toHaveProperty('confined');
    expect(await lootOf(page)).toEqual({});
    expect(page.workers()).toEqual([]);
  });

  // A lab in `<iframe sandbox="allow-scripts">` looks the same from the frame, so the frame has to answer.
  it('that gives up its own origin runs code that has none, and reaches nothing', async () => {
    const page = await openStranger(name, 'without-origin');
    for (const way of Object.keys(embeddings) as Way[]) await attack(page, way);
    const nothing = { origin: 'null', kept: 'SecurityError', asked: 'TypeError' };
    await expect
      .poll(() => lootOf(page))
      .toEqual({ bare: nothing, 'with our origin': nothing, confined: nothing });
  });
});

it('no page of ours runs the text of a page that embeds it', async () => {
  expect(pagesOfOurs.length).toBeGreaterThan(6);
  const attacked: Page[] = [];
  for (const address of pagesOfOurs) {
    const page = await openStranger(site, '', address);
    for (const way of ['bare', 'with our origin'] as const) await attack(page, way);
    attacked.push(page);
  }
  // A frame that is asked later, and does answer, shows that the others have had the time to.
  const last = await openStranger(site, 'without-origin');
  await attack(last, 'confined');
  await expect.poll(() => lootOf(last)).toHaveProperty('confined');
  for (const page of attacked) expect(await lootOf(page)).toEqual({});
});

it('the frame still begins after it has heard what is no beginning', async () => {
  const page = await openStranger(site, 'without-origin');
  const target = await opened(page, 'confined');
  await page.evaluate(() => (window as StrangersWindow).say('confined'));
  await expect.poll(() => heardBy(target)).toBe(1);
  await page.evaluate(() => (window as StrangersWindow).attack('confined'));
  await expect.poll(() => lootOf(page)).toHaveProperty('confined');
});
