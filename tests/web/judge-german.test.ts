import { describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { compare } from '../../web/src/exercises/judge/compare';
import { judgeCost } from '../../web/src/exercises/judge/cost';
import { judge } from '../../web/src/exercises/judge-words-de';
import type {
  ArrayValue,
  CaseOutcome,
  CostBound,
  DictValue,
  Language,
  Mismatch,
  Value,
} from '../../web/src/exercises/types';

const array = (shape: readonly number[], data: readonly number[]): ArrayValue => ({
  ...{ kind: 'array', dtype: 'float64', shape },
  data: Float64Array.from(data),
});
const dict = (entries: Record<string, Value>): DictValue => ({ kind: 'dict', entries });
const matrix = array([2, 3], [1, 2, 3, 4, 5, 6]);

/** What the judge finds, worded in German. */
function told(actual: Value | undefined, expected: Value, language: Language = 'python') {
  const found = compare(actual, expected, { rtol: 1e-6, atol: 1e-9, language });
  return { english: found?.message ?? '', german: judge.mismatch(found as Mismatch, language) };
}
const numbers = (text: string) => text.match(/-?\d+(?:\.\d+)?/g) ?? [];

describe('a mismatch in German', () => {
  it.each([
    ['nothing', null, 3, 'hat nichts zurückgegeben; verlangt ist eine Zahl; fehlt ein return?'],
    ['nothing in a tuple', [1, null], [1, matrix], 'Teil [1] ist nichts; verlangt ist ein Array'],
    [
      'a key',
      dict({ mse: 1 }),
      dict({ mse: 1, max_diff: 2 }),
      'ein Dict ohne den Schlüssel max_diff',
    ],
    ['a type', 'text', matrix, 'hat Text zurückgegeben; verlangt ist ein Array der Form 2×3'],
    ['a list for a dict', [1, 2], dict({ a: 1 }), 'eine Liste mit 2 Einträgen zurückgegeben'],
    ['too few', [1, 2], [1, 2, 3], 'hat 2 Ergebnisse zurückgegeben; verlangt sind 3'],
    ['a shape', array([3], [1, 2, 3]), matrix, 'ein Array aus 3 Zahlen zurückgegeben'],
    ['a transpose', array([3, 2], [1, 4, 2, 5, 3, 6]), matrix, 'Es sieht transponiert aus'],
    ['a number', 2.5, 3, 'Deine Funktion hat 2.5 zurückgegeben, nicht 3'],
    [
      'an entry',
      array([2, 3], [1, 2, 3, 4, 7, 8]),
      matrix,
      'Eintrag [1, 1] ist 7, nicht 5; 2 von 6',
    ],
    ['NaN', array([2, 3], [1, Number.NaN, 3, 4, 5, 6]), matrix, 'Eintrag [0, 1] ist NaN, nicht 2'],
    ['a part', [matrix, array([2], [1, 9])], [matrix, array([2], [1, 2])], 'Eintrag [1][1] ist 9'],
    ['a named one', dict({ mse: 0.5 }), dict({ mse: 0.25 }), "Eintrag ['mse'] ist 0.5, nicht 0.25"],
    ['a word', 'a', 'b', 'hat "a" zurückgegeben, nicht "b"'],
  ] as const)('tells %s, with the numbers of the English', (_, actual, expected, part) => {
    const { english, german } = told(actual as Value, expected as Value);
    expect(german).toContain(part);
    expect(numbers(german)).toEqual(numbers(english));
    expect(german).not.toMatch(/\b(?:your|the|is|of|wanted|entries|nothing)\b/i);
  });

  it('explains what operators do to matrices in JavaScript', () => {
    expect(told(Number.NaN, matrix, 'javascript').german).toContain('nimm times, mul und plus');
    expect(told(Number.NaN, matrix).german).not.toContain('times');
  });
});

describe('a cost in German', () => {
  const bound: CostBound = {
    ...{ sizes: [8, 16, 32, 64], args: () => [], maxSlope: 1.2 },
    most: () => 1e9,
    wanted: 'n·d multiply-adds',
  };
  const core = {
    fitSlope: async ({ x, y }: { x: readonly number[]; y: readonly number[] }) => ({
      slope:
        Math.log((y.at(-1) as number) / (y[0] as number)) /
        Math.log((x.at(-1) as number) / (x[0] as number)),
    }),
  } as unknown as Client;
  const ran = (multiplyAdds: number, error?: string): CaseOutcome => ({
    ...{ prints: '', milliseconds: 1, value: 0 },
    counts: { multiplyAdds, touched: 0, bytes: 0, largest: multiplyAdds },
    ...(error === undefined ? {} : { error: { type: 'ValueError', message: error } }),
  });
  const report = async (
    cases: readonly CaseOutcome[],
    more: Partial<CostBound> = {},
    stopped?: 'time' | 'memory',
    args: readonly Value[] = [],
    mismatch?: Mismatch,
  ) => {
    const said = await judgeCost(
      { ...bound, ...more },
      bound.sizes.map((n) => ({ n, args, ...(mismatch && { mismatch: () => mismatch }) })),
      { cases, prints: '', ...(stopped && { stopped }) },
      core,
    );
    return { said, german: judge.cost(said, 'n·d Multiply-Adds', more.of ?? 'work', 'python') };
  };
  const growing = (power: number) => bound.sizes.map((n) => ran(1000 * n ** power));

  it('reports a cost that is low enough', async () => {
    const { german } = await report(growing(1));
    expect(german).toBe(
      'Die Arbeit deiner Funktion wächst wie n (angepasste Steigung 1.00; erlaubt ist höchstens 1.2).',
    );
    expect((await report(growing(1), { of: 'largest' })).german).toMatch(
      /^Dein größtes Array oder deine größte Liste wächst/,
    );
  });

  it('reports a cost that is too high, and the wanted one', async () => {
    const { german } = await report(growing(2));
    expect(german).toContain('ungefähr n² Zahlen berührt (4\u00a0096\u00a0000 Multiply-Adds');
    expect(german).toContain(
      'bei n = 64; angepasste Steigung 2.00); nötig sind n·d Multiply-Adds.',
    );
    const { german: largest } = await report(growing(2), { of: 'largest' });
    expect(largest).toContain(
      'Dein größtes Array oder deine größte Liste hat ungefähr n² Einträge',
    );
  });

  it('tells what is wrong there, too much whatever the slope, and too little to be true', async () => {
    const [right, off] = [array([2], [1, 2]), array([2], [1, 3])];
    const mismatch = compare(off, right, { rtol: 1e-6, atol: 0, language: 'python' });
    expect((await report(growing(1), {}, undefined, [], mismatch)).german).toContain(
      'Bei n = 8, wo die Arbeit gezählt wird: Eintrag [1] ist 3, nicht 2; 1 von 2 Einträgen weichen ab.',
    );
    const { said, german } = await report(growing(1), { most: (n) => 1500 * n - 20_000 });
    expect(said).toMatchObject({ passed: false, tooMuch: { n: 8, work: 8000, most: -8000 } });
    expect(german).toContain('bei n = 8 8000 Schritte gebraucht; nötig sind n·d');
    const little = await report(
      bound.sizes.map(() => ran(1)),
      {},
      undefined,
      [matrix],
    );
    expect(little.said).toMatchObject({ passed: false, tooLittle: { n: 8, work: 1, least: 6 } });
    expect(little.german).toContain('nur 1 Schritte gezählt, aber die Eingaben haben 6 Zahlen');
  });

  it('tells why it was not counted to the end', async () => {
    const some = growing(1);
    const failed = await report([...some.slice(0, 3), ran(0, 'kaputt')]);
    expect(failed.said.unfinished).toEqual({ n: 64, error: 'kaputt' });
    expect(failed.german).toBe(
      'Bei n = 64 ist deine Funktion gescheitert: kaputt. Bis dahin: angepasste Steigung 1.00.',
    );
    const late = await report(some.slice(0, 2), {}, 'time');
    expect(late.german).toBe(
      'Bei n = 32 kam die Antwort nicht rechtzeitig, deshalb ließ sich die Arbeit nicht zu Ende zählen.',
    );
    expect((await report(bound.sizes.map(() => ran(0)))).german).toContain('keine Arbeit gezählt');
  });
});
