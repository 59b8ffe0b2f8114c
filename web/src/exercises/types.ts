/**
 * What an exercise is, and what travels between page, judge and the sandbox in which a student's
 * function runs. A specification (`web/exercises/<id>/exercise.ts`) is written once; Python,
 * JavaScript and C++ are graded from it.
 */

import type { Client } from '#client';
import type { Arrays } from '#client/arrays';
import type { Wording } from '#client/phrases';

export type Language = 'python' | 'javascript' | 'cpp';
export type Dtype = 'float64' | 'float32' | 'int64' | 'bool';

/** A row-major array of any rank; entries are kept as float64 whatever the dtype. */
export interface ArrayValue {
  readonly kind: 'array';
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}
/** Named results: a Python dict, a JavaScript object, a C++ map. */
export interface DictValue {
  readonly kind: 'dict';
  readonly entries: Readonly<Record<string, Value>>;
}
/** A function that the runtime hands to the student's: one of `web/exercises/given.{py,js,hpp}`. */
export interface GivenValue {
  readonly kind: 'given';
  readonly name: string;
}
/** What a student's function takes and returns. A tuple or list is an array of values. */
export type Value =
  | ArrayValue
  | DictValue
  | GivenValue
  | number
  | boolean
  | string
  | null
  | readonly Value[];

/** Arrays as generators. Every made array is rounded to float32, so that the core sees the same. */
interface Made {
  readonly shape: readonly number[];
  readonly dtype?: Dtype;
  /** Entries replaced afterwards: [flat index, value]. NaN and infinities allowed. */
  readonly set?: readonly (readonly [number, number])[];
}
export type Input =
  /** scale·randn + shift, from NumPy's `RandomState(seed)`. Defaults 1 and 0. */
  | (Made & {
      readonly make: 'normal';
      readonly seed: number;
      readonly scale?: number;
      readonly shift?: number;
    })
  | (Made & {
      readonly make: 'uniform';
      readonly seed: number;
      readonly low?: number;
      readonly high?: number;
    })
  | (Made & { readonly make: 'full'; readonly value: number })
  /** start, start + step, … in row-major order. */
  | (Made & { readonly make: 'range'; readonly start?: number; readonly step?: number })
  | (Made & { readonly make: 'values'; readonly data: readonly number[] })
  /** 1 = may be seen, 0 = blocked. `random` keeps each cell with probability `keep` (default 0.6). */
  | (Made & {
      readonly make: 'mask';
      readonly of: 'causal' | 'reverse' | 'random';
      readonly seed?: number;
      readonly keep?: number;
      /** Rows in which nothing may be seen. */
      readonly emptyRows?: readonly number[];
    })
  | GivenValue
  | number
  | boolean
  | string
  | null
  | readonly Input[];

export type ParameterType =
  | 'matrix'
  | 'vector'
  /** Rank 3: a stack of heads. A list of matrices in JavaScript. */
  | 'stack'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'text'
  /** A list of numbers. */
  | 'numbers'
  /** x ↦ φ(x), rows to rows. */
  | 'feature_map'
  /** Named numbers; results only. */
  | 'dict';

/** One parameter or one result. */
export interface Parameter {
  /** As in the course texts, snake_case; JavaScript's is derived: `d_model` → `dModel`. */
  readonly name: string;
  readonly type: ParameterType;
  /** "n×d_k", for arrays. */
  readonly shape?: string;
  /** One phrase. */
  readonly what: string;
  /** May be left out. A mask that may be None has `null`. */
  readonly default?: number | boolean | null;
}

export interface Case {
  /** What it tries, in a few words: "two tokens, by hand", "logits of 1000". */
  readonly name: string;
  /** Graded, its numbers not shown before the first try that passes the visible ones. */
  readonly hidden?: boolean;
  /** One for each parameter, in order. */
  readonly args: readonly Input[];
}

export interface Tolerance {
  /** |actual − expected| ≤ atol + rtol·|expected| */
  readonly rtol: number;
  readonly atol: number;
  /** Why so much. */
  readonly reason: string;
}

/** One replacement in a solution: `find` occurs exactly once. */
export type Edit = readonly [find: string, replace: string];

