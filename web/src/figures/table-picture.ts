/** A table as an SVG file, for those who want it as a picture. Needs no page. */
import { standalone } from '../plot/chart.ts';
import type { Paint } from '../plot/paint.ts';
import { line, text } from '../plot/svg.ts';

/** What stands in a cell, and what stands small below it. */
export type PictureCell = readonly [words: string, ...below: readonly string[]];

const SIZE = 13;
const SMALL = 11;
const GAP = 24;
const PAD = 8;
const LINE = 15;

/** As wide as a file without our fonts may write them. */
const wide = (words: string, size: number, weight = 0.56): number => weight * size * words.length;

/** Columns stand left, as on the page; the first names the rows. */
export function tablePicture({
  head,
  rows,
  title,
  caption,
  paint,
}: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly PictureCell[])[];
  readonly title: string;
  readonly caption: string;
  readonly paint: Paint;
}): string {
  let width = 0;
  const lefts = head.map((name, i) => {
    const left = width;
    const widest = Math.max(
      wide(name, SIZE, 0.6),
      ...rows.map((row) => {
        const [words = '', ...below] = row[i] ?? [];
        return Math.max(
          wide(words, SIZE, i === 0 ? 0.6 : 0.56),
          ...below.map((one) => wide(one, SMALL)),
        );
      }),
    );
    width += Math.ceil(widest) + GAP;
    return left;
  });
  width -= GAP;
  const parts = head.map((name, i) =>
    text(lefts[i] ?? 0, SIZE, name, paint.muted, { size: SIZE, weight: '600' }),
  );
  let y = SIZE + PAD;
  for (const row of rows) {
    parts.push(line(0, y, width, y, paint.rule));
    const base = y + PAD + SIZE - 2;
    row.forEach(([words, ...below], i) => {
      const x = lefts[i] ?? 0;
      const weight = i === 0 ? '600' : '';
      parts.push(text(x, base, words, paint.ink, { size: SIZE, weight, kind: 'ink' }));
      below.forEach((one, k) => {
        parts.push(text(x, base + LINE * (k + 1), one, paint.muted, { size: SMALL }));
      });
    });
    y += SIZE + 2 * PAD + LINE * Math.max(0, ...row.map((cell) => cell.length - 1));
  }
  return standalone({ inside: parts.join(''), width, height: y, title, caption, paint });
}
