/**
 * Words exceptions plainly and keeps Python's type. MicroPython gives its exceptions no id, so its messages are
 * recognised by their text: the patterns below match the engine's sentences only. Errors of our own NumPy come with
 * an id and are worded by `explainOurs`.
 */

import type { Wording } from '#client/phrases';
import { errorOf, say } from '../run-phrases';
import type { RunError } from '../types';

interface Raised {
  /** The name of the exception's class. */
  readonly type: string;
  /** The names of the class and of its base classes. */
  readonly types: readonly string[];
  readonly message: string;
  /** The text of the student's line. */
  readonly source?: string | undefined;
  /** The id of an error of our own NumPy and parts of its message, with \x1f between them; empty for other errors. */
  readonly explained?: string;
}

type Rule = readonly [type: string, pattern: RegExp, words: (match: RegExpMatchArray) => Wording];

const operators: Readonly<Record<string, string>> = {
  __add__: '+',
  __sub__: '-',
  __mul__: '*',
  __truediv__: '/',
  __floordiv__: '//',
  __mod__: '%',
  __pow__: '**',
  __matmul__: '@',
  __lt__: '<',
  __le__: '<=',
  __gt__: '>',
  __ge__: '>=',
  __and__: '&',
  __or__: '|',
};

const kinds: Readonly<Record<string, Wording>> = {
  NoneType: say('kind_none'),
  ndarray: say('kind_array'),
  str: say('kind_text'),
  int: say('kind_whole'),
  float: say('kind_number'),
  list: say('kind_list'),
  tuple: say('kind_tuple'),
  dict: say('kind_dict'),
  function: say('kind_function'),
  bool: say('kind_bool'),
};
const kind = (name = '') => kinds[name] ?? say('kind_class', { name });

const shorter: Readonly<
  Record<string, 'no_entry_list' | 'no_entry_tuple' | 'no_entry_range' | 'no_entry_bytes'>
> = {
  list: 'no_entry_list',
  tuple: 'no_entry_tuple',
  range: 'no_entry_range',
  bytes: 'no_entry_bytes',
};

/** How deep calls can be nested. The number was measured; MicroPython's stack is fixed when it is compiled. */
const deepest = 150;
const tooDeep = say('too_deep', { n: deepest });

