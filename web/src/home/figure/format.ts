/** Writes parts of a pixel and times for readers. */
import { formatPlain } from '../../plot/counts.ts';

/** Two digits are enough for what nobody measures. */
const two = (value: number): string =>
  formatPlain(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));

/** A part of a pixel, as a fraction: one in so many. */
export const formatPart = (pixels: number): string => `1/${two(1 / pixels)}`;

type Units = Readonly<Record<'second' | 'minute' | 'hour' | 'day' | 'year', string>>;

export function formatTime(milliseconds: number, units: Units): string {
  const seconds = milliseconds / 1000;
  const [value, unit] =
    milliseconds < 1
      ? [milliseconds * 1000, 'µs']
      : seconds < 1
        ? [milliseconds, 'ms']
        : seconds < 120
          ? [seconds, units.second]
          : seconds < 7200
            ? [seconds / 60, units.minute]
            : seconds < 172_800
              ? [seconds / 3600, units.hour]
              : seconds < 63_072_000
                ? [seconds / 86_400, units.day]
                : [seconds / 31_536_000, units.year];
  return `${two(value)}\u00a0${unit}`;
}
