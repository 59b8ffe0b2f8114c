import { formatTick } from '../../../src/plot/format.ts';

/** A share in percent, with one digit below 10. */
export const percent = (share: number): string => {
  const digits = share < 0.1 ? 10 : 1;
  return `${formatTick(Math.round(100 * digits * share) / digits)}\u00a0%`;
};
