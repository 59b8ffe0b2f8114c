import { expect, test } from 'vitest';
import { arcPlaces } from '../../web/src/plot/arcs';
import { hasRightToLeft, inSentence, shownToken } from '../../web/src/plot/tokens';
import { words as german } from '../../web/src/strings/de/interface';
import { words as english } from '../../web/src/strings/en/interface';

const RLO = '\u202e';

test('white space as a token is drawn as something that can be seen, and nothing else changes', () => {
  expect([' ', '\n', '\t', '\u00a0', '\u3000', ' \n'].map(shownToken)).toEqual([
    ...['␣', '↵', '␣', '␣', '␣', '␣↵'],
  ]);
  for (const token of ['', 'the', ' the', 'چیست', 'می\u200cخواهم', '👨\u200d👩']) {
    expect(shownToken(token)).toBe(token);
  }
  const { queries } = arcPlaces({
    ...{
      rows: ['a', ' ', '\n'],
      width: 300,
      measure: (text: string) => text.length,
      visible: () => 9,
    },
  });
  expect(queries.map(({ text }) => text)).toEqual(['a', '␣', '↵']);
});

test('a token turns nothing round: in a sentence it stands apart where its script runs from the right', () => {
  expect(inSentence('the')).toBe('the');
  expect(inSentence('שלום')).toBe('\u2068שלום\u2069');
  expect(inSentence(`${RLO}abc`)).toBe('abc');
  expect(inSentence('\u2067چیست\u2069')).toBe('\u2068چیست\u2069');
  for (const { heatmap } of [english, german]) {
    const said = heatmap.cell(1, 'شما', 2, 'the');
    expect(said).toContain('\u2068شما\u2069');
    expect(said.match(/[\u2066-\u2069]/g)).toHaveLength(2);
  }
});

test('the order of words is to be said where a script runs from the right', () => {
  for (const word of ['שלום', 'چیست', 'ܫܠܡܐ', 'މިއީ', 'ߒߞߏ', '𞤀𞤣', 'ﷲ']) {
    expect(hasRightToLeft(['the', word])).toBe(true);
  }
  expect(hasRightToLeft(['the', 'Über', '日', 'हिन्दी', '؟'.slice(1), '👨'])).toBe(false);
});
