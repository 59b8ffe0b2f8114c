/** Random choices that are repeated by the same seed. */
export interface Random {
  /** A whole number from 0 to `end` − 1. */
  below(end: number): number;
  /** Returns true once in `n` times on average. */
  once(n: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The generator mulberry32. */
export function random(seed: number): Random {
  let state = seed | 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
  return {
    below,
    once: (n) => below(n) === 0,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}
