/**
 * Words and signs of a file that does not parse. A parser guesses how a broken file may have been meant, and its guess
 * often lies lines away from the fault; what is wrong with one statement can be seen from its tokens.
 */

export type TokenKind = 'name' | 'number' | 'text' | 'sign' | 'strange';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The first token of its line. */
  readonly first: boolean;
  /** A text that ends with the line or with the file, where a quote should end it. */
  readonly unclosed?: true;
}

export interface Lexis {
  /** The beginnings of comments that end with the line. */
  readonly comment: RegExp;
  readonly blockComment?: RegExp;
  /** The beginning of a text; the quote is the first group. */
  readonly quote: RegExp;
  /** Quotes of texts that may have several lines. */
  readonly long: readonly string[];
  readonly sign: RegExp;
  readonly name: RegExp;
  /** A backslash at the end of a line joins it with the next. */
  readonly joins?: true;
  /** The end of a regular expression that begins at `from`, where one may stand. */
  readonly pattern?: (source: string, from: number, before: Token | undefined) => number;
}

const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jn]?)/y;
const SPACE = /[ \t\r\f]+/y;

/** The end of the text whose content begins at `from`, and whether its quote is there. */
function endOfText(source: string, from: number, quote: string, long: boolean) {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source.startsWith(quote, at)) return { to: at + quote.length, closed: true };
    else if (source[at] === '\n' && !long) return { to: at, closed: false };
  }
  return { to: source.length, closed: false };
}

export function tokensOf(source: string, lexis: Lexis): Token[] {
  const tokens: Token[] = [];
  let first = true;
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  const add = (kind: TokenKind, to: number, unclosed = false): void => {
    const end = Math.max(to, at + 1);
    tokens.push({
      ...{ kind, text: source.slice(at, end), from: at, to: end, first },
      ...(unclosed && { unclosed }),
    });
    first = false;
    at = end;
  };
  while (at < source.length) {
    if (source[at] === '\n') {
      first = true;
      at++;
      continue;
    }
    const passed =
      match(SPACE) ?? match(lexis.comment) ?? (lexis.blockComment && match(lexis.blockComment));
    if (passed?.[0]) {
      if (passed[0].includes('\n')) first = true;
      at += passed[0].length;
      continue;
    }
    if (lexis.joins && source.startsWith('\\\n', at)) {
      at += 2;
      continue;
    }
    const opening = match(lexis.quote);
    if (opening) {
      const [all, quote = ''] = opening;
      const end = endOfText(source, at + all.length, quote, lexis.long.includes(quote));
      add('text', end.to, !end.closed);
      continue;
    }
    const pattern = lexis.pattern?.(source, at, tokens.at(-1));
    if (pattern) {
      add('text', pattern);
      continue;
    }
    const kinds = [
      ['number', NUMBER],
      ['name', lexis.name],
      ['sign', lexis.sign],
    ] as const;
    const found = kinds.find(([, expression]) => match(expression)?.[0]);
    if (found) add(found[0], at + (match(found[1])?.[0].length ?? 1));
    else add('strange', at + String.fromCodePoint(source.codePointAt(at) ?? 0).length);
  }
  return tokens;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
export const closerOf = (open: string): string => CLOSERS[open] ?? '';
export const isOpener = ({ kind, text }: Token): boolean => kind === 'sign' && text in CLOSERS;
export const isCloser = ({ kind, text }: Token): boolean =>
  kind === 'sign' && [')', ']', '}'].includes(text);

/** How many letters to add, drop, change or swap with the next, to make one word the other. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const above = rows[i - 1] as number[];
      let least = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + cost,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}

/** The word that was most likely meant: one or, in a longer word, two letters off. */
export function meantWord(typed: string, words: readonly string[]): string | undefined {
  const small = typed.toLowerCase();
  let best: string | undefined;
  let least = Infinity;
  for (const word of words) {
    if (word === typed) return undefined;
    const off = distance(small, word.toLowerCase());
    if (off > (word.length > 4 ? 2 : 1)) continue;
    // Two letters that changed places are a likelier slip than one too many.
    const rank = off + (word.length === typed.length ? 0 : 0.5);
    if (rank < least) [best, least] = [word, rank];
  }
  return best;
}

/** Signs of a word processor or of mathematics, and what code writes for them. */
export const signInstead: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '–': '-',
  '—': '-',
  '−': '-',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '，': ',',
  '（': '(',
  '）': ')',
  '：': ':',
  '；': ';',
};
