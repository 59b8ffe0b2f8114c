/** The loss of a trained model whose matrices are rounded to fewer bits. */
import { type Client, LanguageModel, type Matrix } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { chapters } from '../../../../src/models/held-out.ts';
import { logOf, trained } from '../../../../src/models/on-page.ts';
import { withMatrices } from './patched-file.ts';

export const BITS = [8, 7, 6, 5, 4, 3, 2] as const;
/** As many sequences of the held-out chapter are read at most. */
export const BATCH = 8;

export interface Rounded {
  readonly kind: 'float32' | 'float16' | 'bfloat16' | 'row' | 'column';
  /** Of a weight, without the scales. */
  readonly bits: number;
  /** Of all matrices, with their scales. */
  readonly bytes: number;
  readonly loss: number;
}

export interface Losses {
  readonly rows: readonly Rounded[];
  readonly tokens: number;
  readonly chapter: string;
}

type How = Pick<Rounded, 'kind' | 'bits'>;

/** All ways in which the matrices can be stored here, the exact one first. */
export const WAYS: readonly How[] = [
  { kind: 'float32', bits: 32 },
  { kind: 'float16', bits: 16 },
  { kind: 'bfloat16', bits: 16 },
  ...BITS.flatMap((bits): How[] => [
    { kind: 'row', bits },
    { kind: 'column', bits },
  ]),
];

/** The loss with the matrices stored in these ways, on so many sequences. */
export async function roundedLosses(
  client: Client,
  ways: readonly How[],
  ask: Ask,
  sequences: number = BATCH,
): Promise<Losses> {
  const { signal } = ask;
  const { model, tokenizer } = await trained(client, 'causal-small', {
    signal,
    onProgress: (share) => ask.onProgress(share / 4),
  });
  const text = await chapters(await logOf('causal-small'), signal);
  const { length, tensors } = await model.info({ signal });
  const ids = await tokenizer.encode(text.heldOut, { signal });
  const batch = Math.min(sequences, Math.floor((ids.length - 1) / length));
  const tokens = [...ids.subarray(0, batch * length)];
  const targets = [...ids.subarray(1, batch * length + 1)];
  const file = await model.save({ numbers: 'exact' }, { signal });
  // Vectors (norms and biases) are few, and stay as they are everywhere.
  const matrices = new Map<string, Matrix>();
  for (const { name, rows, cols } of tensors) {
    if (rows > 1 && cols > 1) matrices.set(name, await model.parameter(name, { signal }));
  }
  const rows: Rounded[] = [];
  for (const [i, { kind, bits }] of ways.entries()) {
    let bytes = 0;
    const stored = new Map<string, Matrix>();
    for (const [name, x] of matrices) {
      if (kind === 'row' || kind === 'column') {
        const made = await client.quantize({ x, bits, axis: kind }, { signal });
        stored.set(name, made.dequantized);
        bytes += made.bytes;
      } else {
        bytes += (x.data.length * bits) / 8;
        if (kind !== 'float32')
          stored.set(name, await client.roundMatrix({ x, precision: kind }, { signal }));
      }
    }
    const tried = await LanguageModel.open(
      client,
      { file: withMatrices(file, stored) },
      { signal },
    );
    try {
      const losses = await tried.losses({ tokens, targets, batch }, { signal });
      const { mean } = await client.summarize({ values: [...losses] }, { signal });
      rows.push({ kind, bits, bytes, loss: mean });
    } finally {
      await tried.dispose();
    }
    ask.onProgress(1 / 4 + (3 / 4) * ((i + 1) / ways.length));
  }
  return { rows, tokens: tokens.length, chapter: text.title };
}
