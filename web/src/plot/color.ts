/**
 * Colour maps as look-up tables, and the scales that lead into them.
 *
 * Weights use viridis from zero upwards, and below zero a separate ramp from dark to vermilion, so that a negative
 * weight is never mistaken for a small one. Differences are blue below zero and orange above, with the background
 * colour at zero.
 */

export type Rgb = readonly [number, number, number];
export type ScaleKind = 'sequential' | 'diverging';
export type Tone = 'linear' | 'sqrt';

/** The values that a colour map covers: from `low` to `high`, including zero. */
export interface ColorScale {
  readonly kind: ScaleKind;
  readonly low: number;
  readonly high: number;
  readonly tone: Tone;
  /** Whether there are values beyond an end; they are drawn in the colour of that end. */
  readonly overLow: boolean;
  readonly overHigh: boolean;
}

/** The number of entries, large enough that the square-root scale shows no steps near zero. */
const LUT_SIZE = 1024;

/** The colour of NaN and infinite values; no colour map contains it. */
export const NOT_FINITE: Rgb = [255, 0, 190];

// Viridis (van der Walt, Smith) as Zucker's polynomial in t, lowest power first, per channel.
const VIRIDIS: readonly (readonly number[])[] = [
  [0.2777273, 0.105093, -0.3308618, -4.6342305, 6.2282699, 4.776385, -5.4354559],
  [0.0054073, 1.4046135, 0.2148476, -5.799101, 14.1799334, -13.7451454, 4.6458526],
  [0.3340998, 1.3845902, 0.0950952, -19.332441, 56.6905526, -65.3530326, 26.3124352],
];
const NEGATIVE: readonly Rgb[] = [
  [68, 1, 84],
  [122, 10, 62],
  [184, 32, 44],
  [236, 78, 48],
  [255, 148, 112],
];
const DIVERGING: Readonly<Record<'light' | 'dark', readonly Rgb[]>> = {
  light: [
    [14, 56, 115],
    [40, 105, 172],
    [122, 172, 214],
    [247, 245, 240],
    [238, 169, 98],
    [200, 98, 20],
    [118, 48, 4],
  ],
  dark: [
    [168, 214, 255],
    [92, 158, 222],
    [38, 84, 138],
    [28, 28, 32],
    [142, 74, 18],
    [226, 138, 48],
    [255, 210, 150],
  ],
};

function viridis(t: number): Rgb {
  const channel = (powers: readonly number[]): number => {
    let value = 0;
    for (let i = powers.length - 1; i >= 0; i--) value = value * t + (powers[i] ?? 0);
    return Math.max(0, Math.min(255, Math.round(255 * value)));
  };
  return [channel(VIRIDIS[0] ?? []), channel(VIRIDIS[1] ?? []), channel(VIRIDIS[2] ?? [])];
}

