/**
 * The words of another language than English, all that a lab can need, before anything of the page
 * runs. The only top-level await there is: WebKit loses modules that wait when two `import()`s reach
 * them at once (bug 242740), so parts that come later must find their words here.
 */
import type { German } from './de/index.ts';
import { language } from './language.ts';

export const translation: German | undefined =
  language === 'de' ? (await import('./de/index.ts')).german : undefined;
