/** The patterns of the papers for n tokens, with sizes that follow from n, as the core makes them. */
import type { BlockChoiceOptions, Client, Matrix, PatternChoice, Stack } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const PATTERNS = [
  'window',
  'strided',
  'both',
  'fixed',
  'powers',
  'dilated',
  'sinks',
  'random',
  'neighbour',
  'bigBird',
  'blocks',
  'chosen',
] as const;
export type PatternName = (typeof PATTERNS)[number];

const SINKS = 4;
/** The gap of the dilated window. */
const DILATION = 4;
/** Width of the rows by which blocks are chosen. */
const CHOOSING = 16;

/** √n, of which all sizes are made; a power of two where n is one of four. */
export const rootOf = (n: number): number => Math.round(Math.sqrt(n));

/** Scores drawn from N(0, 1), of which the largest are keys at random; −∞ where `closed` says that no key may be. */
export async function randomScores(
  client: Client,
  n: number,
  seed: number,
  closed: (row: number, column: number) => boolean,
  { signal }: Pick<Ask, 'signal'>,
): Promise<Matrix> {
  const { q } = await client.gaussianQkv({ n, dK: n, dV: 1, seed }, { signal });
  const data = Float32Array.from(q.data);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (closed(i, j)) data[i * n + j] = Number.NEGATIVE_INFINITY;
    }
  }
  return { rows: n, cols: n, data };
}

/** As MoBA has it: every query's own block and the one before it whose mean key has the largest product with the query. */
export const choiceOfBlocks = (n: number): BlockChoiceOptions => ({ block: rootOf(n), topK: 2 });

/** Every query's own block and the one before it that its product with the mean of the keys chooses (MoBA), of random rows. */
async function chosenBlocks(
  client: Client,
  n: number,
  seed: number,
  { signal }: Pick<Ask, 'signal'>,
): Promise<PatternChoice> {
  const choice = choiceOfBlocks(n);
  const { block = n } = choice;
  const rows = await client.gaussianQkv({ n, dK: CHOOSING, dV: 1, seed }, { signal });
  const [q, k, v] = [rows.q, rows.k, rows.v].map(({ cols, data }) => ({
    ...{ batch: 1, heads: 1, rows: n, cols, data },
  })) as [Stack, Stack, Stack];
  const { selected } = await client.blockAttention({ q, k, v, ...choice }, { signal });
  const rowStart = new Int32Array(n + 1);
  const columns: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let of = 0; of < selected.cols; of++) {
      if (!selected.data[i * selected.cols + of]) continue;
      for (let j = of * block; j <= Math.min(i, (of + 1) * block - 1); j++) columns.push(j);
    }
    rowStart[i + 1] = columns.length;
  }
  return { kind: 'lists', rowStart, columns: Int32Array.from(columns) };
}

export async function patternNamed(
  client: Client,
  name: PatternName,
  n: number,
  seed: number,
  ask: Pick<Ask, 'signal'>,
): Promise<PatternChoice> {
  const root = rootOf(n);
  const window = (context: number): PatternChoice => ({ id: 'local', parameters: { context } });
  switch (name) {
    case 'window':
      return window(2 * root);
    case 'strided':
      return { id: 'strided', parameters: { stride: root } };
    case 'both':
      return { id: 'sparse_transformer', parameters: { context: root } };
    case 'fixed':
      return { id: 'fixed', parameters: { block: root, summary: 1 } };
    case 'powers':
      return { id: 'powers_of_two' };
    case 'dilated':
      return {
        id: 'dilated_window',
        parameters: { w: 2 * root - 1, dilation: DILATION, causal: 1 },
      };
    case 'sinks':
      return {
        kind: 'union',
        of: [
          window(2 * root - SINKS),
          { kind: 'mask', mask: { kind: 'causal', validKeys: SINKS } },
        ],
      };
    case 'random': {
      const cells = await randomScores(client, n, seed, (i, j) => j > i, ask);
      return { id: 'top_k', parameters: { k: 2 * root }, cells };
    }
    case 'neighbour':
      return {
        id: 'random',
        parameters: { keys: Math.round(Math.log(n)), causal: 1 },
        seed,
      };
    case 'bigBird': {
      // BigBird's parts, each causal by itself: the full causal pattern of a long text would be too large to cut with.
      const part = root / 4;
      return {
        kind: 'union',
        of: [
          window(2 * part),
          { kind: 'mask', mask: { kind: 'causal', validKeys: part } },
          { id: 'random', parameters: { keys: part, causal: 1 }, seed },
        ],
      };
    }
    case 'blocks':
      return { id: 'fixed', parameters: { block: 2 * root, summary: 0 } };
    case 'chosen':
      return chosenBlocks(client, n, seed, ask);
  }
}
