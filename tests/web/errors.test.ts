/** Tests every phrase of every catalogue, of C++ and of TypeScript, in every language. */
import { describe, expect, test } from 'vitest';
import { clientPhrases, filled, type PhraseValue, phrasesOf, type Wording } from '#client/phrases';
import { corePhrases } from '../../build/wasm/phrases';
import { CoreError, refused } from '../../wasm/client/errors';
import { exercisePhrases } from '../../web/src/exercises/phrases';
import { runPhrases } from '../../web/src/exercises/run-phrases';
import { importPhrases } from '../../web/src/import/phrases';
import { statePhrases } from '../../web/src/state/phrases';
import { featureMaps } from '../../web/src/strings/de/feature-maps';
import { templates } from '../../web/src/strings/de/phrases';
import { refused as germanRefused } from '../../web/src/strings/de/refused';
import { runErrors } from '../../web/src/strings/de/run-errors';
import {
  inWords,
  problemText,
  type Template,
  type Templates,
  worded,
} from '../../web/src/strings/problem';
import { langOfMap } from '../../web/src/strings/registry';

const german: Templates = { ...templates, ...runErrors };

const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: corePhrases,
  client: clientPhrases,
  import: importPhrases,
  state: statePhrases,
  exercise: exercisePhrases,
  run: runPhrases,
};

const SLOT = /\{\^?(\w+)(?:[:|][^}]*)?\}/g;
const slots = (template: string): string[] => [
  ...new Set([...template.matchAll(SLOT)].map(([, name = '']) => name)),
];

/** A parameter of each kind; the values differ, so that the sentence shows which one was used. */
const inner = { id: 'core.none', params: {}, text: 'none' };
const samples = (names: readonly string[]): Record<string, PhraseValue>[] =>
  [1, 7, 'Wort', ['a', 'b', 'c'], inner].map((value) =>
    Object.fromEntries(names.map((name) => [name, value])),
  );

type Say = (id: string, params?: Record<string, PhraseValue>) => Wording;

const all = Object.entries(catalogues).flatMap(([name, catalogue]) =>
  Object.entries(catalogue).map(([id, english]) => ({ name, id, english })),
);

describe('every phrase', () => {
  test('is in German: every id, and no other', () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(catalogues).sort());
    for (const [name, catalogue] of Object.entries(catalogues)) {
      expect(Object.keys(german[name] ?? {}).sort()).toEqual(Object.keys(catalogue).sort());
    }
    expect(all.length).toBeGreaterThan(400);
  });

  test.each(all)('$name: $id', ({ name, id, english }) => {
    const names = slots(english);
    const template = german[name]?.[id] as Template;
    if (typeof template === 'string') {
      // German uses every parameter of the English template, and no parameter that is never passed.
      expect(slots(template).sort()).toEqual([...names].sort());
      if (/[a-z]{3} [a-z]{2}/.test(english)) expect(template).not.toBe(english);
    }
    // Templates written as functions take names and numbers only.
    const given =
      typeof template === 'function'
        ? samples(names).filter((params) =>
            Object.values(params).every((x) => typeof x !== 'object'),
          )
        : samples(names);
    for (const params of given) {
      const say = phrasesOf(name, catalogues[name] ?? {}) as Say;
      const said = names.length > 0 ? say(id, params) : say(id);
      for (const text of [said.text, worded(said, german)]) {
        expect(text).toMatch(/\S/);
        expect(text).not.toMatch(/\{\^?\w+[}:|]|undefined|\[object/);
      }
      for (const value of Object.values(params)) {
        const plain = typeof value === 'number' ? String(value) : value;
        if (typeof plain === 'string' && !/\{n:/.test(english))
          expect(worded(said, german)).toContain(plain);
      }
    }
  });
});

