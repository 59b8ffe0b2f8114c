/** Axes: the numbers that they show, the place of a value, and the ticks. */
import { ticks } from './color.ts';
import { formatTick } from './format.ts';

export interface Domain {
  readonly low: number;
  readonly high: number;
  /** Whether equal distances on the axis are equal differences; otherwise they are equal ratios. */
  readonly linear?: boolean;
  /**
   * For values of either sign over many decades. Below about this size, equal distances on the axis are differences;
   * above it they are ratios.
   */
  readonly symlog?: number;
  /** The ticks of a logarithmic axis. By default they are powers of two along x, and 1, 2, 5 along y. */
  readonly count?: 'binary' | 'decimal';
  /** Whether the axis counts things, so that it has no ticks between whole numbers. */
  readonly whole?: boolean;
}

/** An axis. An end that is not given is taken from the drawn values. */
export type Axis = Omit<Domain, 'low' | 'high'> & Partial<Pick<Domain, 'low' | 'high'>>;

/** Returns a monotone function that makes equal distances on the axis equal differences, and its inverse. */
function warp({ linear, symlog }: Axis): {
  to: (value: number) => number;
  back: (way: number) => number;
} {
  if (symlog !== undefined) {
    return { to: (v) => Math.asinh(v / symlog), back: (w) => symlog * Math.sinh(w) };
  }
  if (linear) return { to: (v) => v, back: (w) => w };
  // A value at or below zero has no logarithm, so its place lies beyond the low end.
  return { to: (v) => Math.log(Math.max(v, 0)), back: Math.exp };
}

/**
 * Converts values into places between two pixels, and back. The place is infinite for a value without a logarithm.
 */
export function axisPlace(domain: Domain, from: number, to: number) {
  const way = warp(domain);
  const low = way.to(domain.low);
  const perPixel = (way.to(domain.high) - low) / (to - from) || 1;
  return {
    at: (value: number): number => from + (way.to(value) - low) / perPixel,
    value: (place: number): number => way.back(low + (place - from) * perPixel),
  };
}

/** The range of all positive values, with a little room at both ends. */
export function domainOf(values: Iterable<number>, room = 1.12): Domain | undefined {
  let [low, high] = [Infinity, 0];
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > 0 ? { low: low / room, high: high * room } : undefined;
}

/** The part of the axis that stays free beyond the outermost values. */
const ROOM_PART = 0.04;

/**
 * Values that differ by a smaller part of themselves count as equal, because numbers have no digits for ticks between
 * them.
 */
const FLAT = 1e-9;

/** The axis with both ends: the given ones, or ends around the values. */
export function domainFor(axis: Axis, values: Iterable<number>): Domain {
  const way = warp(axis);
  let [low, high] = [Infinity, -Infinity];
  let negative = false;
  for (const value of values) {
    const place = way.to(value);
    if (!Number.isFinite(place)) continue;
    low = Math.min(low, place);
    high = Math.max(high, place);
    if (value < 0) negative = true;
  }
  const logarithmic = !axis.linear && axis.symlog === undefined;
  if (!(high >= low)) [low, high] = logarithmic ? [0, Math.log(10)] : [0, way.to(1)];
  const size = axis.linear ? Math.max(Math.abs(low), Math.abs(high)) : 1;
  const span = high - low > FLAT * size ? high - low : size || 1;
  const room = ROOM_PART * span;
  const least = logarithmic ? Number.MIN_VALUE : negative ? -Number.MAX_VALUE : 0;
  const end = (place: number): number =>
    // The free room at the end must not reach below zero and suggest negative values.
    Math.max(least, Math.min(Number.MAX_VALUE, way.back(place)));
  const given = (value: number | undefined): number | undefined =>
    logarithmic && value !== undefined && !(value > 0) ? undefined : value;
  const domain = {
    ...axis,
    low: given(axis.low) ?? end(low - room),
    high: given(axis.high) ?? end(high + room),
  };
  if (domain.high > domain.low) return domain;
  return logarithmic
    ? { ...domain, high: domain.low * 10 }
    : { ...domain, high: domain.low + (Math.abs(domain.low) || 1) };
}

/** The positions of ticks within a decade, from many to few. */
const STEPS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
const ROOM = [10, 9, 3, 2, 0];

/** Ticks at 1, 2, 5, 10 … within the domain: more where there is room, and at least powers of ten. */
export function logTicks({ low, high }: Domain, most = 9): number[] {
  const decades = Math.log10(high / low);
  const steps = STEPS[ROOM.findIndex((ticks) => decades * ticks <= most)] ?? [];
  // Where not all powers of ten fit, every second, fifth … of them is used.
  const every = [1, 2, 5, 10, 20, 50, 100].find((step) => decades / step <= most) ?? 100;
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    if (power % every !== 0) continue;
    for (const step of steps) {
      const value = Number(`${step}e${power}`);
      if (value >= low && value <= high) found.push(value);
    }
  }
  return found;
}

/** Powers of two within the domain, thinned to at most `most`. */
export function binaryTicks({ low, high }: Domain, most = 9): number[] {
  const found: number[] = [];
  for (let power = Math.ceil(Math.log2(low)); 2 ** power <= high; power++) found.push(2 ** power);
  const every = Math.ceil(found.length / most);
  return found.filter((_, i) => (found.length - 1 - i) % every === 0);
}

/** Ticks at zero and at powers of ten of either sign, from the size on at which the axis shows ratios. */
export function symlogTicks({ low, high, symlog = 1 }: Domain, most = 9): number[] {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const sides = low < 0 && high > 0 ? 2 : 1;
  const [first, last] = [Math.ceil(Math.log10(symlog)), Math.floor(Math.log10(largest))];
  const every = Math.max(1, Math.ceil((sides * (last - first + 1)) / Math.max(1, most - 1)));
  const found = [0];
  for (let power = last; power >= first; power -= every) {
    found.push(Number(`1e${power}`), -Number(`1e${power}`));
  }
  return found.filter((value) => value >= low && value <= high).sort((a, b) => a - b);
}

/** The ticks of any axis, about `most` of them at most. */
export function axisTicks(domain: Domain, most: number): number[] {
  if (domain.symlog !== undefined) return symlogTicks(domain, most);
  if (domain.linear) {
    const all = ticks(domain.low, domain.high, most / 2);
    return domain.whole ? all.filter(Number.isInteger) : all;
  }
  return domain.count === 'binary' ? binaryTicks(domain, most) : logTicks(domain, most);
}

/** Powers of two are written in full, such as 16384. Powers of ten are written without a factor of 1. */
export const tickWords = (domain: Domain, tick: number): string =>
  domain.count === 'binary' && !domain.linear
    ? String(tick)
    : formatTick(tick).replace(/^(−?)1×10/, '$110');
