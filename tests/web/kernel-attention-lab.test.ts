/** The predictions of the lab on attention, features and wide networks: the core gives the answer that the text below each of them explains. */
import { afterAll, expect, vi } from 'vitest';
import { lab } from '../../web/labs/kernel-attention/lab';
import { createFullTestClient } from '../wasm/in_process';
import { type Explained, explainsItsPredictions } from './explained-predictions';

// Twenty networks are trained for one of them, on a core that may have other work.
vi.setConfig({ testTimeout: 120_000 });

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

const heights = (truth: string | number): number[] => String(truth).split(' ').map(Number);
/** What the text below each question explains: an option, or what the number or the drawn curve must be like. */
const explained: Explained = {
  equal: (truth) => expect(truth).toBe('exponential'),
  // n²(d + 2) over n·D(d + 4) for n = 2¹⁵, d = 4, D = 64.
  fewer: (truth) => expect(truth).toBeCloseTo(384, 6),
  nearer: (truth) => {
    const apart = heights(truth);
    const slope = Math.log((apart.at(-1) ?? 0) / (apart[0] ?? 1)) / Math.log(2048 / 8);
    expect(slope).toBeGreaterThan(-3 / 4);
    expect(slope).toBeLessThan(-1 / 4);
  },
  fooled: (truth) => expect(truth).toBe('lower'),
};

explainsItsPredictions(lab, client, explained);
