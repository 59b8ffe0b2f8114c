/** Makes the files and links of a figure. The page loads this with the first file or link. */
import { type Cell, tableToCsv } from '../../export/csv.ts';
import { download } from '../../export/download.ts';
import { canvasToPng } from '../../export/png.ts';
import { svgToPng } from '../../export/svg.ts';
import { namesKeptValue } from '../../state/long-values.ts';
import { laterWords } from '../../strings/later.ts';
import type { FigureData, KnobValues } from '../types';

const words = laterWords.files;

/** What the files of a figure say about it. */
export interface About {
  readonly name: string;
  readonly heading: string;
  readonly caption: string;
  readonly lab: string;
  readonly figure: string;
  readonly version: string;
  readonly link: string;
  readonly settings: KnobValues;
}

/** Returns what to tell the visitor; so do all below. */
export function saveText(name: string, text: string, type: string): string {
  download(name, new Blob([text], { type }));
  return words.saved(name);
}

export function saveCsv({ name, heading, caption, link }: About, data: FigureData): string {
  const comment = `${heading}. ${caption}\n${link}`;
  const rows: readonly (readonly Cell[])[] = data.rows;
  return saveText(name, tableToCsv(data.columns, rows, comment), 'text/csv');
}

/** JSON has no NaN and no infinities: they are `null`. */
export function figureJson(about: About, { columns, rows, matrices = {} }: FigureData): string {
  const { lab, figure, version, link, caption, settings } = about;
  return `${JSON.stringify(
    {
      format: 'attention-labs/figure',
      v: 1,
      ...{ lab, figure, version, link, caption, settings, columns },
      rows,
      matrices: Object.fromEntries(
        Object.entries(matrices).map(([key, matrix]) => [
          key,
          { rows: matrix.rows, cols: matrix.cols, data: [...matrix.data] },
        ]),
      ),
    },
    null,
    1,
  )}\n`;
}

export const saveJson = (about: About, data: FigureData): string =>
  saveText(about.name, figureJson(about, data), 'application/json');

function pngOptions(caption: string) {
  const { color, backgroundColor: background } = getComputedStyle(document.body);
  const font = getComputedStyle(document.documentElement).getPropertyValue('--sans');
  return { caption, background, color, font };
}

export async function saveCanvases(
  { name, heading, caption }: About,
  canvases: readonly HTMLCanvasElement[],
): Promise<string> {
  try {
    download(name, await canvasToPng(canvases, { ...pngOptions(caption), title: heading }));
    return words.saved(name);
  } catch {
    return words.notSaved;
  }
}

export async function saveSvgAsPng({ name }: About, svg: string): Promise<string> {
  try {
    download(name, await svgToPng(svg));
    return words.saved(name);
  } catch {
    return words.notSaved;
  }
}

export async function copyLink(address: string): Promise<{ status: string; refused?: string }> {
  try {
    await navigator.clipboard.writeText(address);
    return { status: namesKeptValue(address) ? words.linkKeptHere : words.linkCopied };
  } catch {
    return { status: words.linkShow, refused: address };
  }
}

export type FileKind = 'png' | 'svg' | 'csv' | 'json';

/** Where the contents of a figure's files come from. A figure made of pixels has canvases. */
export interface FileSources {
  readonly data: () => FigureData;
  readonly svg: () => Promise<string>;
  readonly canvases: (() => Promise<readonly HTMLCanvasElement[]>) | undefined;
}

export async function saveFigure(
  kind: FileKind,
  about: About,
  { data, svg, canvases }: FileSources,
): Promise<string> {
  switch (kind) {
    case 'png':
      return canvases ? saveCanvases(about, await canvases()) : saveSvgAsPng(about, await svg());
    case 'svg':
      return saveText(about.name, await svg(), 'image/svg+xml');
    case 'csv':
      return saveCsv(about, data());
    case 'json':
      return saveJson(about, data());
  }
}
