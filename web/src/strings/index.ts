/** The words of the interface, in the page's language. */
import { words as german } from './de/interface.ts';
import { words as english } from './en/interface.ts';
import { byLanguage } from './language.ts';
import type { Words } from './words-type.ts';

export type Strings = Words<typeof english>;

export const strings = byLanguage<Strings>({ en: english, de: german });
