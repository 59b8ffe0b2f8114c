/**
 * Rewrites a student's file before it runs, because MicroPython lacks a few features of Python. Every statement stays
 * on its line, so that errors name the right one. Features that cannot be rewritten are reported by lint.ts.
 */

import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /**
   * Orders edits at one position: the ends of inner parts come first, then the ends of outer parts, then beginnings.
   */
  readonly order: number;
}

const inPlace: Readonly<Record<string, string>> = {
  '*=': 'imul',
  '/=': 'itruediv',
  '//=': 'ifloordiv',
  '%=': 'imod',
  '**=': 'ipow',
  '@=': 'imatmul',
  '&=': 'iand',
  '|=': 'ior',
  '^=': 'ixor',
};
const comparisons: Readonly<Record<string, string>> = {
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
};
/** Methods of strings that MicroPython lacks, and methods of NumPy's scalars, which are Python's numbers here. */
const methods = new Set([
  'ljust',
  'rjust',
  'center',
  'zfill',
  'title',
  'capitalize',
  'item',
  'tolist',
  'astype',
  'round',
  'reshape',
  'copy',
]);
const attributes = new Set(['dtype', 'shape', 'ndim', 'size']);
/** These names never hold a number, so their attributes can be read directly. */
const modules = new Set(['np', 'numpy', 'torch', 'math', 'self', 'cls', 'F', 'nn']);

export interface Adapted {
  readonly code: string;
}

/** Names through which code could reach what measures its lists, which is Python as well. */
const reaching = new Set(
  '_adapt builtins sys globals locals vars exec eval getattr setattr __import__ __globals__ __dict__'.split(
    ' ',
  ),
);

/** The first name in the code that could reach what measures its lists. */
export function reachesMeasure(source: string): string | undefined {
  let found: string | undefined;
  parser.parse(source).iterate({
    enter: ({ name, from, to }) => {
      if (found !== undefined || (name !== 'VariableName' && name !== 'PropertyName')) return;
      const word = source.slice(from, to);
      if (reaching.has(word) || word.startsWith('__attn_')) found = word;
    },
  });
  return found;
}

/**
 * Text that does not parse comes back as it was: MicroPython says what is wrong. With `count`, plain lists tell
 * how much they hold. (How much work is done is counted in `step-counter.ts`.)
 */
