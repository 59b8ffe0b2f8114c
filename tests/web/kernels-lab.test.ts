/** The predictions of the lab on bumps and machines: the core gives the answer that the text below each of them explains. */
import { afterAll, expect } from 'vitest';
import { lab } from '../../web/labs/kernels/lab';
import { createFullTestClient } from '../wasm/in_process';
import { type Explained, explainsItsPredictions } from './explained-predictions';

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const heights = (truth: string | number): number[] => String(truth).split(' ').map(Number);
/** What the text below each question explains: an option, or what the number or the drawn curve must be like. */
const explained: Explained = {
  xor: (truth) => expect(truth).toBe('bend'),
  circle: (truth) => expect(truth).toBeCloseTo(2, 6),
  which: (truth) => expect(truth).toBe('both'),
  // The norm is the price of climbing between the data.
  price: (truth) => expect(truth).toBeGreaterThan(2),
  beyond: (truth) => {
    const left = heights(truth);
    expect(left).toHaveLength(5);
    expect(left[0]).toBeCloseTo(100, 3);
    // Each step multiplies the part by 1 − 2ηλ, so twice the steps square what is left.
    const [, , at20 = 0, at40 = 0, at80 = 0] = left.map((one) => one / 100);
    expect(at20 ** 2 / at40).toBeCloseTo(1, 1);
    expect(at40 ** 2 / at80).toBeCloseTo(1, 1);
    expect(at80).toBeLessThan(0.5);
  },
  kept: (truth) => expect(truth).toBe(40),
};

explainsItsPredictions(lab, client, explained);
