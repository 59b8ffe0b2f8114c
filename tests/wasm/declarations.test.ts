/**
 * Tests every call as it is declared: an input that a caller leaves out, sets to null or passes with another type is
 * refused by its name. The declarations are those from which the client is generated.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { callNames, firstSteps, startNames, withoutInput } from '../../wasm/client/names';
import {
  callThat,
  declared,
  type Field,
  fieldsOf,
  goodFields,
  kindMadeBy,
  made,
  matrix,
  type Type,
} from './declared';
import { loadCore, loadFull } from './in_process';

const { calls } = declared;

/** Values of the wrong type, for each type. */
const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
  number: ['2', {}, true],
  boolean: [1, 'true'],
  string: [5, {}],
  matrix: [5, [], { rows: 2, cols: 2, data: [0, 0, 0, 0] }],
  vector: [5, matrix()],
  stack: [5, matrix()],
  numbers: [5, 'x', ['x']],
  integers: [5, 'x', ['x']],
  bytes: [5, [1], new Float32Array(1)],
  flags: [5, [1]],
  parameters: [5, 'x', [], new Set()],
  mask: [5, { kind: 'none' }],
  byHand: [5, 'x'],
  handle: ['x', -1, 0.5],
};

const wrong = (type: Type): readonly unknown[] => {
  if (type.kind === 'optional') return wrong(type.of as Type);
  if (type.kind === 'struct') return [5, 'x', [], new Map()];
  if (type.kind === 'list') return [5, {}];
  if (type.kind === 'choice') return [5, 'no such word'];
  return wrongValues[type.kind] ?? [];
};

interface Attempt {
  readonly input: unknown;
  /** The argument that the error must name. */
  readonly argument: string;
}

/** Yields `whole` with each field of `fields` wrong in every way, one at a time. */
function* attempts(
  fields: readonly Field[],
  whole: Record<string, unknown>,
  wrap: (part: Record<string, unknown>) => unknown,
): Generator<Attempt> {
  for (const { flat, name, type, maybe } of fields) {
    if (flat) yield* attempts(fieldsOf(flat), whole, wrap);
    if (flat || type.name === '') continue;
    for (const value of wrong(type))
      yield { input: wrap({ ...whole, [name]: value }), argument: name };
    if (!maybe && type.kind !== 'optional') {
      yield { input: wrap({ ...whole, [name]: null }), argument: name };
      const { [name]: _, ...rest } = whole;
      yield { input: wrap(rest), argument: name };
    }
    const inner = type.kind === 'optional' ? (type.of as Type) : type;
    if (inner.kind !== 'struct') continue;
    const parts = fieldsOf(inner);
    yield* attempts(parts, goodFields(parts), (part) => wrap({ ...whole, [name]: part }));
  }
}

describe('every declared call', () => {
  let core: Record<string, (input?: unknown) => unknown>;
  beforeAll(async () => {
    core = (await loadFull('simd')) as unknown as typeof core;
    for (const [kind, input] of Object.entries(made))
      core[callThat('makes', kind)]?.({ ...input, handle: 1 });
  });

  const refusal = (name: string, input: unknown): Partial<Record<string, unknown>> => {
    try {
      core[name]?.(input);
    } catch (thrown) {
      return thrown as object;
    }
    return {};
  };

  it.each(calls.filter((call) => call.arguments.length > 0))(
    '$name refuses by its name a field that is missing, null or of another type',
    (call) => {
      const whole = goodFields(call.arguments);
      // The handle of an object that is made has to be a new number.
      if (kindMadeBy(call.name)) whole.handle = 2;
      let tried = 0;
      const expectRefused = ({ input, argument }: Attempt): void => {
        tried++;
        const { code, argument: named, message } = refusal(call.name, input);
        const what = `${argument} in ${JSON.stringify(input)}: ${message}`;
        expect(['shape', 'value'], what).toContain(code);
        expect(String(named).split('.'), what).toContain(argument);
      };
      for (const input of [undefined, null, 5, 'x', [], new Map()]) {
        // Some calls need no field of their input, but the input must still be an object with fields.
        expectRefused({ input, argument: 'input' });
      }
      for (const one of attempts(call.arguments, whole, (part) => part)) expectRefused(one);
      expect(tried).toBeGreaterThan(4);
    },
  );

  it('is in the module that its declaration names, and in the client', async () => {
    const start = (await loadCore('simd')) as unknown as typeof core;
    const inStart = calls.filter(({ name }) => name in start).map(({ name }) => name);
    expect(inStart.sort()).toEqual([...startNames].sort());
    for (const { name, arguments: given } of calls) {
      expect(core[name], name).toBeTypeOf('function');
      expect(callNames, name).toContain(name);
      expect(withoutInput.has(name), name).toBe(given.length === 0);
      const make = `make${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      expect(make in core, name).toBe(name in firstSteps);
    }
  });
});
