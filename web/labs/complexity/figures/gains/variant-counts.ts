/** The operation counts of all variants; the core computes them. */
import type { OrderCount } from '#client';
import type { Ask, LabTools } from '../../../../src/lab/types.ts';

export type GainId =
  | 'plain'
  | 'normalized'
  | 'causal'
  | 'causalNormalized'
  | 'taylorCompact'
  | 'taylor';

export interface Gain extends OrderCount {
  readonly id: GainId;
  /** The number of features of a query or a key. */
  readonly D: number;
}

/** Taylor features are computed from narrower queries and keys, as in practice; softmax is counted with the same width. */
export async function gainsOf(
  { client }: LabTools,
  { n, d, dTaylor }: { readonly n: number; readonly d: number; readonly dTaylor: number },
  { signal }: Pick<Ask, 'signal'>,
): Promise<readonly Gain[]> {
  const costs = await client.orderCosts({ n, dK: d, dV: d }, { signal });
  const { plain, normalized, causal = plain, causalNormalized = normalized } = costs;
  const gains: Gain[] = [
    { id: 'plain', D: d, ...plain },
    { id: 'normalized', D: d, ...normalized },
    { id: 'causal', D: d, ...causal },
    { id: 'causalNormalized', D: d, ...causalNormalized },
  ];
  for (const [id, compact] of [
    ['taylorCompact', true],
    ['taylor', false],
  ] as const) {
    const D = await client.taylorDimension({ d: dTaylor, compact }, { signal });
    const taylor = await client.orderCosts({ n, dK: dTaylor, dV: d, D }, { signal });
    gains.push({ id, D, ...taylor.plain });
  }
  return gains;
}
