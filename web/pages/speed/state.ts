/** What a link to this page says. */
import { defineState, integer, oneOf, type StateOf } from '../../src/state/url.ts';

export const MIN_GUESS = 16;
export const MAX_GUESS = 4096;

const table = {
  /** The longest sequence measured. */
  largest: oneOf({ key: 'n', values: ['256', '512', '1024', '2048', '4096'], default: '1024' }),
  rounds: oneOf({ key: 'rounds', values: ['5', '15', '31'], default: '15' }),
  /** The length from which the visitor believes linear attention to be faster. */
  guess: integer({ key: 'guess', min: MIN_GUESS, max: MAX_GUESS, default: 512 }),
  show: oneOf({ key: 'show', values: ['time', 'rate'], default: 'time' }),
  /** Of the recorded run: the length and the build that the picture shows. */
  length: integer({ key: 'rec', min: 1, max: 1 << 20, default: 1024 }),
  build: oneOf({ key: 'recbuild', values: ['simd', 'relaxed', 'scalar'], default: 'simd' }),
};

export const speedState = defineState(table);
export type SpeedState = StateOf<typeof table>;

/** The URL name of a property. */
export const urlKey = (name: keyof SpeedState): string => table[name].key;
