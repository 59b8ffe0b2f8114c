import { describe, expect, it, vi } from 'vitest';
import { edited } from '../../web/src/exercises/judge/apply-edits';
import { judgeCost, powerOf } from '../../web/src/exercises/judge/cost';
import { grade } from '../../web/src/exercises/judge/grade';
import { starter } from '../../web/src/exercises/starter';
import type { Grade, Language } from '../../web/src/exercises/types';
import { openGradeTools } from './grade_tools';
import { exercise, solution } from './judge_fixture';

const tools = await openGradeTools({ warm: true });
// These tests measure no time, so a busy machine may take as long as it needs.
vi.setConfig({ testTimeout: 240_000 });

const graded = (code: string, language: Language = 'python'): Promise<Grade> =>
  grade(exercise, { python: solution }, code, language, tools, { seed: 5 });
const variant = (id: string): string =>
  edited(solution, exercise.variants.find((one) => one.id === id)?.python ?? []);

const javascript = `function normalizeRows(x) {
  return x.div(x.sumRows());
}`;

describe('a grade', () => {
  it('passes a right solution in both languages, with visible cases first', async () => {
    for (const [code, language] of [
      [solution, 'python'],
      [javascript, 'javascript'],
    ] as const) {
      const result = await graded(code, language);
      expect(result).toMatchObject({ passed: true, language, exercise: 'normalize-rows' });
      expect(result.cases.map(({ name }) => name)).toEqual([
        'visible',
        'hidden',
        'drawn inputs 1',
        'drawn inputs 2',
        'drawn inputs 3',
      ]);
      expect(result.cost).toMatchObject({ passed: true, maxSlope: 1.3 });
      expect(result.cost?.slope).toBeCloseTo(1, 1);
      expect(result.variant).toBeUndefined();
    }
  });

  it('fails an unwritten solution, and recognises no mistake in it', async () => {
    for (const language of ['python', 'javascript'] as const) {
      const result = await graded(starter(exercise, language), language);
      expect(result.passed).toBe(false);
      expect(result.variant).toBeUndefined();
      expect(result.cases[0]?.outcome?.error?.message).toMatch(/not written yet/);
    }
  });

  it('reports why the code did not load', async () => {
    expect(await graded('def normalize_rows(x)\n    return x\n')).toMatchObject({
      passed: false,
      loadError: { type: 'SyntaxError', line: 1 },
    });
    expect(await graded('function other() {}', 'javascript')).toMatchObject({
      loadError: { type: 'NameError' },
    });
  });

  it('reports the case, the entry and the printed text', async () => {
    const result = await graded(
      'import numpy as np\ndef normalize_rows(x):\n    print(x.shape)\n    w = x / x.sum(axis=1, keepdims=True)\n    w[0, 1] = 9\n    return w\n',
    );
    expect(result.cases[0]).toMatchObject({
      passed: false,
      outcome: { prints: '(2, 3)\n' },
      mismatch: { reason: 'value', index: [0, 1], wrong: 1, of: 6 },
    });
    expect(result.variant).toBeUndefined();
  });

  it('is the same in twenty runs', async () => {
    const wrong = variant('columns');
    const first = await graded(wrong);
    const still = ({ cases, ...rest }: Grade) => ({
      ...rest,
      cases: cases.map(({ outcome, ...one }) => ({
        ...one,
        value: outcome?.value,
        counts: outcome?.counts,
      })),
    });
    for (let time = 1; time < 20; ++time) expect(still(await graded(wrong))).toEqual(still(first));
    for (let time = 0; time < 20; ++time) expect((await graded(solution)).passed).toBe(true);
  });

  it('stops at a signal', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(
      grade(exercise, { python: solution }, solution, 'python', tools, {
        signal: controller.signal,
      }),
    ).rejects.toThrow('enough');
  });
});

