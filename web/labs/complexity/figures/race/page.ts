/** The page of a text on which a reader is, cut where readers are. Pure: text and places in, pieces out. */

/** Who has read a piece of the page: both, the faster one alone, nobody. */
export type ReadBy = 'both' | 'one' | 'nobody';

export interface Piece {
  readonly text: string;
  readonly by: ReadBy;
}

export interface Page {
  readonly pieces: readonly Piece[];
  /** Whether the faster reader is on this page, too, at the end of the piece that it alone has read. */
  readonly together: boolean;
}

/** The place of the first word that begins there or behind it. */
const wordFrom = (text: string, at: number): number => {
  if (at <= 0) return 0;
  const space = text.slice(at - 1).search(/\s/);
  return space < 0 ? text.length : at + space;
};

/**
 * The page of about `length` characters that has the place of the slower reader. `ahead` is how far the faster one
 * is in this section: its end, where it is in a later one.
 */
export function pageAt(text: string, slower: number, ahead: number, length: number): Page {
  // Whoever is at the end of a page has not turned it over yet.
  const nth = Math.floor(Math.max(0, slower - 1) / length);
  let begin = wordFrom(text, nth * length);
  let end = wordFrom(text, (nth + 1) * length);
  if (slower > 0 && slower <= begin) [begin, end] = [wordFrom(text, (nth - 1) * length), begin];
  const cut = (at: number): number => Math.min(end, Math.max(begin, at));
  const [a, b] = [cut(slower), cut(Math.max(slower, ahead))];
  const piece = (from: number, to: number, by: ReadBy): Piece => ({
    text: text.slice(from, to).replace(/\s+/g, ' '),
    by,
  });
  return {
    pieces: [piece(begin, a, 'both'), piece(a, b, 'one'), piece(b, end, 'nobody')],
    together: ahead <= end,
  };
}
