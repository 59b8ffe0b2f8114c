/** What rollout says of heads that have learned nothing: how much of the last token is the first one, layer after layer. */
import type { Client } from '#client';

export const TOKENS = 16;
export const LAYERS = 12;

/** The shares after one layer, two, and so on; every head spreads its weight evenly over what came before. */
export async function evenDrift(client: Client, signal: AbortSignal): Promise<readonly number[]> {
  const n = TOKENS;
  // Any causal weights do: what is asked is what even ones would give.
  const itself = { rows: n, cols: n, data: new Float32Array(n * n) };
  for (let i = 0; i < n; i++) itself.data[i * n + i] = 1;
  const layers = Array.from({ length: LAYERS }, () => [itself]);
  const { uniform } = await client.attentionRollout({ layers }, { signal });
  return uniform.map(({ data }) => data[(n - 1) * n] ?? Number.NaN);
}
