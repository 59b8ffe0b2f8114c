/** The words that the first view does not need. */
import { enLater } from './en-later.ts';
import { translation } from './translation.ts';
import type { Words } from './words-type.ts';

export type LaterStrings = Words<typeof enLater>;

export const later: LaterStrings = translation?.later ?? enLater;
