import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Arc,
  type ArcPlaces,
  arcColors,
  arcPlaces,
  arcsOf,
  arcsSvg,
  keptPerWord,
  MOST_COMPLETE,
  rowInWords,
} from '../../web/src/plot/arcs';
import type { ColorScale } from '../../web/src/plot/color';

const scale = (low: number, high: number, tone: 'linear' | 'sqrt' = 'linear'): ColorScale => ({
  ...{ kind: 'sequential', low, high, tone, overLow: false, overHigh: false },
});
const full = (): number => Number.POSITIVE_INFINITY;
const measure = (text: string): number => 8 * text.length;
const words = (count: number): string[] => Array.from({ length: count }, (_, i) => `w${i}`);
const matrix = (rows: number, cols: number, of: (row: number, col: number) => number) => ({
  ...{ rows, cols },
  data: Float32Array.from({ length: rows * cols }, (_, i) => of(Math.floor(i / cols), i % cols)),
});
const heights = ({ curve }: Arc): number[] => curve.filter((_, i) => i % 2 === 1);

describe('the places of words', () => {
  test('lie in order and apart, within the width, as long as the words fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 200, max: 1600 }),
        (rows, width) => {
          const {
            queries,
            turned,
            width: wide,
          } = arcPlaces({ rows, width, measure, visible: full });
          expect(wide).toBeGreaterThanOrEqual(width);
          if (!turned) expect(wide).toBe(width);
          queries.forEach((word, i) => {
            expect(word.x - word.wide / 2).toBeGreaterThanOrEqual(turned ? -4 : -1e-6);
            const next = queries[i + 1];
            if (!next) return;
            const apart = next.x - word.x;
            expect(apart).toBeGreaterThanOrEqual(turned ? 17.9 : (word.wide + next.wide) / 2);
          });
        },
      ),
    );
  });

  test('are one line for words that look at themselves, and two where the keys are others', () => {
    const rows = words(4);
    const one = arcPlaces({ rows, cols: [...rows], width: 600, measure, visible: full });
    expect(one.keys).toBe(one.queries);
    const two = arcPlaces({ rows, cols: words(6), width: 600, measure, visible: full });
    expect(two.keys).toHaveLength(6);
    expect(Math.min(...two.keys.map(({ y }) => y))).toBeGreaterThan(
      Math.max(...two.queries.map(({ y }) => y)),
    );
  });

  test('leave no room below the words when a mask lets no word look ahead', () => {
    const rows = words(6);
    const causal = arcPlaces({ rows, width: 600, measure, visible: (row) => row + 1 });
    const all = arcPlaces({ rows, width: 600, measure, visible: full });
    expect(causal.height).toBeLessThan(all.height * 0.7);
  });
});

/** Every curve begins at its query and ends at its key. */
function joins(places: ArcPlaces, { row, col, curve }: Arc): void {
  expect(Math.abs(curve[0] - (places.queries[row]?.x ?? NaN))).toBeLessThanOrEqual(1);
  expect(Math.abs(curve[6] - (places.keys[col]?.x ?? NaN))).toBeLessThanOrEqual(1);
}

describe('the lines', () => {
  const rows = words(3);
  const weights = matrix(
    3,
    3,
    (row, col) => [0.5, 0.3, 0.2, 0, 0.25, 0.75, 0.1, -0.4, 1][row * 3 + col] ?? 0,
  );
  const places = arcPlaces({ rows, width: 500, measure, visible: full });
  const arcs = arcsOf({ matrix: weights, scale: scale(-1, 1), visible: full }, places);

  test('join each word with those it attends to, as thick as their weight; a zero has none', () => {
    expect(arcs).toHaveLength(8);
    for (const arc of arcs) {
      joins(places, arc);
      expect(arc.width / places.stroke).toBeCloseTo(Math.abs(arc.value), 6);
    }
    // The strongest is drawn last, on top of the others.
    expect(arcs.at(-1)).toMatchObject({ row: 2, col: 2, value: 1 });
  });

  test('run above the words to earlier ones and to themselves, below to later ones, within the picture', () => {
    const [top, bottom] = [places.queries[0]?.y ?? 0, places.queries[0]?.y ?? 0];
    for (const arc of arcs) {
      if (arc.col <= arc.row) expect(Math.max(...heights(arc))).toBeLessThan(top);
      else expect(Math.min(...heights(arc))).toBeGreaterThan(bottom);
      // The curve lies within three quarters of the way to its handles.
      const [, y0, , y1] = arc.curve;
      const reach = y0 + 0.75 * (y1 - y0);
      expect(reach).toBeGreaterThanOrEqual(0);
      expect(reach).toBeLessThanOrEqual(places.height);
    }
  });

  test('leave out what a mask hides and what is no number', () => {
    const masked = arcsOf(
      { matrix: weights, scale: scale(-1, 1), visible: (row) => row + 1 },
      places,
    );
    expect(masked.every(({ row, col }) => col <= row)).toBe(true);
    const broken = matrix(2, 2, (row, col) => (row === col ? Number.NaN : Infinity));
    expect(arcsOf({ matrix: broken, scale: scale(0, 1), visible: full }, places)).toEqual([]);
  });

  test('go from the upper line to the lower one where the keys are other words', () => {
    const two = arcPlaces({ rows: words(2), cols: words(5), width: 500, measure, visible: full });
    const cross = matrix(2, 5, () => 0.2);
    const lines = arcsOf({ matrix: cross, scale: scale(0, 1), visible: full }, two);
    expect(lines).toHaveLength(10);
    for (const arc of lines) {
      joins(two, arc);
      expect(arc.curve[1]).toBeLessThan(arc.curve[7]);
    }
  });

  test('follow the root where the scale does, and end at its largest value', () => {
    const one = matrix(1, 1, () => 0.25);
    const of = (tone: 'linear' | 'sqrt', high: number) =>
      arcsOf({ matrix: one, scale: scale(0, high, tone), visible: full }, places)[0]?.strength;
    expect(of('linear', 1)).toBeCloseTo(0.25);
    expect(of('sqrt', 1)).toBeCloseTo(0.5);
    expect(of('linear', 0.1)).toBe(1);
  });
});

