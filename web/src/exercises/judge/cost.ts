/**
 * Judges cost. The arrays count their work while the function runs with growing n; no time is measured, because times
 * vary between machines.
 */

import type { Client } from '#client';
import type { CostBound, CostReport, RunCounts, RunResult } from '../types';

export const workOf = ({ multiplyAdds, touched }: RunCounts): number => multiplyAdds + touched;

/** The power of n nearest to a slope, as people write it: "n²", "n" or "n^1.5". */
export function powerOf(slope: number): string {
  const near = Math.round(slope);
  if (Math.abs(slope - near) > 0.2) return `n^${slope.toFixed(1)}`;
  return ['1', 'n', 'n²', 'n³', 'n⁴'][near] ?? `n^${near}`;
}

/** Judges a run over the lengths in `cost.sizes`. */
export async function judgeCost(
  { sizes, maxSlope, wanted, of = 'work' }: CostBound,
  { cases, stopped }: RunResult,
  core: Pick<Client, 'fitSlope'>,
): Promise<CostReport> {
  const points: CostReport['points'] = cases
    .slice(0, sizes.length)
    .filter(({ error }) => !error)
    .map(({ counts }, at) => ({
      n: sizes[at] as number,
      work: of === 'work' ? workOf(counts) : (counts.largest ?? 0),
      counts,
    }));
  const slopeOfPoints = async (): Promise<number> => {
    const { slope } = await core.fitSlope({
      x: points.map(({ n }) => n),
      y: points.map(({ work }) => work),
    });
    return slope;
  };
  /**
   * Reports a run that did not reach the end. The report has the slope of the points so far if there are enough of
   * them.
   */
  const refused = async (
    message: string,
    unfinished?: CostReport['unfinished'],
  ): Promise<CostReport> => {
    const enough = points.length >= 3 && points.every(({ work }) => work > 0);
    const slope = enough ? await slopeOfPoints() : Number.NaN;
    const until = enough ? ` Until there the fitted slope is ${slope.toFixed(2)}.` : '';
    return {
      ...{ passed: false, points, slope, maxSlope, message: `${message}${until}` },
      ...(unfinished && { unfinished }),
    };
  };
  const failed = cases.findIndex(({ error }) => error);
  if (failed >= 0) {
    const n = sizes[failed] as number;
    const error = cases[failed]?.error?.message ?? '';
    return refused(`For n = ${n} your function stopped: ${error}`, { n, error });
  }
  if (points.length < sizes.length) {
    const n = sizes[points.length] as number;
    const why = {
      time: 'there was no answer in time',
      memory: 'the memory of a run was used up',
      user: 'the run was stopped',
      crash: 'the worker ended',
      output: 'too much was printed',
    }[stopped ?? 'crash'];
    return refused(`For n = ${n} ${why}, so the work could not be counted to the end.`, {
      n,
      ...(stopped && { stopped }),
    });
  }
  if (points.some(({ work }) => work === 0)) {
    return refused(
      'No work was counted: your function has to compute with the arrays it is given.',
    );
  }
  const slope = await slopeOfPoints();
  const passed = slope <= maxSlope;
  const last = points.at(-1);
  const fitted = `fitted slope ${slope.toFixed(2)}`;
  const power = powerOf(slope);
  const most = last?.work.toLocaleString('en');
  if (passed) {
    const what = of === 'work' ? 'The work of your function' : 'The largest array or list you made';
    const message = `${what} grows as ${power} (${fitted}; at most ${maxSlope} is allowed).`;
    return { passed, points, slope, maxSlope, message };
  }
  const message =
    of === 'work'
      ? `Your function touched about ${power} numbers (${most} multiply-adds, reads and writes for n = ${last?.n}; ${fitted}); ${wanted} is what it needs.`
      : `The largest array or list you made has about ${power} entries (${most} for n = ${last?.n}; ${fitted}); ${wanted} is what it needs.`;
  return { passed, points, slope, maxSlope, message };
}
