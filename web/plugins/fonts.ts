/**
 * The site's fonts, cut down to what it writes: two text faces with the letters of Western European
 * languages, and of KaTeX's fonts the glyphs the formulas use. They are written into a cache folder
 * that style sheets reach as `@fonts/…`; from there Vite treats them like any other asset.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import type { FormulaSource } from './formulas.js';
import { scanFormulas, trimRules } from './katex-fonts.js';

const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const PUNCTUATION = '\u00A0–—‘’‚“”„…•·×−±→←↑↓§©°«»¿¡';
const LETTERS = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœẞ';

/** What the interface writes outside of formulas. */
const GREEK = 'φΣ';

interface TextFace {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly features: readonly string[];
}

const TEXT_FACES: readonly TextFace[] = [
  {
    name: 'al-sans',
    file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    text: ASCII + PUNCTUATION + LETTERS,
    // Figures that change while a knob moves must not dance.
    features: ['tnum', 'kern'],
  },
  {
    name: 'al-serif',
    file: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
    text: ASCII + PUNCTUATION + LETTERS,
    features: [],
  },
  {
    name: 'al-sans-greek',
    file: '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2',
    text: GREEK,
    features: [],
  },
  {
    name: 'al-serif-greek',
    file: '@fontsource-variable/source-serif-4/files/source-serif-4-greek-wght-normal.woff2',
    text: GREEK,
    features: [],
  },
];

/** Nothing on the site is thinner or bolder. */
const WEIGHTS = { min: 400, max: 650 };
/** Counts the ways this file has cut fonts; a new one makes the cache old. */
const RECIPE = 1;

const LICENSED = [
  ['Inter', '@fontsource-variable/inter/LICENSE'],
  ['Source Serif 4', '@fontsource-variable/source-serif-4/LICENSE'],
  ['KaTeX (fonts, style sheet, markup)', 'katex/LICENSE'],
  ['Lit', 'lit/LICENSE'],
  ['idb-keyval', 'idb-keyval/LICENCE'],
] as const;

export function fontFolder(repository: string): string {
  return join(repository, 'node_modules/.cache/attention-labs/fonts');
}

/** Writes what is missing or out of date into the cache. Returns the bytes of each font. */
export async function makeFonts(
  repository: string,
  source: FormulaSource,
): Promise<ReadonlyMap<string, number>> {
  const modules = join(repository, 'node_modules');
  const folder = fontFolder(repository);
  mkdirSync(folder, { recursive: true });
  const { characters, classes } = scanFormulas(await source.markup());
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
    const bytes = fresh ? readFileSync(output) : await subsetFont(input, text, options);
    if (!fresh) {
      writeFileSync(output, bytes);
      writeFileSync(keyFile, key);
    }
    sizes.set(name, bytes.length);
  };

  for (const { name, file, text, features } of TEXT_FACES) {
    await cut(name, join(modules, file), text, {
      targetFormat: 'woff2',
      variationAxes: { wght: WEIGHTS },
      keepFeatures: [...features],
      noHinting: true,
    });
  }
  for (const [name, text] of characters) {
    await cut(name, join(modules, `katex/dist/fonts/${name}.woff2`), text, {
      targetFormat: 'woff2',
      keepFeatures: [],
      noHinting: true,
    });
  }

  const faces = [...characters.keys()].map((name) => {
    const [family, style = ''] = name.split('-');
    return [
      '@font-face{',
      `font-family:${family};`,
      `src:url('./${name}.woff2') format('woff2');`,
      `font-style:${style.includes('Italic') ? 'italic' : 'normal'};`,
      `font-weight:${style.includes('Bold') ? 700 : 400};`,
      // A formula in a text face is wrong in every width: better a moment of nothing.
      'font-display:block}',
    ].join('');
  });
  const sheet = readFileSync(join(modules, 'katex/dist/katex.css'), 'utf8');
  writeIfNew(join(folder, 'katex.css'), `${faces.join('\n')}\n${trimRules(sheet, classes)}\n`);
  return sizes;
}

function writeIfNew(file: string, content: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
}

export function fonts(source: FormulaSource, repository: string): Plugin {
  const modules = join(repository, 'node_modules');
  return {
    name: 'attention-labs:fonts',
    config: () => ({ resolve: { alias: { '@fonts': fontFolder(repository) } } }),
    async buildStart() {
      await makeFonts(repository, source);
    },
    generateBundle() {
      // The Open Font License asks that its text travels with the fonts.
      const texts = LICENSED.map(
        ([name, file]) => `${name}\n\n${readFileSync(join(modules, file), 'utf8').trim()}\n`,
      );
      this.emitFile({
        type: 'asset',
        fileName: 'licenses.txt',
        source: texts.join(`\n${'-'.repeat(72)}\n\n`),
      });
    },
    async handleHotUpdate({ file }) {
      if (file.endsWith('formulas.ts')) await makeFonts(repository, source);
    },
  };
}
