/** What predictions are compared with, asked of the core when a reader has committed. */
import { type FeatureMapInfo, withCore } from '#client';
import type { Ask, LabTools } from '../../src/lab/types.ts';
import { measureQuality, measureTime } from './figures/registry/measure.ts';
import { type Draw, drawOf } from './figures/shared/source.ts';

/** The course text's data. */
const HANDOUT = { n: 100, dK: 64, dV: 64 } as const;
const SEEDS = 20;
const TIMED = { n: 1024, dK: 64, dV: 64 } as const;

async function* draws(tools: LabTools, ask: Ask): AsyncGenerator<Draw> {
  const source = { ...HANDOUT, source: 'gaussian', seed: 1 } as const;
  for (let i = 0; i < SEEDS; i++) yield drawOf(source, i, tools, ask, '');
}

async function correlations(tools: LabTools, ask: Ask, ids: readonly string[]) {
  const full = await tools.full();
  const maps = await tools.client.featureMaps();
  const found: Record<string, number> = {};
  for (const [i, id] of ids.entries()) {
    const info = maps.find((map) => map.id === id) as FeatureMapInfo;
    const { signal } = ask;
    const row = await measureQuality(full, info, draws(tools, ask), { scaled: true, signal });
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
  const qkv = await tools.client.gaussianQkv({ ...HANDOUT, seed: 1 }, { signal });
  const featureMap = { id: 'elu_plus_one' };
  const { mseBound } = await withCore(tools.client).compareToSoftmax(
    { ...qkv, featureMap },
    { signal },
  );
  return mseBound;
}

export async function unbiased(tools: LabTools, ask: Ask): Promise<string> {
  const found = await correlations(tools, ask, ['softmax_kernel', 'elu_plus_one']);
  return (found.softmax_kernel ?? 0) > (found.elu_plus_one ?? 0) ? 'random' : 'elu';
}

/** The share of queries of width 4 that ReLU makes the zero vector. */
export async function dead(tools: LabTools, { signal, onProgress }: Ask): Promise<number> {
  const full = await tools.full();
  const values: number[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const qkv = await tools.client.gaussianQkv({ n: 512, dK: 4, dV: 1, seed }, { signal });
    const asked = { ...qkv, featureMap: { id: 'relu' }, spectrum: false };
    values.push((await full.analyzeFeatureMapQuality(asked, { signal })).deadQueries);
    onProgress(seed / SEEDS);
  }
  return (await full.quantiles({ values, probabilities: [0.5] }, { signal }))[0] ?? Number.NaN;
}

/** Which is faster here, now. */
export async function time(tools: LabTools, { signal }: Ask): Promise<string> {
  const full = await tools.full();
  const { milliseconds, softmaxMilliseconds } = await measureTime(
    full,
    { id: 'taylor' },
    TIMED,
    signal,
  );
  return milliseconds < softmaxMilliseconds ? 'taylor' : 'softmax';
}
