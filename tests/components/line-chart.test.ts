import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AttnLineChart } from '../../web/src/components/line-chart/line-chart';
import '../../web/src/components/line-chart/line-chart';
import { chartPoint, type Series } from '../../web/src/plot/chart';
import { all, details, inEveryLook, inside, settled, show, textOf, violations } from './support';

const lengths = [16, 32, 64, 128];
const line = (id: string, label: string, f: (n: number) => number): Series => ({
  ...{ id, label, color: id === 'square' ? '#8a5a00' : '#00658a', mark: 'circle' },
  points: lengths.map((n) => chartPoint(n, f(n))),
});
const series = [
  line('square', 'softmax', (n) => n ** 2 / 64),
  line('straight', 'linear', (n) => n),
];
async function chart(properties: Partial<AttnLineChart> = {}): Promise<AttnLineChart> {
  const shown = await show(
    'attn-line-chart',
    { ...{ heading: 'Time over length', series, xLabel: 'n', yLabel: 'ms' }, ...properties },
    640,
  );
  // It draws once it knows its width.
  await expect.poll(() => all(shown, '.frame svg').length).toBe(1);
  await settled(shown);
  return shown;
}
const spoken = (of: AttnLineChart): string => textOf(inside(of, '[role=status]'));
const drawn = (of: AttnLineChart): number => all(of, '.frame .series').length;

describe('a chart by keyboard', () => {
  it('says its points along a line and from line to line', async () => {
    const shown = await chart();
    inside(shown, '.frame').focus();
    for (const [key, said] of [
      ['{ArrowRight}', 'softmax: n 16.00, ms 4.000'],
      ['{ArrowRight}', 'softmax: n 32.00, ms 16.00'],
      ['{End}', 'softmax: n 128.0, ms 256.0'],
      // The line below it there, at the same length.
      ['{ArrowDown}', 'linear: n 128.0, ms 128.0'],
      ['{Home}', 'linear: n 16.00, ms 16.00'],
      ['{ArrowDown}', 'softmax: n 16.00, ms 4.000'],
      ['{ArrowLeft}', 'softmax: n 16.00, ms 4.000'],
      ['{PageUp}', 'softmax: n 128.0, ms 256.0'],
    ] as const) {
      await userEvent.keyboard(key);
      await expect.poll(() => spoken(shown), { message: key }).toBe(said);
    }
    expect(textOf(inside(shown, '.read'))).toBe('softmax: n 128.0, ms 256.0');
    expect(all(shown, '.held').length).toBeGreaterThan(0);
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => textOf(inside(shown, '.read'))).toMatch(/^Hover or use the arrow keys/);
    expect(all(shown, '.held')).toHaveLength(0);
  });

  it('lets go of a point that is no longer there', async () => {
    const shown = await chart();
    inside(shown, '.frame').focus();
    await userEvent.keyboard('{ArrowRight}{End}');
    shown.series = series.map((one) => ({ ...one, points: one.points.slice(0, 2) }));
    await expect.poll(() => all(shown, '.held').length).toBe(0);
  });
});

describe('what a chart draws', () => {
  it('has the lines that the legend has switched on, on axes that stay', async () => {
    const shown = await chart();
    await expect.poll(() => drawn(shown)).toBe(2);
    expect(all(shown, '.frame .series .mark')).toHaveLength(8);
    const before = shown.chart().y;
    await userEvent.click(page.getByRole('checkbox', { name: 'softmax' }));
    await expect.poll(() => drawn(shown)).toBe(1);
    expect(shown.chart().y).toEqual(before);
    await userEvent.click(page.getByRole('checkbox', { name: 'softmax' }));
    await expect.poll(() => drawn(shown)).toBe(2);
  });

  it('has markers, limits, stretches and fits', async () => {
    const shown = await chart({
      markers: [{ x: 64, label: 'n*' }],
      levels: [{ y: 100, label: 'the peak' }],
      stretches: [{ from: 16, to: 32, label: 'flat' }],
      series: series.map((one) => {
        const y = one.points.map((point) => point.y);
        return { ...one, fit: { x: lengths, y, low: y, high: y } };
      }),
    });
    await expect.poll(() => all(shown, '.frame .marker:not(.limit)').length).toBe(1);
    expect(all(shown, '.frame .limit')).toHaveLength(1);
    expect(all(shown, '.frame .stretch')).toHaveLength(1);
    expect(all(shown, '.frame .fit')).toHaveLength(2);
    expect(textOf(inside(shown, '.frame svg'))).toContain('the peak');
  });

  it('is a file of its own: heading, caption and a legend with every line', async () => {
    const shown = await chart();
    await expect.poll(() => drawn(shown)).toBe(2);
    const svg = shown.svg('Seed 1.');
    expect(new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')).toBe(
      null,
    );
    for (const words of ['Time over length', 'Seed 1.', 'softmax', 'linear']) {
      expect(svg).toContain(words);
    }
  });

  it('says so when there is nothing to draw', async () => {
    const shown = await chart({ series: [] });
    await expect.poll(() => textOf(inside(shown, '.empty'))).toBe('There is nothing to draw yet.');
    expect(inside(shown, '.frame').getAttribute('aria-label')).toContain('nothing to draw');
  });
});

describe('the grip of a chart', () => {
  it('tells values of the axis while it is dragged, and when it rests', async () => {
    const shown = await chart({ grip: 32 });
    await expect.poll(() => all(shown, '.grip').length).toBe(1);
    const moves = details<{ value: number; done: boolean }>(shown, 'attn-grip');
    const grip = inside(shown, '.grip');
    const box = grip.getBoundingClientRect();
    const at = (type: string, dx: number): boolean =>
      grip.dispatchEvent(
        new PointerEvent(type, {
          ...{ bubbles: true, pointerId: 1, clientY: box.top + 9 },
          clientX: box.left + box.width / 2 + dx,
        }),
      );
    // A pointer that a script makes cannot be captured; what the grip does with one can be asked.
    grip.setPointerCapture = () => undefined;
    grip.hasPointerCapture = () => true;
    at('pointerdown', 0);
    at('pointermove', 60);
    at('pointermove', 9999);
    at('pointerup', -9999);
    expect(moves[0]?.value).toBeCloseTo(32, 0);
    expect(moves[1]?.value).toBeGreaterThan(36);
    // No further than the axis.
    expect(moves[2]?.value).toBe(shown.chart().x.high);
    expect(moves[3]).toEqual({ value: shown.chart().x.low, done: true });
    shown.grip = undefined;
    await expect.poll(() => all(shown, '.grip').length).toBe(0);
  });
});

describe('a chart for everyone', () => {
  it('has nothing axe objects to, and its lines are seen in forced colours', async () => {
    const shown = await chart({ summary: 'Two lines cross at 64.' });
    await expect.poll(() => drawn(shown)).toBe(2);
    expect(inside(shown, '.frame').getAttribute('aria-label')).toBe(
      'Time over length. Two lines cross at 64.',
    );
    await inEveryLook(async (look) => {
      expect(await violations(shown), look).toEqual([]);
      if (look !== 'forced colours') return;
      // Were the line's own colour kept, it could be the background's.
      const text = getComputedStyle(document.body).color;
      expect(getComputedStyle(inside(shown, '.frame .line')).stroke).toBe(text);
    });
  });
});
