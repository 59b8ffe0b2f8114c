/** A browser on the built site, as a visitor under a strict policy and a sub-path meets it. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildSite, dist } from '../../web/tools/build.mjs';
import { serve, strictCsp } from '../../web/tools/serve.mjs';
import { launchChromium } from '../tools/chromium.mjs';

export interface VisitOptions extends BrowserContextOptions {
  /** Runs before any script of the page. */
  readonly before?: (context: BrowserContext) => Promise<unknown>;
  /** Console errors this journey provokes on purpose. */
  readonly expectedErrors?: RegExp;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything that was fetched, in order. */
  readonly requests: readonly string[];
}

/** Every page of the site, relative to its root. */
export function pages(): readonly string[] {
  return (
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      // The sandbox's frame is no page: nobody sees it.
      .filter((name) => name.endsWith('.html') && !name.startsWith('sandbox/'))
      .sort()
  );
}

export const lab = 'labs/feature-maps/index.html';

/**
 * Starts server and browser around a file's tests. `visit(path)` opens a page in a fresh profile;
 * after each test every visit must have left a clean console and asked nobody else for anything.
 */
export function browsing(): (path: string, options?: VisitOptions) => Promise<Visit> {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  let folder: string;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    buildSite();
    // A copy: a build that someone starts meanwhile must not pull the pages away.
    folder = mkdtempSync(join(tmpdir(), 'attention-labs-'));
    cpSync(dist, folder, { recursive: true });
    site = await serve({ root: folder, csp: strictCsp, basePath: '/course/week 3/' });
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  return async (path, { before, expectedErrors, ...options } = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const origin = new URL(site.url).origin;
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
    context.on('weberror', (error) => errors.push(String(error.error())));
    await before?.(context);
    // Shorter than a test's: what is missing is named before the test as a whole is late.
    context.setDefaultTimeout(20_000);
    context.setDefaultNavigationTimeout(60_000);
    const page = await context.newPage();
    open.push(async () => {
      await context.close();
      expect(foreign, 'requests to other origins').toEqual([]);
      expect(
        errors.filter((error) => !expectedErrors?.test(error)),
        'console errors',
      ).toEqual([]);
    });
    await page.goto(new URL(path, site.url.replace(/ /g, '%20')).href);
    return { context, page, requests };
  };
}
