/** Figures of the lab on attention, features and wide networks, with answers that a core made for the test gives. */
import { describe, expect, it, vi } from 'vitest';
import '../../web/src/styles/bench.css';
import '../../web/labs/kernel-attention/kernel-attention.css';
import '../../web/labs/kernel-attention/figures/line/line';
import { figureWords } from '../../web/labs/kernel-attention/words/figures';
import { answered } from './lab-figure';
import { all, inside, textOf } from './support';

const matrix = (rows: number, cols: number, data: ArrayLike<number>) => ({
  ...{ rows, cols, data: Float32Array.from(data) },
});

/** The figure of this tag with its answer. */
const figure = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, core: object, search = '') =>
  answered(tag, { client: core, lab: 'kernel-attention', search });
const line = (of: Element): string => textOf(inside(of, '.result-line'));

interface Asked {
  readonly q: { readonly rows: number; readonly data: Float32Array };
  readonly k: { readonly rows: number; readonly data: Float32Array };
  readonly v: { readonly data: Float32Array };
}

describe('the mean that follows the query', () => {
  /** Answers with all the weight on the second key, and remembers what it was asked. */
  function core() {
    const asked: Asked[] = [];
    const attention = async (input: Asked) => {
      asked.push(input);
      const { q, k, v } = input;
      const weights = matrix(q.rows, k.rows, Array(q.rows * k.rows).fill(0));
      for (let row = 0; row < q.rows; row++) weights.data[row * k.rows + 1] = 1;
      return { output: matrix(q.rows, 1, Array(q.rows).fill(v.data[1])), weights };
    };
    return { asked, client: { attention } };
  }
  const shown = (client: object, search = '') =>
    figure('attn-smoothing-line', client, `?one.pairs=-1,0.5;0.5,-1;2,1${search}`);

  it('says the mean, and the key with the largest weight, for which it draws a bar', async () => {
    const element = await shown(core().client, '&one.q=0.25');
    expect(line(element)).toBe(
      'At q = 0.25 the mean of the values is −1.00. The key at 0.5 has the largest weight, 1.00.',
    );
    const bars = all(element, '.kernel-picture svg rect[fill-opacity]');
    expect(bars.map((bar) => bar.getAttribute('height'))).toEqual(['0', '130', '0']);
  });

  it('asks for scores that are those of the distance, or of the product', async () => {
    const { asked, client } = core();
    const element = await shown(client, '&one.sharp=2');
    /** The scores of a query with the keys that the core was asked for last. */
    const scores = (query: number): number[] => {
      const { k } = asked.at(-1) as Asked;
      return Array.from({ length: k.rows }, (_, j) => {
        const [first = 0, second = 0] = k.data.subarray(2 * j, 2 * j + 2);
        return query * first + second;
      });
    };
    /** Weights are the same where scores differ by one number in a whole row. */
    const apart = (of: readonly number[]): number[] => of.map((one) => one - (of[0] ?? 0));
    const keys = [-1, 0.5, 2];
    const queries = [-3, 0.25, 2];
    for (const query of queries) {
      const wanted = apart(keys.map((key) => -2 * (query - key) ** 2));
      for (const [j, one] of apart(scores(query)).entries())
        expect(one).toBeCloseTo(wanted[j] ?? 0, 4);
    }
    element.tryOut({ id: 'product', title: 'Product', values: { kernel: 'product' } });
    await vi.waitFor(() => expect(asked.length).toBe(2));
    for (const query of queries) {
      for (const [j, key] of keys.entries())
        expect(scores(query)[j]).toBeCloseTo(2 * query * key, 4);
    }
    // Every query of the curve has the 1 that brings in what belongs to the key alone.
    for (const { q } of asked) {
      expect([...q.data].filter((_, i) => i % 2 === 1).every((one) => one === 1)).toBe(true);
    }
  });

  it('is moved by the grips of its dots and of the query', async () => {
    const element = await shown(core().client);
    const grips = all(element, '.kernel-grip');
    expect(grips).toHaveLength(4);
    const press = (at: number, key: string) =>
      grips[at]?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press(3, 'ArrowLeft');
    await vi.waitFor(() => expect(line(element)).toContain('At q = 0.84'));
    press(0, 'ArrowUp');
    await vi.waitFor(() => {
      expect(all(element, '.kernel-grip')[0]?.getAttribute('aria-label')).toContain('value 0.55');
    });
  });
});

