// `npm run screenshots`: every page at three widths, light and dark, into build/screenshots/; in English, or with
// --language de in German.
// With --readme also tests/e2e/readme.png, the picture of the README: outside web/, so that it is
// never part of the site.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, main, root } from '../../wasm/tools/process.mjs';
import { dist } from '../../web/tools/build.mjs';
import { commandLine } from './command-line.mjs';
import { open, pages, readmeLab, withSite } from './site.mjs';

const widths = [1440, 768, 390];

/** Figures and exercises load when the reader scrolls near them; without that a shot of the whole page has blanks. */
async function readThrough(page) {
  const waiting = page.locator('attn-load-when-near:has(> .loading-near)');
  while ((await waiting.count()) > 0) {
    // It may have loaded since it was counted.
    await waiting
      .first()
      .scrollIntoViewIfNeeded({ timeout: 1000 })
      .catch(() => undefined);
  }
  await page.waitForFunction(() => !document.querySelector('figure [aria-busy="true"]'));
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}
const schemes = ['light', 'dark'];

async function shoot(browser, url, { width, colorScheme, path, fullPage, deviceScaleFactor = 1 }) {
  const viewport = { width, height: 900 };
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor,
    reducedMotion: 'reduce',
  });
  const page = await open(context, url);
  // The first move loads the text below the figure; the first event of a page has no length.
  await page.mouse.move(5, 5);
  await page.mouse.move(6, 6);
  if (url.includes('/labs/')) await page.waitForSelector('#summary');
  if (fullPage) await readThrough(page);
  // This wait covers the last frame after the core's answer.
  await page.waitForTimeout(300);
  await page.screenshot({ path, fullPage });
  await context.close();
  console.log(path.slice(root.length));
}

export async function screenshots({ readme, language = 'en' }) {
  const folder = join(root, 'build/screenshots');
  mkdirSync(folder, { recursive: true });
  await withSite(async (browser, url) => {
    if (readme) {
      await shoot(browser, url + readmeLab, {
        width: 1440,
        colorScheme: 'light',
        path: join(root, 'tests/e2e/readme.png'),
        fullPage: false,
      });
      return;
    }
    for (const page of pages(dist, language)) {
      const name = page.replace(/\.html$|\/$/g, '').replaceAll('/', '-') || 'index';
      for (const width of widths) {
        for (const colorScheme of schemes) {
          const path = join(folder, `${name}-${width}-${colorScheme}.png`);
          await shoot(browser, url + page, { width, colorScheme, path, fullPage: true });
        }
      }
    }
  });
}

if (isMain(import.meta.url)) {
  await main(() => {
    const { option, rest } = commandLine();
    return screenshots({ language: option('--language'), readme: rest.includes('--readme') });
  });
}
