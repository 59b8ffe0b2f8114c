/** What labs and exercises say at once, in German: one script (web/plugins/words.ts). */
import { first as featureMaps } from './first-maps.ts';
import { phrases } from './load-phrases.ts';
import { strings } from './page.ts';

globalThis.attentionLabsWords = { strings, featureMaps, phrases };
