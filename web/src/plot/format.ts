/** Writes numbers for readers: with three significant digits, a real minus sign, and powers of ten as such. */
import { byLanguage } from '../strings/language.ts';

const NOT_A_NUMBER = byLanguage({ en: 'not a number', de: 'keine Zahl' });

/** A number as the page's language writes it: German has a comma before the decimals. */
export const decimal: (text: string) => string = byLanguage({
  en: (text: string) => text,
  de: (text: string) => text.replace('.', ','),
});

const SUPERSCRIPT: Readonly<Record<string, string>> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

const SUBSCRIPT = '₀₁₂₃₄₅₆₇₈₉';

export function formatNumber(value: number, digits = 3): string {
  if (Number.isNaN(value)) return NOT_A_NUMBER;
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa = '', exponent = '0'] = size.toExponential(Math.max(0, digits - 1)).split('e');
    const power = String(Number(exponent));
    return `${sign}${decimal(mantissa)}×10${[...power].map((char) => SUPERSCRIPT[char] ?? '').join('')}`;
  }
  const rounded = size.toPrecision(digits);
  // 99.97 has two digits before the point, and with two digits it is 100, which toPrecision would write as 1.0e+2.
  if (Number(rounded) >= 10 ** digits) return sign + Math.round(size).toString();
  return sign + decimal(rounded);
}

/**
 * A subtraction as it is shown: with as many decimals as it takes for the numbers on the page to give the result on
 * the page. With three digits, 0.1094 − 0.5537 = −0.4443 would read 0.109 − 0.554 = −0.444.
 */
export function formatDifference(
  from: number,
  less: number,
): { readonly from: string; readonly less: string; readonly difference: string } {
  const plain = {
    from: formatNumber(from),
    less: formatNumber(less),
    difference: formatNumber(from - less),
  };
  const sizes = [from, less].map(Math.abs);
  // Powers of ten and large numbers stay as they are everywhere else.
  if (!sizes.every((size) => size === 0 || (size >= 1e-3 && size < 1e3))) return plain;
  const written = (value: number, decimals: number): string =>
    decimal(value.toFixed(decimals).replace('-', '−'));
  for (let decimals = 3; ; decimals++) {
    const shown = (value: number): number => Number(value.toFixed(decimals));
    const whole = (value: number): number => Math.round(shown(value) * 10 ** decimals);
    // Few pairs of numbers need more than eight; these show the difference of what is shown of them.
    if (decimals < 8 && whole(from) - whole(less) !== whole(from - less)) continue;
    return {
      from: written(from, decimals),
      less: written(less, decimals),
      difference: written(shown(from) - shown(less), decimals),
    };
  }
}

/** English leaves a zero before the point out where there is little room; ",25" would be no German number. */
const fraction = byLanguage({
  en: (text: string) => text.replace(/^0/, ''),
  de: (text: string) => text,
});

/** A number for the inside of a cell, as short as possible. */
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size === 0) return '0';
  if (size < 0.005) return '0';
  if (size < 1) return sign + decimal(fraction(size.toFixed(2)));
  if (size < 10) return sign + decimal(size.toFixed(1));
  return size < 1000 ? sign + size.toFixed(0) : formatNumber(value, 1);
}

/** A formatted number without zeros that say nothing. */
export const withoutZeros = (text: string): string =>
  text.replace(/([.,]\d*?)0+(?=×|$)/, '$1').replace(/[.,](?=×|$)/, '');

/** A number with all its digits, as the field in which it is typed has it. */
export const formatExact = (value: number): string => decimal(String(value));

/** A number for a tick of an axis: exact, without trailing zeros. */
export function formatTick(value: number): string {
  return withoutZeros(formatNumber(value, 2));
}

export const superscript = (power: number): string =>
  [...String(power)].map((char) => SUPERSCRIPT[char] ?? '').join('');

export const subscript = (index: number): string =>
  [...String(index)].map((digit) => SUBSCRIPT[Number(digit)] ?? '').join('');
