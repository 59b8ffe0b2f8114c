import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageId } from '../src/strings/language.ts';

/** A lab without words in a language: what the language's site has of it is the English page (`one-language.ts`). */
export const isInEnglishOnly = (web: string, page: string, language: LanguageId): boolean =>
  /^labs\//.test(page) && !existsSync(join(web, page, `../words/${language}.md`));

/**
 * What a language's pages are built from: the home page, and every folder of labs and of pages with an `index.html`, but
 * of the labs only those that have words in that language.
 */
export function pageInputs(web: string, language: LanguageId = 'en'): Record<string, string> {
  const inputs: Record<string, string> = { index: join(web, 'index.html') };
  for (const folder of ['labs', 'pages']) {
    if (!existsSync(join(web, folder))) continue;
    for (const name of readdirSync(join(web, folder))) {
      const page = `${folder}/${name}/index.html`;
      if (!existsSync(join(web, page)) || isInEnglishOnly(web, page, language)) continue;
      inputs[name] = join(web, page);
    }
  }
  return inputs;
}
