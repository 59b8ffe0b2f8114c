/** Targets for the rewriting of a student's code before it runs. */
import type { Parser, Tree } from '@lezer/common';
import { parser as lezerJavaScript } from '@lezer/javascript';
import { parser as lezerPython } from '@lezer/python';
import { ticked } from '../../../web/src/exercises/javascript/count-instrumentation';
import { countingNames } from '../../../web/src/exercises/javascript/counting-names';
import { lint } from '../../../web/src/exercises/python/lint';
import { adapt } from '../../../web/src/exercises/python/rewrite-for-micropython';
import type { Random } from '../random';
import { bytesOf, must, mustBeSaid, type Outcome, type Target, textOf } from '../target';

/**
 * A tree is asked for several times by what one input tries (the check, the linter and the rewriting all parse the same
 * text), and parsing is nearly all the work. The last trees are kept, which changes nothing else: a tree is never
 * written to.
 */
function keepTrees(parser: Parser): Parser {
  const parse = parser.parse.bind(parser);
  const kept = new Map<string, Tree>();
  parser.parse = (input, ...rest) => {
    if (typeof input !== 'string' || rest.length > 0) return parse(input, ...rest);
    let tree = kept.get(input);
    if (!tree) {
      tree = parse(input);
      kept.set(input, tree);
      if (kept.size > 8) kept.delete(kept.keys().next().value as string);
    }
    return tree;
  };
  return parser;
}

const pythonParser = keepTrees(lezerPython);
const javascriptParser = keepTrees(lezerJavaScript);

/** A part of a program: what the grammar calls it, and where it stands. */
interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}
interface Parts {
  readonly text: string;
  readonly all: readonly Part[];
  readonly byName: ReadonlyMap<string, readonly Part[]>;
}

/** Parts that may stand in for each other without breaking the program. */
const kindOf = (name: string): string =>
  /Expression$|^(?:VariableName|Number|String|FormatString|Boolean|BooleanLiteral|None|TemplateString)$/.test(
    name,
  )
    ? 'expression'
    : /(?:Statement|Declaration|Definition)$/.test(name) && name !== 'VariableDefinition'
      ? 'statement'
      : name;

/** The blanks before the first letter of the line in which a place lies. */
const indentAt = (text: string, at: number): string =>
  /^ */.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';

/**
 * Changes up to three parts of a program, as its tree has them, so that most of what comes out parses: a part is
 * replaced by another of its kind, removed, repeated, or put between brackets. Broken programs come from changes of
 * bytes, and take several times as long to read, because the parser tries many ways to go on.
 */
function treeChange(parser: Parser, brackets: readonly (readonly [string, string])[]) {
  const known = new WeakMap<Uint8Array, Parts>();
  const partsOf = (input: Uint8Array): Parts => {
    const before = known.get(input);
    if (before) return before;
    const text = textOf(input);
    const all: Part[] = [];
    const byName = new Map<string, Part[]>();
    parser.parse(text).iterate({
      enter: ({ name, from, to, type }) => {
        // Names in small letters are words and signs of the grammar, which have no substitute.
        if (type.isTop || type.isError || from === to || !/^[A-Z]/.test(name)) return;
        const part = { name: kindOf(name), from, to };
        all.push(part);
        const list = byName.get(part.name);
        if (list) list.push(part);
        else byName.set(part.name, [part]);
      },
    });
    const parts = { text, all, byName };
    known.set(input, parts);
    return parts;
  };
  const written = ({ name, from, to }: Part, mine: Parts, theirs: Parts, random: Random) => {
    const { text } = mine;
    const whole = text.slice(from, to);
    const choice = random.below(8);
    if (choice === 0 && name === 'statement') return random.once(2) ? 'pass' : '';
    if (choice === 1 && name === 'statement') return `${whole}\n${indentAt(text, from)}${whole}`;
    if (choice <= 1 && name === 'expression') {
      const [open, end] = random.pick(brackets);
      return open + whole + end;
    }
    const donor = choice < 5 && theirs.byName.has(name) ? theirs : mine;
    const { from: a, to: b } = random.pick(donor.byName.get(name) ?? []);
    const given = donor.text.slice(a, b);
    if (name !== 'statement') return given;
    return given.replaceAll(`\n${indentAt(donor.text, a)}`, `\n${indentAt(text, from)}`);
  };
  return (input: Uint8Array, random: Random, other: Uint8Array): Uint8Array | undefined => {
    const mine = partsOf(input);
    if (mine.all.length === 0) return undefined;
    const chosen: Part[] = [];
    for (let count = 1 + random.below(3); count > 0; count--) {
      const part = random.pick(mine.all);
      if (chosen.every(({ from, to }) => part.to <= from || to <= part.from)) chosen.push(part);
    }
    chosen.sort((a, b) => a.from - b.from);
    let out = '';
    let from = 0;
    for (const part of chosen) {
      out += mine.text.slice(from, part.from) + written(part, mine, partsOf(other), random);
      from = part.to;
    }
    return bytesOf(out + mine.text.slice(from));
  };
}

