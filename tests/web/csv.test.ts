import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string, name = 'q.csv') => parseMatrixFile({ name, bytes: bytesOf(text) });

async function rows(text: string, reading?: string): Promise<number[][]> {
  const bytes = bytesOf(text);
  const { rows: n, cols, data } = await parseMatrixFile({ name: 'q.csv', bytes }, { reading });
  return Array.from({ length: n }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
}

async function seen(text: string): Promise<string> {
  const error = await parse(text).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ImportError);
  return (error as ImportError).seen.text;
}

const two = [
  [1, 2.5],
  [-3, 4000],
];

describe('a table of numbers', () => {
  it.each([
    ['commas', '1,2.5\n-3,4e3\n'],
    ['no last line end', '1,2.5\n-3,4e3'],
    ['Windows line ends', '1,2.5\r\n-3,4e3\r\n'],
    ['old Mac line ends', '1,2.5\r-3,4e3\r'],
    ['spaces around cells', ' 1 , 2.5 \n -3 , 4e3 '],
    ['tabs', '1\t2.5\n-3\t4e3'],
    ['spaces', '  1   2.5\n -3 4e3  \n'],
    ['semicolons', '1;2.5\n-3;4e3'],
    ['semicolons and decimal commas', '1;2,5\n-3;4000,0'],
    ['tabs and decimal commas', '1,0\t2,5\n-3,0\t4000,'],
    ['quotes', '"1","2.5"\n"-3","4e3"'],
    ['comments in front', '# Q of head 3\n#\n# seed 1, n 2\n1,2.5\n-3,4e3\n'],
    ['comments with other delimiters', '# a;b\tc\n1,2.5\n-3,4e3\n'],
    ['empty lines', '\n1,2.5\n\n\n-3,4e3\n\n'],
    ['a byte order mark', '\uFEFF1,2.5\n-3,4e3'],
    ['a delimiter at every line end', '1,2.5,\n-3,4e3,\n'],
    ['a true minus', '1,2.5\n−3,4e3'],
    ['short decimals', '+1,2.5\n-3.,4.e3'],
    ['column names', 'd0,d1\n1,2.5\n-3,4e3'],
    ['column names and a delimiter at every line end', 'd0,d1,\n1,2.5,\n-3,4e3,'],
    ['row names', 'the,1,2.5\ncat,-3,4e3'],
    ['both, with a corner', 'token,d0,d1\nthe,1,2.5\ncat,-3,4e3'],
    ['both, with an empty corner', ',0,1\n0,1,2.5\n1,-3,4e3'],
    ['a name with a line that looks like a comment', '"d\n#0";d1\n1;2.5\n-3;4e3'],
    ['names with line breaks and quotes', '"d\n0","d""1"\n1,2.5\n-3,4e3'],
  ])('with %s', async (_, text) => {
    expect(await rows(text)).toEqual(two);
  });

  it('in UTF-16, as a spreadsheet’s "Unicode text", is read', async () => {
    const text = '1\t2.5\r\n-3\t4000';
    const units = Uint16Array.from(`\uFEFF${text}`, (char) => char.charCodeAt(0));
    const bytes = new Uint8Array(units.buffer);
    const result = await parseMatrixFile({ name: 'q.txt', bytes });
    expect([...result.data]).toEqual(two.flat());
  });

  it('returns its row and column names, and reports what it took for names', async () => {
    const result = await parse(',x,"y, z"\n"the ""old""",1,2\ncat,3,4');
    expect(result.colLabels).toEqual(['x', 'y, z']);
    expect(result.rowLabels).toEqual(['the "old"', 'cat']);
    expect(result.notes.map(({ text }) => text)).toEqual([
      'Line 1 was read as column names.',
      'The first column was read as row names.',
    ]);
  });

  it('returns every matrix that was written, whatever the delimiter, where it is told that there are no names', async () => {
    const cell = fc.float({ noNaN: true, noDefaultInfinity: true });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([n, m]) =>
          fc.array(fc.array(cell, { minLength: m, maxLength: m }), {
            minLength: n,
            maxLength: n,
          }),
        ),
        fc.constantFrom(',', ';', '\t', ' ', '   '),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (table, delimiter, lineEnd) => {
          const text = table.map((row) => row.join(delimiter)).join(lineEnd);
          expect(await rows(text, 'h0n0')).toEqual(table.map((row) => row.map((x) => x + 0)));
        },
      ),
    );
  });

  it('of a million entries is read without blocking the page', async () => {
    const line = `${Array.from({ length: 1024 }, (_, j) => (j / 7).toFixed(4)).join(',')}\n`;
    let turns = 0;
    let reading = true;
    const count = (): void => {
      turns++;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    const result = await parse(line.repeat(1024));
    reading = false;
    expect(result.data.length).toBe(1024 * 1024);
    // The event loop ran while the file was read, so a page would have stayed responsive.
    expect(turns).toBeGreaterThan(10);
  });

  it('stops when it is told to', async () => {
    const bytes = bytesOf('1,2,3,4,5,6,7,8\n'.repeat(200_000));
    const stop = new AbortController();
    const reading = parseMatrixFile({ name: 'q.csv', bytes }, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });
});

