/** Figures of the attention surgeon: what they draw and say is what the core says. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../wasm/client';
import '../../web/src/styles/bench.css';
import '../../web/labs/surgeon/surgeon.css';
import '../../web/labs/surgeon/figures/table/table';
import { figureWords } from '../../web/labs/surgeon/words/figures';
import { formatBytes } from '../../web/src/plot/counts';
import { formatNumber } from '../../web/src/plot/format';
import { labFigure } from './lab-figure';
import { all, inside, settled, textOf } from './support';

vi.setConfig({ testTimeout: 120_000 });

const client = createClient({ module: 'full', warmUp: false });
afterAll(() => client.dispose());
const line = (of: Element): string => textOf(inside(of, '.result-line'));
/** A page's text, as `textOf` reads it, has plain spaces. */
const bytes = (count: number): string => formatBytes(count).replace('\u00a0', ' ');
const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

async function done<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  search: string,
  show?: string,
  waitFor = '.picture :is(svg, table, attn-line-chart)',
): Promise<HTMLElementTagNameMap[Tag]> {
  const place = show === undefined ? {} : { show };
  const opening = tag === 'attn-operating-table';
  const element = labFigure(tag, { client, lab: 'surgeon', search, place, opening });
  await vi.waitFor(
    () => {
      inside(element, waitFor);
      expect((element as unknown as { busy: boolean }).busy).toBe(false);
    },
    { timeout: 100_000, interval: 50 },
  );
  await settled(element);
  return element;
}

describe('the operating table', () => {
  const sums = (of: Element, stage: string): readonly (readonly [string, boolean])[] =>
    all(of, `[data-stage="${stage}"] tbody td.sum`).map((cell) => [
      textOf(cell),
      cell.classList.contains('off'),
    ]);

  it('has Σ beside every matrix from the softmax on, red where a row does not sum to 1', async () => {
    const element = await done('attn-operating-table', '?order=scaleSoftmaxMask&fill=zero');
    const { q, k, v } = await client.textQkv({
      ...{ text: 'the cat sat on the mat', dK: 16, dV: 3, seed: 1, maxTokens: 8 },
    });
    const { rowSums, secondSums } = await client.attentionStages({
      ...{ q, k, v, order: 'scaleSoftmaxMask', fill: 'zero' },
    });
    expect(sums(element, 'scores')).toEqual([]);
    expect(sums(element, 'scale')).toEqual([]);
    expect(sums(element, 'softmax')).toEqual(
      [...secondSums].map((sum) => [formatNumber(sum), false]),
    );
    expect(sums(element, 'mask')).toEqual(
      [...rowSums].map((sum, i) => [formatNumber(sum), i < rowSums.length - 1]),
    );
  });

  it('has one Σ where the softmax comes last, and where it is taken out', async () => {
    for (const [search, wrong] of [
      ['', 0],
      ['?softmax=none&mask=none', 6],
    ] as const) {
      const element = await done('attn-operating-table', search);
      expect(sums(element, 'scale')).toEqual([]);
      expect(sums(element, 'mask')).toEqual([]);
      expect(sums(element, 'softmax').filter(([, off]) => off)).toHaveLength(wrong);
    }
  });
});