describe('many words', () => {
  const n = 100;
  const rows = words(n);
  const noise = matrix(n, n, (row, col) => Math.sin(12.9898 * row + 78.233 * col) / 2);
  const places = arcPlaces({ rows, width: 900, measure, visible: full });
  const kept = keptPerWord(n, n) ?? 0;

  test('keep their strongest lines only, and all of them when a word is shown alone', () => {
    expect(keptPerWord(MOST_COMPLETE, MOST_COMPLETE)).toBeUndefined();
    expect(keptPerWord(MOST_COMPLETE + 1, MOST_COMPLETE + 1)).toBeLessThan(MOST_COMPLETE);
    expect(keptPerWord(5000, 5000)).toBe(1);
    const shown = arcsOf({ matrix: noise, scale: scale(-1, 1), visible: full }, places);
    expect(shown).toHaveLength(kept * n);
    for (let row = 0; row < n; row++) {
      const mine = new Set(shown.filter((arc) => arc.row === row).map(({ col }) => col));
      const size = (col: number): number => Math.abs(noise.data[row * n + col] ?? 0);
      const least = Math.min(...[...mine].map(size));
      for (let col = 0; col < n; col++) {
        if (!mine.has(col)) expect(size(col)).toBeLessThanOrEqual(least);
      }
    }
    const alone = arcsOf({ matrix: noise, scale: scale(-1, 1), visible: full }, places, 7);
    expect(alone).toHaveLength(n);
    expect(alone.every(({ row }) => row === 7)).toBe(true);
  });

  test('are read out by size, whatever their sign', () => {
    const read = rowInWords(noise, 3, n, 5);
    expect(read).toHaveLength(5);
    const sizes = read.map(({ value }) => Math.abs(value));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(rowInWords(noise, 3, 2, 5)).toHaveLength(2);
  });
});

test('as a file, the lines have their weights, and words keep every character', () => {
  const rows = ['a_b', '<', '&'];
  const places = arcPlaces({ rows, width: 400, measure, visible: full });
  const weights = matrix(3, 3, (row, col) => (row === col ? -0.5 : 0.25));
  const arcs = arcsOf({ matrix: weights, scale: scale(-1, 1), visible: full }, places);
  const colors = arcColors(false);
  const svg = arcsSvg(places, arcs, colors);
  expect(svg.match(/<path /g)).toHaveLength(9);
  expect(svg.match(/stroke-dasharray/g)).toHaveLength(3);
  expect(svg.split(colors.negative)).toHaveLength(4);
  for (const word of ['>a_b<', '>&lt;<', '>&amp;<']) expect(svg).toContain(word);
});

test('of 512 words the strongest lines are found in one pass, and they are those that sorting finds', () => {
  const rows = words(512);
  const weights = matrix(512, 512, (row, col) => Math.fround(((row * 131 + col * 71) % 509) / 509));
  const places = arcPlaces({ rows, width: 800, measure, visible: full });
  const kept = keptPerWord(512, 512) ?? 0;
  let read = 0;
  // Every read of the weights is counted: sorting reads each about twenty times.
  const data = new Proxy(weights.data, {
    get: (of, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read++;
      return Reflect.get(of, name, of);
    },
  });
  const lines = arcsOf({ matrix: { ...weights, data }, scale: scale(0, 1), visible: full }, places);
  expect(read).toBeLessThan(5 * 512 * 512);
  const wanted = rows.flatMap((_, row) =>
    Array.from({ length: 512 }, (_, col) => [row, col, weights.data[row * 512 + col] ?? 0] as const)
      .sort((a, b) => b[2] - a[2] || a[1] - b[1])
      .slice(0, kept)
      .map(([row, col]) => `${row} ${col}`),
  );
  expect(lines.map(({ row, col }) => `${row} ${col}`).sort()).toEqual(wanted.sort());
});
