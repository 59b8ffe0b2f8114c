/**
 * The site's fonts, cut down to what it writes: two text faces with the letters of Western European
 * languages, and of KaTeX's fonts the glyphs the formulas use; each in a piece for the first view and
 * pieces for the rest. They are written into a cache folder that style sheets reach as `@fonts/…`; from there Vite treats them like any other asset.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { homeWords } from '../src/home/words.ts';
import { parts } from '../src/lab/page/parts.ts';
import { type LanguageId, orEnglish } from '../src/strings/language.ts';
import type { ExerciseSource } from './exercises.js';
import { type RegistrySource, renderTex } from './formulas.js';
import { scanFormulas, trimRules } from './katex-fonts.js';
import type { LabSource } from './labs.js';

const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const PUNCTUATION = '\u00A0–—‘’‚“”„…•·×−±↓§©°«»¿¡²';
const LETTERS = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœẞ';
const ALL = ascii + PUNCTUATION + LETTERS;

/** What the interface writes outside of formulas. */
const GREEK = 'φΣ';
/** What its sans-serif text is made of before a visitor brings other characters. */
const INTERFACE = `${ascii.replace(/["#$%&*<@[\\\]^_`{|}~]/g, '')}–’…·×−²↓`;
/** Symbols in serif letters: d_k, d_v, n, q. */
const SYMBOLS = 'dknqv';
/** What German writes beside the letters of English. */
const GERMAN = 'ÄÖÜäöüß„“‚‘';

/** The site uses no other weights. */
const WEIGHTS = { min: 400, max: 650 };

/**
 * A family in several files: a browser fetches a file when the page contains one of its characters. The
 * first file has the characters that a page shows at once.
 */
interface TextFamily {
  readonly family: string;
  /** The family that German pages put first (tokens.css): one file with all characters they show at once, instead of two. */
  readonly germanFamily?: string;
  readonly name: string;
  readonly latin: string;
  readonly greek: string;
  readonly features: readonly string[];
  readonly first: (openings: string) => string;
}

const TEXT_FAMILIES: readonly TextFamily[] = [
  {
    family: 'AL Sans',
    name: 'al-sans',
    latin: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    greek: '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2',
    // Digits have equal widths, so that numbers do not jump while a knob moves.
    // Kerning would cost 2 KB of the first load and is not missed at the sizes of controls.
    features: ['tnum'],
    first: () => INTERFACE,
  },
  {
    family: 'AL Serif',
    germanFamily: 'AL Serif German',
    name: 'al-serif',
    latin: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
    greek: '@fontsource-variable/source-serif-4/files/source-serif-4-greek-wght-normal.woff2',
    features: [],
    first: (openings) => openings + SYMBOLS,
  },
];
/** Increase this when the way of cutting changes: the cached fonts are then made again. */
const RECIPE = 3;

const LICENSED = [
  ['Inter', '@fontsource-variable/inter/LICENSE'],
  ['Source Serif 4', '@fontsource-variable/source-serif-4/LICENSE'],
  ['KaTeX (fonts, style sheet, markup)', 'katex/LICENSE'],
  ['Lit', 'lit/LICENSE'],
  ['idb-keyval', 'idb-keyval/LICENCE'],
  ['CodeMirror (the editor)', '@codemirror/view/LICENSE'],
  ['Lezer (reads Python and JavaScript)', '@lezer/common/LICENSE'],
  ['jsdiff (compares code line by line)', 'diff/LICENSE'],
  ['Moby-Dick', '../web/book/licence.txt'],
  // The package of MicroPython does not contain the text of its licence.
  ['MicroPython', '../web/plugins/licenses/micropython.txt'],
  ['NumPy (tables of the normal distribution)', '../core/src/array/ziggurat.inc'],
] as const;

/** The text of a licence: the whole file, or of a source file the comment before its first code. */
function licenceIn(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!text.startsWith('//')) return text.trim();
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join('\n');
}

export function fontFolder(repository: string): string {
  return join(repository, 'node_modules/.cache/attention-labs/fonts');
}

/** Font tables that a browser does not need to draw our text. */
const UNUSED_TABLES = ['STAT', 'MVAR', 'BASE', 'gasp'];

async function cutDown(
  input: Buffer,
  text: string,
  options: Parameters<typeof subsetFont>[2],
): Promise<Buffer> {
  const cut = await subsetFont(input, text, {
    ...options,
    targetFormat: 'sfnt',
    dropTables: UNUSED_TABLES,
  });
  const { keepFeatures = [] } = options ?? {};
  return subsetFont(rename(cut), text, { targetFormat: 'woff2', keepFeatures, noHinting: true });
}

/**
 * The font under the name `AL`: what is cut must not go by the name it had (Open Font License, 3), and
 * the paragraphs about designers and trademarks are in licenses.txt.
 */
function rename(sfnt: Buffer): Buffer {
  const count = sfnt.readUInt16BE(4);
  const tables = Array.from({ length: count }, (_, i) => {
    const at = 12 + 16 * i;
    const [start, length] = [sfnt.readUInt32BE(at + 8), sfnt.readUInt32BE(at + 12)];
    const tag = sfnt.toString('latin1', at, at + 4);
    return { tag, data: tag === 'name' ? nameTable('AL') : sfnt.subarray(start, start + length) };
  });
  const head = Buffer.from(sfnt.subarray(0, 12 + 16 * count));
  const parts = [head];
  let offset = head.length;
  tables.forEach(({ data }, i) => {
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
    data.copy(padded);
    let sum = 0;
    for (let k = 0; k < padded.length; k += 4) sum = (sum + padded.readUInt32BE(k)) >>> 0;
    const at = 12 + 16 * i;
    head.writeUInt32BE(sum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(data.length, at + 12);
    parts.push(padded);
    offset += padded.length;
  });
  return Buffer.concat(parts);
}

/** Family, style, full and PostScript name, in English for Windows: the four that must be there. */
function nameTable(name: string): Buffer {
  const text = Buffer.from(name, 'utf16le').swap16();
  const ids = [1, 2, 4, 6];
  const table = Buffer.alloc(6 + 12 * ids.length);
  table.writeUInt16BE(ids.length, 2);
  table.writeUInt16BE(table.length, 4);
  ids.forEach((id, i) => {
    for (const [k, field] of [3, 1, 0x409, id, text.length, 0].entries()) {
      table.writeUInt16BE(field, 6 + 12 * i + 2 * k);
    }
  });
  return Buffer.concat([table, text]);
}

/** Whose text and formulas the fonts are cut to. */
export interface FontSources {
  readonly registry: RegistrySource;
  readonly labs: LabSource;
  readonly exercises: ExerciseSource;
}

/** The words at the top of the labs' pages: what is there before any script. */
async function readOpenings(labs: LabSource, language: LanguageId): Promise<string> {
  const words = (await labs.read()).map(({ opening }) => orEnglish(opening, language));
  const home = Object.values(homeWords[language]).filter((one) => typeof one === 'string');
  const titles = Object.values(parts).map(({ title }) => orEnglish(title, language));
  return [
    // The labs' numbers in the course map.
    '0123456789',
    ...[...home, ...titles],
    ...words.flatMap(({ title, question, lead, teaches }) => [title, question, lead, ...teaches]),
  ].join('');
}

/** The characters of `text` in `within`, each once and in order. */
const pick = (text: string, within: (char: string) => boolean): string =>
  [...new Set(text)].filter(within).sort().join('');

/** For `unicode-range`. */
export function unicodeRange(characters: string): string {
  const codes = [...new Set(characters)].map((char) => char.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  for (const code of codes.sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number): string => code.toString(16).toUpperCase();
  return ranges.map(([a, b]) => `U+${hex(a)}${a === b ? '' : `-${hex(b)}`}`).join(',');
}

/** Writes what is missing or out of date into the cache. Returns the bytes of each font. */
export async function makeFonts(
  repository: string,
  { registry, labs, exercises }: FontSources,
): Promise<ReadonlyMap<string, number>> {
  const modules = join(repository, 'node_modules');
  const folder = fontFolder(repository);
  mkdirSync(folder, { recursive: true });
  const { characters, classes } = scanFormulas(
    Object.values(await registry.formulas())
      .flatMap(({ phi, dimension }) => [phi, dimension])
      .join('\n'),
  );
  const sizes = new Map<string, number>();

  const cut = async (
    name: string,
    file: string,
    text: string,
    options: Parameters<typeof subsetFont>[2],
  ): Promise<void> => {
    const input = readFileSync(file);
    const key = createHash('sha256')
      .update(JSON.stringify([RECIPE, text, options]))
      .update(input)
      .digest('hex');
    const output = join(folder, `${name}.woff2`);
    const keyFile = `${output}.key`;
    const fresh =
      existsSync(output) && existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key;
    const bytes = fresh ? readFileSync(output) : await cutDown(input, text, options);
    if (!fresh) {
      writeFileSync(output, bytes);
      writeFileSync(keyFile, key);
    }
    sizes.set(name, bytes.length);
  };

  const faces: string[] = [];
  const face = (family: string, name: string, range: string, rest: string): void => {
    faces.push(
      `@font-face{font-family:"${family}";src:url("./${name}.woff2") format("woff2");${rest};unicode-range:${range}}`,
    );
  };
  const openings = await readOpenings(labs, 'en');
  const german = await readOpenings(labs, 'de');
  for (const { family, germanFamily, name, latin, greek, features, first } of TEXT_FAMILIES) {
    const now = first(openings);
    const shown = pick(ALL, (char) => now.includes(char));
    const more = pick(ALL, (char) => !now.includes(char));
    const inGerman = germanFamily
      ? pick(ALL, (char) => (now + german).includes(char))
      : pick(more, (char) => (GERMAN + german).includes(char));
    const pieces = [
      // If two faces contain a character, the browser uses the later one, so this range may overlap others.
      [family, `${name}-more`, latin, more, 'U+21-17F,U+2010-203A'],
      [germanFamily ?? family, `${name}-de`, latin, inGerman, unicodeRange(inGerman)],
      [family, name, latin, shown, unicodeRange(shown)],
      [family, `${name}-greek`, greek, GREEK, unicodeRange(GREEK)],
    ] as const;
    for (const [of, piece, file, text, range] of pieces) {
      await cut(piece, join(modules, file), text, {
        targetFormat: 'woff2',
        variationAxes: { wght: WEIGHTS },
        keepFeatures: file === latin ? [...features] : [],
        noHinting: true,
      });
      face(of, piece, range, `font-weight:${WEIGHTS.min} ${WEIGHTS.max};font-display:swap`);
    }
  }
  writeIfNew(join(folder, 'text.css'), `${faces.splice(0).join('\n')}\n`);

  const formulaPiece = async (font: string, piece: string, part: string): Promise<void> => {
    const [family = font, style = ''] = font.split('-');
    await cut(piece, join(modules, `katex/dist/fonts/${font}.woff2`), part, {
      targetFormat: 'woff2',
      keepFeatures: [],
      noHinting: true,
    });
    // A formula in a text font would have wrong widths, so it stays invisible until its font is loaded.
    const weight = style.includes('Bold') ? 'font-weight:700;' : '';
    const slope = style.includes('Italic') ? 'font-style:italic;' : '';
    face(family, piece, unicodeRange(part), `${slope}${weight}font-display:block`);
  };
  // The only formula that every lab shows before anything is touched.
  const above = scanFormulas(renderTex('\\varphi', 'φ')).characters;
  for (const [font, text] of characters) {
    const now = above.get(font) ?? '';
    const pieces = [
      [font, pick(text, (char) => now.includes(char))],
      [`${font}-more`, pick(text, (char) => !now.includes(char))],
    ] as const;
    for (const [piece, part] of pieces) if (part !== '') await formulaPiece(font, piece, part);
  }
  const sheet = readFileSync(join(modules, 'katex/dist/katex.css'), 'utf8');
  const rules = trimRules(sheet, classes);
  writeIfNew(join(folder, 'katex.css'), `${faces.splice(0).join('\n')}\n${rules}\n`);

  // The glyphs and rules that only exercises or labs' steps need are in files of their own, which are
  // loaded with them.
  const known = new Set(rules.split('\n'));
  for (const [name, formulas] of [
    ['exercises', await exercises.formulas()],
    ['labs', await labs.formulas()],
  ] as const) {
    const found = scanFormulas(Object.values(formulas).join('\n'));
    for (const [font, text] of found.characters) {
      const there = characters.get(font) ?? '';
      const part = pick(text, (char) => !there.includes(char));
      if (part !== '') await formulaPiece(font, `${font}-${name}`, part);
    }
    const more = trimRules(sheet, found.classes).split('\n');
    writeIfNew(
      join(folder, `katex-${name}.css`),
      `${[...faces.splice(0), ...more.filter((rule) => !known.has(rule))].join('\n')}\n`,
    );
  }
  return sizes;
}

function writeIfNew(file: string, content: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
}

export function fonts(sources: FontSources, repository: string): Plugin {
  const modules = join(repository, 'node_modules');
  return {
    name: 'attention-labs:fonts',
    config: () => ({ resolve: { alias: { '@fonts': fontFolder(repository) } } }),
    async buildStart() {
      await makeFonts(repository, sources);
    },
    generateBundle() {
      // The Open Font License asks that its text travels with the fonts.
      const texts = LICENSED.map(
        ([name, file]) => `${name}\n\n${licenceIn(join(modules, file))}\n`,
      );
      this.emitFile({
        type: 'asset',
        fileName: 'licenses.txt',
        source: texts.join(`\n${'-'.repeat(72)}\n\n`),
      });
    },
    async handleHotUpdate({ file }) {
      if (/(?:formulas\.ts|exercise\.ts|words\/\w+\.md)$/.test(file))
        await makeFonts(repository, sources);
    },
  };
}
