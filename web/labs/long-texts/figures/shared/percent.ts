/** A share as readers write it, with the digits that tell it from its neighbours: 3.2 %, 12 %, 100 %. */
import { formatPlain } from '../../../../src/plot/counts.ts';

export const percent = (share: number): string => `${formatPlain(100 * share)}\u00a0%`;
