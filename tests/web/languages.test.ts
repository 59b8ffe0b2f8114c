import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import type { CoreError } from '#client';
import type { Wording } from '#client/phrases';
import { inEach } from '../../web/plugins/in-each-language';
import { explain } from '../../web/src/exercises/python/messages';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';
import { boolean, defineState, integer, number, oneOf, text } from '../../web/src/state/url';
import { words as germanExercises } from '../../web/src/strings/de/exercises';
import { featureMaps } from '../../web/src/strings/de/feature-maps';
import { words as germanPage } from '../../web/src/strings/de/interface';
import { words as germanLater } from '../../web/src/strings/de/later';
import { templates } from '../../web/src/strings/de/phrases';
import { runErrors } from '../../web/src/strings/de/run-errors';
import { words as germanSpeed } from '../../web/src/strings/de/speed';
import { words as englishExercises } from '../../web/src/strings/en/exercises';
import { words as en } from '../../web/src/strings/en/interface';
import { words as later } from '../../web/src/strings/en/later';
import { words as englishSpeed } from '../../web/src/strings/en/speed';
import { type EnglishFirst, langOf, languages, orEnglish } from '../../web/src/strings/language';
import { lazyWords } from '../../web/src/strings/lazy-words';
import { worded } from '../../web/src/strings/problem';
import { createTestClient } from '../wasm/in_process';
import { npyFile } from './npy-file';
import { zipFile } from './zip-file';

