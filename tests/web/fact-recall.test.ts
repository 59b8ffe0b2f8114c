import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, FactRecallResult } from '#client';
import { MEMORIES, recall, wrongSigns } from '../../web/labs/kernel-trick/figures/recall/memories';
import { createFullTestClient } from '../wasm/in_process';

let core: Client;
beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const stream = { features: 32, n: 64, d: 8, scale: 2, draws: 2, seed: 3 } as const;

describe('the fact in the stream', () => {
  it('is asked for of four memories, each with its own state', async () => {
    const found: Record<string, FactRecallResult> = {};
    for (const memory of MEMORIES) found[memory] = await recall(core, memory, stream, {});
    const dimensions = MEMORIES.map((memory) => found[memory]?.featureDimension);
    expect(dimensions).toEqual([0, 8, 1 + 8 + 36, 32]);
    for (const { answers, weights, tokens, fact } of Object.values(found)) {
      expect([answers.rows, answers.cols]).toEqual([65, 8]);
      expect(weights).toHaveLength(65);
      expect(Array.from(tokens)).toEqual([0, 1, 2, 4, 8, 16, 32, 64]);
      expect(fact.data).toEqual(found.softmax?.fact.data);
      // Alone in the memory, the fact is the whole answer; ε keeps the weight a little below 1.
      expect(weights[0]).toBeCloseTo(1, 3);
    }
  });

  it('has as many wrong signs as entries of the answer that do not agree with it', () => {
    const matrix = (rows: number, data: number[]) => ({
      rows,
      cols: 3,
      data: new Float32Array(data),
    });
    const found = {
      fact: matrix(1, [1, -1, 1]),
      answers: matrix(2, [0.5, -0.1, 1, -0.5, -0.1, 0]),
    } as FactRecallResult;
    expect(wrongSigns(found, 0)).toBe(0);
    expect(wrongSigns(found, 1)).toBe(2);
  });
});
