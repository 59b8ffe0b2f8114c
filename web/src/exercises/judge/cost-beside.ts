/**
 * What a passed answer cost beside our solution in the same language: operations, counted as they are where an
 * exercise bounds its cost, and the time of the tests. Nothing is judged by it.
 */

import type { Exercise, Grade, Language, RunCounts, RunJob, RunResult, Value } from '../types';
import { costCasesOf, drawsOf, entryOf, type GradeTools, wholeSeconds } from './grade';

export interface Spent {
  readonly counts: Required<RunCounts>;
  /** Of all tests together, on average over `runs`. */
  readonly milliseconds: number;
}

export interface CostBeside {
  readonly yours: Spent;
  readonly ours: Spent;
  /** The length at which operations were counted; missing where they are those of all tests. */
  readonly n?: number;
  readonly tests: number;
  /** How often all tests were run for their time, besides a first time that nobody counts. */
  readonly runs: number;
}

/**
 * How often all tests are run for their time. The first run of anything takes longer than the later ones, and a page's
 * clock has steps of a tenth of a millisecond, which only many runs average away. What is slow is run once.
 */
const runsFor = (milliseconds: number): number =>
  milliseconds < 100 ? 20 : milliseconds < 1000 ? 4 : 1;

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
 * Runs both on what the grade was given for: for their times, which nothing slows down that counts, and for their
 * operations, except where the grade has counted the student's. Undefined where a run did not reach its end.
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
  const runs = runsFor(timeOf(cases.flatMap(({ outcome }) => outcome ?? [])));
  const first = runs > 1 ? tests.length : 0;
  const again = Array.from({ length: first ? runs + 1 : runs }, () => tests).flat();
  const times: number[] = [];
  for (const code of [yours, ours]) {
    const timed = await run(code, again);
    if (!timed) return undefined;
    times.push(timeOf(timed.slice(first)) / runs);
  }
  const both = (own: readonly RunCounts[], other: readonly RunCounts[]) => ({
    yours: { counts: total(own), milliseconds: times[0] as number },
    ours: { counts: total(other), milliseconds: times[1] as number },
    ...{ tests: tests.length, runs },
  });
  const countsOf = (outcomes: RunResult['cases']): RunCounts[] =>
    outcomes.map(({ counts }) => counts);
  const last = cost?.points.at(-1);
  if (exercise.cost && last) {
    // The same length and the same numbers as those of the grade, because they are drawn from its seed.
    const at = costCasesOf(exercise, seed, tools.random).find(({ n }) => n === last.n);
    const counting = { countEntries: true, countLists: exercise.cost.of === 'largest' };
    const counted = at && (await run(ours, [at.args], counting));
    return counted && { ...both([last.counts], countsOf(counted)), n: last.n };
  }
  const own = await run(yours, tests, { countEntries: true });
  const other = own && (await run(ours, tests, { countEntries: true }));
  return other && both(countsOf(own), countsOf(other));
}
