import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '#client';
import { columnsToCsv, matrixToCsv, shortestFloat32 } from '../../web/src/export/csv';
import { safeFileName } from '../../web/src/export/download';
import { experimentToJson, parseExperiment } from '../../web/src/export/experiment';
import { wrapText } from '../../web/src/export/png';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';

const read = (text: string) =>
  parseMatrixFile({ name: 'a.csv', bytes: new TextEncoder().encode(text) });

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
const matrices = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }))
  .chain(([rows, cols]) =>
    fc
      .array(finite, { minLength: rows * cols, maxLength: rows * cols })
      .map((data): Matrix => ({ rows, cols, data: Float32Array.from(data) })),
  );
const label = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((s) => !s.includes('\0'));

describe('a float32 as text', () => {
  it('is short', () => {
    expect(
      [0.1, 1 / 3, 1e-7, 16777216, 1e30, -0, 0.42].map(Math.fround).map(shortestFloat32),
    ).toEqual(['0.1', '0.33333334', '1e-7', '16777216', '1e+30', '-0', '0.42']);
    expect([Number.NaN, Infinity, -Infinity].map(shortestFloat32)).toEqual(['nan', 'inf', '-inf']);
  });

  it('is read back to the same bits, and no shorter text is', () => {
    fc.assert(
      fc.property(finite, (value) => {
        const text = shortestFloat32(value);
        expect(Math.fround(Number(text))).toBe(value);
        const digits = text.replace(/e.*|[-.]/g, '').replace(/^0+|0+$/g, '').length;
        const shorter = value.toPrecision(Math.max(1, digits - 1));
        if (digits > 1) expect(Math.fround(Number(shorter))).not.toBe(value);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a matrix as CSV', () => {
  it('is plain', async () => {
    const matrix = { rows: 2, cols: 2, data: Float32Array.of(1, 0.5, -2, 1e-8) };
    expect(await matrixToCsv(matrix)).toBe('1,0.5\n-2,1e-8\n');
    expect(
      await matrixToCsv(matrix, { rowLabels: ['the', 'a "b", c'], comment: 'softmax\nn = 2' }),
    ).toBe('# softmax\n# n = 2\n,0,1\nthe,1,0.5\n"a ""b"", c",-2,1e-8\n');
  });

  it('reads back equal', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, fc.string(), async (matrix, comment) => {
        const { rows, cols, data } = await read(await matrixToCsv(matrix, { comment }));
        expect({ rows, cols, data }).toEqual(matrix);
      }),
    );
  });

  it('reads back equal where its first line or column counts, as names would', async () => {
    for (const data of [
      [0, 1, 0.5, 0.25],
      [0, 0.5, 1, 0.25],
      [0, 1, 1, 0.5],
      [1, 2, 2, 0.5],
    ]) {
      const back = await read(
        await matrixToCsv({ rows: 2, cols: 2, data: Float32Array.from(data) }),
      );
      expect([...back.data]).toEqual(data);
      expect([back.rowLabels, back.colLabels]).toEqual([undefined, undefined]);
    }
  });

  it('reads back names that hold other separators', async () => {
    const matrix = { rows: 1, cols: 2, data: Float32Array.of(1, 2) };
    const back = await read(await matrixToCsv(matrix, { colLabels: ['a;b', 'c\td'] }));
    expect(back.colLabels).toEqual(['a;b', 'c\td']);
    expect([...back.data]).toEqual([1, 2]);
  });

  it('reads back equal with any names', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, fc.infiniteStream(label), async (matrix, labels) => {
        const rowLabels = [...labels.take(matrix.rows)];
        const colLabels = [...labels.take(matrix.cols)];
        const back = await read(await matrixToCsv(matrix, { rowLabels, colLabels }));
        expect({ rows: back.rows, cols: back.cols, data: back.data }).toEqual(matrix);
        expect(back.rowLabels).toEqual(rowLabels);
        expect(back.colLabels).toEqual(colLabels);
      }),
    );
  });
});

