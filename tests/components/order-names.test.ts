/** The names of the matrices in the kernel trick's picture of both orders, at every size that the knobs allow. */
import { expect, it } from 'vitest';
import type { Matrix } from '#client';
import { matricesBody, svgOf } from '../../web/labs/kernel-trick/draw/matrices';
import {
  drawInputs,
  drawOrder,
  drawProducts,
  layoutFor,
} from '../../web/labs/kernel-trick/draw/order-layout';

/** The smallest cells are the narrowest, and the names do not shrink with them. */
const CELL = 19;
const SMALLEST = 10;

const zeros = (rows: number, cols: number): Matrix => ({
  rows,
  cols,
  data: new Float32Array(rows * cols),
});

it('have room beside each other and inside the picture', () => {
  const place = document.createElement('div');
  document.body.append(place);
  const bad: string[] = [];
  const svgs: { readonly size: string; readonly file: string }[] = [];
  for (const order of ['standard', 'linear'] as const) {
    for (let n = 2; n <= 8; n++) {
      for (let d = 1; d <= 4; d++) {
        for (let dV = 1; dV <= 4; dV++) {
          const whole = {
            product: order === 'standard' ? zeros(n, n) : zeros(d, dV),
            output: zeros(n, dV),
          };
          const parts = { q: zeros(n, d), k: zeros(n, d), v: zeros(n, dV), ...whole };
          const drawings = {
            each: drawOrder(order, parts, whole, CELL),
            inputs: drawInputs(parts, CELL),
            products: drawProducts(order, whole, whole, SMALLEST),
          };
          for (const [kind, drawing] of Object.entries(drawings)) {
            const body = matricesBody({ ...drawing, bare: true }, [], false);
            svgs.push({
              size: `${order}, ${kind}, n = ${n}, d = ${d}, dV = ${dV}`,
              file: svgOf(drawing, body, false),
            });
          }
        }
      }
    }
  }
  // All of them are laid out at once: one layout for each picture takes minutes on a busy machine.
  place.innerHTML = svgs.map(({ file }) => `<div>${file}</div>`).join('');
  for (const [at, { size }] of svgs.entries()) {
    const svg = place.children[at]?.querySelector('svg');
    const picture = svg?.getBoundingClientRect() ?? new DOMRect();
    const names = [...(svg?.querySelectorAll('.name') ?? [])].map((name) => ({
      text: name.textContent,
      box: name.getBoundingClientRect(),
    }));
    if (names.length === 0) bad.push(`${size}: has no names`);
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
  place.remove();
  expect(bad).toEqual([]);
});

it('inputs are drawn beside each order, once, or not at all, as there is room', () => {
  const sizes = { n: 6, dK: 2, dV: 2 };
  expect(layoutFor(sizes, { width: 1040, height: 700 })).toMatchObject({ mode: 'each' });
  expect(layoutFor(sizes, { width: 900, height: 450 })).toMatchObject({ mode: 'shared' });
  expect(layoutFor(sizes, { width: 358, height: 700 })).toMatchObject({ mode: 'shared' });
  expect(layoutFor(sizes, { width: 358, height: 300 })).toMatchObject({ mode: 'without' });
  // On paper nothing limits the height.
  const paper = { width: 640, height: Number.POSITIVE_INFINITY };
  expect(layoutFor(sizes, paper)).toMatchObject({ mode: 'each', terms: true });
});
