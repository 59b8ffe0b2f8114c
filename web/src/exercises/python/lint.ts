/** Checks a file before it runs. It reports syntax errors in plain words, and features that this Python lacks. */

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { Wording } from '#client/phrases';
import { say } from '../run-phrases';
import { diagnose } from './diagnose';

export interface Problem {
  readonly from: number;
  readonly to: number;
  /** The line, counted from 1. */
  readonly line: number;
  readonly column: number;
  /**
   * `syntax` is not Python; `limit` is Python that MicroPython does not know and that rewrite-for-micropython.ts
   * cannot rewrite, or what MicroPython would let pass. With a `limit` nothing runs.
   */
  readonly kind: 'syntax' | 'limit';
  readonly type: 'SyntaxError' | 'IndentationError';
  readonly message: string;
  readonly said: Wording;
}

/** Methods that MicroPython never calls. */
const uncalled = new Set(
  '__init_subclass__ __set_name__ __missing__ __index__ __class_getitem__ __instancecheck__ __getattribute__'.split(
    ' ',
  ),
);

type Tail<F> = F extends (first: never, ...rest: infer Rest) => unknown ? Rest : never;

function problemOf(
  source: string,
  kind: Problem['kind'],
  from: number,
  to: number,
  said: Wording,
  type: Problem['type'] = 'SyntaxError',
): Problem {
  const before = source.slice(0, from);
  return {
    ...{ from, to: Math.max(to, from + 1), kind, type, said, message: said.text },
    line: before.split('\n').length,
    column: from - before.lastIndexOf('\n'),
  };
}

/** What is wrong with a file that Python refuses, where that is seen. */
export function whyRefused(source: string): Problem | undefined {
  const fault = diagnose(source);
  return fault && problemOf(source, 'syntax', fault.from, fault.to, fault.said, fault.type);
}

/** The problems, in the order of the file. */
export function lint(source: string): Problem[] {
  const problems: Problem[] = [];
  const add = (...of: Tail<typeof problemOf>): void => {
    problems.push(problemOf(source, ...of));
  };
  const limit = (node: { from: number; to: number }, said: Wording) =>
    add('limit', node.from, Math.min(node.to, endOfLine(source, node.from)), said);
  const text = (node: { from: number; to: number }) => source.slice(node.from, node.to);
  let broken: SyntaxNode | undefined;
  let known: Map<string, { bases: string[]; body: string }> | undefined;
  const tree = parser.parse(source);

  tree.iterate({
    enter: (reference) => {
      const node = reference.node;
      if (node.type.isError) {
        broken ??= node;
        return;
      }
      switch (node.name) {
        case 'PrintStatement':
          broken ??= node;
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
          bases(node);
          break;
        }
        case 'FunctionDefinition': {
          const name = node.getChild('VariableName');
          const method =
            node.parent?.name === 'Body' && node.parent.parent?.name === 'ClassDefinition';
          if (name && method && uncalled.has(text(name)))
            limit(name, say('left_out', { name: text(name) }));
          break;
        }
        case 'VariableName':
          foreign(node);
          if (text(node) === '__slots__' && node.parent?.name === 'AssignStatement')
            limit(node, say('left_out', { name: '__slots__' }));
          break;
        case 'String':
        case 'FormatString':
          if (!closed(text(node))) broken ??= node;
          if (/\\N\{/.test(text(node)) && !/^[a-z]*r/i.test(text(node)))
            limit(node, say('named_letters'));
          break;
      }
    },
  });

  /** MicroPython, as the parser, takes every sign beyond ASCII for a letter; in Python √ and ∞ are none. */
  function foreign(node: SyntaxNode): void {
    const [sign] = /[^\p{XIDC}_]/u.exec(text(node)) ?? [];
    if (sign) limit(node, diagnose(source)?.said ?? say('sign_unknown', { sign }));
  }

  /**
   * Several bases: MicroPython looks for a method in the first base and all of its bases before it looks in the
   * second. The order matters where they have a base in common, and where one of them goes on with `super()`.
   */
  function bases(node: SyntaxNode): void {
    const list = node.getChild('ArgList');
    const names = list?.getChildren('VariableName').map(text) ?? [];
    const typed = names.find((name) => name === 'NamedTuple');
    if (typed && list)
      limit(
        list,
        say('write_instead', {
          what: 'class P(NamedTuple)',
          instead: "P = namedtuple('P', 'x y')",
        }),
      );
    if (!list || names.length < 2) return;
    const above = names.map((name) => ancestors(name));
    const common = above.some((one, i) =>
      [...one].some((name) => above.some((other, k) => k > i && other.has(name))),
    );
    const goesOn = names.some((name) =>
      [...ancestors(name)].some((one) => /\bsuper\(\)/.test(classes().get(one)?.body ?? '')),
    );
    if (common || goesOn) limit(list, say('several_bases'));
  }

  function ancestors(name: string, seen = new Set<string>()): Set<string> {
    const known = classes().get(name);
    if (!known || seen.has(name)) return seen;
    seen.add(name);
    for (const base of known.bases) ancestors(base, seen);
    return seen;
  }

  /** The classes of the file: their bases and their texts. */
  function classes(): ReadonlyMap<string, { bases: string[]; body: string }> {
    if (!known) {
      known = new Map();
      const found = known;
      tree.iterate({
        enter: ({ node }) => {
          const name = node.name === 'ClassDefinition' ? node.getChild('VariableName') : null;
          if (name)
            found.set(text(name), {
              bases: node.getChild('ArgList')?.getChildren('VariableName').map(text) ?? [],
              body: text(node.getChild('Body') ?? name),
            });
        },
      });
    }
    return known;
  }

  if (broken) {
    const { from, to } = broken;
    const near = text(broken).trim() || source.slice(from).trim().split(/\s/)[0] || '';
    const said = near ? say('syntax_at', { near: near.slice(0, 20) }) : say('syntax');
    problems.push(whyRefused(source) ?? problemOf(source, 'syntax', from, to, said));
  }
  // Only the first error of syntax is reported: later ones are often its consequences.
  return problems.sort((a, b) => a.from - b.from);
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
