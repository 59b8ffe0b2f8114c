/** Makes the files and links of the first figure. The page loads this with the first file or link. */
import type { Matrix } from '#client';
import { matrixToCsv } from '../../src/export/csv.ts';
import { download } from '../../src/export/download.ts';
import { canvasToPng } from '../../src/export/png.ts';
import {
  copyLink as copyAddress,
  saveJson as saveFigureJson,
} from '../../src/lab/save-and-share.ts';
import { version } from '../../src/lab/tools.ts';
import type { KnobValues } from '../../src/lab/types.ts';
import { drawFigure, type FigureOptions, heatmapPicture } from '../../src/plot/heatmap-picture.ts';
import { fileOf } from '../../src/plot/picture-file.ts';
import { MAX_ADDRESS } from '../../src/state/long-values.ts';
import { strings } from '../../src/strings/index.ts';
import type { Letter, Own } from './own-matrices.ts';

const words = strings.files;

/** One picture, and what its file is called and says. */
export interface Saving extends FigureOptions {
  readonly name: string;
  readonly caption: string;
  /** `softmax`, `implicit` or `difference`. */
  readonly picture: string;
  /** The knobs. */
  readonly settings: KnobValues;
}

/** Returns what to tell the visitor; so do all below. */
export async function saveCsv(saving: Saving): Promise<string> {
  const { matrix, name, heading, caption } = saving;
  const labels = saving.labels ? [...saving.labels] : undefined;
  const csv = await matrixToCsv(matrix, {
    ...(labels ? { rowLabels: labels, colLabels: labels } : {}),
    comment: `${heading}. ${caption}`,
  });
  download(name, new Blob([csv], { type: 'text/csv' }));
  return words.saved(name);
}

export async function savePng(saving: Saving): Promise<string> {
  try {
    const canvas = await drawFigure(saving);
    const { color, backgroundColor: background } = getComputedStyle(document.body);
    const font = getComputedStyle(document.documentElement).getPropertyValue('--sans');
    const { name, caption } = saving;
    download(name, await canvasToPng(canvas, { caption, background, color, font }));
    return words.saved(name);
  } catch {
    return words.notSaved;
  }
}

export async function saveSvg(saving: Saving): Promise<string> {
  try {
    const { name, heading: title, caption, dark } = saving;
    const file = fileOf(await heatmapPicture(saving), { title, caption }, dark);
    download(name, new Blob([file], { type: 'image/svg+xml' }));
    return words.saved(name);
  } catch {
    return words.notSaved;
  }
}

/** The weights with everything that makes them again; the tokens, where there are any, are its rows. */
export async function saveJson(saving: Saving): Promise<string> {
  const { matrix, name, heading, caption, labels, picture, settings } = saving;
  const about = { name, heading, caption, settings, version };
  return saveFigureJson(
    { ...about, lab: 'feature-maps', figure: picture, link: location.href },
    {
      columns: labels ? ['token'] : [],
      rows: (labels ?? []).map((token) => [token]),
      matrices: { [picture]: matrix },
    },
  );
}

export async function saveMatrix(letter: Letter, matrix: Matrix): Promise<string> {
  const name = `${letter.toUpperCase()}.csv`;
  download(name, new Blob([await matrixToCsv(matrix)], { type: 'text/csv' }));
  return words.saved(name);
}

/** Copies the page's address, with small matrices in it; `refused` is one the clipboard did not take. */
export async function copyLink({ q, k, v }: Own): Promise<{ status: string; refused?: string }> {
  const address = new URL(location.href);
  address.hash = '';
  let without = '';
  if (q && k && v) {
    const { packMatrices } = await import('../../src/state/pack-matrices.ts');
    const room = MAX_ADDRESS - `${address.href}#m=`.length;
    const packed = await packMatrices({ q: q.matrix, k: k.matrix, v: v.matrix }, room);
    if (packed) address.hash = `m=${packed}`;
    else without = words.linkWithoutMatrices;
  }
  const copied = await copyAddress(address.href);
  return copied.refused || !without ? copied : { status: without };
}