/** A table as [rows, cols, numbers, names of rows, names of columns]. */
type Read = readonly [
  number,
  number,
  readonly number[],
  (readonly string[] | undefined)?,
  (readonly string[] | undefined)?,
];

async function whole(text: string, reading = ''): Promise<unknown> {
  const read = await parseMatrixFile({ name: 'q.csv', bytes: bytesOf(text) }, { reading });
  const { rows: n, cols, data, rowLabels, colLabels } = read;
  return [n, cols, [...data], rowLabels, colLabels];
}

/** What the page offers instead: what it says of the present reading, what the button says, and the reading. */
async function others(text: string, reading = ''): Promise<(readonly [string, string, string])[]> {
  const read = await parseMatrixFile({ name: 'q.csv', bytes: bytesOf(text) }, { reading });
  return (read.choices ?? []).flatMap((one) =>
    one.kind === 'other' ? [[one.about.text, one.other.text, one.reading] as const] : [],
  );
}

const f = Math.fround;
const HEADER_READ = 'Line 1 was read as column names.';
const HEADER_NOT = 'Line 1 was read as numbers.';
const NAMES_READ = 'The first column was read as row names.';
const NAMES_NOT = 'The first column was read as numbers.';

describe('a table as pandas, Excel, R and NumPy write it', () => {
  const four = [0.5, 0.25, 0.125, 2];
  it.each<readonly [string, string, Read]>([
    ['to_csv()', ',0,1\n0,0.5,0.25\n1,0.125,2.0\n', [2, 2, four, ['0', '1'], ['0', '1']]],
    ['to_csv(index=False)', '0,1\n0.5,0.25\n0.125,2.0\n', [2, 2, four, undefined, ['0', '1']]],
    ['to_csv(header=False)', '0,0.5,0.25\n1,0.125,2.0\n', [2, 2, four, ['0', '1']]],
    ['to_csv(header=False, index=False)', '0.5,0.25\n0.125,2.0\n', [2, 2, four]],
    ['a Series', ',0\nthe,0.5\ncat,0.25\n', [2, 1, [0.5, 0.25], ['the', 'cat'], ['0']]],
    ['one column, index=False', '0\n0.5\n0.25\n', [2, 1, [0.5, 0.25], undefined, ['0']]],
    [
      'an index that has a name',
      'token,0,1\nthe,0.5,0.25\ncat,0.125,2.0\n',
      [2, 2, four, ['the', 'cat'], ['0', '1']],
    ],
    [
      'an index_label of any name, and names of columns',
      'foo,the,cat\nthe,0.5,0.25\ncat,0.125,2.0\n',
      [2, 2, four, ['the', 'cat'], ['the', 'cat']],
    ],
    [
      'an index_label of any name over numbers',
      'foo,0,1\n0,0.5,0.25\n1,0.125,2.0\n',
      [2, 2, four, ['0', '1'], ['0', '1']],
    ],
    [
      'ids of tokens as index',
      'token_id,0,1\n1980,0.5,0.25\n7,0.125,2.0\n',
      [2, 2, four, ['1980', '7'], ['0', '1']],
    ],
    [
      'tokens that are numbers, among words',
      'In,0.5,0.25\n1980,0.125,2.0\nwas,1,1\n',
      [3, 2, [...four, 1, 1], ['In', '1980', 'was']],
    ],
    [
      'tokens that are numbers, among names of columns',
      'The,1980,was\n0.5,0.25,1\n0.125,2,1\n',
      [2, 3, [0.5, 0.25, 1, 0.125, 2, 1], undefined, ['The', '1980', 'was']],
    ],
    [
      'names that begin with #',
      ',##ing,#\n##ing,0.5,0.25\n#,0.125,2.0\n',
      [2, 2, four, ['##ing', '#'], ['##ing', '#']],
    ],
    [
      'names that begin with # and no header',
      '##ing,0.5,0.25\n#,0.125,2.0\n',
      [2, 2, four, ['##ing', '#']],
    ],
    [
      'a first name that looks like a comment',
      '# of,0.5,0.25\ncat,0.125,2.0\n',
      [2, 2, four, ['# of', 'cat']],
    ],
    [
      'a comment of ours with commas and quotes',
      '# Softmax. n = 2, "the, seed 1\n,0,1\n0,0.5,0.25\n1,0.125,2\n',
      [2, 2, four, ['0', '1'], ['0', '1']],
    ],
    [
      'tokens with spaces, and one that is a space',
      ', cat, \n cat,0.5,0.25\n ,0.125,2.0\n',
      [2, 2, four, [' cat', ' '], [' cat', ' ']],
    ],
    [
      'tokens that are delimiters',
      ',;,","\n;,0.5,0.25\n",",0.125,2.0\n',
      [2, 2, four, [';', ','], [';', ',']],
    ],
    ['Excel’s sep=', 'sep=;\r\n0,5;0,25\r\n0,125;2\r\n', [2, 2, four]],
    ['Excel’s sep= in quotes, of a comma', '"sep=,"\n0.5,0.25\n0.125,2\n', [2, 2, four]],
    [
      'a German spreadsheet',
      '\uFEFFWort;a;b\r\nschön;0,5;0,25\r\nfür;0,125;2\r\n',
      [2, 2, four, ['schön', 'für'], ['a', 'b']],
    ],
    [
      'R’s write.csv',
      '"","V1","V2"\n"1",0.5,0.25\n"2",0.125,2\n',
      [2, 2, four, ['1', '2'], ['V1', 'V2']],
    ],
    [
      'R’s write.table',
      '"V1" "V2"\n"1" 0.5 0.25\n"2" 0.125 2\n',
      [2, 2, four, ['1', '2'], ['V1', 'V2']],
    ],
    [
      'R’s write.table without quotes',
      'V1 V2\n1 0.5 0.25\n2 0.125 2\n',
      [2, 2, four, ['1', '2'], ['V1', 'V2']],
    ],
    [
      'quotes around numbers in the first line only',
      '"7","9"\n0.5,0.25\n0.125,2\n',
      [2, 2, four, undefined, ['7', '9']],
    ],
    ['np.savetxt with a header', '# a b\n5.0e-01 2.5e-01\n1.25e-01 2.0e+00\n', [2, 2, four]],
    ['a mask, whose first row counts by chance', '0,1\n1,0\n', [2, 2, [0, 1, 1, 0]]],
    [
      'a mask, to_csv(index=False)',
      '0,1,2\n1,0,0\n1,1,0\n1,1,1\n',
      [3, 3, [1, 0, 0, 1, 1, 0, 1, 1, 1], undefined, ['0', '1', '2']],
    ],
    [
      'np.arange',
      '0,1,2\n3,4,5\n6,7,8\n9,10,11\n',
      [4, 3, Array.from({ length: 12 }, (_, i) => i)],
    ],
    ['counts, whose first row counts by chance', '0,1,2\n3,4,5\n', [2, 3, [0, 1, 2, 3, 4, 5]]],
  ])('%s', async (_, text, wanted) => {
    const [n, cols, data, rowLabels, colLabels] = wanted;
    expect(await whole(text)).toEqual([n, cols, data.map(f), rowLabels, colLabels]);
  });

  it('offers the other reading of a first line of numbers, and the first one again', async () => {
    const text = '0,1\n0.5,0.25\n0.125,2\n';
    expect(await others(text)).toEqual([[HEADER_READ, 'Read as numbers', 'h0n0']]);
    expect(await whole(text, 'h0n0')).toEqual([
      3,
      2,
      [0, 1, 0.5, 0.25, 0.125, 2],
      undefined,
      undefined,
    ]);
    expect(await others(text, 'h0n0')).toEqual([[HEADER_NOT, 'Read as column names', 'h1n0']]);
    expect(await whole(text, 'h1n0')).toEqual(await whole(text));
  });

  it('offers the other reading of a first column that counts the rows', async () => {
    const text = '0,0.5,0.25\n1,0.125,2\n';
    expect(await others(text)).toEqual([[NAMES_READ, 'Read as numbers', 'h0n0']]);
    expect(await whole(text, 'h0n0')).toEqual([
      2,
      3,
      [0, 0.5, 0.25, 1, 0.125, 2],
      undefined,
      undefined,
    ]);
    expect(await others(text, 'h0n0')).toEqual([[NAMES_NOT, 'Read as row names', 'h0n1']]);
    const points = 'x,y\n0,0.5\n1,0.25\n';
    expect(await whole(points)).toEqual([2, 2, [0, 0.5, 1, 0.25], undefined, ['x', 'y']]);
    expect(await others(points)).toEqual([[NAMES_NOT, 'Read as row names', 'h1n1']]);
    expect(await whole(points, 'h1n1')).toEqual([2, 1, [0.5, 0.25], ['0', '1'], ['y']]);
  });

  it('offers to read a titled line of counts as the row of a token', async () => {
    const text = 'token,0,1\nthe,0.5,0.25\n';
    expect(await others(text)).toEqual([[HEADER_READ, 'Read as numbers', 'h0n1']]);
    expect(await whole(text, 'h0n1')).toEqual([
      2,
      2,
      [0, 1, 0.5, 0.25],
      ['token', 'the'],
      undefined,
    ]);
  });

  it('offers names where whole numbers count by chance', async () => {
    const text = '0,1,2\n5,7,3\n';
    expect(await others(text)).toEqual([[HEADER_NOT, 'Read as column names', 'h1n0']]);
    expect(await whole(text, 'h1n0')).toEqual([1, 3, [5, 7, 3], undefined, ['0', '1', '2']]);
  });

  it('offers decimal commas where every line is two whole numbers', async () => {
    const text = '0,5\n0,25\n';
    expect(await whole(text)).toEqual([2, 2, [0, 5, 0, 25], undefined, undefined]);
    const [[about, other, reading]] = (await others(text)) as [[string, string, string]];
    expect([about, other]).toEqual([
      'Commas were read as what separates two numbers.',
      'Read as decimal commas',
    ]);
    expect(await whole(text, reading)).toEqual([2, 1, [0.5, 0.25], undefined, undefined]);
    expect((await others(text, reading)).map(([, back]) => back)).toEqual(['Read as separators']);
  });

  it('offers nothing where there is one reading', async () => {
    for (const text of [
      '0.5,0.25\n0.125,2\n',
      ',0,1\n0,0.5,0.25\n1,0.125,2\n',
      'a,b\n0.5,0.25\n',
      'the,0.5\ncat,0.25\n',
      '3,1,2\n5,7,9\n',
    ]) {
      expect(await others(text), text).toEqual([]);
    }
  });

  it('says that it is no UTF-8 where Windows-1252 was read', async () => {
    const bytes = Uint8Array.from('schön;0,5\nfür;1\n', (char) => char.charCodeAt(0));
    const read = await parseMatrixFile({ name: 'q.csv', bytes });
    expect(read.rowLabels).toEqual(['schön', 'für']);
    expect(read.notes.map(({ text }) => text)).toContain(
      'The text is no UTF-8 and was read as Windows-1252.',
    );
  });

  it('keeps rows of the longest names, in a file whose first line is longer than a piece', async () => {
    const width = 2048;
    const names = Array.from({ length: width }, (_, j) =>
      j % 3 ? `token ${j};` : `##${j}`.padEnd(20, 'x'),
    );
    const line = (name: string): string => [name, ...names.map((_, j) => `${j / 8}`)].join(',');
    const text = `${['', ...names].join(',')}\n${line('a;')}\n${line('b')}\n`;
    const read = await parse(text);
    expect([read.rows, read.cols]).toEqual([2, width]);
    expect(read.colLabels).toEqual(names);
    expect(read.rowLabels).toEqual(['a;', 'b']);
  });
});

