/** Where memory ends: found by asking the core, which knows what a matrix takes. */
import type { TrickClient } from '#client/trick';
import type { Ask } from '../../../src/lab/types.ts';

/** The longest sequence there is an answer for. */
export const LONGEST = 2 ** 20;

/** The most tokens whose n×n scores, and nothing else, fit into so many bytes. */
export async function longestFitting(
  client: Pick<TrickClient, 'orderCosts'>,
  bytes: number,
  { signal }: Pick<Ask, 'signal'>,
): Promise<number> {
  let [fits, tooLong] = [0, LONGEST + 1];
  while (tooLong - fits > 1) {
    const n = Math.floor((fits + tooLong) / 2);
    const { standard } = await client.orderCosts({ n, dK: 1, dV: 1 }, { signal });
    if (standard.intermediate.bytes <= bytes) fits = n;
    else tooLong = n;
  }
  return fits;
}
