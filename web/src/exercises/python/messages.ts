/** Exceptions in plain words. The type stays Python's; what NumPy says about shapes is kept. */

import type { RunError } from '../types';

interface Raised {
  /** Its class. */
  readonly type: string;
  /** The class and those above it. */
  readonly types: readonly string[];
  readonly message: string;
  /** The student's line. */
  readonly source?: string | undefined;
}

type Rule = readonly [type: string, pattern: RegExp, say: (match: RegExpMatchArray) => string];

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

const kinds: Readonly<Record<string, string>> = {
  NoneType: 'None',
  ndarray: 'an array',
  str: 'text',
  int: 'a whole number',
  float: 'a number',
  list: 'a list',
  tuple: 'a tuple',
  dict: 'a dict',
  function: 'a function',
  bool: 'True or False',
};
const kind = (name = '') => kinds[name] ?? `a \`${name}\``;

/** Calls within each other, measured: MicroPython's stack is fixed when it is compiled. */
const deepest = 150;
const tooDeep = `A function calls itself more than about ${deepest} calls deep, which is the limit here. What should make it stop? If it has to go deeper, write a loop.`;

const rules: readonly Rule[] = [
  [
    'NameError',
    /name '(.+)' isn't defined/,
    ([, name]) =>
      `The name \`${name}\` is not known here. Is it spelled right, and given a value before?`,
  ],
  [
    'NameError',
    /local variable referenced before assignment/,
    () => 'A name of this function is used before it is given a value.',
  ],
  [
    'ImportError',
    /no module named '(.+)'/,
    ([, name = '']) =>
      modules[name.split('.')[0] ?? ''] ??
      `There is no module \`${name}\` here. There are numpy, torch (a small part), math, typing, dataclasses, functools, itertools, collections, time, random and pytest.`,
  ],
  [
    'ImportError',
    /can't import name (.+)/,
    ([, name]) => `The module has nothing called \`${name}\`, or this Python leaves it out.`,
  ],
  [
    'TypeError',
    /unsupported types? for (__\w+__): '(.+)', '(.+)'/,
    ([, method = '', left, right]) => {
      const sign = operators[method] ?? method;
      if (left === 'NoneType' || right === 'NoneType')
        return `One side of \`${sign}\` is None. A function without \`return\` gives None.`;
      if (right === 'ndarray' && /^__[lg][te]__$/.test(method))
        return `\`${sign}\` needs the array on its left side here: write it the other way round.`;
      if (left === 'list' && right === 'ndarray')
        return `A list and an array do not go together with \`${sign}\`. Make the list an array: \`np.array(…)\`.`;
      return `\`${sign}\` does not work between ${kind(left)} and ${kind(right)}.`;
    },
  ],
  [
    'TypeError',
    /unsupported type for (__\w+__): '(.+)'/,
    ([, method = '', name]) =>
      method === '__getitem__'
        ? `Square brackets do not work on ${kind(name)}.`
        : `\`${operators[method] ?? method}\` does not work on ${kind(name)}.`,
  ],
  [
    'TypeError',
    /'(.+)' object isn't (subscriptable|callable|iterable)/,
    ([, name, what]) => {
      if (what === 'callable')
        return `${capital(kind(name))} is followed by round brackets as if it were a function. Is a \`*\` missing, or should the brackets be square?`;
      if (what === 'iterable')
        return `A loop needs something with entries, and this is ${kind(name)}.`;
      return `Square brackets do not work on ${kind(name)}.${name === 'NoneType' ? ' A function without `return` gives None.' : ''}`;
    },
  ],
  [
    'TypeError',
    /(?:(\S+)\(\) |function )takes (\d+) positional arguments but (\d+) were given/,
    ([, name, wanted, given]) =>
      `${name ? `\`${name}\`` : 'The function'} takes ${wanted} argument${wanted === '1' ? '' : 's'}, and it was given ${given}.`,
  ],
  [
    'TypeError',
    /function missing (\d+) required positional arguments?/,
    ([, count]) =>
      `The call leaves out ${count === '1' ? 'an argument' : `${count} arguments`} that the function needs.`,
  ],
  [
    'TypeError',
    /function missing required (?:positional argument #(\d+)|keyword argument '(.+)')/,
    ([, place, name]) =>
      name
        ? `The call leaves out \`${name}=\`, which the function needs.`
        : `The call leaves out argument ${place}, which the function needs.`,
  ],
  [
    'TypeError',
    /unexpected keyword argument '?([\w]+)?'?/,
    ([, name]) =>
      `The function has no parameter${name ? ` \`${name}\`` : ' of that name'}. Is it spelled right?`,
  ],
  [
    'TypeError',
    /can't convert float to int/,
    () =>
      'A whole number is needed here, and this one has a point. Use `int(…)` or divide with `//`.',
  ],
  [
    'ValueError',
    /too many values to unpack \(expected (\d+)\)/,
    ([, count]) =>
      `There are more values on the right than the ${count} names on the left of \`=\`.`,
  ],
  [
    'ValueError',
    /need more than (\d+) values to unpack/,
    ([, count]) =>
      `There ${count === '1' ? 'is only 1 value' : `are only ${count} values`} on the right, fewer than the names on the left of \`=\`.`,
  ],
  [
    'TypeError',
    /can't convert (\w+) to (int|float)/,
    ([, name, to]) =>
      name === 'ndarray'
        ? `This function takes one number and was given an array. For arrays use NumPy's: \`np.sqrt\`, \`np.exp\`, \`np.log\`.`
        : `${capital(kind(name))} is no ${to === 'int' ? 'whole ' : ''}number.`,
  ],
  [
    'AttributeError',
    /'NoneType' object has no attribute '(.+)'/,
    ([, name]) =>
      `This is None, so it has no \`.${name}\`. A function without \`return\` gives None.`,
  ],
  [
    'AttributeError',
    /^'(\w+)' object has no attribute '(\w+)'$/,
    ([, type = '', name = '']) =>
      type === 'list' && ['shape', 'T', 'sum', 'mean', 'dot', 'reshape', 'dtype'].includes(name)
        ? `A list has no \`.${name}\`. Make it an array: \`np.array(…)\`.`
        : `${capital(kind(type))} has no \`.${name}\`.`,
  ],
  [
    'AttributeError',
    /^module 'sys' has no attribute '[gs]etrecursionlimit'$/,
    () => `The depth of recursion is fixed here, at about ${deepest} calls. Write it as a loop.`,
  ],
  ['ZeroDivisionError', /./, () => 'Division by zero.'],
  [
    'IndexError',
    /^(list|tuple|str|range|bytes)? ?index out of range/,
    ([, name]) =>
      `There is no entry at that place: the ${name && name !== 'str' ? name : 'text'} is shorter. Counting begins at 0.`,
  ],
  ['KeyError', /(.+)/, ([, name]) => `The dict has no entry \`${name}\`.`],
  ['RuntimeError', /maximum recursion depth/, () => tooDeep],
  [
    'MemoryError',
    /^(an array of shape .*)$/,
    ([, what = '']) =>
      `There is not so much memory: ${what}. Look at the sizes of the arrays you make.`,
  ],
  [
    'MemoryError',
    /./,
    () =>
      'Your code asked for more memory than there is. Look at the size of the arrays and lists it makes.',
  ],
  ['RuntimeError', /pystack exhausted/, () => tooDeep],
  [
    'NotImplementedError',
    /only slices with step=1/,
    () => 'Slices with a step work on arrays here, not on text or lists that are written to.',
  ],
  ['IndentationError', /unindent/, () => 'This line is indented like none of the lines before it.'],
  ['IndentationError', /./, () => 'This line is indented by mistake, or the one before it is not.'],
  [
    'SyntaxError',
    /'return' outside function/,
    () => '`return` stands outside of a function. Is it indented?',
  ],
  [
    'SyntaxError',
    /'(break|continue)' outside loop/,
    ([, word]) => `\`${word}\` stands outside of a loop.`,
  ],
  [
    'SyntaxError',
    /can't assign to/,
    () => 'Nothing can be assigned to what stands left of `=`. To compare, write `==`.',
  ],
  [
    'SyntaxError',
    /invalid syntax/,
    () => 'Python does not understand this line, or the end of the one before it.',
  ],
  [
    'ValueError',
    /matmul: Input operand 1 has a mismatch in its core dimension 0.*\(size (\d+) is different from (\d+)\)/,
    ([whole, second, first]) =>
      `\`@\` needs as many columns on the left as rows on the right: ${first} and ${second}. Is a transpose missing? (${whole})`,
  ],
  [
    'ValueError',
    /operands could not be broadcast together with shapes (.+)/,
    ([, shapes]) =>
      `These shapes do not fit each other: ${shapes}. From the last axis on, lengths must be equal or 1; keepdims=True keeps an axis.`,
  ],
  [
    'ValueError',
    /truth value of an array/,
    () =>
      'An array of several entries is neither True nor False. Use np.where, a mask, or .any() and .all().',
  ],
];