describe('a table that cannot be a matrix', () => {
  it.each([
    ['ragged', '1,2,3\n4,5\n', 'line 2: 2 entries, while the lines before have 3'],
    [
      'ragged after comments',
      '# a\n\n1,2\n3,4\n5,6,7',
      'line 5: 3 entries, while the lines before have 2',
    ],
    [
      'ragged against its header',
      'a,b,c\n1,2\n',
      'line 2: 2 entries, while line 1 names 3 columns',
    ],
    ['an empty cell', '1,2\n3,\n', 'line 2, column 2: an empty cell'],
    ['an empty cell in the middle', '1,2,3\n4,,6\n', 'line 2, column 2: an empty cell'],
    ['NaN', '1,2\n3,NaN\n', 'line 2, column 2: NaN'],
    ['NaN first', 'nan,2\n3,4\n', 'line 1, column 1: nan'],
    ['infinity', '1,2\n-inf,4\n', 'line 2, column 1: -inf'],
    ['beyond float32', '1,2\n1e39,4\n', 'line 2, column 1: 1e39, beyond float32'],
    ['a word', '1,2\n3,x4\n', "line 2, column 2: 'x4', which is not a number"],
    ['hexadecimal', '1,2\n3,0x10\n', "line 2, column 2: '0x10', which is not a number"],
    ['a typing error in the first line', '1,2x\n3,4\n', "line 1, column 2: '2x', which is not"],
    ['a typing error in the first cell', '1x,2\n3,4\n', "line 1, column 1: '1x', which is not"],
    ['a lone name', 'x1,2\n3,4\n', "'x1' at the start of the first line, but a number in line 2"],
    ['two decimal marks', '1,5;2\n3.5;4\n', "line 2, column 1: '3.5', while earlier numbers"],
    ['a thousands mark', '1.234,5;2\n', 'which is not a number'],
    ['only names', 'a,b\nc,d\n', "line 2, column 2: 'd', which is not a number"],
    [
      'a comment between rows',
      '1,2\n# middle\n3,4\n',
      'line 2: 1 entry, while the lines before have 2',
    ],
    ['a name and nothing', 'a\n', 'words in line 1 and no numbers'],
    ['nothing', '\n \n', 'an empty file'],
    ['only comments', '# 1,2\n', 'an empty file'],
    ['an open quote', '1,"2\n3,4\n', 'a quote that is never closed'],
    ['text behind a quote', '"1"x,2\n', 'text after a closing quote'],
    ['JSON', '{"q": [1]}', 'a JSON object'],
    ['a printed array', '[[1. 2.]\n [3. 4.]]', 'a list in brackets'],
    ['NUL bytes', '1,2\n\0\0', 'a binary file'],
    ['one endless cell', 'x'.repeat(10_000), 'an entry of more than 4096 characters'],
  ])('%s', async (_, text, words) => {
    expect(await seen(text)).toContain(words);
  });

  it('is recognised by its first bytes', async () => {
    for (const [magic, words] of [
      ['PK\x03\x04', 'a zip archive (.npz) whose end is missing'],
      ['\x89HDF\r\n', 'an HDF5 file'],
      ['\x80\x04\x95', 'a Python pickle'],
      ['\xff\xd8\xff\xe0', 'a JPEG'],
      ['\xff\xfa\x01', 'not UTF-8'],
      ['', 'an empty file'],
    ] as const) {
      const bytes = Uint8Array.from(magic, (char) => char.charCodeAt(0));
      const error = await parseMatrixFile({ name: 'q', bytes }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ImportError);
      expect((error as ImportError).seen.text).toContain(words);
    }
  });

  it('is reported when its name ends in .npy', async () => {
    const error = await parse('1,2', 'q.NPY').catch((reason: unknown) => reason);
    expect((error as ImportError).seen.text).toContain("NumPy's magic bytes");
  });

  it('is refused by its number of entries before it fills the memory', async () => {
    expect(await seen(`${'1 '.repeat(2048)}\n`.repeat(2049))).toBe(
      'more than 4194304 entries, reached in line 2049',
    );
    expect(await seen('1 '.repeat(4_194_306))).toBe('line 1: more than 4194304 entries');
  });
});
