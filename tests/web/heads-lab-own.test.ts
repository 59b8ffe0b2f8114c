/** What figures of the lab of heads make of files, caches and weights, with the core itself. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { LanguageModel, type Matrix } from '../../wasm/client';
import { cacheErrors, D, N } from '../../web/labs/heads/figures/bits/cache-errors';
import { withMatrices } from '../../web/labs/heads/figures/bits/patched-file';
import { drawTree } from '../../web/labs/heads/figures/own/draw-tree';
import { groupsOf, sentencesOf } from '../../web/labs/heads/figures/own/token-groups';
import { openModelFile } from '../../web/src/models/trained';
import { createFullTestClient } from '../wasm/in_process';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const BERT = ['[CLS]', 'the', 'em', '##bed', '##ding', '.', '[SEP]', 'it', '[SEP]'];

describe('tokens of a file', () => {
  const words = { words: true, special: false } as const;

  it('pieces are words, and special tokens are left out', () => {
    expect(groupsOf(BERT, words)).toEqual({
      groups: [-1, 0, 1, 1, 1, 2, -1, 3, -1],
      labels: ['the', 'embedding', '.', 'it'],
    });
    const gpt = ['The', 'Ġem', 'bed', '.', '<|endoftext|>'];
    expect(groupsOf(gpt, words)).toEqual({
      groups: [0, 1, 1, 2, -1],
      labels: ['The', 'embed', '.'],
    });
  });

  it('a text without marks of words stays token by token', () => {
    expect(groupsOf(['a', 'b'], words).groups).toEqual([0, 1]);
    expect(groupsOf(BERT, { words: false, special: true }).groups).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8],
    ]);
  });

  it('the first separator divides two sentences, and one at the end does not', () => {
    expect(sentencesOf(BERT)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(sentencesOf(['[CLS]', 'one', '[SEP]'])).toEqual([0, 0, 0]);
    expect(groupsOf(BERT, { ...words, sentence: 1 })).toEqual({
      groups: [-1, -1, -1, -1, -1, -1, -1, 0, -1],
      labels: ['it'],
    });
  });

  it('the core adds the weights to a word and averages those from it', async () => {
    const weights: Matrix = {
      ...{ rows: 3, cols: 3 },
      data: Float32Array.of(0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0.75, 0.25, 0),
    };
    const { groups } = groupsOf(['a', 'em', '##bed'], words);
    const made = await client.mergeAttention({
      ...{ weights: [weights], queryGroups: [...groups], keyGroups: [...groups] },
    });
    expect([...(made.weights[0]?.data ?? [])]).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect([...made.leftOut]).toEqual([0]);
  });
});

it('a tree has a bracket for each of its joints, and its last one reaches the right end', async () => {
  const head = (a: number): Matrix => ({ rows: 1, cols: 2, data: Float32Array.of(a, 1 - a) });
  const mask = { kind: 'full' } as const;
  const distances = await client.headDistances({ texts: [[head(1), head(0.9), head(0)]], mask });
  const names = Array.from(distances.leafOrder, String);
  const paint = { paper: '', ink: '', muted: '', rule: '', accent: '' };
  const { svg } = drawTree(distances, names, paint, { axis: 'd', label: 'tree' });
  const brackets = [...svg.matchAll(/d="M[\d.]+ [\d.]+H([\d.]+)V/g)].map(([, x]) => Number(x));
  expect(brackets).toHaveLength(2);
  expect(brackets[1]).toBe(628);
  expect(brackets[0]).toBeLessThan(200);
});

it('planted channels spoil scales of tokens, not those of channels, nor exact attention', async () => {
  const signal = new AbortController().signal;
  const qkv = await client.gaussianQkv({ n: N, dK: D, dV: D, seed: 1 });
  const at = (offset: number) =>
    cacheErrors(client, qkv, { bits: 8, offset, channels: 2, seed: 1 }, signal);
  const [without, far] = [await at(0), await at(30)];
  expect(far.row).toBeGreaterThan(4 * without.row);
  expect(Math.abs(far.column / without.column - 1)).toBeLessThan(0.05);
  expect(without.float16).toBeLessThan(without.bfloat16);
});

it('a model with other numbers in its file is that model: 8 bits a row are what is stored, 2 bits are worse', async () => {
  const bytes = readFileSync(new URL('../../web/models/causal-small.safetensors', import.meta.url));
  const { model, tokenizer } = await openModelFile(client, bytes);
  const { length, tensors } = await model.info();
  const ids = [...(await tokenizer.encode('And the ship went out to sea, and the men sang.'))];
  const tokens = ids.slice(0, Math.min(length, ids.length - 1));
  const targets = ids.slice(1, tokens.length + 1);
  const file = await model.save({ numbers: 'exact' });
  const loss = async (bits: number): Promise<number> => {
    const stored = new Map<string, Matrix>();
    for (const { name, rows, cols } of tensors) {
      if (rows < 2 || cols < 2) continue;
      const x = await model.parameter(name);
      stored.set(name, (await client.quantize({ x, bits, axis: 'row' })).dequantized);
    }
    const tried = await LanguageModel.open(client, { file: withMatrices(file, stored) });
    const { mean } = await client.summarize({
      values: [...(await tried.losses({ tokens, targets }))],
    });
    await tried.dispose();
    return mean;
  };
  const { mean: exact } = await client.summarize({
    values: [...(await model.losses({ tokens, targets }))],
  });
  expect(Math.abs((await loss(8)) - exact)).toBeLessThan(1e-4);
  expect(await loss(2)).toBeGreaterThan(exact + 0.5);
  const x = { rows: 1, cols: 1, data: new Float32Array(1) };
  expect(() => withMatrices(file, new Map([['tok.weight', x]]))).toThrow('tok.weight');
  expect(() => withMatrices(file, new Map([['nothing', x]]))).toThrow('nothing');
  await Promise.all([model.dispose(), tokenizer.dispose()]);
});
