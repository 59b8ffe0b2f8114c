/** What labs and exercises say, in German: one script (web/plugins/words.ts). */
import { exercises } from './exercises.ts';
import { featureMaps } from './feature-maps.ts';
import { later } from './later.ts';
import { strings } from './page.ts';
import { phrases } from './phrases.ts';

globalThis.attentionLabsWords = { strings, later, exercises, featureMaps, phrases };
