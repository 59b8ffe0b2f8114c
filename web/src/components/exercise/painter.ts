/**
 * What the picture of an exercise shows: the reference and, once there is code, the student's
 * function, both for the newest knobs. While one question is answered the next ones wait, and of
 * those only the last is asked.
 */
import type { Matrix } from '#client';
import { drawsOf, entryOf } from '../../exercises/judge/grade.ts';
import { makeArgs } from '../../exercises/judge/inputs.ts';
import type { RunnableLanguage, Sandbox } from '../../exercises/sandbox/types.ts';
import type {
  ArrayValue,
  CaseReport,
  Exercise,
  ExerciseFigure,
  Value,
} from '../../exercises/types';
import { isArray, isDict } from '../../exercises/value-kinds.ts';
import { exercises } from '../../strings/exercises.ts';
import { problemText } from '../../strings/problem.ts';
import { runErrorText } from '../../strings/run-errors.ts';
import type { Tools } from './tools.ts';

export type Knobs = Readonly<Record<string, number>>;

/** One line of a curve: a value for each x; NaN where there is none. */
export interface Line {
  readonly name: string;
  readonly y: readonly number[];
}
export type Drawn =
  | { readonly kind: 'matrix'; readonly matrix: Matrix }
  | { readonly kind: 'curve'; readonly lines: readonly Line[] }
  | { readonly kind: 'drawing'; readonly value: Value };

/** Why there is no new picture of the student's function. */
export type Trouble =
  | { readonly kind: 'slow' }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'shape'; readonly actual: string; readonly wanted: string }
  /** The function returned one value where a tuple of this many is wanted. */
  | { readonly kind: 'parts'; readonly wanted: number };

export interface Picture {
  readonly knobs: Knobs;
  /** The code that painted `yours`, or tried to. */
  readonly written?: Written | undefined;
  readonly reference: Drawn;
  readonly yours?: Drawn;
  readonly trouble?: Trouble;
  /** The name of the test whose inputs these are, in place of the knobs'. */
  readonly test?: string;
}

/** Code that ran. */
export interface Written {
  readonly language: RunnableLanguage;
  readonly code: string;
}

/** The value of every knob of a figure. A link may hold any number, so each value is put within its knob's bounds. */
export const settledKnobs = ({ knobs }: ExerciseFigure, wanted: Knobs): Knobs =>
  Object.fromEntries(
    Object.entries(knobs).map(([name, { min, max, step = 1, value }]) => {
      const asked = Math.min(max, Math.max(min, wanted[name] ?? value));
      const stepped = min + step * Math.round((asked - min) / step);
      return [name, Number(Math.min(max, stepped).toPrecision(12))];
    }),
  );

export class Painter {
  private loaded: Written | undefined;
  private wanted: { knobs: Knobs; written: Written | undefined } | undefined;
  private working = false;
  private ended = false;

  constructor(
    private readonly exercise: Exercise,
    private readonly tools: () => Promise<Tools>,
    private readonly sandbox: () => Sandbox,
    private readonly show: (picture: Picture) => void,
    private readonly fail: (why: string) => void,
  ) {}

  ask(knobs: Knobs, written: Written | undefined): void {
    this.wanted = { knobs, written };
    if (!this.working) void this.work();
  }

  /** The sandbox ran other code meanwhile, so this code is loaded again. */
  forget(): void {
    this.loaded = undefined;
  }

  end(): void {
    this.ended = true;
    this.wanted = undefined;
  }

  private async work(): Promise<void> {
    this.working = true;
    while (this.wanted && !this.ended) {
      const { knobs, written } = this.wanted;
      this.wanted = undefined;
      try {
        const picture = await this.paint(knobs, written);
        if (picture && !this.ended) this.show({ ...picture, written });
      } catch (error) {
        const why = await problemText(error);
        if (!this.ended) this.fail(why);
      }
    }
    this.working = false;
  }