/** A mistake people make. Its output is computed from the solution with these edits. */
export interface Variant {
  /** Kebab case, unique in the exercise: `no-scale`. */
  readonly id: string;
  /** What to say, second person, one or two sentences: what happened and where to look. */
  readonly message: string;
  readonly python: readonly Edit[];
  readonly javascript?: readonly Edit[];
  readonly cpp?: readonly Edit[];
  /**
   * How it gives itself away. `output` (default): equal to this variant's result on every case and not to
   * the reference's. `error`: raises the same type of error. `cost`: right, but over the bound.
   */
  readonly evidence?: 'output' | 'error' | 'cost';
}

/** Cost as counted by the arrays while the function runs, over growing n. */
export interface CostBound {
  /** At least four lengths. */
  readonly sizes: readonly number[];
  readonly args: (n: number) => readonly Input[];
  /** What grows: `work` = multiply-adds + numbers touched (default), or `RunCounts.largest`. */
  readonly of?: 'work' | 'largest';
  /** Slope of its log over log(n); fails above it. */
  readonly maxSlope: number;
  /** "n·D·d_v multiply-adds": what the linear order needs. */
  readonly wanted: string;
}

/** The figure that the function paints. */
export interface ExerciseFigure {
  readonly knobs: Readonly<
    Record<
      string,
      {
        readonly label: string;
        readonly min: number;
        readonly max: number;
        readonly step?: number;
        readonly value: number;
        /** On or off: 1 or 0. */
        readonly toggle?: true;
      }
    >
  >;
  readonly args: (knobs: Readonly<Record<string, number>>) => readonly Input[];
  /**
   * What of the result is drawn. `matrix`: a heatmap of the array at `path` (indices into tuples, keys
   * of dicts). `curve`: `values` are its x. Where the first call has an array of as many numbers at `path`,
   * that is the curve; else there is one call for each value, given to `args` as the knob `x`.
   */
  readonly draw:
    | {
        readonly kind: 'matrix';
        readonly path?: readonly (number | string)[];
        readonly rows: string;
        readonly cols: string;
        /** Negative values are possible: a diverging scale. */
        readonly signed?: boolean;
      }
    | {
        readonly kind: 'curve';
        readonly path?: readonly (number | string)[];
        /** The name of the axis, or of the knob. */
        readonly x: string;
        readonly values: readonly number[];
        readonly y: string;
        readonly log?: boolean;
      };
  readonly caption: string;
}

/** What a reference may use: the core, and the array engine for plain rearrangements. */
export interface ReferenceTools {
  readonly core: Client;
  readonly arrays: Arrays;
}

export interface Exercise {
  /** Name of the folder, kebab case. */
  readonly id: string;
  /** The folder of its lab, or an id of `web/exercises/groups.ts`. */
  readonly lab: string;
  /** Place in its lab, from 1. */
  readonly order: number;
  readonly title: string;
  /** One sentence for lists. */
  readonly summary: string;
  /**
   * What to write, own words: paragraphs; `code` in back-ticks, TeX between dollars (rendered at build
   * time). No HTML.
   */
  readonly task: readonly string[];
  /** The function's name, snake_case; JavaScript's is derived. */
  readonly entry: string;
  readonly parameters: readonly Parameter[];
  /** One: the value itself. Several: a tuple. */
  readonly results: readonly Parameter[];
  readonly cases: readonly Case[];
  readonly tolerance: Tolerance;
  readonly cost?: CostBound;
  readonly hints: readonly [string, string, string];
  readonly variants: readonly Variant[];
  readonly figure: ExerciseFigure;
  /** Where it comes from. */
  readonly source: { readonly title: string; readonly url?: string; readonly where?: string };
  /** The expected value, from the core. */
  readonly reference: (tools: ReferenceTools, args: readonly Value[]) => Promise<Value>;
}

// ---- A run in the sandbox --------------------------------------------------------------------

export interface RunCase {
  readonly args: readonly Value[];
}

