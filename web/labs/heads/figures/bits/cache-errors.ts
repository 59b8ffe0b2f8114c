/** The error of attention over keys and values of fewer bits. */
import type { Client, Matrix, Qkv } from '#client';

export const N = 128;
export const D = 64;
/** How many channels of the keys stand out at first. */
export const CHANNELS = 2;
/** What is added to them, along the axis. */
export const OFFSETS = [0, 2, 5, 10, 20, 30, 45, 60] as const;

export interface Errors {
  readonly offset: number;
  /** Relative errors of the output: whole numbers with a scale for each token or channel of the keys, and floats. */
  readonly row: number;
  readonly column: number;
  readonly float16: number;
  readonly bfloat16: number;
  readonly exactBytes: number;
  readonly rowBytes: number;
  readonly columnBytes: number;
}

export async function cacheErrors(
  client: Client,
  { q, k, v }: { readonly q: Matrix; readonly k: Matrix; readonly v: Matrix },
  how: {
    readonly bits: number;
    readonly offset: number;
    readonly channels: number;
    readonly seed: number;
  },
  signal: AbortSignal,
): Promise<Errors> {
  const { bits, offset, channels, seed } = how;
  const planted = await client.plantOutliers({ x: k, offset, channels, seed }, { signal });
  const keys = planted.x;
  const whole = (axis: 'row' | 'column') =>
    client.quantizedCacheAttention(
      { q, k: keys, v, keys: { bits, axis }, values: { bits, axis: 'row' } },
      { signal },
    );
  const [row, column] = [await whole('row'), await whole('column')];
  const rounded = async (precision: 'float16' | 'bfloat16'): Promise<number> => {
    const [k, short] = [
      await client.roundMatrix({ x: keys, precision }, { signal }),
      await client.roundMatrix({ x: v, precision }, { signal }),
    ];
    const qkv: Qkv = { q, k, v: short };
    const { output } = await client.attention({ ...qkv, mask: { kind: 'causal' } }, { signal });
    const { relativeFrobenius } = await client.precisionError(
      { reference: row.exactOutput, approximate: output },
      { signal },
    );
    return relativeFrobenius;
  };
  return {
    ...{ offset, row: row.relativeError, column: column.relativeError },
    ...{ float16: await rounded('float16'), bfloat16: await rounded('bfloat16') },
    ...{ exactBytes: row.exactBytes, rowBytes: row.bytes, columnBytes: column.bytes },
  };
}