const IN_PYTHON = [
  ...([
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['f"{', ':.2f}"'],
    ['x[', '::2]'],
    ['[*', ', 0]'],
  ] as const),
  ...([
    ['{"a": ', '}'],
    ['float(', ')'],
    ['(0 < ', ')'],
    ['(not ', ')'],
    ['(yield ', ')'],
  ] as const),
  ...([
    ['[', ' for i in y if i]'],
    ['(lambda x=1: ', ')'],
    ['-', ' % (1,)'],
    ['(n := ', ')'],
  ] as const),
];
const IN_JAVASCRIPT = [
  ...([
    ['(', ')'],
    ['[', ']'],
    ['`${', '}`'],
    ['((x = []) => ', ')'],
    ['', '.map(f)'],
  ] as const),
  ...([
    ['[...', ', 0]'],
    ['({ a: ', ' })'],
    ['new Array(', ')'],
    ['(function () { return ', '; })()'],
  ] as const),
  ...([
    ['-', ''],
    ['(x, ', ')'],
    ['class { a = ', '; }'],
    ['', '?.slice()'],
    ['Array.from(', ')'],
  ] as const),
];

const isWhole = (parser: Parser, code: string): boolean => {
  let whole = true;
  parser.parse(code).iterate({
    enter: ({ type }) => {
      whole &&= !type.isError;
    },
  });
  return whole;
};

const solutions = (files: Record<string, string>): readonly Uint8Array[] =>
  Object.values(files)
    .filter((text) => text.length < 900)
    .map(bytesOf);

const lineCount = (text: string): number => text.split('\n').length;

