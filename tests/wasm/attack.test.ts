/**
 * The client as a student's page may call it by mistake: every field of every call with everything that
 * JavaScript has. What is refused names the argument and says what was seen and what is wanted; nothing
 * hangs, the worker stays, and an answer has numbers in it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../wasm/client/client';
import { CoreError } from '../../wasm/client/errors';
import { withoutInput } from '../../wasm/client/names';
import {
  callThat,
  declared,
  type Field,
  fieldsOf,
  good,
  goodFields,
  kindMadeBy,
  made,
  matrix,
  type Type,
} from './declared';
import { fullWorker } from './in_process';

const { calls } = declared;

const detached = (): Float32Array => {
  const data = new Float32Array(4);
  structuredClone(data, { transfer: [data.buffer] });
  return data;
};
const cyclic = (): object => {
  const one: { self?: object } = {};
  one.self = one;
  return one;
};
const cyclicList = (): unknown[] => {
  const one: unknown[] = [{}];
  one.push(one);
  return one;
};
/** Thirty objects that refer to the next one twice: a walk that forgets where it was never ends. */
const diamond = (): object => {
  let inner: object = {};
  for (let i = 0; i < 40; i++) inner = { a: inner, b: inner };
  return inner;
};
const deep = (): object => {
  let inner: object = {};
  for (let i = 0; i < 3000; i++) inner = { inner };
  return inner;
};

/** Parts of what is converted by hand. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  matrix: ['rows', 'cols', 'data'],
  vector: ['rows', 'cols', 'data'],
  stack: ['batch', 'heads', 'rows', 'cols', 'data'],
  mask: ['kind', 'validKeys'],
  byHand: ['id'],
};
/** How many attacks a field is given; ATTACK=all gives it every one. */
const SHARE = 10;
const field = (name: string): Field => ({ name, core: name, type: { kind: 'unknown' } });

