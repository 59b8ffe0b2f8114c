import type { PairMemoryTrace } from '#client';

/** The memories of the opening: four in front, the others in its sheet. */
export const MEMORIES = [
  'softmax',
  'linear_sum',
  'retention',
  'delta_rule',
  'gla',
  'mamba2',
  'gated_delta_rule',
  'rwkv4',
] as const;
export type Memory = (typeof MEMORIES)[number];
export const FRONT: readonly Memory[] = MEMORIES.slice(0, 4);
/** Those of the front that have a matrix, into which a pair is written. */
export const WRITTEN: readonly Memory[] = FRONT.slice(1);

/** Keys are called A, B, C …; a pair that writes an earlier key again has that key's letter. */
export const pairNames = (first: ArrayLike<number>): string[] =>
  Array.from(first, (from) => {
    const one = String.fromCharCode(65 + (from % 26));
    return from < 26 ? one : `${one}${Math.floor(from / 26) + 1}`;
  });

/** The pairs that bring a key for the first time. */
export const keysOf = (first: ArrayLike<number>): number[] =>
  Array.from(first, (from, t) => (from === t ? t : -1)).filter((t) => t >= 0);

/** What the core says in place of the found pair. */
const NOT_FOUND = { [-1]: 'nothing', [-2]: 'both', [-3]: 'two' } as const;

/** What a memory answers to the key of a pair: `both` values of that key, or `two` of other keys, equally near. */
export type Said =
  | { readonly kind: 'later' | 'right' | 'nothing' | 'both' | 'two' | 'old' }
  | { readonly kind: 'other'; readonly pair: number };

export function saidOf(
  { found, wanted }: PairMemoryTrace,
  first: ArrayLike<number>,
  t: number,
  ask: number,
): Said {
  const n = first.length;
  if (ask >= t) return { kind: 'later' };
  const at = (t - 1) * n + ask;
  const [said, want] = [found[at] as number, wanted[at] as number];
  if (said === want) return { kind: 'right' };
  const none = NOT_FOUND[said as keyof typeof NOT_FOUND];
  if (none) return { kind: none };
  return first[said] === first[ask] ? { kind: 'old' } : { kind: 'other', pair: said };
}
