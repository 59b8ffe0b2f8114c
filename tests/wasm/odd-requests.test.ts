/** Requests of the client with options and inputs that never reach the core, or must not harm it. */
import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../wasm/client/client';
import type { CoreError } from '../../wasm/client/errors';
import type { Wording } from '../../wasm/client/phrases';
import { templates } from '../../web/src/strings/de/phrases';
import { worded } from '../../web/src/strings/problem';
import { fullWorker } from './in_process';
import { failure } from './support';

const client = createClient({ build: 'simd', module: 'full', makeWorker: () => fullWorker() });
afterAll(() => client.dispose());
const x = { rows: 1, cols: 4, data: new Float32Array([1, 2, 3, 4]) };
const softmax = client.softmax as unknown as (
  input?: unknown,
  options?: unknown,
) => Promise<{ weights: object }>;

const mustBeSaid = ({ code, seen, wanted }: CoreError): void => {
  expect(code).toBe('value');
  expect(seen?.text).toBeTruthy();
  expect(wanted?.text).toBeTruthy();
};

describe('a request', () => {
  it.each([undefined, null, {}, { key: undefined }, { key: null, signal: null, transfer: null }])(
    'may leave its options out: %j',
    async (options) => {
      expect((await softmax({ x }, options)).weights).toBeDefined();
    },
  );

  it.each<[string, unknown]>([
    ['options', 5],
    ['options', 'soon'],
    ['options', () => undefined],
    ['key', 5],
    ['key', Symbol('k')],
    ['key', {}],
    ['signal', {}],
    ['signal', true],
    ['signal', new EventTarget()],
    ['onProgress', 'often'],
    ['onProgress', {}],
    ['transfer', 1],
    ['keep', 'yes'],
  ])('with an option of another type is refused by its name: %s', async (name, value) => {
    const error = await failure(softmax({ x }, name === 'options' ? value : { [name]: value }));
    expect(error.argument).toBe(name);
    mustBeSaid(error);
  });

  it('with options that throw is refused', async () => {
    const options = {
      get key(): string {
        throw new RangeError('mine');
      },
    };
    const error = await failure(softmax({ x }, options));
    expect(error.argument).toBe('options');
    mustBeSaid(error);
  });

  const handedOver = new Float32Array(4);
  structuredClone(handedOver, { transfer: [handedOver.buffer] });
  it.each<[string, string, unknown]>([
    ['a function', 'x', { x: () => 1 }],
    ['a symbol', 'x', { x: Symbol('x') }],
    ['a function within', 'x', { x: { ...x, data: () => 1 } }],
    ['a function beside', 'more', { x, more: () => 1 }],
    ['an array that was handed over', 'x', { x: { ...x, data: handedOver } }],
    ['a function as input', 'input', () => 1],
    ['a symbol as input', 'input', Symbol('x')],
  ])('that cannot be sent names what is to blame: %s', async (_, argument, input) => {
    const error = await failure(softmax(input));
    expect(error.argument).toBe(argument);
    mustBeSaid(error);
  });

  it('that sends an array which was handed over has words for it in every language', async () => {
    const { seen } = await failure(softmax({ x: handedOver }));
    expect(seen?.text).toBe('an array that was handed over');
    expect(worded(seen as Wording, templates)).toBe('ein Array, das schon übergeben wurde');
  });

  it('with a getter that throws, or too deep to be read, is refused and not lost', async () => {
    const thrower = {
      get x(): object {
        throw new RangeError('mine');
      },
    };
    let deep: object = {};
    for (let i = 0; i < 3000; i++) deep = { deep };
    for (const input of [thrower, { x: deep }, { x, deep }]) {
      const error = await failure(softmax(input));
      expect(error.argument).toBe('input');
      mustBeSaid(error);
    }
  });

  it('that refers to itself leaves the worker as it is', async () => {
    const { q } = await client.gaussianQkv({ n: 1, dK: 4, dV: 2, seed: 1 }, { keep: true });
    // Numbers of its own, because the last call hands them over.
    const cyclic: Record<string, unknown> = { x: { ...x, data: x.data.slice() } };
    cyclic.self = cyclic;
    let wide: object = {};
    for (let i = 0; i < 60; i++) wide = { a: wide, b: wide };
    for (const input of [cyclic, { x, wide }, { x: q, cyclic }, { x: q, wide }]) {
      expect((await softmax(input)).weights).toBeDefined();
      expect((await softmax(input, { transfer: false })).weights).toBeDefined();
    }
    const given = { ...x, data: x.data.slice() };
    expect((await softmax({ x: given, cyclic, wide }, { transfer: true })).weights).toBeDefined();
    // The worker was not replaced: what it keeps is still there.
    expect(client.holds(q)).toBe(true);
    expect(client.holds(cyclic)).toBe(true);
    client.release(cyclic);
  });

  it('with a trial that is no text of JSON is refused by name', async () => {
    const timeRound = client.timeRound as unknown as (input: unknown) => Promise<unknown>;
    const trials = [{ mechanism: 'fused', n: 2n }];
    const error = await failure(timeRound({ trials, milliseconds: 1 }));
    expect(error.argument).toBe('trials');
    mustBeSaid(error);
  });

  it('with a size that is a long list is refused, and the worker stays', async () => {
    const { q } = await client.gaussianQkv({ n: 1, dK: 4, dV: 2, seed: 1 }, { keep: true });
    const error = await failure(softmax({ x: { ...x, rows: new Array(2 ** 32 - 1) } }));
    expect(error).toMatchObject({ code: 'shape', argument: 'x' });
    expect(client.holds(q)).toBe(true);
  });
});
