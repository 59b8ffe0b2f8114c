/** The table of the first figure's knobs, as a link holds them. */
import { boolean, integer, oneOf, type StateOf, seed, text } from '../../src/state/url.ts';
import { byLanguage } from '../../src/strings/language.ts';

/** The visitor's own matrices. */
export const LETTERS = ['q', 'k', 'v'] as const;

/** Own matrices may have more rows than the sliders offer, but no more than can be drawn. */
export const MAX_ROWS = 2048;

export const table = {
  input: oneOf({ key: 'input', values: ['text', 'gaussian', 'own'], default: 'text' }),
  text: text({
    key: 'text',
    maxLength: 8000,
    default: 'the cat sat on the mat and the dog sat too',
  }),
  map: text({ key: 'map', maxLength: 60, default: 'elu_plus_one' }),
  /** The map's parameters that are not at their default: `m:64,temp:2`. */
  parameters: text({ key: 'par', maxLength: 200, default: '' }),
  n: integer({ key: 'n', min: 2, max: 1024, default: 64 }),
  dK: integer({ key: 'dk', min: 1, max: 128, default: 16 }),
  dV: integer({ key: 'dv', min: 1, max: 128, default: 16 }),
  seed: seed(),
  scale: boolean({ key: 'scale', default: true }),
  causal: boolean({ key: 'causal', default: false }),
  sqrt: boolean({ key: 'sqrt', default: false }),
  /** Lines between words in place of cells, where the input is a text. */
  arcs: boolean({ key: 'arcs', default: false }),
  /** The id under which this browser keeps the matrices; empty for those that were kept last. */
  own: text({ key: 'own', maxLength: 40, default: '' }),
  /** What was chosen of their files, as `q:Q@0.3`: see `src/import/reading.ts`. */
  pick: text({ key: 'pick', maxLength: 300, default: '' }),
  /** The held cell, counted from 1; 0 for none. */
  query: integer({ key: 'q', min: 0, max: MAX_ROWS, default: 0 }),
  key: integer({ key: 'k', min: 0, max: MAX_ROWS, default: 0 }),
};

export type LabState = StateOf<typeof table>;

/**
 * A page in another language begins with a sentence of its own. The table's default stays, because links from before
 * that name no text mean it.
 */
export const start: Partial<LabState> = byLanguage<Partial<LabState>>({
  en: {},
  de: { text: 'die Katze saß auf der Matte und der Hund saß auch da' },
});
