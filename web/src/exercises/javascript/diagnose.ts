/** Says what is wrong with a JavaScript file that does not parse, and where; engines name a token, and often no line. */

import type { Wording } from '#client/phrases';
import { errorOf, say } from '../run-phrases';
import {
  closerOf,
  isCloser,
  isOpener,
  type Lexis,
  meantWord,
  signInstead,
  type Token,
  tokensOf,
} from '../syntax/tokens';
import type { RunError } from '../types';

export interface Fault {
  readonly from: number;
  readonly to: number;
  readonly said: Wording;
}

const STATEMENTS = [
  ...['return', 'const', 'let', 'var', 'function', 'if', 'else', 'for', 'while', 'do', 'switch'],
  ...['case', 'break', 'continue', 'throw', 'try', 'catch', 'finally', 'class', 'default'],
  ...['import', 'export', 'debugger'],
];
const PREFIXES = [
  'new',
  'typeof',
  'void',
  'delete',
  'await',
  'yield',
  'async',
  'static',
  'get',
  'set',
];
const BETWEEN = ['in', 'of', 'instanceof', 'extends', 'as', 'from'];
const WORDS = new Set([...STATEMENTS, ...PREFIXES, ...BETWEEN]);
/** Words before a bracket after which a statement follows. */
const HEADS = ['if', 'for', 'while', 'switch', 'with', 'catch'];
/** What other languages write. */
const FOREIGN: Readonly<Record<string, string>> = {
  def: 'function',
  func: 'function',
  fn: 'function',
  elif: 'else if',
  elseif: 'else if',
};
/** Words that are signs in JavaScript. */
const LOGIC: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!', is: '===' };
/** Signs that end an operand and want another one. */
const OPERATOR =
  /^(?:[*/%=<>&|^]|\*\*|[=!]==?|[<>]=|&&|\|\||\?\?|<<|>>>?|(?:[+\-*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=|\?|\.|\?\.|=>)$/;

const lexis: Lexis = {
  comment: /\/\/[^\n]*/y,
  blockComment: /\/\*[\s\S]*?(?:\*\/|$)/y,
  quote: /("|'|`)/y,
  long: ['`'],
  sign: /\.\.\.|>>>=|\*\*=|<<=|>>=|>>>|===|!==|&&=|\|\|=|\?\?=|=>|\+\+|--|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\?\?|\?\.|[+\-*/%&|^]=|[+\-*/%&|^~<>=!?.,:;()[\]{}]/y,
  name: /[\p{L}_$][\p{L}\p{Nd}_$]*/uy,
  pattern(source, from, before) {
    if (source[from] !== '/') return 0;
    const divides =
      before &&
      (before.kind === 'number' ||
        before.kind === 'text' ||
        (before.kind === 'name' && !WORDS.has(before.text)) ||
        isCloser(before));
    if (divides) return 0;
    const end = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
    end.lastIndex = from;
    return end.test(source) ? end.lastIndex : 0;
  },
};

const isWord = ({ kind, text }: Token, ...words: readonly string[]): boolean =>
  kind === 'name' && words.includes(text);
const isSign = ({ kind, text }: Token, ...signs: readonly string[]): boolean =>
  kind === 'sign' && signs.includes(text);

class Found {
  constructor(readonly fault: Fault) {}
}
const fail = (
  { from, to }: { readonly from: number; readonly to: number },
  said: Wording,
): never => {
  throw new Found({ from, to, said });
};

/** The first fault of a file; undefined where none is seen. */
export function diagnose(source: string): Fault | undefined {
  try {
    read(tokensOf(source, lexis));
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

/** What the engine said of a file that does not parse, in plain words and at its place where the fault is seen. */
export function explained(error: RunError, source: string): RunError {
  const fault = error.type === 'SyntaxError' && diagnose(source);
  if (!fault) return error;
  const before = source.slice(0, fault.from);
  return {
    ...errorOf('SyntaxError', fault.said),
    line: before.split('\n').length,
    column: fault.from - before.lastIndexOf('\n'),
  };
}

interface Bracket {
  readonly token: Token;
  /** The brackets of `if (…)` and the like: what follows is a statement. */
  readonly head: boolean;
}

function read(tokens: readonly Token[]): void {
  const open: Bracket[] = [];
  let before: Token | undefined;
  /** Whether what came last can stand before an operator, and whether another operand beside it is a fault. */
  let state: 'operand' | 'open' | 'either' = 'open';
  let statement: Token | undefined;
  for (const token of tokens) {
    const { kind, text } = token;
    if (!before || token.first || isSign(before, ';', '{', '}')) statement = token;
    const after = before;
    before = token;
    const within = open.at(-1);
    if (token.unclosed) fail(token, say('open_quote'));
    if (kind === 'strange') strange(token, after);
    if (token === statement && kind === 'name') misspelled(token, tokens);
    if (isOpener(token)) {
      if (within && text === '{' && token.first && isSign(within.token, '(') && state === 'operand')
        neverClosed(within.token);
      open.push({ token, head: text === '(' && after !== undefined && isWord(after, ...HEADS) });
      state = 'open';
    } else if (isCloser(token)) {
      // A block is not meant to be closed by another sign: that sign is one too many.
      if (
        !within ||
        (isSign(within.token, '{') && !open.some((one) => closerOf(one.token.text) === text))
      )
        fail(token, say('no_open_bracket', { sign: text }));
      else if (closerOf(within.token.text) !== text) {
        if (open.some((one) => closerOf(one.token.text) === text)) neverClosed(within.token);
        fail(
          token,
          say('other_bracket', {
            ...{ sign: text, open: within.token.text, close: closerOf(within.token.text) },
          }),
        );
      }
      if (after && ends(after)) fail(after, say('after_sign'));
      open.pop();
      state = text === '}' || within?.head ? 'either' : 'operand';
    } else if (kind === 'name' && WORDS.has(text) && !isSign(after ?? token, '.', '?.')) {
      const inside = within && within.token.text !== '{';
      if (inside && token.first && STATEMENTS.includes(text) && text !== 'function')
        neverClosed(within.token);
      if (
        after &&
        ends(after) &&
        STATEMENTS.includes(text) &&
        !['function', 'class'].includes(text)
      )
        fail(after, say('after_sign'));
      if (state === 'operand' && !token.first && STATEMENTS.includes(text) && text !== 'default')
        if (!(after && isCloser(after))) fail(token, say('statement_inside', { word: text }));
      if (HEADS.includes(text)) headOf(token, tokens);
      state = 'open';
    } else if (kind === 'sign' && text !== '...') {
      if (['++', '--', '!', '~', '+', '-'].includes(text)) {
        if (text === '+' || text === '-') state = 'open';
      } else if (OPERATOR.test(text)) {
        if (state === 'open' && after && !isOpener(after) && ends(after) && after.text !== '...')
          fail(after, say('after_sign'));
        if (state === 'open' && after && isOpener(after) && !isSign(token, '*', '=>'))
          fail(token, say('before_sign'));
        state = 'open';
      } else if (text === ';') {
        if (after && ends(after)) fail(after, say('after_sign'));
        if (within && isSign(within.token, '[')) neverClosed(within.token);
        if (within && isSign(within.token, '(') && !within.head) neverClosed(within.token);
        state = 'open';
      } else state = 'open';
    } else if (text === '...') {
      state = 'open';
    } else {
      const beside =
        state === 'operand' && after && (!token.first || (within && within.token.text !== '{'));
      const template = kind === 'text' && text.startsWith('`');
      if (beside && after && !template) {
        if (token.first && within) neverClosed(within.token);
        const word = [after, token].find((one) => one.kind === 'name' && one.text in LOGIC);
        if (word)
          fail(word, say('sign_instead', { sign: word.text, instead: LOGIC[word.text] ?? '' }));
        fail(token, say('side_by_side', { left: after.text, right: text }));
      }
      state = 'operand';
    }
  }
  const last = open.at(-1);
  if (last) neverClosed(last.token);
  if (before && ends(before)) fail(before, say('after_sign'));
}

/** A sign after which something has to come. */
const ends = (token: Token): boolean =>
  token.kind === 'sign' &&
  (OPERATOR.test(token.text) || ['+', '-', '!', '~', '...'].includes(token.text)) &&
  token.text !== '*';

const neverClosed = (bracket: Token): never =>
  fail(bracket, say('open_bracket', { open: bracket.text, close: closerOf(bracket.text) }));

/** The condition of `if` and the like stands in brackets. */
function headOf(word: Token, tokens: readonly Token[]): void {
  const next = tokens[tokens.indexOf(word) + 1];
  if (!next || isSign(next, '(') || isWord(next, 'await')) return;
  if (word.text === 'catch' && isSign(next, '{')) return;
  fail(next, say('js_head', { word: word.text }));
}

function strange(token: Token, after: Token | undefined): never {
  const { text } = token;
  if (text === '@') {
    const left = after?.kind === 'name' ? after.text : 'A';
    fail(token, say('sign_instead', { sign: '@', instead: `${left}.times(…)` }));
  }
  const instead = text === '#' ? '//' : signInstead[text];
  return fail(
    token,
    instead ? say('sign_instead', { sign: text, instead }) : say('sign_unknown_js', { sign: text }),
  );
}

/** A first word of a statement that is followed by another one and is nearly a word of JavaScript. */
function misspelled(first: Token, tokens: readonly Token[]): void {
  if (WORDS.has(first.text)) return;
  const at = tokens.indexOf(first);
  const [next, third] = [tokens[at + 1], tokens[at + 2]];
  if (!next || next.first) return;
  const beside = next.kind === 'name' || next.kind === 'number' || next.kind === 'text';
  // `whlie (…) {` is a word before a bracket and a block.
  const block = isSign(next, '(', '{') && third !== undefined && endsInBlock(at + 1, tokens);
  if (!(beside && !(next.kind === 'name' && BETWEEN.includes(next.text))) && !block) return;
  const meant = FOREIGN[first.text] ?? meantWord(first.text, STATEMENTS);
  if (meant) fail(first, say('misspelled_js', { word: first.text, meant }));
}

/** Whether the bracket at that place is followed by a block in the same line, or is one. */
function endsInBlock(at: number, tokens: readonly Token[]): boolean {
  if (isSign(tokens[at] as Token, '{')) return true;
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (isOpener(token)) depth++;
    if (isCloser(token) && --depth === 0) {
      const next = tokens[i + 1];
      return next !== undefined && isSign(next, '{') && !next.first;
    }
  }
  return false;
}