  private async paint(knobs: Knobs, written: Written | undefined): Promise<Picture | undefined> {
    const { exercise } = this;
    const tools = await this.tools();
    const calls = callsOf(exercise, knobs).map((inputs) => makeArgs(inputs, tools.random));
    const reference = this.reference(calls, tools);
    const yours = written ? this.yours(calls, written) : undefined;
    // Both requests are already running: when one fails, the other's failure must still be handled.
    const [expected, mine] = await Promise.all([reference, yours]);
    const wanted = drawnOf(exercise, expected);
    if (!wanted) throw new Error('its result cannot be drawn');
    if (!mine) return { knobs, reference: wanted };
    if ('trouble' in mine) return { knobs, reference: wanted, trouble: mine.trouble };
    const { results, figure } = exercise;
    const ofTuple = results.length > 1 && typeof pathOf(figure)?.[0] === 'number';
    if (ofTuple && mine.values.some((value) => !Array.isArray(value))) {
      const trouble: Trouble = { kind: 'parts', wanted: results.length };
      return { knobs, reference: wanted, trouble };
    }
    const drawn = ordered(drawnOf(exercise, mine.values), wanted);
    const [actual, wish] = [shapeOf(drawn), shapeOf(wanted)];
    if (!drawn || actual !== wish) {
      return {
        ...{ knobs, reference: wanted },
        trouble: { kind: 'shape', actual, wanted: wish },
      };
    }
    return { knobs, reference: wanted, yours: drawn };
  }

  private async reference(
    calls: readonly (readonly Value[])[],
    tools: Tools,
  ): Promise<readonly Value[]> {
    const values: Value[] = [];
    for (const args of calls) {
      values.push(await this.exercise.reference(tools, args));
      // A curve asks once for each of its points; the newest question goes first.
      if (isOneCall(this.exercise, values)) break;
    }
    return values;
  }

  private async yours(
    calls: readonly (readonly Value[])[],
    written: Written,
  ): Promise<{ readonly values: readonly Value[] } | { readonly trouble: Trouble }> {
    const { exercise } = this;
    const sandbox = this.sandbox();
    const error = (message: string) => ({ trouble: { kind: 'error', message } }) as const;
    if (this.loaded?.code !== written.code || this.loaded.language !== written.language) {
      this.loaded = undefined;
      const { language, code } = written;
      const { loadError } = await sandbox.load({
        ...{ language, code },
        entry: entryOf(exercise, written.language),
        parameters: exercise.parameters.map(({ type }) => type),
        ...drawsOf(exercise),
      });
      if (loadError) return error(`${loadError.type}: ${runErrorText(loadError)}`);
      this.loaded = written;
    }
    const values: Value[] = [];
    for (const args of calls) {
      const outcome = await sandbox.call(args);
      if (!outcome) return { trouble: { kind: 'slow' } };
      if (outcome.error?.type === 'TimeLimit') return { trouble: { kind: 'slow' } };
      if (outcome.error) {
        const { type, line } = outcome.error;
        const at = line ? `, ${exercises.report.line(line)}` : '';
        return error(`${type}${at}: ${runErrorText(outcome.error)}`);
      }
      values.push(outcome.value ?? null);
      if (isOneCall(exercise, values)) break;
    }
    return { values };
  }
}

/** What a test expected and what it got, as a picture; undefined where that cannot be drawn. */
export function pictureOfTest(
  exercise: Exercise,
  { name, expected, outcome }: CaseReport,
  knobs: Knobs,
  written: Written | undefined,
): Picture | undefined {
  // A curve wants many calls, and a test is one.
  if (exercise.figure.draw.kind === 'curve' || outcome?.value === undefined) return undefined;
  const [reference, yours] = [expected, outcome.value].map((one) => drawnOf(exercise, [one]));
  if (!reference || !yours || shapeOf(reference) !== shapeOf(yours)) return undefined;
  return { knobs, written, reference, yours, test: name };
}

const pathOf = ({ draw }: ExerciseFigure) => (draw.kind === 'drawing' ? undefined : draw.path);

/** A matrix or a drawing takes one call; a curve takes one call for each x, with x as the value of its knob. */
function callsOf({ figure }: Exercise, knobs: Knobs) {
  const { draw } = figure;
  if (draw.kind !== 'curve') return [figure.args(knobs)];
  return draw.values.map((x) => figure.args({ ...knobs, [draw.x]: x }));
}

/** The first call has answered with the whole curve. */
function isOneCall({ figure: { draw } }: Exercise, values: readonly Value[]): boolean {
  if (draw.kind !== 'curve') return true;
  if (values.length !== 1) return false;
  const value = at(values[0], draw.path);
  return isArray(value) && value.data.length === draw.values.length;
}

/** One of an array's parts along its first axis. */
function sliceOf({ shape, data, dtype }: ArrayValue, index: number): ArrayValue | undefined {
  const [count = 0, ...rest] = shape;
  if (rest.length === 0 || !(index >= 0 && index < count)) return undefined;
  const size = data.length / count;
  return {
    ...{ kind: 'array', dtype, shape: rest },
    data: data.subarray(index * size, (index + 1) * size),
  };
}

