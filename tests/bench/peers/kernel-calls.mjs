// How bench/kernels.cpp is called for each case: [function, arguments after `times`], and which of
// its matrices hold the results. The same natively and over WebAssembly.
import { features, taylorFeatures, taylorWidth, width } from './cases.mjs';

/** Its numbers of attn::simd::Feature. */
const eluPlusOne = 1;
const taylorCompact = 6;
const scale = 1 / Math.sqrt(width);

const attention = (n, d, dV, weights, causal) => [
  'attention',
  [n, d, dV, weights, causal, 1 / Math.sqrt(d)],
];
// With the state: where it overtakes softmax attention is measured by this case.
const elu = (n, causal) => ['linear', [n, width, width, width, eluPlusOne, 1, causal, 1]];

export const kernelCalls = {
  gemm: { call: (n) => ['gemm', [n, width]], results: ['x'] },
  // In place: from the second run on it is the softmax of a softmax, which takes no less time.
  softmax: { call: (n) => ['softmax', [n]], results: ['x'] },
  attention: {
    call: (n, d = width, dV = width) => attention(n, d, dV, 0, 0),
    results: ['output'],
  },
  attention_weights: {
    call: (n) => attention(n, width, width, 1, 0),
    results: ['output', 'x'],
  },
  attention_causal: { call: (n) => attention(n, width, width, 0, 1), results: ['output'] },
  linear_elu: { call: (n) => elu(n, 0), results: ['output'] },
  linear_elu_causal: { call: (n) => elu(n, 1), results: ['output'] },
  linear_taylor: {
    call: (n) => [
      'linear',
      [n, taylorWidth, width, taylorFeatures, taylorCompact, taylorWidth ** -0.25, 0, 0],
    ],
    results: ['output'],
  },
  linear_performer: {
    call: (n) => ['performer', [n, width, width, features]],
    results: ['output'],
  },
  attention_backward: {
    call: (n) => ['training', [n, width, 0, scale]],
    results: ['dQ', 'dK', 'dV'],
  },
};

/** Its numbers of the matrices. */
const matrices = { q: 0, k: 1, v: 2, dO: 3, output: 4, x: 5, projection: 7, dQ: 9, dK: 10, dV: 11 };

/** What a linker without a C library leaves to be imported: the logarithm. The rest is never called. */
const imports = new Proxy({}, { get: (_, name) => (name === 'logf' ? Math.log : () => 0) });
const everything = new Proxy({}, { get: () => imports });

/** A module with room for sequences of n, and its matrices as views: at(name, size). */
export async function openKernels(module, n) {
  const { exports: core } = await WebAssembly.instantiate(module, everything);
  core._initialize?.();
  core.prepare(n, width, width, Math.max(taylorFeatures, features));
  const at = (name, size) =>
    new Float32Array(core.memory.buffer, core.address(matrices[name]), size);
  const give = (inputs) => {
    for (const [key, { data, cols }] of Object.entries(inputs)) {
      // The features of e^{Wx'} are made with W/d^¼.
      const root = key === 'projection' ? cols ** -0.25 : 1;
      at(key, data.length).set(root === 1 ? data : data.map((x) => x * root));
    }
  };
  return { core, at, give };
}
