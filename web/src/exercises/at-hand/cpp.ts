/**
 * What C++ has here: NumPy's functions of `attn/array/array.hpp`, and what `exercise.hpp` includes. A function that is
 * NumPy's has NumPy's line. Examples stand in the solutions, which are compiled.
 */
import { type Entry, type Group, lineOf } from './entry.ts';
import { python } from './python.ts';

/** Functions by the lines that Python's card has for them; names with the same line stay together. */
function numpys(names: string): readonly Entry[] {
  const lines = new Map<string, string[]>();
  for (const name of names.split(' ')) {
    const line =
      lineOf(python, 'np.', name) ?? lineOf(python, 'np.linalg.', name) ?? `NumPy’s ${name}`;
    lines.set(line, [...(lines.get(line) ?? []), name]);
  }
  return [...lines].map(([line, same]) => [same.join(' '), line]);
}

export const cpp: readonly Group[] = [
  {
    title: 'An Array x',
    before: 'x.',
    entries: [
      [
        'shape rank size dtype',
        'its lengths, one of them with an axis; axes, entries, type',
        'Q.shape(0)',
      ],
      ['row col', 'a view of one row or column: writing changes x'],
      ['rows cols', 'a view of rows or columns begin … end − 1'],
      ['slice take_at', 'a view along any axis'],
      ['reshape ravel', 'the same entries in another shape'],
      ['copy astype', 'entries of its own, of another type'],
      ['item values integers', 'its only number, all of them in a `std::vector`'],
      ['assign', 'writes values into a view, as `x.row(3) = y`'],
    ],
  },
  {
    title: 'Signs',
    before: '',
    loose: true,
    entries: [
      ['`x(i, j)`', 'one entry, to read and to write'],
      ['`x[i]`', 'a view along the first axis'],
      ['`+ - * /`', 'entry by entry, with arrays and numbers; also `+=` and the others'],
      ['`== != < <= > >= & | !`', 'conditions, entry by entry'],
    ],
  },
  {
    title: 'Making arrays',
    before: '',
    entries: [
      ['array', 'from numbers, from rows, from a `std::vector` and a shape'],
      ...numpys(
        'full zeros ones zeros_like ones_like full_like eye arange linspace tri tril triu diag diagonal',
      ),
    ],
  },
  {
    title: 'Entry by entry',
    before: '',
    entries: [
      [
        'exp expm1',
        'e to the power of each entry; `expm1` is eˣ − 1',
        'exp(logits - max(logits, 1, true))',
      ],
      ...numpys('abs sign square sqrt log log2 log10 log1p sin cos tan tanh floor ceil round'),
      ['erf', 'the error function'],
      ...numpys(
        'isnan isinf isfinite floor_divide remainder power maximum minimum where clip nan_to_num',
      ),
    ],
  },
  {
    title: 'Along an axis',
    before: '',
    entries: [
      [
        'sum prod mean max min var std any all',
        'of all entries or along an axis; `true` keeps the axis',
        'sum(weights, 1, true)',
      ],
      ...numpys(
        'argmax argmin cumsum cumprod diff median quantile percentile bincount cov corrcoef',
      ),
    ],
  },
  {
    title: 'Products',
    before: '',
    entries: [['matmul dot', 'the matrix product'], ...numpys('outer einsum trace')],
  },
  {
    title: 'Shapes',
    before: '',
    entries: numpys(
      'transpose swapaxes reshape expand_dims squeeze concatenate stack repeat tile roll flip broadcast_to broadcast_shapes',
    ),
  },
  {
    title: 'Choosing and ordering',
    before: '',
    entries: [
      ['index set_index', 'entries by a mask or by places: read, written'],
      ['apply_at', 'as `np.add.at`: places that occur several times count each time'],
      ...numpys('take take_along_axis put_along_axis nonzero sort argsort searchsorted unique'),
    ],
  },
  {
    title: 'Linear algebra',
    before: '',
    entries: [
      ...numpys('norm solve inv pinv lstsq eigh eigvalsh svd'),
      ['singular_values', 'of a matrix'],
      ...numpys('cholesky qr det slogdet matrix_rank'),
    ],
  },
  {
    title: 'Questions',
    before: '',
    entries: [
      ...numpys('isclose allclose array_equal'),
      ['compare', 'how far two arrays differ'],
      ['promote', 'the type of a result'],
      ['text', 'an array as NumPy prints it'],
    ],
  },
  {
    title: 'Feature maps',
    before: 'given::',
    entries: [['identity elu_plus_one relu squared_relu exp', 'rows to rows']],
  },
  {
    title: 'Included',
    before: '#include ',
    entries: [
      ['<cmath>', 'numbers: `std::sqrt`, `std::exp`, …'],
      ['<vector> <map> <tuple> <optional> <string>', 'containers'],
      ['<functional>', 'functions: a `FeatureMap` is a `std::function`'],
      ['<cstdint>', '`std::int64_t`, the type of whole numbers'],
      ['<iostream> <stdexcept>', 'output and errors'],
    ],
  },
];
