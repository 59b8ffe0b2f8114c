// Writes core/src/base/unicode_tables.inc from the files of the Unicode Character Database:
//
//   node core/tools/unicode.mjs [folder]      default: /usr/share/unicode, Debian's package unicode-data
//
// The site is not built with it: the table is committed, and made again when a newer Unicode is wanted.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? '/usr/share/unicode';
const target = fileURLToPath(new URL('../src/base/unicode_tables.inc', import.meta.url));
const LAST = 0x10ffff;

const read = (name) => readFileSync(join(folder, name), 'utf8');
const code = (hex) => Number.parseInt(hex, 16);
const codes = (text) => text.trim().split(/\s+/).map(code);

/** The fields of each line of a file; a range of code points is `first` to `last`. */
function* lines(name) {
  for (const line of read(name).split('\n')) {
    const fields = line
      .replace(/#.*/, '')
      .split(';')
      .map((field) => field.trim());
    if (fields.length < 2) continue;
    const [first, last = first] = fields[0].split('..').map(code);
    yield { first, last, fields };
  }
}

/** The code points of a property, or of several. */
function having(file, ...values) {
  const found = new Set();
  for (const { first, last, fields } of lines(file)) {
    if (values.includes(fields[1])) for (let c = first; c <= last; c++) found.add(c);
  }
  return found;
}

const category = new Array(LAST + 1).fill('Cn');
const combining = new Uint8Array(LAST + 1);
const decompositions = [];
let rangeFrom;
for (const { first, fields } of lines('UnicodeData.txt')) {
  const [, name, kind, order, , decomposition] = fields;
  if (name.endsWith(', Last>')) category.fill(kind, rangeFrom, first + 1);
  rangeFrom = first;
  category[first] = kind;
  combining[first] = Number(order);
  // What stands in angle brackets is compatible, and not the same.
  if (decomposition && !decomposition.startsWith('<')) {
    const [one, two = 0] = codes(decomposition);
    decompositions.push([first, one, two]);
  }
}

const [, version] = /^# PropList-([\d.]+)\.txt/.exec(read('PropList.txt')) ?? [];
const visible = having('PropList.txt', 'Prepended_Concatenation_Mark');
const cjk = having('Scripts.txt', 'Han', 'Hiragana', 'Katakana');
const modifiers = having('emoji/emoji-data.txt', 'Emoji_Modifier');
const extend = having('DerivedCoreProperties.txt', 'Grapheme_Extend');
const regional = having('PropList.txt', 'Regional_Indicator');
const excluded = having('DerivedNormalizationProps.txt', 'Full_Composition_Exclusion');

/** How a character is read, as `Kind` of core/src/base/words.hpp has it. */
function kindOf(c) {
  const kind = category[c];
  // It stands for a character that could not be read.
  if (c === 0xfffd) return 'Word';
  // It separates words of scripts that are written without spaces.
  if (kind[0] === 'Z' || kind === 'Cc' || c === 0x200b) return 'Space';
  if (c === 0x200c || c === 0x200d) return 'Joiner';
  if (c >= 0xe0020 && c <= 0xe007f) return 'Tag';
  if (kind === 'Cf') return visible.has(c) ? 'Word' : 'Ignored';
  if (modifiers.has(c)) return 'Modifier';
  if (regional.has(c)) return 'Regional';
  if (kind[0] === 'M' || extend.has(c)) return 'Extend';
  if ((kind[0] === 'P' && kind !== 'Pc') || kind[0] === 'S') return 'Mark';
  // Planes 2 and 3 are set aside for ideographs.
  if (cjk.has(c) || (kind === 'Cn' && c >= 0x20000 && c <= 0x3fffd)) return 'Alone';
  return 'Word';
}

const hex = (c) => `0x${c.toString(16)}`;
const out = [];
/** Rows as C++, as many in a line as fit. */
function table(comment, declaration, rows) {
  out.push('', `// ${comment}`, `constexpr ${declaration} = {`);
  let line = '   ';
  for (const row of rows) {
    if (line.length + row.length + 2 > 100) {
      out.push(line);
      line = '   ';
    }
    line += ` ${row},`;
  }
  out.push(line, '};');
}

const kinds = [];
const orders = [];
for (let c = 0; c <= LAST; c++) {
  if (c === 0 || kindOf(c) !== kindOf(c - 1)) kinds.push(`{${hex(c)}, Kind::k${kindOf(c)}}`);
  if (c > 0 && combining[c] !== combining[c - 1]) orders.push(`{${hex(c)}, ${combining[c]}}`);
}

const single = [];
const several = [];
for (const { first, fields } of lines('CaseFolding.txt')) {
  const [, status, mapping] = fields;
  const to = codes(mapping);
  if (status === 'C') {
    const last = single.at(-1);
    const step = last && first - last.last;
    const fits =
      last && to[0] - first === last.delta && step <= 2 && (last.step === 0 || step === last.step);
    if (fits) Object.assign(last, { last: first, step });
    else single.push({ first, last: first, step: 0, delta: to[0] - first });
  } else if (status === 'F') several.push(`{${[first, ...to, 0].slice(0, 4).map(hex).join(', ')}}`);
}

out.push(
  `// Unicode ${version}. Written by core/tools/unicode.mjs: change that, and not this file.`,
  '// clang-format off',
);
table('The kind of the characters from each one on, up to the next.', 'KindFrom kKinds[]', kinds);
table(
  'Case folding, one character to one: every `step`-th of first … last, plus delta.',
  'FoldRun kFolds[]',
  single.map(
    ({ first, last, step, delta }) => `{${hex(first)}, ${hex(last)}, ${step || 1}, ${delta}}`,
  ),
);
table('Case folding, one to two or three.', 'char32_t kLongFolds[][4]', several);
table(
  'A character, the one or two that it is made of, and whether it is never made of them.',
  'Decomposition kDecompositions[]',
  decompositions.map(
    ([c, one, two]) =>
      `{${hex(c)}, ${hex(one)}, ${two ? hex(two) : 0}, ${excluded.has(c) ? 1 : 0}}`,
  ),
);
table(
  'The combining class of the characters from each one on, up to the next.',
  'OrderFrom kOrders[]',
  orders,
);
writeFileSync(target, `${out.join('\n')}\n`);
console.log(`${target}: Unicode ${version}, ${kinds.length} runs of kinds`);
