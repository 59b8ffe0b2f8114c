/**
 * Judges cost. The arrays count their work while the function runs with growing n; no time is measured, because times
 * vary between machines.
 */

import type { Client } from '#client';
import { inGroups } from '../../plot/counts.ts';
import type {
  CaseOutcome,
  CostBound,
  CostReport,
  Mismatch,
  RunCounts,
  RunResult,
  Value,
} from '../types';
import { isArray } from '../value-kinds';

export const workOf = ({ multiplyAdds, touched }: RunCounts): number => multiplyAdds + touched;

/** The power of n nearest to a slope, as people write it: "n²", "n" or "n^1.5". */
export function powerOf(slope: number): string {
  const near = Math.round(slope);
  if (Math.abs(slope - near) > 0.2) return `n^${slope.toFixed(1)}`;
  return ['1', 'n', 'n²', 'n³', 'n⁴'][near] ?? `n^${near}`;
}

/**
 * The slope of the longest lengths alone may exceed the bound by so much. A way that is cheap for short inputs and
 * grows as n² for long ones can have a small slope over all lengths. A right one may take a step within three lengths,
 * as a Fourier transform does at a power of two: where they double, its slope there is up to 1.73 while 1.5 is allowed.
 */
const LATE_SLACK = 0.25;

/** One length at which it was counted. */
export interface Counted {
  readonly n: number;
  readonly args: readonly Value[];
  /** What is wrong with the value that was returned there. */
  readonly mismatch?: (outcome: CaseOutcome) => Mismatch | undefined;
}

/** Numbers in the arguments: what a function that answers has to have looked at. */
const numbersIn = (args: readonly Value[]): number =>
  args.reduce<number>((sum, arg) => sum + (isArray(arg) ? arg.data.length : 0), 0);

/** What a run over drawn lengths says. */
export async function judgeCost(
  { maxSlope, wanted, most, of = 'work' }: Omit<CostBound, 'sizes' | 'args'>,
  counted: readonly Counted[],
  { cases, stopped, loadError }: RunResult,
  core: Pick<Client, 'fitSlope'>,
): Promise<CostReport> {
  const sizes = counted.map(({ n }) => n);
  const points: CostReport['points'] = cases
    .slice(0, sizes.length)
    .filter(({ error }) => !error)
    .map(({ counts }, at) => ({
      n: sizes[at] as number,
      work: of === 'work' ? workOf(counts) : (counts.largest ?? 0),
      counts,
    }));
  const slopeOf = async (some: CostReport['points']): Promise<number> => {
    const { slope } = await core.fitSlope({
      x: some.map(({ n }) => n),
      y: some.map(({ work }) => work),
    });
    return slope;
  };
  /**
   * Reports a run that did not reach the end. The report has the slope of the points so far if there are enough of
   * them.
   */
  const refused = async (
    message: string,
    why: Pick<CostReport, 'unfinished' | 'wrong' | 'tooMuch' | 'tooLittle'> = {},
  ): Promise<CostReport> => {
    const enough = points.length >= 3 && points.every(({ work }) => work > 0);
    const slope = enough ? await slopeOf(points) : Number.NaN;
    const until = enough ? ` Until there the fitted slope is ${slope.toFixed(2)}.` : '';
    return {
      ...{ passed: false, points, slope, maxSlope, message: `${message}${until}` },
      ...why,
    };
  };
  if (loadError) {
    const [n = 0] = sizes;
    const error = loadError.message;
    return refused(`The work could not be counted: ${error}`, { unfinished: { n, error } });
  }
  const failed = cases.findIndex(({ error }) => error);
  if (failed >= 0) {
    const n = sizes[failed] as number;
    const error = cases[failed]?.error?.message ?? '';
    return refused(`For n = ${n} your function stopped: ${error}`, { unfinished: { n, error } });
  }
  if (points.length < sizes.length) {
    const n = sizes[points.length] as number;
    const why = {
      time: 'there was no answer in time',
      memory: 'the memory of a run was used up',
      user: 'the run was stopped',
      crash: 'the browser ended the run',
      output: 'too much was printed',
    }[stopped ?? 'crash'];
    return refused(`For n = ${n} ${why}, so the work could not be counted to the end.`, {
      unfinished: { n, ...(stopped && { stopped }) },
    });
  }
  for (const [at, { n, mismatch: judge }] of counted.entries()) {
    const mismatch = judge?.(cases[at] as CaseOutcome);
    if (mismatch) {
      return refused(`For n = ${n}, where the work is counted: ${mismatch.message}.`, {
        wrong: { n, mismatch },
      });
    }
  }
  if (points.some(({ work }) => work === 0)) {
    return refused(
      'No work was counted: your function has to compute with the arrays it is given.',
    );
  }
  for (const [at, { n, work }] of points.entries()) {
    const least = of === 'work' ? numbersIn(counted[at]?.args ?? []) : 0;
    if (work < least) {
      return refused(
        `For n = ${n} only ${work} steps were counted, but the inputs have ${least} numbers: your function has to compute with the arrays it is given.`,
        { tooLittle: { n, work, least } },
      );
    }
  }
  const late = await slopeOf(points.slice(-3));
  const slope = late > maxSlope + LATE_SLACK ? late : await slopeOf(points);
  const passed = slope <= maxSlope;
  const last = points.at(-1);
  const fitted = `fitted slope ${slope.toFixed(2)}`;
  const power = powerOf(slope);
  const told = (count: number): string => inGroups(Math.round(count), ',');
  const largest = last && told(last.work);
  const over = points.find(({ n, work }) => work > most(n));
  if (passed && over) {
    const { n, work } = over;
    const what = of === 'work' ? 'Your function took' : 'The largest array or list you made has';
    const unit = of === 'work' ? 'steps' : 'entries';
    const message = `${what} ${told(work)} ${unit} for n = ${n}; ${wanted} is what it needs, and no way of writing that takes more than ${told(most(n))}.`;
    const tooMuch = { n, work, most: most(n) };
    return { passed: false, points, slope, maxSlope, message, tooMuch };
  }
  if (passed) {
    const what = of === 'work' ? 'The work of your function' : 'The largest array or list you made';
    const message = `${what} grows as ${power} (${fitted}; at most ${maxSlope} is allowed).`;
    return { passed, points, slope, maxSlope, message };
  }
  const message =
    of === 'work'
      ? `Your function touched about ${power} numbers (${largest} multiply-adds, reads and writes for n = ${last?.n}; ${fitted}); ${wanted} is what it needs.`
      : `The largest array or list you made has about ${power} entries (${largest} for n = ${last?.n}; ${fitted}); ${wanted} is what it needs.`;
  return { passed, points, slope, maxSlope, message };
}
