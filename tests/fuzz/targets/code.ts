/** Targets for the rewriting of a student's code before it runs. */
import { parser as javascriptParser } from '@lezer/javascript';
import { parser as pythonParser } from '@lezer/python';
import { ticked } from '../../../web/src/exercises/javascript/count-instrumentation';
import { countingNames } from '../../../web/src/exercises/javascript/counting-names';
import { lint } from '../../../web/src/exercises/python/lint';
import { adapt } from '../../../web/src/exercises/python/rewrite-for-micropython';
import type { Random } from '../random';
import { bytesOf, must, mustBeSaid, type Outcome, type Target, textOf } from '../target';

/** Changes a word or sign of a program, or removes, copies or wraps a part in brackets. */
function codeChange(input: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const parts = textOf(input).match(TOKENS) ?? [];
  const donors = textOf(other).match(TOKENS) ?? [];
  const at = random.below(parts.length + 1);
  const length = 1 + random.below(6);
  const start = random.below(donors.length + 1);
  const given = donors.slice(start, start + length);
  const [open, end] = random.pick([
    ...[
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
      ['f"{', ':.2f}"'],
    ],
    ...[
      ['x[', '::2]'],
      ['[*', ', 0]'],
      ['{"a": ', '}'],
      ['float(', ')'],
      ['(0 < ', ')'],
    ],
  ]) as [string, string];
  switch (random.below(5)) {
    case 0:
      parts.splice(at, length);
      break;
    case 1:
      parts.splice(at, 0, ...given);
      break;
    case 2:
      parts.splice(at, length, ...given);
      break;
    case 3:
      parts.splice(at, 0, open);
      parts.splice(at + 1 + length, 0, end);
      break;
    default:
      parts.splice(at, 0, ...parts.slice(at, at + length));
  }
  return bytesOf(parts.join(''));
}
const TOKENS = /[\p{L}\p{N}_]+|\n *|\s|[^\p{L}\p{N}_\s]/gu;

const isWhole = (parser: typeof pythonParser, code: string): boolean => {
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
  change: codeChange,
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
  change: codeChange,
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
