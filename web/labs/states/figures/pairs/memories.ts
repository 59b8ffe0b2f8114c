/** The memories of the opening, in the order in which they are shown. */
export const MEMORIES = [
  'softmax',
  'linear_sum',
  'retention',
  'gla',
  'mamba2',
  'delta_rule',
  'gated_delta_rule',
  'rwkv4',
] as const;
export type Memory = (typeof MEMORIES)[number];

/** Pairs are called A, B, C …; one that writes an earlier key again has that key's letter and an apostrophe. */
export function pairNames(first: ArrayLike<number>): string[] {
  const letter = (i: number): string => {
    const one = String.fromCharCode(65 + (i % 26));
    return i < 26 ? one : `${one}${Math.floor(i / 26) + 1}`;
  };
  return Array.from(first, (from, t) => (from === t ? letter(t) : `${letter(from)}'`));
}
