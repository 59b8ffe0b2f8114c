import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AttnArcs } from '../../web/src/components/arcs/arcs';
import type { AttnHeatmap, CellEventDetail } from '../../web/src/components/heatmap/heatmap';
import '../../web/src/components/heatmap/heatmap';
import { type ColorScale, colorOf, NOT_FINITE } from '../../web/src/plot/color';
import type { View } from '../../web/src/plot/raster';
import { all, details, inEveryLook, inside, settled, show, textOf, violations } from './support';

const scale: ColorScale = {
  ...{ kind: 'sequential', low: -1, high: 1, tone: 'linear', overLow: false, overHigh: false },
};
const matrix = {
  ...{ rows: 4, cols: 5 },
  data: Float32Array.from({ length: 20 }, (_, i) => Math.sin(1.7 * i)),
};
matrix.data[7] = Number.NaN;
/** A causal mask: query i sees the keys up to i. */
const causal = (row: number): number => row + 1;

/** Shows a heatmap and moves its cursor where it asks, as its parent element does. */
async function heatmap(properties: Partial<AttnHeatmap> = {}): Promise<AttnHeatmap> {
  const shown = await show('attn-heatmap', {
    ...{ matrix, scale, heading: 'Weights', subtitle: 'of a test' },
    ...properties,
  });
  shown.addEventListener('attn-cell', ({ detail }) => {
    Object.assign(shown, { cell: detail.cell, locked: detail.locked });
  });
  shown.addEventListener('attn-view', ({ detail }) => {
    shown.view = detail;
  });
  await expect.poll(() => inside<HTMLCanvasElement>(shown, '.pixels').width).toBeGreaterThan(1);
  await settled(shown);
  return shown;
}

/** The RGBA values of the cells on the canvas, row by row. */
function pixels(of: AttnHeatmap): number[][] {
  const canvas = inside<HTMLCanvasElement>(of, '.pixels');
  const { data } = canvas
    .getContext('2d', { willReadFrequently: true })
    ?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  return Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(4 * i, 4 * i + 4)]);
}
const read = (of: AttnHeatmap): string => textOf(inside(of, '.read'));
const spoken = (of: AttnHeatmap): string => textOf(inside(of, '[role=status]'));
const press = (keys: string): Promise<void> => userEvent.keyboard(keys);

describe('the pixels of a heatmap', () => {
  it('have the colours of the cells, one pixel for each cell, and change with the theme', async () => {
    const shown = await heatmap();
    for (const dark of [false, true]) {
      shown.dark = dark;
      await expect
        .poll(() =>
          pixels(shown).every(([...rgba], i) => {
            const value = matrix.data[i] ?? 0;
            const wanted = Number.isNaN(value) ? NOT_FINITE : colorOf(scale, value, dark);
            return wanted.every((channel, c) => Math.abs(channel - (rgba[c] ?? 0)) <= 2);
          }),
        )
        .toBe(true);
      expect(pixels(shown)).toHaveLength(20);
      expect(pixels(shown).every(([, , , alpha]) => alpha === 255)).toBe(true);
    }
  });

  it('are transparent where the mask hides a cell', async () => {
    const shown = await heatmap({ visible: causal });
    const opaque = pixels(shown).map(([, , , alpha]) => alpha === 255);
    expect(opaque).toEqual(Array.from({ length: 20 }, (_, i) => i % 5 < causal(Math.floor(i / 5))));
  });

  it('show the window of cells that is in view, and vanish with the matrix', async () => {
    const shown = await heatmap({ view: { row: 1, col: 2, rows: 2, cols: 3 } });
    await expect.poll(() => pixels(shown)).toHaveLength(6);
    shown.matrix = undefined;
    await expect.poll(() => inside<HTMLCanvasElement>(shown, '.pixels').width).toBe(1);
    expect(read(shown)).toBe('Waiting for the core.');
  });
});

