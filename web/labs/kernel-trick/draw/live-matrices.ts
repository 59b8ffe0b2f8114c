/** Renders a drawing that changes one cell at a time: rows that stay the same are not rendered again. */
import { html, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import { paints } from '../../../src/plot/chart-colors.ts';
import { type Drawing, frameBody, type Outline, outlinesBody, rowBody } from './matrices.ts';

/** The same picture as `svgOf(drawing, matricesBody(…))`, piece by piece. */
export function liveMatrices(
  drawing: Drawing,
  outlines: readonly Outline[],
  dark: boolean,
): TemplateResult {
  const { width, height, cell, bare, matrices } = drawing;
  return html`<svg
    width=${width}
    height=${height}
    viewBox="0 0 ${width} ${height}"
    aria-hidden="true"
  >
    <rect width="100%" height="100%" fill=${paints[dark ? 'dark' : 'light'].paper} />
    <g
      font-family="AL Sans, AL Sans Arial, system-ui, sans-serif"
      text-anchor="middle"
      dominant-baseline="central"
      font-variant="tabular-nums"
    >
      ${matrices.map((placed) => {
        const { matrix, scale, x, y } = placed;
        const where = [x, y, cell, dark, bare, matrix.rows, matrix.cols];
        const rows = Array.from({ length: matrix.rows }, (_, i) => {
          const values = matrix.data.subarray(i * matrix.cols, (i + 1) * matrix.cols);
          // Values are compared as text, because NaN, which marks a missing cell, is not equal to itself.
          return svg`<g>${guard([...where, scale.high, values.join()], () =>
            unsafeSVG(rowBody(placed, i, cell, dark, bare)),
          )}</g>`;
        });
        return svg`${rows}<g>${guard(where, () => unsafeSVG(frameBody(placed, cell, dark)))}</g>`;
      })}
    </g>
    <g>${unsafeSVG(outlinesBody(drawing, outlines, dark))}</g>
  </svg>`;
}
