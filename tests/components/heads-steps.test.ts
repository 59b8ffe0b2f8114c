/** Figures of the heads lab in which heads grow, are cut and get another map: what they show is what the core says. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createClient, LanguageModel } from '../../wasm/client';
import '../../web/src/styles/bench.css';
import '../../web/labs/heads/heads.css';
import { batchOf } from '../../web/labs/heads/figures/shared/batches';
import { choosing, measuring } from '../../web/labs/heads/figures/shared/chapters';
import { cuttingWords } from '../../web/labs/heads/words/cutting';
import { growthWords } from '../../web/labs/heads/words/growth';
import { swapWords } from '../../web/labs/heads/words/swap';
import log from '../../web/models/reader.json';
import type { AttnLineChart } from '../../web/src/components/line-chart/line-chart';
import { trained } from '../../web/src/models/on-page';
import { formatNumber } from '../../web/src/plot/format';
import { labFigure } from './lab-figure';
import { inside, settled, textOf } from './support';

vi.setConfig({ testTimeout: 120_000 });

const client = createClient({ module: 'full', warmUp: false });
afterAll(() => client.dispose());
const ask = { signal: new AbortController().signal, onProgress: () => undefined };
const line = (of: Element): string => textOf(inside(of, '.result-line'));
const percent = (share: number): string => `${formatNumber(100 * share, 2)} %`;

/** The figure once its last answer is there. */
async function done<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  search: string,
  show?: string,
): Promise<HTMLElementTagNameMap[Tag]> {
  const place = show === undefined ? {} : { show };
  const element = labFigure(tag, { client, lab: 'heads', search, place });
  await vi.waitFor(
    () => {
      inside(element, '.result-line');
      expect((element as unknown as { busy: boolean }).busy).toBe(false);
    },
    { timeout: 100_000, interval: 100 },
  );
  await settled(element);
  return element;
}

describe('heads that grow', () => {
  it('shows a trained pair and what is left of it without the helper, as a model of its own does', async () => {
    const { grown, pairOf, sameHead, taskOf, stepsOf, LENGTH, VOCABULARY, WIDTH } = await import(
      '../../web/labs/heads/figures/growth/grow'
    );
    const settings = { task: 'period', layers: '2', positions: 'rotary', seed: 0 } as const;
    const run = await grown(settings, ask);
    const pair = pairOf(run.frames.at(-1)?.heads ?? []);
    if (!pair) throw new Error('no pair');
    expect([pair.helper.layer, pair.copier.layer]).toEqual([0, 1]);
    expect(pair.copier.behind).toBeGreaterThan(10 * run.even.behind);

    // The same model, trained here in one go.
    const task = taskOf('period');
    const model = await LanguageModel.create(client, {
      ...{ vocabulary: VOCABULARY, length: LENGTH, dModel: WIDTH, layers: 2, seed: 0 },
      ...{ mixers: [{ heads: 2, parameters: { rotary: 1 } }], positions: false },
    });
    await model.start({
      ...{ task, steps: stepsOf('period'), batch: 32, learningRate: 0.01, beta2: 0.99 },
      ...{ cosine: false, warmUp: 50, clip: 1, seed: 0 },
    });
    let finished = false;
    while (!finished) finished = (await model.advance({ milliseconds: 500 })).done;
    expect(run.points.at(-1)).toEqual((await model.curve()).at(-1));
    const { tokens } = await client.drawBatch({ task, batch: 1, seed: 1, heldOut: true });
    const { layer, head } = pair.helper;
    const gates = { heads: [{ layer, head, gate: 0 }] };
    const weights = (await model.attention({ tokens, gates })).map((one) => one.weights);
    const { heads } = await client.headScores({ weights, tokens, shuffles: 0 });
    const behind = heads[2 + pair.copier.head]?.scores.matchMass ?? Number.NaN;
    const cut = run.cuts.find((one) => sameHead(one, pair.helper));
    expect(cut?.heads.find((one) => sameHead(one, pair.copier))?.behind).toBe(behind);
    expect(behind).toBeLessThan(0.6 * pair.copier.behind);
    await model.dispose();

    await growthWords.with(() => import('../../web/labs/heads/figures/growth/growth'));
    const figure = await done('attn-head-growth', '?one.cut=helper');
    expect(line(figure)).toContain(`to ${percent(behind)}`);
    expect(line(figure)).toContain(`to ${formatNumber(cut?.loss ?? Number.NaN)},`);
    expect(inside(figure, '.gr-head.cut')).toBeTruthy();
  });

  it('of one period are seen to look where the training has its copies, and not where this list has them', async () => {
    const { grown, pairOf } = await import('../../web/labs/heads/figures/growth/grow');
    const settings = { task: 'fixed', layers: '2', positions: 'rotary', seed: 0 } as const;
    const run = await grown(settings, ask);
    const last = run.frames.at(-1);
    const copier = pairOf(last?.heads ?? [])?.copier;
    // The head that is shown counts back one period, whatever the list says.
    expect(copier?.counted).toBeGreaterThan(0.9);
    expect(copier?.behind).toBeLessThan(0.1);

    await growthWords.with(() => import('../../web/labs/heads/figures/growth/growth'));
    const figure = await done('attn-head-growth', '?one.lists=fixed', 'right');
    expect(line(figure)).toContain(
      `${percent(last?.accuracy ?? Number.NaN)} on new kinds of lists`,
    );
    const { series } = inside<AttnLineChart>(figure, 'attn-line-chart');
    const ends = series.map(({ points }) => points.at(-1)?.y);
    expect(ends).toEqual([
      100 * (run.points.at(-1)?.accuracy ?? Number.NaN),
      100 * (last?.accuracy ?? Number.NaN),
    ]);
    expect(ends[0]).toBeGreaterThan(99);
    expect(ends[1]).toBeLessThan(10);
    // One outline for each cell behind an earlier copy of the row's token.
    const { list } = run;
    const behind = list.flatMap((token, i) =>
      list.flatMap((earlier, j) => (j < i && earlier === token ? [`M${j + 1} ${i}h1v1h-1z`] : [])),
    );
    expect(behind.length).toBeGreaterThan(20);
    expect(inside(figure, '.gr-behind path').getAttribute('d')).toBe(behind.join(''));
  });

  it('of one period lose more on new lists than a chart for guessing could show', async () => {
    await growthWords.with(() => import('../../web/labs/heads/figures/growth/growth'));
    const figure = await done('attn-head-growth', '?one.lists=fixed');
    const { series, y, markers, grip } = inside<AttnLineChart>(figure, 'attn-line-chart');
    const fresh = series.find(({ id }) => id === 'fresh')?.points.map(({ y }) => y) ?? [];
    expect(fresh.every((loss) => Number.isFinite(loss))).toBe(true);
    expect(Math.max(...fresh)).toBeGreaterThan(5);
    expect(y.high).toBeGreaterThanOrEqual(Math.max(...fresh));
    // The upright line that the text speaks of is where its grip is.
    expect(markers.map(({ x }) => x)).toEqual([grip]);
  });
});

