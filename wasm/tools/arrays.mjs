// Writes the methods of `Arrays` and of its random generators from the declarations in
// wasm/src/arrays/arrays.cpp: what client.mjs puts into build/wasm/client/arrays.ts.

/**
 * How each kind of argument is typed and passed on, and how a result is. `wire` is the boundary
 * (wasm/client/arrays/boundary.ts), and `optional` says that an argument without a default may be left out.
 */
const kinds = {
  array: { type: 'Handle', result: (call) => `wire.made(${call})` },
  maybeArray: { type: 'Handle | null', pass: (x) => `${x} ?? 0` },
  integer: {
    type: 'number',
    pass: (x) => `clampInt(${x})`,
    result: (call) => `wire.number(${call})`,
  },
  maybeInteger: { type: 'number | null', optional: true, pass: (x) => `maybeInt(${x})` },
  number: { type: 'number', result: (call) => `wire.real(${call})` },
  maybeNumber: { type: 'number', optional: true, pass: (x) => `${x} ?? Number.NaN` },
  boolean: {
    type: 'boolean',
    pass: (x) => `Number(${x})`,
    result: (call) => `wire.number(${call}) === 1`,
  },
  integers: {
    type: 'readonly number[]',
    pass: (x) => `wire.putInts(${x})`,
    returned: 'number[]',
    result: (call) => `wire.integers(${call})`,
  },
  axes: { type: 'Axis', optional: true, pass: (x) => `wire.putAxes(${x})` },
  arrays: {
    type: 'readonly Handle[]',
    pass: (x) => `wire.putInts(${x})`,
    returned: 'Handle[]',
    result: (call) => `wire.integers(${call})`,
  },
  parts: { type: 'IndexList', pass: (x) => `wire.putParts(${x})` },
  pair: {
    type: '[Handle, Handle]',
    result: (call) => `wire.integers(${call}) as [Handle, Handle]`,
  },
  triple: {
    type: '[Handle, Handle, Handle]',
    result: (call) => `wire.integers(${call}) as [Handle, Handle, Handle]`,
  },
  text: { type: 'string', result: (call) => `wire.text(wire.number(${call}))` },
  nothing: { type: 'void', result: (call) => `wire.number(${call})` },
  dtype: {
    type: 'Dtype',
    pass: (x) => `dtypes.indexOf(${x})`,
    result: (call) => `dtypes[wire.number(${call})] as Dtype`,
  },
  unary: { type: 'UnaryOp', pass: (x) => `unaryOps.indexOf(${x})` },
  binary: { type: 'BinaryOp', pass: (x) => `binaryOps.indexOf(${x})` },
  reduction: { type: 'Reduction', pass: (x) => `reductions.indexOf(${x})` },
};

/** What a value of each list of names is called. */
const types = {
  dtypes: 'Dtype',
  unaryOps: 'UnaryOp',
  binaryOps: 'BinaryOp',
  reductions: 'Reduction',
};

function parameter({ name, kind, otherwise }) {
  const { type, optional } = kinds[kind];
  if (otherwise) return `${name}: ${type} = ${otherwise}`;
  return `${name}${optional ? '?' : ''}: ${optional && kind !== 'maybeNumber' ? `${type} | undefined` : type}`;
}

function method({ name, core, arguments: all, result }, said) {
  const ofGenerator = all[0]?.kind === 'generator';
  const given = ofGenerator ? all.slice(1) : all;
  const passed = given.map(({ name, kind }) => kinds[kind].pass?.(name) ?? name);
  if (ofGenerator) passed.unshift('this.id');
  const { type, returned, result: wrap } = kinds[result];
  const call = wrap(`wire.x.${core}(${passed.join(', ')})`);
  return `${said}  ${name}(${given.map(parameter).join(', ')}): ${returned ?? type} {
    const { wire } = this;
    ${result === 'nothing' ? '' : 'return '}${call};
  }
`;
}

/**
 * `declared`: what the program describe_arrays prints; `byHand`: the exports that are called by hand;
 * `said`: the documentation of a call, as a comment.
 */
export function arraysText({ calls, names }, byHand, said) {
  const isRandom = (call) => call.arguments[0]?.kind === 'generator';
  const methods = (list) => list.map((call) => method(call, said(call.core))).join('');
  const exported = [...calls.map(({ core }) => core), ...byHand];
  const lists = Object.entries(names).map(
    ([list, values]) => `export const ${list} = ${JSON.stringify(values)} as const;
export type ${types[list]} = (typeof ${list})[number];
`,
  );
  return `/** Written by wasm/tools/arrays.mjs from wasm/src/arrays/arrays.cpp: not to be edited. */
import {
  type Axis, type Boundary, clampInt, type Handle, type IndexList, maybeInt,
} from '../../../wasm/client/arrays/boundary';

${lists.join('')}
/** What arrays.wasm exports: numbers in, numbers out. */
export type ExportName = ${exported.map((name) => `'${name}'`).join(' | ')};

export class ArrayCalls {
  constructor(protected readonly wire: Boundary) {}
${methods(calls.filter((call) => !isRandom(call)))}}

export class RandomCalls {
  constructor(protected readonly wire: Boundary, readonly id: number) {}
${methods(calls.filter(isRandom))}}
`;
}
