/** A picture of an exercise as a file; loaded with the first of them. */
import type { Matrix } from '#client';
import { matrixToCsv } from '../../export/csv.ts';
import { download, safeFileName } from '../../export/download.ts';
import { canvasToPng } from '../../export/png.ts';
import type { ColorScale } from '../../plot/color.ts';
import { drawFigure } from '../../plot/figure.ts';

export interface PictureFile {
  readonly name: string;
  readonly matrix: Matrix;
  readonly scale: ColorScale;
  readonly heading: string;
  readonly subtitle: string;
  /** With every knob's value. */
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
