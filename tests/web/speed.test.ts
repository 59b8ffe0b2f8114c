import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrialMechanism } from '../../wasm/client';
import { othersOf, reasonOf } from '../../web/pages/speed/binary-choice';
import { speedState } from '../../web/pages/speed/link-state';
import {
  completeRounds,
  crossingOf,
  fittedLengths,
  keptOf,
  leastLength,
  lengths,
  type Measurement,
  measurementToCsv,
  pairedRatio,
  quantile,
  quartiles,
  ratiosOf,
  readMeasurement,
  rowsOf,
  secondsLeft,
  subjects,
} from '../../web/pages/speed/measurement';
import { readRecorded, recordedToCsv } from '../../web/pages/speed/peers-record';
import { browserOf } from '../../web/src/lab/experiment/machine-description';
import { axisPlace, binaryTicks, domainOf, logTicks } from '../../web/src/plot/axis';
import { drawLines, labelsHeight, spreadLabels, standalone } from '../../web/src/plot/chart';
import { paints } from '../../web/src/plot/chart-colors';
import { labelRows } from '../../web/src/plot/marker-labels';
import { drawDots } from '../../web/src/plot/ratio-dots';
import { escapeXml } from '../../web/src/plot/svg';
import { words } from '../../web/src/strings/en/speed';

const ratios = (points: Readonly<Record<number, number>>) =>
  Object.entries(points).map(([n, ratio]) => ({ n: Number(n), ratio }));

describe('the statistics of a measurement', () => {
  it('are quantiles of the sorted samples', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([5], 0.25)).toBe(5);
    expect(quartiles([1, 2, 3, 4, 100])).toEqual({ median: 3, low: 2, high: 4, min: 1 });
    expect(Number.isNaN(quantile([], 0.5))).toBe(true);
  });

  it('pair the rounds in which both took part', () => {
    expect(pairedRatio([2, 4, 9], [1, 2])).toMatchObject({ median: 2, low: 2, high: 2 });
    expect(pairedRatio([], [1])).toBeUndefined();
  });

  it('use two lengths for every doubling', () => {
    expect(lengths(256)).toEqual([32, 48, 64, 96, 128, 192, 256]);
    expect(lengths(4096).at(-1)).toBe(4096);
    expect(fittedLengths(lengths(1024))).toEqual([256, 384, 512, 768, 1024]);
    expect(fittedLengths(lengths(256))).toEqual([64, 96, 128, 192, 256]);
    expect(fittedLengths([32, 48])).toEqual([32, 48]);
  });
});

describe('a crossing', () => {
  it('lies where the lines between the points meet', () => {
    // The ratio is quadratic against linear and equals 1 at n = 100, which interpolation on logarithmic axes finds
    // exactly.
    const found = crossingOf([32, 64, 128, 256].map((n) => ({ n, ratio: n / 100 })));
    expect(found).toMatchObject({ kind: 'between', low: 64, high: 128 });
    expect(found?.n).toBeCloseTo(100, 8);
  });

  it('is the last one, and may lie before or beyond the measured lengths', () => {
    expect(crossingOf(ratios({ 1: 2, 2: 0.5, 4: 1.5, 8: 4 }))).toMatchObject({
      ...{ kind: 'between', low: 2, high: 4 },
    });
    expect(crossingOf(ratios({ 8: 3, 16: 4 }))).toEqual({ kind: 'below', n: 8 });
    expect(crossingOf(ratios({ 8: 0.3, 16: 0.5 }))).toEqual({ kind: 'never', n: 16 });
    expect(crossingOf([])).toBeUndefined();
  });

  it('compares within rounds, so that a delay of both does not count', () => {
    const samples = { fused: { 32: [1, 10, 1] }, fused_linear: { 32: [2, 20, 2] } };
    expect(ratiosOf({ samples, lengths: [32, 64] }, 'fused', 'fused_linear')).toEqual([
      { n: 32, ratio: 0.5 },
    ]);
  });

  it('is found for all powers and constants', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 40, max: 900, noNaN: true }),
        fc.double({ min: 0.2, max: 2, noNaN: true }),
        (at, gap) => {
          const all = lengths(1024);
          const found = crossingOf(all.map((n) => ({ n, ratio: (n / at) ** gap })));
          expect(found?.kind).toBe('between');
          expect(found?.n).toBeCloseTo(at, 6);
        },
      ),
    );
  });

  it('of the model is the least length, found with few calls', async () => {
    let asked = 0;
    const from = (least: number) => async (n: number) => {
      asked++;
      return n >= least;
    };
    for (const least of [1, 2, 75, 4095, 4096]) {
      asked = 0;
      expect(await leastLength(4096, from(least))).toBe(least);
      expect(asked).toBeLessThan(15);
    }
    expect(await leastLength(4096, from(5000))).toBeUndefined();
  });
});