const rules: readonly Rule[] = [
  ['NameError', /name '(.+)' isn't defined/, ([, name = '']) => say('name_unknown', { name })],
  ['NameError', /local variable referenced before assignment/, () => say('name_unbound')],
  [
    'ImportError',
    /no module named '(.+)'/,
    ([, name = '']) => modules[name.split('.')[0] ?? ''] ?? say('no_module', { name }),
  ],
  ['ImportError', /can't import name (.+)/, ([, name = '']) => say('not_in_module', { name })],
  [
    'TypeError',
    /unsupported types? for (__\w+__): '(.+)', '(.+)'/,
    ([, method = '', left, right]) => {
      const sign = operators[method] ?? method;
      if (left === 'NoneType' || right === 'NoneType') return say('side_none', { sign });
      if (right === 'ndarray' && /^__[lg][te]__$/.test(method)) return say('array_left', { sign });
      if (left === 'list' && right === 'ndarray') return say('list_and_array', { sign });
      return say('not_between', { sign, left: kind(left), right: kind(right) });
    },
  ],
  [
    'TypeError',
    /unsupported type for (__\w+__): '(.+)'/,
    ([, method = '', name]) =>
      method === '__getitem__'
        ? say('no_brackets', { kind: kind(name) })
        : say('not_on', { sign: operators[method] ?? method, kind: kind(name) }),
  ],
  [
    'TypeError',
    /'(.+)' object isn't (subscriptable|callable|iterable)/,
    ([, name, what]) => {
      if (what === 'callable') return say('not_callable', { kind: kind(name) });
      if (what === 'iterable') return say('not_iterable', { kind: kind(name) });
      return name === 'NoneType'
        ? say('no_brackets_none')
        : say('no_brackets', { kind: kind(name) });
    },
  ],
  [
    'TypeError',
    /(?:(\S+)\(\) |function )takes (\d+) positional arguments but (\d+) were given/,
    ([, name, wanted, given]) =>
      name
        ? say('takes_arguments', { name, n: Number(wanted), given: Number(given) })
        : say('function_takes_arguments', { n: Number(wanted), given: Number(given) }),
  ],
  [
    'TypeError',
    /function missing (\d+) required positional arguments?/,
    ([, count]) =>
      count === '1' ? say('leaves_out_one') : say('leaves_out_several', { n: Number(count) }),
  ],
  [
    'TypeError',
    /function missing required (?:positional argument #(\d+)|keyword argument '(.+)')/,
    ([, place, name]) =>
      name ? say('leaves_out_name', { name }) : say('leaves_out_place', { place: Number(place) }),
  ],
  [
    'TypeError',
    /unexpected keyword argument '?([\w]+)?'?/,
    ([, name]) => (name ? say('no_parameter', { name }) : say('no_such_parameter')),
  ],
  ['TypeError', /can't convert float to int/, () => say('needs_whole')],
  [
    'ValueError',
    /too many values to unpack \(expected (\d+)\)/,
    ([, count]) => say('many_values', { n: Number(count) }),
  ],
  [
    'ValueError',
    /need more than (\d+) values to unpack/,
    ([, count]) => say('few_values', { n: Number(count) }),
  ],
  [
    'TypeError',
    /can't convert (\w+) to (int|float)/,
    ([, name, to]) =>
      name === 'ndarray'
        ? say('math_of_array')
        : say(to === 'int' ? 'no_whole_number' : 'no_number', { kind: kind(name) }),
  ],
  [
    'AttributeError',
    /'NoneType' object has no attribute '(.+)'/,
    ([, name = '']) => say('none_has_no', { name }),
  ],
  [
    'AttributeError',
    /^module 'sys' has no attribute '[gs]etrecursionlimit'$/,
    () => say('fixed_depth', { n: deepest }),
  ],
  [
    // What Python has and MicroPython lacks is called so.
    'AttributeError',
    /^(?:type object )?'\w+' (?:object )?has no attribute '(__\w+__)'$/,
    ([, name = '']) => say('left_out', { name }),
  ],
  [
    'AttributeError',
    /^'(?:function|closure|generator|bound_method)' object has no attribute '(\w+)'$/,
    ([, name = '']) => say('left_out', { name }),
  ],
  [
    'AttributeError',
    /^'(?:\w*(?:Error|Exception))' object has no attribute '(add_note|with_traceback)'$/,
    ([, name = '']) => say('left_out', { name }),
  ],
  [
    'AttributeError',
    /^module '_?\w+' has no attribute '(\w+)'$/,
    ([, name = '']) => say('not_in_module', { name }),
  ],
  [
    'AttributeError',
    /^'(\w+)' object has no attribute '(\w+)'$/,
    ([, type = '', name = '']) =>
      type === 'list' && ['shape', 'T', 'sum', 'mean', 'dot', 'reshape', 'dtype'].includes(name)
        ? say('list_has_no', { name })
        : say('has_no', { kind: kind(type), name }),
  ],
  ['ZeroDivisionError', /./, () => say('by_zero')],
  [
    'IndexError',
    /^(list|tuple|str|range|bytes)? ?index out of range/,
    ([, name = '']) => say(shorter[name] ?? 'no_entry_text'),
  ],
  ['KeyError', /(.+)/, ([, name = '']) => say('no_key', { name })],
  ['RuntimeError', /maximum recursion depth/, () => tooDeep],
  ['MemoryError', /./, () => say('no_memory')],
  ['RuntimeError', /pystack exhausted/, () => tooDeep],
  ['NotImplementedError', /only slices with step=1/, () => say('slice_step')],
  ['IndentationError', /unindent/, () => say('unindent')],
  ['IndentationError', /./, () => say('indent')],
  ['SyntaxError', /'return' outside function/, () => say('return_outside')],
  [
    'SyntaxError',
    /'(break|continue)' outside loop/,
    ([, word = '']) => say('outside_loop', { word }),
  ],
  ['SyntaxError', /can't assign to/, () => say('cannot_assign')],
  ['SyntaxError', /invalid syntax/, () => say('syntax')],
];

const modules: Readonly<Record<string, Wording>> = {
  matplotlib: say('no_matplotlib'),
  seaborn: say('no_seaborn'),
  scipy: say('no_scipy'),
  enum: say('no_enum'),
  pandas: say('no_pandas'),
  sklearn: say('no_sklearn'),
  jax: say('no_jax'),
  tensorflow: say('no_tensorflow'),
};

/** Words an error that our own NumPy raised, by its id. */
function explainOurs(explained: string, numpy: string): Wording | undefined {
  const [id, first = '', second = '', rank = '2'] = explained.split('\x1f');
  switch (id) {
    case 'matmul_sizes': {
      // `.T` turns a stack of matrices round, too.
      const phrase = Number(rank) > 2 ? 'shapes_of_stacks' : 'shapes_of_matmul';
      return say(phrase, { left: first, right: second, numpy });
    }
    case 'repeat_times':
      return say('whole_repeats', { numpy });
    case 'broadcast_shapes':
      return say('shapes_of_broadcast', { shapes: first });
    case 'array_memory':
      return say('no_memory_for', { what: first });
    case 'array_truth':
      return say('truth_of_array');
    default:
      return undefined;
  }
}

export function explain(raised: Raised): RunError {
  const { type, types, message, explained = '' } = raised;
  const ours = explainOurs(explained, message);
  if (ours) return errorOf(type, ours);
  for (const [name, pattern, words] of rules) {
    if (!types.includes(name)) continue;
    const match = message.match(pattern);
    if (match) return errorOf(named(type, message), words(match));
  }
  return message ? { type, message } : errorOf(type, say('was_raised', { type }));
}

/** Python's name for an error that MicroPython names differently. */
function named(type: string, message: string): string {
  if (type === 'NameError' && message.startsWith('local variable')) return 'UnboundLocalError';
  return type === 'RuntimeError' && /recursion|pystack/.test(message) ? 'RecursionError' : type;
}
