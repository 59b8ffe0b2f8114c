/** Alle Wörter, die ein Lab brauchen kann, auf Deutsch. Only types are imported: see translation.ts. */
import { later } from './later.ts';
import { strings } from './page.ts';

export const german = { strings, later };

export type German = typeof german;
