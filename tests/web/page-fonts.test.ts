import { expect, it } from 'vitest';
import { inRange } from '../../web/src/export/page-fonts';

it('a font file is taken when its range has one of the characters', () => {
  expect(inRange('', 'a')).toBe(true);
  expect(inRange('U+0-7F, U+2212', 'a')).toBe(true);
  expect(inRange('U+0-7F, U+2212', '−')).toBe(true);
  expect(inRange('U+370-3FF', 'abc')).toBe(false);
  expect(inRange('U+3??', 'φ')).toBe(true);
});
