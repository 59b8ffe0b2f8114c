/** The words of the page, in its language. */
import { en } from './en.ts';
import { translation } from './translation.ts';
import type { Words } from './words-type.ts';

export type Strings = Words<typeof en>;

export const strings: Strings = translation?.strings ?? en;
