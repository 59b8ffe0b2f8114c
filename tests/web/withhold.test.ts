/** What an open question withholds of its figure. */
import { expect, it } from 'vitest';
import type { Figure } from '../../web/src/lab/page/open-lab';
import { withhold } from '../../web/src/lab/questions/withhold';

const figureOf = (hide?: readonly string[]): Figure =>
  ({ place: { id: 'growth', tag: 'attn-growth', ...(hide && { hide }) } }) as Figure;

it('is not offered while a question is open, and is again afterwards', () => {
  const figure = figureOf(['seed']);
  const { place } = figure;
  withhold(figure, 'layers', ['layers']);
  withhold(figure, 'cut', ['cut', 'task=fixed']);
  expect(figure.place).toEqual({ ...place, hide: ['seed', 'layers', 'cut', 'task=fixed'] });
  withhold(figure, 'layers', undefined);
  expect(figure.place.hide).toEqual(['seed', 'cut', 'task=fixed']);
  withhold(figure, 'cut', undefined);
  expect(figure.place.hide).toEqual(['seed']);
});

it('leaves a figure as it is of which nothing is withheld, and says the same only once', () => {
  const figure = figureOf();
  const { place } = figure;
  withhold(figure, 'a', undefined);
  expect(figure.place).toBe(place);
  const names = ['k'];
  withhold(figure, 'a', names);
  const held = figure.place;
  withhold(figure, 'a', names);
  expect(figure.place).toBe(held);
  withhold(figure, 'a', undefined);
  expect(figure.place).toBe(place);
});
