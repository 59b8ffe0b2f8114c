import { describe, expect, it } from 'vitest';
import { partsOf } from '../../web/src/components/exercise/prose';

/** Reads pieces as `[kind, text]`, and symbols with their subscripts. */
const read = (text: string) =>
  partsOf(text).map(({ kind, text: part, below }) => [kind, below ? `${part} ${below}` : part]);

describe('words of an exercise', () => {
  it.each([
    [
      'n×d_k',
      [
        ['words', 'n×'],
        ['symbol', 'd k'],
      ],
    ],
    [
      'divide by √d_k.',
      [
        ['words', 'divide by √'],
        ['symbol', 'd k'],
        ['words', '.'],
      ],
    ],
    [
      '2·n·D·d_v multiply-adds',
      [
        ['words', '2·n·D·'],
        ['symbol', 'd v'],
        ['words', ' multiply-adds'],
      ],
    ],
    [
      'h×n×d_head',
      [
        ['words', 'h×n×'],
        ['symbol', 'd head'],
      ],
    ],
    [
      'n×d_model',
      [
        ['words', 'n×'],
        ['symbol', 'd model'],
      ],
    ],
  ])('sets symbols: %s', (text, parts) => {
    expect(read(text)).toEqual(parts);
  });

  it('sets names of programs as code, with and without back-ticks', () => {
    expect(read('Your max_diff looks at `A_k`.')).toEqual([
      ['words', 'Your '],
      ['code', 'max_diff'],
      ['words', ' looks at '],
      ['code', 'A_k'],
      ['words', '.'],
    ]);
    expect(read('K_cache @ q / √d_k')).toEqual([
      ['code', 'K_cache'],
      ['words', ' @ q / √'],
      ['symbol', 'd k'],
    ]);
  });

  it('leaves formulas to the build, and sets powers as superscripts', () => {
    expect(read('$d_k^2$ and 2^{10}, e^x')).toEqual([
      ['formula', 'd_k^2'],
      ['words', ' and 2'],
      ['power', '10'],
      ['words', ', e'],
      ['power', 'x'],
    ]);
    expect(read('no sign of any')).toEqual([['words', 'no sign of any']]);
  });
});
