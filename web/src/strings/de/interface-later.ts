/** What else labs and exercises say, in German: the script after interface.ts. */
import { exercises } from './exercises.ts';
import { featureMaps } from './feature-maps.ts';
import { later } from './later.ts';
import { phrases } from './phrases.ts';
import { runErrors } from './run-errors.ts';

// The modules hold on to the object that was there before them.
if (globalThis.attentionLabsWords) {
  Object.assign(globalThis.attentionLabsWords, {
    later,
    exercises,
    featureMaps,
    phrases,
    runErrors,
  });
}
