/** Matrices side by side as a file. It is loaded when somebody saves one. */

import type { Matrix } from '#client';
import { paints } from '../../../src/plot/chart-colors.ts';
import { fileOf } from '../../../src/plot/picture-file.ts';
import { escapeXml } from '../../../src/plot/svg.ts';
import { words } from '../words/table.ts';
import { cells, type Named, signedScale, sumText } from './draw.ts';
import type { Answer, Made } from './table/table.ts';

const CELL = 34;
const LABELS = 70;
/** Beside a matrix whose rows should sum to 1. */
const SUMS = 44;

/** The operating table's matrices with their numbers side by side, the tokens at the left: a whole SVG file. */
export function tablePicture(
  made: readonly Made[],
  { v, stages, tokens }: Answer,
  about: { readonly title: string; readonly caption: string },
  dark: boolean,
): string {
  const named = (name: string, matrix: Matrix): Named => ({
    ...{ name, matrix, scale: signedScale(matrix) },
  });
  const all: readonly Named[] = [
    ...made.map(({ id, matrix, scale }) => ({ name: words.made[id], matrix, scale })),
    named(words.values, v),
    named(words.stages.output, stages.output),
  ];
  const paint = paints[dark ? 'dark' : 'light'];
  const parts = tokens.map(
    (token, i) =>
      `<text x="${LABELS - 8}" y="${30 + i * CELL + CELL / 2 + 4}" font-size="12" text-anchor="end" fill="${paint.ink}">${escapeXml(token)}</text>`,
  );
  let x = LABELS;
  all.forEach((one, at) => {
    parts.push(
      `<text x="${x}" y="18" font-size="13" font-weight="600" fill="${paint.ink}">${escapeXml(one.name)}</text>`,
      cells(one, x, 30, CELL, dark),
    );
    x += one.matrix.cols * CELL;
    const { sums } = made[at] ?? {};
    if (sums) {
      x += SUMS;
      const write = (y: number, said: string): string =>
        `<text x="${x}" y="${y}" font-size="12" text-anchor="end" fill="${paint.ink}">${escapeXml(said)}</text>`;
      parts.push(write(18, 'Σ'));
      parts.push(...sums.map((sum, i) => write(30 + (i + 0.5) * CELL + 4, sumText(sum))));
    }
    x += 24;
  });
  const height = 36 + Math.max(...all.map(({ matrix }) => matrix.rows)) * CELL;
  return fileOf({ body: parts.join(''), width: x, height }, about, dark);
}