describe('a heatmap by keyboard', () => {
  it('reads the cells one by one, announces the largest, and holds and releases a cell', async () => {
    const shown = await heatmap({ visible: causal });
    const told = details<CellEventDetail>(shown, 'attn-cell');
    inside(shown, '.frame').focus();
    // The first key press only shows where the cursor is.
    await press('{ArrowDown}');
    await expect.poll(() => read(shown)).toContain('query 1 → key 1');
    for (const [key, words] of [
      ['{ArrowDown}', 'query 2 → key 1'],
      ['{ArrowDown}', 'query 3 → key 1'],
      ['{ArrowRight}', 'query 3 → key 2'],
      ['{End}', 'query 3 → key 5masked'],
      ['{Home}', 'query 3 → key 1'],
      ['{PageDown}', 'query 4 → key 1'],
      ['{PageUp}', 'query 1 → key 1'],
    ] as const) {
      await press(key);
      await expect.poll(() => read(shown), { message: key }).toContain(words);
    }
    await press('{PageDown}');
    await press('m');
    const row = [...matrix.data.subarray(15, 19)];
    const best = row.indexOf(Math.max(...row)) + 1;
    await expect.poll(() => read(shown)).toContain(`query 4 → key ${best}`);
    await expect.poll(() => spoken(shown)).toContain('largest in row');
    await press('{Enter}');
    await expect.poll(() => read(shown)).toContain('held');
    await expect.poll(() => spoken(shown)).toBe('Cell held.');
    expect(told.at(-1)).toMatchObject({ cell: { row: 3, col: best - 1 }, locked: true });
    await press('{Escape}');
    await expect.poll(() => read(shown)).toContain('Hover to read');
    await expect.poll(() => spoken(shown)).toBe('Cursor cleared.');
  });

  it('zooms in around the cursor, and out again', async () => {
    const side = 64;
    const large = { rows: side, cols: side, data: new Float32Array(side * side) };
    const shown = await heatmap({ matrix: large });
    const views = details<View | undefined>(shown, 'attn-view');
    inside(shown, '.frame').focus();
    await press('{ArrowDown}');
    await press('+');
    await expect.poll(() => shown.view).toEqual({ row: 0, col: 0, rows: 32, cols: 32 });
    await press('{PageDown}{PageDown}{PageDown}');
    // The window follows the cursor.
    await expect.poll(() => shown.view?.row).toBe(17);
    await press('0');
    await expect.poll(() => shown.view ?? 'all').toBe('all');
    expect(views.length).toBeGreaterThan(2);
  });
});

describe('a heatmap under the pointer', () => {
  it('reads the cell below the pointer, holds it on a click and releases it on the next', async () => {
    const shown = await heatmap();
    const surface = page.getByRole('application');
    const box = inside(shown, '.frame').getBoundingClientRect();
    const at = (row: number, col: number) => ({
      position: { x: ((col + 0.5) / 5) * box.width, y: ((row + 0.5) / 4) * box.height },
    });
    await userEvent.hover(surface, at(1, 3));
    await expect.poll(() => read(shown)).toContain('query 2 → key 4');
    await userEvent.click(surface, at(2, 0));
    await expect.poll(() => read(shown)).toContain('held');
    await userEvent.hover(surface, at(0, 4));
    expect(read(shown)).toContain('query 3 → key 1');
    await userEvent.click(surface, at(2, 0));
    await expect.poll(() => shown.locked).toBe(false);
  });

  it('fires an event for each of its buttons, once it has a matrix', async () => {
    const shown = await heatmap({ without: ['link'] });
    const asked = details<string>(shown, 'attn-action');
    for (const name of ['View as table: Weights', 'Save the numbers as CSV: Weights']) {
      await userEvent.click(page.getByRole('button', { name }));
    }
    expect(asked).toEqual(['table', 'csv']);
    expect(page.getByRole('button', { name: /Copy a link/ }).query()).toBeNull();
    shown.matrix = undefined;
    await shown.updateComplete;
    expect(all<HTMLButtonElement>(shown, 'button').every(({ disabled }) => disabled)).toBe(true);
  });
});

