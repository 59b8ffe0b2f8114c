// Our own builds. What runs here is what is measured: nothing else in the benchmark knows how.
//
// Cases of whole calls, and all cases where the kernels were not built on their own, go through the
// Embind module of the client; the others run the kernels on matrices that lie in wasm memory.
import { cases, epsilon, features, taylorWidth, width } from './cases.mjs';

const glues = import.meta.glob('../../../build/wasm/*/full.mjs');
const binaries = import.meta.glob('../../../build/wasm/*/full.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Build name → Embind module. */
const clients = {};
/** Build name → compiled module of kernels_wasm.cpp. */
const kernels = {};

/** @param given build name → address of its kernels */
export async function start(given) {
  for (const [path, load] of Object.entries(glues)) {
    const build = path.split('/').at(-2);
    const wasmBinary = await (await fetch(binaries[path.replace(/mjs$/, 'wasm')])).arrayBuffer();
    clients[build] = await (await load()).default({ wasmBinary });
  }
  for (const [build, address] of Object.entries(given)) {
    const bytes = await (await fetch(address)).arrayBuffer();
    if (WebAssembly.validate(bytes)) kernels[build] = await WebAssembly.compile(bytes);
  }
}

/** How the client calls each case; the result as the list of arrays that the case compares. */
const calls = {
  attention: (core, qkv) => [core.attention(qkv).output.data],
  attention_weights: (core, qkv) => {
    const { output, weights } = core.attention(qkv);
    return [output.data, weights.data];
  },
  attention_causal: (core, qkv) => [
    core.attention({ ...qkv, mask: { kind: 'causal' } }).output.data,
  ],
  linear_elu: (core, qkv) => linear(core, { ...qkv, featureMap: { id: 'elu_plus_one' } }),
  linear_elu_causal: (core, qkv) =>
    linear(core, { ...qkv, featureMap: { id: 'elu_plus_one' }, causal: true, chunk: 16 }),
  linear_taylor: (core, qkv) => linear(core, { ...qkv, featureMap: { id: 'taylor_compact' } }),
  linear_performer: (core, { projection, ...qkv }) =>
    linear(core, { ...qkv, featureMap: { id: 'softmax_kernel', projection } }),
  attention_backward: (core, inputs) => {
    const { dQ, dK, dV } = core.attentionBackward(inputs);
    return [dQ.data, dK.data, dV.data];
  },
};

const linear = (core, input) => [core.linearAttention({ epsilon, ...input }).output.data];

function clientCall(core, call, inputs) {
  let last = [];
  const run = () => {
    last = call(core, inputs);
  };
  return { run, result: () => last, dispose: () => undefined };
}

/** kernels_wasm.cpp's numbers: of its matrices, and of attn::simd::Feature. */
const matrices = { q: 0, k: 1, v: 2, dO: 3, output: 4, x: 5, projection: 7, dQ: 9, dK: 10, dV: 11 };
const eluPlusOne = 1;
const taylorCompact = 6;
const taylorFeatures = ((taylorWidth + 1) * (taylorWidth + 2)) / 2;
const scale = 1 / Math.sqrt(width);

/** One run of each case on the kernels, and which matrices hold its results. */
const onKernels = {
  gemm: [(core, n) => core.gemm(1, n, width), ['x']],
  // In place: from the second run on it is the softmax of a softmax, which takes no less time.
  softmax: [(core, n) => core.softmax(1, n), ['x']],
  attention: [(core, n, d, dV) => core.attention(1, n, d, dV, 0, 0, 1 / Math.sqrt(d)), ['output']],
  attention_weights: [
    (core, n) => core.attention(1, n, width, width, 1, 0, scale),
    ['output', 'x'],
  ],
  attention_causal: [(core, n) => core.attention(1, n, width, width, 0, 1, scale), ['output']],
  linear_elu: [(core, n) => core.linear(1, n, width, width, width, eluPlusOne, 1, 0), ['output']],
  linear_elu_causal: [
    (core, n) => core.linear(1, n, width, width, width, eluPlusOne, 1, 1),
    ['output'],
  ],
  linear_taylor: [
    (core, n) =>
      core.linear(1, n, taylorWidth, width, taylorFeatures, taylorCompact, taylorWidth ** -0.25, 0),
    ['output'],
  ],
  linear_performer: [(core, n) => core.performer(1, n, width, width, features), ['output']],
  attention_backward: [(core, n) => core.training(1, n, width, 0, scale), ['dQ', 'dK', 'dV']],
};

/** What a linker without a C library leaves to be imported: the logarithm. The rest is never called. */
const imports = new Proxy({}, { get: (_, name) => (name === 'logf' ? Math.log : () => 0) });
const everything = new Proxy({}, { get: () => imports });

async function kernelCall(module, name, inputs, sizes) {
  const { exports: core } = await WebAssembly.instantiate(module, everything);
  core._initialize?.();
  const n = (inputs.q ?? inputs.x).rows;
  core.prepare(n, width, width, Math.max(taylorFeatures, features));
  const at = (matrix, size) =>
    new Float32Array(core.memory.buffer, core.address(matrices[matrix]), size);
  for (const [key, { data, cols }] of Object.entries(inputs)) {
    // The features of e^{Wx'} are made with W/d^¼.
    const root = key === 'projection' ? cols ** -0.25 : 1;
    at(key, data.length).set(root === 1 ? data : data.map((x) => x * root));
  }
  const [call, results] = onKernels[name];
  return {
    run: () => call(core, n, inputs.q?.cols, inputs.v?.cols),
    result: () => results.map((matrix, i) => at(matrix, sizes[i])),
    dispose: () => undefined,
  };
}

/** The contenders of one case: a list of {peer, variant, prepare}. */
export function contenders(name) {
  const { as = name, whole } = cases[name];
  const call = calls[as];
  const alone = whole ? {} : kernels;
  return [
    ...Object.entries(alone).map(([build, module]) => ({
      peer: `ours ${build}`,
      variant: 'kernel',
      prepare: (inputs, sizes) => kernelCall(module, as, inputs, sizes),
    })),
    ...Object.entries(call ? clients : {})
      .filter(([build]) => !alone[build])
      .map(([build, core]) => ({
        peer: `ours ${build}`,
        variant: 'client call',
        prepare: (inputs) => clientCall(core, call, inputs),
      })),
  ];
}
