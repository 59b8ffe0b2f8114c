/** Gates on the heads of a language model, what they are worth, and other heads in their place, as a page uses them. */
import { afterAll, expect, it } from 'vitest';
import { LanguageModel, type Matrix, type ModelGates } from '../../wasm/client';
import { createFullTestClient } from './in_process';
import { expectClose, failure } from './support';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const made = {
  vocabulary: 7,
  dModel: 8,
  layers: 2,
  length: 8,
  mixers: [{ id: 'softmax', heads: 4 }],
  embeddingSize: 0.5,
  seed: 3,
} as const;
const tokens = Int32Array.of(3, 1, 4, 1, 5, 0, 2, 6, 5, 3);
const targets = Int32Array.of(1, 4, 1, 5, 2, 2, 6, 5, 3, 0);
const batch = { tokens, targets, batch: 2 };
const heads = [0, 1].flatMap((layer) => [0, 1, 2, 3].map((head) => ({ layer, head })));
const mean = (losses: Float64Array | readonly number[]) =>
  [...losses].reduce((sum, loss) => sum + loss / losses.length, 0);

it('cuts one head or several, with zeros or means in their place', async () => {
  const model = await LanguageModel.create(client, made);
  const whole = await model.losses(batch);
  const open = { heads: heads.map((head) => ({ ...head, gate: 1 })) };
  expect(await model.losses({ ...batch, gates: open })).toEqual(whole);
  expect(await model.logits({ tokens, batch: 2, gates: open })).toEqual(
    await model.logits({ tokens, batch: 2 }),
  );
  const instead = await model.headMeans({ tokens, batch: 2 });
  expect(instead.map(({ rows, cols }) => [rows, cols])).toEqual([
    [4, 2],
    [4, 2],
  ]);
  const cuts: ModelGates[] = [
    { heads: heads.slice(0, 1) },
    { heads: heads.slice(0, 3) },
    { heads, instead },
  ];
  const losses = [];
  for (const gates of cuts) losses.push(mean(await model.losses({ ...batch, gates })));
  expect(new Set([mean(whole), ...losses]).size).toBe(4);

  // The attention of the later layer changes, that of the cut heads' own does not.
  const text = tokens.slice(0, 5);
  const gates = { heads: heads.slice(0, 4) };
  const before = await model.attention({ tokens: text });
  const after = await model.attention({ tokens: text, gates });
  expectClose(
    (after[0] as { weights: Matrix }).weights,
    (before[0] as { weights: Matrix }).weights,
    0,
  );
  expect(after[5]?.weights.data).not.toEqual(before[5]?.weights.data);
  const said = { prompt: text, count: 4, temperature: 0 };
  expect(await model.generate({ ...said, gates: open })).toEqual(await model.generate(said));
  await model.dispose();
});

it('says how much heads matter, and what is lost as they are cut in an order and in random ones', async () => {
  const model = await LanguageModel.create(client, made);
  const { losses, layers } = await model.headImportance(batch);
  expect(mean(losses)).toBeCloseTo(mean(await model.losses(batch)), 5);
  expect(layers.map(({ importance }) => importance.length)).toEqual([4, 4]);
  const order = heads.slice(4);
  const cut = await model.cutHeads({ ...batch, orders: [order], randomOrders: 2, mean: true });
  const instead = await model.headMeans({ tokens, batch: 2 });
  for (const k of [1, 4]) {
    const gates = { heads: order.slice(0, k), instead };
    expect(cut.losses[0]?.[k - 1]).toBeCloseTo(mean(await model.losses({ ...batch, gates })), 5);
  }
  expect(cut.heads).toEqual(heads);
  expect(cut.alone).toHaveLength(8);
  expect(cut.randomOrders.map(({ length }) => length)).toEqual([8, 8]);
  // Without any head the order no longer counts.
  const [one, two] = cut.randomLosses.map((all) => all.at(-1));
  expect(one).toBe(two);
  await model.dispose();
});

