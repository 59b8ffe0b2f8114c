import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportError, parseMatrixFile } from '../../web/src/import/matrix-file';
import { float32, type NpyFile, npyFile, raw } from './npy-file';

const parse = (bytes: Uint8Array) => parseMatrixFile({ name: 'q.npy', bytes });

async function refusal(bytes: Uint8Array): Promise<ImportError> {
  const error = await parse(bytes).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ImportError);
  return error as ImportError;
}

const six = [0, 1, -2, 3, 100, -7];
const grid = { rows: 2, cols: 3 };

describe('a .npy file', () => {
  it('of float32 is read unchanged', async () => {
    const values = [0.5, -1e-20, 3, 4, 1e30, -0];
    const result = await parse(npyFile({ data: float32(values) }));
    expect(result).toEqual({ ...grid, data: Float32Array.from(values), notes: [] });
  });

  it('of every version is read', async () => {
    for (const version of [1, 2, 3] as const) {
      const result = await parse(npyFile({ version, data: float32(six) }));
      expect([...result.data]).toEqual(six);
    }
  });

  it('in Fortran order is transposed while it is read', async () => {
    const data = float32([0, 3, 1, 100, -2, -7]);
    const result = await parse(npyFile({ fortranOrder: true, data }));
    expect([...result.data]).toEqual(six);
  });

  const types: [string, string, number, (v: DataView, at: number, x: number) => void][] = [
    ['>f4', '', 4, (v, at, x) => v.setFloat32(at, x)],
    ['=f4', '', 4, (v, at, x) => v.setFloat32(at, x, true)],
    ['<f8', 'float64', 8, (v, at, x) => v.setFloat64(at, x, true)],
    ['>f8', 'float64', 8, (v, at, x) => v.setFloat64(at, x)],
    ['|i1', 'int8', 1, (v, at, x) => v.setInt8(at, x)],
    ['<i2', 'int16', 2, (v, at, x) => v.setInt16(at, x, true)],
    ['>i4', 'int32', 4, (v, at, x) => v.setInt32(at, x)],
    ['<i8', 'int64', 8, (v, at, x) => v.setBigInt64(at, BigInt(x), true)],
    ['>i8', 'int64', 8, (v, at, x) => v.setBigInt64(at, BigInt(x))],
  ];
  it.each(types)('of %s is widened or narrowed with a note', async (descr, name, size, write) => {
    const result = await parse(npyFile({ descr, data: raw(six, size, write) }));
    expect([...result.data]).toEqual(six);
    expect(result.notes).toHaveLength(name ? 1 : 0);
    if (name) expect(result.notes[0]?.text).toContain(`The ${name} entries`);
  });

  it('of unsigned, half and boolean entries is read too', async () => {
    const shape = '(1, 3)';
    const cases: [NpyFile, number[]][] = [
      [{ descr: '|u1', data: Uint8Array.of(0, 200, 255) }, [0, 200, 255]],
      [{ descr: '<u2', data: Uint8Array.of(0, 0, 255, 255, 1, 0) }, [0, 65535, 1]],
      [
        { descr: '<u4', data: raw([0, 4294967295, 1], 4, (v, at, x) => v.setUint32(at, x, true)) },
        [0, 4294967296, 1],
      ],
      [
        {
          descr: '<u8',
          data: raw([0, 9, 1], 8, (v, at, x) => v.setBigUint64(at, BigInt(x), true)),
        },
        [0, 9, 1],
      ],
      [
        { descr: '<f2', data: Uint8Array.of(0x00, 0x3c, 0x01, 0x00, 0x00, 0xc0) },
        [1, 2 ** -24, -2],
      ],
      [{ descr: '|b1', data: Uint8Array.of(0, 1, 1) }, [0, 1, 1]],
    ];
    for (const [file, values] of cases) {
      const result = await parse(npyFile({ shape, ...file }));
      expect([...result.data], file.descr ?? '').toEqual(values);
    }
  });

  it('returns every matrix that was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.float({ noNaN: true, noDefaultInfinity: true })),
        async (rows, cols, stream) => {
          const values = [...stream.take(rows * cols)];
          const result = await parse(
            npyFile({ shape: `(${rows}, ${cols})`, data: float32(values) }),
          );
          expect(result).toMatchObject({ rows, cols, data: Float32Array.from(values) });
        },
      ),
    );
  });

  it('may have odd but legal headers', async () => {
    for (const header of [
      `{"shape": (2L, 3L), "fortran_order": False, "descr": "<f4"}`,
      `{ 'fortran_order' : False , 'extra': [1, (2,), None], 'descr':'<f4','shape':[2,3] }`,
    ]) {
      expect((await parse(npyFile({ header }))).rows).toBe(2);
    }
  });

  it('may have bytes after the array', async () => {
    const result = await parse(npyFile({ data: float32([...six, 8]) }));
    expect(result.notes.map(({ text }) => text)).toEqual([
      'The 4 bytes after the array were left out.',
    ]);
  });

  it('written by NumPy itself is read, where NumPy is installed', async () => {
    const script =
      'import numpy,sys,io;b=io.BytesIO();numpy.save(b,numpy.asfortranarray(numpy.arange(6.).reshape(2,3)));sys.stdout.buffer.write(b.getvalue())';
    // These are the same bytes, for machines without NumPy.
    const recorded = npyFile({
      descr: '<f8',
      fortranOrder: true,
      data: raw([0, 3, 1, 4, 2, 5], 8, (v, at, x) => v.setFloat64(at, x, true)),
    });
    let bytes: Uint8Array = recorded;
    try {
      bytes = new Uint8Array(execFileSync('python3', ['-c', script], { stdio: 'pipe' }));
    } catch {
      // Python or NumPy is not installed here.
    }
    expect([...(await parse(bytes)).data]).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a .npy file that is not a matrix of numbers', () => {
  it.each<[string, NpyFile, string]>([
    ['complex', { descr: '<c8', data: new Uint8Array(48) }, 'a complex64 array of shape (2, 3)'],
    ['object', { descr: '|O', data: new Uint8Array(48) }, 'an object array of shape (2, 3)'],
    ['a name of JavaScript', { descr: 'toString' }, "a dtype 'toString' array of shape (2, 3)"],
    ['text', { descr: '<U5', data: new Uint8Array(120) }, 'an array of texts of shape (2, 3)'],
    ['float8', { descr: '|V1', data: new Uint8Array(6) }, 'a float8 array of shape (2, 3)'],
    ['a date', { descr: '<M8[ns]', data: new Uint8Array(48) }, "a dtype '<M8[ns]' array"],
    ['nine axes', { shape: '(1, 1, 1, 1, 1, 1, 1, 2, 3)' }, ': 9 dimensions'],
    ['long double', { descr: '<f16', data: new Uint8Array(96) }, 'a longdouble array'],
    ['0-D', { shape: '()' }, 'a float32 array of shape (): 0 dimensions'],
    ['empty', { shape: '(0, 3)' }, 'a float32 array of shape (0, 3): no entries'],
    ['huge', { shape: '(100000, 100000)' }, '10000000000 entries'],
    ['cut off', { data: new Uint8Array(20) }, 'cut off: 20 bytes of data'],
    ['NaN', { data: float32([1, 2, 3, 4, Number.NaN, 6]) }, 'NaN in row 1, column 1'],
    ['infinite', { data: float32([1, 2, 3, -Infinity, 5, 6]) }, '−infinity in row 1, column 0'],
    [
      'too large',
      {
        descr: '<f8',
        data: raw([1, 2, 1e300, 4, 5, 6], 8, (v, at, x) => v.setFloat64(at, x, true)),
      },
      '1e+300, beyond float32 in row 0, column 2',
    ],
    [
      'structured',
      { header: "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }" },
      'a structured array of shape (6,)',
    ],
    ['garbage', { header: '{{{{' }, "a .npy header that reads '{{{{'"],
    ['prototype', { descr: '<constructor' }, "dtype '<constructor'"],
    ['negative', { shape: '(-2, -3)' }, 'a .npy header that reads'],
  ])('%s: says what was seen', async (_, file, seen) => {
    const error = await refusal(npyFile(file));
    expect(error.seen.text).toContain(seen);
    expect(error.wanted.text).not.toBe('');
    expect(error.message).toContain(seen);
  });

  it('is refused wherever it is cut off', async () => {
    const bytes = npyFile({});
    for (let length = 0; length < bytes.length; length++) await refusal(bytes.subarray(0, length));
  });

  it('is refused with a header of thousands of brackets', async () => {
    await refusal(npyFile({ header: '('.repeat(9000) }));
    await refusal(npyFile({ header: '{'.repeat(9000) }));
  });

  it('is refused in a later version', async () => {
    const bytes = npyFile({});
    bytes[6] = 4;
    expect((await refusal(bytes)).seen.text).toBe('a .npy file of version 4.0');
  });
});
