/**
 * Draws a matrix as pixels: at most one pixel for each cell and at most one cell for each pixel of the screen. The
 * work is done in slices that are short enough for a knob to be dragged meanwhile.
 */
import type { Matrix } from '#client';
import { type ColorScale, lookUpTable, NOT_FINITE, packed } from './color.ts';

/** A window of cells. */
export interface View {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

export interface RasterOptions {
  readonly matrix: Matrix;
  readonly view: View;
  readonly scale: ColorScale;
  readonly dark: boolean;
  /** The number of keys that query `row` sees, from key 0 on; the cells beyond stay transparent. */
  readonly visible: (row: number) => number;
  readonly maxWidth: number;
  readonly maxHeight: number;
  /** Called between slices; the work ends when it returns true. */
  readonly stale?: () => boolean;
}

/** A third of the 8 ms that one task may take while a knob is dragged. */
const SLICE_MS = 3;

export const wholeView = (matrix: Matrix): View => ({
  row: 0,
  col: 0,
  rows: matrix.rows,
  cols: matrix.cols,
});

/** Returns undefined when `stale` ended the work. */
export async function rasterize(options: RasterOptions): Promise<ImageData | undefined> {
  const { matrix, view, scale, dark, visible, maxWidth, maxHeight, stale } = options;
  const width = Math.max(1, Math.min(view.cols, maxWidth));
  const height = Math.max(1, Math.min(view.rows, maxHeight));
  // The code that led here (an answer of the core, a new layout) has used its share of this task.
  await nextTask();
  if (stale?.()) return undefined;
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const table = lookUpTable(scale, dark);
  const last = table.length - 1;
  const perUnit = last / (scale.high - scale.low || 1);
  const { low } = scale;
  const notFinite = packed(NOT_FINITE);
  const { data, cols } = matrix;
  const pooled = width < view.cols || height < view.rows;

  // For each pixel of a line: its columns, the largest magnitude so far, and the cell that has it.
  const bounds = Int32Array.from(
    { length: width + 1 },
    (_, x) => view.col + Math.floor((x * view.cols) / width),
  );
  const sizes = new Float32Array(width);
  const strongest = new Float32Array(width);

  let sliceEnd = performance.now() + SLICE_MS;
  for (let y = 0; y < height; y++) {
    const fromRow = view.row + Math.floor((y * view.rows) / height);
    const toRow = view.row + Math.floor(((y + 1) * view.rows) / height);
    const base = y * width;
    if (pooled) {
      sizes.fill(-1);
      for (let row = fromRow; row < toRow; row++) {
        const end = visible(row);
        const start = row * cols;
        for (let x = 0, col = bounds[0] as number; x < width && col < end; x++) {
          const stop = Math.min(bounds[x + 1] as number, end);
          let size = sizes[x] as number;
          for (; col < stop; col++) {
            const value = data[start + col] as number;
            const magnitude = value < 0 ? -value : value;
            if (magnitude > size) {
              // A −∞ was written by a mask and is not a value, so the cell stays transparent.
              if (value === -Infinity) continue;
              size = magnitude;
              strongest[x] = value;
            } else if (Number.isNaN(value)) {
              size = Infinity;
              strongest[x] = value;
            }
          }
          sizes[x] = size;
        }
      }
      for (let x = 0; x < width; x++) {
        const size = sizes[x] as number;
        if (size < 0) continue;
        const step = ((strongest[x] as number) - low) * perUnit + 0.5;
        pixels[base + x] =
          size < Infinity
            ? (table[step < 0 ? 0 : step > last ? last : step | 0] as number)
            : notFinite;
      }
    } else {
      const end = Math.min(view.cols, visible(fromRow) - view.col);
      const start = fromRow * cols + view.col;
      for (let x = 0; x < end; x++) {
        const value = data[start + x] as number;
        if (value === -Infinity) continue;
        const step = (value - low) * perUnit + 0.5;
        // NaN and ±∞ fail the first or the second test.
        pixels[base + x] =
          step - step === 0
            ? (table[step < 0 ? 0 : step > last ? last : step | 0] as number)
            : notFinite;
      }
    }
    if (performance.now() > sliceEnd) {
      await nextTask();
      if (stale?.()) return undefined;
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return image;
}

/** Lets the browser handle input and paint before the work continues. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
