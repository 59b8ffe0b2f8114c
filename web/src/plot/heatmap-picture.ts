/** Draws one picture with its heading, axes and colour bar on a canvas of its own, for a PNG file. */
import type { Matrix } from '#client';
import { strings } from '../strings/index.ts';
import { arcColors, arcPlaces, arcsOf, arcsSvg, paintArcs, WORD_SIZE } from './arcs.ts';
import { type ColorScale, colorOf, ticks } from './color.ts';
import { formatTick } from './format.ts';
import type { Picture } from './picture-file.ts';
import { rasterize, type View, wholeView } from './raster.ts';
import { escapeXml, round } from './svg.ts';

export interface FigureOptions {
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly visible: (row: number) => number;
  readonly view?: View | undefined;
  /** The labels along both axes, or along the rows where `keys` are others. */
  readonly labels?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly heading: string;
  readonly subtitle: string;
  /** The names of rows and columns; queries and keys by default. */
  readonly corner?: string;
  /** The number of the first row and column; 1 by default. */
  readonly origin?: number;
  readonly dark: boolean;
  /** Lines between the labels in place of cells. */
  readonly arcs?: boolean;
}

/** Keeps the labels near the size of the caption that `canvasToPng` adds. */
const PIXELS_PER_UNIT = 1.5;
const PLOT = 560;
const MARGIN = 28;
const HEAD = 62;
const FOOT = 64;
const LABEL = 14;

const inks = (dark: boolean) =>
  dark
    ? { paper: '#17171a', ink: '#e9e7e1', muted: '#a9a59c' }
    : { paper: '#fcfbf8', ink: '#1e1d1a', muted: '#5f5b53' };

const family = (): string =>
  getComputedStyle(document.documentElement).getPropertyValue('--sans') || 'sans-serif';

/** An empty sheet of this size, with heading and subtitle above it. */
function sheet({ heading, subtitle, dark }: FigureOptions, wide: number, tall: number) {
  const { paper, ink, muted } = inks(dark);
  const sans = family();
  const canvas = document.createElement('canvas');
  const [width, height] = [MARGIN * 2 + wide, HEAD + tall];
  canvas.width = width * PIXELS_PER_UNIT;
  canvas.height = height * PIXELS_PER_UNIT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.scale(PIXELS_PER_UNIT, PIXELS_PER_UNIT);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  context.fillStyle = ink;
  context.font = `600 18px ${sans}`;
  context.fillText(heading, MARGIN, 32);
  context.fillStyle = muted;
  context.font = `13px ${sans}`;
  context.fillText(subtitle, MARGIN, 52);
  return { canvas, context };
}

/** Words and lines of a file, in the font of the page or in that of `standalone`. */
function arcsFor(options: FigureOptions, labels: readonly string[], font: string) {
  const ruler = document.createElement('canvas').getContext('2d');
  if (ruler) ruler.font = `${WORD_SIZE}px ${font}`;
  const places = arcPlaces({
    rows: labels,
    cols: options.keys,
    width: PLOT + 92,
    visible: options.visible,
    measure: (word) => ruler?.measureText(word).width ?? 8 * word.length,
  });
  return { places, arcs: arcsOf(options, places), colors: arcColors(options.dark) };
}

