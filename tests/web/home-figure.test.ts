/** Tests the figure of the home page: its one scale, the way of its arcs, and what it says of times and of what is too small to see. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { CoreError } from '#client';
import { formatPart, formatTime } from '../../web/src/home/figure/format';
import { between, cellCurve, movingArcs, wayOf } from '../../web/src/home/figure/morph';
import { type SceneSizes, sceneOf } from '../../web/src/home/figure/slab';
import { Stopwatch } from '../../web/src/home/figure/stopwatch';
import { arcPlaces, arcsOf } from '../../web/src/plot/arcs';
import type { ColorScale } from '../../web/src/plot/color';
import { createTestClient } from '../wasm/in_process';

const sizes = (n: number, more: Partial<SceneSizes> = {}): SceneSizes => ({
  ...{ width: 496, height: 342, words: 11, D: 16, dV: 16, n },
  ...more,
});

describe('the slab and the state', () => {
  const windows = fc.integer({ min: 320, max: 1000 });
  const lengths = fc.integer({ min: 11, max: 1_000_000 });
  const area = ({ width, height }: { width: number; height: number }) => width * height;

  test('have one scale at every length, up to a million: their areas compare as their numbers do', () => {
    fc.assert(
      fc.property(windows, lengths, (width, n) => {
        const { cell, slab, state, sums } = sceneOf(sizes(n, { width }));
        expect(slab.width / cell).toBeCloseTo(n, 3);
        expect(slab.height).toBe(slab.width);
        expect(area(slab) / (area(state) + area(sums))).toBeCloseTo((n * n) / 272, 3);
      }),
    );
  });

  test('are whole in the frame: the picture zooms out when the text grows, and never stands still', () => {
    fc.assert(
      fc.property(windows, lengths, (width, n) => {
        const { slab, state, sums } = sceneOf(sizes(n, { width }));
        expect(slab.x + slab.width).toBeLessThanOrEqual(width);
        expect(slab.y + slab.height).toBeLessThanOrEqual(342);
        expect(state.x + state.width).toBeLessThanOrEqual(sums.x);
        expect(sums.x + sums.width).toBeLessThan(slab.x);
      }),
    );
    const sides = [11, 20, 60, 130, 1000, 1e5, 1e6].map((n) => sceneOf(sizes(n)).state.width);
    // There is room for so short a text at full size.
    expect(sides[0]).toBe(sides[1]);
    for (let i = 2; i < sides.length; i++) expect(sides[i]).toBeLessThan(sides[i - 1] as number);
    // A dot, and then less than any screen can show.
    expect(sides[4]).toBeLessThan(6);
    expect(sides[6]).toBeLessThan(0.01);
  });

  test('show the typed words in the corner, and never more than the text has', () => {
    expect(sceneOf(sizes(1000)).corner.width).toBe(11 * sceneOf(sizes(1000)).cell);
    const short = sceneOf(sizes(5));
    expect(short.corner.width).toBe(short.slab.width);
  });
});

describe('the arcs on their way into the matrix', () => {
  const rows = ['a', 'b', 'c'];
  const matrix = {
    rows: 3,
    cols: 3,
    data: Float32Array.from({ length: 9 }, (_, i) => 0.1 + i / 10),
  };
  const visible = (): number => 3;
  const places = arcPlaces({ rows, width: 300, visible, measure: (text) => 8 * text.length });
  const scale: ColorScale = {
    ...{ kind: 'sequential', low: 0, high: 1, tone: 'linear', overLow: false, overHigh: false },
  };
  const arcs = arcsOf({ matrix, scale, visible }, places);
  const corner = { x: 40, y: 200, width: 24, height: 24 };
  const moving = movingArcs(arcs, corner, 8, { x: 5, y: 7 });

  test('begin as the arcs are drawn, and end as the cells of their row and column', () => {
    moving.forEach((one, i) => {
      const arc = arcs[i];
      if (!arc) throw new Error('one for each arc');
      const start = between(one.from, one.to, 0);
      expect(start[0]).toBeCloseTo(arc.curve[0] + 5);
      expect(start[1]).toBeCloseTo(arc.curve[1] + 7);
      expect(one.width).toEqual([arc.width, 8]);
      const end = between(one.from, one.to, 1);
      const wanted = cellCurve(arc.row, arc.col, 8, corner);
      end.forEach((at, k) => {
        expect(at).toBeCloseTo(wanted[k] as number);
      });
      expect(end[0]).toBeCloseTo(40 + 8 * arc.col);
      expect(end[6]).toBeCloseTo(40 + 8 * (arc.col + 1));
      expect(end[1]).toBeCloseTo(200 + 8 * arc.row + 4);
    });
  });

  test('move row after row, all from the beginning to the end', () => {
    for (const count of [1, 2, 11]) {
      for (let row = 0; row < count; row++) {
        expect(wayOf(row, count, 0)).toBe(0);
        expect(wayOf(row, count, 1)).toBe(1);
        if (row > 0) expect(wayOf(row, count, 0.5)).toBeLessThan(wayOf(row - 1, count, 0.5));
      }
    }
  });
});

test('parts of a pixel and times are written with two digits and the unit that suits them', () => {
  expect([0.5, 0.45, 0.0046].map(formatPart)).toEqual(['1/2', '1/2.2', '1/217']);
  const units = { second: 's', minute: 'min', hour: 'h', day: 'd', year: 'y' };
  const said = (ms: number) => formatTime(ms, units).replace('\u00a0', ' ');
  expect([0.052, 1.52, 999, 90_000, 600_000, 2e7, 1e9, 1e12].map(said)).toEqual([
    ...['52 µs', '1.5 ms', '999 ms', '90 s', '10 min', '5.6 h', '12 d', '32 y'],
  ]);
});

describe('the stopwatch', () => {
  /** The core, on a machine on which a multiply-add takes a nanosecond and an exponential eight. */
  const core = createTestClient();
  afterAll(() => core.dispose());
  const counted = async (mechanism: string, n: number): Promise<number> => {
    const { multiplyAdds, exps } = await core.costOf({ mechanism, shape: { n, dK: 16, dV: 16 } });
    return (multiplyAdds + 8 * exps) / 1e6;
  };
  const machine = (most = Infinity) => {
    const timed: number[] = [];
    const client = {
      costOf: core.costOf,
      predictedNanoseconds: core.predictedNanoseconds,
      timeRound: async ({ trials }: Parameters<typeof core.timeRound>[0]) => {
        const samples = [];
        for (const { mechanism, n = 0 } of trials) {
          timed.push(n);
          if (n > most) throw new CoreError('capacity', 'no memory', 'n');
          samples.push({ calls: 1, milliseconds: await counted(mechanism, n) });
        }
        return { samples, clockStep: 0.005 };
      },
    };
    return { client, timed };
  };
  const { signal } = new AbortController();

  test('measures what takes a moment', async () => {
    const { client } = machine();
    const { softmax, linear } = await new Stopwatch(client, 16).at(300, signal);
    expect(softmax).toEqual({ milliseconds: await counted('fused', 300) });
    expect(linear).toEqual({ milliseconds: await counted('fused_linear', 300) });
  });

  test('estimates the rest by the core’s cost model, and says from which length', async () => {
    const { client, timed } = machine();
    const watch = new Stopwatch(client, 16);
    const { softmax, linear } = await watch.at(1_000_000, signal);
    for (const [mechanism, { from = 0, milliseconds }] of [
      ['fused', softmax],
      ['fused_linear', linear],
    ] as const) {
      expect(timed).toContain(from);
      // What was measured took a moment each, and the estimate is what that machine would take.
      expect(await counted(mechanism, from)).toBeLessThanOrEqual(150);
      expect(milliseconds / (await counted(mechanism, 1_000_000))).toBeCloseTo(1, 6);
    }
    expect(softmax.milliseconds).toBeGreaterThan(1000 * linear.milliseconds);
  });

  test('goes on from what fitted where the memory ends', async () => {
    const { client } = machine(500);
    const { softmax } = await new Stopwatch(client, 16).at(4096, signal);
    expect(softmax.from).toBe(256);
    expect(softmax.milliseconds / (await counted('fused', 4096))).toBeCloseTo(1, 6);
  });
});