const modules: Readonly<Record<string, string>> = {
  matplotlib:
    'There is no matplotlib here: the page draws what your function returns. Leave the plot out.',
  seaborn:
    'There is no seaborn here: the page draws what your function returns. Leave the plot out.',
  scipy:
    'There is no scipy here. NumPy has np.exp, np.linalg and np.random; softmax is yours to write.',
  enum: 'There is no enum here. Write constants: `RED = 1`.',
  pandas: 'There is no pandas here. Use NumPy arrays, lists and dicts.',
  sklearn: 'There is no scikit-learn here. NumPy is.',
  jax: 'There is no JAX here. Use numpy.',
  tensorflow: 'There is no TensorFlow here. Use numpy, or the small torch.',
};

export function explain(raised: Raised): RunError {
  const { types, message } = raised;
  const [type = raised.type] = [raised.type];
  for (const [name, pattern, say] of rules) {
    if (!types.includes(name)) continue;
    const match = message.match(pattern);
    if (match) return { type: named(type, message), message: say(match) };
  }
  return { type, message: message || `${type} was raised.` };
}

/** Python's own name for what MicroPython calls otherwise. */
function named(type: string, message: string): string {
  return type === 'RuntimeError' && /recursion|pystack/.test(message) ? 'RecursionError' : type;
}

const capital = (text: string) => text.replace(/^`?[a-z]/, (letter) => letter.toUpperCase());
