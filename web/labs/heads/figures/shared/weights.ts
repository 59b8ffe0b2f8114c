import type { ColorScale } from '../../../../src/plot/color.ts';

/** Weights of attention, from none to all. The square root shows small ones too. */
export const weightScale: ColorScale = {
  kind: 'sequential',
  low: 0,
  high: 1,
  tone: 'sqrt',
  overLow: false,
  overHigh: false,
};
