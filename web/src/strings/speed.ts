/** The words of the page "How fast is this?", in the page's language. */
import { words as german } from './de/speed.ts';
import { words as english } from './en/speed.ts';
import { byLanguage } from './language.ts';
import type { Words } from './words-type.ts';

export type SpeedStrings = Words<typeof english>;

export const speed = byLanguage<SpeedStrings>({ en: english, de: german });
