/** Targets for files that a visitor drops on the page: matrices as `.npy` and as tables, and whole experiments. */

import { matrixToCsv } from '../../../web/src/export/csv';
import { experimentToJson, parseExperiment } from '../../../web/src/export/experiment';
import { parseCsv } from '../../../web/src/import/csv';
import {
  ImportError,
  type ImportedMatrix,
  parseMatrixFile,
} from '../../../web/src/import/matrix-file';
import { parseNpy } from '../../../web/src/import/npy';
import { float32, npyFile } from '../../web/npy-file';
import { zipFile } from '../../web/zip-file';
import { jsonChange } from '../mutate';
import {
  bytesOf,
  inJson,
  must,
  mustBeEqual,
  mustBeSaid,
  type Outcome,
  readOrRefused,
  type Target,
  textOf,
} from '../target';

function wholeRead(read: () => ImportedMatrix): ImportedMatrix | undefined {
  try {
    const found = readOrRefused(read, ImportError);
    if (!found) return undefined;
    const { rows, cols, data, rowLabels, colLabels, notes } = found.value;
    must(data instanceof Float32Array, 'the entries are no Float32Array');
    must(data.length === rows * cols && data.length > 0, `${rows}×${cols} of ${data.length}`);
    must(data.every(Number.isFinite), 'an entry that is not finite');
    must((rowLabels?.length ?? rows) === rows, `${rowLabels?.length} names of ${rows} rows`);
    must((colLabels?.length ?? cols) === cols, `${colLabels?.length} names of ${cols} columns`);
    for (const note of notes) mustBeWhole(note.text);
    return found.value;
  } catch (error) {
    if (error instanceof ImportError) mustBeSaid(error);
    throw error;
  }
}

/** Checks that no slot of a phrase is open. What a phrase quotes of the file may look like one. */
const mustBeWhole = (text: string, quoted = ''): void =>
  must(
    text !== '' && (text.match(/\{\w+\}/g) ?? []).every((slot) => quoted.includes(slot)),
    `a phrase that is not filled: ${text}`,
  );