function along(stops: readonly Rgb[], t: number): Rgb {
  const at = Math.max(0, Math.min(1, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  const [a, b] = [stops[i] as Rgb, stops[i + 1] as Rgb];
  const mix = (c: 0 | 1 | 2): number => Math.round(a[c] + (b[c] - a[c]) * (at - i));
  return [mix(0), mix(1), mix(2)];
}

const toned = (t: number, tone: Tone): number => (tone === 'sqrt' ? Math.sqrt(t) : t);

/** The colour of one value. */
export function colorOf(scale: ColorScale, value: number, dark: boolean): Rgb {
  if (!Number.isFinite(value)) return NOT_FINITE;
  const extent = Math.max(Math.abs(scale.low), Math.abs(scale.high)) || 1;
  if (scale.kind === 'diverging') {
    const t = toned(Math.min(1, Math.abs(value) / extent), scale.tone);
    return along(DIVERGING[dark ? 'dark' : 'light'], 0.5 + (value < 0 ? -t : t) / 2);
  }
  const clamped = Math.max(scale.low, Math.min(scale.high, value));
  if (clamped < 0) return along(NEGATIVE, 0.25 + 0.75 * toned(clamped / scale.low, scale.tone));
  return viridis(scale.high > 0 ? toned(clamped / scale.high, scale.tone) : 0);
}

/** The tables are kept, because two pictures may share a scale and a redraw uses the same one. */
const tables = new WeakMap<
  ColorScale,
  [light: Uint32Array | undefined, dark: Uint32Array | undefined]
>();

/** The table as packed little-endian RGBA, for every step from `low` to `high`. */
export function lookUpTable(scale: ColorScale, dark: boolean): Uint32Array {
  const known = tables.get(scale)?.[dark ? 1 : 0];
  if (known) return known;
  const table = new Uint32Array(LUT_SIZE);
  const step = (scale.high - scale.low) / (LUT_SIZE - 1);
  for (let i = 0; i < LUT_SIZE; i++) {
    table[i] = packed(colorOf(scale, scale.low + i * step, dark));
  }
  const both = tables.get(scale) ?? [undefined, undefined];
  both[dark ? 1 : 0] = table;
  tables.set(scale, both);
  return table;
}

const RAMP_STEPS = 32;
/** Ramps by what they depend on, which is not the size of the values: many pictures share a few. */
const ramps = new Map<string, string>();

/** The colours from `low` to `high`, as the stops of a gradient in CSS. */
export function rampStops(scale: ColorScale, dark: boolean): string {
  const { kind, tone, low, high } = scale;
  const key = `${kind} ${tone} ${dark} ${(low / high).toPrecision(3)}`;
  const known = ramps.get(key);
  if (known) return known;
  const stops = Array.from({ length: RAMP_STEPS + 1 }, (_, i) => {
    const value = low + ((high - low) * i) / RAMP_STEPS;
    return `rgb(${colorOf(scale, value, dark).join(' ')})`;
  }).join(',');
  // The ends change with every answer of some pictures; a table that is full begins again.
  if (ramps.size > 200) ramps.clear();
  ramps.set(key, stops);
  return stops;
}

export function packed([r, g, b]: Rgb): number {
  return (255 << 24) | (b << 16) | (g << 8) | r;
}

/** Black or white, whichever is easier to read on the colour. */
export function inkOn([r, g, b]: Rgb): string {
  const linear = (c: number): number =>
    c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
  // Above this luminance black has the larger contrast (WCAG 2, relative luminance): √(1.05·0.05) − 0.05.
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.179 ? '#000' : '#fff';
}

/**
 * Makes one scale for pictures that are compared. The weights of an average lie in [0, 1]. Where a map leaves that
 * range, the scale ends at ±1 and says so, because a single extreme cell would otherwise make all others black.
 */
export function sharedScale(
  ranges: readonly (readonly [number, number])[],
  tone: Tone,
): ColorScale {
  const lows = ranges.map(([low]) => low).filter(Number.isFinite);
  const highs = ranges.map(([, high]) => high).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...lows), Math.max(0, ...highs)];
  return {
    kind: 'sequential',
    low: Math.max(-1, low),
    high: Math.min(1, high) || 1,
    tone,
    overLow: low < -1,
    overHigh: high > 1.0001,
  };
}

/** A scale that is symmetric around zero. */
export function differenceScale(largest: number, tone: Tone): ColorScale {
  const extent = Number.isFinite(largest) && largest > 0 ? Math.min(1, largest) : 1;
  const over = largest > 1.0001 || !Number.isFinite(largest);
  return { kind: 'diverging', low: -extent, high: extent, tone, overLow: over, overHigh: over };
}

/** Round values for the labels of a colour bar or an axis; the ends are left out where labels would be crowded. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = rough / power;
  const step = power * (unit < 1.5 ? 1 : unit < 3.5 ? 2 : unit < 7.5 ? 5 : 10);
  const values: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
    values.push(Number((i * step).toPrecision(12)));
  }
  return values;
}
