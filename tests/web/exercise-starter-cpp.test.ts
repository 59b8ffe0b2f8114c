import { describe, expect, it } from 'vitest';
import { plainText, wrap } from '../../web/src/exercises/judge/plain-text';
import { starterCpp, testCpp } from '../../web/src/exercises/judge/starter-cpp';
import type { Exercise } from '../../web/src/exercises/types';

describe('words without TeX', () => {
  it.each([
    ['$\\frac{QK^{\\top}}{\\sqrt{d_k}}$', 'QKᵀ/√d_k'],
    ['$\\operatorname{softmax}\\!\\left(\\frac{x}{\\sqrt d}\\right)$', 'softmax(x/√d)'],
    ['$1 \\le k \\leq m$, shape $n \\times d_k$', '1 ≤ k ≤ m, shape n×d_k'],
    ['$-\\sum_j p_j\\ln p_j$', '-Σ_j p_j ln p_j'],
    ['$e^{-80} - 1$ and $x^{ij}$', 'e⁻⁸⁰ - 1 and x^(ij)'],
    ['$$\\bar x = \\frac1n\\sum_i x_i$$', 'x̄ = 1/nΣ_i x_i'],
    ['`softmax(x)` of each row', 'softmax(x) of each row'],
  ])('%s', (tex, words) => {
    expect(plainText(tex)).toBe(words);
  });

  it('leaves no backslash, which would join a line of a comment to the next line', () => {
    expect(plainText('$\\unknown{x} \\\\ \\mathbb{R}^{n}$')).not.toContain('\\');
  });

  it('breaks lines between words', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('unbreakable', 4)).toEqual(['unbreakable']);
  });
});

const exercise = {
  id: 'scaled-sum',
  title: 'A scaled sum',
  task: ['Return $\\alpha \\cdot x$.'],
  entry: 'scaled_sum',
  parameters: [
    { name: 'x', type: 'matrix', shape: 'n×d', what: 'entries' },
    { name: 'mask', type: 'matrix', shape: 'n×d', what: 'which count', default: null },
    { name: 'factor', type: 'number', what: 'the factor', default: 2 },
    { name: 'count', type: 'integer', what: 'how often', default: 3 },
  ],
  results: [
    { name: 'sum', type: 'vector', shape: 'n', what: 'of each row' },
    { name: 'of', type: 'dict', what: 'mean' },
  ],
} as unknown as Exercise;

describe('the stub in C++', () => {
  it('declares parameters and results', () => {
    const text = starterCpp(exercise);
    expect(text).toContain(
      'inline std::tuple<Array, std::map<std::string, double>> scaled_sum(\n' +
        '    const Array& x, const std::optional<Array>& mask = std::nullopt, double factor = 2.0,\n' +
        '    std::int64_t count = 3) {\n  throw NotWritten("scaled_sum");\n}',
    );
    expect(text).toContain('// Return α·x.');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('is tested under the name of its exercise', () => {
    expect(testCpp(exercise)).toContain('exercise::check("scaled-sum", scaled_sum);');
  });
});
