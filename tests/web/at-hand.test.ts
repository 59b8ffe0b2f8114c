/** The card beside the editor lists what each language really has here, and leaves nothing out that can be asked for. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cpp } from '../../web/src/exercises/at-hand/cpp';
import { type Group, lineOf, namesOf } from '../../web/src/exercises/at-hand/entry';
import { javascript } from '../../web/src/exercises/at-hand/javascript';
import { python } from '../../web/src/exercises/at-hand/python';
import { Matrix } from '../../web/src/exercises/javascript/matrix';
import type { RunJob } from '../../web/src/exercises/types';
import { openGradeTools } from './grade_tools';

const tools = await openGradeTools();

async function answer(language: RunJob['language'], code: string): Promise<unknown> {
  const job: RunJob = {
    ...{ language, code, entry: 'wrong', cases: [{ args: [] }], parameters: [] },
  };
  const { cases, loadError } = await tools.run(job);
  expect(loadError).toBeUndefined();
  expect(cases[0]?.error).toBeUndefined();
  return cases[0]?.value;
}

const examplesOf = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ entries }) => entries.flatMap(([, , example]) => example ?? []));

describe.each([
  ['Python', python],
  ['JavaScript', javascript],
  ['C++', cpp],
])('the card of %s', (_, groups) => {
  it('has each name once, and a line for it', () => {
    for (const { before, loose } of groups) {
      if (loose) continue;
      const names = namesOf(groups, before);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
      expect(names.filter((name) => !lineOf(groups, before, name))).toEqual([]);
    }
  });
});

describe('Python', () => {
  /** Imports of the libraries that `dir` tells too. */
  const leaked: Readonly<Record<string, string>> = {
    'np.': 'Flags PINF json save_text slice_all',
    'np.linalg.': 'asarray inf ndarray',
    'np.random.': 'asarray ndarray',
  };
  const objects = {
    'np.': 'np',
    'np.linalg.': 'np.linalg',
    'np.random.': 'np.random',
    'x.': 'np.zeros((2, 2))',
    'math.': 'math',
  };

  it.each(Object.entries(objects))('has what stands behind %s, and no more', async (before, of) => {
    const there = await answer(
      'python',
      `import numpy as np\nimport math\ndef wrong():\n    return " ".join(n for n in dir(${of}) if n[0] != "_")\n`,
    );
    const known = new Set(leaked[before]?.split(' '));
    const found = String(there)
      .split(' ')
      .filter((name) => !known.has(name))
      .sort();
    // Some of NumPy's names are made when they are first asked for, and `dir` does not know them.
    const asked = await answer(
      'python',
      `import numpy as np\nimport math\ndef wrong():\n    return " ".join(n for n in ${JSON.stringify(namesOf(python, before))} if not hasattr(${of}, n))\n`,
    );
    expect(asked).toBe('');
    expect(found.filter((name) => !namesOf(python, before).includes(name))).toEqual([]);
  });

  it('has the names, the modules and the examples', async () => {
    const tried = [...namesOf(python, ''), ...examplesOf(python)];
    const modules = namesOf(python, 'import ').map((name) => `import ${name}`);
    const lines = [...tried, ...modules];
    const code = `import math
import numpy as np
n, m = 3, 4
A = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
w = np.array([1.0, 2.0, 3.0])
i = np.array([0, 2, 1])
Q = K = V = np.arange(12.0).reshape(4, 3) / 6
${lines.map((line, at) => `def try${at}(x, y, v, mask):\n    ${line}\n`).join('')}
def wrong():
    told = []
    for name, line in [${lines.map((line, at) => `(try${at}, ${JSON.stringify(line)})`).join(', ')}]:
        x = np.arange(12.0).reshape(3, 4) - 5
        try:
            name(x, x + 0.5, np.array([0.5, -1.0, 2.0, 3.0]), x > 0)
        except Exception as error:
            told.append(line + ": " + repr(error))
    return "; ".join(told)
`;
    expect(await answer('python', code)).toBe('');
  });
});

