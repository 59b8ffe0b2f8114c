/** All that makes files, in one piece that is loaded with the first of them. */
export { matrixToCsv } from '../../src/export/csv.ts';
export { download } from '../../src/export/download.ts';
export { canvasToPng } from '../../src/export/png.ts';
export { drawFigure } from '../../src/plot/figure.ts';
