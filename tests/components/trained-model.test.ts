/** A trained model arrives in a page: with progress, in the worker, with the logits of its log; and it can be stopped. */
import { afterAll, expect, it } from 'vitest';
import { createClient } from '../../wasm/client';
import log from '../../web/models/reader.json';
import { openTrained } from '../../web/src/models/trained';

const client = createClient({ module: 'full', warmUp: false });
afterAll(() => client.dispose());

it('the reader arrives with progress, and has the logits that the core had natively', async () => {
  const shares: number[] = [];
  const progress = (share: number): void => {
    shares.push(share);
  };
  const { model, tokenizer } = await openTrained(client, 'reader', { progress });
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  const { tokens, last } = log.logits;
  const { data, rows, cols } = await model.logits({ tokens });
  // Kernels of another width add in another order; see tests/wasm/trained.test.ts.
  for (const [i, logit] of last.entries()) {
    expect(Math.abs(Number(data[(rows - 1) * cols + i]) - logit)).toBeLessThan(5e-5);
  }
  const words = await tokenizer.encode('the sea');
  expect(await tokenizer.decode(words)).toBe('the sea');
  await model.dispose();
  await tokenizer.dispose();
});

it('a model that is stopped on its way leaves nothing in the worker', async () => {
  const stop = new AbortController();
  const opened = openTrained(client, 'reader', {
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  await expect(opened).rejects.toMatchObject({ name: 'AbortError' });
  expect(await client.aliveObjects()).toEqual([]);
});