describe('a heatmap for everyone', () => {
  it('has a name with its size and a scale in words, and passes axe', async () => {
    const shown = await heatmap({ rowLabels: ['a', 'b', 'c', 'd'], cell: { row: 1, col: 2 } });
    expect(inside(shown, '.frame').getAttribute('aria-label')).toBe(
      'Weights: 4 queries by 5 keys. of a test',
    );
    expect(inside(shown, '.bar').getAttribute('aria-label')).toMatch(/^Colour scale from −1/);
    expect(read(shown)).toContain('query 2 “b”');
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
  });

  it('keeps its colours in forced-colours mode, because they carry its values', async () => {
    const shown = await heatmap();
    await inEveryLook(async (look) => {
      expect(getComputedStyle(inside(shown, '.frame')).forcedColorAdjust, look).toBe('none');
    });
  });
});

describe('the words round a heatmap', () => {
  it('are all there, and pictures side by side begin alike however many lines one takes', async () => {
    const one = await heatmap();
    const place = one.parentElement as HTMLElement;
    place.style.cssText = 'display: grid; grid-template-columns: 8rem 8rem; gap: 1rem';
    const other = document.createElement('attn-heatmap');
    Object.assign(other, {
      matrix,
      scale,
      heading: 'Weights',
      subtitle: 'nothing on blocked cells',
    });
    place.append(other);
    await settled(other);
    const [short, long] = [one, other].map((of) => inside(of, '.subtitle'));
    expect(long?.offsetHeight).toBeGreaterThan(short?.offsetHeight ?? Number.NaN);
    expect(long?.scrollWidth).toBe(long?.clientWidth);
    const [left, right] = [one, other].map((of) => inside(of, '.frame').getBoundingClientRect().y);
    expect(right).toBe(left);
    const corner = document.createRange();
    corner.selectNodeContents(inside(other, '.corner'));
    expect(corner.getBoundingClientRect().left).toBeGreaterThanOrEqual(
      other.getBoundingClientRect().left,
    );
  });

  it('leave a gap between the numbers of the colour bar, however narrow it is', async () => {
    const shown = await heatmap({ scale: { ...scale, low: 0, high: 0.55 } });
    const numbers = () =>
      all(shown, '.ticks span')
        .filter((tick) => tick.checkVisibility())
        .map((tick) => ({ text: textOf(tick), box: tick.getBoundingClientRect() }))
        .sort((a, b) => a.box.left - b.box.left);
    expect(numbers().map(({ text }) => text)).toEqual(['0', '0.1', '0.2', '0.3', '0.4', '0.55']);
    for (let width = 360; width > 90; width -= 10) {
      (shown.parentElement as HTMLElement).style.width = `${width}px`;
      await expect.poll(() => shown.size).toBe(Math.round(inside(shown, '.frame').clientWidth));
      await settled(shown);
      const shownNow = numbers();
      const gaps = shownNow.slice(1).map(({ box }, i) => box.left - (shownNow[i]?.box.right ?? 0));
      expect(Math.min(...gaps), `${width} px`).toBeGreaterThan(2);
    }
  });
});

