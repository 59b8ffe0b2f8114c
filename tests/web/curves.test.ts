import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeatureMapInfo } from '../../wasm/client';
import {
  parametersOf,
  parameterText,
  printParameters,
  readParameters,
  withParameter,
} from '../../web/src/figures/map-parameters';
import {
  differentColumns,
  featureZones,
  LEAST_NORMAL,
  zones,
} from '../../web/src/figures/phi-curve/curve-zones';
import * as phiDe from '../../web/src/figures/phi-curve/words/de';
import * as phiEn from '../../web/src/figures/phi-curve/words/en';
import {
  beatsBaseline,
  effort,
  inputScales,
  isRow,
  kinds,
  numbersOfRows,
  pointsOf,
  rootUnit,
} from '../../web/src/figures/random-features/run-rows';
import * as randomDe from '../../web/src/figures/random-features/words/de';
import * as randomEn from '../../web/src/figures/random-features/words/en';
import { agreement } from '../../web/src/figures/taylor-exp/agreement-range';
import * as taylorDe from '../../web/src/figures/taylor-exp/words/de';
import * as taylorEn from '../../web/src/figures/taylor-exp/words/en';

const map = {
  parameters: [
    { name: 'm', label: 'features', defaultValue: 64, min: 1, max: 4096, integer: true },
    { name: 'epsilon', label: 'ε', defaultValue: 0, min: 0, max: 1, integer: false },
  ],
} as unknown as FeatureMapInfo;

describe('parameters of a map', () => {
  it('are written as text and read back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.stringMatching(/^[a-z_]+$/),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
        (given) => {
          const back = readParameters(printParameters(given));
          for (const [name, value] of Object.entries(given)) expect(back[name]).toBe(value + 0);
        },
      ),
    );
    expect(readParameters('m:,x,:3,y:z,k:2')).toEqual({ k: 2 });
  });

  it('are complete, within their limits, and printed if they differ from the default', () => {
    expect(parametersOf('m:9999,other:1', map)).toEqual({ m: 4096, epsilon: 0 });
    expect(withParameter('', map, 'm', 128)).toBe('m:128');
    expect(withParameter('m:128', map, 'm', 64)).toBe('');
    expect(parameterText('m:128', map)).toBe('features = 128');
  });
});

describe('zones of a curve', () => {
  it('cover exactly the points for which something holds', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (holds) => {
        const t = holds.map((_, i) => i);
        const found = zones(t, (i) => holds[i] ?? false);
        const covered = t.map((at) => found.some(({ from, to }) => from <= at && at <= to));
        expect(covered).toEqual(holds);
        found.slice(1).forEach(({ from }, i) => {
          expect(from).toBeGreaterThan((found[i]?.to ?? 0) + 1);
        });
      }),
    );
  });

  it('distinguish an exact zero from a number with few digits', () => {
    const t = [-2, -1, 0, 1];
    const relu = featureZones(
      t,
      (i) => Math.max(0, t[i] ?? 0),
      (i) => ((t[i] ?? 0) > 0 ? 1 : 0),
    );
    const left = [{ from: -2, to: 0 }];
    expect(relu).toEqual({ zero: left, flat: left, tiny: [], notFinite: [] });
    const values = [0, LEAST_NORMAL / 2, LEAST_NORMAL, Infinity];
    const exp = featureZones(
      t,
      (i) => values[i] ?? 0,
      () => 0,
    );
    expect(exp.zero).toEqual([{ from: -2, to: -2 }]);
    expect(exp.tiny).toEqual([{ from: -1, to: -1 }]);
    expect(exp.notFinite).toEqual([{ from: 1, to: 1 }]);
    expect(exp.flat).toEqual([{ from: -2, to: 1 }]);
  });

  it('show each curve once', () => {
    const column = fc.array(fc.constantFrom(0, 1, -0.5, Number.NaN), {
      minLength: 5,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 8 }), (columns) => {
        const data = Array.from({ length: 5 }, (_, row) => columns.map((c) => c[row] ?? 0)).flat();
        const found = differentColumns({ rows: 5, cols: columns.length, data });
        const first = columns.map((c) => columns.findIndex((other) => other.join() === c.join()));
        expect(found).toEqual([...new Set(first)].sort((a, b) => a - b));
      }),
    );
  });
});

