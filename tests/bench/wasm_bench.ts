/** The cases of attention_bench.cpp over WebAssembly, in this process: no worker, no messages. */
import type { RawFull } from '../../wasm/client/raw';
import type { Qkv } from '../../wasm/client/types';

const width = 64;
const taylorWidth = 16;
const featureMap = { id: 'elu_plus_one' };
const performer = { id: 'softmax_kernel', parameters: { features: 128 } };

const gaussian = (core: RawFull, n: number, dK: number): Qkv =>
  core.gaussianQkv({ n, dK, dV: width, seed: 1 });

const cases: Record<string, (core: RawFull, qkv: Qkv) => unknown> = {
  attention: (core, qkv) => core.flashAttention(qkv),
  attention_weights: (core, qkv) => core.attention(qkv),
  attention_causal: (core, qkv) => core.flashAttention({ ...qkv, mask: { kind: 'causal' } }),
  // V has the shape of dO, and the time does not depend on what is in it.
  attention_backward: (core, qkv) => core.attentionBackward({ ...qkv, dO: qkv.v }),
  implicit_attention: (core, { q, k }) => core.computeImplicitAttention({ q, k, featureMap }),
  linear_elu: (core, qkv) => core.linearAttention({ ...qkv, featureMap }),
  linear_elu_causal: (core, qkv) => core.linearAttention({ ...qkv, featureMap, causal: true }),
  linear_taylor: (core, qkv) =>
    core.linearAttention({ ...qkv, featureMap: { id: 'taylor_compact' } }),
  linear_performer: (core, qkv) => core.linearAttention({ ...qkv, featureMap: performer }),
  compare_to_softmax: (core, qkv) => {
    const work = core.makeCompareToSoftmax({ ...qkv, featureMap });
    while (!work.step(qkv.q.rows));
    const result = work.result();
    work.delete();
    return result;
  },
};

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Median milliseconds of each case, by name: `attention/256`. */
export function runBench(
  core: RawFull,
  sizes: readonly number[],
  milliseconds: number,
): Record<string, number> {
  const medians: Record<string, number> = {};
  for (const [name, run] of Object.entries(cases)) {
    for (const n of sizes) {
      const qkv = gaussian(core, n, name.endsWith('taylor') ? taylorWidth : width);
      run(core, qkv);
      const times: number[] = [];
      const end = performance.now() + milliseconds;
      do {
        const start = performance.now();
        run(core, qkv);
        times.push(performance.now() - start);
      } while (performance.now() < end);
      medians[`${name}/${n}`] = median(times);
    }
  }
  return medians;
}