describe('what a smoother learns', () => {
  const shown = async (losses: readonly number[]) => {
    await figureWords.with(
      () => import('../../web/labs/kernel-attention/figures/smoother/smoother'),
    );
    const row = (cols: number) => matrix(1, cols, Array(cols).fill(0.1));
    const core = {
      smootherFit: async ({ x, y }: { x: readonly number[]; y: readonly number[] }) => ({
        ...{ keys: x, values: y, gamma: 2.5, losses: Float64Array.from(losses) },
      }),
      compareSmootherWithAttention: async ({ q, k }: Record<'q' | 'k', { rows: number }>) => ({
        smoother: { output: row(q.rows), weights: row(q.rows * k.rows) },
        ...{ attentionOutput: row(q.rows), attentionWeights: row(q.rows * k.rows) },
        ...{ biasedWeights: row(q.rows * k.rows), difference: 0.5, biasedDifference: 0 },
      }),
    };
    return line(await figure('attn-kernel-smoother', core, '?one.learn=width'));
  };

  it('writes the error before and after with digits that differ', async () => {
    expect(await shown([0.5, 0.3, 0.25])).toContain('goes from 0.500 to 0.250 in 2 steps');
    expect(await shown([0.39642, 0.3963, 0.39616])).toContain(
      'hardly changes: it is 0.3964 before and 0.3962 after 2 steps',
    );
  });
});

describe('softmax beside the bumps', () => {
  it('has an outline for each weight of the scores alone, over the bars of the weights', async () => {
    await figureWords.with(
      () => import('../../web/labs/kernel-attention/figures/smoother/smoother'),
    );
    const filled = (rows: number, cols: number, weight: number) =>
      matrix(rows, cols, Array(rows * cols).fill(weight));
    const core = {
      compareSmootherWithAttention: async ({ q, k }: Record<'q' | 'k', { rows: number }>) => ({
        smoother: { output: filled(q.rows, 1, 0), weights: filled(q.rows, k.rows, 0.2) },
        ...{ attentionOutput: filled(q.rows, 1, 0), attentionWeights: filled(q.rows, k.rows, 0.6) },
        ...{ biasedWeights: filled(q.rows, k.rows, 0.2), difference: 0.4, biasedDifference: 0 },
      }),
    };
    const element = await figure('attn-kernel-smoother', core, '?one.p=-1,0.5;0.5,-1');
    const heights = (of: string) =>
      all(element, `.kernel-picture svg ${of}`).map((bar) => bar.getAttribute('height'));
    expect(heights('rect[fill-opacity]')).toEqual(['26', '26']);
    expect(heights('rect.beside')).toEqual(['78', '78']);
  });
});

describe('who asks and who is asked', () => {
  it('outlines the largest score between two tokens and the one of the other way, and says both', async () => {
    await figureWords.with(
      () => import('../../web/labs/kernel-attention/figures/projected/projected'),
    );
    const values = matrix(3, 3, [9, 1, 2, 3, 8, 7, 4, 5, 6]);
    const core = {
      randomProjectedKernel: async () => ({ values, asymmetry: 0.5, smallestShare: -0.1 }),
    };
    const element = await figure('attn-kernel-projected', core);
    expect(line(element)).toContain('2 asks 3 with 7.0, 3 asks 2 with 5.0');
    const outlined = all(element, 'svg rect[fill="none"][stroke-width="3"]').map((rect) =>
      ['x', 'y'].map((name) => Math.round(Number(rect.getAttribute(name)) / (380 / 3))),
    );
    expect(outlined).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });
});