function drawArcs(options: FigureOptions, labels: readonly string[]): HTMLCanvasElement {
  const sans = family();
  const { places, arcs, colors } = arcsFor(options, labels, sans);
  const { canvas, context } = sheet(options, places.width, places.height + MARGIN);
  context.translate(MARGIN, HEAD);
  paintArcs(context, arcs, colors);
  context.fillStyle = colors.ink;
  context.font = `${WORD_SIZE}px ${sans}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const { queries, keys } = places;
  for (const { text, x, y, wide, tall } of queries === keys ? queries : [...queries, ...keys]) {
    context.save();
    context.translate(x, y);
    if (places.turned) context.rotate(-Math.PI / 2);
    context.fillText(text, 0, 0, places.turned ? tall : wide + 6);
    context.restore();
  }
  return canvas;
}

/** The same lines as the content of an SVG file. */
export function arcsPicture(options: FigureOptions, labels: readonly string[]): Picture {
  const { places, arcs, colors } = arcsFor(options, labels, 'Inter, system-ui, sans-serif');
  return { body: arcsSvg(places, arcs, colors), width: places.width, height: places.height };
}

/** The cells as pixels over the hatch of what is masked, `PLOT` wide and tall. */
async function cellsCanvas(options: FigureOptions, view: View): Promise<HTMLCanvasElement> {
  const { matrix, scale, visible, dark } = options;
  const side = Math.round(PLOT * PIXELS_PER_UNIT);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.scale(PIXELS_PER_UNIT, PIXELS_PER_UNIT);
  drawHatch(context, 0, 0, dark);
  const image = await rasterize({
    matrix,
    view,
    scale,
    dark,
    visible,
    maxWidth: side,
    maxHeight: side,
  });
  if (image) {
    const cells = document.createElement('canvas');
    cells.width = image.width;
    cells.height = image.height;
    cells.getContext('2d')?.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, 0, 0, PLOT, PLOT);
  }
  return canvas;
}

/** The values that stand below the colour bar, with their places. */
function barTicks(scale: ColorScale): { at: number; text: string }[] {
  const place = (value: number): number =>
    ((value - scale.low) / (scale.high - scale.low || 1)) * PLOT;
  return [scale.low, scale.high, ...ticks(scale.low, scale.high, 4)].flatMap((value, i) => {
    const at = place(value);
    return i > 1 && Math.min(at, PLOT - at) < PLOT * 0.12 ? [] : [{ at, text: formatTick(value) }];
  });
}

/** The picture of an SVG file: lines between words, or cells as pixels with axes and colour bar as drawing. */
export async function heatmapPicture(options: FigureOptions): Promise<Picture> {
  const { matrix, scale, labels, keys = labels, dark, origin = 1 } = options;
  if (options.arcs && labels) return arcsPicture(options, labels);
  const view = options.view ?? wholeView(matrix);
  const { muted } = inks(dark);
  const gutter = labels ? 92 : 52;
  const [left, top, bar] = [gutter, gutter, gutter + PLOT + 18];
  const words = (x: number, y: number, text: string, anchor: string, more = ''): string =>
    `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${more}>${escapeXml(text)}</text>`;
  const parts = [
    `<image x="${left}" y="${top}" width="${PLOT}" height="${PLOT}" href="${(await cellsCanvas(options, view)).toDataURL()}"/>`,
    `<rect x="${left}" y="${top}" width="${PLOT}" height="${PLOT}" fill="none" stroke="${muted}" stroke-width="0.5"/>`,
    ...axis(labels, view.row, view.rows, origin).map(({ text, at }) =>
      words(left - 8, top + at, text, 'end'),
    ),
    ...axis(keys, view.col, view.cols, origin).map(({ text, at }) =>
      labels
        ? words(
            0,
            0,
            text,
            'start',
            ` transform="translate(${round(left + at)} ${top - 8}) rotate(-90)"`,
          )
        : words(left + at, top - 13, text, 'middle'),
    ),
    words(left - 8, top - 12, options.corner ?? strings.heatmap.corner, 'end'),
    ...Array.from({ length: 140 }, (_, i) => {
      const value = scale.low + ((scale.high - scale.low) * i) / 139;
      return `<rect x="${left + 4 * i}" y="${bar}" width="4.3" height="10" fill="rgb(${colorOf(scale, value, dark).join(',')})"/>`;
    }),
    ...barTicks(scale).map(({ at, text }) => words(left + at, bar + 22, text, 'middle')),
  ];
  return {
    body: `<g fill="${muted}" font-size="12" font-family="Inter, system-ui, sans-serif" dominant-baseline="central">${parts.join('')}</g>`,
    width: gutter + PLOT + MARGIN,
    height: gutter + PLOT + FOOT,
  };
}

/** Sizes below are in CSS pixels; the canvas has `PIXELS_PER_UNIT` times as many. */
export async function drawFigure(options: FigureOptions): Promise<HTMLCanvasElement> {
  const { matrix, scale, labels, keys = labels, dark, origin = 1 } = options;
  if (options.arcs && labels) return drawArcs(options, labels);
  const view = options.view ?? wholeView(matrix);
  const { muted } = inks(dark);
  const sans = family();
  const gutter = labels ? 92 : 52;
  const [left, top] = [MARGIN + gutter, HEAD + gutter];
  const { canvas, context } = sheet(options, gutter + PLOT, gutter + PLOT + FOOT);

  context.imageSmoothingEnabled = false;
  context.drawImage(await cellsCanvas(options, view), left, top, PLOT, PLOT);
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
  for (const { text, at } of axis(keys, view.col, view.cols, origin)) {
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
  for (const { at, text } of barTicks(scale)) context.fillText(text, left + at, bar + 22);
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
