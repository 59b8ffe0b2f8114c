/** Which tokens are a word, which are special, and of which of two sentences each is: what `mergeAttention` takes. */

/** `[CLS]`, `[SEP]`, `<s>`, `</s>`, `<pad>`, `<|endoftext|>`. */
const SPECIAL = /^(?:\[[A-Z0-9_]+\]|<[^\s<>]+>)$/;
/** What ends a sentence of two: BERT's and RoBERTa's own tokens. */
const SEPARATOR = /^(?:\[SEP\]|<\/s>|<sep>)$/;
const STOP = /^\s*[.!?]$/;

export const isSpecial = (token: string): boolean => SPECIAL.test(token);

/** How a tokenizer writes where words begin. */
type Way = 'pieces' | 'spaces';

/** WordPiece marks what goes on (`##ing`); the others mark what begins, with a space, `Ġ` or `▁`. */
function wayOf(tokens: readonly string[]): Way | undefined {
  if (tokens.some((token) => token.startsWith('##'))) return 'pieces';
  if (tokens.some((token) => /^[ \nĠĊ▁]/.test(token))) return 'spaces';
  return undefined;
}

function begins(token: string, way: Way): boolean {
  if (isSpecial(token)) return true;
  if (way === 'pieces') return !token.startsWith('##');
  // A mark after a word is a word by itself, as it is in WordPiece.
  return /^[ \nĠĊ▁]/.test(token) || /^[^\p{L}\p{N}]+$/u.test(token);
}

/** A token as it is shown: a space at its beginning says that a word begins, which its place says, too. */
export function shownToken(token: string): string {
  const bare = token
    .replace(/^##/, '')
    .replace(/[Ġ▁]/g, ' ')
    .replace(/Ċ/g, '\n')
    .replace(/\n/g, '⏎')
    .trim();
  return bare === '' ? '␣' : bare;
}

export type Between = 'all' | 'aa' | 'ab' | 'ba' | 'bb';

/** 0 for tokens of the first sentence, 1 for those of the second; all 0 where there is only one. */
export function sentencesOf(tokens: readonly string[]): readonly (0 | 1)[] {
  const last = tokens.length - 1;
  // The last separator ends the text and does not divide it.
  let at = tokens.findIndex((token, i) => i < last && SEPARATOR.test(token));
  if (at < 0) at = tokens.findIndex((token, i) => i < last && STOP.test(token));
  return tokens.map((_, i) => (at >= 0 && i > at ? 1 : 0));
}

export interface Groups {
  /** For each token its group, −1 where it is left out. */
  readonly groups: readonly number[];
  readonly labels: readonly string[];
}

/** The groups of the tokens that are shown. */
export function groupsOf(
  tokens: readonly string[],
  options: {
    /** Pieces of words become words. */
    readonly words: boolean;
    /** Special tokens are there. */
    readonly special: boolean;
    /** Only one of the sentences. */
    readonly sentence?: 0 | 1 | undefined;
  },
): Groups {
  const way = options.words ? wayOf(tokens) : undefined;
  const sentences = options.sentence === undefined ? undefined : sentencesOf(tokens);
  const groups: number[] = [];
  const labels: string[] = [];
  /** Whether the token before is in the group that may go on. */
  let open = false;
  for (const [i, token] of tokens.entries()) {
    const there =
      (options.special || !isSpecial(token)) &&
      (sentences === undefined || sentences[i] === options.sentence);
    if (!there) {
      groups.push(-1);
      open = false;
      continue;
    }
    if (open && way !== undefined && !begins(token, way)) {
      labels[labels.length - 1] += shownToken(token);
    } else {
      labels.push(shownToken(token));
    }
    groups.push(labels.length - 1);
    open = !isSpecial(token);
  }
  return { groups, labels };
}
