/**
 * For runs that count: each pass of a loop and each call of a function counts one, and plain arrays tell
 * their size when they are made, so that plain loops over plain lists cost what they do. Lines stay where
 * they are.
 */

import { parser } from '@lezer/javascript';
import { made, tick } from './names';

const loops = new Set(['ForStatement', 'WhileStatement', 'DoStatement']);
const functions = new Set([
  'ArrowFunction',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodDeclaration',
]);

export function ticked(code: string): string {
  const opened: (readonly [at: number, text: string])[] = [];
  const closed: (readonly [at: number, text: string])[] = [];
  parser.parse(code).iterate({
    enter({ name, node }) {
      const makes =
        (name === 'NewExpression' && /^new\s+\w*Array\b/.test(code.slice(node.from, node.to))) ||
        (name === 'CallExpression' && /^Array\s*\./.test(code.slice(node.from, node.to)));
      if (makes) {
        opened.push([node.from, `${made}(`]);
        closed.unshift([node.to, ')']);
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
  // What was opened last is closed first; the sort keeps that order where places are equal.
  const edits = [...closed, ...opened].sort(([a], [b]) => a - b);
  let out = '';
  let from = 0;
  for (const [at, text] of edits) {
    out += code.slice(from, at) + text;
    from = at;
  }
  return out + code.slice(from);
}
