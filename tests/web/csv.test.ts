import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string, name = 'q.csv') => parseMatrixFile({ name, bytes: bytesOf(text) });

async function rows(text: string): Promise<number[][]> {
  const { rows: n, cols, data } = await parse(text);
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
    ['comments', '# Q of head 3\n1,2.5\n# middle\n-3,4e3\n'],
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

  it('returns every matrix that was written, whatever the delimiter', async () => {
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
          expect(await rows(text)).toEqual(table.map((row) => row.map((x) => x + 0)));
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
    ['only names', 'a,b\nc,d\n', "line 2, column 1: 'c', which is not a number"],
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
      ['PK\x03\x04', 'a zip archive'],
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
