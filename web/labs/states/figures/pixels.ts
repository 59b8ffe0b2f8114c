/** A matrix as an image of as many pixels as it has entries, drawn whenever its picture is rendered. */
import { html } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { paints } from '../../../src/plot/chart-colors.ts';
import { type ColorScale, colorOf } from '../../../src/plot/color.ts';

export interface Pixels {
  readonly rows: number;
  readonly cols: number;
  /** Row by row. */
  readonly data: ArrayLike<number>;
  readonly scale: ColorScale;
  /** How many of the rows are there yet; all where it is left out. */
  readonly there?: number;
}

const bytesOf = (color: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function paint(canvas: HTMLCanvasElement, pixels: Pixels, dark: boolean): void {
  const { rows, cols, data, scale, there = rows } = pixels;
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(cols, rows);
  const paper = bytesOf(paints[dark ? 'dark' : 'light'].paper);
  for (let i = 0; i < rows * cols; i++) {
    const color = i < there * cols ? colorOf(scale, data[i] as number, dark) : paper;
    image.data.set([...color, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
}

/** `title` is what a screen reader hears of it; without one it is left out. */
export const pixels = (what: Pixels, dark: boolean, title = ''): unknown =>
  html`<canvas
    class="st-pixels"
    role=${title ? 'img' : 'presentation'}
    aria-label=${title || ' '}
    aria-hidden=${title ? 'false' : 'true'}
    ${ref((element) => {
      if (element) paint(element as HTMLCanvasElement, what, dark);
    })}
  ></canvas>`;