const web = new URL('../../web/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, web), 'utf8');

const pairs = {
  page: [en, germanPage],
  later: [later, germanLater],
  exercises: [englishExercises, germanExercises],
  speed: [englishSpeed, germanSpeed],
} as const;

/** All texts in an object of words, by path; for a function its source, because sentences stand in it. */
function texts(words: unknown, path = ''): [string, string][] {
  if (typeof words === 'string') return [[path, words]];
  if (typeof words === 'function') return [[`${path}()`, String(words)]];
  return Object.entries(words as object).flatMap(([key, value]) => texts(value, `${path}.${key}`));
}

/** Checks that the German of a phrase differs from the English, unless there is nothing to translate in it. */
function expectGerman(said: Wording | undefined): void {
  // A WebAssembly module older than the sources refuses without phrases.
  expect(said, 'what is said has the id of a phrase').toHaveProperty('id');
  const german = worded(said as Wording, templates);
  expect(german, said?.text).toMatch(/\S/);
  expect(german, said?.text).not.toMatch(/\{\w+\}|undefined/);
  if (/[a-z]{2} [a-z]{2}/.test(`${said?.text}`)) expect(german).not.toBe(said?.text);
}

const paths = (words: unknown): string[] =>
  texts(words)
    .map(([path]) => path)
    .sort();

describe('the interface’s words', () => {
  test.each(Object.entries(pairs))('%s: every text in both languages', (_, [english, german]) => {
    expect(paths(german)).toEqual(paths(english));
    for (const [path, text] of texts(german)) expect(text.trim(), path).not.toBe('');
  });

  test.each(Object.entries(pairs))('%s: nothing is left in English', (_, [english, german]) => {
    const theirs = new Map(texts(english));
    const same = texts(german).filter(
      ([path, text]) =>
        theirs.get(path) === text &&
        /[a-z]{3,} [a-z]{2,}/i.test(text.replace('Attention Labs', '').replace(/^.*?=>/, '')),
    );
    expect(same.map(([path]) => path)).toEqual([]);
  });

  test('German is informal, has its own quotes and no dashes between clauses', () => {
    const german = [
      ...Object.values(pairs).flatMap(([, words]) => texts(words)),
      ...texts(featureMaps),
    ];
    for (const [path, text] of german) {
      expect(text, path).not.toMatch(
        /\b(?:Ihnen|Sie (?:haben|können|sehen)|(?:haben|können) Sie)\b/,
      );
      expect(text, path).not.toContain('—');
      // In a function's source, straight quotes are code.
      if (!path.endsWith('()')) expect(text, path).not.toMatch(/"/);
      const [opened, closed] = [/„/g, /“/g].map((quote) => text.match(quote)?.length ?? 0);
      expect(closed, path).toBe(opened);
    }
  });
});

describe('the core’s registry', () => {
  // A new map is shown in English until it has been translated.
  test('a feature map’s German is complete, and nothing else has German words', async () => {
    const client = createTestClient();
    const maps = await client.featureMaps();
    const ids = maps.map(({ id }) => id);
    for (const id of Object.keys(featureMaps)) expect(ids).toContain(id);
    for (const { id, kernel, note, parameters } of maps) {
      const words = featureMaps[id];
      if (!words) continue;
      expect(Object.keys(words?.parameters ?? {}).sort(), id).toEqual(
        parameters.map(({ name }) => name).sort(),
      );
      for (const said of [words?.label, words?.kernel, words?.note, words?.where]) {
        expect(said, id).toMatch(/\S/);
      }
      expect(words?.kernel, id).not.toBe(kernel);
      expect(words?.note, id).not.toBe(note);
      for (const { label, description } of Object.values(words?.parameters ?? {})) {
        expect(label && description, id).toMatch(/\S/);
      }
    }
    client.dispose();
  });

  test('what it refuses is said in German', async () => {
    const client = createTestClient();
    const x = (rows: number, cols: number) => ({
      ...{ rows, cols },
      data: new Float32Array(rows * cols),
    });
    const featureMap = { id: 'elu_plus_one' };
    const full = (entry: number) => ({ ...x(2, 2), data: new Float32Array(4).fill(entry) });
    const small = { q: x(2, 2), k: x(2, 2), v: x(2, 2) };
    const asked: (() => Promise<unknown>)[] = [
      () => client.associativityTrace({ ...small, order: 'standard', step: 999 }),
      () =>
        client.associativityTrace({
          q: x(40, 2),
          k: x(40, 2),
          v: x(40, 2),
          order: 'linear',
          step: 0,
        }),
      () => client.recurrentTrace({ q: x(90, 2), k: x(90, 2), v: x(90, 2), featureMap }),
      () => client.recurrentTrace({ ...small, featureMap, epsilon: -1 }),
      () => client.orderCosts({ n: 0, dK: 2, dV: 2 }),
      () => client.gaussianQkv({ n: 0, dK: 4, dV: 4, seed: 1 }),
      () => client.gaussianQkv({ n: 4, dK: -1, dV: 4, seed: 1 }),
      () => client.gaussianQkv({ n: 1.5, dK: 4, dV: 4, seed: 1 }),
      () => client.compareToSoftmax({ q: x(3, 4), k: x(3, 5), v: x(3, 2), featureMap }),
      () => client.compareToSoftmax({ q: x(3, 4), k: x(3, 4), v: x(2, 2), featureMap }),
      () =>
        client.compareToSoftmax({ q: x(3, 4), k: x(3, 4), v: x(3, 2), featureMap: { id: 'no' } }),
      () =>
        client.compareToSoftmax({
          ...{ q: x(3, 4), k: x(3, 4), v: x(3, 2) },
          featureMap: { id: 'elu_plus_one', parameters: { temperature: 900 } },
        }),
      () =>
        client.compareToSoftmax({
          ...{ q: x(3, 4), k: x(3, 4), v: x(3, 2) },
          featureMap: { id: 'softmax_kernel', parameters: { features: 0 } },
        }),
      () =>
        client.compareToSoftmax({
          ...{ q: x(3, 4), k: x(3, 4), v: x(3, 2), featureMap },
          scale: Number.NaN,
        }),
      () => client.compareToSoftmax({ q: full(3e38), k: full(3e38), v: full(1), featureMap }),
      () => client.compareToSoftmax({ q: full(Number.NaN), k: full(1), v: full(1), featureMap }),
    ];
    let refused = 0;
    for (const ask of asked) {
      const error = (await ask().then(
        () => undefined,
        (reason: unknown) => reason,
      )) as CoreError | undefined;
      if (error) refused++;
      if (!error) continue;
      expectGerman(error.seen);
      expectGerman(error.wanted);
    }
    expect(refused).toBe(asked.length);
    client.dispose();
  });
});

describe('errors of links, files and storage', () => {
  test('every problem of a link has German words', () => {
    const state = defineState(
      {
        n: integer({ key: 'n', min: 2, max: 9, default: 3 }),
        x: number({ key: 'x', min: 0, max: 1, default: 0 }),
        low: number({ key: 'low', min: 1, default: 1 }),
        high: number({ key: 'high', max: 1, default: 1 }),
        any: number({ key: 'any', default: 1 }),
        one: oneOf({ key: 'one', values: ['a', 'b'], default: 'a' }),
        on: boolean({ key: 'on', default: true }),
        text: text({ key: 'text', maxLength: 2, default: '' }),
      },
      { parts: ['export'] },
    );
    const { problems } = state.parse(
      '?n=99&x=7&low=0&high=3&any=a&one=c&on=2&text=long&v=9&hide=nothing&n=3',
    );
    expect(problems.length).toBe(11);
    for (const { seen, wanted } of problems) {
      expectGerman(seen);
      expectGerman(wanted);
    }
  });

  const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
  const broken: Readonly<Record<string, Uint8Array>> = {
    empty: bytes(''),
    zip: bytes('PK\x03\x04....'),
    json: bytes('{"a": 1}'),
    list: bytes('[[1, 2], [3, 4]]'),
    word: bytes('1,2\n3,word\n'),
    ragged: bytes('1,2\n3,4,5\n'),
    hole: bytes('1,2\n3,\n'),
    huge: bytes('1,2\n3,1e99\n'),
    infinite: bytes('1,2\n3,inf\n'),
    quote: bytes('1,"2\n3,4\n'),
    binary: bytes('1,2\0\n'),
    'fake.npy': bytes('1,2\n'),
    scalar: npyFile({ shape: '()' }),
    objects: npyFile({ descr: '|O', data: new Uint8Array(48) }),
    float8: npyFile({ descr: '|V1', data: new Uint8Array(6) }),
    dates: npyFile({ descr: '<M8[s]', data: new Uint8Array(48) }),
    texts: npyFile({ descr: '<U2', data: new Uint8Array(48) }),
    fields: npyFile({
      header: "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }",
    }),
    'objects.npz': zipFile([
      { name: 'a.npy', data: npyFile({ descr: '|O', data: new Uint8Array(48) }) },
    ]),
    'none.npz': zipFile([{ name: 'a.txt', data: new Uint8Array(1) }]),
    'empty.npz': zipFile([]),
    'locked.npz': zipFile([{ name: 'a.npy', data: npyFile({}), flags: 1 }]),
    'packed.npz': zipFile([{ name: 'a.npy', data: npyFile({}), method: 14 }]),
    'x.pt': zipFile([{ name: 'x/data.pkl', data: new Uint8Array(1) }]),
    'x.xlsx': zipFile([
      { name: '[Content_Types].xml', data: new Uint8Array(1) },
      { name: 'xl/a.xml', data: new Uint8Array(1) },
    ]),
    complex: npyFile({ descr: '<c8', data: new Uint8Array(48) }),
    none: npyFile({ shape: '(0, 3)', data: new Uint8Array(0) }),
    short: npyFile({ data: new Uint8Array(8) }),
  };
  test.each(Object.entries(broken))('a broken file: %s', async (name, content) => {
    const error = (await parseMatrixFile({ name, bytes: content }).then(
      () => undefined,
      (reason: unknown) => reason,
    )) as ImportError;
    expect(error).toBeInstanceOf(ImportError);
    expectGerman(error.seen);
    expectGerman(error.wanted);
  });
});

describe('pages', () => {
  const folders = readdirSync(new URL('../../web/pages', import.meta.url));
  const pages = ['index.html', ...folders.map((name) => `pages/${name}/index.html`)];
  test.each(pages)('%s says everything in every language', (page) => {
    const html = read(page);
    const count = (id: string): number => html.split(`data-lang="${id}"`).length;
    for (const id of Object.keys(languages)) expect(count(id), id).toBe(count('en'));
    expect(html).toContain('<attn-language-switch>');
    expect(html.indexOf('theme.js')).toBeLessThan(html.indexOf('<body'));
    // Every word in the body is in markup that names its language, or belongs to the name of the site.
    const [, body = ''] = /<body[^>]*>([\s\S]*)<\/body>/.exec(html) ?? [];
    const spoken = body
      .replace(/<noscript>[\s\S]*?<\/noscript>|<!--[\s\S]*?-->/g, '')
      .replace(/<(\w+)[^>]* data-lang="[^"]*"[^>]*>[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/Attention Labs/g, '')
      .replace(/[\s·]/g, '');
    expect(spoken).toBe('');
  });
});

test('a number has a comma before its decimals in German', async () => {
  const { formatNumber: english } = await import('../../web/src/plot/format');
  vi.stubGlobal('__LANGUAGE__', 'de');
  vi.resetModules();
  const { formatDifference, formatNumber, formatShort, formatTick } = await import(
    '../../web/src/plot/format'
  );
  vi.unstubAllGlobals();
  expect(english(0.25)).toBe('0.250');
  expect(formatNumber(0.25)).toBe('0,250');
  expect(formatNumber(-1.5e6)).toBe('−1,50×10⁶');
  expect(formatNumber(12345)).toBe('12345');
  expect(formatShort(0.25)).toBe('0,25');
  expect(formatDifference(0.5, 0.25)).toEqual({
    from: '0,500',
    less: '0,250',
    difference: '0,250',
  });
  expect([formatTick(0.5), formatTick(2), formatTick(1e6)]).toEqual(['0,5', '2', '1×10⁶']);
});

describe('an old link', () => {
  /** Runs theme.js as the head of an English page does before the first paint. Returns where it leads. */
  function follow(search: string): string | undefined {
    let to: string | undefined;
    const pages = Object.keys(languages).map((id) => ({
      hreflang: id,
      href: `https://labs.example/${id === 'en' ? '' : `${id}/`}labs/x/index.html`,
    }));
    const context = {
      ...{ URL, addEventListener: () => undefined },
      document: { documentElement: { lang: 'en', dataset: {} }, querySelectorAll: () => pages },
      location: {
        href: `https://labs.example/labs/x/index.html${search}`,
        replace: (address: string) => {
          to = address;
        },
      },
      // Storage is denied here, which must not keep a link from leading anywhere.
      get localStorage(): never {
        throw new Error('SecurityError');
      },
      self: { origin: 'https://labs.example' },
    };
    runInContext(read('public/theme.js'), createContext(context));
    return to;
  }

  test('with a language leads to the page in that language, with its settings and its place', () => {
    expect(follow('?v=1&n=24&lang=de&map=relu#curve')).toBe(
      'https://labs.example/de/labs/x/index.html?v=1&n=24&map=relu#curve',
    );
    expect(follow('?lang=DE-at')).toBe('https://labs.example/de/labs/x/index.html');
  });

  test('without one, or with the page’s own or none that the site has, stays', () => {
    for (const search of ['', '?n=24', '?lang=en', '?lang=javascript', '?lang=', '?lang=__proto__'])
      expect(follow(search), search).toBeUndefined();
  });
});

describe('errors of a student’s Python', () => {
  const raised: readonly (readonly [type: string, message: string, german: RegExp])[] = [
    ['NameError', "name 'softmx' isn't defined", /^Der Name `softmx` ist hier nicht bekannt/],
    ['NameError', 'local variable referenced before assignment', /bevor er einen Wert/],
    ['ImportError', "no module named 'matplotlib.animation'", /^Von matplotlib gibt es hier nur/],
    ['ImportError', "no module named 'requests'", /Modul `requests`.*torch \(einen kleinen Teil\)/],
    ['ImportError', "can't import name foo", /nichts mit dem Namen `foo`/],
    [
      'TypeError',
      "unsupported types for __add__: 'NoneType', 'int'",
      /Eine Seite von `\+` ist None/,
    ],
    ['TypeError', "unsupported types for __lt__: 'list', 'ndarray'", /Array hier auf der linken/],
    ['TypeError', "unsupported types for __mul__: 'list', 'ndarray'", /Liste und ein Array/],
    [
      'TypeError',
      "unsupported types for __add__: 'str', 'int'",
      /links Text, rechts eine ganze Zahl/,
    ],
    ['TypeError', "unsupported type for __getitem__: 'int'", /Das ist eine ganze Zahl\./],
    ['TypeError', "unsupported type for __neg__: 'Foo'", /ein Wert der Klasse `Foo`/],
    ['TypeError', "'ndarray' object isn't callable", /davor steht ein Array/],
    ['TypeError', "'int' object isn't iterable", /das hier ist eine ganze Zahl/],
    ['TypeError', "'NoneType' object isn't subscriptable", /Das ist None\. Eine Funktion ohne/],
    [
      'TypeError',
      'f() takes 2 positional arguments but 3 were given',
      /^`f` nimmt 2 Argumente und hat 3/,
    ],
    ['TypeError', 'function missing 2 required positional arguments', /fehlen 2 Argumente/],
    ['TypeError', 'function missing required positional argument #2', /fehlt Argument 2/],
    ['TypeError', "function missing required keyword argument 'axis'", /fehlt `axis=`/],
    ['TypeError', "unexpected keyword argument 'axs'", /keinen Parameter `axs`/],
    ['TypeError', "can't convert float to int", /^Hier wird eine ganze Zahl gebraucht/],
    ['TypeError', "can't convert ndarray to float", /nimmt eine Zahl und hat ein Array/],
    ['TypeError', "can't convert list to int", /^Eine Liste ist keine ganze Zahl/],
    ['ValueError', 'too many values to unpack (expected 2)', /mehr Werte als die 2 Namen/],
    ['ValueError', 'need more than 1 values to unpack', /nur ein Wert/],
    ['AttributeError', "'NoneType' object has no attribute 'T'", /kein `\.T`/],
    ['AttributeError', "'list' object has no attribute 'shape'", /^Eine Liste hat kein/],
    ['AttributeError', "'ndarray' object has no attribute 'foo'", /^Ein Array hat kein `\.foo`/],
    ['ZeroDivisionError', 'divide by zero', /^Division durch null/],
    ['IndexError', 'list index out of range', /die Liste ist kürzer/],
    ['KeyError', 'x', /keinen Eintrag `x`/],
    ['RuntimeError', 'maximum recursion depth exceeded', /Was sollte sie anhalten/],
    ['MemoryError', 'memory allocation failed', /mehr Speicher verlangt/],
    ['IndentationError', 'unindent does not match', /wie keine der Zeilen/],
    ['IndentationError', 'unexpected indent', /versehentlich/],
    ['SyntaxError', "'return' outside function", /außerhalb einer Funktion/],
    ['SyntaxError', "'break' outside loop", /`break` steht außerhalb/],
    ['SyntaxError', "can't assign to expression", /nichts zuweisen/],
    ['SyntaxError', 'invalid syntax', /versteht diese Zeile nicht/],
  ];

  test.each(raised)('%s: %s', (type, message, german) => {
    const { said } = explain({ type, types: [type], message });
    expect(worded(said as Wording, runErrors)).toMatch(german);
  });

  const ours: readonly (readonly [explained: string, message: string, german: RegExp])[] = [
    [
      'broadcast_shapes\x1f(2,3) (4,)',
      'operands could not be broadcast together with shapes (2,3) (4,) ',
      /\(2,3\) \(4,\)\. Von der letzten/,
    ],
    ['array_truth', 'The truth value of an array …', /weder True noch/],
    [
      'matmul_sizes\x1f4\x1f3',
      'matmul: Input operand 1 has a mismatch',
      /links so viele Spalten wie rechts Zeilen: 4 und 3.*mismatch/,
    ],
    [
      'matmul_sizes\x1f4\x1f3\x1f3',
      'matmul: Input operand 1 has a mismatch',
      /4 und 3\. Bei einem Stapel .*`\.swapaxes\(-1, -2\)`.*mismatch/,
    ],
    [
      'repeat_times',
      "Cannot cast array data from dtype('float64')",
      /^Cannot cast .*: `np\.repeat` nimmt ganze Zahlen/,
    ],
    [
      'array_memory\x1fan array of shape (9,)',
      'an array of shape (9,)',
      /So viel Speicher .*\(9,\)/,
    ],
  ];

  test.each(ours)('our NumPy: %j', (explained, message, german) => {
    const { said } = explain({ type: 'ValueError', types: ['ValueError'], message, explained });
    expect(worded(said as Wording, runErrors)).toMatch(german);
  });

  test('errors that a student raises are left as they are', () => {
    const error = explain({
      ...{ type: 'ValueError', types: ['ValueError'] },
      message: 'my own words about a matrix',
    });
    expect(error).toEqual({ type: 'ValueError', message: 'my own words about a matrix' });
  });
});

describe('words of parts that load later', () => {
  test('load before the part, once and in one language', async () => {
    const order: string[] = [];
    const load = (id: string) => async () => {
      order.push(id);
      return { words: { title: id } };
    };
    const words = lazyWords({ en: load('en'), de: load('de') });
    expect(() => words.now).toThrow('not loaded');
    const part = () => words.with(async () => order.push(`part ${words.now.title}`));
    await Promise.all([part(), part()]);
    expect(order).toEqual(['en', 'part en', 'part en']);
  });

  test('are English, and marked as English, on a page whose language has none yet', async () => {
    const english = { en: 'here' };
    const both = { en: 'here', de: 'hier' };
    expect([orEnglish(english, 'de'), langOf(english, 'de')]).toEqual(['here', 'en']);
    expect([orEnglish(both, 'de'), langOf(both, 'de')]).toEqual(['hier', undefined]);
    expect([orEnglish(english, 'en'), langOf(english, 'en')]).toEqual(['here', undefined]);
    expect(inEach((id) => (english as EnglishFirst<string>)[id])).toBe(
      '<span lang="en">here</span>',
    );
    expect(inEach((id) => both[id])).toBe(
      '<span data-lang="en" lang="en">here</span><span data-lang="de" lang="de">hier</span>',
    );
    // A word that is the same in both languages needs no marks.
    expect(inEach(() => 'Attention')).toBe('Attention');
  });

  test('are requested again after the network failed', async () => {
    let fails = true;
    const words = lazyWords({
      en: async () => {
        if (fails) throw new Error('offline');
        return { words: 'here' };
      },
      de: async () => ({ words: 'hier' }),
    });
    await expect(words.with(async () => 1)).rejects.toThrow('offline');
    fails = false;
    await expect(words.with(async () => words.now)).resolves.toBe('here');
  });
});

test('no module has a top-level await, because WebKit loses such modules when two imports reach them', () => {
  const files = readdirSync(fileURLToPath(web), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^(?:src|labs|pages)\/.*\.ts$/.test(name) && !/worker\.ts$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    expect(/^(?:export )?(?:const|let) [^=\n]*= await |^await /m.test(read(file)), file).toBe(
      false,
    );
  }
});
