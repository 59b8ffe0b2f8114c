/** Where a figure's Q, K and V come from: Gaussian draws, or what the lab's first figure shows. */
import { CoreError, type OrKept, type Qkv } from '#client';
import { keptGaussian } from '../../../../src/lab/figure/kept-inputs.ts';
import type { Ask, LabTools } from '../../../../src/lab/types.ts';
import { integer, oneOf, seed } from '../../../../src/state/url.ts';

interface Sizes {
  readonly n: number;
  readonly dK: number;
  readonly dV: number;
}

export const sourceTable = ({ n, dK, dV }: Sizes) => ({
  source: oneOf({ key: 'from', values: ['gaussian', 'lab'], default: 'gaussian' }),
  n: integer({ key: 'n', min: 2, max: 1024, default: n }),
  dK: integer({ key: 'dk', min: 1, max: 128, default: dK }),
  dV: integer({ key: 'dv', min: 1, max: 128, default: dV }),
  seed: seed(),
});

export interface Source extends Sizes {
  readonly source: 'gaussian' | 'lab';
  readonly seed: number;
}

/** The inputs of one draw; random maps use its seed too. */
export interface Draw {
  /** Those of a page are kept in the core: several maps and figures are asked about the same ones. */
  readonly qkv: OrKept<Qkv>;
  readonly seed: number;
  readonly causal: boolean;
  /** Undefined for 1/√d_k. */
  readonly scale: number | undefined;
}

/**
 * Draw `index`. The lab's data is one set of matrices: only the maps' own draws differ there.
 * @param missing what is said while the visitor's own matrices are not all there
 */
export async function drawOf(
  source: Source,
  index: number,
  tools: LabTools,
  ask: Ask,
  missing: string,
): Promise<Draw> {
  const { signal } = ask;
  const { n, dK, dV } = source;
  const { data } = tools;
  if (source.source === 'gaussian' || !data) {
    const seed = source.seed + index;
    const qkv = await keptGaussian(tools.client, { n, dK, dV, seed }, { signal });
    return { qkv, seed, causal: false, scale: undefined };
  }
  const inputs = await data.inputs(ask);
  if (!inputs) throw new CoreError('value', missing, 'source');
  const { causal, scale } = data;
  return { qkv: inputs.qkv, seed: data.seed + index, causal, scale };
}