const measurement: Measurement = {
  version: 1,
  date: '2026-11-21T10:00:00.000Z',
  place: { build: 'simd', kernels: 'baseline', lanes: 4, fused: false, browser: 'x', cores: 2 },
  rounds: 3,
  lengths: [32, 64],
  samples: { fused: { 32: [2, 1, 3], 64: [] }, fused_linear: { 32: [5, 4, 6] } },
  stay: { ordinary: [1], sharp: [2] },
  peak: [1e6, 4e6],
  counted: { fused: { 32: { multiplyAdds: 2000, exps: 10, bytesRead: 1, bytesWritten: 2 } } },
  guess: 100,
  finished: false,
};

describe('a measurement', () => {
  it('becomes rows that compare the fastest sample with the fastest peak', () => {
    const [first, second, ...rest] = rowsOf(measurement);
    expect(rest).toEqual([]);
    // 2000 multiply-adds in 1 ms are 2·10⁶ a second, which is half of the better peak.
    expect(first).toMatchObject({ id: 'fused', n: 32, median: 2, min: 1, share: 0.5 });
    expect(first?.gigaflops).toBeCloseTo(0.004, 12);
    expect(second).toMatchObject({ id: 'fused_linear', counted: undefined, share: undefined });
  });

  it('becomes CSV with every sample', () => {
    const lines = measurementToCsv(measurement, 'why').trimEnd().split('\n');
    expect(lines[0]).toBe('# why');
    expect(lines).toHaveLength(2 + 6 + 2 + 2);
    expect(lines).toContain('fused,32,2,1,2000,10,1,2');
    expect(new Set(lines.slice(1).map((line) => line.split(',').length))).toEqual(new Set([8]));
  });

  describe('a measurement that was stopped', () => {
    const samplesOf = (rounds: number) => ({
      32: Array.from({ length: rounds + 1 }, (_, i) => i + 1),
      64: Array.from({ length: rounds }, (_, i) => i + 1),
    });
    const stopped = (rounds: number): Measurement => ({
      ...measurement,
      samples: Object.fromEntries(subjects.map(({ id }) => [id, samplesOf(rounds)])),
      peak: Array.from({ length: 2 * rounds + 1 }, () => 1),
    });

    it('is kept up to its last complete round', () => {
      expect(completeRounds(stopped(2))).toBe(2);
      const kept = keptOf(stopped(2), undefined);
      expect(kept?.samples.fused).toEqual({ 32: [1, 2], 64: [1, 2] });
      expect(kept?.peak).toHaveLength(4);
      expect(keptOf(stopped(0), undefined)).toBeUndefined();
      expect(keptOf({ ...stopped(2), samples: {} }, undefined)).toBeUndefined();
    });

    it('does not replace a finished one', () => {
      const finished = { ...stopped(3), finished: true };
      expect(keptOf(stopped(2), finished)).toBeUndefined();
      expect(keptOf(stopped(2), stopped(1))?.samples.fused?.[32]).toHaveLength(2);
      expect(keptOf(finished, finished)).toBe(finished);
    });
  });

  it('estimates the remaining time no more precisely than is known', () => {
    expect(secondsLeft(500, 0.5)).toBeUndefined();
    expect(secondsLeft(5000, 0.01)).toBeUndefined();
    expect(secondsLeft(4000, 0.5)).toBe(4);
    expect(secondsLeft(4000, 0.1)).toBe(40);
    expect(secondsLeft(10_000, 0.9)).toBe(2);
  });

  it('is read back if it is complete', () => {
    const copy: unknown = structuredClone(measurement);
    expect(readMeasurement(copy)).toEqual(measurement);
    for (const wrong of [undefined, null, 1, 'x', [], {}, { ...measurement, version: 2 }]) {
      expect(readMeasurement(wrong)).toBeUndefined();
    }
    const { peak: _, ...part } = measurement;
    expect(readMeasurement(part)).toBeUndefined();
  });

  it('names the browser', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    expect(browserOf(chrome)).toBe('Chrome 156');
    expect(browserOf(chrome.replace('Chrome', 'HeadlessChrome'))).toBe('Chrome 156');
    expect(browserOf(`${chrome} Edg/156.0.0.0`)).toBe('Edge 156');
    expect(browserOf('Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
      'Firefox 140',
    );
    expect(
      browserOf('Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15'),
    ).toBe('Safari 18.1');
    expect(browserOf('curl')).toBe('curl');
  });

  it('has a name and a description for every mechanism', () => {
    const ids: TrialMechanism[] = subjects.map(({ id }) => id);
    for (const id of ids) {
      expect(words.mechanisms[id], id).toBeTruthy();
      expect(words.longNames[id], id).toBeTruthy();
    }
  });
});

