/**
 * The types of an exercise, and of what the page, the judge and the sandbox exchange. A student's function runs in
 * the sandbox. A specification (`web/exercises/<id>/exercise.ts`) is written once, and Python, JavaScript and C++ are
 * graded from it.
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
/** What a student's function takes and returns. A tuple or a list is an array of values. */
export type Value =
  | ArrayValue
  | DictValue
  | GivenValue
  | number
  | boolean
  | string
  | null
  | readonly Value[];

/**
 * Options of arrays that a generator makes. Every entry is rounded to float32, so that the core computes with the
 * same numbers.
 */
interface Made {
  readonly shape: readonly number[];
  readonly dtype?: Dtype;
  /** Entries that are replaced afterwards, as [flat index, value]. NaN and infinities are allowed. */
  readonly set?: readonly (readonly [number, number])[];
}
export type Input =
  /** scale·randn + shift, from NumPy's `RandomState(seed)`. The defaults of scale and shift are 1 and 0. */
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
  /** The numbers start, start + step, … in row-major order. */
  | (Made & { readonly make: 'range'; readonly start?: number; readonly step?: number })
  | (Made & { readonly make: 'values'; readonly data: readonly number[] })
  /** A mask: 1 may be seen, 0 is blocked. `random` keeps each cell with probability `keep` (0.6 by default). */
  | (Made & {
      readonly make: 'mask';
      readonly of: 'causal' | 'reverse' | 'random';
      readonly seed?: number;
      readonly keep?: number;
      /** The rows in which nothing may be seen. */
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
  /** An array of rank 3: a stack of heads. JavaScript receives a list of matrices. */
  | 'stack'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'text'
  /** A list of numbers. */
  | 'numbers'
  /** A list of texts. */
  | 'texts'
  /** A feature map x ↦ φ(x), which takes and returns rows. */
  | 'feature_map'
  /** Named numbers; only results have this type. */
  | 'dict'
  /** Not what the function returns but what it draws, with matplotlib; the only result then, and in Python only. */
  | 'drawing';

/** One parameter or one result. */
export interface Parameter {
  /** The snake_case name of the course texts. JavaScript's name is derived from it: `d_model` becomes `dModel`. */
  readonly name: string;
  readonly type: ParameterType;
  /** The shape of an array, such as "n×d_k". */
  readonly shape?: string;
  /** What the parameter is, in one phrase. */
  readonly what: string;
  /** The value when the argument is left out. A mask that may be None has `null`. */
  readonly default?: number | boolean | string | null;
}

export interface Case {
  /** What the case tries, in a few words: "two tokens, by hand", "logits of 1000". */
  readonly name: string;
  /** True for a case that is graded, but whose numbers are not shown until the visible cases pass. */
  readonly hidden?: boolean;
  /** The arguments, one for each parameter, in order. */
  readonly args: readonly Input[];
}

/** What the inputs of a drawn case are made of: different in every run, the same for the same seed. */
export interface Draw {
  /** A whole number, both bounds included. */
  integer(low: number, high: number): number;
  real(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** For `make: 'normal'` and the like. */
  seed(): number;
}

export interface Tolerance {
  /** |actual − expected| ≤ atol + rtol·|expected| */
  readonly rtol: number;
  readonly atol: number;
  /** Why the tolerance has to be this large. */
  readonly reason: string;
}

/** One replacement in a solution. `find` must occur exactly once. */
export type Edit = readonly [find: string, replace: string];

/** A mistake that people make. Its output is computed from the solution with these edits. */
export interface Variant {
  /** A kebab-case id that is unique in the exercise, such as `no-scale`. */
  readonly id: string;
  /** The message to the student, in the second person and one or two sentences: what happened and where to look. */
  readonly message: string;
  readonly python: readonly Edit[];
  readonly javascript?: readonly Edit[];
  readonly cpp?: readonly Edit[];
  /**
   * How the mistake is recognised. `output` (default): the results equal this variant's in every case, and not the
   * reference's; at least one drawn case has to show it, because a table of the fixed answers passes all others.
   * `fixed`: the same, where drawn inputs show it with some seeds only or never, such as scores of 1000 that overflow.
   * `error`: the code raises an error of the same type. `cost`: the results are right, but the cost is over the bound.
   */
  readonly evidence?: 'output' | 'fixed' | 'error' | 'cost';
}

/** A bound on the cost, which the arrays count while the function runs with growing n. */
export interface CostBound {
  /** At least four lengths; each run counts at lengths that it draws from there up. */
  readonly sizes: readonly number[];
  /** Widths are drawn too, so that the cheap way cannot be kept for the widths of this run. */
  readonly args: (n: number, draw: Draw) => readonly Input[];
  /** What grows: `work` = multiply-adds + numbers touched (default), or `RunCounts.largest`. */
  readonly of?: 'work' | 'largest';
  /** The largest slope of log(cost) over log(n) that passes. */
  readonly maxSlope: number;
  /**
   * What no answer of the wanted order exceeds at length n, however it is written. Without it, waste at
   * small n would make the line of a function flat that is too dear at large n.
   */
  readonly most: (n: number) => number;
  /** "n·D·d_v multiply-adds": what the linear order needs. */
  readonly wanted: string;
}

/** The figure that shows what the function returns. */
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
        /** Set for a switch: 1 is on and 0 is off. */
        readonly toggle?: true;
      }
    >
  >;
  readonly args: (knobs: Readonly<Record<string, number>>) => readonly Input[];
  /**
   * What the figure draws of the result: one of three kinds. `path` leads to a part of it, by indices into tuples and
   * keys of dicts; without it the whole result is meant.
   */
  readonly draw: /** A heatmap of the array at `path`; its axes are called `rows` and `cols`. */
    | {
        readonly kind: 'matrix';
        readonly path?: readonly (number | string)[];
        readonly rows: string;
        readonly cols: string;
        /** Whether values can be negative, which asks for a diverging colour scale. */
        readonly signed?: boolean;
      }
    /**
     * A line over `values`, the positions on the x axis. If the first call returns an array of as many numbers at
     * `path`, that array is the line. Otherwise the function is called once for each value, which `args` receives as
     * the knob that `x` names.
     */
    | {
        readonly kind: 'curve';
        readonly path?: readonly (number | string)[];
        /** The name of the axis or of the knob. */
        readonly x: string;
        readonly values: readonly number[];
        readonly y: string;
        readonly log?: boolean;
      }
    /** What the function draws, as it would be on paper: the pictures, their labels and their titles. */
    | { readonly kind: 'drawing' };
  readonly caption: string;
}

/** The tools that a reference may use: the core, and the array engine for plain rearrangements. */
export interface ReferenceTools {
  readonly core: Client;
  readonly arrays: Arrays;
}

export interface Exercise {
  /** The name of the exercise's folder, in kebab case. */
  readonly id: string;
  /** The folder of its lab, or an id of `web/exercises/groups.ts`. */
  readonly lab: string;
  /** The place of the exercise in its lab, counted from 1. */
  readonly order: number;
  /** 1: one idea, a few lines. 2: several steps, or a case that is easily forgotten. 3: an algorithm to think through. */
  readonly difficulty: 1 | 2 | 3;
  /** An estimate for a student who has read the lab and knows NumPy; nobody was timed. */
  readonly minutes: number;
  /** The exercises and labs whose result or idea it takes for granted, by their ids. */
  readonly buildsOn: readonly string[];
  readonly title: string;
  /** One sentence that describes the exercise in lists. */
  readonly summary: string;
  /**
   * What to write, as paragraphs in our own words. Code stands in back-ticks and TeX between dollars (rendered by the
   * build). HTML is not allowed.
   */
  readonly task: readonly string[];
  /** The function's name in snake_case; JavaScript's name is derived from it. */
  readonly entry: string;
  readonly parameters: readonly Parameter[];
  /** The results. One result is the value itself; several form a tuple. */
  readonly results: readonly Parameter[];
  readonly cases: readonly Case[];
  /**
   * Arguments of a hidden case, drawn anew in every run on top of `cases`; `nth` counts from 0 to 2. Every
   * set has to be right for every correct answer: no scores that nearly tie, nothing that cancels to 0.
   */
  readonly drawn: (draw: Draw, nth: number) => readonly Input[];
  readonly tolerance: Tolerance;
  readonly cost?: CostBound;
  /** The languages that the exercise can be solved in; all three unless given. */
  readonly languages?: readonly Language[];
  /**
   * The body that the student begins with, where the task is to repair it: its lines, indented as they stand in the
   * function. Without it the body says that nothing is written yet.
   */
  readonly given?: Readonly<Record<Language, string>>;
  readonly hints: readonly [string, string, string];
  readonly variants: readonly Variant[];
  readonly figure: ExerciseFigure;
  /** The source that the exercise is taken from. */
  readonly source: { readonly title: string; readonly url?: string; readonly where?: string };
  /** Computes the expected value with the core. */
  readonly reference: (tools: ReferenceTools, args: readonly Value[]) => Promise<Value>;
}

// ---- A run in the sandbox --------------------------------------------------------------------

export interface RunCase {
  readonly args: readonly Value[];
}

/** A request to the sandbox: load this code, and call `entry` once for each case. */
export interface RunJob {
  readonly language: 'python' | 'javascript';
  readonly code: string;
  /** The function's name as that language spells it. Empty for a script, of which only the top level runs. */
  readonly entry: string;
  readonly cases: readonly RunCase[];
  /** The types of the parameters, so that each value arrives as that language represents it. */
  readonly parameters: readonly ParameterType[];
  /** Names of functions of `given.*` that the code may call. Always all of them. */
  readonly memoryBytes?: number;
  /** True for code that we wrote and that is known to end well; the next run may reuse its interpreter. */
  readonly ours?: boolean;
  /** Whether reads and writes of single entries are counted too. This costs time with JavaScript's `data`. */
  readonly countEntries?: boolean;
  /** Python's lists are measured, which is work of its own: not in a run whose work counts. */
  readonly countLists?: boolean;
  /** The value of a call is what the function drew, not what it returned. Python only. */
  readonly draws?: boolean;
  /** Modules that this script can import besides those of the runtime: their sources by name. Python only. */
  readonly modules?: Readonly<Record<string, string>>;
}

export interface RunError {
  /** The type of the exception: "ValueError", "TypeError", "SyntaxError", "MemoryError", … */
  readonly type: string;
  /** The message in plain words. */
  readonly message: string;
  /** The message as data; undefined when the student's code, NumPy or the engine wrote it. */
  readonly said?: Wording;
  /** The line in the student's code, counted from 1, where it is known. */
  readonly line?: number;
  readonly column?: number;
}

export interface RunCounts {
  /** The number of products that were summed. */
  readonly multiplyAdds: number;
  /** The number of array entries that were read or written. */
  readonly touched: number;
  /** The bytes of array memory that were taken. */
  readonly bytes: number;
  /**
   * The number of entries of the largest array that was made, or of everything that one list holds. A view is not
   * counted, because it makes no array.
   */
  readonly largest?: number;
}

export interface CaseOutcome {
  /** The result; missing where `error` says why. */
  readonly value?: Value;
  readonly error?: RunError;
  /** The printed text, cut at 10 000 characters. */
  readonly prints: string;
  readonly counts: RunCounts;
  readonly milliseconds: number;
}

export interface RunResult {
  /** Why the code did not load (syntax, lint, or an exception at top level). No case was run then. */
  readonly loadError?: RunError;
  /** The text that the top level printed. */
  readonly prints: string;
  /** What the top level drew; missing where it drew nothing. */
  readonly drawings?: Value;
  /** The functions of the module `exercise` that a script took, in that order (python/exercise-parts.ts). */
  readonly taken?: readonly string[];
  /** The outcomes so far; fewer than were asked for where the run was stopped. */
  readonly cases: readonly CaseOutcome[];
  /** Why the run did not finish. */
  readonly stopped?: 'time' | 'user' | 'memory' | 'crash' | 'output';
}

// ---- A grade -----------------------------------------------------------------------------------

export interface Mismatch {
  /** The place in a tuple or dict, such as "[1]" or "['mse']"; empty for the value itself. */
  readonly part: string;
  readonly reason: 'shape' | 'type' | 'value' | 'nan' | 'missing';
  readonly message: string;
  /** The index of the first entry of an array that differs. */
  readonly index?: readonly number[];
  readonly actual?: Value;
  readonly expected?: Value;
  /** The largest errors of the entries that differ, as far as they have a size. */
  readonly maxAbsolute?: number;
  readonly maxRelative?: number;
  /** Whether an entry that differs is not finite where a finite number is wanted, or the other way round. */
  readonly unbounded?: boolean;
  /** The number of entries that differ, and the number of all entries. */
  readonly wrong?: number;
  readonly of?: number;
}

export interface CaseReport {
  readonly name: string;
  readonly hidden: boolean;
  /** Its place among the drawn cases, from 1; missing where the inputs are fixed. */
  readonly drawn?: number;
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
  /** The slope that the core fitted; NaN where the function did not answer. */
  readonly slope: number;
  readonly maxSlope: number;
  readonly message: string;
  /** Why counting did not reach the end, and at which length: an error of the function, or a stop. */
  readonly unfinished?: {
    readonly n: number;
    readonly error?: string;
    readonly stopped?: RunResult['stopped'];
  };
  /** The value that it returned while it was counted is not the expected one. */
  readonly wrong?: { readonly n: number; readonly mismatch: Mismatch };
  /** More than `CostBound.most` at that length, whatever the slope. */
  readonly tooMuch?: { readonly n: number; readonly work: number; readonly most: number };
  /** Fewer steps than the inputs have numbers: the function cannot have looked at them. */
  readonly tooLittle?: { readonly n: number; readonly work: number; readonly least: number };
}

/** The names of a function's parameters, where their order is not that of the task. */
export interface ArgumentOrder {
  readonly wanted: readonly string[];
  readonly written: readonly string[];
}

export interface Grade {
  readonly exercise: string;
  readonly language: Language;
  readonly passed: boolean;
  /** What the drawn cases were drawn from: the same seed gives the same inputs. */
  readonly seed: number;
  readonly loadError?: RunError;
  readonly prints: string;
  readonly cases: readonly CaseReport[];
  readonly cost?: CostReport;
  /** The mistake that was recognised. */
  readonly variant?: { readonly id: string; readonly message: string };
  /** Set where the mistake is the order of the arguments, which any exercise can have. */
  readonly order?: ArgumentOrder;
  readonly stopped?: RunResult['stopped'];
}

/** The function that runs code, in the page's sandbox or in Node. */
export type Runner = (
  job: RunJob,
  options?: {
    readonly signal?: AbortSignal;
    readonly onCase?: (done: number) => void;
    /** Deadlines: the first `cases` cases must be finished within `seconds`. */
    readonly deadlines?: readonly { readonly cases: number; readonly seconds: number }[];
  },
) => Promise<RunResult>;