describe('columns as CSV', () => {
  it('says what they are, and every number as it is', () => {
    const x = [0.1, 1, 2.5e-9];
    const text = columnsToCsv(
      [
        { name: 'd_k', values: x },
        { name: 'Yours: max, min', values: [1 / 3, Number.NaN] },
        { name: 'Reference', values: [-Infinity, 2, 3] },
      ],
      'A title.\nWith n = 8.',
    );
    const lines = text.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '# A title.',
      '# With n = 8.',
      'd_k,"Yours: max, min",Reference',
    ]);
    expect(lines.slice(3)).toEqual([`0.1,${1 / 3},-inf`, '1,nan,2', '2.5e-9,nan,3', '']);
  });
});

describe('an experiment as JSON', () => {
  const matrix = { rows: 1, cols: 2, data: Float32Array.of(0.1, -3) };
  const experiment = {
    lab: 'feature-maps',
    link: '?v=1&n=8',
    settings: { n: 8, map: 'relu', causal: false },
    results: { mse: 0.25, correlation: Number.NaN },
    matrices: { q: matrix, k: matrix, v: matrix },
  };

  it('reads back equal', async () => {
    const text = await experimentToJson(experiment);
    expect(text).toContain('"q": {"rows": 1, "cols": 2, "data": [0.1,-3]}');
    expect(parseExperiment(text)).toEqual({
      ...experiment,
      results: { mse: 0.25, correlation: null },
    });
    const bare = { lab: 'a', link: '[1,\n 2]' };
    expect(parseExperiment(await experimentToJson(bare))).toEqual(bare);
  });

  it.each([
    ['{"format":', 'not JSON, or is cut off'],
    ['[]', 'another kind'],
    ['{"format":"attention-labs/experiment","version":2}', 'version 2'],
    ['{"format":"attention-labs/experiment","version":1,"lab":3}', "'lab' or 'link'"],
    [
      '{"format":"attention-labs/experiment","version":1,"lab":"a","link":"","results":{"mse":1e999}}',
      "'results' that are not names with numbers",
    ],
    [
      '{"format":"attention-labs/experiment","version":1,"lab":"a","link":"","settings":{"n":1e999}}',
      "'settings' that are not names with values",
    ],
    ['"rows": 3', "matrix 'q' whose size does not fit"],
    ['"data": ["0.1"', "entry 0 of matrix 'q'"],
    ['"data": [1e300', "entry 0 of matrix 'q'"],
  ])('says what is wrong: %s', async (changed, words) => {
    // An entry of the list is a whole file, or a pair to put into a good one.
    const name = /^("\w+": \[?)/.exec(changed)?.[1];
    const whole = await experimentToJson(experiment);
    const text = name
      ? whole.replace(new RegExp(`${name.replace('[', '\\[')}[^,]+`), changed)
      : changed;
    let error: unknown;
    try {
      parseExperiment(text);
    } catch (reason) {
      error = reason;
    }
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).seen.text).toContain(words);
  });
});

describe('a caption', () => {
  const measure = (line: string): number => line.length;

  it('is broken at spaces and keeps its own line breaks', () => {
    expect(wrapText('softmax of  four tokens\nn = 4', 10, measure)).toEqual([
      'softmax of',
      'four',
      'tokens',
      'n = 4',
    ]);
  });

  it('gives a word that is too long a line of its own', () => {
    expect(wrapText('a incomprehensibilities b', 10, measure)).toEqual([
      'a',
      'incomprehensibilities',
      'b',
    ]);
  });

  it('loses no word', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (text, width) => {
        const words = (s: string): string[] => s.split(/\s+/).filter(Boolean);
        expect(words(wrapText(text, width, measure).join(' '))).toEqual(words(text));
      }),
    );
  });
});

describe('a file name', () => {
  it('is one every system takes', () => {
    expect(safeFileName('softmax: φ = elu+1/relu?.csv')).toBe('softmax-φ-elu-1-relu-.csv');
    expect(safeFileName('../../etc/passwd')).toBe('etc-passwd');
    expect(safeFileName('***')).toBe('download');
  });
});
