/** What JavaScript has here: the class Matrix, Math, the language. Examples use the names that the test gives them. */
import type { Group } from './entry.ts';

export const javascript: readonly Group[] = [
  {
    title: 'Making a matrix',
    before: 'Matrix.',
    entries: [
      ['zeros', 'rows × columns, all 0', 'Matrix.zeros(n, d)'],
      ['full', 'rows × columns, all one value', 'Matrix.full(n, d, -Infinity)'],
      [
        'from',
        'from lists of rows; a list of numbers becomes one row',
        'Matrix.from([[1, 2], [3, 4]])',
      ],
      ['identity', 'ones on the diagonal', 'Matrix.identity(n)'],
    ],
  },
  {
    title: 'A matrix m',
    before: 'm.',
    entries: [
      [
        'rows cols shape',
        'its sizes; `shape` is a text such as "4×8". A vector has one row',
        'm.rows * m.cols',
      ],
      ['get set', 'one entry, counted from 0', 'm.set(0, 1, m.get(1, 0))'],
      ['data', 'all entries, row after row; writing changes the matrix', 'm.data[1 * m.cols + 0]'],
      ['row', 'a copy of one row, 1×cols', 'm.row(0)'],
      ['slice', 'a copy of rows r0 … r1 − 1 and columns c0 … c1 − 1', 'm.slice(0, 2, 1, 3)'],
      ['times', 'the matrix product', 'Q.times(K.transpose())'],
      ['transpose', 'rows and columns exchanged', 'm.transpose()'],
      [
        'plus minus mul div',
        'entry by entry with a number, a matrix, a row or a column; the signs + − * / do not work',
        'm.minus(m.maxRows())',
      ],
      ['maximum', 'the larger of each pair of entries', 'm.maximum(0)'],
      [
        'map',
        'a function of each entry, its row and its column',
        'm.map((x, i, j) => (j > i ? 0 : x))',
      ],
      ['exp sqrt', 'of each entry', 'm.exp()'],
      ['sumRows maxRows', 'of each row: rows×1', 'm.div(m.sumRows())'],
      ['sumCols', 'of each column: 1×cols', 'm.sumCols()'],
      ['sum max min', 'of all entries: a number', 'm.max()'],
      ['concatRows concatCols', 'with another matrix below or beside it', 'm.concatRows(m)'],
      ['clone toArray', 'a copy; a list of rows', 'm.toArray()[0]'],
    ],
  },
  {
    title: 'Math',
    before: 'Math.',
    entries: [
      ['exp expm1 pow sqrt cbrt', 'powers and roots', 'Math.exp(-1)'],
      ['log log2 log10 log1p', 'logarithms', 'Math.log(2)'],
      ['max min abs sign', 'of numbers', 'Math.max(...m.row(0).data)'],
      [
        'floor ceil round trunc fround',
        'whole numbers nearby; `fround` rounds to float32',
        'Math.floor(n / 2)',
      ],
      ['sin cos tan asin acos atan atan2', 'angles in radians', 'Math.atan2(1, 1)'],
      [
        'sinh cosh tanh asinh acosh atanh hypot',
        'hyperbolic functions, √(x² + y²)',
        'Math.tanh(1)',
      ],
      ['random imul clz32', 'chance, and whole numbers of 32 bits', 'Math.imul(3, 4)'],
      ['PI E LN2 LN10 LOG2E LOG10E SQRT2 SQRT1_2', 'constants', 'Math.PI'],
    ],
  },
  {
    title: 'Names of their own',
    before: '',
    entries: [
      ['identity eluPlusOne relu squaredRelu', 'feature maps: rows to rows', 'eluPlusOne(m)'],
      ['console', 'what you print stands in the report', 'console.log(m)'],
      [
        'Array Map Set JSON Number Float32Array Float64Array',
        'those of the language',
        'Array.from({ length: n }, (_, i) => i)',
      ],
      [
        'Infinity NaN isNaN isFinite',
        'numbers that are none, and questions',
        'Number.isFinite(m.max())',
      ],
    ],
  },
  {
    title: 'The language',
    before: '',
    loose: true,
    entries: [
      ['several results', 'a list, in the order of the task', '[Q.times(V.transpose()), m]'],
      ['a stack of heads', 'a list of matrices', '[Q, K].map((head) => head.rows)'],
      ['defaults', 'an argument that may be left out', '((x, scale = true) => scale)(1)'],
      ['destructuring', 'several names at once', '(([a, ...rest]) => rest.length)([1, 2, 3])'],
    ],
  },
];