describe('JavaScript', () => {
  const membersOf = (of: object): string[] =>
    Object.getOwnPropertyNames(of)
      // `m[0]` is refused in words, and is nothing to use.
      .filter((name) => !/^\d+$/.test(name))
      .filter((name) => !['constructor', 'prototype', 'length', 'name', 'toString'].includes(name))
      .sort();

  it('has the members of Matrix and of Math, and no more', () => {
    expect(namesOf(javascript, 'Matrix.').sort()).toEqual(membersOf(Matrix));
    expect(namesOf(javascript, 'm.').sort()).toEqual(membersOf(Matrix.prototype));
    // Newer than some browsers that the pages work in.
    const recent = ['f16round', 'sumPrecise'];
    expect(namesOf(javascript, 'Math.').sort()).toEqual(
      membersOf(Math).filter((name) => !recent.includes(name)),
    );
  });

  it('has the names and the examples', async () => {
    const tried = [...namesOf(javascript, ''), ...examplesOf(javascript)];
    const code = `
      const [n, d] = [3, 4];
      const m = Matrix.from([[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 2, 3]]);
      const [Q, K, V] = [m.clone(), m.clone(), m.clone()];
      function wrong() {
        const told = [];
        ${tried.map((line) => `try { (${line}); } catch (error) { told.push(${JSON.stringify(line)} + ': ' + error); }`).join('\n')}
        return told.join('; ');
      }
    `;
    expect(await answer('javascript', code)).toBe('');
  });
});

describe('C++', () => {
  const read = (path: string): string =>
    readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const header = read('core/include/attn/array/array.hpp');
  const own = read('tests/exercises/exercise.hpp');

  /** The names that a header declares at its margin, and those that its macros make. */
  const declared = (text: string): string[] => {
    const made = [...text.matchAll(/^ATTN_ARRAY_\w+\((\w+),/gm)].map(([, name = '']) => name);
    const plain = [...text.matchAll(/^(?:inline )?[A-Z_a-z][\w:<>, ]* \*?&?(\w+)\(/gm)];
    return [...new Set([...made, ...plain.map(([, name = '']) => name)])];
  };

  it('has the functions of the arrays, and no more', () => {
    // For code that implements operations.
    const inner = ['name_of', 'size_of', 'apply', 'apply_in_place', 'reduce'];
    const found = declared(header).filter(
      (name) => !inner.includes(name) && !/^operator/.test(name),
    );
    expect(namesOf(cpp, '').sort()).toEqual(found.sort());
  });

  it('has the members of an array, and no more', () => {
    const from = header.indexOf('class Array {');
    const body = header.slice(from, header.indexOf('// Functions for code that implements', from));
    const found = [...body.matchAll(/^ {2}(?:explicit |const )?[A-Z_a-z][\w:<>]*[ &]+(\w+)\(/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !['operator', 'Array', 'double'].includes(name));
    expect(namesOf(cpp, 'x.').sort()).toEqual([...new Set(found)].sort());
  });

  it('has the feature maps, and what is included', () => {
    const maps = declared(read('tests/exercises/given.hpp'));
    expect(namesOf(cpp, 'given::').sort()).toEqual(maps.sort());
    const included = [...own.matchAll(/^#include (<\w+>)/gm)].map(([, name = '']) => name);
    expect(namesOf(cpp, '#include ').sort()).toEqual(included.sort());
  });

  it('takes its examples from the solutions, which are compiled', () => {
    const solutions = Object.values(
      import.meta.glob<string>('../../web/exercises/*/solution.hpp', {
        ...{ query: '?raw', import: 'default', eager: true },
      }),
    ).join('\n');
    expect(examplesOf(cpp).filter((example) => !solutions.includes(example))).toEqual([]);
  });
});
