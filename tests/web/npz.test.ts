import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';
import { arrayReading, memberFor, readingOfArray } from '../../web/src/import/reading';
import { float32, npyFile, raw } from './npy-file';
import { type Member, zipFile } from './zip-file';

const parse = (bytes: Uint8Array, options: { reading?: string; letter?: string } = {}) =>
  parseMatrixFile({ name: 'qkv.npz', bytes }, options);

async function refusal(bytes: Uint8Array, options = {}): Promise<ImportError> {
  const error = await parse(bytes, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ImportError);
  return error as ImportError;
}

const deflated = (data: Uint8Array): Uint8Array => new Uint8Array(deflateRawSync(data));
const counting = (length: number, from = 0): number[] => Array.from({ length }, (_, i) => from + i);
const array = (from: number, shape = '(2, 3)', length = 6): Uint8Array =>
  npyFile({ shape, data: float32(counting(length, from)) });
const texts = (words: readonly string[], width = 4): Uint8Array =>
  npyFile({
    descr: `<U${width}`,
    shape: `(${words.length},)`,
    data: raw(
      words.flatMap((word) => counting(width).map((i) => [...word][i]?.codePointAt(0) ?? 0)),
      4,
      (view, at, x) => view.setUint32(at, x, true),
    ),
  });
const three: readonly Member[] = [
  { name: 'Q.npy', data: array(1) },
  { name: 'K.npy', data: array(10) },
  { name: 'V.npy', data: array(20) },
];

