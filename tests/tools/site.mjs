// What the browser scripts share: which pages dist/ has, and a browser looking at one.
import { readdirSync } from 'node:fs';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { buildSite, dist } from '../../web/tools/build.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { launchChromium } from './chromium.mjs';

/** Addresses of all pages relative to the site's root: '' is the start page. */
export function pages() {
  return (
    readdirSync(dist, { recursive: true })
      .map((name) => name.replaceAll('\\', '/'))
      // The sandbox's frame is no page: nobody sees it.
      .filter((name) => name.endsWith('.html') && !name.startsWith('sandbox/'))
      .map((name) => name.replace(/(^|\/)index\.html$/, '$1'))
      .sort()
  );
}

/** Builds and serves the site and opens a browser for `use(browser, url)`; closes both after. */
export async function withSite(use, options = {}) {
  setup('test');
  buildWasm();
  buildSite();
  const server = await serve({ root: dist, ...options });
  const browser = await launchChromium();
  try {
    return await use(browser, server.url);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Pages whose first load has a budget. */
export const labs = () => pages().filter((page) => page.startsWith('labs/'));

/** The lab that the README shows. */
export const firstLab = () => pages().find((page) => page.includes('feature-maps')) ?? '';

/** Opens a page and waits until the network is quiet and fonts are there. */
export async function open(context, url) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  return page;
}
