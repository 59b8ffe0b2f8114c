/** The names of the matrices in the kernel trick's picture of both orders, at every size that the knobs allow. */
import { expect, it } from 'vitest';
import type { Matrix } from '#client';
import { matricesBody, svgOf } from '../../web/labs/kernel-trick/draw/matrices';
import { drawOrder } from '../../web/labs/kernel-trick/draw/order-layout';

/** The smallest cells are the narrowest, and the names do not shrink with them. */
const CELL = 19;

const zeros = (rows: number, cols: number): Matrix => ({
  rows,
  cols,
  data: new Float32Array(rows * cols),
});

it('have room beside each other and inside the picture', () => {
  const place = document.createElement('div');
  document.body.append(place);
  const bad: string[] = [];
  for (const order of ['standard', 'linear'] as const) {
    for (let n = 2; n <= 8; n++) {
      for (let d = 1; d <= 4; d++) {
        for (let dV = 1; dV <= 4; dV++) {
          const whole = {
            product: order === 'standard' ? zeros(n, n) : zeros(d, dV),
            output: zeros(n, dV),
          };
          const parts = { q: zeros(n, d), k: zeros(n, d), v: zeros(n, dV), ...whole };
          const drawing = drawOrder(order, parts, whole, CELL);
          place.innerHTML = svgOf(drawing, matricesBody(drawing, [], false), false);
          const picture = place.querySelector('svg')?.getBoundingClientRect() ?? new DOMRect();
          const names = [...place.querySelectorAll('.name')].map((name) => ({
            text: name.textContent,
            box: name.getBoundingClientRect(),
          }));
          const size = `${order}, n = ${n}, d = ${d}, dV = ${dV}`;
          for (const [i, { text, box }] of names.entries()) {
            const inside =
              box.left >= picture.left &&
              box.right <= picture.right &&
              box.top >= picture.top &&
              box.bottom <= picture.bottom;
            if (!inside) bad.push(`${size}: ${text} leaves the picture`);
            for (const other of names.slice(i + 1)) {
              const over =
                box.left < other.box.right &&
                other.box.left < box.right &&
                box.top < other.box.bottom &&
                other.box.top < box.bottom;
              if (over) bad.push(`${size}: ${text} is over ${other.text}`);
            }
          }
        }
      }
    }
  }
  place.remove();
  expect(bad).toEqual([]);
});
