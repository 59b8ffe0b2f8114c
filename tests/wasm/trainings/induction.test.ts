/**
 * Which tasks make an induction head, by the module of the page: periods that are drawn anew do in two layers, and one
 * fixed period, one layer and learned positions do not (../../../core/include/attn/models/tasks.hpp).
 */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LanguageModel, train } from '../../../wasm/client';
import { createFullTestClient } from '../in_process';

// Each trains for some seconds of a core that may have other work.
vi.setConfig({ testTimeout: 180_000 });

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const length = 48;
const vocabulary = 32;
const task = { kind: 'period', vocabulary, length, shortest: 8, longest: 24 } as const;
type Task = Parameters<LanguageModel['start']>[0]['task'];
type Model = Parameters<typeof LanguageModel.create>[1];

interface Trained {
  /** Of the last ten batches, none of which was seen before. */
  readonly accuracy: number;
  /** On periods that training never showed. */
  readonly heldOut: number;
  /** The largest score of a head on such sequences. */
  readonly induction: number;
}

/** Trains attention alone, as section 2.2 of the design notes, and says what became of it. */
async function trained(of: Task, seed: number, changed: Partial<Model> = {}): Promise<Trained> {
  const model = await LanguageModel.create(client, {
    vocabulary,
    length,
    layers: 2,
    dModel: 32,
    mixers: [{ heads: 2, parameters: { rotary: 1 } }],
    positions: false,
    seed,
    ...changed,
  });
  await model.start({
    task: of,
    steps: 500,
    batch: 32,
    learningRate: 0.01,
    beta2: 0.99,
    cosine: false,
    warmUp: 50,
    clip: 1,
    seed,
  });
  await train(model, { signal: new AbortController().signal }, { milliseconds: 500 });
  const last = (await model.curve({ from: 490 })).map((point) => point.accuracy);
  const accuracy = last.reduce((sum, x) => sum + x, 0) / last.length;
  const heldOut = (await model.evaluate({ batches: 10 })).accuracy;
  const probes = 8;
  const { tokens } = await client.drawBatch({ task: of, batch: probes, seed: 1, heldOut: true });
  const scores: number[] = [];
  for (let s = 0; s < probes; s++) {
    const text = [...tokens.subarray(s * length, (s + 1) * length)];
    const weights = (await model.attention({ tokens: text })).map((head) => head.weights);
    const { heads } = await client.headScores({ weights, tokens: text, shuffles: 0 });
    heads.forEach(({ scores: { induction } }, i) => {
      scores[i] = (scores[i] ?? 0) + induction / probes;
    });
  }
  await model.dispose();
  return { accuracy, heldOut, induction: Math.max(...scores) };
}

describe.each([0, 1, 2])('periods of 8 to 24 tokens, seed %i', (seed) => {
  it('make an induction head of two layers', async () => {
    const { accuracy, heldOut, induction } = await trained(task, seed);
    expect(accuracy).toBeGreaterThan(0.9);
    // 0.96 to 1, natively; without induction 0.
    expect(heldOut).toBeGreaterThan(0.8);
    expect(induction).toBeGreaterThan(0.4);
  });

  it('make none of one layer, which reaches less than positions could', async () => {
    const { positionAccuracy } = await client.describeTask(task);
    const { accuracy, heldOut, induction } = await trained(task, seed, { layers: 1 });
    expect(accuracy).toBeLessThan(positionAccuracy);
    expect(heldOut).toBeLessThan(0.1);
    expect(induction).toBeLessThan(0.2);
  });
});

it('one fixed period makes a head of positions, which other periods give away', async () => {
  const fixed = await trained({ ...task, shortest: 16, longest: 16 }, 0);
  expect(fixed.accuracy).toBeGreaterThan(0.9);
  expect(fixed.heldOut).toBeLessThan(0.1);
  expect(fixed.induction).toBeLessThan(0.3);
});

it('with learned positions no head looks behind the last copy', async () => {
  // The task may be learned all the same, by heads that look at several later places.
  const { induction } = await trained(task, 0, { mixers: [{ heads: 2 }], positions: true });
  expect(induction).toBeLessThan(0.3);
});
