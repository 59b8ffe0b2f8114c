/** Cost is counted while the function runs, over growing n; the clock is never asked. */

import type { FullClient } from '#client/full';
import type { CostBound, CostReport, RunCounts, RunResult } from '../types';

export const workOf = ({ multiplyAdds, touched }: RunCounts): number => multiplyAdds + touched;

/** "n²", "n", "n^1.5": the power that people would name. */
export function powerOf(slope: number): string {
  const near = Math.round(slope);
  if (Math.abs(slope - near) > 0.2) return `n^${slope.toFixed(1)}`;
  return ['a constant number of', 'n', 'n²', 'n³', 'n⁴'][near] ?? `n^${near}`;
}

/** What a run over `cost.sizes` says. */
export async function judgeCost(
  { sizes, maxSlope, wanted }: CostBound,
  { cases, stopped }: RunResult,
  core: Pick<FullClient, 'fitSlope'>,
): Promise<CostReport> {
  const points: CostReport['points'] = cases
    .slice(0, sizes.length)
    .filter(({ error }) => !error)
    .map(({ counts }, at) => ({ n: sizes[at] as number, work: workOf(counts), counts }));
  const refused = (message: string): CostReport => ({
    passed: false,
    points,
    slope: Number.NaN,
    maxSlope,
    message,
  });
  const failed = cases.findIndex(({ error }) => error);
  if (failed >= 0) {
    return refused(
      `For n = ${sizes[failed]} your function stopped: ${cases[failed]?.error?.message}`,
    );
  }
  if (points.length < sizes.length) {
    const n = sizes[points.length];
    const why = {
      time: 'there was no answer in time',
      memory: 'the memory of a run was used up',
      user: 'the run was stopped',
      crash: 'the worker ended',
    }[stopped ?? 'crash'];
    return refused(`For n = ${n} ${why}, so the work could not be counted to the end.`);
  }
  if (points.some(({ work }) => work === 0)) {
    return refused(
      'No work was counted: your function has to compute with the arrays it is given.',
    );
  }
  const { slope } = await core.fitSlope({
    x: points.map(({ n }) => n),
    y: points.map(({ work }) => work),
  });
  const passed = slope <= maxSlope;
  const largest = points.at(-1);
  const message = passed
    ? `Your function's work grows as ${powerOf(slope)} (fitted slope ${slope.toFixed(2)}; at most ${maxSlope} is allowed).`
    : `Your function touched about ${powerOf(slope)} numbers (${largest?.work.toLocaleString('en')} multiply-adds, reads and writes for n = ${largest?.n}; fitted slope ${slope.toFixed(2)}); ${wanted} is what it needs.`;
  return { passed, points, slope, maxSlope, message };
}
