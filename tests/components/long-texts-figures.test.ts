/** Figures of the lab of long texts on memory, tiles, influence and recomputation draw what the core counts. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import '../../web/src/styles/bench.css';
import { createClient } from '../../wasm/client';
import { decodingWords } from '../../web/labs/long-texts/words/decoding';
import { memoryWords } from '../../web/labs/long-texts/words/memory';
import { tilesWords } from '../../web/labs/long-texts/words/tiles';
import { trainingWords } from '../../web/labs/long-texts/words/training';
import type { AttnLineChart } from '../../web/src/components/line-chart/line-chart';
import { formatBytes, formatCount } from '../../web/src/plot/counts';
import { formatNumber } from '../../web/src/plot/format';
import { labFigure } from './lab-figure';
import { all, inside, settled, textOf } from './support';

const client = createClient({ module: 'full', warmUp: false });
afterAll(() => client.dispose());

/** The figure of this tag with its answer. */
async function figure<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  search = '',
  show?: string,
): Promise<HTMLElementTagNameMap[Tag]> {
  const place = show ? { show } : {};
  const element = labFigure(tag, { client, lab: 'long-texts', search, place });
  await vi.waitFor(() => inside(element, '.result-line'), { timeout: 20_000 });
  await settled(element);
  return element;
}
/** As a page's text is read, with plain spaces. */
const bytesText = (bytes: number): string => formatBytes(bytes).replace('\u00a0', ' ');
const line = (of: Element): string => textOf(inside(of, '.result-line'));

describe('where the memory goes', () => {
  const shown = async (search: string, show?: string) => {
    await memoryWords.with(() => import('../../web/labs/long-texts/figures/memory/memory'));
    return figure('attn-long-memory', search, show);
  };

  it('draws every part in one scale', async () => {
    const element = await shown('?one.n=1024');
    const { training } = await client.modelMemory({ n: 1024 });
    const bytes = (part: string): number => training[part as keyof typeof training];
    const bars = all(element, '[data-part]');
    expect(bars.length).toBeGreaterThan(6);
    const most = Math.max(...bars.map((bar) => bytes(bar.dataset.part ?? '')));
    for (const bar of bars) {
      const own = bytes(bar.dataset.part ?? '');
      expect(textOf(inside(bar, 'strong'))).toBe(bytesText(own));
      expect(Number.parseFloat(inside(bar, '.bar').style.inlineSize)).toBeCloseTo(
        (100 * own) / most,
        2,
      );
    }
    expect(line(element)).toContain(bytesText(training.total));
  });

  it("finds the text's table right where B·H·layers is what the core says, and nowhere else", async () => {
    const [row] = (await client.memoryTable({})).rows;
    expect(8 * 8 * 16).toBe(row?.trueAtStandard);
    const right = await shown('?one.b=8&one.h=8&one.l=16', 'table');
    expect(all(right, 'tbody strong').map(textOf)).toEqual(['1×', '1×', '1×', '1×']);
    const wrong = await shown('?one.b=1&one.h=8&one.l=16', 'table');
    expect(all(wrong, 'tbody strong').map(textOf)).toEqual(['8×', '8×', '8×', '8×']);
  });
});

describe('tiles', () => {
  it('says when a tile loses, and what is moved', async () => {
    await tilesWords.with(() => import('../../web/labs/long-texts/figures/tiles/io'));
    for (const tile of [16, 64]) {
      const { flashElements, gain } = await client.flashIo({ n: 1024, d: 64, tileRows: tile });
      const said = line(await figure('attn-long-tiles', `?one.tile=${tile}`));
      expect(said).toContain(bytesText(4 * flashElements));
      expect(said.includes('lose')).toBe(gain < 1);
    }
  });
});

