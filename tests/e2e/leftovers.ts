/** English sentences of the words' files that a German page shows. */
import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { homeWords } from '../../web/src/home/words';
import { pageWords } from '../../web/src/lab/page-words';
import { exercises as germanExercises } from '../../web/src/strings/de/exercises';
import { later as germanLater } from '../../web/src/strings/de/later';
import { strings as germanPage } from '../../web/src/strings/de/page';
import { speed as germanSpeed } from '../../web/src/strings/de/speed-words';
import { en } from '../../web/src/strings/en';
import { exercises } from '../../web/src/strings/en-exercises';
import { enLater } from '../../web/src/strings/en-later';
import { speed } from '../../web/src/strings/en-speed';

const labs = new URL('../../web/labs/', import.meta.url);

/** Every text below that is no function. */
function texts(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words !== 'object' || words === null) return [];
  return Object.values(words).flatMap(texts);
}

/** Words as they are read: without the marks of prose, white space as one. */
const asRead = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Pieces of it that are whole on a page: formulas are markup there. */
const pieces = (text: string): string[] => asRead(text).split(/\$+[^$]*\$+|\{\w+\}/);

/** English that German does not say too, in pieces long enough to be no name. */
async function english(): Promise<ReadonlySet<string>> {
  const spoken: unknown[] = [en, enLater, exercises, speed, pageWords.en, homeWords.en];
  const german: unknown[] = [germanPage, germanLater, germanExercises, germanSpeed];
  german.push(pageWords.de, homeWords.de);
  for (const lab of readdirSync(labs)) {
    const opening = await import(`../../web/labs/${lab}/words/opening.ts`);
    spoken.push(opening.opening.en);
    german.push(opening.opening.de);
    spoken.push({ ...(await import(`../../web/labs/${lab}/words/en.ts`)) });
    german.push({ ...(await import(`../../web/labs/${lab}/words/de.ts`)) });
  }
  const both = new Set(
    german
      .flatMap(texts)
      .flatMap(pieces)
      .map((piece) => piece.trim()),
  );
  return new Set(
    spoken
      .flatMap(texts)
      .flatMap(pieces)
      .map((piece) => piece.trim())
      .filter((piece) => /[a-z]{2,} [a-z]+ [a-z]+/i.test(piece) && !both.has(piece)),
  );
}

let known: Promise<ReadonlySet<string>> | undefined;

/** Scrolls through the page so that everything comes, then looks at what it says and names. */
export async function leftovers(page: Page): Promise<readonly string[]> {
  known ??= english();
  const sentences = await known;
  await page.mouse.move(9, 9);
  await page.waitForLoadState('networkidle');
  // A lab's steps come one after another when the page is idle; this is the last.
  if ((await page.locator('attn-lab').count()) > 0) await page.locator('#summary').waitFor();
  for (let steps = 0; steps < 60; steps++) {
    const atEnd = await page.evaluate(() => {
      scrollBy(0, innerHeight / 2);
      return scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    });
    await page.waitForTimeout(100);
    if (atEnd) break;
  }
  await page.waitForLoadState('networkidle');
  const said = await page.evaluate(() => {
    const parts: string[] = [];
    const look = (root: Document | ShadowRoot): void => {
      const body = root instanceof Document ? root.body : root;
      parts.push(body.textContent ?? '');
      for (const element of root.querySelectorAll('*')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
          parts.push(element.getAttribute(name) ?? '');
        }
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    return parts.join('\n').replace(/\s+/g, ' ');
  });
  return [...sentences].filter((sentence) => said.includes(sentence));
}