it('has fewer heads of keys and values afterwards, and is trained on', async () => {
  const model = await LanguageModel.create(client, made);
  const before = await model.info();
  const after = await model.groupHeads(1);
  expect(after.stateBytes * 4).toBe(before.stateBytes);
  expect(after.parameters).toBeLessThan(before.parameters);
  const task = { kind: 'markov', vocabulary: 7, length: 8, seed: 3 } as const;
  await model.start({ task, steps: 30, batch: 8, learningRate: 0.01 });
  const slice = await model.advance({ milliseconds: 1000 });
  expect(slice.points.at(-1)?.loss).toBeLessThan(slice.points[0]?.loss as number);
  // A model of such heads is made as any other, from the file too.
  const file = await model.save();
  const again = await LanguageModel.create(client, {
    ...made,
    mixers: [{ id: 'softmax', heads: 4, kvHeads: 1 }],
    file,
  });
  expect(await again.losses(batch)).toEqual(await model.losses(batch));
  await Promise.all([model.dispose(), again.dispose()]);
});

it('becomes latent attention, keeps what its vector and its key are wide, and is trained on', async () => {
  const rotary = {
    ...{ vocabulary: 7, dModel: 32, length: 8, layers: 2, seed: 4, embeddingSize: 0.5 },
    ...{ positions: false, mixers: [{ id: 'softmax', heads: 4, parameters: { rotary: 1 } }] },
  };
  const model = await LanguageModel.create(client, rotary);
  const before = await model.losses(batch);
  const after = await model.latentHeads({ latent: 12, rope: 4 });
  expect(after.layers.map(({ mixer, stateNumbers }) => [mixer, stateNumbers])).toEqual([
    ['mla', 8 * 16],
    ['mla', 8 * 16],
  ]);
  expect(await model.losses(batch)).not.toEqual(before);
  const task = { kind: 'markov', vocabulary: 7, length: 8, seed: 3 } as const;
  await model.start({ task, steps: 30, batch: 8, learningRate: 0.01 });
  const slice = await model.advance({ milliseconds: 1000 });
  expect(slice.points.at(-1)?.loss).toBeLessThan(slice.points[0]?.loss as number);
  expect(await failure(model.latentHeads({ latent: 8 }))).toMatchObject({ argument: 'model' });
  await model.dispose();
});

it('distils the softmax of one head into a feature map', async () => {
  const model = await LanguageModel.create(client, made);
  const at = { layer: 1, head: 2 };
  const { wq, wk, loss, floor } = await model.distillHead({ tokens, batch: 2, ...at, steps: 60 });
  expect(loss).toHaveLength(61);
  expect(loss.at(-1)).toBeLessThan(loss[0] as number);
  expect(loss.at(-1)).toBeGreaterThanOrEqual(floor);
  const gates = { maps: [{ ...at, wq, wk }] };
  const mapped = await model.losses({ ...batch, gates });
  expect(mapped).not.toEqual(await model.losses(batch));
  const text = tokens.slice(0, 5);
  const softmax = await model.attention({ tokens: text, layer: 1 });
  const map = await model.attention({ tokens: text, layer: 1, gates });
  expectClose(
    (map[1] as { weights: Matrix }).weights,
    (softmax[1] as { weights: Matrix }).weights,
    0,
  );
  expect(map[2]?.weights.data).not.toEqual(softmax[2]?.weights.data);
  await model.dispose();
});

it('refuses heads that are not there, by name', async () => {
  const model = await LanguageModel.create(client, made);
  const refused = (gates: ModelGates) => failure(model.losses({ ...batch, gates }));
  expect(await refused({ heads: [{ layer: 2, head: 0 }] })).toMatchObject({ argument: 'layer' });
  expect(await refused({ heads: [{ layer: 0, head: 4 }] })).toMatchObject({ argument: 'head' });
  expect(await failure(model.groupHeads(3))).toMatchObject({ argument: 'kvHeads' });
  await model.dispose();
});