describe('recomputation', () => {
  it('keeps in training what the formula says, and says how often layers run', async () => {
    await trainingWords.with(() => import('../../web/labs/long-texts/figures/training/recompute'));
    const { trainStack } = await import('../../web/labs/long-texts/figures/training/stack');
    const ask = { signal: new AbortController().signal, onProgress: () => undefined };
    const { steps, plan } = await trainStack(client, 4, 16, ask);
    expect(steps.map(({ work }) => work.keptNumbers)).toEqual([
      plan.peakWithout,
      ...plan.peakBySegment,
    ]);
    // The same step, bit for bit, whatever was kept.
    expect(new Set(steps.map(({ loss }) => loss)).size).toBe(1);
    const element = await figure('attn-long-recompute', '?one.l=4&one.n=16&one.segment=2');
    const { work } = steps[2] as (typeof steps)[number];
    expect(line(element)).toContain(bytesText(4 * work.keptNumbers));
    expect(line(element)).toContain(`${formatCount(work.layerForwards)} layers`);
    // The axis is in the unit that its ticks show, so that they are round.
    const { formatY, levels } = inside<AttnLineChart>(element, 'attn-line-chart');
    const all = 4 * (steps[0] as (typeof steps)[number]).work.keptNumbers;
    expect(formatY?.(2)).toMatch(/^2\u00a0[KM]iB$/);
    expect(formatY?.(levels[0]?.y ?? Number.NaN)).toBe(formatBytes(all));
  });
});

describe('places in a cache', () => {
  const shown = async (search: string) => {
    await decodingWords.with(() => import('../../web/labs/long-texts/figures/decode/positions'));
    return figure('attn-long-positions', search);
  };

  it('draws what the core scores, with and without eviction, and the gap behind the sinks', async () => {
    const element = await shown('?one.stored=bare&one.sinks=1&one.n=64&one.size=16');
    const signal = new AbortController().signal;
    const { evicted } = await import('../../web/labs/long-texts/figures/decode/evicted');
    const setting = { n: 64, size: 16, sinks: true, counted: false, seed: 1 };
    const { positions, whole, kept, largestDifference } = await evicted(
      client,
      { stored: 'bare', ...setting },
      signal,
    );
    expect(positions).toEqual([0, 1, 2, 3, ...Array.from({ length: 12 }, (_, i) => 52 + i)]);
    const columns = all(element, '[data-position]');
    expect(columns.map((one) => Number(one.dataset.position))).toEqual(positions);
    const heights = (kind: string): number[] =>
      columns.map((one) => Number(one.querySelector(`.${kind}`)?.getAttribute('cy')));
    // One scale for both: the height falls in proportion to the score.
    const [drawn, scores] = [
      [...heights('whole'), ...heights('kept')],
      [...whole, ...kept],
    ];
    const [top, low] = [scores.indexOf(Math.max(...scores)), scores.indexOf(Math.min(...scores))];
    const slope =
      ((drawn[low] ?? 0) - (drawn[top] ?? 0)) / ((scores[low] ?? 0) - (scores[top] ?? 0));
    for (const [i, score] of scores.entries()) {
      expect(drawn[i]).toBeCloseTo((drawn[top] ?? 0) + slope * (score - (scores[top] ?? 0)), 2);
    }
    expect(all(element, '.gap')).toHaveLength(1);
    expect(largestDifference).toBeGreaterThan(0.1);
    expect(line(element)).toContain(formatNumber(largestDifference, 2));
    expect(line(element)).toContain('counts as 15 tokens away');
  });

  it('says when scores are the same, and when only weights are', async () => {
    expect(line(await shown('?one.stored=turned'))).toContain('are the same as if all were kept');
    expect(line(await shown('?one.stored=bare'))).toContain('are the same as if all were kept');
    expect(line(await shown('?one.stored=turned&one.sinks=1'))).toContain('63 tokens away');
    expect(line(await shown('?one.stored=turned&one.counted=1'))).toContain('of the weight goes');
    expect(line(await shown('?one.stored=alibi&one.counted=1'))).toContain('weights are the same');
  });
});
