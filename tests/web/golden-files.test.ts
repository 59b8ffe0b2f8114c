/**
 * Files as other people's tools write them, tests/golden/files: what index.json says each holds, or why it has to be
 * refused. `ATTN_GOLDEN_DIR` names another folder with a `files/index.json`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ImportError,
  type ImportedMatrix,
  parseMatrixFile,
} from '../../web/src/import/matrix-file';
import { allNumbers, isNpy, npyHeader, textsOf } from '../../web/src/import/npy';
import { readArchive } from '../../web/src/import/npz';
import { readingOfArray } from '../../web/src/import/reading';

interface Numbers {
  readonly name?: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly first?: readonly number[];
  readonly last?: number | null;
  readonly sum?: number;
  readonly text?: readonly string[];
}

interface Fixture {
  readonly file: string;
  readonly kind: string;
  readonly bytes: number;
  readonly expect: 'read' | 'refuse';
  readonly why?: string;
  readonly arrays?: readonly Numbers[];
  readonly members_refused?: Readonly<Record<string, string>>;
  readonly shape?: readonly number[];
  readonly data?: readonly number[];
  readonly row_names?: readonly string[] | null;
  readonly column_names?: readonly string[] | null;
}

const folder = join(process.env.ATTN_GOLDEN_DIR ?? 'tests/golden', 'files');
const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
  readonly files: readonly Fixture[];
};
/** Read elsewhere: safetensors by the core, tokens as text. */
const ELSEWHERE = ['safetensors', 'tokens'];
const of = (...kinds: readonly string[]): Fixture[] =>
  index.files.filter(({ kind }) => kinds.includes(kind));
const tables = of('csv');
const arrays = of('npy', 'npz', 'attention');

const bytesOf = ({ file }: Fixture): Uint8Array => readFileSync(join(folder, file));
const read = (fixture: Fixture, reading = ''): Promise<ImportedMatrix> =>
  parseMatrixFile({ name: fixture.file, bytes: bytesOf(fixture) }, { reading });

const drained = <T>(work: Generator<void, T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

/** Numbers of a page are float32. */
const rounded = (values: readonly number[]): number[] => values.map(Math.fround);

/** A sum of float32 differs from that of float64 by half a unit of each. */
function expectNumbers(data: Float32Array, wanted: Numbers): void {
  expect([...data.subarray(0, 8)]).toEqual(rounded(wanted.first ?? []));
  expect(data.at(-1)).toBe(Math.fround(wanted.last ?? Number.NaN));
  const size = data.reduce((sum, x) => sum + Math.abs(x), 0);
  const sum = data.reduce((all, x) => all + x, 0);
  expect(Math.abs(sum - (wanted.sum ?? Number.NaN))).toBeLessThanOrEqual(size * 2 ** -23);
}

/** Every matrix of an array through the door that the page uses, one after the other as C order has them. */
async function expectEveryMatrix(fixture: Fixture, member: string | undefined, wanted: Numbers) {
  const { shape } = wanted;
  const [rows, cols] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]];
  const before = shape.slice(0, -2).filter((size) => size > 1);
  const count = before.reduce((all, size) => all * size, 1);
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    let left = i;
    const at = before.map((_, axis) => {
      const inner = before.slice(axis + 1).reduce((of, size) => of * size, 1);
      const here = Math.floor(left / inner);
      left -= here * inner;
      return here;
    });
    const matrix = await read(fixture, readingOfArray({ member, at }));
    expect([matrix.rows, matrix.cols]).toEqual([rows, cols]);
    const axes = (matrix.choices ?? []).flatMap((one) => (one.kind === 'axis' ? [one] : []));
    expect(axes.map(({ length }) => length)).toEqual(before);
    expect(axes.map(({ index: here }) => here)).toEqual(at);
    all.push(...matrix.data);
  }
  expectNumbers(Float32Array.from(all), wanted);
}

