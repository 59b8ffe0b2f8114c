/** Finds the longest sequence whose scores fit into memory by asking the core, which knows how much a matrix takes. */
import { type Client, maxOrderSize } from '#client';
import type { Ask } from '../../../src/lab/types.ts';

/** The most tokens whose n×n scores, and nothing else, fit into so many bytes. */
export async function longestFitting(
  client: Pick<Client, 'orderCosts'>,
  bytes: number,
  { signal }: Pick<Ask, 'signal'>,
): Promise<number> {
  let [fits, tooLong] = [0, maxOrderSize + 1];
  while (tooLong - fits > 1) {
    const n = Math.floor((fits + tooLong) / 2);
    const { standard } = await client.orderCosts({ n, dK: 1, dV: 1 }, { signal });
    if (standard.intermediate.bytes <= bytes) fits = n;
    else tooLong = n;
  }
  return fits;
}
