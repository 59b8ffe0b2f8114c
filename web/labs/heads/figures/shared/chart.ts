/** What the charts of this lab have in common. */
import type { AttnLineChart } from '../../../../src/components/line-chart/line-chart.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { formatNumber } from '../../../../src/plot/format.ts';

export const colorAt = (i: number, dark: boolean): string => {
  const colors = seriesColors[dark ? 'dark' : 'light'];
  return colors[i % colors.length] ?? '';
};

export const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

/** The chart of a figure as a picture for a file. */
export const chartSvg = (figure: HTMLElement, caption: string, heading: string): string =>
  figure.querySelector<AttnLineChart>('attn-line-chart')?.svg(caption, heading) ?? '';

/** A curve that was drawn or computed, as heights: `curveText` of answer-scoring.ts writes it so. */
export const heightsOf = (answer: Question['guess']): readonly number[] =>
  typeof answer === 'string' ? answer.split(/[ ,;]+/).map(Number) : [];
