/** Compares the Feature Maps lab with the core: what its table shows, and what the course text printed. */
import { afterAll, describe, expect, it } from 'vitest';
import type { FeatureMapInfo } from '#client';
import { quoted } from '../../web/labs/feature-maps/figures/registry/course-quotes';
import { measureQuality } from '../../web/labs/feature-maps/figures/registry/measure-map';
import type { Draw } from '../../web/labs/feature-maps/figures/shared/source';
import { choices } from '../../web/src/figures/map-parameters';
import { createFullTestClient } from '../wasm/in_process';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

async function* draws(n: number, d: number, count: number): AsyncGenerator<Draw> {
  for (let seed = 1; seed <= count; seed++) {
    const qkv = await client.gaussianQkv({ n, dK: d, dV: d, seed });
    yield { qkv, seed, causal: false, scale: undefined };
  }
}

const registry = client.featureMaps();

async function measured(id: string, { scaled = true, features = 128 } = {}) {
  const info = (await registry).find((map) => map.id === id) as FeatureMapInfo;
  return measureQuality(client, info, draws(100, 64, 20), { scaled, features });
}

describe('the registry’s table at n = 100, d = 64, medians over 20 seeds', () => {
  // Expected values are from design/algorithms.md, part 2, lab-03: MSE and correlation, with and without 1/√d.
  it.each([
    ['elu_plus_one', 1.48e-4, 0.413, 6.78e-3, 0.165],
    ['relu', 1.28e-4, 0.493, 6.71e-3, 0.205],
    ['squared_relu', 1.35e-4, 0.41, 6.64e-3, 0.181],
    ['exp', 1.38e-4, 0.404, 6.73e-3, 0.175],
    ['square', 1.58e-4, 0.116, 6.76e-3, 0.099],
    ['hedgehog', 1.36e-4, 0.674, 6.74e-3, 0.274],
    ['taylor', 3.2e-5, 0.943, 6.2e-3, 0.511],
  ])('reproduces %s', async (id, mse, correlation, unscaledMse, unscaledCorrelation) => {
    const [scaled, unscaled] = [await measured(id), await measured(id, { scaled: false })];
    // The seeds differ from NumPy's, and medians of 20 draws then differ by about this much.
    expect(Math.abs(scaled.mse / mse - 1)).toBeLessThan(0.06);
    expect(Math.abs(scaled.correlation - correlation)).toBeLessThan(0.025);
    expect(Math.abs(unscaled.mse / unscaledMse - 1)).toBeLessThan(0.06);
    expect(Math.abs(unscaled.correlation - unscaledCorrelation)).toBeLessThan(0.025);
  });

  it('has a baseline that most maps hardly beat, and a bound that the course text exceeds', async () => {
    const elu = await measured('elu_plus_one');
    expect(Math.abs(elu.uniformMse / 1.58e-4 - 1)).toBeLessThan(0.06);
    expect(elu.mseBound).toBeCloseTo(2 / 100, 12);
    for (const id of ['elu_plus_one', 'relu', 'squared_relu']) {
      const row = await measured(id);
      expect(row.mse).toBeGreaterThan(0.75 * row.uniformMse);
      expect(row.mse).toBeLessThan(row.uniformMse);
      expect(row.outputError).toBeGreaterThan(0.6);
      expect(Number(quoted[id]?.mse)).toBeGreaterThan(row.mseBound);
    }
  });

  it('ranks the three maps of the course text the other way round', async () => {
    const [elu, relu, squared] = [
      await measured('elu_plus_one'),
      await measured('relu'),
      await measured('squared_relu'),
    ];
    expect(relu.correlation).toBeGreaterThan(elu.correlation);
    expect(relu.correlation).toBeGreaterThan(squared.correlation);
    const printed = ['elu_plus_one', 'squared_relu', 'relu'].map((id) =>
      Number(quoted[id]?.correlation),
    );
    expect(printed).toEqual([...printed].sort((a, b) => b - a));
  });

  it('shows random features far from softmax', async () => {
    const [elu, few] = [await measured('elu_plus_one'), await measured('softmax_kernel')];
    expect(few.correlation).toBeLessThan(elu.correlation);
    const many = await measured('softmax_kernel', { features: 1024 });
    expect(many.correlation).toBeGreaterThan(few.correlation);
    expect(many.correlation).toBeLessThan(elu.correlation);
  });

  it('reports observed signs, not those of the formulas', async () => {
    expect((await measured('softmax_kernel_trig')).negativeWeights).toBeGreaterThan(0.3);
    expect((await measured('identity')).trouble.negativeDenominators).toBeGreaterThan(0.3);
    expect((await measured('elu_plus_one')).negativeWeights).toBe(0);
  });
});

describe('the list of maps to choose from', () => {
  it('leaves out exactly the maps that give the weights of another one', async () => {
    const maps = await registry;
    const qkv = await client.gaussianQkv({ n: 24, dK: 8, dV: 8, seed: 1 });
    const weights = await Promise.all(
      maps.map(async ({ id }) => {
        const { implicit } = await client.compareToSoftmax({
          ...qkv,
          featureMap: { id, seed: 1 },
        });
        return [id, implicit.data] as const;
      }),
    );
    const twins = weights.flatMap(([id, mine], i) => {
      // The order of the sums differs, so the weights agree up to rounding.
      const first = weights
        .slice(0, i)
        .find(([, theirs]) => theirs.every((x, j) => Math.abs(x - (mine[j] ?? 0)) < 1e-5));
      return first ? [[id, first[0]] as const] : [];
    });
    expect(twins).toEqual([
      ['taylor_compact', 'taylor'],
      ['t2r', 'relu'],
    ]);
    const listed = Object.keys(choices(maps, 'relu'));
    expect(listed).toHaveLength(maps.length - twins.length);
    for (const [id] of twins) {
      expect(listed).not.toContain(id);
      // A link that has chosen it still shows its name.
      expect(Object.keys(choices(maps, id))).toContain(id);
    }
  });
});
