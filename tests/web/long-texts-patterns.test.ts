/** The long texts lab: what each brush keeps, what stands in a link, and the patterns at the lengths that are timed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import {
  type Brush,
  brushes,
  parsePainted,
  patternOf,
  printPainted,
  sizeAt,
  unreadIn,
  withCell,
  withStroke,
} from '../../web/labs/long-texts/figures/paint/strokes';
import { connectedDraws } from '../../web/labs/long-texts/figures/patterns/connected-draws';
import { PATTERNS, patternNamed } from '../../web/labs/long-texts/figures/patterns/patterns';
import { createFullTestClient } from '../wasm/in_process';

let core: Client;
beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const N = 24;
const ask = { signal: new AbortController().signal, onProgress: () => {} };

/** Which cells a brush of this size is to keep, said once more; random keys are drawn, so their rows are counted. */
const kept: Readonly<Record<Exclude<Brush, 'random'>, (i: number, j: number) => boolean>> = {
  window: (i, j) => i - j < 5,
  stride: (i, j) => (i - j) % 5 === 0,
  blocks: (i, j) => Math.floor(i / 5) === Math.floor(j / 5),
  sinks: (_, j) => j < 5,
  powers: (i, j) => i === j || Math.log2(i - j) % 1 === 0,
  dilated: (i, j) => (i - j) % 5 === 0 && i - j < 8 * 5,
};

const matrixOf = async (written: string, seed = 1): Promise<Float32Array> => {
  const pattern = patternOf(parsePainted(written), N, seed);
  return (await core.patternMatrix({ n: N, m: N, pattern })).data;
};

describe('painted patterns', () => {
  it.each(Object.entries(kept))('%s keeps what it says', async (brush, keeps) => {
    const painted = withStroke(parsePainted(''), brush as Brush, 5);
    const found = await matrixOf(printPainted(painted));
    const wanted = Array.from(found, (_, at) => {
      const [i, j] = [Math.floor(at / N), at % N];
      return j <= i && keeps(i, j) ? 1 : 0;
    });
    expect([...found]).toEqual(wanted);
  });

  it('random draws as many keys as it says, itself and one neighbour, and again the same', async () => {
    const found = await matrixOf('r5');
    const keys = (row: number): number =>
      found.subarray(row * N, (row + 1) * N).reduce((sum, x) => sum + x, 0);
    for (let i = 0; i < N; i++) {
      expect(keys(i)).toBe(Math.min(i + 1, 7));
      for (let j = i + 1; j < N; j++) expect(found[i * N + j]).toBe(0);
    }
    expect(await matrixOf('r5')).toEqual(found);
    expect(await matrixOf('r5', 2)).not.toEqual(found);
  });

  it('add up, and single cells with them', async () => {
    const both = await matrixOf('w2.k1.c20-7');
    expect([...both]).toEqual(
      Array.from(both, (_, at) => {
        const [i, j] = [Math.floor(at / N), at % N];
        return j <= i && (i - j < 2 || j === 0 || (i === 20 && j === 7)) ? 1 : 0;
      }),
    );
    expect((await matrixOf('')).every((cell) => cell === 0)).toBe(true);
  });

  it('are in the link as they were painted', () => {
    const painted = withCell(parsePainted('w8.p.r3'), 9, 4, true);
    expect(printPainted(painted)).toBe('w8.p.r3.c9-4');
    expect(parsePainted(printPainted(painted))).toEqual(painted);
    expect(printPainted(withCell(painted, 9, 4, false))).toBe('w8.p.r3');
    expect(unreadIn('w8.x4.c1.s0')).toEqual(['x4', 'c1', 's0']);
  });

  it.each(brushes.filter((brush) => brush !== 'random' && brush !== 'powers'))(
    '%s reaches the cell under the pointer, and no cell above the diagonal',
    async (brush) => {
      const [row, column] = [9, 6];
      const size = sizeAt(brush, row, column);
      const found = await matrixOf(printPainted(withStroke(parsePainted(''), brush, size)));
      // A block begins at a multiple of its size, so it may end before the cell.
      if (brush !== 'blocks') expect(found[row * N + column]).toBe(1);
      expect(sizeAt(brush, column, row)).toBeUndefined();
    },
  );
});

describe('the patterns of the papers', () => {
  it.each(PATTERNS.filter((name) => name !== 'random'))(
    '%s at 16,384 tokens is causal and keeps few cells',
    async (name) => {
      const n = 16_384;
      const pattern = await patternNamed(core, name, n, 1, ask);
      const made = await core.makePattern({ n, m: n, pattern });
      expect(made.causal).toBe(true);
      expect(made.nnz / ((n * (n + 1)) / 2)).toBeLessThan(0.05);
    },
    60_000,
  );

  it('a stride alone never connects more than it keeps; with the window two layers do', async () => {
    const n = 256;
    const reach = async (name: 'strided' | 'both' | 'dilated') =>
      core.patternReach({
        ...{ n, m: n, causal: true, layers: 4 },
        pattern: await patternNamed(core, name, n, 1, ask),
      });
    const strided = await reach('strided');
    expect(strided.layersToConnect).toBe(-1);
    expect(strided.share[3]).toBe(strided.share[0]);
    expect((await reach('both')).layersToConnect).toBe(2);
    expect((await reach('dilated')).layersToConnect).toBe(-1);
  });

  it('random keys: ln n connect in some draws, three more in nearly all', async () => {
    const counts = await connectedDraws(core, { n: 148, draws: 60, seed: 1, keys: [2, 5, 8] }, ask);
    const [few = 0, some = 0, most = 0] = counts.map((count) => count / 60);
    expect(few).toBe(0);
    // exp(−n·e^−k) is 0.37 and 0.95; four deviations of sixty draws on either side.
    expect(Math.abs(some - Math.exp(-148 * Math.exp(-5)))).toBeLessThan(0.25);
    expect(most).toBeGreaterThan(0.84);
  });
});
