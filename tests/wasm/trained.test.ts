/** The models that are committed, opened by the module of the page: what their logs say of them is so. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { LanguageModel, Tokenizer } from '../../wasm/client';
import { openModelFile, trainedModels } from '../../web/src/models/trained';
import { createFullTestClient } from './in_process';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

interface Log {
  readonly file: { readonly bytes: number; readonly sha256: string };
  readonly parameters: number;
  readonly options: Readonly<Record<string, string>>;
  readonly logits: { readonly tokens: readonly number[]; readonly last: readonly number[] };
  readonly heads: { readonly names: readonly unknown[] };
  readonly heldOut: { readonly int8: { readonly natsPerToken: number } };
  readonly unigramNatsPerToken: number;
}
const committed = (file: string) =>
  readFileSync(new URL(`../../web/models/${file}`, import.meta.url));

async function using(
  name: string,
  work: (model: LanguageModel, tokenizer: Tokenizer, log: Log) => Promise<void>,
): Promise<void> {
  const log = JSON.parse(committed(`${name}.json`).toString('utf8')) as Log;
  const { model, tokenizer } = await openModelFile(client, committed(`${name}.safetensors`));
  await work(model, tokenizer, log);
  await model.dispose();
  await tokenizer.dispose();
}

describe.each(Object.keys(trainedModels))('%s', (name) => {
  it('is the file that its log is of', () => {
    const file = committed(`${name}.safetensors`);
    const { bytes, sha256 } = (JSON.parse(committed(`${name}.json`).toString('utf8')) as Log).file;
    expect(file.length).toBe(bytes);
    expect(createHash('sha256').update(file).digest('hex')).toBe(sha256);
  });

  it('gives the logits that the core gave natively', () =>
    using(name, async (model, _, log) => {
      expect((await model.info()).parameters).toBe(log.parameters);
      const { tokens, last } = log.logits;
      const { data, rows, cols } = await model.logits({ tokens: [...tokens] });
      expect([rows, cols]).toEqual([tokens.length, last.length]);
      const row = data.subarray((rows - 1) * cols);
      // Kernels of another width add in another order, and the log has six digits: 7e-6 of logits up to 11 was measured.
      last.forEach((logit, i) => {
        expect(Math.abs((row[i] as number) - logit)).toBeLessThan(5e-5);
      });
    }));

  it('reads and writes every printable character, and knows a common word', () =>
    using(name, async (_, tokenizer) => {
      const all = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
      const text = `${all}\nThe whale — and the sea.`;
      const tokens = await tokenizer.encode(text);
      expect(await tokenizer.decode([...tokens])).toBe(text);
      expect(await tokenizer.encode(' the')).toHaveLength(1);
    }));

  it('has learned more than how frequent tokens are, on what it was not trained on', () =>
    using(name, async (model, tokenizer, log) => {
      expect(log.heldOut.int8.natsPerToken).toBeLessThan(log.unigramNatsPerToken);
      const { layers } = await model.info();
      const heads = layers.reduce((sum, { matrices }) => sum + matrices, 0);
      expect(log.heads.names).toHaveLength(heads);
      if (log.options['model.sees'] !== 'earlier') return;
      const tokens = [
        ...(await tokenizer.encode('And the Lord said unto the children of Israel, ')),
      ];
      const said = await model.losses({ tokens: tokens.slice(0, -1), targets: tokens.slice(1) });
      expect(said.reduce((sum, x) => sum + x, 0) / said.length).toBeLessThan(
        log.unigramNatsPerToken,
      );
    }));
});
