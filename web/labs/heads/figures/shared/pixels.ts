/** A matrix as an image of as many pixels as it has entries, drawn whenever its picture is rendered. */
import { html } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { Matrix } from '#client';
import { paints } from '../../../../src/plot/chart-colors.ts';
import { type ColorScale, lookUpTable } from '../../../../src/plot/color.ts';
import { weightScale } from './weights.ts';

const packedColor = (color: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (255 << 24) | (b << 16) | (g << 8) | r;
};

function paint(
  canvas: HTMLCanvasElement,
  { rows, cols, data }: Matrix,
  scale: ColorScale,
  causal: boolean,
  dark: boolean,
): void {
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(cols, rows);
  const into = new Uint32Array(image.data.buffer);
  const table = lookUpTable(scale, dark);
  const last = table.length - 1;
  const paper = packedColor(paints[dark ? 'dark' : 'light'].paper);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const at = i * cols + j;
      const part = ((data[at] as number) - scale.low) / (scale.high - scale.low);
      into[at] =
        causal && j > i
          ? paper
          : (table[Math.round(Math.min(1, Math.max(0, part)) * last)] as number);
    }
  }
  context.putImageData(image, 0, 0);
}

/** `title` is what a screen reader hears of it; without one it is left out. */
export const pixels = (
  matrix: Matrix,
  {
    dark,
    title = '',
    scale = weightScale,
    causal = false,
  }: {
    readonly dark: boolean;
    readonly title?: string;
    readonly scale?: ColorScale;
    /** Cells after the row's own place are paper. */
    readonly causal?: boolean;
  },
): unknown =>
  html`<canvas
    class="hd-pixels"
    role=${title ? 'img' : 'presentation'}
    aria-label=${title || ' '}
    aria-hidden=${title ? 'false' : 'true'}
    ${ref((element) => {
      if (element) paint(element as HTMLCanvasElement, matrix, scale, causal, dark);
    })}
  ></canvas>`;
