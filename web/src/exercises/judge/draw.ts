/**
 * What a run draws anew: sizes, numbers and seeds of inputs that no list of known answers can hold. The
 * same seed draws the same in the page and in Node.
 */
import type { Draw } from '../types';
import type { RandomSource } from './inputs';

/** Seeds are shown to people and typed by them, so they are short. */
const seeds = 1_000_000;
/** As many numbers as one case may ask for. */
const most = 512;

/** A seed that nobody can know before the run. */
export const freshSeed = (): number =>
  (crypto.getRandomValues(new Uint32Array(1))[0] as number) % seeds;

/** The stream `nth` of a seed: what one case draws does not depend on how much another one drew. */
export function drawFrom(seed: number, nth: number, random: RandomSource): Draw {
  const numbers = random.uniforms((seed * 64 + nth) % 2 ** 32, most);
  let next = 0;
  const number = (): number => {
    if (next === most) throw new Error(`a case draws at most ${most} numbers`);
    return numbers[next++] as number;
  };
  const integer = (low: number, high: number): number =>
    low + Math.floor(number() * (high - low + 1));
  return {
    integer,
    real: (low, high) => low + number() * (high - low),
    pick: (list) => list[integer(0, list.length - 1)] as (typeof list)[number],
    seed: () => integer(1, seeds),
  };
}

/** Sizes at which cost is counted: each is somewhat larger than the one that is written down. */
export function drawSizes(sizes: readonly number[], draw: Draw): number[] {
  const last = sizes.length - 1;
  return sizes.map((n, at) => draw.integer(n, Math.floor(n * (at === last ? 2 : 1.4))));
}
