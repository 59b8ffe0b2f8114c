/**
 * A submission is the file that a student hands in: the code, the page's grade, and a checksum. The checksum detects
 * damage but not forgery, because a student can know everything that a page knows. Therefore `npm run regrade` runs
 * the code again and trusts nothing else.
 */
import { SaidError } from '../strings/said-error.ts';
import { shown } from '../strings/shown.ts';
import { say } from './phrases.ts';
import { sha256 } from './sha256.ts';
import type { Exercise, Grade, Input, Language } from './types';

export const SUBMISSION_FORMAT = 'attention-labs/submission';
export const SUBMISSION_VERSION = 1;

export interface SubmittedCase {
  readonly name: string;
  readonly hidden: boolean;
  readonly passed: boolean;
  /** The message that the page showed for a case that failed. */
  readonly why?: string;
  readonly maxAbsolute?: number;
  readonly maxRelative?: number;
}

/** A grade without the numbers behind it. */
export interface SubmittedGrade {
  readonly passed: boolean;
  /** What the drawn cases were drawn from; files of before there were any have none. */
  readonly seed?: number;
  readonly cases: readonly SubmittedCase[];
  readonly cost?: { readonly passed: boolean; readonly slope: number; readonly maxSlope: number };
  /** The id of the recognised mistake. */
  readonly variant?: string;
  /** Why the code did not load; absent when it loaded. */
  readonly loadError?: string;
  readonly stopped?: string;
  /** The time of the run, in ISO 8601. */
  readonly time: string;
}

export interface SubmittedExercise {
  readonly exercise: string;
  readonly language: Language;
  readonly code: string;
  /** The grade of exactly this code; absent when the code was changed after the last run, or never run. */
  readonly grade?: SubmittedGrade;
  /** When some code for this exercise and language first passed. */
  readonly firstPassed?: string;
  readonly runs: number;
  /** The number of hints that were taken, 0 to 3. */
  readonly hints: number;
  readonly solutionSeen: boolean;
  /** The seeds of the cases' inputs, in order of appearance. */
  readonly seeds: readonly number[];
}

export interface Submission {
  readonly format: typeof SUBMISSION_FORMAT;
  readonly v: typeof SUBMISSION_VERSION;
  /** The name as the student wrote it; it may be empty. */
  readonly student: string;
  /** The time of the export, in ISO 8601. */
  readonly time: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly exercises: readonly SubmittedExercise[];
  /** The hash of `canonical` of all other fields. */
  readonly sha256: string;
}

/** A file is not a submission of this site. The message is written for the person who opened it. */
export class SubmissionError extends SaidError {
  override name = 'SubmissionError';
}

/** JSON with sorted keys and no white space, so that equal contents give equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** All seeds in the inputs of the cases. */
export function seedsOf(exercise: Pick<Exercise, 'cases'>): number[] {
  const seeds: number[] = [];
  const visit = (input: Input): void => {
    if (Array.isArray(input)) for (const part of input as readonly Input[]) visit(part);
    else if (typeof input === 'object' && input !== null && 'seed' in input) {
      if (typeof input.seed === 'number') seeds.push(input.seed);
    }
  };
  for (const { args } of exercise.cases) for (const input of args) visit(input);
  return seeds;
}

export function summaryOf(grade: Grade, time: string): SubmittedGrade {
  const { passed, seed, cost, variant, loadError, stopped } = grade;
  return {
    passed,
    seed,
    cases: grade.cases.map(({ name, hidden, passed, mismatch, outcome }) => {
      const why = outcome?.error
        ? `${outcome.error.type}: ${outcome.error.message}`
        : mismatch?.message;
      return {
        ...{ name, hidden, passed },
        ...(why && !passed ? { why } : {}),
        ...finite('maxAbsolute', mismatch?.maxAbsolute),
        ...finite('maxRelative', mismatch?.maxRelative),
      };
    }),
    ...(cost
      ? {
          cost: {
            passed: cost.passed,
            // JSON has no NaN, so a slope that was not found is written as −1.
            slope: Number.isFinite(cost.slope) ? cost.slope : -1,
            maxSlope: cost.maxSlope,
          },
        }
      : {}),
    ...(variant ? { variant: variant.id } : {}),
    ...(loadError ? { loadError: `${loadError.type}: ${loadError.message}` } : {}),
    ...(stopped ? { stopped } : {}),
    time,
  };
}

const finite = <K extends string>(key: K, value: number | undefined) =>
  value !== undefined && Number.isFinite(value) ? ({ [key]: value } as Record<K, number>) : {};

export function makeSubmission(parts: Omit<Submission, 'format' | 'v' | 'sha256'>): Submission {
  const rest = { format: SUBMISSION_FORMAT, v: SUBMISSION_VERSION, ...parts } as const;
  return { ...rest, sha256: sha256(canonical(rest)) };
}

export const printSubmission = (submission: Submission): string =>
  `${JSON.stringify(submission, null, 2)}\n`;

/**
 * Reads the text of a file. `intact` says whether the checksum matches the contents. @throws SubmissionError for any
 * other file.
 */
export function readSubmission(text: string): {
  readonly submission: Submission;
  readonly intact: boolean;
} {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new SubmissionError(say('submission_not_json'));
  }
  if (!isObject(read) || read.format !== SUBMISSION_FORMAT) {
    throw new SubmissionError(say('submission_not_ours'));
  }
  if (read.v !== SUBMISSION_VERSION) {
    throw new SubmissionError(
      say('submission_version', { version: shown(read.v), known: SUBMISSION_VERSION }),
    );
  }
  const { exercises } = read;
  if (!Array.isArray(exercises)) throw new SubmissionError(say('submission_empty'));
  exercises.forEach((one: unknown, i) => {
    if (
      !isObject(one) ||
      ['exercise', 'language', 'code'].some((k) => typeof one[k] !== 'string')
    ) {
      throw new SubmissionError(say('submission_lacks', { place: i + 1 }));
    }
  });
  const { sha256: said, ...rest } = read;
  return { submission: read as unknown as Submission, intact: said === sha256(canonical(rest)) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