describe('the link', () => {
  it('holds the settings', () => {
    const state = { ...speedState.defaults, largest: '256' as const, guess: 90, guessed: true };
    expect(speedState.print(state)).toBe('?v=1&n=256&guess=90');
    expect(speedState.parse('?v=1&n=256&guess=90').state).toEqual(state);
    expect(speedState.parse('?n=300').problems).toHaveLength(1);
    expect(speedState.parse('?recbuild=scalar').problems).toHaveLength(1);
  });

  it('distinguishes a guess from the slider’s position', () => {
    const { defaults, parse, print } = speedState;
    expect(parse('').state.guessed).toBe(false);
    expect(parse('?guess=7').state).toMatchObject({ guessed: false, guess: defaults.guess });
    expect(parse('?guess=42&guess=no').state).toMatchObject({ guessed: true, guess: 42 });
    const said = { ...defaults, guessed: true };
    const link = print(said, { others: [['build', 'simd']] });
    expect(link).toBe('?v=1&guess=512&build=simd');
    expect(parse(link)).toMatchObject({ state: said, others: [['build', 'simd']] });
    expect(print(defaults)).toBe('');
  });
});

describe('the binary that runs', () => {
  const site = { builds: ['relaxed', 'simd'], built: ['simd'] };
  const choice = { ...site, build: 'simd', asked: null, canRun: () => true };
  const old = { ...choice, built: site.builds, canRun: (build: string) => build !== 'relaxed' };

  it('is called the requested one only if it is the requested one', () => {
    expect(reasonOf({ ...choice, asked: 'simd' })?.kind).toBe('asked');
    expect(reasonOf({ ...choice, asked: 'bogus' })).toEqual({ kind: 'unknown', build: 'bogus' });
    expect(reasonOf({ ...old, asked: 'relaxed' })).toEqual({ kind: 'unable', build: 'relaxed' });
    expect(reasonOf({ ...choice, asked: 'relaxed' })).toEqual({ kind: 'absent', build: 'relaxed' });
  });

  it('is a slower one, with a reason, where the site lacks the fastest', () => {
    expect(reasonOf(choice)).toEqual({ kind: 'absent', build: 'relaxed' });
    expect(reasonOf(old)).toBeUndefined();
    expect(reasonOf({ ...choice, build: 'relaxed', built: site.builds })).toBeUndefined();
  });

  it('is listed with the other builds that exist and can run', () => {
    expect(othersOf(choice)).toEqual([]);
    expect(othersOf(old)).toEqual([]);
    expect(othersOf({ ...choice, built: site.builds })).toEqual(['relaxed']);
  });
});

