/** Makes picture files: a drawing, or a table, with the figure's name and caption. */
import { standalone } from './chart.ts';
import { paints } from './chart-colors.ts';
import { inkOn } from './color.ts';
import { line, round, text } from './svg.ts';

export interface Picture {
  /** The content of the <svg> element. */
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

export interface About {
  readonly title: string;
  readonly caption: string;
}

const POWERS: Readonly<Record<string, string>> = { s: 'ˢ', x: 'ˣ' };

export const fileOf = ({ body, width, height }: Picture, about: About, dark: boolean): string =>
  standalone({
    ...{ inside: body, width: Math.ceil(width), height: Math.ceil(height) },
    title: about.title,
    caption: about.caption.replace(/\^\{(.)\}/g, (whole, letter) => POWERS[letter] ?? whole),
    paint: paints[dark ? 'dark' : 'light'],
  });

export interface Cell {
  readonly words: string;
  readonly fill?: readonly [number, number, number];
}

export interface TallCell extends Cell {
  /** Smaller lines below the text. */
  readonly below?: readonly string[];
}

const SIZE = 13;
const ROW = 26;
const GAP = 22;
const PAD = 7;
const SMALL = 11;
const SMALL_ROW = 15;

/** Draws a table whose first column names its rows. */
export function tablePicture(
  head: readonly string[],
  rows: readonly (readonly TallCell[])[],
  dark: boolean,
): Picture {
  const paint = paints[dark ? 'dark' : 'light'];
  const ruler = document.createElement('canvas').getContext('2d');
  // A file does not contain our fonts, so the text is measured in the font that `standalone` names.
  if (ruler) ruler.font = `600 ${SIZE}px Inter, system-ui, sans-serif`;
  const wide = (words: string): number =>
    ruler?.measureText(words.replace(/[{}^_]/g, '')).width ?? 7 * words.length;
  const widths = head.map((name, i) =>
    Math.ceil(
      Math.max(
        wide(name),
        ...rows.flatMap((row) => {
          const { words = '', below = [] } = row[i] ?? {};
          return [wide(words), ...below.map((one) => (wide(one) * SMALL) / SIZE)];
        }),
      ),
    ),
  );
  const rights: number[] = [];
  for (const [i, width] of widths.entries()) {
    rights.push((rights[i - 1] ?? 0) + (i > 0 ? GAP : 0) + width + PAD);
  }
  const width = (rights[rights.length - 1] ?? 0) + PAD;
  const written = (
    i: number,
    y: number,
    words: string,
    fill: string,
    { weight = '', size = SIZE, kind = 'ink' } = {},
  ): string => {
    const anchor = i === 0 ? 'start' : 'end';
    const at = i === 0 ? 0 : (rights[i] ?? 0);
    return text(at, y, words, fill, { anchor, size, weight, kind }).replace(
      /\^\{([^}]+)\}([^<]*)/g,
      '<tspan dy="-0.4em" font-size="75%">$1</tspan><tspan dy="0.3em">$2</tspan>',
    );
  };
  const parts = head.map((name, i) => written(i, 18, name, paint.ink, { weight: '600' }));
  parts.push(line(0, ROW, width, ROW, paint.muted));
  let top = ROW;
  for (const [r, row] of rows.entries()) {
    if (r > 0) parts.push(line(0, top, width, top, paint.rule));
    for (const [i, { words, fill, below = [] }] of row.entries()) {
      if (fill) {
        const [x, w] = [(rights[i] ?? 0) - (widths[i] ?? 0) - PAD, (widths[i] ?? 0) + 2 * PAD];
        parts.push(
          `<rect x="${round(x)}" y="${top + 3}" width="${round(w)}" height="${ROW - 6}" rx="2" fill="rgb(${fill.join(',')})"/>`,
        );
      }
      parts.push(written(i, top + 18, words, fill ? inkOn(fill) : paint.ink));
      for (const [k, one] of below.entries()) {
        const y = top + 18 + SMALL_ROW * (k + 1);
        parts.push(written(i, y, one, paint.muted, { size: SMALL, kind: 'muted' }));
      }
    }
    top += ROW + SMALL_ROW * Math.max(0, ...row.map(({ below = [] }) => below.length));
  }
  return { body: parts.join(''), width, height: top + 4 };
}
