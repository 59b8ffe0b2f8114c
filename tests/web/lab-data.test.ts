import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst, transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { LabSource, stringsIn } from '../../web/plugins/labs';
import { closing } from '../../web/src/lab/page/page-words';
import { exercisesIn, questionsIn } from '../../web/src/lab/page/step-progress';
import type { Block, FigurePlace, LabWords } from '../../web/src/lab/types';
import { type LanguageId, languages } from '../../web/src/strings/language';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const ids = Object.keys(languages) as LanguageId[];

/** As the build reads them, which refuses words that do not fit the data: tests/web/lab-words.test.ts. */
const labs = await new LabSource(web).read();

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    if (block.kind === 'prediction') yield* blocksIn(block.reveal ?? []);
  }
}

/** The steps that compare what the course's texts say with what is measured. */
const HANDOUT = new Set<string | undefined>(['claims', 'handout']);

/** Every string in an object of words, with its path. */
function* texts(value: unknown, path = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) yield* texts(one, `${path}.${key}`);
  }
}

/** Levels of quantiles and intervals are settings, not results of a run. */
const GIVEN = new Set(['0.1', '0.9', '0,1', '0,9', '10 %', '25 %', '75 %', '90 %', '95 %']);
const CONSTANTS = /2\^\{−126\} ≈ 1[.,]2·10\^\{−38\}/g;

/**
 * Finds numbers that read like results: decimals, percentages, powers of ten, "12 times faster". Text between
 * quotation marks is the handout's and is left out.
 */
