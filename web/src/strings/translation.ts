/**
 * The words of another language than English. `public/theme.js` has a script of them run before the
 * page's modules (web/plugins/words.ts); a page that could not fetch it says what it can in English.
 */
import type { ExerciseStrings } from './exercises.ts';
import type { Strings } from './index.ts';
import type { LaterStrings } from './later.ts';
import type { Phrases } from './problem.ts';
import type { FeatureMapWords } from './registry.ts';
import type { SpeedStrings } from './speed.ts';

export interface Translation {
  readonly strings: Strings;
  readonly later: LaterStrings;
  readonly exercises: ExerciseStrings;
  readonly speed: SpeedStrings;
  readonly phrases: Phrases;
  /** What a student's code raised; undefined for what is not known. */
  readonly runErrors: (english: string) => string | undefined;
  /** By the registry's id. */
  readonly featureMaps: Readonly<Record<string, Partial<FeatureMapWords>>>;
}

declare global {
  var attentionLabsWords: Partial<Translation> | undefined;
}

export const translation = globalThis.attentionLabsWords;
