/** Opens a browser on the built site, as a visitor meets it under a strict policy and a sub-path. */
import { readdirSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { dist } from '../../web/tools/build.mjs';
import { launchWindowless } from '../tools/chromium.mjs';

export interface VisitOptions extends BrowserContextOptions {
  /**
   * Leaves the knobs of figures folded, as a visitor finds them. Otherwise they are unfolded as soon as they are there,
   * because most tests are about knobs and not about the fold.
   */
  readonly folded?: boolean;
  /** Runs before any script of the page. */
  readonly before?: (context: BrowserContext) => Promise<unknown>;
  /** Matches the console errors that a test provokes on purpose. */
  readonly expectedErrors?: RegExp;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The addresses of all requests, in order. */
  readonly requests: readonly string[];
}

/** The same page in German. */
export const german = (page: string): string => `de/${page}`;

/** Every page of the site in English, relative to its root. */
export function pages(): readonly string[] {
  return (
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      // The sandbox's frame is left out: no visitor opens it.
      .filter((name) => name.endsWith('.html') && !/^(?:sandbox|[a-z]{2})\//.test(name))
      .sort()
  );
}

export const lab = 'labs/feature-maps/index.html';

/** Runs in the page. */
function unfoldKnobs(): void {
  // What is unfolded stands in its place, and not over other parts of the page.
  const mark = (): void => document.documentElement.setAttribute('data-unfolded', '');
  if (document.documentElement) mark();
  else
    new MutationObserver((_, watch) => {
      mark();
      watch.disconnect();
    }).observe(document, { childList: true });
  const unfold = (): void => {
    for (const more of document.querySelectorAll<HTMLElement>(
      // A view's sheet holds what its figure's own one has.
      '.more-knobs[aria-expanded="false"]:not([data-unfolded], attn-view *)',
    )) {
      more.dataset.unfolded = '';
      more.click();
    }
  };
  new MutationObserver(unfold).observe(document, { childList: true, subtree: true });
}

export interface Browsing {
  /** Opens a page in a fresh profile, for this test. */
  (path: string, options?: VisitOptions): Promise<Visit>;
  /**
   * A page that the tests of a `describe` share, in their order. It opens before the first test and closes after the
   * last. Use it for several questions about one state of a page, so that the page is not loaded for each of them.
   */
  shared(path: string, options?: VisitOptions): Pick<Visit, 'page' | 'requests'>;
}

/**
 * Starts a browser for a file of tests. After each test every page must have a clean console and must have sent no
 * request to another site; a shared page is checked after each of its tests.
 */
export function browsing(): Browsing {
  let browser: Browser;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launchWindowless();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  async function opened(
    path: string,
    { before, expectedErrors, folded, ...options }: VisitOptions,
  ) {
    const url = inject('siteUrl');
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const origin = new URL(url).origin;
    const errors: string[] = [];
    const foreign: string[] = [];
    const requests: string[] = [];
    context.on('request', (request) => {
      requests.push(request.url());
      const { protocol, origin: asked } = new URL(request.url());
      if (protocol.startsWith('http') && asked !== origin) foreign.push(request.url());
    });
    context.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => errors.push(String(error.error().stack)));
    if (!folded) await context.addInitScript(unfoldKnobs);
    await before?.(context);
    // The limit is shorter than a test's, so that a missing element is named before the test as a whole times out.
    context.setDefaultTimeout(20_000);
    context.setDefaultNavigationTimeout(60_000);
    const page = await context.newPage();
    const clean = (): void => {
      expect(foreign, 'requests to other origins').toEqual([]);
      expect(
        errors.filter((error) => !expectedErrors?.test(error)),
        'console errors',
      ).toEqual([]);
    };
    await page.goto(new URL(path, url.replace(/ /g, '%20')).href);
    return { visit: { context, page, requests }, clean };
  }

  const visit = async (path: string, options: VisitOptions = {}): Promise<Visit> => {
    const { visit, clean } = await opened(path, options);
    open.push(async () => {
      await visit.context.close();
      clean();
    });
    return visit;
  };
  const shared = (path: string, options: VisitOptions = {}): Pick<Visit, 'page' | 'requests'> => {
    let now: Awaited<ReturnType<typeof opened>> | undefined;
    beforeAll(async () => {
      now = await opened(path, options);
    });
    afterEach(() => now?.clean());
    afterAll(() => now?.visit.context.close());
    const visited = (): Visit => {
      if (!now) throw new Error('a shared page is there while tests run');
      return now.visit;
    };
    return {
      get page() {
        return visited().page;
      },
      get requests() {
        return visited().requests;
      },
    };
  };
  return Object.assign(visit, { shared });
}
