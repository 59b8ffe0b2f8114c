// Our own builds. What runs here is what is measured: nothing else in the benchmark knows how.
//
// Cases of whole calls, and all cases where the kernels were not built on their own, go through the
// Embind module of the client; the others run the kernels on matrices that lie in wasm memory.
import { cases, epsilon } from './cases.mjs';
import { kernelCalls, openKernels } from './kernel-calls.mjs';

const glues = import.meta.glob('../../../build/wasm/*/full.mjs');
const binaries = import.meta.glob('../../../build/wasm/*/full.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Build name → Embind module. */
export const clients = {};
/** Build name → compiled module of kernels.cpp. */
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
  attention: (core, qkv) => [core.flashAttention(qkv).output.data],
  attention_weights: (core, qkv) => {
    const { output, weights } = core.attention(qkv);
    return [output.data, weights.data];
  },
  attention_causal: (core, qkv) => [
    core.flashAttention({ ...qkv, mask: { kind: 'causal' } }).output.data,
  ],
  linear_elu: (core, qkv) => linear(core, { ...qkv, featureMap: { id: 'elu_plus_one' } }),
  linear_elu_causal: (core, qkv) =>
    linear(core, { ...qkv, featureMap: { id: 'elu_plus_one' }, causal: true }),
  linear_taylor: (core, qkv) => linear(core, { ...qkv, featureMap: { id: 'taylor_compact' } }),
  linear_performer: (core, { projection, ...qkv }) =>
    linear(core, { ...qkv, featureMap: { id: 'softmax_kernel', projection } }),
  attention_backward: (core, inputs) => {
    const { dQ, dK, dV } = core.attentionBackward(inputs);
    return [dQ.data, dK.data, dV.data];
  },
};

// Peers give no state, so none is asked for.
const linear = (core, input) => [
  core.linearAttention({ epsilon, keepState: false, ...input }).output.data,
];

function clientCall(core, call, inputs) {
  let last = [];
  const run = () => {
    last = call(core, inputs);
  };
  return { run, result: () => last, dispose: () => undefined };
}

async function kernelCall(module, name, inputs, sizes) {
  const n = (inputs.q ?? inputs.x).rows;
  const { core, at, give } = await openKernels(module, n);
  give(inputs);
  const { call, results } = kernelCalls[name];
  const [run, rest] = call(n, inputs.q?.cols, inputs.v?.cols);
  return {
    run: () => core[run](1, ...rest),
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
