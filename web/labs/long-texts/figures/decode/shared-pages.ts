/** Several texts with one beginning, in pages: what the core's table of blocks makes of them. */
import type { Client, Matrix, PagedOperation, PagedTrace } from '#client';

export interface PageSetting {
  readonly texts: number;
  /** How many tokens all of them begin with, and how many each has of its own. */
  readonly prefix: number;
  readonly own: number;
  readonly block: number;
  readonly shared: boolean;
}

const zeros = (rows: number): Matrix => ({ rows, cols: 1, data: new Float32Array(rows) });

export interface Pages {
  readonly used: number;
  readonly wasted: number;
  readonly copied: number;
  /** How many texts hold each block that is in use, by its number; and which of its places are taken. */
  readonly blocks: readonly {
    readonly id: number;
    readonly holders: number;
    readonly filled: number;
  }[];
  /** The blocks of each text in order. */
  readonly tables: readonly (readonly number[])[];
  readonly tokens: number;
}

/** The texts are made one token at a time in turn, as a server makes them. */
export async function pagesOf(
  client: Client,
  { texts, prefix, own, block, shared }: PageSetting,
  signal: AbortSignal,
): Promise<Pages> {
  const operations: PagedOperation[] = [];
  for (let s = 0; s < texts; s++) {
    if (s === 0 || !shared) operations.push({ action: 'append', sequence: s, count: prefix });
    else operations.push({ action: 'fork', sequence: 0, count: s });
  }
  for (let t = 0; t < own; t++) {
    for (let s = 0; s < texts; s++) operations.push({ action: 'append', sequence: s, count: 1 });
  }
  const each = Math.ceil((prefix + own) / block);
  const tokens = (shared ? prefix : texts * prefix) + texts * own;
  const trace: PagedTrace = await client.pagedTrace(
    {
      ...{ operations, blocks: texts * each + 1, blockSize: block, sequences: texts },
      ...{ k: zeros(tokens), v: zeros(tokens), q: zeros(texts) },
    },
    { signal },
  );
  const last = operations.length - 1;
  const { references, tables } = trace;
  const own_ = Array.from({ length: texts }, (_, s) =>
    [
      ...tables.data.subarray(
        (last * texts + s) * tables.cols,
        (last * texts + s + 1) * tables.cols,
      ),
    ]
      .filter((id) => id >= 0)
      .slice(0, each),
  );
  const filled = new Map<number, number>();
  for (const list of own_) {
    for (const [place, id] of list.entries()) {
      filled.set(id, Math.min(block, prefix + own - place * block));
    }
  }
  const held = references.data.subarray(last * references.cols, (last + 1) * references.cols);
  return {
    used: trace.blocksInUse[last] ?? 0,
    wasted: trace.wastedSlots[last] ?? 0,
    // The trace says it of each operation by itself.
    copied: trace.blocksCopied.reduce((sum, one) => sum + one, 0),
    blocks: [...filled].map(([id, count]) => ({ id, holders: held[id] ?? 0, filled: count })),
    ...{ tables: own_, tokens: texts * (prefix + own) },
  };
}
