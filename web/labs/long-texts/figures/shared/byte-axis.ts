/** A linear axis of bytes whose ticks are round in the unit that they show. */
import { formatBytes } from '../../../../src/plot/counts.ts';

/**
 * The bytes of the unit in which `most` is written: an axis in this unit has its ticks at 1, 2, 5 … of it, where one in
 * bytes would have them at millions of bytes, such as 4.77 MiB.
 */
export function byteAxis(most: number): {
  readonly per: number;
  readonly formatY: (value: number) => string;
} {
  const per = most < 1024 ? 1 : 1024 ** Math.floor(Math.log2(most) / 10);
  return { per, formatY: (value) => formatBytes(value * per) };
}
