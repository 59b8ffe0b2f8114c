/** The words of the page "How fast is this?", in its language. */
import { speed as english } from './en-speed.ts';
import { translation } from './translation.ts';
import type { Words } from './words-type.ts';

export type SpeedStrings = Words<typeof english>;

export const speed: SpeedStrings = translation?.speed ?? english;