describe('a template', () => {
  test('takes numbers, names, lists and phrases', () => {
    expect(filled('{x}, {y}, {z}', { x: 0.1 + 0.2, y: Number.NaN, z: -Infinity })).toBe(
      '0.3, NaN, -∞',
    );
    expect(filled('{n} {n:token|tokens}', { n: 1 })).toBe('1 token');
    expect(filled('{n} {n:token|tokens}', { n: 0 })).toBe('0 tokens');
    expect(filled('{l}; {l|or}', { l: ['a', 'b', 'c'] })).toBe('a, b, c; a, b or c');
    expect(filled('{^w}', { w: 'ärger' })).toBe('Ärger');
    expect(filled('{rows, cols} {GREEK LETTER} {x}', { x: '{y}', y: 1 })).toBe(
      '{rows, cols} {GREEK LETTER} {y}',
    );
  });

  test('with a phrase inside a phrase is German throughout', () => {
    const said = {
      id: 'shape_because',
      params: { rows: 5, columns: 3, reason: { ...inner, id: 'columns_as_q' } },
      text: '5×3 (as many columns as Q: d_k)',
    };
    expect(worded(said, german)).toBe('5×3 (so viele Spalten wie Q: d_k)');
    expect(inWords(said)).toBe(said.text);
  });

  test('that a language lacks is used in English', async () => {
    const said = { id: 'core.purple_cow', params: {}, text: 'a purple cow' };
    expect(worded(said, german)).toBe('a purple cow');
    expect(await problemText(new Error('as it is'))).toBe('as it is');
  });

  test.each([
    ['feature_map', 'feature map is "x"; wanted: y'],
    ['random_blocks', 'random blocks is "x"; wanted: y'],
    ['d_k', 'd_k is "x"; wanted: y'],
    ['dropout.keep', 'dropout.keep is "x"; wanted: y'],
  ])('names the argument %s in words', async (argument, expected) => {
    const error = Object.assign(new Error(`${argument} is "x"; wanted: y`), { argument });
    expect(await problemText(error)).toBe(expected);
  });

  test('tells a visitor what to do about a setting, and not about an argument', async () => {
    const wording = (id: string, params: Wording['params'], text: string): Wording => ({
      ...{ id, params, text },
    });
    const seen = wording('tokens_seen', { n: 32768 }, '32768 tokens');
    const wanted = wording('fits_in', { n: 2048 }, 'no more than fit in 2048 MiB of memory');
    expect(await problemText(refused('capacity', 'n', seen, wanted))).toBe(
      '32768 tokens take more memory than the 2048 MiB that this page may use. Choose fewer tokens.',
    );
    expect(germanRefused.fits_in('n', '32768 Token', { n: 2048 })).toBe(
      '32768 Token brauchen mehr Speicher als die 2048 MiB, die diese Seite haben darf. Nimm weniger Token.',
    );
    const zero = wording('number', { x: 0 }, '0');
    const range = wording(
      'whole_number_from_to',
      { least: 1, most: 64 },
      'a whole number from 1 to 64',
    );
    expect(await problemText(refused('value', 'chunk_size', zero, range))).toBe(
      'chunk size is a whole number from 1 to 64, and not 0.',
    );
    const memory = wording(
      'not_enough_memory',
      {},
      'not enough memory for this size; try fewer rows',
    );
    expect(await problemText(new CoreError('trap', memory))).toContain('Choose fewer tokens');
    // What only a matrix can have wrong keeps the core's words.
    const shape = wording('columns_as_q', {}, 'as many columns as Q: d_k');
    expect(await problemText(refused('shape', 'k', zero, shape))).toBe(
      'k is 0; wanted: as many columns as Q: d_k',
    );
  });

  test.each([
    'Failed to fetch dynamically imported module: https://a.example/assets/exercise-1a2b.js',
    'error loading dynamically imported module: https://a.example/assets/exercise-1a2b.js',
    'Importing a module script failed.',
  ])('names no file of the page that did not arrive: %s', async (message) => {
    expect(await problemText(new TypeError(message))).toBe(
      'a part of this page did not arrive. Is there a connection? Try again',
    );
  });

  test('says which words about a feature map are not in the page’s language', () => {
    expect(langOfMap('relu', featureMaps)).toBeUndefined();
    expect(langOfMap('a_new_map', featureMaps)).toBe('en');
    expect(langOfMap('a_new_map', undefined)).toBeUndefined();
  });
});
