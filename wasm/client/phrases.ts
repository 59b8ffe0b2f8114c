/**
 * What an error says, as data: the id of a phrase and its parameters, with the English text. Templates
 * are written as in core/include/attn/base/phrase.hpp: `{x}`, `{names|or}`, `{n:token|tokens}`; and `{^x}`,
 * which begins a sentence, has its first letter in upper case.
 */
import type { corePhrases } from '../../build/wasm/phrases';

export type PhraseValue = number | string | readonly string[] | Wording;

/** A phrase with its parameters. */
export interface Wording {
  readonly id: string;
  readonly params: Readonly<Record<string, PhraseValue>>;
  /** In English. */
  readonly text: string;
}

/** English templates by id. */
export type Catalogue = Readonly<Record<string, string>>;

type SlotName<Inner extends string> = Inner extends `^${infer Name}`
  ? SlotName<Name>
  : Inner extends `${infer Name}:${string}`
    ? SlotName<Name>
    : Inner extends `${infer Name}|${string}`
      ? Name
      : Inner extends `${string},${string}` | `${string} ${string}`
        ? never
        : Inner;
/** The names of a template's parameters. */
export type Slots<Template extends string> =
  Template extends `${string}{${infer Inner}}${infer Rest}` ? SlotName<Inner> | Slots<Rest> : never;

/** What another language says for each phrase of a catalogue: no more, and no fewer. */
export type Translated<C extends Catalogue> = {
  readonly [Id in keyof C]:
    | string
    | ((params: Readonly<Record<Slots<C[Id]>, PhraseValue>>) => string);
};

const SLOT = /\{(\^?)(\w+)(?::([^|}]*)\|([^}]*)|\|([^}]*))?\}/g;

const numberText = (x: number): string => {
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x < 0 ? '-∞' : '∞';
  return Number.isInteger(x) && Math.abs(x) < 2 ** 53
    ? String(x)
    : String(Number(x.toPrecision(6)));
};

function valueText(
  value: PhraseValue,
  inner: (wording: Wording) => string,
  last: string | undefined,
): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return value;
  if ('id' in value) return inner(value);
  return last === undefined || value.length < 2
    ? value.join(', ')
    : `${value.slice(0, -1).join(', ')} ${last} ${value.at(-1)}`;
}

/** A template with its parameters put in; `inner` says what a phrase within the phrase is. */
export const filled = (
  template: string,
  params: Wording['params'],
  inner: (wording: Wording) => string = ({ text }) => text,
): string =>
  template.replace(
    SLOT,
    (slot, capital: string, name: string, one?: string, many?: string, last?: string) => {
      const value = params[name];
      if (value === undefined) return slot;
      if (many !== undefined) return (value === 1 ? one : many) ?? '';
      const text = valueText(value, inner, last);
      return capital ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text;
    },
  );

/**
 * Makes wordings of a catalogue: `say('cancelled')`, `say('not_started', { reason })`. Their ids begin
 * with its name and a point, "client.cancelled"; those of C++ have none.
 */
export const phrasesOf =
  <const C extends Catalogue>(name: string, catalogue: C) =>
  <Id extends keyof C & string>(
    id: Id,
    ...params: [Slots<C[Id]>] extends [never]
      ? []
      : [params: Readonly<Record<Slots<C[Id]>, PhraseValue>>]
  ): Wording => {
    const [given = {}] = params as readonly Wording['params'][];
    return { id: `${name}.${id}`, params: given, text: filled(catalogue[id] as string, given) };
  };

/** What C++ says. */
export type CorePhrases = typeof corePhrases;

/** What the client says itself. */
export const clientPhrases = {
  no_webassembly: 'this browser has no WebAssembly',
  no_exceptions:
    'this browser is too old: it has no WebAssembly exceptions (Chrome 95, Firefox 100, Safari 15.2 and newer do)',
  no_simd:
    'this browser is too old: it has no WebAssembly SIMD (Chrome 91, Firefox 89, Safari 16.4 and newer do)',
  worker_refused: 'the worker of the core was refused: {reason}',
  not_started: 'the core could not be started: {reason}',
  stopped: 'the core stopped ({reason}) and was restarted; please try again',
  silent: 'it did not answer',
  asked: 'you asked for it',
  no_file: 'its file could not be loaded or was blocked',
  unreadable: 'an answer could not be read',
  unknown_call: 'there is no call {name}',
  trials: 'a list of at most {most}',
  trial: 'trials of numbers and words',
  milliseconds: 'a number from 0.1 to 1000',
  value_seen: '{value}',
  values_kept: '{n} values of {bytes} bytes',
  release_some: 'at most {n} of {bytes} bytes: release some first',
  kept_gone: 'a kept value that is not there any more',
  make_again: 'one to be made again',
  too_deep: 'an object with too many others one within another',
  few_within: 'one with few',
  type_seen: '{type}',
  throws: 'something that throws when it is read',
  cannot_be_sent: '{type}, which cannot be sent to a worker',
  array_handed_over: 'an array that was handed over',
  plain_values: 'numbers, words, lists, objects and typed arrays that were not handed over',
  options: 'an object with options',
  key: 'a string',
  signal: 'an AbortSignal',
  on_progress: 'a function',
  true_or_false: 'true or false',
  superseded: 'a newer request took the place of this one',
  cancelled: 'the request was cancelled',
} as const;

export const say = phrasesOf('client', clientPhrases);
