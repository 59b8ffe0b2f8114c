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
const logical: Readonly<Record<string, string>> = { '&': 'and', '|': 'or', '^': 'xor' };
const comparisons: Readonly<Record<string, string>> = {
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
};
/**
 * Methods that MicroPython lacks or answers otherwise (`every` of _python.py), and methods of NumPy's scalars, which
 * are Python's numbers here.
 */
const methods = new Set(
  [
    'upper lower title capitalize swapcase casefold isalpha isdigit isdecimal isnumeric isalnum isspace isupper',
    'islower istitle isidentifier isprintable isascii split rsplit splitlines replace ljust rjust center zfill strip',
    'removeprefix removesuffix expandtabs translate encode decode format count index bit_length bit_count to_bytes',
    'as_integer_ratio is_integer hex conjugate sort insert extend union intersection difference update',
    'item tolist astype round reshape copy',
  ]
    .join(' ')
    .split(' '),
);
const attributes = new Set([
  ...['dtype', 'shape', 'ndim', 'size'],
  ...['real', 'imag', 'numerator', 'denominator', '__name__'],
]);
/** Types whose methods are also named through them, as in `map(str.upper, words)`. */
const types = new Set(['str', 'int', 'float', 'list', 'dict', 'set']);
/** Methods that are only called on types. */
const statics = new Set(['maketrans', 'from_bytes', 'fromhex', 'fromkeys']);
/** Statements that another one may precede on the same line. */
const simple = new Set(
  'Expression Assign Update Pass Return Raise Break Continue Delete Assert Import Scope'
    .split(' ')
    .map((name) => `${name}Statement`)
    .concat('StatementGroup'),
);
/** Calls of a type that MicroPython answers otherwise. */
const converting = new Set(['int', 'float', 'str', 'dict', 'complex']);
/** These names never hold a number, so their attributes can be read directly. */
const usual = ['np', 'numpy', 'torch', 'math', 'self', 'cls', 'F', 'nn'];

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

  const modules = new Set([...usual, ...imported(source)]);
  /** Methods that a class of the file has too: a call must not go through a function more, or it could nest less deep. */
  const defined = new Set([...source.matchAll(/\bdef\s+(\w+)/g)].map(([, name]) => name ?? ''));
  /** Whether the file has complex numbers: MicroPython divides them and takes their powers less exactly. */
  const complexes = /\d[jJ]\b|\bcomplex\b|cmath/.test(source);
  /** Names that hold texts. */
  const texts = new Set(
    [...source.matchAll(/\b(\w+)\s*=\s*[rRuUfF]{0,2}(?=['"])/g)].map(([, name]) => name ?? ''),
  );
  /** Whether the file gives a name of Python a value of its own. */
  const own = (name: string) =>
    new RegExp(`(def|class)\\s+${name}\\b|\\b${name}\\s*=[^=]`).test(source);

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
          sliced(node);
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
        case 'FormatReplacement':
          replacement(node);
          break;
        case 'TryStatement':
          handlers(node);
          break;
        case 'ForStatement':
          walked(node);
          break;
        case 'PropertyName':
        case 'VariableName':
          mangled(node);
          break;
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
          bases(node);
          break;
        case 'FunctionDefinition':
          keywords(node);
          break;
        case 'DeleteStatement': {
          // MicroPython calls a name without a value a missing key.
          const name = node.getChild('VariableName');
          if (name && !within(node, 'FunctionDefinition') && !node.getChild(','))
            insert(node.from, `${text(name)}; `);
          break;
        }
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
      const name = text(callee);
      if ((name === 'map' || name === 'partial') && first) converted(first);
      for (const equals of list.getChildren('AssignOp')) {
        const given = equals.nextSibling;
        if (equals.prevSibling && text(equals.prevSibling) === 'key' && given) converted(given);
      }
      // The name is left alone if the file defines one of its own.
      if (!converting.has(name) || own(name)) return;
      if (name === 'dict') dict(callee, list);
      else if (first && first.name !== ')') {
        const exact =
          name === 'float' &&
          first.name === 'String' &&
          /^['"]-?(\d[\d.]*(e-?\d+)?|inf|nan)['"]$/.test(text(first));
        if (!exact) replace(callee.from, callee.to, `__attn_${name}`);
      }
      return;
    }
    const property = callee.name === 'MemberExpression' ? callee.lastChild : null;
    const object = callee.firstChild;
    if (property?.name !== 'PropertyName' || !object) return;
    const name = text(property);
    if (name === 'partial' && first) converted(first);
    if (name === 'sort') {
      for (const equals of list.getChildren('AssignOp')) {
        const given = equals.nextSibling;
        if (equals.prevSibling && text(equals.prevSibling) === 'key' && given) converted(given);
      }
    }
    if ((name === '__str__' || name === '__repr__') && /^super\(\)$/.test(text(object))) {
      const self = methodSelf(node);
      if (self) replace(node.from, list.from + 1, `__attn_base_${name.slice(2, -2)}(${self}`);
      return;
    }
    if (count && name === 'clear') wrap(object, '__attn_full(', ')');
    if (!methods.has(name)) return;
    if (object.name === 'VariableName' && (modules.has(text(object)) || types.has(text(object))))
      return;
    // The method of a base class is named by `super()`.
    if (object.name === 'CallExpression' && /^super\b/.test(text(object))) return;
    if (defined.has(name)) {
      insert(node.from, '__attn_method(');
      replace(object.to, list.from, `${breaks(source.slice(object.to, list.from))}, "${name}")`);
      return;
    }
    insert(node.from, `__attn_${name}(`);
    const empty = first?.name === ')';
    // ".name(" is removed, and the arguments follow the object.
    const gone = source.slice(object.to, list.from + 1);
    replace(object.to, list.from + 1, `${breaks(gone)}${empty ? '' : ', '}`);
  }

  function within(node: SyntaxNode, name: string): boolean {
    for (let at = node.parent; at; at = at.parent) if (at.name === name) return true;
    return false;
  }

  /** What the method around a node calls its object. */
  function methodSelf(node: SyntaxNode): string | undefined {
    for (let at = node.parent; at; at = at.parent) {
      const first =
        at.name === 'FunctionDefinition'
          ? at.getChild('ParamList')?.getChild('VariableName')
          : null;
      if (first) return text(first);
    }
    return undefined;
  }

  /** A type that is given as a function, as in `map(str, xs)`. */
  function converted(node: SyntaxNode): void {
    if (
      node.name === 'VariableName' &&
      ['int', 'float', 'str'].includes(text(node)) &&
      !own(text(node))
    )
      replace(node.from, node.to, `__attn_${text(node)}`);
  }

  function member(node: SyntaxNode): void {
    const object = node.firstChild;
    const last = node.lastChild;
    if (!object || !last) return;
    if (last.name === 'PropertyName') {
      const name = text(last);
      if (object.name === 'VariableName' && types.has(text(object)) && !own(text(object))) {
        if (!methods.has(name) && !statics.has(name)) return;
        if (text(object) === 'int' && name === 'real') return;
        replace(object.from, last.to, `__attn_${name}`);
        return;
      }
      if (!attributes.has(name)) {
        // MicroPython does not read `2.5.hex`.
        if (object.name === 'Number') wrap(object, '(', ')');
        return;
      }
      if (object.name === 'VariableName' && modules.has(text(object))) return;
      if (isTarget(node)) return;
      insert(node.from, `__attn_${name}(`);
      replace(object.to, last.to, `${breaks(source.slice(object.to, last.to))})`);
      return;
    }
    // The part is x[a:b:c], where x may be a string.
    const colons = node.getChildren(':').length;
    if (colons !== 2 || node.getChild(',')) return;
    if (!isTarget(node)) wrap(object, '__attn_stepped(', ')');
    else if (['AssignStatement', 'DeleteStatement'].includes(node.parent?.name ?? ''))
      wrap(object, '__attn_stepped_to(', ')');
  }

  function binary(node: SyntaxNode): void {
    const left = node.firstChild;
    const operator = left?.nextSibling;
    const right = node.lastChild;
    if (!left || !operator || !right) return;
    // What is no Python stays as it is, and MicroPython refuses it.
    if (left.type.isError || right.type.isError || operator.nextSibling?.type.isError) return;
    if (count && text(operator) === '*' && [left.name, right.name].includes('ArrayExpression')) {
      wrap(node, '__attn_made(', ')');
      return;
    }
    if (operator.name === 'ArithOp' && text(operator) === '%') {
      const holds =
        left.name === 'VariableName' && texts.has(text(left)) && right.name !== 'Number';
      const literal = left.name === 'String' || left.name === 'ContinuedString';
      const filled = right.name === 'TupleExpression' || right.name === 'DictionaryExpression';
      if (!literal && !holds && !filled) return;
      insert(node.from, '__attn_percent(');
      replace(operator.from, operator.to, ',');
      closing.set(key(node), [...(closing.get(key(node)) ?? []), ')']);
      return;
    }
    const between = logical[text(operator)] ?? '';
    // With a number on one side the result is a number, as it is without this.
    const numbers = [left.name, right.name].includes('Number');
    if (operator.name === 'BitOp' && between && !numbers) {
      insert(node.from, `__attn_${between}(`);
      replace(operator.from, operator.to, ',');
      closing.set(key(node), [...(closing.get(key(node)) ?? []), ')']);
      return;
    }
    const power = text(operator) === '**' && (complexes || !['2', '3'].includes(text(right)));
    if (operator.name === 'ArithOp' && (power || (complexes && text(operator) === '/'))) {
      insert(node.from, power ? '__attn_power(' : '__attn_quotient(');
      replace(operator.from, operator.to, ',');
      closing.set(key(node), [...(closing.get(key(node)) ?? []), ')']);
      return;
    }
    if (operator.name === 'CompareOp' && ['==', '!='].includes(text(operator))) {
      // A view of a dict is equal to a set, which MicroPython does not know.
      for (const side of [left, right])
        if (side.name === 'CallExpression' && /\.(keys|items)\(\)$/.test(text(side)))
          wrap(side, 'set(', ')');
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

  /**
   * Rewrites {x}, {x!r}, {x:.2f} and {x=} of an f-string: MicroPython rounds halves its own way, and writes floats with
   * one digit too many.
   */
  function replacement(node: SyntaxNode): void {
    const spec = node.getChild('FormatSpec');
    const conversion = node.getChild('FormatConversion');
    const self = node.getChild('FormatSelfDoc');
    const value = node.firstChild?.nextSibling;
    const last = node.lastChild;
    if (!value || !last || last.type.isError || text(last) !== '}') return;
    // What is unpacked there is no single value, and a lambda is reported by lint.ts.
    if (value.name === '*' || value.name === 'LambdaExpression') return;
    // A line break or a quote in it is no Python, which MicroPython says.
    if (spec && /["'\n]/.test(text(spec)) && !spec.getChild('FormatReplacement')) return;
    const end = (self ?? conversion ?? spec ?? last).from;
    const whole = [];
    let inner: SyntaxNode | null = value;
    while (inner && inner.from < end) {
      whole.push(inner);
      inner = inner.nextSibling;
    }
    const final = whole.at(-1) ?? value;
    // {a, b} is a tuple without brackets.
    const tuple = whole.length > 1;
    const open = tuple ? '((' : '(';
    const shut = tuple ? '))' : ')';
    const said = self
      ? source.slice(node.from + 1, (conversion ?? spec ?? last).from).replace(/[{}]/g, '$&$&')
      : '';
    if (self) insert(node.from, breakless(said));
    const letter = conversion ? text(conversion).slice(1) : self && !spec ? 'r' : '';
    const names: Readonly<Record<string, string>> = { r: 'repr', s: 'str', a: 'ascii' };
    const converter = names[letter];
    if (letter && !converter) return;
    const gone = (from: number, to: number) => breaks(source.slice(from, to));
    const yields = /^yield\b/.test(text(value));
    const before = converter ? `__attn_${converter}` : spec ? '' : '__attn_text';
    const begin = `${spec ? '__attn_show(' : ''}${before}${before ? open : tuple ? '(' : ''}${yields ? '(' : ''}`;
    insert(value.from, begin);
    const after = `${yields ? ')' : ''}${before ? shut : tuple ? ')' : ''}`;
    closing.set(key(final), [...(closing.get(key(final)) ?? []), after]);
    if (!spec) {
      if (final.to < last.from) replace(final.to, last.from, gone(final.to, last.from));
      return;
    }
    // The specification becomes arguments; values in it are arguments of their own.
    const between = gone(final.to, spec.from);
    let at = spec.from + 1;
    replace(final.to, at, `${between}, "`);
    for (const part of spec.getChildren('FormatReplacement')) {
      const open = part.firstChild;
      const close = part.lastChild;
      if (!open || !close) continue;
      replace(open.from, open.to, '", ');
      replace(close.from, close.to, ', "');
      at = close.to;
    }
    replace(spec.to, spec.to, '")');
  }

  /** Errors that MicroPython raises as their base class, and what a file sees of the errors that it catches. */
  function handlers(node: SyntaxNode): void {
    for (const word of node.getChildren('except')) {
      let kind: SyntaxNode | null = word.nextSibling;
      if (!kind || kind.name === 'Body') continue;
      const type = kind;
      let name: SyntaxNode | undefined;
      while (kind && kind.name !== 'Body') {
        if (kind.name === 'as' && kind.nextSibling) name = kind.nextSibling;
        kind = kind.nextSibling;
      }
      const body = kind;
      const first = body?.firstChild?.nextSibling;
      if (!body || !first) continue;
      const recursion = type.name === 'VariableName' && text(type) === 'RecursionError';
      if (type.name === 'VariableName' && text(type) === 'UnboundLocalError')
        replace(type.from, type.to, 'NameError');
      if (recursion) replace(type.from, type.to, `RuntimeError${name ? '' : ' as __attn_e'}`);
      const to = name ? text(name) : '__attn_e';
      const start = [
        recursion ? `__attn_only_recursion(${to})` : '',
        name ? `${to} = __attn_caught(${to})` : '',
      ].filter(Boolean);
      if (start.length === 0) continue;
      if (simple.has(first.name)) insert(first.from, `${start.join('; ')}; `);
    }
  }

  /** A loop over a dict in whose body the dict changes: CPython raises an error, and MicroPython goes on. */
  function walked(node: SyntaxNode): void {
    const over = node.getChild('in')?.nextSibling;
    const body = node.getChild('Body');
    if (!over || !body) return;
    const [, name] = /^(\w+)(?:\.(?:items|keys|values)\(\))?$/.exec(text(over)) ?? [];
    if (!name) return;
    const changes = new RegExp(
      `\\b${name}\\[[^\\]]*\\]\\s*([-+*/|&^%]|//|\\*\\*)?=[^=]|\\bdel\\s+${name}\\[|\\b${name}\\.(pop|popitem|clear|update|setdefault)\\(`,
    );
    if (changes.test(text(body))) wrap(over, '__attn_walk(', `, ${name})`);
  }

  /** `self.__x` belongs to its class. */
  function mangled(node: SyntaxNode): void {
    const name = text(node);
    if (!name.startsWith('__') || name.endsWith('__') || name.startsWith('__attn_')) return;
    for (let at = node.parent; at; at = at.parent) {
      const owner = at.name === 'ClassDefinition' ? at.getChild('VariableName') : null;
      if (!owner) continue;
      replace(node.from, node.to, `_${text(owner).replace(/^_+/, '')}${name}`);
      return;
    }
  }

  /** x[a:b] = value: MicroPython takes lists and tuples only. */
  function sliced(node: SyntaxNode): void {
    const target = node.firstChild;
    const value = node.lastChild;
    if (target?.name !== 'MemberExpression' || !value || value.prevSibling?.name !== 'AssignOp')
      return;
    if (node.getChildren('AssignOp').length > 1 || node.getChild(',')) return;
    const object = target.firstChild;
    if (object?.name !== 'VariableName' || !target.getChild(':') || target.getChild(',')) return;
    if (['ArrayExpression', 'Number'].includes(value.name)) return;
    wrap(value, `__attn_assigned(${text(object)}, `, ')');
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

  /**
   * Gives a class the bases that MicroPython needs: it asks the other side of a comparison for nothing, and takes any
   * arguments for a class without `__init__`.
   */
  function bases(node: SyntaxNode): void {
    const body = node.getChild('Body');
    const owner = node.getChild('VariableName');
    if (!body || !owner) return;
    const methods = body
      .getChildren('FunctionDefinition')
      .concat(
        body
          .getChildren('DecoratedStatement')
          .flatMap((one) => one.getChildren('FunctionDefinition')),
      )
      .map((one) => text(one.getChild('VariableName') ?? one));
    const assigned = text(body);
    const has = (name: string) =>
      methods.includes(name) || new RegExp(`\\b${name}\\s*=`).test(assigned);
    const order = ['__lt__', '__le__', '__gt__', '__ge__'].filter(has).length;
    const list = node.getChild('ArgList');
    const given = list ? text(list).slice(1, -1).trim() : '';
    const mixed = new RegExp(
      `class\\s+\\w+\\s*\\([^)]*\\b${text(owner)}\\b[^)]*,|class\\s+\\w+\\s*\\([^)]*,[^)]*\\b${text(owner)}\\b`,
    ).test(source);
    const added = [
      order > 0 && order < 4 ? '__attn_Ordered' : '',
      !given && !mixed && !has('__init__') && !has('__new__') ? '__attn_Plain' : '',
    ].filter(Boolean);
    if (added.length === 0) return;
    if (!list) insert(owner.to, `(${added.join(', ')})`);
    else if (list.lastChild)
      insert(
        list.lastChild.from,
        `${given && !given.endsWith(',') ? ', ' : ''}${added.join(', ')}`,
      );
  }

  /** The order of keywords that `**more` receives: MicroPython gives them in none. */
  function keywords(node: SyntaxNode): void {
    const star = node.getChild('ParamList')?.getChildren('**').at(-1);
    const name = star?.nextSibling;
    const body = node.getChild('Body');
    if (name?.name !== 'VariableName' || !body) return;
    const more = text(name);
    const uses = new RegExp(`\\b${more}\\b`);
    if (!uses.test(text(body))) return;
    const words = keywordsOf(node).join(' ');
    const first = body.firstChild?.nextSibling;
    if (first && simple.has(first.name)) {
      insert(first.from, `${more} = __attn_words(${more}, "${words}"); `);
      return;
    }
    // A compound statement cannot follow on a line: each place that reads the name puts it in order.
    body.cursor().iterate((reference) => {
      const at = reference.node;
      if (at.name !== 'VariableName' || text(at) !== more) return;
      if (at.parent?.name === 'ArgList' && at.nextSibling?.name === 'AssignOp') return;
      if (isTarget(at)) return;
      wrap(at, '__attn_words(', `, "${words}")`);
    });
  }

  /** The keywords of a file's calls: first those of the function, then the others, as they are written. */
  function keywordsOf(node: SyntaxNode): string[] {
    const name = text(node.getChild('VariableName') ?? node);
    const owner = node.parent?.parent?.name === 'ClassDefinition' ? node.parent.parent : null;
    const called =
      name === '__init__' && owner ? text(owner.getChild('VariableName') ?? owner) : name;
    const own: string[] = [];
    const others: string[] = [];
    let spread = false;
    tree.iterate({
      enter: ({ node: at }) => {
        const list = at.name === 'CallExpression' ? at.getChild('ArgList') : null;
        const words = list
          ? list
              .getChildren('AssignOp')
              .flatMap((equals) => (equals.prevSibling ? [text(equals.prevSibling)] : []))
          : at.name === 'DictionaryExpression'
            ? at
                .getChildren('String')
                .filter((one) => one.nextSibling?.name === ':')
                .map((one) => text(one).slice(1, -1))
            : [];
        if (words.length === 0) return;
        spread ||= list?.getChild('**') != null;
        const callee = at.firstChild ? text(at.firstChild).split('.').at(-1) : '';
        if (callee === called) own.push(...words);
        others.push(...words);
      },
    });
    // What `**d` adds to a call was written somewhere else before.
    return [...new Set(spread ? others : [...own, ...others])].filter((word) => /^\w+$/.test(word));
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

/** The names of a file's modules. */
function imported(source: string): string[] {
  const names: string[] = [];
  for (const [, list = ''] of source.matchAll(/^\s*import\s+([^\n#]+)/gm))
    for (const part of list.split(',')) {
      const [name = '', , alias] = part.trim().split(/\s+/);
      names.push(alias ?? name.split('.')[0] ?? '');
    }
  return names;
}

const breakless = (part: string) => part.replace(/\n/g, '');
/** Keeps only the line breaks of the text, so that lines keep their numbers. */
const breaks = (part: string) => part.replace(/[^\n]/g, '');
/** The same, with places in a line kept too. */
const lines = (part: string) => part.replace(/[^\n]/g, ' ');
