/** What the step on reach and use of the lab of long texts says of the trained reader, as its figures measure it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MOST_KEPT,
  ordinaryLoss,
  savedByFact,
} from '../../web/labs/long-texts/figures/use/measure';
import { between, LENGTH, NAMES, plant } from '../../web/labs/long-texts/figures/use/reader';
import { openModelFile, type Trained } from '../../web/src/models/trained';
import { createFullTestClient } from './in_process';

const client = createFullTestClient('simd');
let trained: Trained;
beforeAll(async () => {
  const file = new URL('../../web/models/reader.safetensors', import.meta.url);
  trained = await openModelFile(client, readFileSync(file));
});
afterAll(async () => {
  await trained.model.dispose();
  await trained.tokenizer.dispose();
  client.dispose();
});
const { signal } = new AbortController();
const saved = async (gap: number, kept: number): Promise<number> => {
  const { told, other } = await savedByFact(client, trained, gap, kept, signal);
  return other - told;
};

describe('a planted fact', () => {
  it('is a text with the name twice, at the places that are named', async () => {
    const [name] = NAMES;
    const { tokens, name: at, count, planted } = await plant(trained, name, name, 16);
    const { tokenizer } = trained;
    expect(await tokenizer.decode(tokens.slice(at, at + count))).toMatch(/achel$/);
    const end = tokens.length;
    const told = tokens.slice(end - 1 - planted[0], end - planted[1]);
    expect(await tokenizer.decode(told)).toMatch(/achel\.$/);
    expect(end).toBeLessThanOrEqual(LENGTH);
  });

  it('saves less the farther it is, though it always reaches', async () => {
    const [near, far] = [await saved(0, MOST_KEPT), await saved(80, MOST_KEPT)];
    expect(near).toBeGreaterThan(0.5);
    expect(far).toBeLessThan(near);
    expect(far).toBeGreaterThan(0);
  });

  it('saves nothing at all once it is evicted, while ordinary text hardly notices', async () => {
    expect(await saved(64, 24)).toBe(0);
    const text = await between(trained);
    const loss = (kept: number) => ordinaryLoss(client, trained, text, kept, signal);
    const [all, few] = [await loss(MOST_KEPT), await loss(24)];
    expect(few - all).toBeLessThan(all / 20);
  });
});