describe('a mistake is recognised', () => {
  it.each(exercise.variants.map(({ id }) => id))('%s, in Python', async (id) => {
    expect((await graded(variant(id))).variant?.id).toBe(id);
  });

  it.each([
    ['no-sum', 'return x;'],
    ['columns', 'return x.div(x.sumCols());'],
    ['refuses', 'return x.times(x.plus(Matrix.zeros(9, 9)));'],
    ['quadratic', 'x.times(x.transpose()); return x.div(x.sumRows());'],
  ])('%s, in JavaScript', async (id, body) => {
    const code = `function normalizeRows(x) { ${body} }`;
    expect((await graded(code, 'javascript')).variant?.id).toBe(id);
  });

  it('however the code is written', async () => {
    const loops = `function normalizeRows(x) {
      const out = Matrix.zeros(x.rows, x.cols);
      for (let j = 0; j < x.cols; ++j) {
        let sum = 0;
        for (let i = 0; i < x.rows; ++i) sum += x.get(i, j);
        for (let i = 0; i < x.rows; ++i) out.set(i, j, x.get(i, j) / sum);
      }
      return out;
    }`;
    expect((await graded(loops, 'javascript')).variant?.id).toBe('columns');
  });

  it('but not by an error that any code can raise', async () => {
    const result = await graded('def normalize_rows(x):\n    return x.no_such_thing()\n');
    expect(result.variant).toBeUndefined();
  });

  it('but not where a part is right and a part is wrong in another way', async () => {
    const result = await graded(
      'def normalize_rows(x):\n    return x if x.shape[0] == 2 else x / x.sum(axis=0)\n',
    );
    expect(result.passed).toBe(false);
    expect(result.variant).toBeUndefined();
  });
});

describe('cost', () => {
  const loops = (inner: string) => `function normalizeRows(x) {
    let sum = 0;
    for (let i = 0; i < x.rows; ++i) {
      ${inner}
    }
    return x.div(x.sumRows());
  }`;

  it('is counted in loops over get and data as in products', async () => {
    for (const code of [
      loops('for (let j = 0; j < x.rows; ++j) sum += x.get(j, 0);'),
      loops('for (let j = 0; j < x.rows; ++j) sum += x.data[j];'),
      loops('sum += x.data.reduce((a, b) => a + b);'),
      loops(
        'const list = known ?? (known = x.toArray()); for (const row of list) sum += row[0];',
      ).replace('let sum = 0;', 'let sum = 0, known;'),
    ]) {
      const { cost, passed } = await graded(code, 'javascript');
      expect(passed).toBe(false);
      expect(cost?.slope).toBeGreaterThan(1.5);
      expect(cost?.message).toMatch(
        /Your function touched about n.* numbers .*; n·d is what it needs\.$/,
      );
    }
    for (const linear of [
      'sum += x.get(i, 0);',
      'sum += x.data.slice(i * x.cols, (i + 1) * x.cols)[0];',
      'x.data.set(x.data.subarray(i * x.cols, (i + 1) * x.cols), i * x.cols);',
      'x.data.fill(x.get(i, 0), i * x.cols, i * x.cols + 1);',
    ]) {
      expect((await graded(loops(linear), 'javascript')).passed, linear).toBe(true);
    }
  });

  it('is fitted to the points so far when the run was cut short', async () => {
    const counts = (n: number) => ({ multiplyAdds: n * n, touched: 0, bytes: 0 });
    const done = [16, 32, 64].map((n) => ({ prints: '', counts: counts(n), milliseconds: 1 }));
    const error = { type: 'TimeLimit', message: 'there was no answer within 30 s' };
    const cut = { error, prints: '', counts: counts(0), milliseconds: 0 };
    const bound = exercise.cost ?? expect.fail('the fixture has a bound');
    const counted = bound.sizes.map((n) => ({ n, args: [] }));
    const run = { prints: '', cases: [...done, cut], stopped: 'time' } as const;
    expect(await judgeCost(bound, counted, run, tools.core)).toMatchObject({
      passed: false,
      message: expect.stringMatching(
        /^For n = 128 .*no answer.* Until there the fitted slope is 2.00\.$/,
      ),
    });
    const short = await judgeCost(
      bound,
      counted,
      { ...run, cases: [...done.slice(0, 1), cut] },
      tools.core,
    );
    expect(short).toMatchObject({ passed: false, slope: Number.NaN });
  });

  it('is named by powers as people write them', () => {
    expect([0.97, 2.1, 1.5, 2.9].map(powerOf)).toEqual(['n', 'n²', 'n^1.5', 'n³']);
  });
});

describe('edits', () => {
  it('must find their place exactly once', () => {
    expect(edited('a b c', [['b', 'x']])).toBe('a x c');
    expect(() => edited('a b b', [['b', 'x']])).toThrow('occurs 2 times');
    expect(() => edited('a', [['b', 'x']])).toThrow('occurs 0 times');
  });
});
