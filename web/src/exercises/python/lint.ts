/** What can be said about a file before it runs: syntax in plain words, and what this Python does not have. */

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';

export interface Problem {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** `limit`: Python that MicroPython does not know, and that adapt.ts cannot rewrite. */
  readonly kind: 'syntax' | 'limit';
  readonly type: 'SyntaxError';
  readonly message: string;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** In the order of the file. */
export function lint(source: string): Problem[] {
  const problems: Problem[] = [];
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  const add = (kind: Problem['kind'], from: number, to: number, message: string) => {
    const line = lineOf(from);
    const column = from - (source.lastIndexOf('\n', from - 1) + 1) + 1;
    problems.push({
      from,
      to: Math.max(to, from + 1),
      line,
      column,
      kind,
      type: 'SyntaxError',
      message,
    });
  };
  const limit = (node: { from: number; to: number }, message: string) =>
    add('limit', node.from, Math.min(node.to, endOfLine(source, node.from)), message);
  const text = (node: { from: number; to: number }) => source.slice(node.from, node.to);
  let broken = false;

  parser.parse(source).iterate({
    enter: (reference) => {
      const node = reference.node;
      if (node.type.isError) {
        // One is enough: what follows is often only its consequence.
        if (!broken) syntax(node);
        broken = true;
        return;
      }
      switch (node.name) {
        case 'PrintStatement':
          add('syntax', node.from, node.to, '`print` needs brackets: `print(x)`.');
          break;
        case 'MatchStatement':
          limit(node, '`match` is not in this Python. Write `if … elif … else`.');
          break;
        case 'TypeDefinition':
          limit(node, '`type X = …` is not in this Python. Write `X = …`.');
          break;
        case 'TypeParamList':
          limit(node, 'Type parameters in square brackets are not in this Python. Leave them out.');
          break;
        case 'LambdaExpression':
          if (inside(node, ['FormatReplacement']))
            limit(
              node,
              'A `lambda` inside an f-string is not in this Python. Give it a name before.',
            );
          break;
        case 'TryStatement': {
          const star = node.getChild('*');
          if (star) limit(star, '`except*` is not in this Python. Write `except`.');
          break;
        }
        case 'ReturnStatement':
        case 'YieldStatement':
        case 'AssignStatement': {
          const star = node.getChild('*');
          const equals = node.getChild('AssignOp');
          if (star && (!equals || star.from > equals.from))
            limit(
              star,
              'Put brackets around it: `(*a, b)`. Without them this Python does not unpack here.',
            );
          break;
        }
        case 'MemberExpression': {
          const star = node.getChild('*');
          if (star) limit(star, '`x[*i]` is not in this Python. Write `x[tuple(i)]`.');
          break;
        }
        case 'ClassDefinition': {
          const keyword = node.getChild('ArgList')?.getChild('AssignOp');
          if (keyword)
            limit(
              keyword.node,
              'Keywords such as `metaclass=` are not in this Python. Leave them out.',
            );
          break;
        }
        case 'String':
        case 'FormatString':
          if (!closed(text(node)) && !broken) {
            add('syntax', node.from, node.to, 'The quote that opens here is never closed.');
            broken = true;
          }
          if (/\\N\{/.test(text(node)) && !/^[a-z]*r/i.test(text(node)))
            limit(
              node,
              'Names such as `\\N{GREEK SMALL LETTER PHI}` are not in this Python. Type the sign itself.',
            );
          break;
      }
    },
  });

  function syntax(node: SyntaxNode): void {
    const parent = node.parent;
    const word = text(node).trim();
    const at = (place: SyntaxNode, message: string) => add('syntax', place.from, place.to, message);
    const open = bracket(node);
    if (open) {
      const sign = text(open);
      at(
        open,
        `The bracket \`${sign}\` that opens here is never closed with \`${closers[sign]}\`.`,
      );
      return;
    }
    if (parent?.name === 'Body') {
      const colon = parent.getChild(':');
      if (!colon || colon.from >= node.from) {
        const from = lastOn(source, node.from);
        add('syntax', from, from + 1, 'A colon `:` is missing at the end of this line.');
      } else {
        add(
          'syntax',
          colon.from,
          colon.to,
          'After the colon comes an indented line. If there is nothing to do yet, write `pass`.',
        );
      }
      return;
    }
    if (word.startsWith('=') && inside(node, ['IfStatement', 'WhileStatement'])) {
      at(node, 'One `=` gives a name a value. To compare, write `==`.');
      return;
    }
    if (/^(else|elif|except|finally)\b/.test(source.slice(node.from))) {
      const name = /^\w+/.exec(source.slice(node.from))?.[0] ?? '';
      at(
        node,
        `This \`${name}\` belongs to nothing: look at its indentation and at the line before.`,
      );
      return;
    }
    if (
      word === '' &&
      parent &&
      ['BinaryExpression', 'AssignStatement', 'UnaryExpression'].includes(parent.name)
    ) {
      add('syntax', Math.max(node.from - 1, 0), node.from, 'Something is missing after this sign.');
      return;
    }
    if (/^[)\]}]/.test(word)) {
      at(node, `There is no open bracket for this \`${word[0]}\`.`);
      return;
    }
    const near = word || source.slice(node.from).trim().split(/\s/)[0] || '';
    add(
      'syntax',
      node.from,
      node.to,
      near
        ? `Python does not understand this line at \`${near.slice(0, 20)}\`.`
        : 'This line is not complete.',
    );
  }

  /** The bracket that an error at the end of its brackets says is open. */
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

/** Place of the last sign before, on the line where something is missing. */
function lastOn(source: string, at: number): number {
  let from = at;
  while (from > 0 && /\s/.test(source[from - 1] ?? '')) from--;
  return Math.max(from - 1, 0);
}
