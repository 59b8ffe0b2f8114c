/**
 * What people write who have not understood yet, and what they are told: a mistake by its name, or an error at its
 * line. A new way to be wrong is one entry more.
 */
import { describe, expect, it } from 'vitest';
import { grade } from '../../web/src/exercises/judge/grade';
import type { Language } from '../../web/src/exercises/types';
import { loadExercise, loadSolution } from '../judge/exercises';
import { openGradeTools } from './grade_tools';

const tools = await openGradeTools();

/** What is seen: the id of the mistake, or what the first failed test says, and at which line. */
async function told(id: string, language: Language, code: string) {
  const files = { python: loadSolution(id, 'python') ?? '' };
  const { passed, cases, variant, order } = await grade(
    loadExercise(id),
    files,
    code,
    language,
    tools,
    { seed: 3 },
  );
  expect(passed).toBe(false);
  const failed = cases.find((one) => !one.passed);
  const error = failed?.outcome?.error;
  return {
    order,
    mistake: variant?.id,
    said: variant?.message ?? error?.message ?? failed?.mismatch?.message,
    line: error?.line,
  };
}

const softmax = (scores: string, rest: string) => `import numpy as np
def attention(Q, K, V, mask=None, scale=True):
    s = Q @ K.T
    if scale: s = s / np.sqrt(Q.shape[1])
${scores}
    e = np.exp(s - s.max(axis=1, keepdims=True))
${rest}
    return w @ V, w
`;
const hidden = '    if mask is not None: s = np.where(mask == 0, -np.inf, s)';

describe('a student who is wrong in a usual way', () => {
  it.each([
    [
      'd for D',
      'crossover',
      'python',
      'def crossover(d, d_v, D):\n    return 2 * d * d_v / (d + d_v)\n',
      'd-for-D',
    ],
    [
      'd for D',
      'crossover',
      'javascript',
      'const crossover = (d, dV, D) => (2 * dV * d) / (dV + d);',
      'd-for-D',
    ],
    [
      'a mask after exp',
      'attention',
      'python',
      softmax(
        '',
        '    if mask is not None: e = e * mask\n    w = e / e.sum(axis=1, keepdims=True)',
      ),
      'mask-after-exp',
    ],
    [
      'a sum over axis 0',
      'attention',
      'python',
      softmax(hidden, '    w = e / e.sum(axis=0)'),
      'sum-along-columns',
    ],
    [
      'a sum whose axis is lost',
      'attention',
      'python',
      softmax(hidden, '    w = e / e.sum(axis=1)'),
      'axis-not-kept',
    ],
    [
      'a sum over everything',
      'attention',
      'python',
      softmax(hidden, '    w = e / np.sum(e)'),
      'one-sum-for-all',
    ],
    [
      'a sum over axis 0',
      'stable-softmax',
      'python',
      'import numpy as np\ndef stable_softmax(logits):\n    e = np.exp(logits - np.max(logits, axis=1, keepdims=True))\n    return e / np.sum(e, axis=0)\n',
      'sum-along-columns',
    ],
    [
      'axes that are lost',
      'stable-softmax',
      'python',
      'import numpy as np\ndef stable_softmax(logits):\n    e = np.exp(logits - logits.max(1))\n    return e / e.sum(1)\n',
      'axes-not-kept',
    ],
  ] as const)('is told of %s (%s, %s)', async (_, id, language, code, mistake) => {
    expect((await told(id, language, code)).mistake).toBe(mistake);
  });

  it.each([
    [
      'python',
      softmax(hidden, '    w = e / e.sum(axis=1, keepdims=True)').replace('(Q, K, V,', '(K, Q, V,'),
    ],
    ['javascript', 'const attention = (K, Q, V, mask, scale) => [Q.times(K.transpose()), V];'],
  ] as const)('is told of arguments in another order (%s)', async (language, code) => {
    const { mistake, order, said } = await told('attention', language, code);
    expect(mistake).toBe('argument-order');
    expect(order?.wanted).toEqual(['Q', 'K', 'V', 'mask', 'scale']);
    expect(order?.written).toEqual(['K', 'Q', 'V', 'mask', 'scale']);
    expect(said).toContain('called with Q, K, V, mask, scale');
  });

  it.each([
    ['plus', 'const both = Q + K;'],
    ['a product', 'const both = Q * K.transpose();'],
    ['plus and becomes', 'Q += K;'],
    ['exp of Math', 'const both = Math.exp(Q);'],
  ])('is told at the line of a sign between matrices: %s', async (_, line) => {
    const code = `function attention(Q, K, V, mask, scale) {\n  ${line}\n  return [Q.times(V), Q];\n}`;
    const { said, line: at } = await told('attention', 'javascript', code);
    expect(said).toContain('a.plus(b)');
    expect(at).toBe(2);
  });

  it('is told that heads are repeated a whole number of times, as in NumPy', async () => {
    const code = `import numpy as np
def grouped_query_attention(Q, K, V):
    K = np.repeat(K, len(Q) / len(K), axis=0)
    return K
`;
    const { said, line } = await told('grouped-query', 'python', code);
    expect(said).toMatch(/^Cannot cast array data from dtype\('float64'\).*takes whole numbers/);
    expect(line).toBe(3);
  });

  it('is told how each matrix of a stack is transposed', async () => {
    const code = `import numpy as np
def grouped_query_attention(Q, K, V):
    return Q @ K.T
`;
    const { said, line } = await told('grouped-query', 'python', code);
    expect(said).toContain('.swapaxes(-1, -2)');
    expect(line).toBe(3);
  });

  it('counts results as one counts', async () => {
    const results = async (value: string) =>
      (
        await told(
          'count-operations',
          'python',
          `def count_operations(n, d, d_v):\n    return ${value}\n`,
        )
      ).said;
    expect(await results('[n]')).toBe('Your function returned 1 result; 2 are wanted');
    expect(await results('n')).toBe(
      'Your function returned a number; 2 results are wanted, in their order',
    );
    expect(await results('None')).toBe(
      'Your function returned nothing; 2 results are wanted; is there a return?',
    );
  });
});
