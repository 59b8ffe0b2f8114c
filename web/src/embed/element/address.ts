/** The page that an `<attention-lab>` shows, from its attributes. */
import { languages } from '../../strings/language.ts';
import { isShort } from '../short-name.ts';

/** What the element itself reads. */
export const OWN = [
  ...['lab', 'exercise', 'step', 'lang', 'query'],
  ...['base', 'loading', 'poster', 'height', 'title', 'theme', 'font-size'],
] as const;

/** What any element may have. Everything else is a pair of the page's query: `map="relu"`, `hide="seed,scale"`. */
const GLOBAL =
  /^(?:data-.*|aria-.*|on.*|xml.*|id|class|style|slot|part|exportparts|hidden|dir|tabindex|role|inert|is|nonce|translate|draggable|spellcheck|contenteditable|accesskey|autofocus|item(?:id|prop|ref|scope|type)|popover|enterkeyhint|inputmode)$/;

export const isOfQuery = (name: string): boolean =>
  !GLOBAL.test(name) && !(OWN as readonly string[]).includes(name);

export interface Asked {
  /** The page without its query, which an attribute cannot change without loading another page. */
  readonly page: string;
  /** Begins with `?`, or is empty. */
  readonly search: string;
  /** Begins with `#`, or is empty. */
  readonly hash: string;
}

/**
 * Undefined where no page is asked for, or where `base` is no address that a page can have. `around` is the language
 * of the page around, which is taken where the element has none.
 */
export function addressOf(
  attributes: Iterable<readonly [name: string, value: string]>,
  base: string,
  around = '',
): Asked | undefined {
  const given = new Map(attributes);
  const [lab, exercise] = [given.get('lab'), given.get('exercise')];
  // A file that came by another way than a server has no pages beside it.
  if (!/^https?:/.test(base) || !URL.canParse(base)) return undefined;
  const root = new URL('.', base);
  const spoken = (given.get('lang') || around).toLowerCase().split('-')[0] ?? '';
  const below = spoken !== 'en' && spoken in languages ? `${spoken}/` : '';
  const path = lab
    ? isShort(lab) && `labs/${lab}`
    : exercise && isShort(exercise) && 'pages/exercises';
  if (!path) return undefined;

  const query = new URLSearchParams(given.get('query') ?? '');
  query.delete('v');
  if (!lab && exercise) query.set('id', exercise);
  for (const [name, value] of given) if (isOfQuery(name)) query.set(name, value);
  // As the site's own links are written (state/url.ts).
  const pairs = `${query}`.replace(/%(2C|3A|2F|40)/g, (code) => decodeURIComponent(code));
  const step = given.get('step') ?? '';
  return {
    page: new URL(`${below}${path}/index.html`, root).href,
    search: pairs && `?v=1&${pairs}`,
    hash: isShort(step) ? `#${step}` : '',
  };
}
