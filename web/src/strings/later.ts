/** The words that the first view does not need. */
import { enLater } from './en-later.ts';

export type LaterStrings = typeof enLater;

export const later: LaterStrings = enLater;