describe('NaN on its way through both masks', () => {
  it('is red in exactly the cells that the core finds, forward and back', async () => {
    await figureWords.with(() => import('../../web/labs/surgeon/figures/masks/hidden'));
    const element = await done('attn-hidden-nan', '?one.dead=1');
    const flows = all(element, '.picture .sg-flow').map((flow) =>
      all(flow, '.sg-mini').map((one) => [
        textOf(inside(one, '.sg-name')),
        all(one, 'rect.nan').length,
      ]),
    );
    const n = 6;
    const qkv = await client.gaussianQkv({ n, dK: 4, dV: 4, seed: 1 });
    const { v: dO } = await client.gaussianQkv({ n, dK: 4, dV: 4, seed: 2 });
    const keep = new Float32Array(n * n);
    for (let i = 1; i < n; i++) keep.fill(1, i * n, i * n + i + 1);
    const mask = { kind: 'matrix', keep: { rows: n, cols: n, data: keep } } as const;
    const back = await client.additiveMaskBackward({ ...qkv, mask, dO });
    const lost = async (gradient: typeof back.dQ): Promise<number> =>
      (await client.gradientQuantiles({ gradient })).nonFiniteEntries;
    const [dS, dQ, dK] = [await lost(back.dBias), await lost(back.dQ), await lost(back.dK)];
    expect(dS).toBeGreaterThan(0);
    expect(dK).toBe(n * 4);
    const named = (counts: readonly number[]) =>
      ['P', 'PV', 'dS', 'dQ', 'dK', 'dV'].map((name, i) => [name, counts[i]]);
    expect(flows).toEqual([named([0, 0, 0, 0, 0, 0]), named([0, 0, dS, dQ, dK, 0])]);
  });
});

describe('a list said backwards', () => {
  it('shows each of four heads with its own share, and says that the number is their mean', async () => {
    await figureWords.with(() => import('../../web/labs/surgeon/figures/cross/reversal'));
    const element = await done('attn-list-reversal', '?one.heads=4&one.steps=30');
    const { frames, list } = await client.learnReversal({
      ...{ length: 8, steps: 30, heads: 4, frameEvery: 2, seed: 0 },
    });
    const last = frames.at(-1);
    const names = all(inside(element, '.picture'), '.sg-mini .sg-name');
    expect(names.map((one) => textOf(one))).toEqual(
      [...(last?.antiDiagonals ?? [])].map(
        (share, h) => `Head ${h + 1}: ${percent(share)} on the anti-diagonal`,
      ),
    );
    expect(last?.antiDiagonals).toHaveLength(4);
    expect(line(element)).toContain(
      `The mean of the 4 heads has ${percent(last?.antiDiagonal ?? 0)}`,
    );
    // Different digits can be checked by eye.
    expect(new Set(list).size).toBe(8);
    expect(line(element)).toContain(`List: ${[...list].join(' ')}.`);
  });
});

describe('the softmax in tiles', () => {
  it('says what longer texts keep, as the core counts it', async () => {
    await figureWords.with(() => import('../../web/labs/surgeon/figures/flash/flash'));
    const element = await done('attn-flash-tiles', '', 'kept');
    const shape = { n: 8192, dK: 16, dV: 16, queryTile: 4, keyTile: 4 };
    const whole = await client.costOf({ mechanism: 'causal', shape });
    const tiled = await client.costOf({ mechanism: 'flash_causal', shape });
    expect(whole.workspaceBytes).toBeGreaterThan(100 * tiled.workspaceBytes);
    const told = textOf(inside(element, '.picture .sg-told'));
    expect(told).toContain(
      `At n = 8192 the matrix of weights takes ${bytes(whole.workspaceBytes)}`,
    );
    expect(told).toContain(`no more than ${bytes(tiled.workspaceBytes)} are kept`);
  });
});

describe('three models', () => {
  it('have the table of the source beside the one of what each of them writes', async () => {
    await figureWords.with(() => import('../../web/labs/surgeon/figures/models/models'));
    const element = await done('attn-three-models', '?one.steps=50', 'texts', '.picture');
    await (element as unknown as { start(): Promise<void> }).start();
    await settled(element);
    const tables = all(element, '.picture .sg-transitions .sg-mini');
    expect(tables.map((one) => textOf(inside(one, '.sg-name')))).toEqual([
      ...['the source', 'causal', 'no mask', 'reversed'],
    ]);
    const { transitions } = await client.markovSource({ vocabulary: 16, seed: 0 });
    const kept = (element as unknown as { kept: { source: { transitions: typeof transitions } } })
      .kept;
    expect([...kept.source.transitions.data]).toEqual([...transitions.data]);
    // Every text begins with another letter, so every row of every table has numbers.
    for (const one of tables) {
      expect(all(one, 'rect')).toHaveLength(256);
      expect(all(one, 'rect.nan')).toHaveLength(0);
    }
  });
});