const drained = <T>(work: Generator<void, T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

const numbers = ({ rows, cols, data }: ImportedMatrix) => ({ rows, cols, data });

const npy: Target = {
  name: 'npy',
  rounds: 20_000,
  seeds: [
    npyFile({ data: float32([1, 2, 3, 4, 5, 6]) }),
    npyFile({ version: 3, fortranOrder: true, data: float32([1, 2, 3, 4, 5, 6]) }),
    npyFile({ version: 2, descr: '>i2', data: new Uint8Array(12) }),
    npyFile({ descr: '<f8', shape: '(1, 3)' }),
    npyFile({ descr: '<f2', shape: '(3, 4)' }),
    npyFile({ descr: '|V2', shape: '(2, 1, 3, 2)' }),
    npyFile({ descr: '|b1', shape: '(4, 6)' }),
    npyFile({ header: "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }" }),
  ],
  words: [
    ...["'descr': ", "'fortran_order': ", "'shape': ", 'True', 'False', 'None', '(2, 3)', '(6,)'],
    ...["'<f4'", "'>f8'", "'|b1'", "'<i8'", "'<u8'", "'<f2'", "'=f4'", "'c16'", "'O'", '[(', ')]'],
    ...['\\', '"', "'", 'L', '{', '}', ', ', '(((((((((((((((((', '999999999999999999999'],
    ...['\x93NUMPY\x01\x00', '\x93NUMPY\x02\x00', 'toString', 'constructor'],
  ],
  check(input): Outcome {
    const read = wholeRead(() => drained(parseNpy(input)));
    if (!read) return 'refused';
    const { rows, cols, data } = read;
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const again = drained(parseNpy(npyFile({ shape: `(${rows}, ${cols})`, data: bytes })));
    mustBeEqual(again, { ...numbers(read), notes: [] }, 'written and read again');
    return 'read';
  },
};

const tables = [
  '1,2.5,-3\n4,5e-3,6\n',
  '# note\n,"a ""b""",c\nthe,1,2\n"cat\r\n",3,4\r\n',
  '1,5;2;3\r\n4;5,25;6\r\n',
  '1\t2\t3\n4\t5\t6\n',
  '  1  2 3\n 4 5 6\n',
  'a,b\n1,2\n3,4\n',
  'x;1;2\ny;3;4;\n',
];

const csv: Target = {
  name: 'csv',
  rounds: 20_000,
  seeds: tables.map(bytesOf),
  words: [
    ...[',', ';', '\t', ' ', '\n', '\r\n', '\r', '"', '""', '#', '−', '\uFEFF', '\0', '1,5', '1.5'],
    ...[
      'nan',
      '-inf',
      '∞',
      '1e',
      'e5',
      '.5',
      '5.',
      '+',
      '-',
      'name',
      '""""',
      ',,',
      '","',
      '\xff\xfe',
    ],
  ],
  async check(input): Promise<Outcome> {
    const read = wholeRead(() => drained(parseCsv(input)));
    if (!read) return 'refused';
    const { rowLabels, colLabels } = read;
    const text = await matrixToCsv(read, {
      ...(rowLabels && { rowLabels }),
      ...(colLabels && { colLabels }),
    });
    const again = drained(parseCsv(bytesOf(text)));
    mustBeEqual(numbers(again), numbers(read), 'written and read again');
    if (rowLabels) mustBeEqual(again.rowLabels, rowLabels, 'names of rows, read again');
    if (colLabels) mustBeEqual(again.colLabels, colLabels, 'names of columns, read again');
    return 'read';
  },
};

/** Deflate's own way to store: one last block as it is. */
const storedBlock = (data: Uint8Array): Uint8Array =>
  Uint8Array.of(
    1,
    data.length & 255,
    data.length >> 8,
    ~data.length & 255,
    (~data.length >> 8) & 255,
    ...data,
  );

/** Any file, recognised by its contents, with a name that may suggest another type. */
const file: Target = {
  name: 'file',
  rounds: 15_000,
  seeds: [
    ...[...npy.seeds.slice(0, 3), ...tables.slice(0, 3).map(bytesOf)],
    zipFile([{ name: 'Q.npy', data: npyFile({}) }]),
    zipFile([{ name: 'Q.npy', data: npyFile({}), deflated: storedBlock, wide: 'everywhere' }], {
      wide: true,
    }),
    ...['PK\x03\x04', '\x1f\x8b', '%PDF', '{"a": 1}', '[[1, 2]]', 'MATLAB 5.0 MAT'].map(bytesOf),
    Uint8Array.of(0xff, 0xfe, 0x31, 0, 0x2c, 0, 0x32, 0),
    Uint8Array.of(0x80, 0x04, 0x95),
  ],
  words: [...npy.words.slice(0, 12), ...csv.words],
  async check(input): Promise<Outcome> {
    const name = ['q.npy', 'q.csv', 'q'][input.length % 3] as string;
    try {
      const read = await parseMatrixFile({ name, bytes: input });
      return wholeRead(() => read) ? 'read' : 'refused';
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      mustBeSaid(error);
      mustBeWhole(error.seen.text, textOf(input));
      mustBeWhole(error.wanted.text);
      return 'refused';
    }
  },
};

const experiment: Target = {
  name: 'experiment',
  rounds: 12_000,
  seeds: [
    '{"format":"attention-labs/experiment","version":1,"lab":"a","link":"?n=1","results":{"mse":1,"x":null},"matrices":{"q":{"rows":1,"cols":2,"data":[1,2]},"k":{"rows":1,"cols":1,"data":[1]},"v":{"rows":1,"cols":1,"data":[-0.5]}}}',
    '{"format":"attention-labs/experiment","version":1,"lab":"complexity","link":"","settings":{"n":64,"map":"relu","causal":true}}',
    '{"format":"attention-labs/experiment","version":1,"lab":"a","link":"","settings":{"n":-0},"results":{"mse":-0},"matrices":{"q":{"rows":1,"cols":1,"data":[-0]},"k":{"rows":1,"cols":1,"data":[1]},"v":{"rows":1,"cols":1,"data":[1]}}}',
  ].map(bytesOf),
  words: [
    '"format"',
    '"matrices"',
    '"rows":',
    '"data":[',
    'null',
    '{}',
    '[]',
    '"version":2',
    '1e39',
  ],
  change: jsonChange(['lab', 'link', 'settings', 'results', 'matrices', 'rows', 'cols', 'data']),
  async check(input): Promise<Outcome> {
    const found = readOrRefused(() => parseExperiment(textOf(input)), ImportError);
    if (!found) return 'refused';
    // The entries of matrices are written one by one, and keep −0; everything else is written by JSON.stringify.
    const { matrices, ...rest } = found.value;
    mustBeEqual(
      parseExperiment(await experimentToJson(found.value)),
      { ...inJson(rest), ...(matrices && { matrices }) },
      'written and read again',
    );
    return 'read';
  },
};

export const files = [npy, csv, file, experiment];
