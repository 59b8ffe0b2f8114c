/**
 * The English messages about errors in a student's code: those of the Python interpreter and its linter, of the
 * JavaScript runtime and of the sandbox. NumPy's own messages are not here, because they are shown unchanged.
 */
import { phrasesOf, type Wording } from '#client/phrases';
import type { RunError } from './types';

export const runPhrases = {
  // Kinds of values.
  kind_none: 'None',
  kind_array: 'an array',
  kind_text: 'text',
  kind_whole: 'a whole number',
  kind_number: 'a number',
  kind_list: 'a list',
  kind_tuple: 'a tuple',
  kind_dict: 'a dict',
  kind_function: 'a function',
  kind_bool: 'True or False',
  kind_class: 'a `{name}`',
  // Names and modules.
  name_unknown:
    'The name `{name}` is not known here. Is it spelled right, and given a value before?',
  name_unbound: 'A name of this function is used before it is given a value.',
  no_module:
    'There is no module `{name}` here. There are numpy, torch (a small part), math, statistics, random, re, string, json, typing, dataclasses, functools, itertools, collections, operator, heapq, bisect, copy, time and pytest.',
  no_matplotlib:
    'Of matplotlib there is only matplotlib.pyplot here, and of that what draws pictures of attention.',
  no_seaborn: 'Of seaborn there is only heatmap here: import seaborn as sns.',
  no_scipy:
    'There is no scipy here. NumPy has np.exp, np.linalg and np.random; softmax is yours to write.',
  no_enum: 'There is no enum here. Write constants: `RED = 1`.',
  no_pandas: 'There is no pandas here. Use NumPy arrays, lists and dicts.',
  no_sklearn: 'There is no scikit-learn here. NumPy is.',
  no_jax: 'There is no JAX here. Use numpy.',
  no_tensorflow: 'There is no TensorFlow here. Use numpy, or the small torch.',
  not_in_module: 'The module has nothing called `{name}`, or this Python leaves it out.',
  // Operators, brackets and calls.
  side_none: 'One side of `{sign}` is None. A function without `return` gives None.',
  array_left: '`{sign}` needs the array on its left side here: write it the other way round.',
  list_and_array:
    'A list and an array do not go together with `{sign}`. Make the list an array: `np.array(…)`.',
  not_between: '`{sign}` does not work between {left} and {right}.',
  not_on: '`{sign}` does not work on {kind}.',
  no_brackets: 'Square brackets do not work on {kind}.',
  no_brackets_none: 'Square brackets do not work on None. A function without `return` gives None.',
  not_callable:
    '{^kind} is followed by round brackets as if it were a function. Is a `*` missing, or should the brackets be square?',
  not_iterable: 'A loop needs something with entries, and this is {kind}.',
  takes_arguments: '`{name}` takes {n} {n:argument|arguments}, and it was given {given}.',
  function_takes_arguments:
    'The function takes {n} {n:argument|arguments}, and it was given {given}.',
  leaves_out_one: 'The call leaves out an argument that the function needs.',
  leaves_out_several: 'The call leaves out {n} arguments that the function needs.',
  leaves_out_name: 'The call leaves out `{name}=`, which the function needs.',
  leaves_out_place: 'The call leaves out argument {place}, which the function needs.',
  no_parameter: 'The function has no parameter `{name}`. Is it spelled right?',
  no_such_parameter: 'The function has no parameter of that name. Is it spelled right?',
  // Values.
  needs_whole:
    'A whole number is needed here, and this one has a point. Use `int(…)` or divide with `//`.',
  math_of_array:
    "This function takes one number and was given an array. For arrays use NumPy's: `np.sqrt`, `np.exp`, `np.log`.",
  no_whole_number: '{^kind} is no whole number.',
  no_number: '{^kind} is no number.',
  many_values: 'There are more values on the right than the {n} names on the left of `=`.',
  few_values:
    'There {n:is|are} only {n} {n:value|values} on the right, fewer than the names on the left of `=`.',
  none_has_no: 'This is None, so it has no `.{name}`. A function without `return` gives None.',
  list_has_no: 'A list has no `.{name}`. Make it an array: `np.array(…)`.',
  has_no: '{^kind} has no `.{name}`.',
  by_zero: 'Division by zero.',
  no_entry_list: 'There is no entry at that place: the list is shorter. Counting begins at 0.',
  no_entry_tuple: 'There is no entry at that place: the tuple is shorter. Counting begins at 0.',
  no_entry_range: 'There is no entry at that place: the range is shorter. Counting begins at 0.',
  no_entry_bytes: 'There is no entry at that place: the bytes is shorter. Counting begins at 0.',
  no_entry_text: 'There is no entry at that place: the text is shorter. Counting begins at 0.',
  no_key: 'The dict has no entry `{name}`.',
  slice_step: 'Slices with a step work on arrays here, not on text or lists that are written to.',
  // Depth and memory.
  too_deep:
    'A function calls itself more than about {n} calls deep, which is the limit here. What should make it stop? If it has to go deeper, write a loop.',
  fixed_depth: 'The depth of recursion is fixed here, at about {n} calls. Write it as a loop.',
  no_memory_for: 'There is not so much memory: {what}. Look at the sizes of the arrays you make.',
  no_memory:
    'Your code asked for more memory than there is. Look at the size of the arrays and lists it makes.',
  memory_gone:
    'Your code asked for more memory than there is. Look at the sizes of the arrays and lists it makes.',
  interpreter_stopped: 'Python itself stopped working ({reason}). Run your code again.',
  // Shapes.
  shapes_of_matmul:
    '`@` needs as many columns on the left as rows on the right: {left} and {right}. Is a transpose missing? ({numpy})',
  shapes_of_stacks:
    '`@` needs as many columns on the left as rows on the right: {left} and {right}. Of a stack of matrices `.T` turns every axis round; `.swapaxes(-1, -2)` transposes each matrix. ({numpy})',
  whole_repeats: '{numpy}: `np.repeat` takes whole numbers, as `h // g` is and `h / g` is not.',
  shapes_of_broadcast:
    'These shapes do not fit each other: {shapes}. From the last axis on, lengths must be equal or 1; keepdims=True keeps an axis.',
  truth_of_array:
    'An array of several entries is neither True nor False. Use np.where, a mask, or .any() and .all().',
  was_raised: '{type} was raised.',
  // Syntax that Python does not understand, found before the file runs.
  unindent: 'This line is indented like none of the lines before it.',
  indent: 'This line is indented by mistake, or the one before it is not.',
  return_outside: '`return` stands outside of a function. Is it indented?',
  outside_loop: '`{word}` stands outside of a loop.',
  cannot_assign: 'Nothing can be assigned to what stands left of `=`. To compare, write `==`.',
  syntax: 'Python does not understand this line, or the end of the one before it.',
  syntax_at: 'Python does not understand this line at `{near}`.',
  print_brackets: '`print` needs brackets: `print(x)`.',
  open_quote: 'The quote that opens here is never closed.',
  open_bracket: 'The bracket `{open}` that opens here is never closed with `{close}`.',
  no_open_bracket: 'There is no open bracket for this `{sign}`.',
  no_colon: 'A colon `:` is missing at the end of this line.',
  no_body: 'After the colon comes an indented line. If there is nothing to do yet, write `pass`.',
  one_equals: 'One `=` gives a name a value. To compare, write `==`.',
  belongs_to_nothing:
    'This `{word}` belongs to nothing: look at its indentation and at the line before.',
  after_sign: 'Something is missing after this sign.',
  after_word: 'Something is missing after `{word}`.',
  before_sign: 'Something is missing before this sign.',
  side_by_side:
    '`{left}` and `{right}` stand side by side. An operator, a comma or a line break is missing between them.',
  other_bracket: '`{sign}` cannot close the bracket `{open}`, which is open here. Write `{close}`.',
  return_assigns:
    '`return` gives a value back and cannot give a name to one: no `=` here. To compare, write `==`.',
  misspelled: 'Python has no word `{word}`. Did you mean `{meant}`?',
  reserved_word: '`{word}` is a word of Python itself and cannot be a name. Choose another one.',
  statement_inside: '`{word}` begins a statement of its own. It belongs on a new line.',
  else_condition: '`else` takes no condition. With a condition, write `elif`.',
  def_form: 'A name and brackets are wanted here, as in `def f(x):`.',
  for_form: 'The word `in` is missing: a loop is written `for i in range(n):`.',
  import_form: 'An import is written `import numpy as np` or `from math import sqrt`.',
  if_without_else: 'An `if` within a value also needs an `else`: `a if condition else b`.',
  lambda_colon: 'A colon is missing after the parameters of `lambda`.',
  stray_colon:
    'A colon at the end belongs to lines that begin with `def`, `if`, `for` and the like; this one does not.',
  sign_instead: 'The sign `{sign}` is not used here. Write `{instead}`.',
  sign_unknown: 'The sign `{sign}` means nothing to Python.',
  // Features that this Python lacks.
  write_instead: '`{what}` is not in this Python. Write `{instead}`.',
  left_out: '`{name}` is not in this Python.',
  several_bases:
    'Several bases that share a base, or that call `super()`, are not in this Python. Let the class have one base, and keep the others in attributes.',
  type_parameters: 'Type parameters in square brackets are not in this Python. Leave them out.',
  lambda_in_fstring: 'A `lambda` inside an f-string is not in this Python. Give it a name before.',
  star_needs_brackets:
    'Put brackets around it: `(*a, b)`. Without them this Python does not unpack here.',
  class_keywords: 'Keywords such as `metaclass=` are not in this Python. Leave them out.',
  named_letters:
    'Names such as `\\N{GREEK SMALL LETTER PHI}` are not in this Python. Type the sign itself.',
  // The function that the exercise asks for.
  no_function: 'There is no function `{name}` in your file. Keep its name as it was.',
  measured_lists: 'This task measures your lists, so your code cannot use `{name}`.',
  no_longer_function: '`{name}` is no function: something else was given that name.',
  // Matrices of JavaScript.
  m_times:
    '`times` needs as many columns on the left as rows on the right: {left} and {right}. Is a `transpose()` missing?',
  m_shapes:
    '`{name}` goes entry by entry, and {one} and {other} do not fit. Rows and columns must be equal, or 1, which is repeated.',
  m_times_takes:
    '`times` multiplies by a matrix and was given `{given}`. To scale by a number, write `mul`.',
  m_signs:
    'Signs such as + and * do not work on matrices, nor does `Math.exp`. Write `a.plus(b)`, `a.minus(b)`, `a.times(b)` (the matrix product), `a.mul(b)` and `a.div(b)` (entry by entry), `a.exp()`. In a text, write `String(a)`.',
  m_brackets:
    'A matrix has no entries in brackets. Read one with `m.get(i, j)`, and write one with `m.set(i, j, x)`.',
  m_takes: '`{name}` takes a matrix and was given `{given}`.',
  m_takes_either: '`{name}` takes a matrix or a number and was given `{given}`.',
  m_map: '`map` takes a function, such as `(x) => 2 * x`, and was given `{given}`.',
  m_no_entry:
    '`{name}({row}, {column})` lies outside: the matrix is {shape}, and counting begins at 0.',
  m_no_row: 'There is no row `{row}`: the matrix is {shape}, and counting begins at 0.',
  m_slice_rows: 'Rows `{from}` to `{to}` do not lie in the matrix, which is {shape}.',
  m_slice_columns: 'Columns `{from}` to `{to}` do not lie in the matrix, which is {shape}.',
  m_above: '`concatRows` needs equally many columns: {one} and {other}.',
  m_beside: '`concatCols` needs equally many rows: {one} and {other}.',
  m_empty: '`{name}` needs at least one entry, and the matrix is {shape}.',
  m_sizes: 'A matrix has whole numbers of rows and columns, not `{rows}` and `{columns}`.',
  m_numbers: 'A {rows}×{columns} matrix holds {n} numbers, and it was given {given}.',
  m_uneven: 'All rows are equally long: row 0 has {n} numbers, row {row} has {given}.',
  m_memory:
    'A {rows}×{columns} matrix takes {needs} MiB, and a run has {most} MiB. Look at the sizes of the matrices you make.',
  // What a function in JavaScript returned.
  result_itself: 'Your function returned something that holds itself.',
  result_kind: 'Your function returned a {kind}, which cannot be compared.',
  result_promise: 'Your function returned a promise. Leave out `async` and `await`.',
  // JavaScript and the sandbox.
  js_endless:
    'A function calls itself without end, or too often for one call. What should make it stop?',
  js_declared:
    '`{name}` is declared here a second time. Choose another name, or leave out `const` or `let` to give it a new value.',
  js_cannot_assign: 'Nothing can be assigned to what stands left of `=`. To compare, write `===`.',
  js_const_value: '`const` needs a value at once. To give one later, write `let`.',
  js_syntax: 'JavaScript does not understand this line, or the end of the one before it.',
  misspelled_js: 'JavaScript has no word `{word}`. Did you mean `{meant}`?',
  js_head: 'What follows `{word}` stands in round brackets.',
  sign_unknown_js: 'The sign `{sign}` means nothing to JavaScript.',
  js_memory:
    'An array this large does not fit into the memory of a run. Look at the sizes of the arrays you make.',
  js_export: 'Leave out `export`: the function is found by its name.',
  js_import: 'Leave out `import`: `Matrix` and the given functions are there already.',
  no_answer:
    'Your function did not answer within {seconds} s and was stopped. Does a loop never end?',
  much_print: 'Your code printed more than 2 000 000 characters and was stopped.',
  run_memory: 'Your code used up the memory of a run. Look at the sizes of the arrays you make.',
  worker_gone: 'The browser ended the run, most likely because your code took too much memory.',
  stopped_by_user: 'You stopped it.',
} as const;

export const say = phrasesOf('run', runPhrases);

/** Makes the error of a student's code from one of our phrases. */
export const errorOf = (type: string, said: Wording): RunError => ({
  type,
  message: said.text,
  said,
});