describe('a .npz file', () => {
  it.each<[string, Partial<Member>, Parameters<typeof zipFile>[1]]>([
    ['stored', {}, {}],
    ['deflated', { deflated }, {}],
    ['with sizes of 64 bits beside those of 32', { wide: 'beside' }, {}],
    ['with sizes of 64 bits in the headers of members', { wide: 'instead', deflated }, {}],
    ['with sizes of 64 bits everywhere', { wide: 'everywhere', deflated }, { wide: true }],
    ['with a directory of 64 bits', {}, { wide: true }],
    ['with a comment that holds the mark of an end', {}, { comment: 'PK\x05\x06 and so on' }],
  ])('%s is read', async (_, form, options) => {
    const bytes = zipFile(
      three.map((member) => ({ ...member, ...form })),
      options,
    );
    for (const [letter, from] of [
      ['Q', 1],
      ['K', 10],
      ['V', 20],
    ] as const) {
      const read = await parse(bytes, { letter });
      expect([...read.data]).toEqual(counting(6, from));
      expect(read.notes[0]?.text).toBe(`The array '${letter}' was read.`);
      expect(read.reading).toBe(`${letter}@`);
      expect(read.choices).toEqual([{ kind: 'member', members: ['Q', 'K', 'V'], member: letter }]);
    }
    // What a link names comes before the letter.
    expect([...(await parse(bytes, { letter: 'Q', reading: 'V@' })).data]).toEqual(counting(6, 20));
  });

  it('finds the matrix of a letter by other names, or takes the first matrix', async () => {
    const bytes = zipFile([
      { name: 'mask.npy', data: array(0, '(6,)') },
      { name: 'attn/query.npy', data: array(1) },
      { name: 'attn/k_proj.npy', data: array(10) },
      { name: 'attn.key.npy', data: array(20) },
    ]);
    const first = async (letter: string) => (await parse(bytes, { letter })).data[0];
    expect([await first('Q'), await first('K'), await first('V'), await first('')]).toEqual([
      1, 20, 1, 1,
    ]);
    expect(
      ['q', 'k', 'v'].map((letter) => memberFor(['q_proj', 'a/k', 'mask', 'values'], letter)),
    ).toEqual(['q_proj', 'a/k', 'values']);
    expect(memberFor(['query_mask/x', 'keys2'], 'q')).toBeUndefined();
  });

  it('of more axes shows each layer and head, and leaves axes of length 1 out', async () => {
    const deep = npyFile({ shape: '(2, 1, 3, 2, 2)', data: float32(counting(24)) });
    const bytes = zipFile([{ name: 'Q.npy', data: deep }]);
    const read = await parse(bytes);
    expect([...read.data]).toEqual([0, 1, 2, 3]);
    expect(read.reading).toBe('Q@0.0');
    const axes = (read.choices ?? []).flatMap((one) =>
      one.kind === 'axis' ? [[one.axis.text, one.length, one.index]] : [],
    );
    expect(axes).toEqual([
      ['layer', 2, 0],
      ['head', 3, 0],
    ]);
    expect(read.notes.map(({ text }) => text)).toContain('Axes of length 1 were left out.');
    const other = await parse(bytes, { reading: 'Q@1.2' });
    expect([...other.data]).toEqual([20, 21, 22, 23]);
    // A link may name more than there is.
    expect((await parse(bytes, { reading: 'Q@7.0' })).reading).toBe('Q@1.0');
  });

  it('in Fortran order shows the same heads', async () => {
    const shape = [2, 3, 2, 2] as const;
    const values = new Float32Array(24);
    for (let a = 0, at = 0; a < 2; a++)
      for (let b = 0; b < 3; b++)
        for (let i = 0; i < 2; i++)
          for (let j = 0; j < 2; j++) values[a + 2 * (b + 3 * (i + 2 * j))] = at++;
    const data = npyFile({
      shape: `(${shape.join(', ')})`,
      fortranOrder: true,
      data: float32([...values]),
    });
    const bytes = zipFile([{ name: 'Q.npy', data }]);
    expect([...(await parse(bytes, { reading: 'Q@1.2' })).data]).toEqual([20, 21, 22, 23]);
    expect([...(await parse(bytes)).data]).toEqual([0, 1, 2, 3]);
  });

  it('takes the names of its rows from the array of texts that fits them', async () => {
    const square = npyFile({ shape: '(3, 3)', data: float32(counting(9)) });
    const tokens = texts(['<s>', ' The', '😀']);
    const read = await parse(
      zipFile([
        { name: 'attentions.npy', data: square },
        { name: 'tokens.npy', data: tokens },
      ]),
    );
    expect(read.rowLabels).toEqual(['<s>', ' The', '😀']);
    expect(read.colLabels).toEqual(read.rowLabels);
    expect(read.notes.map(({ text }) => text)).toContain(
      "The names are those of the array 'tokens'.",
    );
  });

  it('names what it leaves out, and why', async () => {
    const read = await parse(
      zipFile([
        { name: 'README.txt', data: new TextEncoder().encode('nothing') },
        { name: 'Q', data: array(1) },
        { name: 'names.npy', data: npyFile({ descr: '|O', data: new Uint8Array(48) }) },
        { name: 'broken.npy', data: new Uint8Array(12) },
        { name: 'folder/', data: new Uint8Array(0) },
      ]),
    );
    expect([...read.data]).toEqual(counting(6, 1));
    const said = read.notes.map(({ text }) => text);
    expect(said).toEqual([
      "The array 'Q' was read.",
      expect.stringMatching(
        /^'names' was not read: saw .*Python objects \(a pickle\); wanted .+\.$/,
      ),
      expect.stringMatching(/^'broken' was not read: saw a .npy file that does not start/),
      'No arrays, and left out: README.txt.',
    ]);
  });
});

