import type { RawCore } from './raw';

// A few tokens, for the way in and out, and enough that every kernel runs long enough to be worth
// the browser's optimising compiler.
const sizes = [4, 256, 256, 256];
const width = 64;

/**
 * Calls what a page is likely to call first, a few milliseconds at a time: a browser compiles a
 * function well only after it has run for a while, and not in the middle of a call.
 */
export function* warmCore(core: RawCore): Generator<void, void> {
  for (const n of sizes) {
    const qkv = core.gaussianQkv({ n, dK: width, dV: width, seed: 1 });
    yield;
    core.attention(qkv);
    yield;
    core.attention({ ...qkv, mask: { kind: 'causal' } });
    yield;
    const work = core.makeCompareToSoftmax({ ...qkv, featureMap: { id: 'elu_plus_one' } });
    try {
      while (!work.step(64)) yield;
      work.result();
    } finally {
      work.delete();
    }
    yield;
  }
}
