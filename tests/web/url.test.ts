import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boolean, defineState, integer, number, oneOf, text } from '../../web/src/state/url';

const lab = defineState(
  {
    n: integer({ key: 'n', label: 'tokens', default: 64, min: 1, max: 1024 }),
    temperature: number({ key: 't', default: 1, min: 0 }),
    offset: number({ key: 'o', default: 0 }),
    map: oneOf({ key: 'map', values: ['elu_plus_one', 'relu', 'exp'], default: 'elu_plus_one' }),
    causal: boolean({ key: 'causal', default: false }),
    scale: boolean({ key: 'scale', default: true }),
    text: text({ key: 'text', default: '', maxLength: 200 }),
  },
  { parts: ['export'] },
);

const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
const states = fc.record({
  n: fc.integer({ min: 1, max: 1024 }),
  temperature: finite.map(Math.abs),
  offset: finite,
  map: fc.constantFrom('elu_plus_one' as const, 'relu' as const, 'exp' as const),
  causal: fc.boolean(),
  scale: fc.boolean(),
  text: fc.string({ unit: 'binary', maxLength: 100 }),
});

describe('printing a state', () => {
  it('gives nothing when all is at its default', () => {
    expect(lab.print(lab.defaults)).toBe('');
  });

  it('gives a link that a person can read', () => {
    const state = { ...lab.defaults, n: 8, map: 'relu' as const, text: 'the cat, the mat' };
    expect(lab.print(state)).toBe('?v=1&n=8&map=relu&text=the+cat,+the+mat');
  });

  it('survives text that is half an emoji', () => {
    const link = lab.print({ ...lab.defaults, text: 'a\uD83D' });
    expect(lab.parse(link).state.text).toBe('a\uFFFD');
  });
});

describe('text that is too long', () => {
  it('is not cut within an emoji', () => {
    const { text: cut } = lab.clamp({ ...lab.defaults, text: `${'a'.repeat(199)}😀` });
    expect(cut).toBe('a'.repeat(199));
  });
});

describe('the round trip', () => {
  it('returns every state without a problem', () => {
    fc.assert(
      fc.property(states, (state) => {
        const parsed = lab.parse(lab.print(state));
        expect(parsed.problems).toEqual([]);
        expect(parsed.state).toEqual(state);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps limits and unknown pairs', () => {
    const parsed = lab.parse('?n=3&utm_source=course&hide=text,export&lock=n&s=a%26b');
    expect(parsed.problems).toEqual([]);
    expect([...parsed.hide]).toEqual(['text', 'export']);
    expect([...parsed.lock]).toEqual(['n']);
    expect(parsed.others).toEqual([
      ['utm_source', 'course'],
      ['s', 'a&b'],
    ]);
    expect(lab.parse(lab.print(parsed.state, parsed))).toEqual(parsed);
  });
});

describe('a link that does not fit', () => {
  it.each([
    ['n=0', 'n', 'a whole number from 1 to 1024'],
    ['n=8.5', 'n', 'a whole number from 1 to 1024'],
    ['n=0x10', 'n', 'a whole number from 1 to 1024'],
    ['n=', 'n', 'a whole number from 1 to 1024'],
    ['t=-1', 't', 'a number of at least 0'],
    ['t=NaN', 't', 'a number of at least 0'],
    ['o=1e999', 'o', 'a number'],
    ['map=elu', 'map', 'one of elu_plus_one, relu, exp'],
    ['map=__proto__', 'map', 'one of elu_plus_one, relu, exp'],
    ['causal=yes', 'causal', '1 (on) or 0 (off)'],
    [`text=${'x'.repeat(201)}`, 'text', 'at most 200 characters, not 201'],
    ['v=2', 'v', '1, the only one this page knows'],
    ['hide=nothing', 'hide', 'names from: n, t, o, map, causal, scale, text, export'],
  ])('%s keeps the default and says what is wanted', (search, key, wanted) => {
    const { state, problems } = lab.parse(search);
    expect(state).toEqual(lab.defaults);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ key, wanted: { text: wanted } });
  });

  it('is reported with the property, the value and the wanted range in one sentence', () => {
    expect(lab.parse('n=5000').problems[0]?.message).toBe(
      "The link says tokens = '5000'; wanted a whole number from 1 to 1024.",
    );
  });

  it('takes the first of two values and reports the second', () => {
    const { state, problems } = lab.parse('n=2&n=3');
    expect(state.n).toBe(2);
    expect(problems.map((problem) => problem.key)).toEqual(['n']);
  });

  it('never throws, and always gives a state inside its ranges', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .array(
              fc.tuple(
                fc.constantFrom('n', 't', 'o', 'map', 'causal', 'text', 'v', 'hide', 'lock', '%'),
                fc.string({ unit: 'binary' }),
              ),
            )
            .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&')),
        ),
        (search) => {
          const { state } = lab.parse(search);
          expect(lab.clamp(state)).toEqual(state);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('clamping', () => {
  it('moves values into their ranges, and replaces values that have no nearest one', () => {
    const odd = { ...lab.defaults, n: 5000.4, temperature: -3, offset: Number.NaN, map: 'x' };
    expect(lab.clamp(odd as unknown as typeof lab.defaults)).toMatchObject({
      n: 1024,
      temperature: 0,
      offset: 0,
      map: 'elu_plus_one',
    });
  });
});

describe('defining a state', () => {
  it('refuses a name that is taken', () => {
    expect(() =>
      defineState({ a: boolean({ key: 'x', default: true }), b: text({ key: 'x', default: '' }) }),
    ).toThrow("'x' of 'b' is taken");
    expect(() =>
      defineState({ version: integer({ key: 'v', default: 1, min: 1, max: 2 }) }),
    ).toThrow('taken');
  });

  it('refuses a default outside its range', () => {
    expect(() => defineState({ n: integer({ key: 'n', default: 0, min: 1, max: 2 }) })).toThrow(
      "default of 'n'",
    );
  });
});