describe('how far a kernel stays close', () => {
  it('is where the error crosses the limit on either side', () => {
    const s = Array.from({ length: 201 }, (_, i) => -4 + 0.04 * i);
    // The error |s|/10 reaches 0.1 at ±1.
    const found = agreement(
      s,
      s.map((at) => Math.abs(at) / 10),
      0.1,
    );
    expect(found?.from).toBeCloseTo(-1, 9);
    expect(found?.to).toBeCloseTo(1, 9);
    expect(
      agreement(
        s,
        s.map(() => 0),
        0.1,
      ),
    ).toEqual({ from: undefined, to: undefined });
    expect(
      agreement(
        s,
        s.map(() => 0.2),
        0.1,
      ),
    ).toBeUndefined();
    // Where the kernel comes close again further out, that part does not count.
    const waves = s.map((at) => (Math.abs(at) > 1 && Math.abs(at) < 2 ? 1 : 0));
    expect(agreement(s, waves, 0.1)?.to).toBeLessThan(1.05);
    const lost = s.map((at) => (at > 2 ? Number.NaN : 0));
    expect(agreement(s, lost, 0.1)?.to).toBeCloseTo(2, 1);
  });
});

describe('the random-features experiment', () => {
  it('extends all lines together, over the parameter that is varied', () => {
    const variants = [
      { kind: 'positive', orthogonal: false },
      { kind: 'trigonometric', orthogonal: true },
    ] as const;
    const common = { variants, m: 100, mostM: 256, inputScale: 0.5 };
    const overM = pointsOf({ ...common, over: 'm' });
    expect(overM.map(({ m }) => m)).toEqual(numbersOfRows(256).flatMap((m) => [m, m]));
    expect(new Set(overM.map(({ inputScale }) => inputScale))).toEqual(new Set([0.5]));
    const overScale = pointsOf({ ...common, over: 'scale' });
    expect(overScale.map(({ inputScale }) => inputScale)).toEqual(
      inputScales.flatMap((scale) => [scale, scale]),
    );
    expect(overScale.every(({ m }) => m === 100)).toBe(true);
    expect(numbersOfRows(1024).at(-1)).toBe(1024);
    for (const kind of kinds) {
      expect(effort({ kind, orthogonal: false, m: 64, inputScale: 1 })).toBeGreaterThan(0);
    }
  });

  it('finds where an error is below the baseline', () => {
    const xs = [1, 2, 4, 8, 16];
    fc.assert(
      fc.property(fc.double({ min: 1.1, max: 15, noNaN: true }), fc.boolean(), (at, falling) => {
        const found = beatsBaseline(xs.map((x) => ({ x, ratio: falling ? at / x : x / at })));
        expect(found).toEqual([{ [falling ? 'from' : 'to']: expect.closeTo(at, 6) }]);
      }),
    );
    expect(beatsBaseline([])).toEqual([]);
    expect(beatsBaseline(xs.map((x) => ({ x, ratio: 0.5 })))).toEqual([{}]);
    expect(beatsBaseline(xs.map((x) => ({ x, ratio: Number.NaN })))).toEqual([]);
    const [low, high] = [Math.sqrt(1 * 2), Math.sqrt(4 * 8)];
    const within = xs.map((x) => ({ x, ratio: x > low && x < high ? 0.5 : 2 }));
    expect(beatsBaseline(within)).toEqual([
      { from: expect.closeTo(low, 12), to: expect.closeTo(high, 12) },
    ]);
    const lost = xs.map((x) => ({ x, ratio: x > 4 ? Infinity : 0.5 }));
    expect(beatsBaseline(lost)).toEqual([{ to: 4 }]);
  });

  it('draws the line of 1/√m through the middle of the points', () => {
    const points = [16, 64, 256].map((m) => ({ m, y: 3 / Math.sqrt(m) }));
    expect(rootUnit(points)).toBeCloseTo(3, 12);
    const [a, b, c] = points as [(typeof points)[0], (typeof points)[0], (typeof points)[0]];
    expect(rootUnit([{ ...a, y: 2 * a.y }, b, { ...c, y: c.y / 2 }])).toBeCloseTo(3, 12);
    expect(rootUnit([{ m: 16, y: 0 }, b])).toBeCloseTo(3, 12);
    expect(rootUnit([{ m: 16, y: Number.NaN }])).toBeUndefined();
  });

  it('refuses rows of another kind', () => {
    for (const wrong of [undefined, null, 1, {}, { kind: 'positive' }, { kind: 'x', m: 1 }]) {
      expect(isRow(wrong)).toBe(false);
    }
  });
});

describe('the words of the curves', () => {
  const shape = (words: unknown): unknown =>
    typeof words === 'object' && words !== null
      ? Object.fromEntries(Object.entries(words).map(([key, value]) => [key, shape(value)]))
      : typeof words;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['phi-curve', phiEn.words, phiDe.words],
    ['taylor-exp', taylorEn.words, taylorDe.words],
    ['random-features', randomEn.words, randomDe.words],
  ];
  it.each(pairs)('%s: say the same in both languages', (_, en, de) => {
    expect(shape(de)).toEqual(shape(en));
    expect(JSON.stringify([en, de])).not.toContain('—');
  });
});
