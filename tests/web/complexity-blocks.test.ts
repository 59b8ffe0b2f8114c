/** The boxes of the complexity lab, as they are laid out. */
import { describe, expect, it } from 'vitest';
import {
  drawBlocks,
  products,
  SEEN,
  type Sizes,
} from '../../web/labs/complexity/figures/blocks/draw-blocks';

const color = { given: '#000001', between: '#000002', output: '#000003' };
const draw = (width: number, sizes: Sizes, first = sizes) =>
  drawBlocks({
    ...{ width, sizes, first, colors: color },
    paint: { ink: '#000', muted: '#000' } as Parameters<typeof drawBlocks>[0]['paint'],
    below: Object.fromEntries(
      products.map(({ id }) => [id, first === sizes ? ['1', '2'] : ['1', '2', '3']]),
    ),
    headings: { standard: 's', linear: 'l' },
  });

/** The heights of all points of all faces. */
const heightsIn = (inside: string): readonly number[] =>
  [...inside.matchAll(/class="face[^>]* d="M([^"]*)Z"/g)].flatMap(([, path = '']) =>
    path.split('L').map((point) => Number(point.split(' ')[1])),
  );

const first = { n: 64, d: 16, dV: 16 };
const all: readonly Sizes[] = [
  first,
  { n: 8, d: 8, dV: 8 },
  { n: 16, d: 64, dV: 64 },
  { n: 1024, d: 64, dV: 64 },
  { n: 16384, d: 1, dV: 256 },
];

describe('on a phone', () => {
  it.each(all)('both orders are in the half of the window that is seen: %o', (sizes) => {
    for (const drawn of [draw(350, sizes), draw(350, sizes, first)]) {
      const heights = heightsIn(drawn.inside);
      expect(heights).toHaveLength(4 * 3 * 4);
      expect(Math.min(...heights)).toBeGreaterThan(0);
      expect(Math.max(...heights)).toBeLessThan(drawn.height);
      expect(drawn.height).toBeLessThanOrEqual(SEEN);
      // A name that begins at the front corner ends inside the picture; its letters are about 7 pixels wide.
      const names = drawn.inside.matchAll(
        /<text [^>]*\bx="([\d.]+)"[^>]*text-anchor="start"[^>]*>(.*?)<\/text>/g,
      );
      for (const [, x, markup = ''] of names) {
        expect(Number(x) + 7 * markup.replace(/<[^>]*>/g, '').length).toBeLessThanOrEqual(350);
      }
    }
  });
});

it('stands in one row where there is room', () => {
  expect(draw(900, first).height).toBeLessThan(34 + 14 + 330 + 80 + 2);
  expect(draw(900, first).scale).toBeGreaterThan(draw(350, first).scale);
});