/** A part of a tuple, a dict or a stack. */
export function at(value: Value | undefined, path: readonly (number | string)[] = []) {
  let part = value;
  for (const step of path) {
    if (typeof part !== 'object' || part === null) return undefined;
    if (Array.isArray(part)) part = (part as readonly Value[])[Number(step)];
    else if (isDict(part)) part = part.entries[step];
    else if (isArray(part)) part = sliceOf(part, Number(step));
    else return undefined;
  }
  return part;
}

function drawnOf(exercise: Exercise, values: readonly Value[]): Drawn | undefined {
  const { draw } = exercise.figure;
  if (draw.kind === 'drawing') {
    const [value] = values;
    return value === undefined ? undefined : { kind: 'drawing', value };
  }
  const parts = values.map((value) => at(value, draw.path));
  if (draw.kind === 'matrix') {
    const matrix = asMatrix(parts[0]);
    return matrix && { kind: 'matrix', matrix };
  }
  if (isOneCall(exercise, values)) {
    const [part] = parts;
    return isArray(part)
      ? { kind: 'curve', lines: [{ name: draw.y, y: [...part.data] }] }
      : undefined;
  }
  const points = parts.map((part) => numbersOf(part, exercise));
  const [first] = points;
  if (!first || points.length !== draw.values.length) return undefined;
  const lines = Object.keys(first).map((name) => ({
    name: name || draw.y,
    y: points.map((point) => point?.[name] ?? Number.NaN),
  }));
  return lines.length > 0 ? { kind: 'curve', lines } : undefined;
}

/** Only the reference's lines, in the reference's order: a dict has no order of its own, and its other entries were not asked for. */
function ordered(drawn: Drawn | undefined, wanted: Drawn): Drawn | undefined {
  if (drawn?.kind !== 'curve' || wanted.kind !== 'curve') return drawn;
  const lines = wanted.lines.flatMap(
    ({ name }) => drawn.lines.find((one) => one.name === name) ?? [],
  );
  return lines.length === wanted.lines.length ? { kind: 'curve', lines } : drawn;
}

/** One number without a name, or the numbers of a tuple or dict by their names. */
function numbersOf(
  value: Value | undefined,
  { results }: Exercise,
): Readonly<Record<string, number>> | undefined {
  const single = numberOf(value);
  if (single !== undefined) return { '': single };
  const named: Record<string, number> = {};
  // An array of two numbers counts as a tuple of two, as it does for the judge.
  const tuple = isArray(value) && value.shape.length === 1 ? [...value.data] : value;
  const entries = Array.isArray(tuple)
    ? tuple.map((part: Value, i) => [results[i]?.name ?? String(i), part] as const)
    : isDict(tuple)
      ? Object.entries(tuple.entries)
      : [];
  for (const [name, part] of entries) {
    const number = numberOf(part);
    if (number !== undefined) named[name] = number;
  }
  return Object.keys(named).length > 0 ? named : undefined;
}

function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (isArray(value) && value.data.length === 1) return value.data[0];
  return undefined;
}

/** The matrices of a stack are put one below the other; a list of rows counts as a matrix. */
export function asMatrix(value: Value | undefined): Matrix | undefined {
  if (typeof value === 'number') return { rows: 1, cols: 1, data: Float32Array.of(value) };
  if (isArray(value) && value.data.length > 0) {
    const cols = value.shape.at(-1) ?? 1;
    return { rows: value.data.length / cols, cols, data: Float32Array.from(value.data) };
  }
  if (!Array.isArray(value)) return undefined;
  if (value.length > 0 && value.every((part) => typeof part === 'number')) {
    return { rows: 1, cols: value.length, data: Float32Array.from(value as readonly number[]) };
  }
  const parts = value.map((part: Value) => asMatrix(part));
  const cols = parts[0]?.cols;
  if (cols === undefined || parts.some((part) => part?.cols !== cols)) return undefined;
  const data = parts.flatMap((part) => [...(part?.data ?? [])]);
  return { rows: data.length / cols, cols, data: Float32Array.from(data) };
}

/** The shape in words, such as "4×8"; for curves, the number of lines. */
function shapeOf(drawn: Drawn | undefined): string {
  if (!drawn || drawn.kind === 'drawing') return '';
  return drawn.kind === 'matrix'
    ? `${drawn.matrix.rows}×${drawn.matrix.cols}`
    : drawn.lines.map(({ name }) => name).join(', ');
}
