/** The true answers of the lab's predictions. The core computes each when the reader has answered. */
import type { FeatureMapInfo } from '#client';
import { featureMapsOf } from '../../src/core.ts';
import { keptGaussian } from '../../src/lab/figure/kept-inputs.ts';
import type { Ask, LabTools } from '../../src/lab/types.ts';
import { measureQuality, measureTime } from './figures/registry/measure-map.ts';
import { type Draw, drawOf } from './figures/shared/source.ts';

/** The sizes that the course text uses. */
const HANDOUT = { n: 100, dK: 64, dV: 64 } as const;
const SEEDS = 20;
const TIMED = { n: 1024, dK: 64, dV: 64 } as const;

async function* draws(tools: LabTools, ask: Ask): AsyncGenerator<Draw> {
  const source = { ...HANDOUT, source: 'gaussian', seed: 1 } as const;
  for (let i = 0; i < SEEDS; i++) yield drawOf(source, i, tools, ask, '');
}

async function correlations(tools: LabTools, ask: Ask, ids: readonly string[]) {
  const { client } = tools;
  const maps = await featureMapsOf(tools.client);
  const found: Record<string, number> = {};
  for (const [i, id] of ids.entries()) {
    const info = maps.find((map) => map.id === id) as FeatureMapInfo;
    const { signal } = ask;
    const row = await measureQuality(client, info, draws(tools, ask), { scaled: true, signal });
    found[id] = row.correlation;
    ask.onProgress((i + 1) / ids.length);
  }
  return found;
}

/** Of three maps, the one whose weights correlate best with those of softmax. */
export async function ranking(tools: LabTools, ask: Ask): Promise<string> {
  const found = await correlations(tools, ask, ['elu_plus_one', 'relu', 'squared_relu']);
  const [best] = Object.entries(found).sort(([, a], [, b]) => b - a);
  return best?.[0] ?? '';
}

/** The largest mean squared error that two pictures of averages can have. */
export async function bound(tools: LabTools, { signal }: Ask): Promise<number> {
  const qkv = await keptGaussian(tools.client, { ...HANDOUT, seed: 1 }, { signal });
  const featureMap = { id: 'elu_plus_one' };
  const { mseBound } = await tools.client.compareToSoftmax({ ...qkv, featureMap }, { signal });
  return mseBound;
}

export async function unbiased(tools: LabTools, ask: Ask): Promise<string> {
  const found = await correlations(tools, ask, ['softmax_kernel', 'elu_plus_one']);
  return (found.softmax_kernel ?? 0) > (found.elu_plus_one ?? 0) ? 'random' : 'elu';
}

/** The share of queries of width 4 that ReLU makes the zero vector. */
export async function dead(tools: LabTools, { signal, onProgress }: Ask): Promise<number> {
  const { client } = tools;
  const values: number[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const qkv = await keptGaussian(tools.client, { n: 512, dK: 4, dV: 1, seed }, { signal });
    const asked = { ...qkv, featureMap: { id: 'relu' }, spectrum: false };
    values.push((await client.analyzeFeatureMapQuality(asked, { signal })).deadQueries);
    onProgress(seed / SEEDS);
  }
  return (await client.quantiles({ values, probabilities: [0.5] }, { signal }))[0] ?? Number.NaN;
}

/** The option that is faster on this machine now. */
export async function time(tools: LabTools, { signal }: Ask): Promise<string> {
  const { client } = tools;
  const { milliseconds, softmaxMilliseconds } = await measureTime(
    client,
    { id: 'taylor' },
    TIMED,
    signal,
  );
  return milliseconds < softmaxMilliseconds ? 'taylor' : 'softmax';
}
