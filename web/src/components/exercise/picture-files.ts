/** A picture of an exercise as a file; loaded with the first of them. */
import type { Matrix } from '#client';
import { type Column, columnsToCsv, matrixToCsv } from '../../export/csv.ts';
import { download, safeFileName } from '../../export/download.ts';
import { canvasToPng } from '../../export/png.ts';
import { drawLines, type LineChart, standalone } from '../../plot/chart.ts';
import { paints } from '../../plot/chart-colors.ts';
import type { ColorScale } from '../../plot/color.ts';
import { drawFigure } from '../../plot/heatmap-picture.ts';

export interface PictureFile {
  readonly name: string;
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly heading: string;
  readonly subtitle: string;
  /** Names every knob's value. */
  readonly caption: string;
  readonly dark: boolean;
}

/** Returns the file's name. */
export async function savePicture(file: PictureFile, type: 'png' | 'csv'): Promise<string> {
  const { matrix, heading, caption } = file;
  const name = safeFileName(`${file.name}.${type}`);
  if (type === 'csv') {
    const csv = await matrixToCsv(matrix, { comment: `${heading}. ${caption}` });
    download(name, new Blob([csv], { type: 'text/csv' }));
    return name;
  }
  const canvas = await drawFigure({ ...file, visible: () => matrix.cols, corner: '', origin: 0 });
  const { color, backgroundColor: background } = getComputedStyle(document.body);
  const font = getComputedStyle(document.documentElement).getPropertyValue('--sans');
  download(name, await canvasToPng(canvas, { caption, background, color, font }));
  return name;
}

export interface CurveFile {
  readonly name: string;
  /** The chart as the page shows it. */
  readonly chart: LineChart;
  readonly columns: readonly Column[];
  readonly heading: string;
  readonly caption: string;
  readonly dark: boolean;
}

/** Returns the file's name. */
export function saveCurves(file: CurveFile, type: 'svg' | 'csv'): string {
  const { chart, columns, heading, caption, dark } = file;
  const name = safeFileName(`${file.name}.${type}`);
  if (type === 'csv') {
    const csv = columnsToCsv(columns, `${heading}. ${caption}`);
    download(name, new Blob([csv], { type: 'text/csv' }));
    return name;
  }
  const paint = paints[dark ? 'dark' : 'light'];
  // The file may be shown in a wider font, so the lines are named in a legend and not beside their ends.
  const frame = { ...chart.frame, right: 14 };
  const svg = standalone({
    inside: drawLines({ ...chart, frame, paint, named: false, at: undefined }),
    ...{ width: frame.width, height: frame.height, paint, caption },
    title: heading,
    legend: chart.series,
  });
  download(name, new Blob([svg], { type: 'image/svg+xml' }));
  return name;
}
