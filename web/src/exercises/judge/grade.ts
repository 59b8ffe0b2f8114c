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
import { compare, forLongSums } from './compare';
import { judgeCost } from './cost';
import { drawFrom, drawSizes, freshSeed } from './draw';
import { makeArgs, type RandomSource } from './inputs';
import { byCost, byOutput, isVariant, limitsOf, type Tried } from './recognise-mistake';
import { argumentsOutOfOrder } from './signature';

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
  /** Of the drawn inputs; a fresh one unless given. */
  readonly seed?: number;
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
export const wholeSeconds = 30;

/** The name of the function in the spelling of that language. */
export const entryOf = ({ entry }: Exercise, language: Language): string =>
  language === 'javascript' ? camelCase(entry) : entry;

/** Part of a job: whether what the function draws is its value. */
export const drawsOf = ({ results }: Exercise): { readonly draws?: true } =>
  results.some(({ type }) => type === 'drawing') ? { draws: true } : {};

/** Drawn cases of a run. */
const drawnCases = 3;
/** The stream of a seed that cost is drawn from; the cases before it have 0, 1, 2. */
const costStream = drawnCases;

interface Expectation {
  readonly name: string;
  readonly hidden: boolean;
  readonly drawn?: number;
  readonly args: readonly Value[];
  readonly expected: Value;
}

/** The fixed cases of each exercise are kept: inputs and expected values are the same every time. */
const expectations = new WeakMap<Exercise, Promise<readonly Expectation[]>>();
const variantRuns = new WeakMap<Exercise, Map<string, RunResult>>();

/** The fixed cases in the order in which they run: visible ones first. */
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

/** The cases that a seed draws, with what the core expects of them. */
export const drawnCasesOf = (
  exercise: Exercise,
  seed: number,
  tools: Pick<GradeTools, 'core' | 'arrays' | 'random'>,
): Promise<readonly Expectation[]> =>
  Promise.all(
    Array.from({ length: drawnCases }, async (_, nth) => {
      const inputs = exercise.drawn(drawFrom(seed, nth, tools.random), nth);
      const args = makeArgs(inputs, tools.random);
      const expected = await exercise.reference(tools, args);
      return { name: `drawn inputs ${nth + 1}`, hidden: true, drawn: nth + 1, args, expected };
    }),
  );

export interface CostCase {
  readonly n: number;
  readonly args: readonly Value[];
}

/** What cost is counted on. */
export function costCasesOf(
  { cost }: Pick<Exercise, 'cost'>,
  seed: number,
  random: RandomSource,
): readonly CostCase[] {
  if (!cost) return [];
  const sizes = drawSizes(cost.sizes, drawFrom(seed, costStream, random));
  return sizes.map((n, at) => {
    // Widths are the same at each length, or the work would not grow with n alone.
    const draw = drawFrom(seed, costStream + 1, random);
    const inputs = cost.args(n, {
      ...draw,
      seed: () => draw.seed() + at,
    });
    return { n, args: makeArgs(inputs, random) };
  });
}

export async function grade(
  exercise: Exercise,
  files: ExerciseFiles,
  code: string,
  language: Language,
  tools: GradeTools,
  { seed = freshSeed(), signal, onProgress, onGrade }: GradeOptions = {},
): Promise<Grade> {
  const fixed = await casesOf(exercise, tools);
  const cases = [...fixed, ...(await drawnCasesOf(exercise, seed, tools))];
  signal?.throwIfAborted();
  const visible = cases.filter(({ hidden }) => !hidden).length;
  const run = tools.runStudent ?? tools.run;
  const job: RunJob = {
    language: language as RunJob['language'],
    code,
    entry: entryOf(exercise, language),
    // What is expected stays here: the code runs where only the arguments are.
    cases: cases.map(({ args }) => ({ args })),
    parameters: exercise.parameters.map(({ type }) => type),
    ...drawsOf(exercise),
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
  const tried: Tried[] = fixed.map(({ args, expected }, at) => ({
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
    cost = await costOf(exercise, job, run, tools, language, seed, signal, onProgress);
  }
  const passed = right && (cost?.passed ?? true);
  const judged: Grade = {
    exercise: exercise.id,
    language,
    passed,
    seed,
    ...(result.loadError && { loadError: result.loadError }),
    prints: result.prints,
    cases: reports,
    ...(cost && { cost }),
    ...(result.stopped && { stopped: result.stopped }),
  };
  // A run that was cut short has too few outcomes to be compared with a variant.
  if (passed || result.loadError || result.stopped || signal?.aborted) return judged;
  onGrade?.(judged);
  const order = right ? undefined : argumentsOutOfOrder(exercise, language, code);
  if (order) {
    const message = `Your function takes ${order.written.join(', ')}, and it is called with ${order.wanted.join(', ')}, in this order: an argument is known by its place, not by its name.`;
    return { ...judged, variant: { id: 'argument-order', message }, order };
  }
  const variant =
    right && cost
      ? await recogniseCost(exercise, files, cost, tools, seed, signal)
      : await recognise(exercise, files, tried, language, tools, signal, onProgress);
  return variant ? { ...judged, variant: { id: variant.id, message: variant.message } } : judged;
}

async function costOf(
  exercise: Exercise,
  job: Omit<RunJob, 'cases'>,
  run: Runner,
  tools: Pick<GradeTools, 'core' | 'arrays' | 'random'>,
  language: Language,
  seed: number,
  signal: AbortSignal | undefined,
  onProgress?: GradeOptions['onProgress'],
): Promise<CostReport | undefined> {
  const { cost } = exercise;
  if (!cost) return undefined;
  const cases = costCasesOf(exercise, seed, tools.random);
  const of = cases.length;
  onProgress?.({ doing: 'cost', done: 0, of });
  const result = await run(
    {
      ...job,
      cases: cases.map(({ args }) => ({ args })),
      countEntries: true,
      countLists: cost.of === 'largest',
    },
    {
      ...(signal && { signal }),
      onCase: (done) => onProgress?.({ doing: 'cost', done, of }),
      deadlines: [{ cases: of, seconds: wholeSeconds }],
    },
  );
  const limits = limitsOf(exercise, language);
  const expected = await Promise.all(cases.map(({ args }) => exercise.reference(tools, args)));
  const counted = cases.map(({ n, args }, at) => ({
    n,
    args,
    mismatch: (outcome: CaseOutcome) => {
      const wanted = expected[at] as Value;
      return compare(outcome.value, wanted, forLongSums(limits(args), wanted));
    },
  }));
  return judgeCost(cost, counted, result, tools.core);
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
      cases: cases.map(({ args }) => ({ args })),
      parameters: exercise.parameters.map(({ type }) => type),
      ...drawsOf(exercise),
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
  seed: number,
  signal: AbortSignal | undefined,
): Promise<Variant | undefined> {
  const candidates = byCost(exercise);
  // Of a function whose values are wrong there, the slope says nothing.
  if (Number.isNaN(student.slope) || student.wrong) return undefined;
  const distances: { variant: Variant; distance: number }[] = [];
  for (const variant of candidates) {
    const job: Omit<RunJob, 'cases'> = {
      language: 'python',
      code: variantCode(exercise, variant, files.python),
      entry: exercise.entry,
      parameters: exercise.parameters.map(({ type }) => type),
    };
    const report = await costOf(exercise, job, tools.run, tools, 'python', seed, signal);
    if (signal?.aborted) return undefined;
    const distance = Math.abs((report?.slope ?? Number.NaN) - student.slope);
    if (distance <= sameSlope) distances.push({ variant, distance });
  }
  return distances.sort((a, b) => a.distance - b.distance)[0]?.variant;
}
