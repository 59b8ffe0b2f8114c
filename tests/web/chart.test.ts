import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Axis,
  axisPlace,
  axisTicks,
  domainFor,
  logTicks,
  symlogTicks,
} from '../../web/src/plot/axis';
import {
  chartPoint,
  drawLines,
  type LineChart,
  legendSign,
  type Series,
  standalone,
  ticksWidth,
} from '../../web/src/plot/chart';
import { paints } from '../../web/src/plot/chart-colors';
import { placeLabels, placeLevels, wordsBox } from '../../web/src/plot/marker-labels';
import {
  type Box,
  clippedLine,
  lengthWithin,
  type Place,
  sharedArea,
} from '../../web/src/plot/svg';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const axes: readonly Axis[] = [{}, { linear: true }, { symlog: 0.01 }, { count: 'binary' }];
const axis = fc.constantFrom(...axes);

describe('an axis', () => {
  it('covers all values that it can show', () => {
    fc.assert(
      fc.property(axis, fc.array(number(-1e6, 1e6), { minLength: 1 }), (kind, values) => {
        const domain = domainFor(kind, values);
        expect(domain.high).toBeGreaterThan(domain.low);
        const logarithmic = !kind.linear && kind.symlog === undefined;
        for (const value of values) {
          if (logarithmic && value <= 0) continue;
          expect(value).toBeGreaterThanOrEqual(domain.low);
          expect(value).toBeLessThanOrEqual(domain.high);
        }
        if (logarithmic) expect(domain.low).toBeGreaterThan(0);
        else if (values.every((value) => value >= 0)) expect(domain.low).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('keeps the ends that it is given, whatever is drawn', () => {
    fc.assert(
      fc.property(axis, number(0.5, 10), fc.array(number(-50, 50)), (kind, low, values) => {
        const domain = domainFor({ ...kind, low, high: 20 }, values);
        expect(domain).toMatchObject({ low, high: 20 });
        expect(domainFor({ ...kind, low: 1e9 }, values).high).toBeGreaterThan(1e9);
      }),
    );
    expect(domainFor({ linear: true }, [Number.NaN, Infinity])).toMatchObject({ low: 0 });
    expect(domainFor({ linear: true }, [-3]).low).toBeLessThan(-3);
  });

  it('places values in their order, and converts places back into values', () => {
    fc.assert(
      fc.property(axis, number(0.001, 1e5), number(0.001, 1e5), (kind, a, b) => {
        const domain = domainFor(kind, [0.001, 1e5]);
        const { at, value } = axisPlace(domain, 400, 20);
        if (a < b) expect(at(a)).toBeGreaterThanOrEqual(at(b));
        expect(Math.abs(value(at(a)) - a)).toBeLessThan(1e-6 * a + 1e-6);
      }),
    );
    expect(axisPlace({ low: 1, high: 10 }, 0, 100).at(0)).toBe(-Infinity);
    expect(axisPlace({ low: 1, high: 10 }, 100, 0).at(-5)).toBe(Infinity);
    const both = axisPlace({ low: -100, high: 100, symlog: 1 }, 0, 100);
    expect(both.at(0)).toBeCloseTo(50, 9);
    expect(both.at(-7) + both.at(7)).toBeCloseTo(100, 9);
  });

  it('has ascending ticks between its ends, and no more than fit', () => {
    fc.assert(
      fc.property(
        axis,
        number(-1e5, 1e5),
        number(1e-3, 1e6),
        fc.integer({ min: 3, max: 20 }),
        (kind, from, way, most) => {
          const domain = domainFor(kind, [from, from + way]);
          const found = axisTicks(domain, most);
          expect(found.length).toBeLessThanOrEqual(Math.max(most, 10) + 1);
          expect([...found].sort((a, b) => a - b)).toEqual(found);
          for (const tick of found) {
            expect(tick).toBeGreaterThanOrEqual(domain.low - 1e-9 * Math.abs(domain.low));
            expect(tick).toBeLessThanOrEqual(domain.high + 1e-9 * Math.abs(domain.high));
          }
        },
      ),
    );
  });

  it('has ticks at every second or fifth power where there are too many powers', () => {
    // e^{−100} is far below the smallest float32.
    const powers = logTicks({ low: 1e-44, high: 1e2 }, 9).map(Math.log10);
    expect(powers.length).toBeLessThanOrEqual(10);
    expect(powers.length).toBeGreaterThan(3);
    for (const power of powers) expect(Math.abs(Math.round(power) % 10)).toBe(0);
    expect(symlogTicks({ low: -1e4, high: 1e4, symlog: 1 }, 20)).toEqual([
      ...[-1e4, -1e3, -100, -10, -1],
      0,
      ...[1, 10, 100, 1e3, 1e4],
    ]);
    expect(symlogTicks({ low: -1e4, high: 1e4, symlog: 1 }, 5)).toContain(0);
  });
});

const box = { left: 50, right: 350, top: 20, bottom: 220 };
const coordinate = fc.oneof(number(-1e4, 1e4), fc.constantFrom(Number.NaN, Infinity, -Infinity));
const place = fc.tuple(coordinate, coordinate);

/** The ends of the stretches of a path. */
const pathPoints = (path: string): Place[] =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );

describe('a line', () => {
  it('ends at the frame', () => {
    fc.assert(
      fc.property(fc.array(place), (places) => {
        const path = clippedLine(places, box);
        expect(path).not.toMatch(/NaN|Infinity|e[+-]/);
        for (const [x, y] of pathPoints(path)) {
          expect(x).toBeGreaterThanOrEqual(box.left - 0.1);
          expect(x).toBeLessThanOrEqual(box.right + 0.1);
          expect(y).toBeGreaterThanOrEqual(box.top - 0.1);
          expect(y).toBeLessThanOrEqual(box.bottom + 0.1);
        }
      }),
    );
  });

  it('is in one piece inside the frame, and broken where a value is not a number', () => {
    const inside: Place[] = [
      [60, 30],
      [100, 50],
      [200, 90],
    ];
    expect(clippedLine(inside, box)).toBe('M60 30L100 50L200 90');
    expect(clippedLine([...inside, [250, Number.NaN], [300, 100], [340, 110]], box)).toBe(
      'M60 30L100 50L200 90M300 100L340 110',
    );
    // The line leaves at the top and comes back: two pieces that end at the frame.
    expect(
      clippedLine(
        [
          [100, 120],
          [150, -80],
          [200, 120],
        ],
        box,
      ),
    ).toBe('M100 120L125 20M175 20L200 120');
    expect(clippedLine([[60, 30]], box)).toBe('');
  });
});

const frame = { width: 500, height: 300, left: 60, right: 140, top: 40, bottom: 46 };
const look = { color: '#123456', mark: 'circle' } as const;
const chart = (series: readonly Series[], more: Partial<LineChart> = {}): LineChart => ({
  ...{ frame, series, markers: [], xLabel: 't', yLabel: 'y', named: true, paint: paints.light },
  x: domainFor(
    { linear: true },
    series.flatMap(({ points }) => points.map(({ x }) => x)),
  ),
  y: domainFor(
    { linear: true },
    series.flatMap(({ points }) => points.flatMap((p) => [p.y, p.low, p.high])),
  ),
  ...more,
});
const points = [chartPoint(-2, -1), chartPoint(0, 3, 2, 4), chartPoint(2, -0.5)];
const one: Series = { id: 'a', label: 'measured', ...look, points };

describe('a chart', () => {
  it('draws any numbers on any axes inside its frame', () => {
    const value = fc.oneof(number(-1e5, 1e5), fc.constantFrom(Number.NaN, Infinity, 0, -Infinity));
    const series = fc.record({
      ...{ id: fc.constant('s'), label: fc.string(), color: fc.constant('#000000') },
      mark: fc.constantFrom('circle', 'cross', 'down'),
      ...{ model: fc.boolean(), bare: fc.boolean(), band: fc.boolean(), unnamed: fc.boolean() },
      line: fc.constantFrom('straight', 'step', 'none'),
      points: fc.array(
        fc.record({ x: value, y: value, low: value, high: value, label: fc.constantFrom('', 'φ') }),
        { maxLength: 12 },
      ),
    }) as fc.Arbitrary<Series>;
    fc.assert(
      fc.property(fc.array(series, { maxLength: 4 }), axis, axis, (all, xKind, yKind) => {
        const x = domainFor(
          xKind,
          all.flatMap((s) => s.points.map((p) => p.x)),
        );
        const y = domainFor(
          yKind,
          all.flatMap((s) => s.points.flatMap((p) => [p.y, p.low, p.high])),
        );
        const drawn = drawLines(chart(all, { x, y }));
        const shapes = drawn.replace(/<text[^>]*>.*?<\/text>/g, '');
        expect(shapes).not.toMatch(/NaN|Infinity|undefined/);
        for (const [, cx, cy] of shapes.matchAll(/cx="([^"]+)" cy="([^"]+)"/g)) {
          expect(Number(cx)).toBeGreaterThanOrEqual(frame.left - 1);
          expect(Number(cx)).toBeLessThanOrEqual(frame.width - frame.right + 1);
          expect(Number(cy)).toBeGreaterThanOrEqual(frame.top - 1);
          expect(Number(cy)).toBeLessThanOrEqual(frame.height - frame.bottom + 1);
        }
      }),
    );
  });

  it('distinguishes a model from measurements', () => {
    const model = { ...one, id: 'b', label: 'predicted', model: true };
    const drawn = drawLines(chart([one, model]));
    const [, measured = '', predicted = ''] = drawn.split('<g class="series"');
    expect(measured.match(/<circle/g)).toHaveLength(3);
    expect(measured).toMatch(/class="line" [^>]*stroke-width/);
    expect(measured).not.toMatch(/class="line[^>]*stroke-dasharray/);
    expect(predicted.split('</g>')[0]).not.toContain('<circle');
    expect(predicted).toMatch(/class="line bare"[^>]*stroke-dasharray/);
    expect(legendSign(one, 9, 7, '#fff')).toContain('<circle');
    expect(legendSign(model, 9, 7, '#fff')).toMatch(/^<line [^>]*stroke-dasharray/);
  });

  it('draws spreads as bars or as one surface', () => {
    const bars = drawLines(chart([one]));
    expect(bars.match(/class="spread"/g)).toHaveLength(1);
    expect(bars).not.toContain('class="band"');
    const band = drawLines(chart([{ ...one, band: true }]));
    expect(band).not.toContain('class="spread"');
    expect(band.match(/class="band"/g)).toHaveLength(1);
  });

  it('can have points without a line, with labels, and a front in steps', () => {
    const scatter = {
      ...one,
      line: 'none',
      points: [{ ...chartPoint(1, 1), label: 'ReLU' }],
    } as const;
    const drawn = drawLines(chart([scatter], { y: { low: 0, high: 2, linear: true } }));
    expect(drawn).not.toContain('class="line');
    expect(drawn).toContain('>ReLU<');
    expect(drawn).not.toContain('>measured<');
    const front = drawLines(
      chart([{ ...one, line: 'step' }], {
        x: { low: -2, high: 2, linear: true },
        y: { low: -1, high: 3, linear: true },
      }),
    );
    const path = /class="line" d="([^"]+)"/.exec(front)?.[1] ?? '';
    // Each stretch is horizontal or vertical, never both.
    const corners = pathPoints(path);
    expect(corners).toHaveLength(5);
    corners.slice(1).forEach(([x, y], i) => {
      const [px, py] = corners[i] as Place;
      expect(x === px || y === py).toBe(true);
    });
  });

  it('marks where points lie outside the axis', () => {
    const y = { low: 0, high: 1, linear: true };
    const drawn = drawLines(chart([one], { y }));
    expect(drawn.match(/<circle/g)).toBeNull();
    expect(drawn.match(/class="beyond"/g)).toHaveLength(3);
    // Zero has no logarithm and no place, so it is drawn at the lower edge.
    const zero = { ...one, points: [chartPoint(1, 0), chartPoint(2, 10)] };
    const logarithmic = drawLines(chart([zero], { y: { low: 1, high: 100 } }));
    expect(logarithmic.match(/class="beyond"/g)).toHaveLength(1);
  });

  it('marks where values change their sign', () => {
    const drawn = drawLines(chart([one]));
    const level = (kind: string) => new RegExp(`<line class="${kind}" x1="60" [^>]*x2="360"`, 'g');
    expect([...drawn.matchAll(level('axis'))].length).toBe(2);
    const positive = [chartPoint(0, 1), chartPoint(1, 5)];
    const above = drawLines(chart([{ ...one, points: positive }]));
    expect([...above.matchAll(level('axis'))].length).toBe(1);
  });

  it('shades a part of the axis, clipped at the frame', () => {
    const stretches = [{ from: -100, to: 0, label: 'all 0' }];
    const x = { low: -2, high: 2, linear: true };
    const drawn = drawLines(chart([one], { x, stretches }));
    expect(drawn).toMatch(/class="stretch" x="60" [^>]*width="150"/);
    expect(drawn).toContain('>all 0<');
    const narrow = [{ from: 0, to: 0.01, label: 'no room for this' }];
    expect(drawLines(chart([one], { x, stretches: narrow }))).not.toContain('no room');
  });

  it('writes notes at their places, and those that would leave it inside it', () => {
    const placeOf = (x: number, y: number) => {
      const drawn = drawLines(chart([one], { notes: [{ x, y, text: 'a <note>' }] }));
      const found = /x="([\d.]+)" y="([\d.]+)"[^>]*>a &lt;note&gt;</.exec(drawn);
      return found?.slice(1).map(Number);
    };
    const middle = (frame.left + frame.width - frame.right) / 2;
    expect(placeOf(0, 1)?.[0]).toBeCloseTo(middle, 0);
    expect(placeOf(0, 1)?.[1]).toBeGreaterThan(placeOf(0, 2)?.[1] ?? Number.NaN);
    const [right = Number.NaN] = placeOf(1e6, 1) ?? [];
    expect(right).toBeGreaterThan(middle);
    expect(right).toBeLessThan(frame.width - 40);
    expect(placeOf(-1e6, 1e6)).toEqual([frame.left, frame.top + 10]);
    expect(placeOf(Number.NaN, 1)).toBeUndefined();
  });

  it('has level lines whose labels do not cover each other', () => {
    const levels = [0.5, 0.52, 0.54].map((y, i) => ({ y, label: `level ${i}`, dashed: i > 0 }));
    const drawn = drawLines(chart([one], { levels }));
    const places = levels
      .map(({ label }) => Number(new RegExp(`y="([\\d.]+)"[^>]*>${label}<`).exec(drawn)?.[1]))
      .sort((a, b) => a - b);
    expect((places[1] ?? 0) - (places[0] ?? 0)).toBeGreaterThan(12);
    expect((places[2] ?? 0) - (places[1] ?? 0)).toBeGreaterThan(12);
    expect(drawn.match(/class="marker limit"/g)).toHaveLength(3);
  });

  it('does not write the label of a level at its top over the name of its axis', () => {
    const level = { y: 1, label: 'rtol = 1e-3' };
    const y = { low: 0, high: 1, linear: true };
    const drawn = drawLines(chart([one], { y, yLabel: '|a − b| / |b|', levels: [level] }));
    const boxOf = (words: string): Box => {
      const found = new RegExp(
        `x="([\\d.]+)" y="([\\d.]+)"[^>]*text-anchor="(start|end)"[^>]*>${words}<`,
      );
      const [, x, at, anchor] = found.exec(drawn) ?? [];
      return wordsBox(Number(x), Number(at), 6.5 * words.length, anchor as 'start' | 'end');
    };
    const [name, label] = [boxOf('\\|a − b\\| / \\|b\\|'), boxOf(level.label)];
    expect(sharedArea(name, name)).toBeGreaterThan(0);
    expect(sharedArea(label, label)).toBeGreaterThan(0);
    expect(sharedArea(name, label)).toBe(0);
  });

  it('leaves room for long numbers beside it', () => {
    const long = { frame, y: { low: -1e-7, high: 1e-7, linear: true } };
    expect(ticksWidth({ frame, y: { low: 0, high: 1, linear: true } }, 54)).toBe(54);
    expect(ticksWidth(long, 54)).toBeGreaterThan(54);
  });

  it('saves a file whose legend also has the lines without marks', () => {
    const svg = standalone({
      inside: drawLines(chart([one])),
      ...{ width: 500, height: 300, title: 'A & B', caption: 'seed 1', paint: paints.dark },
      legend: [one, { ...one, label: 'predicted', model: true }],
    });
    expect(svg).toMatch(/^<svg xmlns=/);
    expect(svg).toContain('A &amp; B');
    expect(svg).toMatch(/<line class="line bare"[^>]*stroke-dasharray/);
  });
});

describe('the labels of levels', () => {
  const room = { left: 0, right: 400, top: 0, bottom: 240 };
  const level = { at: 120, above: 114, wide: 100 };
  const zigzag = (from: number, to: number, low: number, high: number) =>
    Array.from({ length: Math.ceil((to - from) / 10) }, (_, i): [Place, Place] => [
      [from + 10 * i, i % 2 ? low : high],
      [Math.min(to, from + 10 * (i + 1)), i % 2 ? high : low],
    ]);

  it('are above their lines at the left end where nothing is there', () => {
    const placed = placeLevels([level], room, { words: [], lines: [] });
    expect(placed).toEqual([{ x: 6, y: 114, anchor: 'start' }]);
  });

  it('are along their lines or below them where curves cover both ends', () => {
    const ends = [...zigzag(0, 140, 100, 138), ...zigzag(260, 400, 100, 138)];
    const above = zigzag(0, 400, 100, 118);
    for (const lines of [ends, above]) {
      const [place] = placeLevels([level], room, { words: [], lines });
      const own = wordsBox(place?.x ?? Number.NaN, place?.y ?? Number.NaN, 100, place?.anchor);
      const struck = lines.reduce((sum, [a, b]) => sum + lengthWithin(a, b, own), 0);
      expect(struck).toBe(0);
      expect(own.left).toBeGreaterThanOrEqual(0);
      expect(own.right).toBeLessThanOrEqual(400);
    }
  });

  it('cover neither other words nor each other where there is room', () => {
    fc.assert(
      fc.property(number(20, 200), number(-30, 30), number(0, 300), (at, way, from) => {
        const words = [wordsBox(from, at - 6, 90)];
        const levels = [at, at + way].map((one) => ({ at: one, above: one - 6, wide: 80 }));
        const boxes = placeLevels(levels, room, { words, lines: [] }).map(({ x, y, anchor }) =>
          wordsBox(x, y, 80, anchor),
        );
        const [a, b] = boxes as [Box, Box];
        expect(sharedArea(a, b)).toBe(0);
        for (const box of boxes) expect(sharedArea(box, words[0] as Box)).toBe(0);
      }),
    );
  });
});

describe('the labels of points', () => {
  const room = { left: 0, right: 400, top: 0, bottom: 240 };

  it('are left out where there is no room, the last ones first', () => {
    const crowd = Array.from({ length: 40 }, (_, i) => ({ x: 200 + (i % 5), y: 120, wide: 60 }));
    const shown = placeLabels(crowd, room).map(({ hidden }) => !hidden);
    expect(shown[0]).toBe(true);
    expect(shown.filter(Boolean).length).toBeLessThan(9);
    expect(shown.at(-1)).toBe(false);
  });

  it('never hide a point, however long they are', () => {
    const at = fc.record({
      x: number(60, 340),
      y: number(40, 200),
      wide: fc.constantFrom(0, 40, 120, 200),
    });
    fc.assert(
      fc.property(fc.array(at, { minLength: 2, maxLength: 12 }), (all) => {
        placeLabels(all, room).forEach(({ x, y, anchor, hidden }, i) => {
          if (hidden) return;
          const { wide } = all[i] as (typeof all)[number];
          const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
          for (const point of all) {
            const w = Math.min(from + wide, point.x + 5) - Math.max(from, point.x - 5);
            const h = Math.min(y + 3, point.y + 5) - Math.max(y - 10, point.y - 5);
            // A quarter of its mark may be covered.
            if (w > 0 && h > 0) expect(w * h).toBeLessThanOrEqual(25 + 1e-9);
          }
        });
      }),
    );
  });

  it('never cover each other or other words, and are never nearer to another point', () => {
    const at = fc.record({
      ...{ x: number(0, 400), y: number(0, 240), wide: fc.constantFrom(0, 30, 60, 120) },
    });
    const words = [wordsBox(150, 120, 100)];
    fc.assert(
      fc.property(fc.array(at, { minLength: 2, maxLength: 12 }), (all) => {
        const boxes = placeLabels(all, room, { words, lines: [] }).flatMap((place, i) => {
          const { x = 0, y = 0, wide = 0 } = all[i] ?? {};
          return place.hidden
            ? []
            : [{ x, y, box: wordsBox(place.x, place.y, wide, place.anchor) }];
        });
        boxes.forEach(({ x, y, box }, i) => {
          for (const other of [...words, ...boxes.slice(0, i).map((one) => one.box)]) {
            expect(sharedArea(box, other)).toBe(0);
          }
          const far = (point: { readonly x: number; readonly y: number }): number =>
            Math.hypot(
              Math.max(box.left - point.x, 0, point.x - box.right),
              Math.max(box.top - point.y, 0, point.y - box.bottom),
            );
          for (const point of all) expect(far(point)).toBeGreaterThanOrEqual(far({ x, y }) - 1e-6);
        });
      }),
    );
  });

  it('are left out rather than beside another point or along a line', () => {
    const only = (others: readonly { x: number; y: number }[], lines: [Place, Place][] = []) =>
      placeLabels(
        [{ x: 200, y: 230, wide: 96 }, ...others.map((one) => ({ ...one, wide: 0 }))],
        room,
        { words: [], lines },
      )[0]?.hidden;
    expect(only([])).toBe(false);
    // Like the cheapest good map on a phone: to its left there is room, but below another point.
    const row = [120, 150, 180, 200, 230, 260, 290].map((x) => ({ x, y: 210 }));
    expect(only(row)).toBe(true);
    const along = [212, 218, 224, 230, 234].map((y): [Place, Place] => [
      [0, y],
      [400, y],
    ]);
    expect(only([], along)).toBe(true);
  });

  it('stay in the frame, and cover neither each other nor points where there is room', () => {
    const at = fc.record({
      x: number(60, 340),
      y: number(40, 200),
      wide: fc.constantFrom(0, 30, 60),
    });
    fc.assert(
      fc.property(fc.array(at, { minLength: 1, maxLength: 2 }), (all) => {
        const placed = placeLabels(all, room);
        expect(placed).toHaveLength(all.length);
        const areas = placed.flatMap(({ x, y, anchor, hidden }, i) => {
          expect(hidden).toBe(all[i]?.wide === 0);
          const { wide } = all[i] as (typeof all)[number];
          const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
          return wide === 0 ? [] : [{ from, to: from + wide, top: y - 10, bottom: y + 3 }];
        });
        for (const area of areas) {
          expect(area.from).toBeGreaterThanOrEqual(-1e-9);
          expect(area.to).toBeLessThanOrEqual(400 + 1e-9);
        }
        const [a, b] = areas;
        if (!a || !b) return;
        const apart = a.to <= b.from || b.to <= a.from || a.bottom <= b.top || b.bottom <= a.top;
        expect(apart).toBe(true);
      }),
    );
  });
});
