/** The language model, its training, its tasks and its tokens, as a page uses them. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { LanguageModel, Tokenizer, type TrainingPoint } from '../../wasm/client';
import { createFullTestClient } from './in_process';
import { failure } from './support';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const task = { kind: 'markov', vocabulary: 5, length: 8, seed: 3 } as const;
const small = {
  vocabulary: 5,
  dModel: 8,
  layers: 2,
  length: 8,
  mixers: [{ id: 'softmax', heads: 2 }],
  feedForward: 8,
} as const;
const how = { steps: 30, batch: 8, learningRate: 0.01, warmUp: 2, clip: 1, seed: 5 } as const;

/** Trains to the end, or until so many steps are done; the points of the curve. */
async function train(model: LanguageModel, until = Number.POSITIVE_INFINITY) {
  const points: TrainingPoint[] = [];
  for (;;) {
    const slice = await model.advance({ milliseconds: 0 });
    points.push(...slice.points);
    if (slice.done || slice.finished >= until) return points;
  }
}

describe('a language model', () => {
  it('tells its sizes, and what its layers carry', async () => {
    const model = await LanguageModel.create(client, {
      ...small,
      mixers: [{ id: 'softmax' }, { id: 'retention' }],
    });
    const info = await model.info();
    const counted = info.tensors.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
    expect(info.parameters).toBe(counted);
    expect(info.layers.map(({ mixer }) => mixer)).toEqual(['softmax', 'retention']);
    expect(info.layers.map(({ constantState }) => constantState)).toEqual([false, true]);
    expect(await model.stateBytes(8)).toBe(info.stateBytes);
    const [cache, state] = info.layers.map(({ stateNumbers }) => stateNumbers);
    expect((cache as number) + (state as number)).toBe(info.stateBytes / 4);
    // A cache grows with the tokens and a state does not.
    expect((await model.stateBytes(8)) - (await model.stateBytes(4))).toBe((cache as number) * 2);
    const weights = await model.parameter('tok.weight');
    expect([weights.rows, weights.cols]).toEqual([5, 8]);
    await model.dispose();
  });

  it('trains until a step, and no further', async () => {
    const model = await LanguageModel.create(client, { ...small, seed: 1 });
    await model.start({ ...how, task });
    const slice = await model.advance({ milliseconds: 1000, until: 3 });
    expect(slice).toMatchObject({ finished: 3, done: false });
    expect(slice.points).toHaveLength(3);
    expect((await model.advance({ milliseconds: 1000, until: 3 })).points).toEqual([]);
    expect(await failure(model.advance({ until: -1 }))).toMatchObject({
      code: 'value',
      argument: 'until',
    });
    await model.dispose();
  });

  it('keeps the input of every second layer only, counts it, and learns the same bit for bit', async () => {
    const trained = async (checkpointEvery: number) => {
      const model = await LanguageModel.create(client, { ...small, layers: 5, seed: 1 });
      await model.start({ ...how, steps: 4, task, checkpointEvery });
      await train(model);
      const [work, curve, saved] = [
        await model.stepWork(),
        await model.curve(),
        await model.save(),
      ];
      await model.dispose();
      return { work, curve, saved };
    };
    const plain = await trained(0);
    const segments = await trained(2);
    expect(segments.curve).toEqual(plain.curve);
    expect(segments.saved).toEqual(plain.saved);
    const plan = await client.checkpointPlan({
      ...{ layers: 5, segment: 2, lastSegmentKept: true },
      numbersPerLayer: plain.work.largestLayer,
      numbersPerInput: plain.work.layerInput,
    });
    expect(plain.work).toMatchObject({ layerForwards: 5, keptNumbers: plan.peakWithout });
    expect(segments.work).toMatchObject({
      layerForwards: 5 + plan.extraLayerForwards,
      keptNumbers: plan.peak,
    });
    expect(plan.peak).toBeLessThan(plan.peakWithout);
  });

  it('trains slice by slice, learns, and can be gone on with after a reload, bit for bit', async () => {
    const whole = await LanguageModel.create(client, { ...small, seed: 1 });
    const begun = await whole.start({ ...how, task });
    expect(begun).toMatchObject({ steps: 30, finished: 0, chanceLoss: Math.log(5) });
    const curve = await train(whole);
    expect(curve.map(({ step }) => step)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    expect(await whole.curve()).toEqual(curve);
    expect(curve[29]?.loss).toBeLessThan(curve[0]?.loss as number);

    const part = await LanguageModel.create(client, { ...small, seed: 1 });
    await part.start({ ...how, task });
    await train(part, 11);
    const run = await part.export({ about: 'eleven steps' });
    await part.dispose();
    expect(await client.aboutFile({ file: run })).toBe('eleven steps');
    const rest = await LanguageModel.create(client, { ...small, seed: 99 });
    expect(await rest.start({ ...how, task, run })).toMatchObject({ finished: 11 });
    await train(rest);
    expect(await rest.curve()).toEqual(curve);
    expect(await rest.evaluate({ batches: 2 })).toEqual(await whole.evaluate({ batches: 2 }));
    expect(await rest.save()).toEqual(await whole.save());
    await Promise.all([whole.dispose(), rest.dispose()]);
  });

  it('leaves the heap where it was after 2,000 steps', async () => {
    const model = await LanguageModel.create(client, { ...small, layers: 1, seed: 3 });
    await model.start({ ...how, task, steps: 2001, batch: 8 });
    await model.advance({ milliseconds: 0 });
    const before = (await client.memoryInfo()).bytes;
    while (!(await model.advance()).done);
    expect((await model.curve()).length).toBe(2001);
    // The heap begins with 64 MB, so that 32 KB left behind by each step would make it grow. The
    // matrices of one step are about 100 KB.
    expect((await client.memoryInfo()).bytes).toBe(before);
    await model.dispose();
  });

  it('is saved, loaded, read and made to speak', async () => {
    const model = await LanguageModel.create(client, { ...small, seed: 2 });
    await model.start({ ...how, task, steps: 5 });
    await train(model);
    const quantiles = await model.gradientQuantiles({ probabilities: [0, 0.5, 1] });
    const curve = await model.curve();
    const norm = Math.hypot(...quantiles.map((one) => one.norm));
    expect(norm).toBeCloseTo(curve[4]?.gradientNorm as number, 5);
    for (const { quantiles: each } of quantiles)
      expect([...each]).toEqual([...each].sort((a, b) => a - b));

    const tokens = [0, 1, 2, 3, 4, 0, 1, 2];
    const matrices = await model.attention({ tokens });
    expect(matrices.map(({ layer, which }) => [layer, which])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
    for (const { weights } of matrices) {
      for (let i = 0; i < 8; i++) {
        const row = weights.data.subarray(i * 8, i * 8 + 8);
        expect(row.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 5);
        expect([...row.subarray(i + 1)].every((x) => x === 0)).toBe(true);
      }
    }
    expect(await model.attention({ tokens, layer: 1 })).toHaveLength(2);

    const file = await model.save({ about: 'mine' });
    const again = await LanguageModel.create(client, { ...small, file });
    expect(await again.logits({ tokens })).toEqual(await model.logits({ tokens }));
    // Greedy: every token is the largest logit after the ones before it.
    const said = await again.generate({ prompt: [3], count: 5, temperature: 0 });
    const text = [3, ...said];
    const logits = await again.logits({ tokens: text.slice(0, -1) });
    said.forEach((token, i) => {
      const row = [...logits.data.subarray(i * 5, i * 5 + 5)];
      expect(token).toBe(row.indexOf(Math.max(...row)));
    });
    const sample = (seed: number) => again.generate({ prompt: [3], count: 7, seed });
    expect(await sample(4)).toEqual(await sample(4));
    const losses = await again.losses({ tokens: text.slice(0, -1), targets: [...said] });
    const chain = await client.markovSource({ vocabulary: 5, seed: 3 });
    expect(losses).toHaveLength(5);
    const rows = chain.transitions.data;
    const nats = [...said].map(
      (token, i) => -Math.log(rows[(text[i] as number) * 5 + token] as number),
    );
    const loss = await client.markovLoss({ vocabulary: 5, seed: 3, tokens: text });
    expect(loss).toBeCloseTo(nats.reduce((a, b) => a + b, 0) / 5, 5);
    await Promise.all([model.dispose(), again.dispose()]);
  });

  it('is opened from what it saved with nothing beside it, also in whole numbers of 8 bits', async () => {
    const options = { ...small, tied: true, norm: 'rms', positions: false } as const;
    const model = await LanguageModel.create(client, { ...options, seed: 1 });
    const tokens = [0, 1, 2, 3, 4];
    const logits = await model.logits({ tokens });
    const exact = await LanguageModel.open(client, { file: await model.save() });
    expect(await exact.logits({ tokens })).toEqual(logits);
    expect(await exact.info()).toEqual(await model.info());
    const small8 = await model.save({ numbers: 'int8', about: 'small' });
    expect(await client.aboutFile({ file: small8 })).toBe('small');
    const rounded = await LanguageModel.open(client, { file: small8 });
    const largest = Math.max(...logits.data.map(Math.abs));
    const differences = (await rounded.logits({ tokens })).data.map((x, i) =>
      Math.abs(x - (logits.data[i] as number)),
    );
    expect(Math.max(...differences)).toBeGreaterThan(0);
    // Half a code is 1/254 of a row's largest number, in each of some ten matrices.
    expect(Math.max(...differences)).toBeLessThan(0.05 * largest);
    // A run of a training does not say how its model is built, nor a model its tokens.
    await rounded.start({ ...how, steps: 2, task });
    expect(
      await failure(LanguageModel.open(client, { file: await rounded.export() })),
    ).toMatchObject({ code: 'value', argument: 'file' });
    expect((await failure(Tokenizer.open(client, { file: small8 }))).argument).toBe('file');
    for (const one of [model, exact, rounded]) await one.dispose();
  });

  it('sees later tokens where it is told to; prefix losses do not', async () => {
    const model = await LanguageModel.create(client, { ...small, sees: 'all' });
    const { tokens, targets } = await client.drawBatch({ task, batch: 2, seed: 1 });
    const batch = { tokens, targets, batch: 2 };
    const [all, prefix] = [await model.losses(batch), await model.prefixLosses(batch)];
    expect(all[0]).not.toBeCloseTo(prefix[0] as number, 6);
    // At the last place there is nothing later.
    expect(all[7]).toBeCloseTo(prefix[7] as number, 5);
    await model.dispose();
  });

  it('sees only what comes behind where it is told to', async () => {
    const model = await LanguageModel.create(client, { ...small, sees: 'strictlyLater' });
    const tokens = [0, 1, 2, 3, 4, 0, 1, 2];
    for (const { weights } of await model.attention({ tokens })) {
      for (let i = 0; i < 8; i++) {
        const row = weights.data.subarray(i * 8, i * 8 + 8);
        expect([...row.subarray(0, i + 1)].every((x) => x === 0)).toBe(true);
        expect(row.reduce((sum, x) => sum + x, 0)).toBeCloseTo(i < 7 ? 1 : 0, 5);
      }
    }
    await model.start({ ...how, task, steps: 5 });
    expect((await train(model)).every(({ loss }) => Number.isFinite(loss))).toBe(true);
    await model.dispose();
    const linear = { ...small, mixers: [{ id: 'linear' }], sees: 'strictlyLater' } as const;
    expect((await failure(LanguageModel.create(client, linear))).argument).toBe('sees');
  });

  it('refuses what does not fit, by name', async () => {
    const create = (input: object) => failure(LanguageModel.create(client, { ...small, ...input }));
    expect((await create({ mixers: [{ id: 'nothing' }] })).argument).toBe('mixer');
    expect((await create({ file: new Uint8Array(3) })).argument).toBe('file');
    expect((await create({ layers: 0 })).argument).toBe('layers');
    const model = await LanguageModel.create(client, small);
    expect((await failure(model.advance())).argument).toBe('handle');
    expect((await failure(model.start({ task: { ...task, length: 99 } }))).argument).toBe('length');
    expect((await failure(model.start({ task, run: new Uint8Array(9) }))).code).toBe('value');
    expect((await failure(model.logits({ tokens: [7] }))).code).toBe('value');
    await model.dispose();
  });
});

describe('tasks and tokens', () => {
  it('say their chance and floor, and draw what they say', async () => {
    const source = await client.markovSource({ vocabulary: 16, seed: 0 });
    const chain = await client.describeTask({ kind: 'markov', vocabulary: 16, seed: 0 });
    expect(chain.floorLoss).toBe(source.entropyRate);
    const recall = await client.describeTask({
      kind: 'recall',
      vocabulary: 128,
      length: 64,
      pairs: 8,
    });
    expect(recall.chanceAccuracy).toBe(1 / 64);
    const drawn = await client.drawBatch({
      task: { kind: 'reverse', vocabulary: 6, length: 8 },
      batch: 3,
      seed: 4,
    });
    for (let s = 0; s < 3; s++) {
      const list = [...drawn.tokens.subarray(s * 8, s * 8 + 4)];
      expect([...drawn.targets.subarray(s * 8 + 4, s * 8 + 8)]).toEqual(list.reverse());
    }
    const shares = await Promise.all(
      [undefined, 'taylor', 'elu_plus_one'].map((featureMap) =>
        client.recallShare({ pairs: 32, seed: 1, ...(featureMap && { featureMap }) }),
      ),
    );
    expect([...shares].sort((a, b) => b - a)).toEqual(shares);
  });

  it('repeat with periods of their own, and hold longer ones out', async () => {
    const task = { kind: 'period', vocabulary: 32, length: 48 } as const;
    const told = await client.describeTask(task);
    expect(told).toMatchObject({ vocabulary: 32, chanceAccuracy: 1 / 32, floorLoss: 0 });
    expect(told.positionAccuracy).toBeGreaterThan(0.1);
    expect(told.positionAccuracy).toBeLessThan(0.4);
    expect(told.heldOut.chanceAccuracy).toBe(1 / 32);
    expect(told.maskToken).toBeUndefined();
    const fixed = await client.describeTask({ ...task, shortest: 12, longest: 12 });
    expect(fixed.positionAccuracy).toBe(1);
    for (const heldOut of [false, true]) {
      const { tokens, targets } = await client.drawBatch({ task, batch: 30, heldOut });
      for (let first = 0; first < tokens.length; first += 48) {
        const period = targets.subarray(first).findIndex((target) => target !== -100);
        expect(period).toBeGreaterThanOrEqual(heldOut ? 25 : 8);
        expect(period).toBeLessThanOrEqual(heldOut ? 32 : 24);
        for (let t = period; t < 48; t++) {
          expect(targets[first + t]).toBe(tokens[first + t + 1 - period]);
        }
      }
    }
    expect((await failure(client.describeTask({ ...task, longest: 40 }))).argument).toBe('longest');
  });

  it('copy a piece to another place, and hide tokens', async () => {
    const segment = { kind: 'segment', vocabulary: 32, length: 48, piece: 10 } as const;
    const { tokens, targets } = await client.drawBatch({ task: segment, batch: 5, seed: 2 });
    for (let first = 0; first < tokens.length; first += 48) {
      const asked = targets.subarray(first, first + 48);
      const places = [...asked.keys()].filter((t) => asked[t] !== -100);
      expect(places).toHaveLength(9);
      for (const t of places) expect(asked[t]).toBe(tokens[first + t + 1]);
    }
    expect((await client.describeTask(segment)).floorLoss).toBeNaN();
    const long = client.drawBatch({ task: { ...segment, piece: 30 }, batch: 1 });
    expect((await failure(long)).argument).toBe('piece');

    const text = [...'abcabdabcabeabcabd'].map((letter) => letter.charCodeAt(0) - 97);
    const hiding = {
      kind: 'text',
      vocabulary: 5,
      length: 8,
      text,
      heldOut: 0,
      masked: 0.25,
    } as const;
    const told = await client.describeTask(hiding);
    expect(told).toMatchObject({ vocabulary: 6, maskToken: 5, chanceAccuracy: 1 / 5 });
    expect(told.unigramEntropy).toBeLessThan(Math.log(5));
    const hidden = await client.drawBatch({ task: hiding, batch: 4 });
    for (let s = 0; s < 4; s++) {
      const asked = hidden.targets.subarray(s * 8, s * 8 + 8).filter((target) => target !== -100);
      expect(asked).toHaveLength(2);
    }
    // A model that sees both sides learns from it.
    const model = await LanguageModel.create(client, { ...small, vocabulary: 6, sees: 'all' });
    await model.start({ ...how, task: hiding, steps: 60 });
    const curve = await train(model);
    expect(curve[59]?.loss).toBeLessThan((curve[0]?.loss as number) - 0.3);
    await model.dispose();
  });

  it('keep the end of a text for evaluation', async () => {
    const text = 'the cat sat on the mat and the rat sat on the cat. ';
    const tokens = await Tokenizer.create(client, { text, merges: 4 });
    const { vocabulary, texts } = await tokens.info();
    expect(texts).toHaveLength(vocabulary);
    const coded = await tokens.encode(text);
    expect(coded.length).toBeLessThan(text.length);
    expect(await tokens.decode([...coded])).toBe(text);
    const of = { kind: 'text', vocabulary, length: 3, text: [...coded], heldOut: 0.3 } as const;
    const { unigramEntropy, floorLoss } = await client.describeTask(of);
    expect(unigramEntropy).toBeLessThan(Math.log(vocabulary));
    expect(floorLoss).toBeNaN();
    const kept = [...coded].slice(-Math.floor(coded.length * 0.3)).join();
    const held = await client.drawBatch({ task: of, batch: 4, heldOut: true });
    for (let s = 0; s < 4; s++) {
      expect(kept).toContain([...held.tokens.subarray(s * 3, s * 3 + 3)].join());
    }
    await tokens.dispose();
  });
});

describe('the golden tiny language model', () => {
  interface Tensor {
    readonly shape: readonly number[];
    readonly data: readonly number[];
  }
  interface Case {
    readonly name: string;
    readonly params: Record<string, number | string | boolean>;
    readonly inputs: Record<string, Tensor>;
    readonly expected: Record<string, Tensor>;
  }
  const golden = new URL('../golden/tiny_lm.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(golden, 'utf8')) as { cases: Case[] };

  /** The parameters of a case as a .safetensors file, written by another hand than the core's. */
  const fileOf = (tensors: readonly [string, Tensor][]): Uint8Array => {
    let at = 0;
    const entries = tensors.map(([name, { shape, data }]) => {
      const entry = { dtype: 'F32', shape, data_offsets: [at, at + 4 * data.length] };
      at += 4 * data.length;
      return [name, entry];
    });
    const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
    const file = new Uint8Array(8 + header.length + at);
    new DataView(file.buffer).setUint32(0, header.length, true);
    file.set(header, 8);
    const numbers = Float32Array.from(tensors.flatMap(([, { data }]) => data));
    file.set(new Uint8Array(numbers.buffer), 8 + header.length);
    return file;
  };

  it.each(cases)('$name: logits and losses', async ({ params, inputs, expected }) => {
    const { tokens, targets, ...weights } = inputs as Record<'tokens' | 'targets', Tensor>;
    const sees = {
      causal: 'earlier',
      none: 'all',
      reverse: 'later',
      strict_reverse: 'strictlyLater',
    } as const;
    const model = await LanguageModel.create(client, {
      vocabulary: params.vocab as number,
      dModel: params.d_model as number,
      layers: params.layers as number,
      length: params.T as number,
      feedForward: params.ff as number,
      mixers: [{ heads: params.heads as number, bias: true }],
      sees: sees[params.mask as keyof typeof sees],
      activation: params.gelu === 'tanh' ? 'geluTanh' : 'gelu',
      tied: params.tied as boolean,
      file: fileOf(Object.entries(weights)),
    });
    const batch = { tokens: tokens.data, targets: targets.data, batch: params.B as number };
    const logits = await model.logits({ tokens: batch.tokens, batch: batch.batch });
    expected.logits?.data.forEach((want, i) => {
      expect(logits.data[i]).toBeCloseTo(want, 4);
    });
    const counted = targets.data.filter((target) => target !== -100).length;
    const losses = await model.losses(batch);
    expect(losses.reduce((a, b) => a + b, 0) / counted).toBeCloseTo(
      expected.losses?.data[0] as number,
      4,
    );
    await model.dispose();
  });
});
