/** Functions that write pieces of SVG as text. */

export const escapeXml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? '',
  );

export const round = (value: number): string => String(Math.round(value * 10) / 10);

export const text = (
  x: number,
  y: number,
  words: string,
  fill: string,
  { anchor = 'start', size = 12, weight = '', kind = 'muted', halo = '' } = {},
): string =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}" fill="${fill}" font-size="${size}" text-anchor="${anchor}"${
    weight ? ` font-weight="${weight}"` : ''
  }${halo ? ` stroke="${halo}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"` : ''}>${withSubscripts(escapeXml(words))}</text>`;

/** The approximate width of text in the font of the page, at the size of `text`. */
export const textWidth = (words: string): number =>
  [...words].reduce((sum, letter) => {
    if (/[ .,:;'|!()[\]/filjrtI-]/.test(letter)) return sum + 4;
    return sum + (/[mwMW—]/.test(letter) ? 11 : /[\p{Lu}\d=+−~]/u.test(letter) ? 8 : 7);
  }, 2);

/** Splits text at letters with a subscript or mark, such as `d_k` and `n*`; every second part is one. */
export const markedLetters = (words: string): string[] =>
  words.split(/\b([a-zA-Z]_[a-z]\b|[a-z]\*(?!\w))/);

/** Writes subscripts as in handwriting; the text after them returns to the line. */
export const withSubscripts = (words: string): string => {
  // The distance in ems of the following letters, which are larger than the subscript.
  let back = 0;
  return markedLetters(words)
    .map((part, i) => {
      if (i % 2 === 0) return back !== 0 && part ? `<tspan dy="${back}em">${part}</tspan>` : part;
      const raised = part.endsWith('*');
      const way = raised ? -0.3 : 0.32;
      back = raised ? 0.225 : -0.24;
      return `<tspan font-style="italic">${part.charAt(0)}<tspan dy="${way}em" font-size="75%">${part.slice(raised ? 1 : 2)}</tspan></tspan>`;
    })
    .join('');
};

export const line = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  { width = 1, dash = '', kind = 'rule' } = {},
): string =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" stroke-width="${width}"${
    dash ? ` stroke-dasharray="${dash}"` : ''
  }/>`;

export type Place = readonly [x: number, y: number];

export const polyline = (places: readonly Place[]): string =>
  places.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The area that two boxes share. */
export const sharedArea = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** The part of a line that lies in the box, as shares of its length; undefined if none does. */
export function within(
  [x1, y1]: Place,
  [x2, y2]: Place,
  box: Box,
): readonly [number, number] | undefined {
  let [from, to] = [0, 1];
  const { left, right, top, bottom } = box;
  for (const [start, way, low, high] of [
    [x1, x2 - x1, left, right],
    [y1, y2 - y1, top, bottom],
  ] as const) {
    if (way === 0) {
      if (start < low || start > high) return undefined;
      continue;
    }
    const ends = [(low - start) / way, (high - start) / way];
    from = Math.max(from, Math.min(...ends));
    to = Math.min(to, Math.max(...ends));
  }
  return from <= to ? [from, to] : undefined;
}

/** The length of the part of a straight line that lies in the box. */
export function lengthWithin(a: Place, b: Place, box: Box): number {
  const [[x1, y1], [x2, y2]] = [a, b];
  // Most lines of a chart are nowhere near a label; a NaN ends here, too.
  if (!(Math.max(x1, x2) >= box.left && Math.min(x1, x2) <= box.right)) return 0;
  if (!(Math.max(y1, y2) >= box.top && Math.min(y1, y2) <= box.bottom)) return 0;
  if (![...a, ...b].every(Number.isFinite)) return 0;
  const part = within(a, b, box);
  return part ? (part[1] - part[0]) * Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
}

/** A line, clipped to the box and broken where a place is NaN. */
export function clippedLine(places: readonly Place[], box: Box): string {
  let path = '';
  /** The position of the pen; undefined after a gap. */
  let pen: Place | undefined;
  const isPlace = (place: Place | undefined): place is Place =>
    place?.every(Number.isFinite) === true;
  places.forEach((b, i) => {
    const a = places[i - 1];
    if (!isPlace(b) || !isPlace(a)) {
      pen = undefined;
      return;
    }
    const part = within(a, b, box);
    if (!part) {
      pen = undefined;
      return;
    }
    const at = (share: number): Place =>
      share === 0
        ? a
        : share === 1
          ? b
          : [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    const [start, end] = [at(part[0]), at(part[1])];
    if (pen !== a || part[0] > 0) path += `M${round(start[0])} ${round(start[1])}`;
    path += `L${round(end[0])} ${round(end[1])}`;
    pen = part[1] === 1 ? b : undefined;
  });
  return path;
}
