/**
 * The functions that _text.py and re.py call: MicroPython writes a float with 16 digits, which are not always the
 * shortest, knows no halves and no letters beyond ASCII, and has a small part of regular expressions. Each takes and
 * returns texts and numbers. None of them throws.
 */

/** A nonnegative double as numerator and power of two, exactly: x = m · 2^e. */
function exactly(x: number): { m: bigint; e: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 2047n);
  const fraction = word & ((1n << 52n) - 1n);
  return exponent === 0
    ? { m: fraction, e: -1074 }
    : { m: fraction | (1n << 52n), e: exponent - 1075 };
}

/** x · 10^places as a whole number; halves go to the even neighbour. */
function scaled(x: number, places: number): bigint {
  const { m, e } = exactly(x);
  let above = m;
  let below = 1n;
  if (places >= 0) above *= 10n ** BigInt(places);
  else below *= 10n ** BigInt(-places);
  if (e >= 0) above <<= BigInt(e);
  else below <<= BigInt(-e);
  const whole = above / below;
  const twice = (above - whole * below) * 2n;
  return twice > below || (twice === below && whole % 2n === 1n) ? whole + 1n : whole;
}

/** |x| with so many places after the point, as CPython's `.nf`. */
function fixed(x: number, places: number): string {
  const digits = scaled(Math.abs(x), places)
    .toString()
    .padStart(places + 1, '0');
  return places > 0 ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
}

/** |x| with one digit before the point and so many after it: "digits,exponent". */
function scientific(x: number, places: number): string {
  const y = Math.abs(x);
  if (y === 0) return `${'0'.repeat(places + 1)},0`;
  let exponent = Number(y.toExponential().split('e')[1]);
  let digits = scaled(y, places - exponent).toString();
  if (digits.length > places + 1) {
    // It was rounded up to the next power of ten.
    exponent++;
    digits = digits.slice(0, places + 1);
  }
  return `${digits},${exponent}`;
}

