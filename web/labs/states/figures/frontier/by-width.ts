/** What the delta rule learns to recall with keys of each width: the answer to the question before the frontier. */
import { Pool } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { modelOfWidth } from './models.ts';
import { trainOne } from './train-one.ts';

/** In percent, side by side, with the short texts, the rate and the first seed of the frontier. */
export async function recallByWidth(widths: readonly number[], ask: Ask): Promise<number[]> {
  const pool = new Pool();
  const parts = widths.map(() => 0);
  try {
    const trained = await Promise.all(
      widths.map((width, i) =>
        pool.run(
          (client, tools) => trainOne(client, tools, modelOfWidth(width), 'asked', '0.01', 0),
          {
            signal: ask.signal,
            onProgress: (part) => {
              parts[i] = part;
              ask.onProgress(parts.reduce((sum, one) => sum + one, 0) / parts.length);
            },
          },
        ),
      ),
    );
    return trained.map(({ accuracy }) => Math.round(100 * accuracy));
  } finally {
    pool.dispose();
  }
}
