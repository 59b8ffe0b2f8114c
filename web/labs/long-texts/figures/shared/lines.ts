/** Lines of the charts of this lab: their colours, and what was there before a try. */
import type { Series } from '../../../../src/plot/chart.ts';
import { seriesColors } from '../../../../src/plot/chart-colors.ts';
import { lookOf, nameOf } from '../../../../src/plot/names.ts';

export const colorAt = (index: number, dark: boolean): string =>
  seriesColors[dark ? 'dark' : 'light'][index] ?? '';

/** A line that was there before a try. */
export const lineBefore = (id: string, points: Series['points'], dark: boolean): Series => ({
  ...lookOf('ghost', dark),
  ...{ id: `${id}-before`, label: nameOf('ghost'), model: true, unnamed: true, points },
});
