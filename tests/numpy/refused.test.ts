// What NumPy has and this subset has not is refused in one plain sentence: it must not give another result.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import type { Python } from '../../web/src/exercises/python/interpreter';
import { openPython } from '../tools/python-parts.mjs';

/** One expression a line, each of which NumPy 1.24 evaluates without an error. */
const expressions = readFileSync(new URL('refused.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'));
const names = `import numpy as np
A = np.arange(12.0).reshape(3, 4)
v = np.array([3.0, 1.0, 2.0, -5.0])
k = np.array([4, 2, 9, 2, 7])
n = np.array([1.0, np.nan, 3.0])
b = np.broadcast_to(np.arange(3), (2, 3))
`;
let python: Python;

beforeAll(async () => {
  const { createPython } = await openPython();
  python = await createPython();
}, 60_000);

it.each(expressions)('%s', (expression) => {
  const { error, prints } = python.runScript(`${names}print(${expression})\n`);
  expect(prints).toBe('');
  // One sentence that says what is missing, or which argument is not known.
  expect(error?.message).toMatch(
    /subset|no parameter `\w+`|keyword argument|read-only|int64 array/,
  );
  expect(error?.message).not.toContain('\n');
});
