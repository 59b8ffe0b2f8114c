import { afterEach, describe, expect, it, vi } from 'vitest';

const load = async (language: 'en' | 'de') => {
  vi.resetModules();
  vi.stubGlobal('__LANGUAGE__', language);
  return (await import('../../web/src/components/slider/read-number')).readNumber;
};
afterEach(() => vi.unstubAllGlobals());

describe('a typed number', () => {
  it.each(['en', 'de'] as const)(
    'may have a comma or a point before its decimals: %s',
    async (language) => {
      const read = await load(language);
      for (const [text, value] of [
        ['2.5', 2.5],
        ['2,5', 2.5],
        [' ,25', 0.25],
        ['-0,5', -0.5],
        ['−3', -3],
        ['1e-3', 0.001],
        ['65 536', 65536],
        ['1\u202f024,5', 1024.5],
        ['7,', 7],
      ] as const) {
        expect(read(text, false), text).toBe(value);
      }
      for (const text of [
        '',
        ' ',
        '-',
        '1,2,3',
        '1.2.3',
        '0x10',
        'Infinity',
        'two',
        '1e',
        '1,0e3,1',
      ]) {
        expect(read(text, false), text).toBeNaN();
        expect(read(text, true), text).toBeNaN();
      }
    },
  );

  it('is a thousand where the language groups thousands so and a whole number is wanted', async () => {
    const english = await load('en');
    expect([english('1,000', true), english('1.000', true)]).toEqual([1000, 1]);
    expect([english('1,048,576', true), english('10,00', true)]).toEqual([1048576, 10]);
    expect(english('1,000', false)).toBe(1);
    const german = await load('de');
    expect([german('1.000', true), german('1,000', true)]).toEqual([1000, 1]);
  });
});
