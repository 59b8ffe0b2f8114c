/** Finds English sentences of the word files on a German page. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { LabSource } from '../../web/plugins/labs';
import { homeWords } from '../../web/src/home/words';
import { pageWords } from '../../web/src/lab/page/page-words';
import { words as germanExercises } from '../../web/src/strings/de/exercises';
import { words as germanPage } from '../../web/src/strings/de/interface';
import { words as germanLater } from '../../web/src/strings/de/later';
import { words as germanSpeed } from '../../web/src/strings/de/speed';
import { words as exercises } from '../../web/src/strings/en/exercises';
import { words as en } from '../../web/src/strings/en/interface';
import { words as later } from '../../web/src/strings/en/later';
import { words as speed } from '../../web/src/strings/en/speed';

const web = fileURLToPath(new URL('../../web/', import.meta.url));

/** The words of figures that have a file for each language. */
const figureWords = import.meta.glob<object>('../../web/labs/*/**/words/**/{en,de}.ts', {
  eager: true,
});

/** All texts in an object of words, except those made by functions. */
function texts(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words !== 'object' || words === null) return [];
  return Object.values(words).flatMap(texts);
}

/** A text as it is read: without the marks of prose, and with white space reduced to single spaces. */
const asRead = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Splits a text into the pieces that stand unbroken on a page, where formulas are markup. */
const pieces = (text: string): string[] => asRead(text).split(/\$+[^$]*\$+|\{\w+\}/);

/** The English pieces that do not also occur in German and are too long to be names. */
async function english(): Promise<ReadonlySet<string>> {
  const spoken: unknown[] = [en, later, exercises, speed, pageWords.en, homeWords.en];
  const german: unknown[] = [germanPage, germanLater, germanExercises, germanSpeed];
  german.push(pageWords.de, homeWords.de);
  for (const { opening, words } of await new LabSource(web).read()) {
    // A lab without German is shown in English on German pages.
    if (!opening.de) continue;
    spoken.push(opening.en, words.en);
    german.push(opening.de, words.de);
  }
  for (const [path, words] of Object.entries(figureWords)) {
    // Neither has a figure without German.
    if (!(path.replace(/en\.ts$/, 'de.ts') in figureWords)) continue;
    (path.endsWith('/en.ts') ? spoken : german).push({ ...words });
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

/** The English pieces in the text and labels of a page that was read to its end, and that are not marked as English. */
export async function leftovers(page: Page): Promise<readonly string[]> {
  known ??= english();
  const sentences = await known;
  const said = await page.evaluate(() => {
    const parts: string[] = [];
    /** What German lacks is in English and says so; it is no leftover. */
    const isMarked = (element: Element | null): boolean => {
      const named = element?.closest('[lang]');
      return named?.getAttribute('lang') === 'en' && named !== document.documentElement;
    };
    const look = (root: Document | ShadowRoot): void => {
      const body = root instanceof Document ? root.body : root;
      const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        // Words that follow a marked part must not read as if they went on with what stood before it.
        parts.push(isMarked(text.parentElement) ? '\n¶\n' : (text.textContent ?? ''));
      }
      parts.push('\n');
      for (const element of root.querySelectorAll('*')) {
        if (isMarked(element)) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
          parts.push('\n', element.getAttribute(name) ?? '');
        }
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    return parts.join('').replace(/\s+/g, ' ');
  });
  return [...sentences].filter((sentence) => said.includes(sentence));
}
