/** Makes the files and links of the first figure. The page loads this with the first file or link. */
export { goToEmbed } from '../../src/embed/to-embed.ts';

import type { NamedMatrix } from '../../src/components/matrix-input/named-matrix.ts';
import { matrixToCsv } from '../../src/export/csv.ts';
import { download } from '../../src/export/download.ts';
import { canvasToPng } from '../../src/export/png.ts';
import {
  type About,
  copyLink,
  type FileKind,
  saveJson,
} from '../../src/lab/figure/save-and-share.ts';
import type { FigureData } from '../../src/lab/types.ts';
import { drawFigure, type FigureOptions, heatmapPicture } from '../../src/plot/heatmap-picture.ts';
import { fileOf } from '../../src/plot/picture-file.ts';
import { MAX_ADDRESS } from '../../src/state/long-values.ts';
import { laterWords } from '../../src/strings/later.ts';
import type { Letter, Own } from './own-matrices.ts';

const words = laterWords.files;

/** One picture as the page shows it, and what its file says about it. */
export interface Saving {
  readonly about: About;
  readonly options: FigureOptions;
  /** For JSON: the weights; the tokens, where there are any, are its rows. */
  readonly data: FigureData;
}

async function saveCsv({ about, options }: Saving): Promise<string> {
  const { matrix, labels, keys } = options;
  const csv = await matrixToCsv(matrix, {
    ...(labels && { rowLabels: labels }),
    ...(keys && { colLabels: keys }),
    comment: `${about.heading}. ${about.caption}`,
  });
  download(about.name, new Blob([csv], { type: 'text/csv' }));
  return words.saved(about.name);
}

async function savePng({ about, options }: Saving): Promise<string> {
  try {
    const canvas = await drawFigure(options);
    const { color, backgroundColor: background } = getComputedStyle(document.body);
    const font = getComputedStyle(document.documentElement).getPropertyValue('--sans');
    const { name, caption } = about;
    download(name, await canvasToPng(canvas, { caption, background, color, font }));
    return words.saved(name);
  } catch {
    return words.notSaved;
  }
}

async function saveSvg({ about, options }: Saving): Promise<string> {
  try {
    const { name, heading: title, caption } = about;
    const file = fileOf(await heatmapPicture(options), { title, caption }, options.dark);
    download(name, new Blob([file], { type: 'image/svg+xml' }));
    return words.saved(name);
  } catch {
    return words.notSaved;
  }
}

/** Returns what to tell the visitor; so do all below. */
export async function savePicture(kind: FileKind, saving: Saving): Promise<string> {
  switch (kind) {
    case 'csv':
      return saveCsv(saving);
    case 'json':
      return saveJson(saving.about, saving.data);
    case 'svg':
      return saveSvg(saving);
    case 'png':
      return savePng(saving);
  }
}

/** With the names that its file has. */
export async function saveMatrix(
  letter: Letter,
  { matrix, rowLabels, colLabels }: NamedMatrix,
): Promise<string> {
  const name = `${letter.toUpperCase()}.csv`;
  const names = { ...(rowLabels && { rowLabels }), ...(colLabels && { colLabels }) };
  download(name, new Blob([await matrixToCsv(matrix, names)], { type: 'text/csv' }));
  return words.saved(name);
}

/** Copies the page's address with small matrices in it; `refused` is one that the clipboard did not take. */
export async function copyWithMatrices(
  link: string,
  { q, k, v }: Own,
): Promise<{ status: string; refused?: string }> {
  const address = new URL(link);
  let without = '';
  if (q && k && v) {
    const { packMatrices } = await import('../../src/state/pack-matrices.ts');
    const room = MAX_ADDRESS - `${address.href}#m=`.length;
    const packed = await packMatrices({ q: q.matrix, k: k.matrix, v: v.matrix }, room);
    if (packed) address.hash = `m=${packed}`;
    else without = words.linkWithoutMatrices;
  }
  const copied = await copyLink(address.href);
  return copied.refused || !without ? copied : { status: without };
}
