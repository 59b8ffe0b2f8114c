/** The decision surface as pixels, drawn into each view that shows it. */
import { html } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { surfaceImage, type Theme } from './draw-plane.ts';

/** A square of `side` pixels; without values it is empty. */
export const surface = (
  values: Float32Array | undefined,
  side: number,
  theme: Theme,
): unknown => html`<canvas
    width=${side}
    height=${side}
    aria-hidden="true"
    ${ref((canvas) => {
      const context = (canvas as HTMLCanvasElement | undefined)?.getContext('2d');
      if (values) context?.putImageData(surfaceImage(values, theme), 0, 0);
      else context?.clearRect(0, 0, side, side);
    })}
  ></canvas>`;
