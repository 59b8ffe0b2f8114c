/** Grades code. The page and Node use these same functions. */

import type { Client } from '#client';
import type { Arrays } from '#client/arrays';
import { camelCase } from '../camel-case';
import type {
  CaseOutcome,
  CaseReport,
  CostReport,
  Exercise,
  Grade,
  Language,
  RunJob,
  Runner,
  RunResult,
  Value,
  Variant,
} from '../types';
import { variantCode } from './apply-edits';
import { compare } from './compare';
import { judgeCost } from './cost';
import { makeArgs, type RandomSource } from './inputs';
import { byCost, byOutput, isVariant, limitsOf, type Tried } from './recognise-mistake';

/** The files of an exercise that grading needs. */
export interface ExerciseFiles {
  /** The text of `solution.py`; variants are made from it. */
  readonly python: string;
}

export interface GradeTools {
  readonly core: Client;
  readonly arrays: Arrays;
  readonly random: RandomSource;
  /** Runs the student's code, and the variants, which are Python. */
  readonly run: Runner;
  /** Runs the student's code where `run` cannot, as with C++. */
  readonly runStudent?: Runner;
}

export interface GradeOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: GradeProgress) => void;
  /** Receives a failing grade as soon as it is known, before the mistake is recognised. */
  readonly onGrade?: (grade: Grade) => void;
}

export interface GradeProgress {
  readonly doing: 'cases' | 'cost' | 'recognising';
  readonly done: number;
  readonly of: number;
}

/** The slopes of two implementations of the same mistake differ by at most this. */
const sameSlope = 0.35;
/** The time limit for the visible cases, on a machine as fast as the one that the exercises were tried on. */
const visibleSeconds = 5;
const wholeSeconds = 30;

/** The name of the function in the spelling of that language. */
export const entryOf = ({ entry }: Exercise, language: Language): string =>
  language === 'javascript' ? camelCase(entry) : entry;

interface Expectation {
  readonly name: string;
  readonly hidden: boolean;
  readonly args: readonly Value[];
  readonly expected: Value;
}

/** The expected values of each exercise. They are kept, because inputs and expected values never change. */
const expectations = new WeakMap<Exercise, Promise<readonly Expectation[]>>();
const variantRuns = new WeakMap<Exercise, Map<string, RunResult>>();

/** The cases in the order in which they run: visible ones first. */
export function casesOf(
  exercise: Exercise,
  tools: Pick<GradeTools, 'core' | 'arrays' | 'random'>,
): Promise<readonly Expectation[]> {
  const known = expectations.get(exercise);
  if (known) return known;
  const ordered = [
    ...exercise.cases.filter(({ hidden }) => !hidden),
    ...exercise.cases.filter(({ hidden }) => hidden),
  ];
  const made = Promise.all(
    ordered.map(async ({ name, hidden = false, args: inputs }) => {
      const args = makeArgs(inputs, tools.random);
      return { name, hidden, args, expected: await exercise.reference(tools, args) };
    }),
  );
  expectations.set(exercise, made);
  // A failure is not kept: a core that did not load, for example, may load the next time.
  made.catch(() => expectations.delete(exercise));
  return made;
}

export async function grade(
  exercise: Exercise,
  files: ExerciseFiles,
  code: string,
  language: Language,
  tools: GradeTools,
  { signal, onProgress, onGrade }: GradeOptions = {},
): Promise<Grade> {
  const cases = await casesOf(exercise, tools);
  signal?.throwIfAborted();
  const visible = cases.filter(({ hidden }) => !hidden).length;
  const run = tools.runStudent ?? tools.run;
  const job: RunJob = {
    language: language as RunJob['language'],
    code,
    entry: entryOf(exercise, language),
    cases,
    parameters: exercise.parameters.map(({ type }) => type),
  };
  onProgress?.({ doing: 'cases', done: 0, of: cases.length });
  const result = await run(job, {
    ...(signal && { signal }),
    onCase: (done) => onProgress?.({ doing: 'cases', done, of: cases.length }),
    deadlines: [
      { cases: visible, seconds: visibleSeconds },
      { cases: cases.length, seconds: wholeSeconds },
    ],
  });
  const limits = limitsOf(exercise, language);
  const tried: Tried[] = cases.map(({ args, expected }, at) => ({
    args,
    expected,
    outcome: result.cases[at],
  }));
  const reports = cases.map((one, at): CaseReport => {
    const outcome = result.cases[at];
    const mismatch =
      outcome && !outcome.error
        ? compare(outcome.value, one.expected, limits(one.args))
        : undefined;
    return {
      ...one,
      passed: outcome !== undefined && !outcome.error && !mismatch,
      ...(outcome && { outcome }),
      ...(mismatch && { mismatch }),
    };
  });
  const right = !result.loadError && !result.stopped && reports.every(({ passed }) => passed);

  let cost: CostReport | undefined;
  if (right && exercise.cost) {
    cost = await costOf(exercise, job, run, tools, signal, onProgress);
  }
  const passed = right && (cost?.passed ?? true);
  const judged: Grade = {
    exercise: exercise.id,
    language,
    passed,
    ...(result.loadError && { loadError: result.loadError }),
    prints: result.prints,
    cases: reports,
    ...(cost && { cost }),
    ...(result.stopped && { stopped: result.stopped }),
  };
  // A run that was cut short has too few outcomes to be compared with a variant.
  if (passed || result.loadError || result.stopped || signal?.aborted) return judged;
  onGrade?.(judged);
  const variant =
    right && cost
      ? await recogniseCost(exercise, files, cost, tools, signal)
      : await recognise(exercise, files, tried, language, tools, signal, onProgress);
  return variant ? { ...judged, variant: { id: variant.id, message: variant.message } } : judged;
}