describe('a heatmap as lines between words', () => {
  const tokens = ['the', 'cat', 'sat', 'the'];
  const weights = {
    ...{ rows: 4, cols: 4 },
    data: Float32Array.from([
      0.5, 0.3, 0.1, 0.1, 0.05, 0.6, 0.3, 0.05, 0.03, 0.55, 0.42, 0, 0.25, 0.25, 0.25, 0.25,
    ]),
  };

  /** The lines are loaded when they are first wanted. */
  async function arcs(properties: Partial<AttnHeatmap> = {}): Promise<[AttnHeatmap, AttnArcs]> {
    const shown = await show('attn-heatmap', {
      ...{ matrix: weights, scale, heading: 'Weights', form: 'arcs' },
      ...{ rowLabels: tokens, colLabels: tokens },
      ...properties,
    });
    shown.addEventListener('attn-cell', ({ detail }) => {
      Object.assign(shown, { cell: detail.cell, locked: detail.locked });
    });
    await expect.poll(() => shown.shadowRoot?.querySelector('attn-arcs')).toBeTruthy();
    const lines = inside<AttnArcs>(shown, 'attn-arcs');
    await expect.poll(() => all(lines, '[role=option]').length).toBe(shown.matrix?.rows);
    await settled(lines);
    return [shown, lines];
  }
  const wordsOf = (lines: AttnArcs) => all(lines, '[role=option]');
  /** The number of pixels that are drawn, and how many of them are more blue than red. */
  function drawn(lines: AttnArcs): { all: number; blue: number } {
    const canvas = inside<HTMLCanvasElement>(lines, 'canvas');
    const data =
      canvas
        .getContext('2d', { willReadFrequently: true })
        ?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const count = { all: 0, blue: 0 };
    for (let i = 0; i < data.length; i += 4) {
      if ((data[i + 3] ?? 0) < 8) continue;
      count.all++;
      if ((data[i + 2] ?? 0) > (data[i] ?? 0)) count.blue++;
    }
    return count;
  }

  it('shows words of every script: none turns a sentence round, and white space can be seen', async () => {
    const [shown, lines] = await arcs({
      matrix: { rows: 4, cols: 4, data: Float32Array.from({ length: 16 }, (_, i) => (i % 5) / 5) },
      rowLabels: ['שלום', ' ', '\u202eabc', 'a'.repeat(300)],
      colLabels: ['שלום', ' ', '\u202eabc', 'a'.repeat(300)],
      visible: () => 4,
      cell: { row: 0, col: 1 },
      locked: true,
    });
    expect(wordsOf(lines).map(textOf)).toEqual(['שלום', '␣', 'abc', 'a'.repeat(300)]);
    const said = inside(lines, '.read');
    expect(said.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect([...said.querySelectorAll('bdi')].map(textOf)).toEqual(['שלום']);
    expect(textOf(inside(lines, '.fine'))).toContain('in the order of the text');
    // A long word is cut in the picture and broken in the sentence.
    expect(lines.scrollWidth).toBeLessThanOrEqual(lines.clientWidth);
    expect(said.scrollWidth).toBeLessThanOrEqual(said.clientWidth);
    shown.form = 'cells';
    await settled(shown);
    await expect.poll(() => read(shown)).toContain('\u2068שלום\u2069');
  });

  it('is offered beside the table where rows are words, and nowhere else', async () => {
    const shown = await heatmap({ rowLabels: ['a', 'b', 'c', 'd'] });
    const asked = details<string>(shown, 'attn-action');
    await userEvent.click(
      page.getByRole('button', { name: 'View as arcs between words: Weights' }),
    );
    expect(asked).toEqual(['arcs']);
    shown.rowLabels = undefined;
    await shown.updateComplete;
    expect(page.getByRole('button', { name: /arcs between words/ }).query()).toBeNull();
    // Without words there are no lines, whatever a link asks for.
    shown.form = 'arcs';
    await settled(shown);
    expect(inside(shown, '.plot').hidden).toBe(false);
  });

  it('shows the lines of a word alone while it is pointed at, and says their numbers', async () => {
    const [, lines] = await arcs();
    const before = drawn(lines).all;
    expect(before).toBeGreaterThan(500);
    await userEvent.hover(wordsOf(lines)[2] as HTMLElement);
    await expect
      .poll(() => textOf(inside(lines, '.read')))
      .toBe('sat attends to: cat 55 %, sat 42 %, the (1) 3 %');
    await expect.poll(() => drawn(lines).all).toBeLessThan(before / 2);
    await userEvent.click(wordsOf(lines)[2] as HTMLElement);
    await expect.poll(() => textOf(inside(lines, '.read'))).toContain('held');
    await userEvent.hover(wordsOf(lines)[0] as HTMLElement);
    expect(textOf(inside(lines, '.read'))).toContain('sat attends');
    await userEvent.click(wordsOf(lines)[2] as HTMLElement);
    await expect.poll(() => drawn(lines).all).toBe(before);
  });

  it('is walked word by word with the keys, each spoken with what it attends to', async () => {
    const [shown, lines] = await arcs();
    const told = details<CellEventDetail>(shown, 'attn-cell');
    const focused = () =>
      lines.shadowRoot?.activeElement?.getAttribute('aria-label')?.replaceAll('\u00a0', ' ');
    expect(wordsOf(lines).filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    wordsOf(lines)[0]?.focus();
    await press('{ArrowRight}');
    await expect.poll(focused).toBe('cat attends to: cat 60 %, sat 30 %, the (1) 5 %, the (4) 5 %');
    await press('{End}');
    await expect.poll(focused).toContain('the (4) attends to: the (1) 25 %');
    await press('{ArrowRight}{Home}{ArrowRight}{Enter}');
    await expect.poll(() => shown.locked).toBe(true);
    // The cell is that of the word's largest weight, which the rest of the page can explain.
    expect(told.at(-1)).toEqual({ cell: { row: 1, col: 1 }, locked: true, settled: true });
    await press('{Escape}');
    await expect.poll(() => shown.cell ?? 'none').toBe('none');
  });

  it('draws negative weights in another colour, and says how to read them', async () => {
    const [shown, lines] = await arcs();
    expect(drawn(lines).blue).toBe(0);
    expect(textOf(inside(lines, '.fine'))).not.toContain('negative');
    shown.matrix = { ...weights, data: weights.data.map((value) => -value) };
    await expect.poll(() => drawn(lines).blue).toBeGreaterThan(500);
    expect(textOf(inside(lines, '.fine'))).toContain('Dashed lines are negative.');
    shown.cell = { row: 2, col: 1 };
    await expect.poll(() => textOf(inside(lines, '.read'))).toContain('cat −55 %');
  });

  it('says that it left lines out, and scrolls where the words need more room', async () => {
    const n = 60;
    const many = Array.from({ length: n }, (_, i) => `word${i}`);
    const even = { rows: n, cols: n, data: new Float32Array(n * n).fill(1 / n) };
    const [, lines] = await arcs({ matrix: even, rowLabels: many, colLabels: many });
    expect(textOf(inside(lines, '.fine'))).toMatch(
      /Of 60 lines, each word shows its \d+ strongest/,
    );
    const track = inside(lines, '.scroll');
    expect(track.scrollWidth).toBeGreaterThan(track.clientWidth);
    wordsOf(lines)[0]?.focus();
    await press('{End}');
    await expect.poll(() => track.scrollLeft).toBeGreaterThan(0);
  });

  it('joins two lines of words where the keys are others, and passes axe in every look', async () => {
    const keys = ['ein', 'Satz'];
    const cross = { rows: 4, cols: 2, data: Float32Array.of(1, 0, 0.5, 0.5, 0, 1, 0.2, 0.8) };
    const [shown, lines] = await arcs({ matrix: cross, colLabels: keys, cell: { row: 1, col: 0 } });
    expect(all(lines, '.key').map(textOf)).toEqual(keys);
    expect(textOf(inside(lines, '.read'))).toBe('cat attends to: ein 50 %, Satz 50 %');
    await inEveryLook(async (look) => {
      expect(await violations(shown), look).toEqual([]);
      await settled(lines);
      expect(drawn(lines).all, look).toBeGreaterThan(100);
    });
  });
});
