/** What a passed answer cost beside our solution is measured, and fairly. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { camelCase } from '../../web/src/exercises/camel-case';
import { loadExercise } from '../../web/src/exercises/catalog';
import { workOf } from '../../web/src/exercises/judge/cost';
import { costBeside } from '../../web/src/exercises/judge/cost-beside';
import { grade } from '../../web/src/exercises/judge/grade';
import { openGradeTools } from './grade_tools';

const tools = await openGradeTools({ warm: true });
const read = (id: string, file: string): Promise<string> =>
  readFile(`web/exercises/${id}/solution.${file}`, 'utf8');

async function beside(
  id: string,
  language: 'python' | 'javascript',
  change = (code: string) => code,
) {
  const exercise = await loadExercise(id);
  const ours = await read(id, language === 'python' ? 'py' : 'js');
  const yours = change(ours);
  const graded = await grade(exercise, { python: await read(id, 'py') }, yours, language, tools, {
    seed: 5,
  });
  expect(graded.passed).toBe(true);
  const cost = await costBeside(exercise, { yours, ours }, graded, tools);
  if (!cost) throw new Error('it was not measured');
  return { ...cost, exercise, graded };
}

describe('the cost of a passed answer beside ours', () => {
  it.each(['python', 'javascript'] as const)(
    'is the same for the same code in %s, over all tests',
    async (language) => {
      const { yours, ours, n, tests, graded } = await beside('stable-softmax', language);
      expect(yours.counts).toEqual(ours.counts);
      expect(workOf(ours.counts)).toBeGreaterThan(0);
      expect(n).toBeUndefined();
      expect(tests).toBe(graded.cases.length);
      for (const { milliseconds } of [yours, ours]) expect(milliseconds).toBeGreaterThan(0);
    },
  );

  it('counts what is done entry by entry, in the answer as in ours', async () => {
    const { yours, ours, exercise } = await beside(
      'stable-softmax',
      'javascript',
      () => `
      function ${camelCase('stable_softmax')}(logits) {
        const out = Matrix.zeros(logits.rows, logits.cols);
        for (let i = 0; i < logits.rows; ++i) {
          let most = -Infinity;
          for (let j = 0; j < logits.cols; ++j) most = Math.max(most, logits.get(i, j));
          let sum = 0;
          for (let j = 0; j < logits.cols; ++j) sum += Math.exp(logits.get(i, j) - most);
          for (let j = 0; j < logits.cols; ++j) out.set(i, j, Math.exp(logits.get(i, j) - most) / sum);
        }
        return out;
      }`,
    );
    expect(exercise.entry).toBe('stable_softmax');
    expect(yours.counts.touched).not.toBe(ours.counts.touched);
    expect(yours.counts.touched).toBeGreaterThan(0);
  });

  it('is counted at the same length and on the same numbers where the exercise bounds the cost', async () => {
    const id = 'linear-attention-order';
    const same = await beside(id, 'python');
    expect(same.n).toBe(same.graded.cost?.points.at(-1)?.n);
    expect(same.yours.counts).toEqual(same.ours.counts);
    // The same product twice.
    const twice = await beside(id, 'python', (code) =>
      code.replace(/^( +)return /m, '$1K.T @ V\n$1return '),
    );
    expect(twice.ours.counts).toEqual(same.ours.counts);
    expect(twice.yours.counts.multiplyAdds).toBeGreaterThan(same.ours.counts.multiplyAdds);
  });

  it('takes the mean of many runs for the time, without the first one, and one run where that takes long', async () => {
    const exercise = await loadExercise('stable-softmax');
    const ours = await read('stable-softmax', 'py');
    const graded = await grade(exercise, { python: ours }, ours, 'python', tools, { seed: 5 });
    const tests = graded.cases.length;
    const times = async (slow: number) => {
      const asked: number[] = [];
      const run: typeof tools.run = async (job, options) => {
        const result = await tools.run(job, options);
        asked.push(job.cases.length);
        // The first run of a test takes 9 ms, the next ones 3 and 5 ms in turn; a test more than the one before it.
        const cases = result.cases.map((one, i) => {
          const nth = Math.floor(i / tests);
          return { ...one, milliseconds: (i % tests) + (nth === 0 ? 9 : nth % 2 ? 3 : 5) };
        });
        return { ...result, cases };
      };
      const cases = graded.cases.map((one) => ({
        ...one,
        ...(one.outcome && { outcome: { ...one.outcome, milliseconds: slow } }),
      }));
      const cost = await costBeside(
        exercise,
        { yours: ours, ours },
        { ...graded, cases },
        { ...tools, run },
      );
      return { cost, asked };
    };
    const steps = (tests * (tests - 1)) / 2;
    const quick = await times(1);
    expect(quick.cost).toMatchObject({ runs: 20, yours: { milliseconds: 4 * tests + steps } });
    expect(quick.asked).toEqual([21 * tests, 21 * tests, tests, tests]);
    const longer = await times(50);
    expect(longer.cost).toMatchObject({ runs: 4, ours: { milliseconds: 4 * tests + steps } });
    const slow = await times(200);
    expect(slow.cost).toMatchObject({ runs: 1, ours: { milliseconds: 9 * tests + steps } });
  });

  it('is not told of a run that does not reach its end', async () => {
    const exercise = await loadExercise('stable-softmax');
    const ours = await read('stable-softmax', 'py');
    const graded = await grade(exercise, { python: ours }, ours, 'python', tools, { seed: 5 });
    const broken = ours.replace('return ', 'raise ValueError\n    return ');
    expect(await costBeside(exercise, { yours: broken, ours }, graded, tools)).toBeUndefined();
  });
});
