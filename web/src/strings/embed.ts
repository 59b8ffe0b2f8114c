/** The words of the instructor's page, in the page's language. */
import { words as german } from './de/embed.ts';
import { words as english } from './en/embed.ts';
import { byLanguage } from './language.ts';
import type { Words } from './words-type.ts';

export type EmbedStrings = Words<typeof english>;

export const embed = byLanguage<EmbedStrings>({ en: english, de: german });
