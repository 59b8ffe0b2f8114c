/**
 * What goes wrong, in the page's language. Errors of the core, of links, files and a student's code are
 * data, phrases with parameters (`Wording`): English is their text, another language has a template of
 * its own for each id.
 */
import {
  type CorePhrases,
  filled,
  type PhraseValue,
  type Slots,
  type Wording,
} from '#client/phrases';
import { argumentInGerman, firstTemplates as firstInGerman } from './de/first-phrases.ts';
import { notArrived as germanNotArrived, refused as germanRefused } from './de/refused.ts';
import { notArrived as englishNotArrived, refused as englishRefused } from './en/refused.ts';
import { byLanguage } from './language.ts';

/** What a language says for a phrase. */
export type Template = string | ((params: Readonly<Record<string, PhraseValue>>) => string);

/** By catalogue and id; C++'s catalogue is `core`. */
export type Templates = Readonly<Record<string, Readonly<Record<string, Template>>>>;

/** What a visitor reads for a refused setting, by the id of what the core wanted: `en/refused.ts` says why. */
export type RefusedWords = {
  readonly [Id in keyof CorePhrases]?: (
    argument: string,
    seen: string,
    params: Readonly<Record<Slots<CorePhrases[Id]>, PhraseValue>>,
  ) => string;
};
type AnyRefused = Readonly<
  Record<
    string,
    ((argument: string, seen: string, params: Wording['params']) => string) | undefined
  >
>;
const refusedWords = byLanguage<RefusedWords>({
  en: englishRefused,
  de: germanRefused,
}) as AnyRefused;

const notArrived = byLanguage({ en: englishNotArrived, de: germanNotArrived });
/** What Chromium, Firefox and Safari say of an `import()` that failed. */
const IMPORT_FAILED =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/;

/** A refused argument as a sentence; undefined in English, whose sentences errors carry themselves. */
const argumentSentence = byLanguage<typeof argumentInGerman | undefined>({
  en: undefined,
  de: argumentInGerman,
});
/** The templates that are here. Errors of the core and of files are rare and long, so theirs are fetched for the first. */
let templates = byLanguage<Templates | undefined>({ en: undefined, de: firstInGerman });
const fetchTemplates = byLanguage<(() => Promise<{ readonly templates: Templates }>) | undefined>({
  en: undefined,
  de: () => import('./de/phrases.ts'),
});

/** The phrase in a language's words; in English where it has none. */
export function worded(said: Wording, templates: Templates | undefined): string {
  const [catalogue, id] = /^(\w+)\.(.+)$/.exec(said.id)?.slice(1) ?? ['core', said.id];
  const template = templates?.[catalogue as string]?.[id as string];
  if (template === undefined) return said.text;
  return typeof template === 'string'
    ? filled(template, said.params, (inner) => worded(inner, templates))
    : template(said.params);
}

/** What a link or the browser's storage has to say, in the page's language; these templates are always here. */
export const inWords = (said: Wording): string => worded(said, templates);

/** Waits for the templates of all phrases. Where they do not arrive, the phrases are said in English. */
async function allTemplates(): Promise<void> {
  const fetched = await fetchTemplates?.().catch(() => undefined);
  templates = fetched?.templates ?? templates;
}

/** Phrases of files, in the page's language. */
export async function allInWords(said: readonly Wording[]): Promise<string[]> {
  if (said.length > 0) await allTemplates();
  return said.map(inWords);
}

interface Refused {
  readonly said: Wording;
  readonly argument: string;
  readonly seen: Wording;
  readonly wanted: Wording;
}

/** An argument as a reader calls it: "feature map" for `feature_map`. Symbols, as `d_k`, and members stay. */
const argumentInWords = (argument: string): string =>
  /^[a-z]{2,}(_[a-z]{2,})+$/.test(argument) ? argument.replaceAll('_', ' ') : argument;

/** Anything thrown, as words for people. */
export async function problemText(error: unknown): Promise<string> {
  if (error instanceof Error && ('said' in error || 'wanted' in error)) await allTemplates();
  return problemInWords(error);
}

function problemInWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { argument, seen, wanted, said } = error as Partial<Refused>;
  const own = refusedWords[(wanted ?? said)?.id ?? ''];
  if (own)
    return own(
      argumentInWords(argument ?? ''),
      seen ? inWords(seen) : '',
      (wanted ?? said)?.params ?? {},
    );
  if (argument && seen && wanted && argumentSentence)
    return argumentSentence(argumentInWords(argument), inWords(seen), inWords(wanted));
  if (said) return inWords(said);
  if (IMPORT_FAILED.test(error.message)) return notArrived;
  // The English sentence begins with the argument.
  const { message } = error;
  return argument && message.startsWith(argument)
    ? argumentInWords(argument) + message.slice(argument.length)
    : message;
}
