/** Writes counts and bytes for readers. */
import { byLanguage } from '../strings/language.ts';
import { formatNumber, withoutZeros } from './format.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
/** Counts up to this are written exactly; larger ones are rounded. */
const READABLE = 1e9;

/** As the texts of the labs write large numbers. */
const BETWEEN_GROUPS = byLanguage({ en: ',', de: '\u00a0' });

/** Three digits, without zeros that say nothing. */
export const formatPlain = (value: number): string => withoutZeros(formatNumber(value));

/** A whole number digit by digit; in groups of three where it has five digits or more. */
export const inGroups = (count: number, between = BETWEEN_GROUPS): string =>
  count < 1e4 ? String(count) : String(count).replace(/\B(?=(\d{3})+$)/g, between);

/** A count, rounded where nobody would read its digits. */
export const formatCount = (count: number): string =>
  !Number.isInteger(count) || count >= READABLE ? formatNumber(count) : inGroups(count);

/** With the unit that leaves it below 1024. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatPlain(bytes / 1024 ** power)}\u00a0${UNITS[power]}`;
}

/** A number of KiB, MiB, … with the unit that leaves it below 1024; undefined for other units. */
export function formatBytesOf(value: number, unit: string | undefined): string | undefined {
  const power = unit === undefined ? -1 : UNITS.indexOf(unit);
  return power < 0 ? undefined : formatBytes(value * 1024 ** power);
}
