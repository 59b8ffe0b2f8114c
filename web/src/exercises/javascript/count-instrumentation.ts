/**
 * Rewrites a student's JavaScript for runs that count. Each pass of a loop and each call of a function counts one,
 * and the counter is told of every plain array and list that is made: a loop over plain lists therefore costs what it
 * does. Every statement stays on its line, so that errors name the right one.
 */

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/javascript';
import type { CountingNames } from './counting-names';

const loops = new Set(['ForStatement', 'WhileStatement', 'DoStatement']);
const functions = new Set([
  'ArrowFunction',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodDeclaration',
]);

const methods = new Set(['map', 'concat', 'slice', 'filter', 'flat', 'flatMap', 'toArray']);

function answersList(call: SyntaxNode, code: string): boolean {
  const property = call.firstChild?.getChild('PropertyName');
  return property ? methods.has(code.slice(property.from, property.to)) : false;
}

/**
 * Whether a list is a value. A destructuring pattern looks the same, and wrapping a call around a pattern would not
 * parse.
 */
function isGiven(node: SyntaxNode): boolean {
  const { parent } = node;
  const isFirst = parent?.firstChild?.from === node.from;
  switch (parent?.name) {
    case 'VariableDeclaration':
    case 'AssignmentExpression':
      return !isFirst;
    case 'ArrowFunction':
      return parent.lastChild?.from === node.from;
    case 'ReturnStatement':
    case 'ArgList':
      return true;
    default:
      return false;
  }
}

/**
 * Whether `await` before this node is a name and no keyword, as it is outside of `async` functions: `await[1]` is an
 * entry of it then. The grammar knows only the keyword.
 */
function isNameBefore(node: SyntaxNode): boolean {
  let first = node;
  while (first.parent?.from === node.from) first = first.parent;
  if (first.parent?.name !== 'AwaitExpression') return false;
  let at = first.parent.parent;
  while (at && !functions.has(at.name) && !at.getChild('ParamList')) at = at.parent;
  return !at?.getChild('async');
}

export function ticked(code: string, { tick, made }: CountingNames): string {
  const opened: (readonly [at: number, text: string])[] = [];
  const closed: (readonly [at: number, text: string])[] = [];
  parser.parse(code).iterate({
    enter({ name, node }) {
      const text = () => code.slice(node.from, node.to);
      const makes =
        (name === 'NewExpression' && /^new\s+(\w*Array|Map|Set)\b/.test(text())) ||
        (name === 'CallExpression' && (/^Array\s*\./.test(text()) || answersList(node, code))) ||
        ((name === 'ArrayExpression' || name === 'ObjectExpression') && isGiven(node));
      if (makes && !isNameBefore(node)) {
        opened.push([node.from, `${made}(`]);
        closed.unshift([node.to, ')']);
      }
      // Fields are filled in by constructors that nobody wrote: `class A { a = deeper() }`.
      const field = name === 'PropertyDeclaration' ? node.getChild('Equals')?.nextSibling : null;
      if (field) {
        opened.push([field.from, `(${tick}(),`]);
        closed.unshift([field.to, ')']);
      }
      if (!loops.has(name) && !functions.has(name)) return;
      const body = name === 'DoStatement' ? node.firstChild?.nextSibling : node.lastChild;
      if (!body) return;
      if (body.name === 'Block') {
        opened.push([body.from + 1, `${tick}();`]);
      } else if (loops.has(name)) {
        opened.push([body.from, `{${tick}();`]);
        closed.unshift([body.to, '}']);
      } else if (name === 'ArrowFunction') {
        opened.push([body.from, `(${tick}(),`]);
        closed.unshift([body.to, ')']);
      }
    },
  });
  // Parts that were opened last are closed first. The sort is stable and keeps that order where two edits have the
  // same position.
  const edits = [...closed, ...opened].sort(([a], [b]) => a - b);
  let out = '';
  let from = 0;
  for (const [at, text] of edits) {
    out += code.slice(from, at) + text;
    from = at;
  }
  return out + code.slice(from);
}
