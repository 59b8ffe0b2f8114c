/** The words of the page. Another language is another file with the same keys. */
import { en } from './en.ts';

export type Strings = typeof en;

export const strings: Strings = en;
