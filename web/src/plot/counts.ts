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

/** A whole number digit by digit, in groups of three. */
export function formatCount(count: number): string {
  if (!Number.isInteger(count) || count >= READABLE) return formatNumber(count);
  return count < 1e4 ? String(count) : String(count).replace(/\B(?=(\d{3})+$)/g, BETWEEN_GROUPS);
}

/** With the unit that leaves it below 1024. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatPlain(bytes / 1024 ** power)}\u00a0${UNITS[power]}`;
}
