/**
 * What a passed answer cost beside our solution in the same language: operations, counted as they are where an
 * exercise bounds its cost, and the time of the tests. Nothing is judged by it.
 */

import type {
  CaseOutcome,
  Exercise,
  Grade,
  Language,
  RunCounts,
  RunJob,
  RunResult,
  Value,
} from '../types';
import { costCasesOf, drawsOf, entryOf, type GradeTools, wholeSeconds } from './grade';

export interface Spent {
  readonly counts: Required<RunCounts>;
  /** Of all tests together. */
  readonly milliseconds: number;
}

export interface CostBeside {
  readonly yours: Spent;
  readonly ours: Spent;
  /** The length at which operations were counted; missing where they are those of all tests. */
  readonly n?: number;
  readonly tests: number;
}

/** The sum over all calls, and the largest array of them. */
function total(all: readonly RunCounts[]): Required<RunCounts> {
  const sum = { multiplyAdds: 0, touched: 0, bytes: 0, largest: 0 };
  for (const { multiplyAdds, touched, bytes, largest = 0 } of all) {
    sum.multiplyAdds += multiplyAdds;
    sum.touched += touched;
    sum.bytes += bytes;
    sum.largest = Math.max(sum.largest, largest);
  }
  return sum;
}

const timeOf = (cases: readonly { readonly milliseconds: number }[]): number =>
  cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0);

/**
 * Runs our solution on what the grade was given for, and the student's code once more where its operations were not
 * counted yet. Undefined where a run did not reach its end.
 */
export async function costBeside(
  exercise: Exercise,
  { yours, ours }: { readonly yours: string; readonly ours: string },
  { cases, cost, seed, language }: Grade,
  tools: Pick<GradeTools, 'run' | 'random'>,
  signal?: AbortSignal,
): Promise<CostBeside | undefined> {
  const run = async (
    code: string,
    args: readonly (readonly Value[])[],
    counted: Pick<RunJob, 'countEntries' | 'countLists'> = {},
  ): Promise<RunResult['cases'] | undefined> => {
    const result = await tools.run(
      {
        language: language as Exclude<Language, 'cpp'>,
        code,
        entry: entryOf(exercise, language),
        cases: args.map((each) => ({ args: each })),
        parameters: exercise.parameters.map(({ type }) => type),
        ...drawsOf(exercise),
        ...counted,
      },
      { ...(signal && { signal }), deadlines: [{ cases: args.length, seconds: wholeSeconds }] },
    );
    const whole = result.cases.length === args.length && !result.stopped && !result.loadError;
    return whole && result.cases.every(({ error }) => !error) ? result.cases : undefined;
  };
  const tests = cases.map(({ args }) => args);
  const times = cases.flatMap(({ outcome }) => outcome ?? []);
  const timed = await run(ours, tests);
  if (!timed || times.length < tests.length) return undefined;
  const spent = (counts: readonly RunCounts[], of: readonly CaseOutcome[]): Spent => ({
    ...{ counts: total(counts), milliseconds: timeOf(of) },
  });
  const last = cost?.points.at(-1);
  if (exercise.cost && last) {
    // The same lengths and numbers as those of the grade, because they are drawn from its seed.
    const at = costCasesOf(exercise, seed, tools.random).find(({ n }) => n === last.n);
    const counted =
      at &&
      (await run(ours, [at.args], {
        ...{ countEntries: true, countLists: exercise.cost.of === 'largest' },
      }));
    if (!counted) return undefined;
    return {
      yours: spent([last.counts], times),
      ours: spent(
        counted.map(({ counts }) => counts),
        timed,
      ),
      ...{ n: last.n, tests: tests.length },
    };
  }
  const theirs = await run(yours, tests, { countEntries: true });
  const own = theirs && (await run(ours, tests, { countEntries: true }));
  if (!own) return undefined;
  return {
    yours: spent(
      theirs.map(({ counts }) => counts),
      times,
    ),
    ours: spent(
      own.map(({ counts }) => counts),
      timed,
    ),
    tests: tests.length,
  };
}
