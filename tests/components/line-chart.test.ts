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
  // The chart draws only once it knows its width.
  await expect.poll(() => all(shown, '.frame svg').length).toBe(1);
  await settled(shown);
  return shown;
}
const spoken = (of: AttnLineChart): string => textOf(inside(of, '[role=status]'));
const drawn = (of: AttnLineChart): number => all(of, '.frame .series').length;

describe('a chart by keyboard', () => {
  it('announces its points along a line and from one line to the next', async () => {
    const shown = await chart();
    inside(shown, '.frame').focus();
    for (const [key, said] of [
      ['{ArrowRight}', 'softmax: n 16.00, ms 4.000'],
      ['{ArrowRight}', 'softmax: n 32.00, ms 16.00'],
      ['{End}', 'softmax: n 128.0, ms 256.0'],
      // This is the point of the line below, at the same length n.
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

  it('releases a point that is no longer drawn', async () => {
    const shown = await chart();
    inside(shown, '.frame').focus();
    await userEvent.keyboard('{ArrowRight}{End}');
    shown.series = series.map((one) => ({ ...one, points: one.points.slice(0, 2) }));
    await expect.poll(() => all(shown, '.held').length).toBe(0);
  });
});

describe('what a chart draws', () => {
  it('shows the lines that are switched on in the legend, on axes that do not change', async () => {
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

  it('has one entry of the legend for all lines of one name', async () => {
    const before = series.map((one) => ({ ...one, id: `${one.id}-before`, label: 'before' }));
    const shown = await chart({ series: [...series, ...before] });
    await expect.poll(() => drawn(shown)).toBe(4);
    const entries = all(shown, '.legend label').map((one) => one.textContent?.trim());
    expect(entries).toEqual(['softmax', 'linear', 'before']);
    expect(shown.svg('A caption.').match(/>before</g)).toHaveLength(1);
    await userEvent.click(page.getByRole('checkbox', { name: 'before' }));
    await expect.poll(() => drawn(shown)).toBe(2);
    expect(shown.svg('A caption.')).not.toContain('>before<');
    await userEvent.click(page.getByRole('checkbox', { name: 'before' }));
    await expect.poll(() => drawn(shown)).toBe(4);
  });

  it('shows markers, limits, shaded stretches and fitted lines', async () => {
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

  it('can be saved as a file with heading, caption and a legend of all lines', async () => {
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

  it('says that there is nothing to draw when it has no lines', async () => {
    const shown = await chart({ series: [] });
    await expect.poll(() => textOf(inside(shown, '.empty'))).toBe('There is nothing to draw yet.');
    expect(inside(shown, '.frame').getAttribute('aria-label')).toContain('nothing to draw');
  });
});

describe('the grip of a chart', () => {
  it('reports values of the axis while it is dragged, and when it is released', async () => {
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
    // A pointer made by a script cannot be captured, so the call does nothing here; the grip's reaction is tested all
    // the same.
    grip.setPointerCapture = () => undefined;
    grip.hasPointerCapture = () => true;
    at('pointerdown', 0);
    at('pointermove', 60);
    at('pointermove', 9999);
    at('pointerup', -9999);
    expect(moves[0]?.value).toBeCloseTo(32, 0);
    expect(moves[1]?.value).toBeGreaterThan(36);
    // The grip stops at the end of the axis.
    expect(moves[2]?.value).toBe(shown.chart().x.high);
    expect(moves[3]).toEqual({ value: shown.chart().x.low, done: true });
    shown.grip = undefined;
    await expect.poll(() => all(shown, '.grip').length).toBe(0);
  });
});

describe('a chart for everyone', () => {
  it('passes axe, and its lines are visible in forced-colours mode', async () => {
    const shown = await chart({ summary: 'Two lines cross at 64.' });
    await expect.poll(() => drawn(shown)).toBe(2);
    expect(inside(shown, '.frame').getAttribute('aria-label')).toBe(
      'Time over length. Two lines cross at 64.',
    );
    await inEveryLook(async (look) => {
      expect(await violations(shown), look).toEqual([]);
      if (look !== 'forced colours') return;
      // A line that kept its own colour could have the colour of the background.
      const text = getComputedStyle(document.body).color;
      expect(getComputedStyle(inside(shown, '.frame .line')).stroke).toBe(text);
    });
  });
});
