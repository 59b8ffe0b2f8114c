/** What the page about speed says, in German: one script (web/plugins/words.ts). */
import { strings } from './page.ts';
import { phrases } from './phrases.ts';
import { speed } from './speed-words.ts';

globalThis.attentionLabsWords = { strings, speed, phrases };
