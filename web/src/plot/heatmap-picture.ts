/** Draws one picture with its heading, axes and colour bar on a canvas of its own, for a PNG file. */
import type { Matrix } from '#client';
import { strings } from '../strings/index.ts';
import { type ColorScale, colorOf, ticks } from './color.ts';
import { formatTick } from './format.ts';
import { rasterize, type View, wholeView } from './raster.ts';

export interface FigureOptions {
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly visible: (row: number) => number;
  readonly view?: View | undefined;
  /** The labels along both axes. */
  readonly labels?: readonly string[] | undefined;
  readonly heading: string;
  readonly subtitle: string;
  /** The names of rows and columns; queries and keys by default. */
  readonly corner?: string;
  /** The number of the first row and column; 1 by default. */
  readonly origin?: number;
  readonly dark: boolean;
}

/** Keeps the labels near the size of the caption that `canvasToPng` adds. */
const PIXELS_PER_UNIT = 1.5;
const PLOT = 560;
const MARGIN = 28;
const HEAD = 62;
const FOOT = 64;
const LABEL = 14;

/** Sizes below are in CSS pixels; the canvas has `PIXELS_PER_UNIT` times as many. */
export async function drawFigure(options: FigureOptions): Promise<HTMLCanvasElement> {
  const { matrix, scale, visible, labels, heading, subtitle, dark, origin = 1 } = options;
  const view = options.view ?? wholeView(matrix);
  const paint = getComputedStyle(document.documentElement);
  const [paper, ink, muted] = dark
    ? ['#17171a', '#e9e7e1', '#a9a59c']
    : ['#fcfbf8', '#1e1d1a', '#5f5b53'];
  const sans = paint.getPropertyValue('--sans') || 'sans-serif';
  const gutter = labels ? 92 : 52;

  const canvas = document.createElement('canvas');
  const width = MARGIN * 2 + gutter + PLOT;
  const height = HEAD + gutter + PLOT + FOOT;
  canvas.width = width * PIXELS_PER_UNIT;
  canvas.height = height * PIXELS_PER_UNIT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.scale(PIXELS_PER_UNIT, PIXELS_PER_UNIT);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);

  const [left, top] = [MARGIN + gutter, HEAD + gutter];
  context.fillStyle = ink;
  context.font = `600 18px ${sans}`;
  context.fillText(heading, MARGIN, 32);
  context.fillStyle = muted;
  context.font = `13px ${sans}`;
  context.fillText(subtitle, MARGIN, 52);

  drawHatch(context, left, top, dark);
  const image = await rasterize({
    matrix,
    view,
    scale,
    dark,
    visible,
    maxWidth: Math.round(PLOT * PIXELS_PER_UNIT),
    maxHeight: Math.round(PLOT * PIXELS_PER_UNIT),
  });
  if (image) {
    const cells = document.createElement('canvas');
    cells.width = image.width;
    cells.height = image.height;
    cells.getContext('2d')?.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, left, top, PLOT, PLOT);
  }
  context.strokeStyle = muted;
  context.lineWidth = 0.5;
  context.strokeRect(left, top, PLOT, PLOT);

  context.fillStyle = muted;
  context.font = `12px ${sans}`;
  context.textBaseline = 'middle';
  for (const { text, at } of axis(labels, view.row, view.rows, origin)) {
    context.textAlign = 'right';
    context.fillText(text, left - 8, top + at, gutter - 8);
  }
  for (const { text, at } of axis(labels, view.col, view.cols, origin)) {
    context.save();
    context.translate(left + at, top - 8);
    if (labels) context.rotate(-Math.PI / 2);
    context.textAlign = labels ? 'left' : 'center';
    context.fillText(text, 0, labels ? 0 : -5, labels ? gutter - 8 : 60);
    context.restore();
  }
  context.textAlign = 'right';
  context.fillText(options.corner ?? strings.heatmap.corner, left - 8, top - 12);

  const bar = top + PLOT + 18;
  for (let x = 0; x < PLOT; x++) {
    const value = scale.low + ((scale.high - scale.low) * x) / (PLOT - 1);
    context.fillStyle = `rgb(${colorOf(scale, value, dark).join(' ')})`;
    context.fillRect(left + x, bar, 1.5, 10);
  }
  context.fillStyle = muted;
  context.textAlign = 'center';
  const place = (value: number): number =>
    left + ((value - scale.low) / (scale.high - scale.low || 1)) * PLOT;
  for (const value of [scale.low, scale.high, ...ticks(scale.low, scale.high, 4)]) {
    const end = value === scale.low || value === scale.high;
    const crowded = !end && Math.min(place(value) - left, left + PLOT - place(value)) < PLOT * 0.12;
    if (!crowded) context.fillText(formatTick(value), place(value), bar + 22);
  }
  return canvas;
}

function drawHatch(context: CanvasRenderingContext2D, x: number, y: number, dark: boolean): void {
  context.save();
  context.beginPath();
  context.rect(x, y, PLOT, PLOT);
  context.clip();
  context.fillStyle = dark ? '#202024' : '#f6f4ef';
  context.fillRect(x, y, PLOT, PLOT);
  context.strokeStyle = dark ? '#4a4a52' : '#c9c4b8';
  context.lineWidth = 1;
  context.beginPath();
  for (let shift = -PLOT; shift < PLOT; shift += 7) {
    context.moveTo(x + shift, y + PLOT);
    context.lineTo(x + shift + PLOT, y);
  }
  context.stroke();
  context.restore();
}

function axis(
  labels: readonly string[] | undefined,
  from: number,
  count: number,
  origin: number,
): { text: string; at: number }[] {
  const cell = PLOT / count;
  const centre = (i: number): number => (i - from + 0.5) * cell;
  if (labels) {
    const every = Math.max(1, Math.ceil(LABEL / cell));
    const shown = Array.from({ length: Math.ceil(count / every) }, (_, i) => from + i * every);
    return shown.map((i) => ({ text: labels[i] ?? '', at: centre(i) }));
  }
  const first = from + origin;
  const numbers = new Set([first, ...ticks(first, first + count - 1, 8)]);
  return [...numbers]
    .filter((tick) => Number.isInteger(tick) && tick >= origin)
    .map((tick) => ({ text: String(tick), at: centre(tick - origin) }));
}