/** What a field may be given; made anew each time. */
const attacks: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  '-1': () => -1,
  '-0': () => -0,
  '0.5': () => 0.5,
  '2³¹ − 1': () => 2 ** 31 - 1,
  '2³¹': () => 2 ** 31,
  '2⁵³': () => 2 ** 53,
  '1e308': () => 1e308,
  bigint: () => 2n,
  symbol: () => Symbol('s'),
  function: () => () => 2,
  'a class': () => class {},
  text: () => '2',
  'long text': () => 'é'.repeat(100_000),
  'half an emoji': () => '\ud83d',
  'a zero in text': () => 'a\0b',
  object: () => ({}),
  list: () => [],
  'a list with a hole': () => new Array(1),
  'a list of 2³² − 1': () => new Array(2 ** 32 - 1),
  'a list of NaN': () => [Number.NaN],
  'a list of bigints': () => [1n],
  'a list of lists': () => [[[]]],
  date: () => new Date(Number.NaN),
  map: () => new Map([['rows', 2]]),
  set: () => new Set([1]),
  expression: () => /x/,
  error: () => new Error('x'),
  'a boxed number': () => Object(2),
  frozen: () => Object.freeze({ rows: 2, cols: 2 }),
  'without a prototype': () => Object.create(null) as object,
  'a getter that throws': () => ({
    get rows(): number {
      throw new RangeError('mine');
    },
  }),
  'a proxy': () => new Proxy({}, { get: () => 2, ownKeys: () => ['rows'] }),
  'a proxy that throws': () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('mine');
        },
      },
    ),
  promise: () => Promise.resolve(2),
  weak: () => new WeakMap(),
  cyclic,
  'a cyclic list': cyclicList,
  diamond,
  deep,
  'a matrix in itself': () => Object.assign(matrix(), { self: matrix() }),
  'huge rows': () => ({ ...matrix(), rows: 2 ** 31 }),
  'rows beyond all': () => ({ ...matrix(), rows: 1e300, cols: 0 }),
  'half a row': () => ({ ...matrix(), rows: 0.5, cols: 8 }),
  'negative rows': () => ({ ...matrix(), rows: -2, cols: -2 }),
  'rows that are text': () => ({ ...matrix(), rows: '2' }),
  'no rows': () => ({ rows: 0, cols: 0, data: new Float32Array(0) }),
  'too little data': () => ({ ...matrix(), data: new Float32Array(3) }),
  'NaN in it': () => ({ ...matrix(), data: new Float32Array([1, Number.NaN, 1, 1]) }),
  'Infinity in it': () => ({ ...matrix(), data: new Float32Array([1, Infinity, 1, 1]) }),
  float64: () => ({ ...matrix(), data: new Float64Array(4) }),
  'whole numbers': () => ({ ...matrix(), data: new Int32Array(4) }),
  'a list as data': () => ({ ...matrix(), data: [0, 0, 0, 0] }),
  'a buffer as data': () => ({ ...matrix(), data: new ArrayBuffer(16) }),
  'a view as data': () => ({ ...matrix(), data: new DataView(new ArrayBuffer(16)) }),
  'detached data': () => ({ ...matrix(), data: detached() }),
  'detached numbers': detached,
  'shared data': () => ({ ...matrix(), data: new Float32Array(new SharedArrayBuffer(16)) }),
  'shared numbers': () => new Float64Array(new SharedArrayBuffer(16)),
  'a bare buffer': () => new ArrayBuffer(8),
  'a bare view': () => new DataView(new ArrayBuffer(8)),
  'big whole numbers': () => new BigInt64Array(2),
  'bytes clamped': () => new Uint8ClampedArray(2),
  'kept, it says': () => ({ kept: 'never' }),
  'kept, and not text': () => ({ kept: {} }),
  'an unknown kind': () => ({ kind: 'nothing', id: 7 }),
  'a mask of numbers': () => ({ kind: 'matrix', keep: 2 }),
  'a pattern of many': () => ({ kind: 'union', of: new Array(2 ** 32 - 1) }),
  'a pattern of itself': () => {
    const one = { kind: 'union', of: [] as unknown[] };
    one.of.push(one, one);
    return one;
  },
  'wrong lists': () => ({ kind: 'lists', rowStart: [0, 2 ** 31 - 1], columns: [1e9] }),
  'wide blocks': () => ({ kind: 'bigBird', block: 2 ** 31 - 1, randomBlocks: 2 ** 31 - 1 }),
  'a field of its own': () => ({ ['__proto__']: { x: 1 }, constructor: 2 }),
};

/** Whose samples would take too long. */
const SMALL: Readonly<Record<string, object>> = {
  scalingExperiment: { n: [2], dK: [2], draws: 2 },
  timeRound: { trials: [], milliseconds: 0.1 },
};

/** An engine's own words tell a reader nothing. */
const RAW =
  /Cannot read|is not a function|is not iterable|Cannot convert|Cannot mix|could not be cloned|call stack|\[object |undefined \(|BindingError|memory access|Maximum|^mine/;
/** The longest that any of these calls may take, on a machine with other work. */
const PATIENCE_MS = 5000;

type Asked = (input?: unknown, options?: unknown) => Promise<unknown>;

const client = createClient({ build: 'simd', module: 'full', makeWorker: () => fullWorker() });
const ask = client as unknown as Readonly<Record<string, Asked>>;
afterAll(() => client.dispose());

/** What is unclear about the error of a call, or nothing. */
function unclear(error: unknown): string | undefined {
  if (!(error instanceof CoreError)) return `is no CoreError: ${error}`;
  const { code, message, argument, seen, wanted, said } = error;
  // An argument may be called as the engine's words are: subtractMaximum.
  if (RAW.test(argument ? message.replaceAll(argument, '') : message))
    return `has the words of the engine: ${message}`;
  // No memory is about no argument, and says so in a phrase of ours.
  if (code === 'capacity' && said) return undefined;
  if (!['shape', 'value', 'capacity', 'gone'].includes(code)) return `has code ${code}: ${message}`;
  if (argument === '') return `names nothing: ${message}`;
  if (!seen?.text || !wanted?.text) return `does not say what was seen and wanted: ${message}`;
  return undefined;
}

/** What is wrong with how a call was answered, or nothing. */
async function fault(call: () => Promise<unknown>): Promise<string | undefined> {
  const began = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, 'is never answered');
  });
  const answered = call().then(() => undefined, unclear);
  const found = await Promise.race([answered, late]);
  clearTimeout(timer);
  const spent = Math.round(performance.now() - began);
  // A call that keeps the worker busy keeps this thread busy too.
  return found ?? (spent > PATIENCE_MS ? `takes ${spent} ms` : undefined);
}