describe('a chart', () => {
  it('places values on logarithmic axes and back', () => {
    const { at, value } = axisPlace({ low: 10, high: 1000 }, 0, 200);
    expect(at(100)).toBeCloseTo(100, 9);
    expect(value(at(37))).toBeCloseTo(37, 9);
  });

  it('has ticks at round numbers', () => {
    expect(logTicks({ low: 0.9, high: 11 })).toEqual([1, 2, 5, 10]);
    expect(
      logTicks({ low: 0.01, high: 1e6 }, 6).every((x) => Number.isInteger(Math.log10(x))),
    ).toBe(true);
    // A share of 20 to 100 % has only a few ticks of the form 1, 2, 5.
    expect(logTicks({ low: 0.19, high: 1.1 })).toEqual([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(logTicks({ low: 0.09, high: 1.1 }, 10)).toEqual([0.1, 0.2, 0.3, 0.5, 0.7, 1]);
    expect(binaryTicks({ low: 30, high: 1100 })).toEqual([32, 64, 128, 256, 512, 1024]);
    expect(binaryTicks({ low: 30, high: 1100 }, 3)).toEqual([64, 256, 1024]);
    expect(domainOf([0, -1, Number.NaN])).toBeUndefined();
  });

  it('moves labels apart and keeps them inside', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 7 }),
        (places) => {
          const moved = [...spreadLabels(places, 16, 0, 300)].sort((a, b) => a - b);
          moved.forEach((y, i) => {
            expect(y).toBeGreaterThanOrEqual(0);
            expect(y).toBeLessThanOrEqual(300);
            // After 60 passes the labels are as close as can be seen.
            if (i > 0) expect(y - (moved[i - 1] ?? 0)).toBeGreaterThan(12);
          });
        },
      ),
    );
  });

  it('places the labels of vertical lines where they cover nothing else', () => {
    const place = fc.double({ min: 54, max: 376, noNaN: true });
    const wide = fc.integer({ min: 40, max: 125 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: place, wide }), { minLength: 1, maxLength: 2 }),
        (labels) => {
          const words = labelRows(labels, 0, 390).map(({ row, left }, i) => {
            const { at, wide } = labels[i] as (typeof labels)[number];
            return { row, at, from: left ? at - wide : at, to: left ? at : at + wide };
          });
          words.forEach((one, i) => {
            expect(one.from).toBeGreaterThanOrEqual(0);
            expect(one.to).toBeLessThanOrEqual(390);
            words.forEach((other, j) => {
              if (i === j) return;
              if (one.row === other.row) {
                expect(one.to < other.from || other.to < one.from).toBe(true);
              }
              if (one.row > other.row) {
                expect(one.at > other.from && one.at < other.to).toBe(false);
              }
            });
          });
        },
      ),
    );
    // Labels that are too many to keep clear of each other's lines get a row each.
    const many = [105, 200, 285].map((at) => ({ at, wide: 110 }));
    expect(labelRows(many, 0, 390).map(({ row }) => row)).toEqual([0, 1, 2]);
    expect(labelRows([], 0, 390)).toEqual([]);
  });

  const series = {
    id: 'a"b',
    label: 'less < more & "so"',
    color: '#123456',
    mark: 'circle' as const,
    points: [
      { x: 32, y: 0.1, low: 0.09, high: 0.2 },
      { x: 64, y: 0.3, low: 0.2, high: 0.4 },
    ],
    fit: { x: [32, 64], y: [0.1, 0.3], low: [0.05, 0.2], high: [0.2, 0.5] },
  };
  const frame = { width: 700, height: 400, left: 50, right: 150, top: 30, bottom: 40 };
  const x = { low: 16, high: 128 };
  const y = { low: 0.01, high: 1 };
  const lines = (points = series.points) =>
    drawLines({
      ...{ frame, x, y, xLabel: 'n', yLabel: 'ms', named: true, paint: paints.light },
      series: [{ ...series, points }],
      markers: [{ x: 50, label: 'here', strong: true }],
    });

  it('has a description, and no text becomes markup', () => {
    const drawn = lines();
    expect(drawn).toContain('less &lt; more &amp; &quot;so&quot;');
    expect(drawn).not.toContain('a"b');
    expect(drawn.match(/<circle/g)).toHaveLength(2);
    expect(drawn).toContain('>here<');
    expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
    expect(lines([])).not.toMatch(/NaN|Infinity|undefined/);
    expect(escapeXml("<a href='x'>")).toBe('&lt;a href=&#39;x&#39;&gt;');
  });

  it('has the labels of close lines in rows above the plot', () => {
    const markers = [80, 85, 90].map((x) => ({ x, label: `your guess: ${x}` }));
    const chart = {
      ...{ x: { low: 16, high: 4096 }, y, xLabel: 'n', yLabel: 'ms', named: false },
      ...{ series: [series], markers, paint: paints.light },
      frame: { ...frame, width: 390, right: 14 },
    };
    expect(labelsHeight({ ...chart, markers: [] })).toBe(0);
    const top = 34 + labelsHeight(chart);
    const drawn = drawLines({ ...chart, frame: { ...chart.frame, top } });
    const levels = markers.map(({ label }) => {
      const found = new RegExp(` y="([\\d.]+)"[^>]*>${label}<`).exec(drawn);
      return Number(found?.[1]);
    });
    expect(new Set(levels).size).toBe(3);
    for (const level of levels) {
      expect(level).toBeLessThan(top);
      expect(level).toBeGreaterThan(20);
    }
  });

  it('draws the limit over the whole width', () => {
    const levels = [{ y: 0.5, label: 'the peak' }];
    const chart = { frame, x, y, xLabel: 'n', yLabel: '', named: true, paint: paints.light };
    const drawn = drawLines({ ...chart, series: [], markers: [], levels });
    expect(drawn).toContain('>the peak<');
    expect(drawn).toMatch(/<line class="marker limit" x1="50" [^>]*x2="550"/);
  });

  it('can be saved as a file of its own', () => {
    const file = standalone({
      inside: lines(),
      width: 700,
      height: 400,
      title: 'Time & more',
      caption: 'one two three '.repeat(30),
      legend: [series],
      paint: paints.dark,
    });
    expect(file).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="748" height="\d+/);
    expect(file).toContain('Time &amp; more');
    const count = (what: RegExp): number => file.match(what)?.length ?? 0;
    expect(count(/<[a-z]+/g) - count(/\/>/g)).toBe(count(/<\/[a-z]+>/g));
  });

  it('is drawn without rows when there are none', () => {
    const none = { width: 600, xLabel: 'x', paint: paints.light, gutter: 100, rows: [] };
    expect(drawDots(none)).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('the recorded run', () => {
  const about = {
    machine: { cpu: 'c', cores: 2, platform: 'linux', load: { before: 0, after: 0 } },
    ...{ browser: 'b', date: 'd', command: 'run', commit: 'abc', peers: {}, rounds: 15 },
    method: 'm',
  };
  const contender = (peer: string, median: (number | null)[]) => ({
    ...{ peer, variants: ['v'], variant: [0, null], median, min: median, error: null },
  });
  const one = {
    ...{ name: 'attention', title: 'attention', sizes: [64, 128], multiplyAdds: [1, null] },
    contenders: [
      contender('ours simd', [1, 2]),
      contender('tfjs', [2, null]),
      contender('tfjs, chunked', [3, 4]),
    ],
    ratios: [
      { build: 'simd', peer: 'tfjs', median: [2, null], q1: [1.9, null], q3: [2.1, null] },
      { build: 'simd', peer: 'tfjs, chunked', median: [3, 2], q1: [null, 2], q3: [3, 2] },
      { build: 'relaxed', peer: 'tfjs', median: [9, 9], q1: [9, 9], q3: [9, 9] },
    ],
    float32Loop: null,
    goals: [],
  };

  it('becomes rows, without what failed', () => {
    const read = readRecorded({ about, peaks: [], cases: [one], crossovers: [] });
    expect(read?.peers).toEqual(['tfjs']);
    expect(read?.lengths).toEqual([64, 128]);
    expect(read?.builds).toEqual(['simd']);
    const [short, long] = read?.rows ?? [];
    expect(short?.ratios).toEqual([
      { peer: 'tfjs', form: '', variant: 'v', median: 2, low: 1.9, high: 2.1 },
      { peer: 'tfjs', form: 'chunked', variant: 'v', median: 3, low: 3, high: 3 },
    ]);
    expect(long?.ratios).toHaveLength(1);
  });

  it('becomes CSV, one ratio a line', () => {
    const peaks = [{ name: 'FMA' as const, gigaflops: 50 }];
    const said = {
      ...one,
      contenders: one.contenders.map((c) => ({ ...c, variants: ['v, "w"'] })),
    };
    const read = readRecorded({ about, peaks, cases: [said], crossovers: [] });
    if (!read) throw new Error('nothing was read');
    const lines = recordedToCsv(read, 'why').trimEnd().split('\n');
    expect(lines).toHaveLength(2 + 3);
    expect(lines[0]).toBe('# why');
    expect(lines[1]?.split(',').at(-1)).toBe('best_share_of_FMA');
    expect(lines[2]).toBe('attention,64,simd,1,tfjs,,"v, ""w""",2,1.9,2.1,,,');
  });

  it('is undefined for content that is not a record', () => {
    for (const wrong of [undefined, null, 3, '', [], {}, { about }, { about, cases: [] }]) {
      expect(readRecorded(wrong)).toBeUndefined();
    }
    const absent = { ...one, contenders: [] };
    expect(readRecorded({ about, cases: [absent] })).toBeUndefined();
    expect(readRecorded({ about, cases: [absent, one] })?.rows).toHaveLength(2);
  });

  const file = new URL('../../web/src/speed/recorded/peers.json', import.meta.url);
  it.runIf(existsSync(file))('of this repository can be read', () => {
    const read = readRecorded(JSON.parse(readFileSync(file, 'utf8')));
    expect(read?.rows.length).toBeGreaterThan(0);
    for (const { ratios, ours } of read?.rows ?? []) {
      expect(ours).toBeGreaterThan(0);
      for (const { low, median, high } of ratios) {
        expect(low).toBeLessThanOrEqual(median);
        expect(median).toBeLessThanOrEqual(high);
      }
    }
  });
});
