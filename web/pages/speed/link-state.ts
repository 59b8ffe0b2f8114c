/** The table of what a link to this page holds. */
import { maxOrderSize } from '#client';
import {
  defineState,
  integer,
  oneOf,
  type ParsedState,
  type PrintOptions,
  type StateOf,
} from '../../src/state/url.ts';

export const MIN_GUESS = 16;
export const MAX_GUESS = 4096;

const table = {
  /** The longest sequence measured. */
  largest: oneOf({ key: 'n', values: ['256', '512', '1024', '2048', '4096'], default: '1024' }),
  rounds: oneOf({ key: 'rounds', values: ['5', '15', '31'], default: '15' }),
  /** The length from which the visitor believes linear attention to be faster. */
  guess: integer({ key: 'guess', min: MIN_GUESS, max: MAX_GUESS, default: 512 }),
  show: oneOf({ key: 'show', values: ['time', 'rate'], default: 'time' }),
  /** The length and the build of the recorded run that the picture shows. */
  length: integer({ key: 'rec', min: 1, max: maxOrderSize, default: 1024 }),
  build: oneOf({ key: 'recbuild', values: ['simd', 'relaxed'], default: 'simd' }),
};

const { defaults, parse, print } = defineState(table);

export interface SpeedState extends StateOf<typeof table> {
  /** Whether the visitor made the guess; otherwise it is only the slider's position. */
  readonly guessed: boolean;
}

export const speedState = {
  defaults: { ...defaults, guessed: false } satisfies SpeedState,

  parse(search: string): ParsedState<SpeedState> {
    const parsed = parse(search);
    const { key } = table.guess;
    // Of several the first one counts, as for every name.
    const guess = new URLSearchParams(search).get(key);
    const guessed =
      guess !== null && parse(`${new URLSearchParams({ [key]: guess })}`).problems.length === 0;
    return { ...parsed, state: { ...parsed.state, guessed } };
  },

  print({ guessed, ...state }: SpeedState, options: PrintOptions = {}): string {
    const { key, default: middle } = table.guess;
    if (!guessed || state.guess !== middle) return print(state, options);
    // Defaults are left out of a link, except a guess that equals the default: it was made.
    return print(state, { ...options, others: [[key, String(middle)], ...(options.others ?? [])] });
  },
};

/** The URL name of a property. */
export const urlKey = (name: keyof typeof table): string => table[name].key;
