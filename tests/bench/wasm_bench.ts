/** The cases of attention_bench.cpp over WebAssembly, in this process: no worker, no messages. */
import type { RawFull } from '../../wasm/client/full/raw';
import type { Qkv } from '../../wasm/client/types';

const width = 64;
const featureMap = { id: 'elu_plus_one' };

const cases: Record<string, (core: RawFull, qkv: Qkv) => unknown> = {
  softmax_attention: (core, qkv) => core.attention(qkv),
  implicit_attention: (core, { q, k }) => core.computeImplicitAttention({ q, k, featureMap }),
  linear_attention: (core, qkv) => core.linearAttention({ ...qkv, featureMap }),
  compare_to_softmax: (core, qkv) => {
    const work = core.makeComparison({ ...qkv, featureMap });
    while (!work.step(qkv.q.rows));
    const result = work.result();
    work.delete();
    return result;
  },
};

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Median milliseconds of each case, by name: `softmax_attention/256`. */
export function runBench(
  core: RawFull,
  sizes: readonly number[],
  milliseconds: number,
): Record<string, number> {
  const medians: Record<string, number> = {};
  for (const [name, run] of Object.entries(cases)) {
    for (const n of sizes) {
      const qkv = core.gaussianQkv({ n, dK: width, dV: width, seed: 1 });
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
