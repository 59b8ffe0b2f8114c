// Shared by the browser scripts: lists the pages in dist/, and opens a browser on them.
import { readdirSync } from 'node:fs';
import { buildWasm } from '../../wasm/tools/build.mjs';
import { Stop } from '../../wasm/tools/process.mjs';
import { setup } from '../../wasm/tools/setup.mjs';
import { buildSite, dist } from '../../web/tools/build.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { launchWindowless } from './chromium.mjs';
import { importTypeScript } from './client.mjs';

/** Pages in another language than English lie in a folder with the name of the language. */
const languageOf = (page) => /^([a-z]{2})\//.exec(page)?.[1] ?? 'en';

/** Addresses of a built site's pages in a language, relative to its root: '' is the start page. */
export function pages(site = dist, language = 'en') {
  return (
    readdirSync(site, { recursive: true })
      .map((name) => name.replaceAll('\\', '/'))
      // The sandbox's frame is left out: no visitor opens it.
      .filter((name) => name.endsWith('.html') && !name.startsWith('sandbox/'))
      .filter((name) => languageOf(name) === language)
      .map((name) => name.replace(/(^|\/)index\.html$/, '$1'))
      .sort()
  );
}

/** Builds the site and opens a browser for `use(browser)`; closes it after. */
export async function withBrowser(use, launch = launchWindowless) {
  setup('test');
  buildWasm();
  buildSite();
  const browser = await launch();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Does the same and serves the site: `use(browser, url)`. */
export async function withSite(use, options = {}, launch = launchWindowless) {
  return withBrowser(async (browser) => {
    const server = await serve({ root: dist, ...options });
    try {
      return await use(browser, server.url);
    } finally {
      await server.close();
    }
  }, launch);
}

/** The pages of all labs. */
export const labs = (site = dist, language = 'en') =>
  pages(site, language).filter((page) => /^(?:[a-z]{2}\/)?labs\//.test(page));

/** The ids of the labs that a command names, or of all where it names none. */
export function namedLabs(names) {
  const wanted = labs()
    .map((path) => path.split('/')[1])
    .filter((id) => names.length === 0 || names.includes(id));
  if (wanted.length === 0) throw new Stop(`no lab of dist/ is called ${names.join(', ')}`);
  return wanted;
}

/** The pages whose first load and first picture have a budget: the start page and the labs. */
export const budgeted = (site = dist, language = 'en') => [
  ...pages(site, language).filter((page) => /^(?:[a-z]{2}\/)?$/.test(page)),
  ...labs(site, language),
];

/** The languages of the site, as `web/src/strings/language.ts` lists them. */
export async function languages() {
  const { languages: names } = await importTypeScript('web/src/strings/language.ts');
  return Object.keys(names);
}

/** The lab that the README shows. */
export const readmeLab = 'labs/feature-maps/';

/**
 * Lets the pages of a context wait for a visitor's first move however long it takes. Otherwise parts of a page load by
 * themselves after some seconds, which a busy machine may need for its first view.
 */
export const patient = (context) =>
  context.addInitScript(() => {
    const soon = globalThis.setTimeout;
    globalThis.setTimeout = (act, wait, ...rest) => (wait >= 4000 ? 0 : soon(act, wait, ...rest));
  });

/** Opens a page, and waits until the network is quiet and the fonts have loaded. */
export async function open(context, url) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  return page;
}
