/** Figures of the heads lab on the anatomy of a layer and on names: what they say is what the core says. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../wasm/client';
import '../../web/src/styles/bench.css';
import '../../web/labs/heads/heads.css';
import { anatomyWords } from '../../web/labs/heads/words/anatomy';
import { meaningWords } from '../../web/labs/heads/words/meaning';
import { colorAt } from '../../web/src/figures/chart';
import { formatNumber } from '../../web/src/plot/format';
import { labFigure } from './lab-figure';
import { all, inside, settled, textOf } from './support';

vi.setConfig({ testTimeout: 120_000 });

const client = createClient({ module: 'full', warmUp: false });
afterAll(() => client.dispose());
const line = (of: Element): string => textOf(inside(of, '.result-line'));
const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

async function done<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  search = '',
): Promise<HTMLElementTagNameMap[Tag]> {
  const element = labFigure(tag, { client, lab: 'heads', search });
  await vi.waitFor(() => inside(element, '.result-line'), { timeout: 100_000, interval: 100 });
  await settled(element);
  return element;
}

describe('the anatomy of a layer', () => {
  it('writes on its boxes the shapes of the arrays that the layer made', async () => {
    await anatomyWords.with(() => import('../../web/labs/heads/figures/shapes/shapes'));
    const figure = await done('attn-head-shapes', '?one.h=4&one.m=7&one.d=64');
    const { shapes } = await client.layerShapes({ n: 10, m: 7, dModel: 64, heads: 4 });
    const said = all(figure, 'svg text').map(textOf).join(' | ');
    const weights = [...(shapes[4] ?? [])];
    expect(weights).toEqual([10, 7]);
    expect(said).toContain(`4 × (${weights.join('×')})`);
    expect(said).toContain('K 7×64');
    expect(said).toContain('Q 10×64');
    expect(said).toContain('4 × (7×16)');
  });

  it('has one colour for the first head, which nothing has that all heads share', async () => {
    await anatomyWords.with(() => import('../../web/labs/heads/figures/shapes/shapes'));
    const figure = await done('attn-head-shapes', '?one.h=4');
    const first = colorAt(1, false);
    // Its slices of Q, K and V, its weights, its output, and four lines between them.
    expect(all(figure, `svg rect[fill="${first}"]`)).toHaveLength(5);
    expect(all(figure, `svg line[stroke="${first}"]`)).toHaveLength(4);
    const whole = Math.max(
      ...all(figure, 'svg rect').map((rect) => Number(rect.getAttribute('width'))),
    );
    for (const rect of all(figure, `svg rect[fill="${first}"]`))
      expect(Number(rect.getAttribute('width'))).toBeLessThan(whole / 2);
  });

  it('says what one head and what eight find', async () => {
    await anatomyWords.with(() => import('../../web/labs/heads/figures/nearest/nearest'));
    const figure = await done('attn-nearest-key', '?one.steps=100');
    const how = { dModel: 8, keys: 16, steps: 100, queries: 32, batch: 4, learningRate: 0.03 };
    const one = await client.learnNearestKey({ ...how, heads: 1 });
    const eight = await client.learnNearestKey({ ...how, heads: 8 });
    expect(line(figure)).toContain(percent(one.heldOutAccuracy));
    expect(line(figure)).toContain(percent(eight.heldOutAccuracy));
    expect(line(figure)).toContain(percent(one.chance));
  });
});

describe('names', () => {
  it('names every head by its largest score, and none of random weights where baselines count', async () => {
    await meaningWords.with(() => import('../../web/labs/heads/figures/names/names'));
    const largest = await done('attn-head-names', '?one.rule=largest&one.pieces=2');
    expect(line(largest)).toContain('16 of 16 heads of the trained model');
    expect(line(largest)).toContain('16 of 16 of a model that has learned nothing');
    const heldOut = await done('attn-head-names', '?one.pieces=2');
    expect(line(heldOut)).toContain('0 of 16 of a model that has learned nothing');
    expect(line(heldOut)).not.toContain('16 of 16 heads');
  });
});

describe('relations of words', () => {
  it('leads from a word to the determiner in front, not past a mark', async () => {
    const { relationOf } = await import('../../web/labs/heads/figures/kinds/word-classes');
    const texts = ['the ', 'white ', 'wh', 'ale', ', ', 'sea'];
    const piece = { tokens: Int32Array.from([1, 2, 3, 4, 5, 6]), texts };
    const { data, cols } = relationOf('syntactic', piece);
    const cells = [...data].flatMap((one, at) =>
      one === 1 ? [[Math.floor(at / cols), at % cols]] : [],
    );
    expect(cells).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    const same = relationOf('semantic', {
      tokens: Int32Array.from([7, 8, 7]),
      texts: texts.slice(0, 3),
    });
    expect([...same.data]).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0]);
  });
});
