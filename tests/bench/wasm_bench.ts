/** The cases of attention_bench.cpp over WebAssembly, in this process: no worker, no messages. */
import type { RawFull } from '../../wasm/client/raw';
import type { Qkv } from '../../wasm/client/types';

const width = 64;
const taylorWidth = 16;
const featureMap = { id: 'elu_plus_one' };
const performer = { id: 'softmax_kernel', parameters: { features: 128 } };

const gaussian = (core: RawFull, n: number, dK: number): Qkv =>
  core.gaussianQkv({ n, dK, dV: width, seed: 1 });

/** The points of attention_bench.cpp. */
function sample(n: number) {
  const part = (i: number, prime: number): number => ((i + 1) * Math.sqrt(prime)) % 1;
  const x = { rows: n, cols: 2, data: new Float32Array(2 * n) };
  const y = { rows: n, cols: 1, data: new Float32Array(n) };
  for (let i = 0; i < n; i++) {
    const [at, over] = [4 * part(i, 2) - 2, 4 * part(i, 3) - 2];
    x.data.set([at, over], 2 * i);
    y.data[i] = Math.sin(2 * at) * over + part(i, 5) - 0.5;
  }
  return { x, y };
}
const kernel = { id: 'rbf', parameters: { gamma: 1 } };

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
  kernel_ridge: (core, { q }) =>
    core.kernelRidge({ ...sample(q.rows), kernel, lambda: 0.1, scaling: 'sum' }),
  support_vectors: (core, { q }) => {
    const { x, y } = sample(q.rows);
    const labels = { ...y, data: y.data.map(Math.sign) };
    const work = core.makeSupportVectorClassification({ x, y: labels, kernel, c: 10 });
    while (!work.step(100_000));
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