const python: Target = {
  name: 'python',
  rounds: 500,
  seeds: [
    ...solutions(
      import.meta.glob<string>('../../../web/exercises/*/solution.py', {
        query: '?raw',
        import: 'default',
        eager: true,
      }),
    ).slice(0, 12),
    ...[
      'x = [*a, 0]\ny *= 2\nz = {"a": 1, **b}\nraise A(\n 1\n) from b\n',
      'f"{x:,.2f}|{y!r:>{w}}|{z=}"\n"%d" % (1,)\n"a".join(b)[::-1]\n',
      'def f(a, /, b, *, c=1): return dict(a=1, b=[i for i in c if i < 3])\n',
      '@dataclass\nclass A:\n    x: int = 3\n    y: float\n',
      'while (n := f()) > 0.5 and not x:\n    del a[0]\nelse:\n    pass\n',
      'for i, (a, *b) in enumerate(x.shape): print(i, end="")\n',
      'try:\n    a @= b\nexcept (A, B) as e:\n    raise\nfinally:\n    x.T.reshape(-1).item()\n',
    ].map(bytesOf),
  ],
  words: [
    ...['*=', '/=', '//=', '**', ' if ', ' else ', ' for i in ', 'lambda: ', 'yield ', 'await '],
    ...['np.', 'x.shape', '.item()', '.round(2)', '.copy()', 'float(', 'dict(', '{**', '[*', '(*'],
    ...[
      'f"{',
      '}"',
      '"""',
      "'",
      '\\',
      '#',
      ':=',
      '->',
      '@',
      '::',
      '...',
      '\n    ',
      '\t',
      ';',
      '/,',
    ],
    ...['class A:\n', 'def f(', 'return ', 'raise ', ' from ', ' < ', ' >= ', ' in ', ' not ', '%'],
  ],
  change: treeChange(pythonParser, IN_PYTHON),
  mostly: true,
  check(input): Outcome {
    const code = textOf(input);
    const problems = lint(code);
    // The parser reports no error for a quote that is never closed.
    const whole = isWhole(pythonParser, code) && !problems.some(({ kind }) => kind === 'syntax');
    for (const count of [false, true]) {
      const adapted = adapt(code, { count }).code;
      must(lineCount(adapted) === lineCount(code), `a line moved${count ? ', counting' : ''}`);
      // Code that parses must be rewritten into code that parses.
      if (whole)
        must(isWhole(pythonParser, adapted), `rewritten into what is no Python: ${adapted}`);
    }
    for (const { message, from, to, line, column } of problems) {
      mustBeSaid(new Error(message));
      must(from >= 0 && from < to && from <= code.length, `a problem from ${from} to ${to}`);
      must(
        line >= 1 && line <= lineCount(code) && column >= 1,
        `in line ${line}, column ${column}`,
      );
    }
    return problems.length > 0 ? 'refused' : 'read';
  },
};

/**
 * Whether code compiles as the body of a strict function, which is how a student's file runs. `compileFunction` of
 * node:vm would say the same, but Node 20 aborts in it on some texts.
 */
function compiles(code: string): boolean {
  try {
    new Function(`'use strict';${code}`);
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

const javascript: Target = {
  name: 'javascript',
  rounds: 800,
  seeds: [
    ...solutions(
      import.meta.glob<string>('../../../web/exercises/*/solution.js', {
        query: '?raw',
        import: 'default',
        eager: true,
      }),
    ).slice(0, 12),
    ...[
      'for (const x of [1, 2]) for (let i = 0; i < 3; i++) f(i);\n',
      'do x++; while (x < 3)\nconst [a, ...b] = [c, { d: 1 }];\n',
      'const f = (a = [1], { b } = {}) => ({ ...b }), g = async () => { await [1]; };\n',
      'class A { static #x = new Map([[1, 2]]); get y() { return Array.from(x).map((i) => [i]); } }\n',
      'label: while (true) { if (x) break label; else continue; }\n',
      'return (function* () { yield [1].concat(new Float64Array(3)); })\n',
    ].map(bytesOf),
  ],
  words: [
    ...[
      '=>',
      ' => ',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      ';',
      'for (',
      'while (',
      'do ',
      'return ',
      '...',
    ],
    ...[
      'new Array(3)',
      'new Map()',
      '.map(',
      '.slice()',
      'Array.of(',
      '`${',
      '}`',
      '/x/',
      '//',
      '/*',
    ],
    ...[
      'async ',
      'await ',
      'yield ',
      'function f() {',
      'class A {',
      ' = ',
      '?.',
      '??',
      'if (x) ',
      ',',
    ],
  ],
  change: treeChange(javascriptParser, IN_JAVASCRIPT),
  mostly: true,
  check(input): Outcome {
    const code = textOf(input);
    const names = countingNames();
    const counted = ticked(code, names);
    must(lineCount(counted) === lineCount(code), 'a line moved');
    // V8 takes `f() = 1` for a program that fails when it runs; the parser of the editor takes it for none. A student
    // who writes such a line may well hear of it before it runs.
    if (!compiles(code) || !isWhole(javascriptParser, code)) return 'refused';
    must(compiles(counted), `rewritten into what is no JavaScript: ${counted}`);
    return 'read';
  },
};

export const code = [python, javascript];