function resultsIn(text: string): string[] {
  const own = text
    .replace(/“[^”]*”|„[^“]*“/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(CONSTANTS, '')
    .replace(/\barXiv:\S+/gi, '')
    // A power such as 1e-5 is a tolerance.
    .replace(/\b1e-\d+/g, '');
  const found = own.matchAll(
    /\d+[.,]\d+|\d+\s?(?:%|percent|Prozent)|\d+e[-−]?\d+|\d\s?(?:×|\\times|\\cdot)\s?10\^|\b\d+\s?(?:times (?:faster|slower|as)|(?:mal|-fach) (?:schneller|langsamer|so))/g,
  );
  // 1,024 is one thousand and twenty-four.
  return [...found]
    .map(([one]) => one.replace('\u00A0', ' '))
    .filter((one) => !/^\d{1,3}(?:,\d{3})+$/.test(one) && !GIVEN.has(one));
}

describe('a number that came out of a run', () => {
  it('is recognised in prose', () => {
    for (const text of [
      'The correlation is 0.41.',
      'Die Korrelation ist 0,41.',
      'about $1.5 \\cdot 10^{-4}$',
      'an error of 1.5e-4',
      'in 30 % of the rows',
      'Linear attention is 12 times faster.',
      'ist 12 mal schneller',
    ]) {
      expect(resultsIn(text), text).not.toEqual([]);
    }
  });

  it('is neither a setting nor a quotation', () => {
    for (const text of [
      'n = 100 and d_k = 64',
      'The handout says “MSE ≈ 0.08”.',
      'Das Handout sagt „MSE ≈ 0.08“.',
      '[a paper](https://arxiv.org/abs/2006.16236)',
      'up to 16,384 tokens',
      'Drag $d$ to 3.',
      'a tolerance of 1e-5',
      'quantiles 0.1 to 0.9 over the draws',
    ]) {
      expect(resultsIn(text), text).toEqual([]);
    }
  });
});

describe('the course', () => {
  it('has labs, numbered once', () => {
    expect(labs.length).toBeGreaterThanOrEqual(3);
    const numbers = labs.map(({ lab }) => lab.number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('has labs that build only on existing earlier labs', () => {
    const numberOf = new Map(labs.map(({ lab }) => [lab.id, lab.number]));
    for (const { lab } of labs) {
      for (const id of lab.requires) expect(numberOf.get(id), id).toBeLessThan(lab.number);
      if (lab.next) expect(numberOf.get(lab.next), lab.next).toBeGreaterThan(lab.number);
    }
  });
});

for (const { lab, opening: openings, words: allWords } of labs) {
  const blocks = lab.steps.flatMap((step) => [...blocksIn(step.blocks)]);
  const places: FigurePlace[] = [
    lab.opening,
    ...blocks.flatMap((block) => (block.kind === 'figure' ? [block.figure] : [])),
  ];
  const of = <K extends Block['kind']>(kind: K) =>
    blocks.filter((block): block is Extract<Block, { kind: K }> => block.kind === kind);

  describe(`the data of ${lab.id}`, () => {
    it('has at most ten steps, each with a unique anchor', () => {
      expect(lab.steps.length).toBeGreaterThan(0);
      expect(lab.steps.length).toBeLessThanOrEqual(10);
      const anchors = [...lab.steps.map(({ id }) => id), ...closing, ...places.map(({ id }) => id)];
      expect(new Set(anchors).size, anchors.join(' ')).toBe(anchors.length);
      for (const id of anchors) expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
      for (const id of anchors) expect(id).not.toMatch(/^(?:outline|prediction|check|tries)-/);
    });

    it('loads the elements of its figures', () => {
      expect(lab.opening.load).toBeUndefined();
      for (const { id, tag, load } of places) {
        expect(tag).toMatch(/^attn-[a-z0-9-]+$/);
        if (id !== lab.opening.id) expect(load, id).toBeTypeOf('function');
      }
    });

    it('asks questions that can be answered', () => {
      for (const kind of ['prediction', 'check', 'tries', 'prose'] as const) {
        const found = of(kind).map(({ id }) => id);
        expect(new Set(found).size, `${kind}: ${found.join(' ')}`).toBe(found.length);
      }
      for (const { id, options, right } of of('check')) {
        expect(options.length, id).toBeGreaterThan(1);
        expect(right.length, id).toBeGreaterThan(0);
        expect(right.length, id).toBeLessThan(options.length);
        for (const one of right) expect(options, id).toContain(one);
        expect(new Set(options).size).toBe(options.length);
      }
      for (const { id, answer } of of('prediction')) {
        if (answer.kind === 'choice') expect(answer.options.length, id).toBeGreaterThan(1);
        else {
          expect(answer.min, id).toBeLessThan(answer.max);
          if (answer.log) expect(answer.min, id).toBeGreaterThan(0);
        }
      }
      expect([...questionsIn(blocks)].length).toBeGreaterThan(0);
    });

    it('asks the core for the answer of every prediction', () => {
      for (const { id, truth } of of('prediction')) {
        // A function without parameters has no tools to compute with.
        expect(truth.length, `truth of ${id}`).toBeGreaterThan(0);
      }
    });

    it('has tries with names of their own', () => {
      for (const { id, tries } of of('tries')) {
        expect(new Set(tries.map((one) => one.id)).size, id).toBe(tries.length);
      }
    });

    it('lists existing exercises, each once', () => {
      const there = readdirSync(join(web, 'exercises'));
      const own = exercisesIn(lab.steps.flatMap((step) => step.blocks));
      expect(new Set(own).size).toBe(own.length);
      for (const id of own) expect(there).toContain(id);
    });
  });

  const spoken = ids.filter((id) => id in lab.words);

  it(`speaks English, and a language in all its figures or in none: ${lab.id}`, () => {
    expect(spoken).toContain('en');
    // The figures take their `lang` from the lab, so their words must be in the same languages.
    const own = join(web, 'labs', lab.id);
    for (const path of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
      const code = /\.ts$/.test(path) ? readFileSync(join(own, path), 'utf8') : '';
      if (!/: EnglishFirst<|lazyWords\(/.test(code)) continue;
      const has = ids.filter((id) => new RegExp(`(?:^ {2}|[{,] )${id}: `, 'm').test(code));
      expect(has, path).toEqual(spoken);
    }
  });

  describe.each(spoken)(`the words of ${lab.id} in %s`, (language) => {
    const opening = openings[language];
    const words = allWords[language] as LabWords;

    it('name at least two things that one can do afterwards', () => {
      expect(opening?.teaches.length).toBeGreaterThan(1);
    });

    it.runIf(lab.steps.some(({ id }) => HANDOUT.has(id)))(
      'speak of the course’s texts in the last step only, which checks their claims',
      () => {
        const last = lab.steps.at(-1);
        expect(HANDOUT).toContain(last?.id);
        const there = new Set([`steps.${last?.id}`]);
        for (const block of blocksIn(last?.blocks ?? [])) {
          if (block.kind === 'prose') there.add(`prose.${block.id}`);
          else if (block.kind === 'tries') there.add(`tries.${block.id}`);
          else if (block.kind === 'prediction') there.add(`predictions.${block.id}`);
          else if (block.kind === 'check') there.add(`checks.${block.id}`);
        }
        const elsewhere = [...texts(words)].filter(
          ([path, text]) =>
            /handout|course(?:’s)? text|tutorial|kurstext/i.test(text) &&
            !there.has(path.split('.').slice(1, 3).join('.')),
        );
        expect(elsewhere.map(([path, text]) => `${path}: ${text}`)).toEqual([]);
      },
    );

    it('hold no results, because results come from the core', () => {
      const found = [...texts(words), ...texts(opening)].flatMap(([path, text]) =>
        resultsIn(text).map((one) => `${path}: ${one} in “${text}”`),
      );
      expect(found).toEqual([]);
    });
  });

  it.runIf(spoken.length > 1)(`is said in two languages, not in one twice: ${lab.id}`, () => {
    const [en, de] = ids.map((id) => new Map(texts(allWords[id])));
    const same = [...(en ?? [])].filter(
      ([path, text]) => de?.get(path) === text && /\p{L}{3,} \p{L}{3,}/u.test(text),
    );
    const inEnglish = allWords.de?.inEnglish ?? [];
    // Only formulas, quotations and what is still in English are the same in both languages.
    const wrong = same.filter(
      ([path, text]) =>
        !/^[$“`]/.test(text) && !inEnglish.some((part) => `${path}.`.startsWith(`.${part}.`)),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
}

describe('the files of words', () => {
  it('hold TeX that KaTeX accepts', async () => {
    const rendered = await new LabSource(web).formulas();
    expect(Object.keys(rendered).length).toBeGreaterThan(20);
    for (const markup of Object.values(rendered)) expect(markup).toContain('<math');
  });

  it('hold no results in the words of figures either', async () => {
    const found: string[] = [];
    for (const folder of ['labs', 'src/figures']) {
      for (const path of readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' })) {
        if (!/[\\/]words[\\/].+\.ts$/.test(path)) continue;
        const file = join(web, folder, path);
        const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file);
        for (const text of stringsIn(parseAst(code))) {
          for (const one of resultsIn(text)) found.push(`${path}: ${one} in “${text}”`);
        }
      }
    }
    expect(found).toEqual([]);
  });
});