/** Every field, also of the structs and arrays within. */
function* places(
  fields: readonly Field[],
  wrap: (name: string, value: unknown) => unknown,
): Generator<readonly [name: string, put: (value: unknown) => unknown]> {
  for (const { flat, name, type } of fields) {
    if (flat) yield* places(fieldsOf(flat), wrap);
    if (flat || type.name === '') continue;
    yield [name, (value) => wrap(name, value)];
    let inner = type;
    let put = (value: unknown): unknown => wrap(name, value);
    while (inner.kind === 'optional' || inner.kind === 'list') {
      if (inner.kind === 'list') {
        const around = put;
        put = (value) => around([value]);
        yield [`${name}[0]`, put];
      }
      inner = inner.of as Type;
    }
    const own = put;
    if (inner.kind === 'struct') {
      const parts = fieldsOf(inner);
      yield* places(parts, (part, value) => own({ ...goodFields(parts), [part]: value }));
    }
    for (const part of PARTS[inner.kind] ?? []) {
      yield [`${name}.${part}`, (value) => own({ ...(good(inner) as object), [part]: value })];
    }
  }
}

/** What is asked of every call: each of its fields, and the whole input, is an attack. */
function* requests(): Generator<readonly [call: string, what: string, input: () => unknown]> {
  const more = [{ name: 'timeRound', arguments: [field('trials'), field('milliseconds')] }];
  // Every field is given some of the attacks: the next one begins where the last one ended.
  const all = Object.entries(attacks);
  const share = process.env.ATTACK === 'all' ? all.length : SHARE;
  let next = 0;
  for (const { name, arguments: fields } of [...calls, ...more]) {
    if (withoutInput.has(name)) continue;
    const whole = {
      ...goodFields(fields),
      ...SMALL[name],
      ...(kindMadeBy(name) && { handle: 2 }),
    };
    const put = (part: string, value: unknown): unknown => ({ ...whole, [part]: value });
    for (const [at, place] of [['', (value: unknown) => value] as const, ...places(fields, put)]) {
      // The defaults of this experiment take two seconds; what is in place of its input is tried elsewhere.
      if (at === '' && name === 'scalingExperiment') continue;
      for (let i = 0; i < share; i++, next++) {
        const [what, value] = all[next % all.length] as (typeof all)[number];
        // It asks for that many runs, and gets them.
        if (name === 'trialRun' && what === '2³¹ − 1') continue;
        yield [name, `${at}: ${what}`, () => place(value())];
      }
    }
  }
}

describe('the client under attack', () => {
  it('refuses by name whatever is wrong, and answers the rest', async () => {
    await client.ready();
    for (const [kind, input] of Object.entries(made)) {
      await ask[callThat('makes', kind)]?.({ ...input, handle: 1 });
    }
    const faults: string[] = [];
    let tried = 0;
    for (const [call, what, input] of requests()) {
      tried++;
      const given = input();
      const found = await fault(() => (ask[call] as Asked)(given));
      if (found) faults.push(`${call}(${what}) ${found.slice(0, 200)}`);
      if (kindMadeBy(call)) {
        // What was made would stay.
        const { handle } = Object(given) as { handle?: unknown };
        if (handle !== 1)
          await ask[callThat('ends', kindMadeBy(call))]?.({ handle }).catch(() => 0);
      }
    }
    expect(faults.slice(0, 60)).toEqual([]);
    // Fewer would mean that the declarations are not read any more.
    expect(tried).toBeGreaterThan(17_000);
  }, 120_000);
});
