/** Checks a file before it runs. It reports syntax errors in plain words, and features that this Python lacks. */

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { Wording } from '#client/phrases';
import { say } from '../run-phrases';

export interface Problem {
  readonly from: number;
  readonly to: number;
  /** The line, counted from 1. */
  readonly line: number;
  readonly column: number;
  /**
   * `syntax` is not Python; `limit` is Python that MicroPython does not know and that rewrite-for-micropython.ts
   * cannot rewrite.
   */
  readonly kind: 'syntax' | 'limit';
  readonly type: 'SyntaxError';
  readonly message: string;
  readonly said: Wording;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The problems, in the order of the file. */
export function lint(source: string): Problem[] {
  const problems: Problem[] = [];
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  const add = (kind: Problem['kind'], from: number, to: number, said: Wording) => {
    const line = lineOf(from);
    const column = from - (source.lastIndexOf('\n', from - 1) + 1) + 1;
    problems.push({
      from,
      to: Math.max(to, from + 1),
      line,
      column,
      kind,
      type: 'SyntaxError',
      message: said.text,
      said,
    });
  };
  const limit = (node: { from: number; to: number }, said: Wording) =>
    add('limit', node.from, Math.min(node.to, endOfLine(source, node.from)), said);
  const text = (node: { from: number; to: number }) => source.slice(node.from, node.to);
  let broken = false;

  parser.parse(source).iterate({
    enter: (reference) => {
      const node = reference.node;
      if (node.type.isError) {
        // Only the first error is reported: later ones are often its consequences.
        if (!broken) syntax(node);
        broken = true;
        return;
      }
      switch (node.name) {
        case 'PrintStatement':
          add('syntax', node.from, node.to, say('print_brackets'));
          break;
        case 'MatchStatement':
          limit(node, say('write_instead', { what: 'match', instead: 'if … elif … else' }));
          break;
        case 'TypeDefinition':
          limit(node, say('write_instead', { what: 'type X = …', instead: 'X = …' }));
          break;
        case 'TypeParamList':
          limit(node, say('type_parameters'));
          break;
        case 'LambdaExpression':
          if (inside(node, ['FormatReplacement'])) limit(node, say('lambda_in_fstring'));
          break;
        case 'TryStatement': {
          const star = node.getChild('*');
          if (star) limit(star, say('write_instead', { what: 'except*', instead: 'except' }));
          break;
        }
        case 'ReturnStatement':
        case 'YieldStatement':
        case 'AssignStatement': {
          const star = node.getChild('*');
          const equals = node.getChild('AssignOp');
          if (star && (!equals || star.from > equals.from)) limit(star, say('star_needs_brackets'));
          break;
        }
        case 'MemberExpression': {
          const star = node.getChild('*');
          if (star) limit(star, say('write_instead', { what: 'x[*i]', instead: 'x[tuple(i)]' }));
          break;
        }
        case 'ClassDefinition': {
          const keyword = node.getChild('ArgList')?.getChild('AssignOp');
          if (keyword) limit(keyword.node, say('class_keywords'));
          break;
        }
        case 'String':
        case 'FormatString':
          if (!closed(text(node)) && !broken) {
            add('syntax', node.from, node.to, say('open_quote'));
            broken = true;
          }
          if (/\\N\{/.test(text(node)) && !/^[a-z]*r/i.test(text(node)))
            limit(node, say('named_letters'));
          break;
      }
    },
  });

  function syntax(node: SyntaxNode): void {
    const parent = node.parent;
    const word = text(node).trim();
    const at = (place: SyntaxNode, said: Wording) => add('syntax', place.from, place.to, said);
    const open = bracket(node);
    if (open) {
      const sign = text(open);
      at(open, say('open_bracket', { open: sign, close: closers[sign] ?? '' }));
      return;
    }
    if (parent?.name === 'Body') {
      const colon = parent.getChild(':');
      if (!colon || colon.from >= node.from) {
        const from = lastOn(source, node.from);
        add('syntax', from, from + 1, say('no_colon'));
      } else {
        add('syntax', colon.from, colon.to, say('no_body'));
      }
      return;
    }
    if (word.startsWith('=') && inside(node, ['IfStatement', 'WhileStatement'])) {
      at(node, say('one_equals'));
      return;
    }
    if (/^(else|elif|except|finally)\b/.test(source.slice(node.from))) {
      const name = /^\w+/.exec(source.slice(node.from))?.[0] ?? '';
      at(node, say('belongs_to_nothing', { word: name }));
      return;
    }
    if (
      word === '' &&
      parent &&
      ['BinaryExpression', 'AssignStatement', 'UnaryExpression'].includes(parent.name)
    ) {
      add('syntax', Math.max(node.from - 1, 0), node.from, say('after_sign'));
      return;
    }
    if (/^[)\]}]/.test(word)) {
      at(node, say('no_open_bracket', { sign: word.charAt(0) }));
      return;
    }
    const near = word || source.slice(node.from).trim().split(/\s/)[0] || '';
    add(
      'syntax',
      node.from,
      node.to,
      near ? say('syntax_at', { near: near.slice(0, 20) }) : say('not_complete'),
    );
  }

  /** The innermost bracket around a node that is not closed. */
  function bracket(node: SyntaxNode): SyntaxNode | null {
    for (let at = node.parent; at; at = at.parent) {
      const first = at.firstChild;
      if (
        first &&
        text(first) in closers &&
        at.lastChild &&
        text(at.lastChild) !== closers[text(first)]
      ) {
        if (at.lastChild.type.isError && at.lastChild.from === at.lastChild.to) return first;
      }
      if (/Statement$|^Script$/.test(at.name)) return null;
    }
    return null;
  }

  return problems;
}

function inside(node: SyntaxNode, names: readonly string[]): SyntaxNode | null {
  for (let at: SyntaxNode | null = node.parent; at; at = at.parent) {
    if (names.includes(at.name)) return at;
    if (at.name === 'Body' || at.name === 'Script') return null;
  }
  return null;
}

function closed(string: string): boolean {
  const [, quote = ''] = /^[a-z]*("""|'''|"|')/i.exec(string) ?? [];
  return string.length >= string.indexOf(quote) + 2 * quote.length && string.endsWith(quote);
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

/** The position of the last character before `at` that is not white space; something is missing after it. */
function lastOn(source: string, at: number): number {
  let from = at;
  while (from > 0 && /\s/.test(source[from - 1] ?? '')) from--;
  return Math.max(from - 1, 0);
}