/** The shortest digits that are read as x again, as `repr` writes them. */
function real(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  const y = Math.abs(x);
  if (!Number.isFinite(y)) return `${sign}inf`;
  const [digits = '0', power = '0'] = y.toExponential().replace('.', '').split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const rest = digits.slice(1);
    const size = Math.abs(exponent).toString().padStart(2, '0');
    return `${sign}${digits[0]}${rest && `.${rest}`}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

/** x rounded to so many places; below zero they lie before the point. "" where the result is too large. */
function rounded(x: number, places: number): number | string {
  if (!Number.isFinite(x) || x === 0 || places > 323) return real(x);
  if (places < -308) return x < 0 ? '-0.0' : '0.0';
  const text =
    places >= 0 ? fixed(x, places) : `${scaled(Math.abs(x), places)}${'0'.repeat(-places)}`;
  const y = Number(text);
  return Number.isFinite(y) ? real(x < 0 ? -y : y) : '';
}

const spaceOrOther = /[\p{C}\p{Z}]/u;
const printable = (c: string) => c === ' ' || !spaceOrOther.test(c);

/** A text as `repr` writes it; with `ascii` as `ascii()` does. */
function quoted(text: string, ascii: boolean): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    if (c === quote || c === '\\') out += `\\${c}`;
    else if (c === '\n') out += '\\n';
    else if (c === '\r') out += '\\r';
    else if (c === '\t') out += '\\t';
    else if (ascii ? code >= 32 && code < 127 : printable(c)) out += c;
    else if (code < 256) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code < 65536) out += `\\u${code.toString(16).padStart(4, '0')}`;
    else out += `\\U${code.toString(16).padStart(8, '0')}`;
  }
  return out + quote;
}

const upper = /\p{Uppercase}/u;
const lower = /\p{Lowercase}/u;
const titled = /\p{Lt}/u;
const letter = /\p{L}/u;
const decimal = /\p{Nd}/u;
/** Signs that stand for one digit and are no decimal digits: superscripts, circled and such. */
const digitSign =
  /[\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792]/u;
const numeric =
  /[\p{N}\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u842c\u4e07]/u;
const space = /[\s\u0085]/u;
/** What Python counts as blank and JavaScript does not. */
const separators = (c: string) => c >= '\u001c' && c <= '\u001f';
const blank = (c: string) => separators(c) || (space.test(c) && c !== '\ufeff');
const cased = /\p{Cased}/u;
const folds: Readonly<Record<string, string>> = { ß: 'ss', ẞ: 'ss', ς: 'σ', ſ: 's' };
const wide = /[ǅǈǋǲ]/u;
const titleOf = (c: string) => {
  const index = c === '' ? -1 : 'ǆǉǌǳ'.indexOf(c);
  if (index >= 0) return 'ǅǈǋǲ'[index] ?? c;
  if (wide.test(c)) return c;
  const large = c.toUpperCase();
  // Only the first letter of "SS" is large at the beginning of a word.
  return [...large].length > 1 && c !== large
    ? `${[...large][0]}${large.slice(1).toLowerCase()}`
    : large;
};

const every = (text: string, test: (c: string) => boolean) => {
  const signs = [...text];
  return signs.length > 0 && signs.every(test);
};

function isTitle(text: string): boolean {
  let before = false;
  let any = false;
  for (const c of text) {
    if (upper.test(c) || titled.test(c)) {
      if (before) return false;
      before = any = true;
    } else if (lower.test(c)) {
      if (!before) return false;
      before = any = true;
    } else before = false;
  }
  return any;
}

function title(text: string): string {
  let out = '';
  let before = false;
  for (const c of text) {
    out += before ? c.toLowerCase() : titleOf(c);
    before = cased.test(c);
  }
  return out;
}

/** The methods of a text that need to know its letters. */
const methods: Readonly<Record<string, (text: string) => string | boolean>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => [...text].map((c) => folds[c] ?? c.toLowerCase()).join(''),
  swapcase: (text) =>
    [...text].map((c) => (upper.test(c) ? c.toLowerCase() : c.toUpperCase())).join(''),
  title,
  capitalize: (text) => {
    const [first = ''] = text;
    return titleOf(first) + text.slice(first.length).toLowerCase();
  },
  isalpha: (text) => every(text, (c) => letter.test(c)),
  isdecimal: (text) => every(text, (c) => decimal.test(c)),
  isdigit: (text) => every(text, (c) => decimal.test(c) || digitSign.test(c)),
  isnumeric: (text) => every(text, (c) => numeric.test(c)),
  isalnum: (text) => every(text, (c) => letter.test(c) || numeric.test(c)),
  isspace: (text) => every(text, blank),
  isupper: (text) =>
    text !== text.toLowerCase() &&
    [...text].every((c) => !lower.test(c) && !titled.test(c)) &&
    [...text].some((c) => cased.test(c)),
  islower: (text) =>
    [...text].every((c) => !upper.test(c) && !titled.test(c)) &&
    [...text].some((c) => lower.test(c)),
  istitle: isTitle,
  isidentifier: (text) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text),
  isprintable: (text) => [...text].every(printable),
  strip: (text) => {
    let from = 0;
    let to = text.length;
    while (from < to && blank(text[from] ?? '')) from++;
    while (to > from && blank(text[to - 1] ?? '')) to--;
    return text.slice(from, to);
  },
  digits: (text) =>
    text.replace(/\p{Nd}/gu, (c) => {
      // Decimal digits lie in rows of ten.
      let zero = c.codePointAt(0) ?? 0;
      while (decimal.test(String.fromCodePoint(zero - 1)) && zero > (c.codePointAt(0) ?? 0) - 9)
        zero--;
      return String((c.codePointAt(0) ?? 0) - zero);
    }),
};

/** Compiled patterns by number: one that matches at a place, and one that looks for it. Each is compiled once. */
const patterns: { readonly here: RegExp; readonly ahead: RegExp }[] = [];
const numbers = new Map<string, number>();

/** Compiles a pattern in JavaScript's words, and returns its number or the reason why it is none. */
function pattern(source: string, flags: string): number | string {
  const key = `${flags}/${source}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  try {
    const here = new RegExp(source, `${flags}dy`);
    patterns.push({ here, ahead: new RegExp(source, `${flags}dg`) });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  numbers.set(key, patterns.length - 1);
  return patterns.length - 1;
}

/**
 * Looks for a pattern from a place on: at that place only, or (`search`) at the first where it is found. The answer
 * holds the beginning and the end of the match and of each group, counted in whole characters; "" where nothing is
 * found.
 */
function matched(number: number, text: string, from: number, search: boolean): string {
  const expression = patterns[number]?.[search ? 'ahead' : 'here'];
  if (!expression) return '';
  // Signs beyond 16 bits count twice in JavaScript and once in Python.
  const wide = /[\ud800-\udfff]/.test(text);
  const character = (at: number) => (wide ? [...text.slice(0, at)].length : at);
  expression.lastIndex = wide ? [...text].slice(0, from).join('').length : from;
  const found = expression.exec(text);
  if (!found?.indices) return '';
  return found.indices
    .map((span) => (span ? `${character(span[0])} ${character(span[1])}` : '-1 -1'))
    .join(' ');
}

export const textHost = {
  fixed,
  scientific,
  real,
  rounded,
  quoted,
  pattern,
  matched,
  text: (name: string, text: string) => methods[name]?.(text) ?? '',
};
