/** The variants' counts, all by the core. */
import { type OrderCount, withTrick } from '#client/trick';
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
  /** Features of a query or a key. */
  readonly D: number;
}

/** Taylor features are made of narrower queries and keys, as is usual; its softmax has them too. */
export async function gainsOf(
  { client: started, full }: LabTools,
  { n, d, dTaylor }: { readonly n: number; readonly d: number; readonly dTaylor: number },
  { signal }: Pick<Ask, 'signal'>,
): Promise<readonly Gain[]> {
  const client = withTrick(started);
  const costs = await client.orderCosts({ n, dK: d, dV: d }, { signal });
  const { plain, normalized, causal = plain, causalNormalized = normalized } = costs;
  const gains: Gain[] = [
    { id: 'plain', D: d, ...plain },
    { id: 'normalized', D: d, ...normalized },
    { id: 'causal', D: d, ...causal },
    { id: 'causalNormalized', D: d, ...causalNormalized },
  ];
  const core = await full();
  for (const [id, compact] of [
    ['taylorCompact', true],
    ['taylor', false],
  ] as const) {
    const D = await core.taylorDimension({ d: dTaylor, compact }, { signal });
    const taylor = await client.orderCosts({ n, dK: dTaylor, dV: d, D }, { signal });
    gains.push({ id, D, ...taylor.plain });
  }
  return gains;
}
