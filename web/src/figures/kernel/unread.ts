/** What figures say about points of a link that cannot be shown. The opening needs it, so it belongs to the first load. */
const MOST_NAMED = 6;
const LONGEST = 24;

const quoted = (piece: string): string =>
  `‘${piece.length > LONGEST ? `${piece.slice(0, LONGEST)}…` : piece}’`;

/** @param example a point as a link writes it */
export function unreadPoints(pieces: readonly string[], example: string): string {
  const named = pieces.slice(0, MOST_NAMED).map(quoted).join(', ');
  const more = pieces.length - MOST_NAMED;
  const all = more > 0 ? `${named} and ${more} more` : named;
  return `${pieces.length === 1 ? 'A point of the link cannot be read and is' : 'Points of the link cannot be read and are'} left out: ${all}. A point is written like ${example}.`;
}

export const tooManyPoints = (n: number, most: number): string =>
  `The link has ${n} points; the first ${most} of them are shown.`;

export const ownPoints = 'The figure shows the points that it begins with.';