/** What is asked of the sandbox: load this code, call `entry` once for each case. */
export interface RunJob {
  readonly language: 'python' | 'javascript';
  readonly code: string;
  /** In that language's spelling. Empty: only run the file (a script). */
  readonly entry: string;
  readonly cases: readonly RunCase[];
  /** Types of the parameters, so that values arrive as the language has them. */
  readonly parameters: readonly ParameterType[];
  /** Names of functions of `given.*` that the code may call. Always all of them. */
  readonly memoryBytes?: number;
  /** Written by us and known to end well: the next run may go on in the same interpreter. */
  readonly ours?: boolean;
  /** Reads and writes of single entries count too, where that costs time (JavaScript's `data`). */
  readonly countEntries?: boolean;
}

export interface RunError {
  /** Exception type: "ValueError", "TypeError", "SyntaxError", "MemoryError", … */
  readonly type: string;
  /** In plain words. */
  readonly message: string;
  /** The message as data; undefined when it is the student's own, NumPy's or the engine's. */
  readonly said?: Wording;
  /** 1-based line in the student's code, where known. */
  readonly line?: number;
  readonly column?: number;
}

export interface RunCounts {
  /** One for each product that is summed. */
  readonly multiplyAdds: number;
  /** Array entries read and written. */
  readonly touched: number;
  /** Of array memory taken. */
  readonly bytes: number;
  /** Entries of the largest array made, or of all that one list holds; views are not made. */
  readonly largest?: number;
}

export interface CaseOutcome {
  /** Missing where `error` says why. */
  readonly value?: Value;
  readonly error?: RunError;
  /** What it printed, cut at 10 000 characters. */
  readonly prints: string;
  readonly counts: RunCounts;
  readonly milliseconds: number;
}

export interface RunResult {
  /** The code did not load (syntax, lint, an exception at top level): no case was run. */
  readonly loadError?: RunError;
  /** What the top level printed. */
  readonly prints: string;
  /** As far as it came; fewer than asked where time ran out. */
  readonly cases: readonly CaseOutcome[];
  /** Why it did not finish. */
  readonly stopped?: 'time' | 'user' | 'memory' | 'crash' | 'output';
}

// ---- A grade -----------------------------------------------------------------------------------

export interface Mismatch {
  /** Where in a tuple or dict: "[1]", "['mse']"; empty for the value itself. */
  readonly part: string;
  readonly reason: 'shape' | 'type' | 'value' | 'nan' | 'missing';
  readonly message: string;
  /** First index that differs, of an array. */
  readonly index?: readonly number[];
  readonly actual?: Value;
  readonly expected?: Value;
  readonly maxAbsolute?: number;
  readonly maxRelative?: number;
  /** How many entries differ, of how many. */
  readonly wrong?: number;
  readonly of?: number;
}

export interface CaseReport {
  readonly name: string;
  readonly hidden: boolean;
  readonly passed: boolean;
  readonly outcome?: CaseOutcome;
  readonly args: readonly Value[];
  readonly expected: Value;
  readonly mismatch?: Mismatch;
}

export interface CostReport {
  readonly passed: boolean;
  readonly points: readonly {
    readonly n: number;
    readonly work: number;
    readonly counts: RunCounts;
  }[];
  /** Fitted by the core; NaN where the function did not answer. */
  readonly slope: number;
  readonly maxSlope: number;
  readonly message: string;
  /** Why it was not counted to the end, and where: an error of the function, or a stop. */
  readonly unfinished?: {
    readonly n: number;
    readonly error?: string;
    readonly stopped?: RunResult['stopped'];
  };
}

export interface Grade {
  readonly exercise: string;
  readonly language: Language;
  readonly passed: boolean;
  readonly loadError?: RunError;
  readonly prints: string;
  readonly cases: readonly CaseReport[];
  readonly cost?: CostReport;
  /** The mistake that was recognised. */
  readonly variant?: { readonly id: string; readonly message: string };
  readonly stopped?: RunResult['stopped'];
}

/** How code is run: in the page's sandbox, or in Node. */
export type Runner = (
  job: RunJob,
  options?: {
    readonly signal?: AbortSignal;
    readonly onCase?: (done: number) => void;
    /** The first `cases` cases must be done within `seconds`. */
    readonly deadlines?: readonly { readonly cases: number; readonly seconds: number }[];
  },
) => Promise<RunResult>;
