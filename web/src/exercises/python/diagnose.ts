/** Says what is wrong with a Python file that does not parse, and where: the first fault, statement by statement. */

import type { Wording } from '#client/phrases';
import { say } from '../run-phrases';
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

export interface Fault {
  readonly from: number;
  readonly to: number;
  readonly type: 'SyntaxError' | 'IndentationError';
  readonly said: Wording;
}

const lexis: Lexis = {
  comment: /#[^\n]*/y,
  quote: /[a-zA-Z]{0,2}("""|'''|"|')/y,
  long: ['"""', "'''"],
  sign: /&&|\|\||\*\*=|\/\/=|<<=|>>=|\.\.\.|\*\*|\/\/|<<|>>|<=|>=|==|!=|->|:=|[+\-*/%@&|^]=|[+\-*/%@&|^~<>=.,:;()[\]{}]/y,
  name: /[\p{L}_][\p{L}\p{Nd}_]*/uy,
  joins: true,
};

const BLOCKS = ['def', 'class', 'if', 'elif', 'else', 'for', 'while', 'try', 'except', 'finally'];
const COMPOUND = new Set([...BLOCKS, 'with', 'async']);
const SIMPLE = new Set([
  ...['return', 'import', 'from', 'raise', 'assert', 'del', 'pass', 'break', 'continue'],
  ...['global', 'nonlocal'],
]);
/** Words that begin a line within brackets only by mistake. */
const BEGINS = [
  ...['def', 'class', 'while', 'with', 'try', 'except', 'finally', 'elif', 'return', 'import'],
  ...['raise', 'assert', 'del', 'pass', 'break', 'continue', 'global', 'nonlocal'],
];
const JOINS = new Set(['and', 'or', 'in', 'is', 'if', 'else', 'for', 'as', 'from', 'import']);
const PREFIXES = new Set(['not', 'await', 'yield', 'lambda', 'async']);
const RESERVED = new Set([...COMPOUND, ...SIMPLE, ...JOINS, ...PREFIXES]);
/** What other languages write. */
const FOREIGN: Readonly<Record<string, string>> = {
  function: 'def',
  func: 'def',
  fn: 'def',
  elseif: 'elif',
  elsif: 'elif',
};
const MEANT = [...BLOCKS, 'with', ...SIMPLE, 'print', ...Object.keys(FOREIGN)];
const PREFIX_SIGNS = new Set(['+', '-', '~', '*', '**']);
/** Before what follows an `except` or an `else` at the same indentation. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  elif: ['if', 'elif'],
  else: ['if', 'elif', 'for', 'while', 'except'],
  except: ['try', 'except'],
  finally: ['try', 'except', 'else'],
};

/** Signs that other languages have, and formulas. */
const SIGNS: Readonly<Record<string, string>> = {
  ...signInstead,
  '!': 'not',
  '&&': 'and',
  '||': 'or',
  '?': '… if … else …',
  '∞': "float('inf')",
  '√': 'math.sqrt(…)',
};

const isWord = ({ kind, text }: Token, ...words: readonly string[]): boolean =>
  kind === 'name' && words.includes(text);
const isSign = ({ kind, text }: Token, ...signs: readonly string[]): boolean =>
  kind === 'sign' && signs.includes(text);
const isReserved = ({ kind, text }: Token): boolean => kind === 'name' && RESERVED.has(text);

/** What is open within one bracket, or in a statement outside of all. */
interface Depth {
  readonly open: string;
  /** Lambdas that wait for their colon. */
  lambdas: number;
  /** Conditions that wait for their `else`. */
  ifs: number;
}

class Found {
  constructor(readonly fault: Fault) {}
}
const fail = (
  { from, to }: { readonly from: number; readonly to: number },
  said: Wording,
  type: Fault['type'] = 'SyntaxError',
): never => {
  throw new Found({ from, to, said, type });
};

/** The first fault of a file; undefined where none is seen. */
export function diagnose(source: string): Fault | undefined {
  try {
    new Reader(source).read();
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

class Reader {
  readonly #source: string;
  /** The indentations that are open. */
  #indents = [0];
  /** The first word of the last statement at each indentation. */
  readonly #last = new Map<number, string>();
  /** The colon that waits for its indented line. */
  #colon: Token | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** Goes through the file statement by statement; a statement reaches as far as its brackets do. */
  read(): void {
    let line: Token[] = [];
    let open: Token[] = [];
    const end = (): void => {
      if (line.length > 0) this.#statement(line);
      [line, open] = [[], []];
    };
    for (const token of tokensOf(this.#source, lexis)) {
      const within = open.at(-1);
      if (token.first) {
        if (!within) end();
        else if (isWord(token, ...BEGINS)) this.#neverClosed(within);
      }
      if (token.unclosed) fail(token, say('open_quote'));
      if (token.kind === 'strange' || isSign(token, '&&', '||')) this.#strange(token);
      line.push(token);
      if (isOpener(token)) open.push(token);
      else if (isCloser(token)) {
        if (!within) fail(token, say('no_open_bracket', { sign: token.text }));
        else if (closerOf(within.text) !== token.text) {
          const earlier = open.some(({ text }) => closerOf(text) === token.text);
          if (earlier) this.#neverClosed(within);
          fail(
            token,
            say('other_bracket', {
              sign: token.text,
              open: within.text,
              close: closerOf(within.text),
            }),
          );
        }
        open.pop();
      }
    }
    const last = open.at(-1);
    if (last) this.#neverClosed(last);
    end();
    if (this.#colon) fail(this.#colon, say('no_body'));
  }

  #neverClosed(bracket: Token): never {
    return fail(
      bracket,
      say('open_bracket', { open: bracket.text, close: closerOf(bracket.text) }),
    );
  }

  #strange(token: Token): never {
    const { text } = token;
    const instead = SIGNS[text];
    return fail(
      token,
      instead ? say('sign_instead', { sign: text, instead }) : say('sign_unknown', { sign: text }),
    );
  }

  #statement(tokens: readonly Token[]): void {
    const [first] = tokens as readonly [Token];
    this.#indented(first);
    const { text } = first;
    const indent = this.#indents.at(-1) ?? 0;
    const before = this.#last.get(indent);
    for (const level of this.#last.keys()) if (level > indent) this.#last.delete(level);
    this.#last.set(indent, text);
    if (first.kind === 'name' && text in FOLLOWS && !FOLLOWS[text]?.includes(before ?? ''))
      fail(first, say('belongs_to_nothing', { word: text }));
    if (first.kind === 'name' && COMPOUND.has(text)) this.#block(tokens);
    else this.#simple(tokens);
  }

  /** The position of a token within its line; a tab reaches to the next multiple of 8, as in Python. */
  #columnOf({ from }: Token): number {
    let column = 0;
    for (let at = this.#source.lastIndexOf('\n', from - 1) + 1; at < from; at++)
      column = this.#source[at] === '\t' ? 8 * Math.floor(column / 8) + 8 : column + 1;
    return column;
  }

  #indented(first: Token): void {
    const column = this.#columnOf(first);
    const top = this.#indents.at(-1) ?? 0;
    const colon = this.#colon;
    this.#colon = undefined;
    if (colon) {
      if (column <= top) fail(colon, say('no_body'), 'IndentationError');
      this.#indents.push(column);
    } else if (column > top) fail(first, say('indent'), 'IndentationError');
    while (column < (this.#indents.at(-1) ?? 0)) this.#indents.pop();
    if (column !== this.#indents.at(-1)) fail(first, say('unindent'), 'IndentationError');
  }

  /** A statement that has a block: its head, its colon and what follows in the same line. */
  #block(all: readonly Token[]): void {
    const tokens = all[0]?.text === 'async' && all.length > 1 ? all.slice(1) : all;
    const [first, second] = tokens as readonly [Token, Token | undefined];
    if (second && isSign(second, '=')) fail(first, say('reserved_word', { word: first.text }));
    const at = colonOf(tokens);
    const head = at < 0 ? tokens.slice(1) : tokens.slice(1, at);
    const body = head.findIndex((token, i) => i > 0 && isWord(token, ...SIMPLE));
    if (at < 0 && body > 0) this.#noColon(head[body - 1] as Token);
    this.#head(first, head);
    if (at < 0) this.#noColon(tokens.at(-1) as Token);
    if (at + 1 === tokens.length) this.#colon = tokens[at];
    else this.#simple(tokens.slice(at + 1));
  }

  #noColon({ to }: Token): never {
    return fail({ from: to - 1, to }, say('no_colon'));
  }

  #head(first: Token, head: readonly Token[]): void {
    const { text } = first;
    const [name, next] = head;
    if (text === 'else' || text === 'try' || text === 'finally') {
      if (name && text === 'else') fail(name, say('else_condition'));
      if (name) this.#between(first, name);
      return;
    }
    if (text === 'def' || text === 'class') {
      if (name?.kind !== 'name') fail(name ?? first, say('def_form'));
      else if (isReserved(name)) fail(name, say('reserved_word', { word: name.text }));
      else if (text === 'def' && next?.text !== '(') fail(next ?? name, say('def_form'));
      this.#expression(head, { parameters: true });
      return;
    }
    if (text === 'for' && name && !head.some((one) => isWord(one, 'in')))
      fail(head.at(-1) as Token, say('for_form'));
    if (!name && text !== 'except') fail(first, say('after_word', { word: text }));
    const equals = equalsIn(head);
    if (equals && text !== 'with') fail(equals, say('one_equals'));
    this.#expression(head);
  }

  #between(left: Token, right: Token): never {
    return fail(right, say('side_by_side', { left: left.text, right: right.text }));
  }

  #simple(tokens: readonly Token[]): void {
    const [first, second] = tokens as readonly [Token, Token | undefined];
    const ends = tokens.findIndex((one) => isSign(one, ';'));
    if (ends >= 0) {
      const open: Token[] = [];
      for (const one of tokens.slice(0, ends)) {
        if (isOpener(one)) open.push(one);
        else if (isCloser(one)) open.pop();
      }
      const unclosed = open.at(-1);
      if (unclosed) this.#neverClosed(unclosed);
      if (ends > 0) this.#simple(tokens.slice(0, ends));
      if (ends + 1 < tokens.length) this.#simple(tokens.slice(ends + 1));
      return;
    }
    if (first.kind === 'name') this.#misspelled(tokens);
    const { text } = first;
    if (
      first.kind === 'name' &&
      text === 'print' &&
      second &&
      isOperand(second) &&
      second.text !== '('
    )
      fail(first, say('print_brackets'));
    if (isReserved(first) && second && isSign(second, '='))
      fail(first, say('reserved_word', { word: text }));
    if (first.kind === 'name' && (text === 'import' || text === 'from')) {
      if (!isImport(tokens)) fail(second ?? first, say('import_form'));
      return;
    }
    if (first.kind === 'name' && SIMPLE.has(text)) {
      const rest = tokens.slice(1);
      const equals = equalsIn(rest);
      if (equals && text === 'return') fail(equals, say('return_assigns'));
      if (equals && text === 'assert') fail(equals, say('one_equals'));
      this.#expression(rest);
      return;
    }
    const stray = outside(tokens).find((one) => isSign(one, ':='));
    if (stray) fail(stray, say('sign_instead', { sign: ':=', instead: '=' }));
    // `name: type = value` has a colon too.
    const last = tokens.at(-1) as Token;
    if (isSign(last, ':') && !isSign(first, '@')) fail(last, say('stray_colon'));
    this.#expression(isSign(first, '@') ? tokens.slice(1) : tokens);
  }

  /** A first word that is followed by another one, or by a block, and that is nearly a word of Python. */
  #misspelled(tokens: readonly Token[]): void {
    const [first, second] = tokens as readonly [Token, Token | undefined];
    if (RESERVED.has(first.text) || !second) return;
    const last = tokens.at(-1) as Token;
    const beside = isOperand(second) && !['(', '['].includes(second.text);
    const block = isSign(last, ':');
    if (!beside && !block) return;
    const near = FOREIGN[first.text] ?? meantWord(first.text, MEANT);
    const meant = near && (FOREIGN[near] ?? near);
    if (meant && first.text !== 'print')
      fail(first, say('misspelled', { word: first.text, meant }));
  }

  /** Whether every sign has what belongs beside it, and nothing else stands side by side. */
  #expression(
    tokens: readonly Token[],
    { parameters = false }: { readonly parameters?: boolean } = {},
  ): void {
    let before: Token | undefined;
    let complete = false;
    const depths: Depth[] = [{ open: '', lambdas: 0, ifs: 0 }];
    for (const token of tokens) {
      const { kind, text } = token;
      const here = depths.at(-1) as Depth;
      const after = before;
      before = token;
      if (kind === 'name' && text === 'lambda') {
        here.lambdas++;
        if (complete && after) this.#between(after, token);
        complete = false;
      } else if (kind === 'name' && PREFIXES.has(text)) {
        // `not in` follows an operand.
        complete = false;
      } else if (kind === 'name' && JOINS.has(text)) {
        const bare = after && isWord(after, 'not', 'is', 'async', 'yield');
        if (!complete && !bare) fail(after ?? token, after ? afterOf(after) : say('before_sign'));
        // The conditions of a comprehension need no `else`.
        if (text === 'for') here.ifs = -Infinity;
        if (text === 'if') here.ifs++;
        if (text === 'else') here.ifs--;
        complete = false;
      } else if (isReserved(token)) {
        fail(token, say('statement_inside', { word: text }));
      } else if (isOpener(token)) {
        if (complete && text === '{' && after) this.#between(after, token);
        depths.push({ open: text, lambdas: 0, ifs: 0 });
        complete = false;
      } else if (isCloser(token)) {
        this.#ended(after, complete, parameters, here);
        depths.pop();
        complete = true;
      } else if (kind === 'sign' && [',', ':'].includes(text)) {
        if (text === ':' && here.lambdas > 0) here.lambdas--;
        else if (text === ',' || here.open === '') {
          if (!after || isOpener(after)) fail(token, say('before_sign'));
          else if (!complete && !isStar(after, parameters) && !isSign(after, ':'))
            fail(after, afterOf(after));
        }
        complete = false;
      } else if (kind === 'sign' && text !== '...') {
        const prefix = PREFIX_SIGNS.has(text) || (parameters && (text === '/' || text === '->'));
        if (!complete && !prefix) {
          if (after && !isOpener(after)) fail(after, afterOf(after));
          fail(token, say('before_sign'));
        }
        complete = false;
      } else {
        const joined = after?.kind === 'text' && kind === 'text';
        if (complete && after && !joined) this.#between(after, token);
        complete = true;
      }
    }
    this.#ended(before, complete, parameters, depths[0] as Depth, true);
  }

  /** The end of an expression or of a bracket. */
  #ended(
    last: Token | undefined,
    complete: boolean,
    parameters: boolean,
    { ifs, lambdas }: Depth,
    ofLine = false,
  ): void {
    if (ifs > 0 && last) fail(last, say('if_without_else'));
    if (lambdas > 0 && last) fail(last, say('lambda_colon'));
    if (complete || !last || isOpener(last) || isStar(last, parameters)) return;
    if (isSign(last, ',') || (isSign(last, ':') && !ofLine) || isWord(last, 'yield')) return;
    fail(last, afterOf(last));
  }
}