async function costOf(
  exercise: Exercise,
  job: Omit<RunJob, 'cases'>,
  run: Runner,
  { core, random }: Pick<GradeTools, 'core' | 'random'>,
  signal: AbortSignal | undefined,
  onProgress?: GradeOptions['onProgress'],
): Promise<CostReport | undefined> {
  const { cost } = exercise;
  if (!cost) return undefined;
  const of = cost.sizes.length;
  onProgress?.({ doing: 'cost', done: 0, of });
  const result = await run(
    {
      ...job,
      cases: cost.sizes.map((n) => ({ args: makeArgs(cost.args(n), random) })),
      countEntries: true,
    },
    {
      ...(signal && { signal }),
      onCase: (done) => onProgress?.({ doing: 'cost', done, of }),
      deadlines: [{ cases: of, seconds: wholeSeconds }],
    },
  );
  return judgeCost(cost, result, core);
}

async function recognise(
  exercise: Exercise,
  files: ExerciseFiles,
  tried: readonly Tried[],
  language: Language,
  tools: GradeTools,
  signal: AbortSignal | undefined,
  onProgress: GradeOptions['onProgress'],
): Promise<Variant | undefined> {
  if (tried.some(({ outcome }) => !outcome)) return undefined;
  const variants = byOutput(exercise);
  for (const [done, variant] of variants.entries()) {
    onProgress?.({ doing: 'recognising', done, of: variants.length });
    const outcomes = await outcomesOf(exercise, files, variant, tools, signal);
    if (signal?.aborted) return undefined;
    if (isVariant(tried, outcomes, limitsOf(exercise, language), variant.evidence)) {
      return variant;
    }
  }
  return undefined;
}

/** The outcomes of a variant, kept once the variant has run to its end. */
export async function outcomesOf(
  exercise: Exercise,
  files: ExerciseFiles,
  variant: Variant,
  tools: GradeTools,
  signal?: AbortSignal,
): Promise<readonly CaseOutcome[]> {
  const kept = variantRuns.get(exercise) ?? new Map<string, RunResult>();
  variantRuns.set(exercise, kept);
  const known = kept.get(variant.id);
  if (known) return known.cases;
  const cases = await casesOf(exercise, tools);
  const result = await tools.run(
    {
      language: 'python',
      code: variantCode(exercise, variant, files.python),
      entry: exercise.entry,
      cases,
      parameters: exercise.parameters.map(({ type }) => type),
      ours: true,
    },
    { ...(signal && { signal }), deadlines: [{ cases: cases.length, seconds: wholeSeconds }] },
  );
  if (!result.stopped) kept.set(variant.id, result);
  return result.cases;
}

/** Finds the variant whose cost grows in the same way; for code whose result is right but costs too much. */
async function recogniseCost(
  exercise: Exercise,
  files: ExerciseFiles,
  student: CostReport,
  tools: GradeTools,
  signal: AbortSignal | undefined,
): Promise<Variant | undefined> {
  const candidates = byCost(exercise);
  if (Number.isNaN(student.slope)) return undefined;
  const distances: { variant: Variant; distance: number }[] = [];
  for (const variant of candidates) {
    const job: Omit<RunJob, 'cases'> = {
      language: 'python',
      code: variantCode(exercise, variant, files.python),
      entry: exercise.entry,
      parameters: exercise.parameters.map(({ type }) => type),
    };
    const report = await costOf(exercise, job, tools.run, tools, signal);
    if (signal?.aborted) return undefined;
    const distance = Math.abs((report?.slope ?? Number.NaN) - student.slope);
    if (distance <= sameSlope) distances.push({ variant, distance });
  }
  return distances.sort((a, b) => a.distance - b.distance)[0]?.variant;
}
