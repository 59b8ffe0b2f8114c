/** What the lab on long texts asks of the trained models: patterns, full and small caches, two models for one text. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LanguageModel } from '#client';
import { inCache, N } from '../../web/labs/long-texts/figures/decode/full-cache';
import { pagesOf } from '../../web/labs/long-texts/figures/decode/shared-pages';
import { openModelFile, type Trained } from '../../web/src/models/trained';
import { createFullTestClient } from './in_process';

const client = createFullTestClient('simd');
const { signal } = new AbortController();
let reader: Trained;
let small: Trained;
let tokens: Int32Array;
let targets: Int32Array;

const opened = (name: string): Promise<Trained> =>
  openModelFile(
    client,
    readFileSync(new URL(`../../web/models/${name}.safetensors`, import.meta.url)),
  );
const mean = (all: Float64Array): number => all.reduce((sum, one) => sum + one, 0) / all.length;

beforeAll(async () => {
  reader = await opened('reader');
  small = await opened('causal-small');
  const text =
    'And it came to pass in the first year that the old captain of the ship stood still. ';
  const all = await reader.tokenizer.encode(text.repeat(8));
  tokens = all.slice(0, N);
  targets = all.slice(1, N + 1);
});
afterAll(() => client.dispose());

describe('caches of the reader', () => {
  it('that hold all tokens change nothing, and shorter ones only what comes after they are full', async () => {
    const whole = await reader.model.losses({ tokens, targets });
    for (const [way, size] of [
      ['ring', 32],
      ['sinks', 32],
      ['anew', 32],
      ['ring', N],
    ] as const) {
      const keep = inCache(way, size, 4);
      const cut = await reader.model.losses({ tokens, targets, gates: { keep } });
      const first = way === 'sinks' ? size - 4 : size;
      for (let i = 0; i < first; i++) expect(cut[i]).toBeCloseTo(whole[i] ?? 0, 3);
      if (size < N) expect(Math.abs(mean(cut) - mean(whole))).toBeGreaterThan(0.01);
      for (let i = 0; i < N; i++) {
        const held = [...keep.data.subarray(i * N, (i + 1) * N)].filter((one) => one !== 0);
        expect(held.length).toBeLessThanOrEqual(size);
      }
    }
  });

  it('of few bits lose more with fewer bits, and nothing while all tokens are exact', async () => {
    const exact = mean(await reader.model.losses({ tokens, targets }));
    const lossAt = async (bits: number, exactKeys = 0): Promise<number> => {
      const numbers = { bits, zeroPoint: true };
      const cache = {
        keys: { ...numbers, axis: 'column' as const },
        values: { ...numbers, axis: 'row' as const },
        ...{ exactKeys, exactValues: exactKeys },
      };
      return mean(await reader.model.losses({ tokens, targets, gates: { cache } }));
    };
    expect(Math.abs((await lossAt(8)) - exact)).toBeLessThan(0.01);
    expect((await lossAt(2)) - exact).toBeGreaterThan((await lossAt(4)) - exact);
    expect((await lossAt(2)) - exact).toBeGreaterThan(0.05);
    expect(await lossAt(2, N)).toBeCloseTo(exact, 3);
  });

  it('of fewer heads or of a latent vector are smaller, and lose more the smaller they are', async () => {
    const file = await reader.model.save({});
    const changed = async (change: (copy: LanguageModel) => Promise<unknown>) => {
      const copy = await LanguageModel.open(client, { file });
      await change(copy);
      const bytes = (await copy.stateBytes(N)) / N;
      const loss = mean(await copy.losses({ tokens, targets }));
      await copy.dispose();
      return { bytes, loss };
    };
    const whole = await changed(async () => undefined);
    const grouped = await changed((copy) => copy.groupHeads(1));
    const latent = (width: number) =>
      changed((copy) => copy.latentHeads({ latent: width, rope: 12 }));
    const [wide, narrow] = [await latent(64), await latent(16)];
    expect(grouped.bytes).toBeCloseTo(whole.bytes / 4, 6);
    // Numbers of four bytes, for each token and layer: the latent vector and one turned key.
    expect([wide.bytes, narrow.bytes]).toEqual([(64 + 12) * 4 * 4, (16 + 12) * 4 * 4]);
    expect(wide.loss).toBeLessThan(narrow.loss);
    expect(wide.loss).toBeGreaterThan(whole.loss);
  });
});

describe('blocks that every head chooses', () => {
  const lossWith = async (gates: object): Promise<number> =>
    mean(await reader.model.losses({ tokens, targets, gates }));

  it('are all blocks where there are no more, its own where one is seen, and otherwise better than its own alone', async () => {
    const block = 8;
    const whole = await lossWith({});
    expect(await lossWith({ blocks: { block, topK: N / block } })).toBeCloseTo(whole, 3);
    const pattern = { id: 'fixed', parameters: { block, summary: 0 } } as const;
    const keep = await client.patternMatrix({ n: N, m: N, pattern });
    const own = await lossWith({ keep });
    expect(await lossWith({ blocks: { block, topK: 1 } })).toBeCloseTo(own, 6);
    const two = await lossWith({ blocks: { block, topK: 2 } });
    expect(two).toBeLessThan(own);
    expect(Math.abs(two - whole)).toBeGreaterThan(0.001);
  });

  it('have no cache of few bits beside them', async () => {
    const numbers = { bits: 4, zeroPoint: true, axis: 'row' as const };
    const cache = { keys: numbers, values: numbers };
    await expect(lossWith({ blocks: { block: 8 }, cache })).rejects.toMatchObject({
      argument: 'cache',
    });
  });
});

describe('two models', () => {
  it('say what the reader says alone where the likeliest token is taken, and name what was refused', async () => {
    const prompt = tokens.slice(0, 12);
    const alone = await reader.model.generate({ prompt, count: 40, temperature: 0 });
    const made = await reader.model.speculate({
      ...{ draft: small.model.number, prompt, count: 40, gamma: 4, temperature: 0 },
    });
    expect([...made.tokens]).toEqual([...alone]);
    expect(made.refused.length).toBe(made.tokensOfRuns.length);
    expect([...made.refused].filter((one) => one >= 0).length).toBe(made.decided - made.accepted);
    let at = 0;
    for (const [run, count] of made.tokensOfRuns.entries()) {
      at += count;
      // What is refused is another token than the one that stands there.
      expect(made.refused[run]).not.toBe(made.tokens[at - 1]);
    }
  });

  it('have the distribution of the reader, which the small model alone has not', async () => {
    const prompt = tokens.slice(0, 6);
    const { data, cols, rows } = await reader.model.logits({ tokens: prompt });
    const last = { rows: 1, cols, data: data.slice((rows - 1) * cols) };
    const probabilities = Float64Array.from((await client.softmax({ x: last })).weights.data);
    const draws = 400;
    const [counts, control] = [new Float64Array(cols), new Float64Array(cols)];
    const add = (to: Float64Array, token = -1) => {
      to[token] = (to[token] ?? 0) + 1;
    };
    for (let seed = 1; seed <= draws; seed++) {
      const how = { draft: small.model.number, prompt, count: 2, gamma: 1, seed };
      add(counts, (await reader.model.speculate(how)).tokens[0]);
      add(control, (await small.model.generate({ prompt, count: 1, seed }))[0]);
    }
    const test = await client.chiSquared({ counts, probabilities });
    expect(test.freedom).toBeGreaterThan(3);
    expect(test.chance).toBeGreaterThan(1e-3);
    const alone = await client.chiSquared({ counts: control, probabilities });
    expect(alone.chance).toBeLessThan(0.01);
  }, 300_000);
});

describe('pages', () => {
  const setting = { texts: 4, prefix: 22, own: 5, block: 8, shared: true };
  it('of one beginning are held by all, and copied by all but one that write', async () => {
    const made = await pagesOf(client, setting, signal);
    expect(made.copied).toBe(3);
    expect(made.used).toBe(2 + 4 + 4);
    expect(made.blocks.filter(({ holders }) => holders === 4)).toHaveLength(2);
    expect(made.wasted).toBe(made.used * 8 - 2 * 8 - 4 * 11);
  });
  it('that share nothing are as many as all texts need', async () => {
    const made = await pagesOf(client, { ...setting, shared: false }, signal);
    expect([made.used, made.copied]).toEqual([16, 0]);
  });
});