const afterOf = ({ kind, text }: Token): Wording =>
  kind === 'name' ? say('after_word', { word: text }) : say('after_sign');

/** In `def f(a, *, b, /)` these stand alone. */
const isStar = ({ kind, text }: Token, parameters: boolean): boolean =>
  parameters && kind === 'sign' && (text === '*' || text === '/');

/** Something that has a value: a name, a number, a text, or the beginning of a bracket. */
const isOperand = (token: Token): boolean =>
  token.kind === 'number' ||
  token.kind === 'text' ||
  (token.kind === 'name' && !JOINS.has(token.text)) ||
  isOpener(token);

/** The tokens that no bracket encloses. */
function outside(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter((token) => {
    if (isCloser(token)) depth--;
    const out = depth === 0;
    if (isOpener(token)) depth++;
    return out && !isCloser(token) && !isOpener(token);
  });
}

/** The `=` outside of brackets that is not a default of a lambda's parameter. */
function equalsIn(tokens: readonly Token[]): Token | undefined {
  let lambdas = 0;
  return outside(tokens).find((token) => {
    if (isWord(token, 'lambda')) lambdas++;
    if (isSign(token, ':')) lambdas--;
    return lambdas <= 0 && isSign(token, '=');
  });
}

/** The place of the colon that ends the head of a block: not that of a lambda, nor one within brackets. */
function colonOf(tokens: readonly Token[]): number {
  const bare = new Set(outside(tokens));
  let lambdas = 0;
  return tokens.findIndex((token) => {
    if (!bare.has(token)) return false;
    if (token.kind === 'name' && token.text === 'lambda') lambdas++;
    return token.kind === 'sign' && token.text === ':' && lambdas-- <= 0;
  });
}

const IMPORT =
  /^(?:import \w+(?: \. \w+)*(?: as \w+)?(?: , \w+(?: \. \w+)*(?: as \w+)?)*|from (?:\. )*(?:\w+ (?:\. \w+ )*)?import (?:\*|(?:\( )?\w+(?: as \w+)?(?: , \w+(?: as \w+)?)*(?: ,)?(?: \))?))$/;
const isImport = (tokens: readonly Token[]): boolean =>
  IMPORT.test(tokens.map(({ text }) => text).join(' '));