/** The words of a reason that a sentence has to have. */
const ABOUT: readonly (readonly [why: RegExp, seen: RegExp])[] = [
  [/complex/, /complex64|complex128/],
  [/pickle|Python objects/i, /Python objects|pickle/],
  [/ends early: (\d+) of (\d+)/, /cut off/],
  [/end of the archive/, /end is missing/],
];

async function expectRefusal(fixture: Fixture): Promise<void> {
  const error = await read(fixture).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ImportError);
  const { seen, wanted } = error as ImportError;
  const why = fixture.why ?? '';
  const about = ABOUT.filter(([words]) => words.test(why));
  // A reason that this test does not know is not passed over.
  expect(about.length, why).toBeGreaterThan(0);
  for (const [, words] of about) expect(seen.text).toMatch(words);
  for (const number of /ends early: (\d+) of (\d+)/.exec(why)?.slice(1) ?? []) {
    expect(`${seen.text} ${wanted.text}`).toContain(number);
  }
  expect(wanted.text).not.toBe('');
}

describe('the files of index.json', () => {
  it('are all there, each is of a kind that is read here or elsewhere', () => {
    const known = new Set([...tables, ...arrays, ...of(...ELSEWHERE)]);
    expect(index.files.filter((one) => !known.has(one))).toEqual([]);
    const named = new Set(['index.json', ...index.files.map(({ file }) => file)]);
    expect(readdirSync(folder).filter((file) => !named.has(file))).toEqual([]);
    for (const { file, bytes } of index.files) {
      expect(existsSync(join(folder, file)), file).toBe(true);
      expect(readFileSync(join(folder, file)).length, file).toBe(bytes);
    }
  });
});

describe('a table as it was written', () => {
  it.each(tables.filter(({ expect: to }) => to === 'read'))('$file', async (fixture) => {
    const matrix = await read(fixture);
    expect([matrix.rows, matrix.cols]).toEqual(fixture.shape);
    expect([...matrix.data]).toEqual(rounded(fixture.data ?? []));
    expect(matrix.rowLabels ?? null).toEqual(fixture.row_names);
    expect(matrix.colLabels ?? null).toEqual(fixture.column_names);
  });
  const refused = tables.filter(({ expect: to }) => to === 'refuse');
  if (refused.length > 0) it.each(refused)('$file is refused', expectRefusal);
});

describe('arrays as they were written', () => {
  it.each(arrays.filter(({ expect: to }) => to === 'read'))('$file', async (fixture) => {
    const bytes = bytesOf(fixture);
    const wanted = fixture.arrays ?? [];
    expect(wanted.length).toBeGreaterThan(0);
    if (isNpy(bytes)) {
      const [only] = wanted as [Numbers];
      const array = npyHeader(bytes);
      expect([array.dtype, array.shape]).toEqual([only.dtype, only.shape]);
      expectNumbers(drained(allNumbers(bytes, array)), only);
      await expectEveryMatrix(fixture, undefined, only);
      return;
    }
    const archive = await readArchive(bytes);
    for (const one of wanted) {
      const array = archive.arrays.find(({ name }) => name === one.name);
      if (!array) throw new Error(`no array ${one.name} in ${fixture.file}`);
      expect([array.dtype, array.shape]).toEqual([one.dtype, one.shape]);
      const member = await array.member.all();
      if (one.text) {
        expect(textsOf(member, array)).toEqual(one.text);
        continue;
      }
      expectNumbers(drained(allNumbers(member, array)), one);
      await expectEveryMatrix(fixture, one.name, one);
    }
    const matrix = await read(fixture);
    const said = matrix.notes.map(({ text }) => text).join(' ');
    for (const [name, why] of Object.entries(fixture.members_refused ?? {})) {
      expect(archive.refused.map((one) => one.name)).toContain(name);
      expect(said).toContain(name);
      for (const [, words] of ABOUT.filter(([of]) => of.test(why))) expect(said).toMatch(words);
    }
    for (const other of archive.others) expect(said).toContain(other);
  });
  it.each(arrays.filter(({ expect: to }) => to === 'refuse'))('$file is refused', expectRefusal);
});
