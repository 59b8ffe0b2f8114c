import { byLanguage } from '../../strings/language.ts';

/** Thousands as the page's language groups them. Blanks group them in every language. */
const GROUPED = byLanguage({ en: /^[+-]?\d{1,3}(?:,\d{3})+$/, de: /^[+-]?\d{1,3}(?:\.\d{3})+$/ });
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The number that a reader typed, with a decimal comma or a decimal point whatever the page's language is; NaN for
 * anything else. Where a whole number is wanted, "1,000" on an English page and "1.000" on a German one is a thousand.
 */
export function readNumber(text: string, whole: boolean): number {
  const bare = text.replace(/\s/g, '').replace('−', '-');
  const plain = whole && GROUPED.test(bare) ? bare.replace(/[.,]/g, '') : bare.replace(',', '.');
  return NUMBER.test(plain) ? Number(plain) : Number.NaN;
}