describe('heads of the reader', () => {
  it('are cut as the core cuts them: alone, in an order that another chapter chose, and together', async () => {
    const { model, tokenizer } = await trained(client, 'reader', ask);
    const [choose, judge] = [
      await batchOf(tokenizer, choosing, ask.signal),
      await batchOf(tokenizer, measuring, ask.signal),
    ];
    const { layers } = await model.headImportance(choose);
    const order = layers
      .flatMap(({ importance }, layer) =>
        [...importance].map((value, head) => ({ layer, head, value })),
      )
      .sort((one, other) => one.value - other.value)
      .map(({ layer, head }) => ({ layer, head }));
    const { losses, loss, alone } = await model.cutHeads({ ...judge, mean: true, orders: [order] });
    await cuttingWords.with(() => import('../../web/labs/heads/figures/cutting/cutting'));
    const figure = await done('attn-cut-heads', '?one.cut=9');
    expect(line(figure)).toContain(formatNumber(losses[0]?.[8] ?? Number.NaN));
    expect(line(figure)).toContain(`in place of ${formatNumber(loss)}`);
    const single = await done('attn-cut-heads', '', 'alone');
    expect(line(single)).toContain(`+${formatNumber(Math.max(...alone) - loss, 2)}`);
  });

  it('shows by how much heads cut together cost more than one by one, where that is little', async () => {
    await cuttingWords.with(() => import('../../web/labs/heads/figures/cutting/cutting'));
    const figure = await done('attn-cut-heads', '?one.cut=8', 'sums');
    const { series, y } = inside<AttnLineChart>(figure, 'attn-line-chart');
    const [sum = Number.NaN, joint = Number.NaN] = series.map(({ points }) => points[8]?.y);
    const tall = (y.high ?? Number.NaN) - (y.low ?? Number.NaN);
    expect(Math.abs(joint - sum) / tall).toBeGreaterThan(0.1);
  });

  it('gets a map in place of softmax, and the next token is what the model then says', async () => {
    const { model, tokenizer } = await trained(client, 'reader', ask);
    const size = 24;
    const one = {
      ...{ rows: size, cols: size },
      data: Float32Array.from({ length: size * size }, (_, i) => Number(i % (size + 1) === 0)),
    };
    const { swapped } = await import('../../web/labs/heads/figures/swap/swapped');
    const text = 'Bildad saw Tashtego. Tashtego saw Bild';
    const settings = { text, head: 2, map: 'hedgehog', steps: 0, sequences: 4 } as const;
    const { next, loss } = await swapped(client, settings, ask);
    const gates = { maps: [{ layer: 0, head: 2, featureMap: 'hedgehog', wq: one, wk: one }] };
    const tokens = await tokenizer.encode(text);
    const { rows, cols, data } = await model.logits({ tokens, gates });
    const x = { rows: 1, cols, data: data.slice((rows - 1) * cols) };
    const { weights } = await client.softmax({ x });
    const [first] = next;
    const [token] = await tokenizer.encode(first?.token ?? '');
    expect(first?.mapped).toBeCloseTo(Number(weights.data[token ?? -1]), 6);
    // The unchanged model loses on this text about what its log says of the book.
    expect(loss.softmax).toBeCloseTo(log.heldOut.int8.texts['moby-dick'].natsPerToken, 0);
    const judge = await batchOf(tokenizer, measuring, ask.signal);
    expect(loss.softmax).toBeCloseTo((await model.cutHeads(judge)).loss, 4);
    await swapWords.with(() => import('../../web/labs/heads/figures/swap/swap'));
    const figure = await done('attn-swap-map', '');
    expect(line(figure)).toContain(`${percent(first?.mapped ?? Number.NaN)} now`);
  });
});