describe('a .npz file that cannot be read', () => {
  it('is refused wherever it is cut off', async () => {
    const bytes = zipFile(three, { wide: true });
    for (let length = 4; length < bytes.length; length += 7) {
      const { seen } = await refusal(bytes.subarray(0, length));
      expect(seen.text).toMatch(/cut off/);
    }
  });

  it.each<[string, Uint8Array, string]>([
    [
      'only objects',
      zipFile([{ name: 'a.npy', data: npyFile({ descr: '|O', data: new Uint8Array(48) }) }]),
      "'a' in the archive: an object array of shape (2, 3): Python objects (a pickle)",
    ],
    [
      'other members',
      zipFile([{ name: 'a.txt', data: new Uint8Array(3) }]),
      'without an array of numbers; it holds a.txt',
    ],
    ['nothing', zipFile([]), 'a zip archive with nothing in it'],
    [
      'a workbook',
      zipFile([
        { name: '[Content_Types].xml', data: new Uint8Array(3) },
        { name: 'xl/workbook.xml', data: new Uint8Array(3) },
      ]),
      'an Excel workbook',
    ],
    [
      'a tensor of PyTorch',
      zipFile([{ name: 'archive/data.pkl', data: new Uint8Array(3) }]),
      'a file of PyTorch',
    ],
    [
      'a password',
      zipFile([{ name: 'Q.npy', data: array(1), flags: 1 }]),
      "'Q.npy' has a password",
    ],
    [
      'another method',
      zipFile([{ name: 'Q.npy', data: array(1), method: 14 }]),
      'is packed by method 14',
    ],
    [
      'NaN',
      zipFile([{ name: 'Q.npy', data: npyFile({ data: float32([1, 2, Number.NaN, 4, 5, 6]) }) }]),
      "'Q' in the archive: a float32 array of shape (2, 3) with NaN in row 0, column 2",
    ],
  ])('%s', async (_, bytes, words) => {
    const error = await refusal(bytes);
    expect(error.seen.text).toContain(words);
    expect(error.wanted.text).not.toBe('');
  });

  it('is refused where a bit of it has changed, or nothing is read otherwise', async () => {
    for (const packed of [false, true]) {
      const whole = zipFile([
        { name: 'Q.npy', data: array(1), deflated: packed ? deflated : undefined },
      ]);
      for (let at = 0; at < whole.length; at++) {
        const bytes = whole.slice();
        bytes[at] = (bytes[at] as number) ^ 0x10;
        const read = await parse(bytes).catch((reason: unknown) => reason);
        if (read instanceof ImportError) continue;
        expect([...(read as { data: Float32Array }).data], `byte ${at}`).toEqual(counting(6, 1));
      }
      // In the last number, whose place in the file is known where nothing is packed.
      if (packed) continue;
      const damaged = whole.slice();
      const at = 30 + 'Q.npy'.length + array(1).length - 1;
      damaged[at] = (damaged[at] as number) ^ 1;
      expect((await refusal(damaged)).seen.text).toContain(
        "a zip archive whose member 'Q.npy' is damaged or cut off",
      );
    }
  });
});

describe('advice', () => {
  it.each<[string, Parameters<typeof npyFile>[0], RegExp]>([
    [
      'complex',
      { descr: '<c8', data: new Uint8Array(48) },
      /a\.real or np\.abs\(a\) before np\.save/,
    ],
    [
      'objects',
      { descr: '|O', data: new Uint8Array(48) },
      /np\.array\(rows, dtype=np\.float32\) before/,
    ],
    [
      'float8',
      { descr: '|V1', data: new Uint8Array(6) },
      /a\.astype\(np\.float32\) before np\.save/,
    ],
    ['long double', { descr: '<f16', data: new Uint8Array(96) }, /a\.astype\(np\.float32\) before/],
    [
      'dates',
      { descr: '<M8[s]', data: new Uint8Array(48) },
      /a\.astype\('int64'\) before np\.save/,
    ],
    [
      'fields',
      { header: "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }" },
      /a\['x'\] before np\.save/,
    ],
  ])('fits %s', async (_, file, words) => {
    const error = await parseMatrixFile({ name: 'q.npy', bytes: npyFile(file) }).catch((e) => e);
    expect((error as ImportError).wanted.text).toMatch(words);
  });
});

describe('a reading of an array', () => {
  it.each([
    { member: 'Q', at: [0, 3] },
    { member: 'step_0001/layer_00', at: [] },
    { member: 'a@b.c', at: [12] },
    { member: undefined, at: [1] },
  ])('is the same after it was written: %o', (reading) => {
    expect(arrayReading(readingOfArray(reading))).toEqual(reading);
  });

  it('of anything else is none', () => {
    for (const text of ['', 'h1n0', '%@0', '@-1', '@1.', '@1e9', '@99999999999']) {
      expect(arrayReading(text).at.length, text).toBeLessThanOrEqual(1);
    }
  });
});