export function adapt(source: string, { count = false } = {}): Adapted {
  const tree: Tree = parser.parse(source);
  const edits: Edit[] = [];
  let place = 0;
  const insert = (at: number, text: string) =>
    edits.push({ from: at, to: at, text, order: ++place });
  /** Inserts text at the end of a part. It is called when the part is left, so the ends of inner parts come first. */
  const close = (at: number, text: string) =>
    edits.push({ from: at, to: at, text, order: ++place - 1e9 });
  const replace = (from: number, to: number, text: string) =>
    edits.push({ from, to, text, order: ++place });
  const text = (node: { from: number; to: number }) => source.slice(node.from, node.to);
  /** The text to be inserted at a node's end. */
  const closing = new Map<string, string[]>();
  const key = (node: SyntaxNode) => `${node.from}:${node.to}:${node.name}`;
  const wrap = (node: SyntaxNode, before: string, after: string) => {
    // Unlike elsewhere, `yield` needs brackets of its own as an argument.
    const yields = /^yield\b/.test(text(node));
    insert(node.from, yields ? `${before}(` : before);
    const list = closing.get(key(node)) ?? [];
    list.push(yields ? `)${after}` : after);
    closing.set(key(node), list);
  };

  /** Where the cause begins that was taken out last: nothing in it is rewritten. */
  let goneFrom = -1;
  tree.iterate({
    enter: (reference) => {
      const node = reference.node;
      if (node.from === goneFrom) return false;
      switch (node.name) {
        case 'UpdateStatement': {
          const target = node.firstChild;
          const operator = node.getChild('UpdateOp');
          const name = operator && inPlace[text(operator)];
          const value = operator?.nextSibling;
          if (!target || !operator || !name || !value) break;
          // The target is both read and written. If it contained a call, rewriting would call it twice, so it is left
          // alone.
          if (target.name !== 'VariableName' && target.name !== 'MemberExpression') break;
          if (/[(\n]/.test(text(target))) break;
          replace(operator.from, operator.to, `= __attn_${name}(${text(target)}, `);
          wrap(value, '', ')');
          break;
        }
        case 'ArrayComprehensionExpression':
          if (count) wrap(node, '__attn_made(', ')');
          break;
        case 'AssignStatement': {
          // The assigned value may be a list, also one that a function returned.
          const value = node.lastChild;
          if (count && value && value.prevSibling?.name === 'AssignOp')
            wrap(value, '__attn_made(', ')');
          break;
        }
        case 'CallExpression':
          call(node);
          break;
        case 'MemberExpression':
          member(node);
          break;
        case 'FormatReplacement': {
          const spec = node.getChild('FormatSpec');
          const value = node.firstChild?.nextSibling;
          if (!spec || !value || spec.to - spec.from < 2 || value.name === 'String') break;
          if (source.slice(value.to, spec.from).includes('=')) break;
          // What is unpacked there is no single value.
          if (value.name === '*') break;
          // A line break or a quote in it is no Python, which MicroPython says.
          if (/["'\n]/.test(text(spec))) break;
          if (/[,_].*[.fFeEgG%]$/.test(text(spec)) && !spec.getChild('FormatReplacement')) {
            // MicroPython leaves out the thousands separators of numbers with a decimal point.
            wrap(value, '__attn_commas(', `, "${text(spec).slice(1)}")`);
            replace(spec.from, spec.to, '');
          } else wrap(value, '__attn_show(', ')');
          break;
        }
        case 'BinaryExpression':
          binary(node);
          break;
        case 'ArrayExpression':
        case 'SetExpression':
        case 'TupleExpression':
          if (count && node.name === 'ArrayExpression' && !isTarget(node))
            wrap(node, '__attn_made(', ')');
          display(node);
          break;
        case 'DictionaryExpression':
        case 'DictionaryComprehensionExpression':
          if (count) wrap(node, '__attn_made(', ')');
          dictionary(node);
          break;
        case 'ParamList': {
          // Positional-only parameters are treated like the others.
          for (let child = node.firstChild; child?.nextSibling; child = child.nextSibling) {
            const gap = source.slice(child.to, child.nextSibling.from);
            const slash = gap.indexOf('/');
            if (slash < 0) continue;
            const at = child.to + slash;
            replace(at, at + 1, '');
            const comma = child.nextSibling;
            if (comma.name === ',') replace(comma.from, comma.to, '');
            else if (child.name === ',') replace(child.from, child.to, '');
          }
          break;
        }
        case 'RaiseStatement': {
          const from = node.getChild('from');
          const cause = from?.nextSibling;
          if (from && cause) {
            replace(from.from, cause.to, lines(source.slice(from.from, cause.to)));
            goneFrom = cause.from;
          }
          break;
        }
        case 'ClassDefinition':
          fields(node);
          break;
      }
      return undefined;
    },
    leave: (reference) => {
      const node = reference.node;
      // What was opened first lies outside, and ends last.
      for (const each of (closing.get(key(node)) ?? []).reverse()) close(node.to, each);
      closing.delete(key(node));
    },
  });

  function call(node: SyntaxNode): void {
    const callee = node.firstChild;
    const list = node.getChild('ArgList');
    if (!callee || !list) return;
    const first = list.firstChild?.nextSibling;
    if (callee.name === 'VariableName') {
      if (!['float', 'dict'].includes(text(callee))) return;
      // The name is left alone if the file defines one of its own.
      if (new RegExp(`(def|class)\\s+${text(callee)}\\b|\\b${text(callee)}\\s*=[^=]`).test(source))
        return;
      if (text(callee) === 'float' && first && first.name !== 'String')
        replace(callee.from, callee.to, '__attn_float');
      else if (text(callee) === 'dict') dict(callee, list);
      return;
    }
    const property = callee.name === 'MemberExpression' ? callee.lastChild : null;
    const object = callee.firstChild;
    if (property?.name !== 'PropertyName' || !object) return;
    const name = text(property);
    const literal = object.name === 'String' || object.name === 'ContinuedString';
    if (!(methods.has(name) || (name === 'format' && literal))) return;
    if (object.name === 'VariableName' && modules.has(text(object))) return;
    insert(node.from, `__attn_${name}(`);
    const empty = first?.name === ')';
    // ".name(" is removed, and the arguments follow the object.
    const gone = source.slice(object.to, list.from + 1);
    replace(object.to, list.from + 1, `${breaks(gone)}${empty ? '' : ', '}`);
  }

  function member(node: SyntaxNode): void {
    const object = node.firstChild;
    const last = node.lastChild;
    if (!object || !last) return;
    if (last.name === 'PropertyName') {
      const name = text(last);
      if (!attributes.has(name)) return;
      if (object.name === 'VariableName' && modules.has(text(object))) return;
      if (isTarget(node)) return;
      insert(node.from, `__attn_${name}(`);
      replace(object.to, last.to, `${breaks(source.slice(object.to, last.to))})`);
      return;
    }
    // The part is x[a:b:c], where x may be a string.
    const colons = node.getChildren(':').length;
    if (colons === 2 && !node.getChild(',') && !isTarget(node))
      wrap(object, '__attn_stepped(', ')');
  }

  function binary(node: SyntaxNode): void {
    const left = node.firstChild;
    const operator = left?.nextSibling;
    const right = node.lastChild;
    if (!left || !operator || !right) return;
    if (count && text(operator) === '*' && [left.name, right.name].includes('ArrayExpression')) {
      wrap(node, '__attn_made(', ')');
      return;
    }
    if (operator.name === 'ArithOp' && text(operator) === '%') {
      if (left.name !== 'String' && left.name !== 'ContinuedString') return;
      insert(node.from, '__attn_percent(');
      replace(operator.from, operator.to, ',');
      closing.set(key(node), [...(closing.get(key(node)) ?? []), ')']);
      return;
    }
    const name = operator.name === 'CompareOp' ? comparisons[text(operator)] : undefined;
    if (!name || isComparison(left) || isComparison(node.parent)) return;
    // A number stands on the left of an array, which MicroPython does not ask. The tests of `if` are left alone:
    // arrays do not belong there, and loops should stay fast.
    const number = left.name === 'Number' || left.name === 'UnaryExpression';
    if (!number && (isTest(node) || right.name === 'Number')) return;
    if (number && isTest(node)) return;
    insert(node.from, `__attn_${name}(`);
    replace(operator.from, operator.to, ',');
    closing.set(key(node), [...(closing.get(key(node)) ?? []), ')']);
  }

  function isComparison(node: SyntaxNode | null): boolean {
    return node?.name === 'BinaryExpression' && node.getChild('CompareOp') !== null;
  }

  function isTest(node: SyntaxNode): boolean {
    let at: SyntaxNode | null = node.parent;
    let from = node;
    while (
      at &&
      (at.name === 'ParenthesizedExpression' ||
        at.name === 'UnaryExpression' ||
        (at.name === 'BinaryExpression' && (at.getChild('and') ?? at.getChild('or'))))
    ) {
      from = at;
      at = at.parent;
    }
    if (!at) return false;
    if (at.name === 'ConditionalExpression')
      return at.getChild('if')?.nextSibling?.from === from.from;
    return ['IfStatement', 'WhileStatement', 'AssertStatement'].includes(at.name);
  }

  /** Rewrites [*a, 0], (*a, 0) and {*a}: a function joins their parts. */
  function display(node: SyntaxNode): void {
    if (!node.getChild('*') || isTarget(node)) return;
    const first = node.firstChild;
    const last = node.lastChild;
    if (!first || !last || last.type.isError) return;
    const make = { ArrayExpression: '', TupleExpression: 'tuple', SetExpression: 'set' }[node.name];
    replace(first.from, first.to, `${make}(__attn_list(`);
    let star = false;
    for (
      let child = first.nextSibling;
      child && child.from < last.from;
      child = child.nextSibling
    ) {
      if (child.name === ',') star = false;
      else if (child.name === '*') {
        replace(child.from, child.to, '');
        star = true;
      } else if (!star) wrap(child, '[', ']');
    }
    replace(last.from, last.to, '))');
  }

  /**
   * Rewrites {'a': 1}, {**a, 'b': 1} and {k: v for …} into dicts that remember their order, which MicroPython's dicts
   * do not.
   */
  function dictionary(node: SyntaxNode): void {
    const first = node.firstChild;
    const last = node.lastChild;
    if (!first || !last || last.type.isError) return;
    const spread = node.getChild('**') !== null;
    const comprehension = node.name === 'DictionaryComprehensionExpression';
    replace(first.from, first.to, spread || comprehension ? '__attn_dict(' : '__attn_d(');
    let star = false;
    let child = first.nextSibling;
    while (child && child.from < last.from) {
      if (child.name === ',') star = false;
      else if (child.name === '**') {
        replace(child.from, child.to, '');
        star = true;
      } else if (!star && child.nextSibling?.name === ':') {
        const colon: SyntaxNode = child.nextSibling;
        const value = colon.nextSibling;
        replace(colon.from, colon.to, ',');
        if (spread || comprehension) insert(child.from, spread ? '__attn_d(' : '(');
        if (value && (spread || comprehension)) wrap(value, '', ')');
        child = value ?? colon;
        if (comprehension) break;
      }
      child = child.nextSibling;
    }
    replace(last.from, last.to, ')');
  }

  /** Rewrites dict(a=1, b=2). */
  function dict(callee: SyntaxNode, list: SyntaxNode): void {
    const equals = list.getChildren('AssignOp');
    const named =
      equals.length > 0 &&
      equals.length ===
        list.getChildren('VariableName').filter((each) => each.nextSibling?.name === 'AssignOp')
          .length;
    const commas = list.getChildren(',').length;
    if (named && !list.getChild('*') && !list.getChild('**') && commas <= equals.length) {
      const only = list.lastChild?.prevSibling?.name === ',' ? commas : commas + 1;
      if (only === equals.length) {
        replace(callee.from, callee.to, '__attn_d');
        for (const equal of equals) {
          const name = equal.prevSibling;
          if (!name) continue;
          replace(name.from, name.to, `"${text(name)}"`);
          replace(equal.from, equal.to, ',');
        }
        return;
      }
    }
    replace(callee.from, callee.to, '__attn_dict');
  }

  /** Keeps the names of a dataclass's fields: MicroPython drops annotations, but a dataclass is made from them. */
  function fields(node: SyntaxNode): void {
    const decorated = node.parent?.name === 'DecoratedStatement' ? node.parent : null;
    if (
      !decorated?.getChildren('Decorator').some((each) => /^@(\w+\.)?dataclass\b/.test(text(each)))
    )
      return;
    const body = node.getChild('Body');
    const first = body?.firstChild?.nextSibling;
    if (!body || !first) return;
    const names = body
      .getChildren('AssignStatement')
      .filter((each) => each.getChild('TypeDef') && each.firstChild?.name === 'VariableName')
      .map((each) => text(each.firstChild as SyntaxNode));
    const simple = ['ExpressionStatement', 'AssignStatement', 'PassStatement'].includes(first.name);
    if (simple)
      insert(first.from, `__attn_fields = (${names.map((each) => `"${each}",`).join('')});`);
  }

  /** Whether a node is written to or deleted. */
  function isTarget(node: SyntaxNode): boolean {
    const parent = node.parent;
    if (!parent) return false;
    if (parent.name === 'DeleteStatement') return true;
    if (parent.name === 'UpdateStatement') return parent.firstChild?.from === node.from;
    if (parent.name === 'ForStatement') {
      const word = parent.getChild('in');
      return word !== null && node.to <= word.from;
    }
    if (parent.name === 'AssignStatement') {
      const operators = parent.getChildren('AssignOp');
      const end = operators.at(-1);
      return end !== undefined && node.to <= end.from;
    }
    if (parent.name === 'TupleExpression' || parent.name === 'ArrayExpression')
      return isTarget(parent);
    return false;
  }

  edits.sort((a, b) => a.from - b.from || a.order - b.order);
  let code = '';
  let at = 0;
  for (const edit of edits) {
    if (edit.from < at) continue;
    code += source.slice(at, edit.from);
    // `in(x)` needs no space, the name of a function in the place of its bracket does.
    if (/\w$/.test(code) && /^\w/.test(edit.text)) code += ' ';
    code += edit.text;
    at = edit.to;
  }
  return { code: code + source.slice(at) };
}

/** Keeps only the line breaks of the text, so that lines keep their numbers. */
const breaks = (part: string) => part.replace(/[^\n]/g, '');
/** The same, with places in a line kept too. */
const lines = (part: string) => part.replace(/[^\n]/g, ' ');
