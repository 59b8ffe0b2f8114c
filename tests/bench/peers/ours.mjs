// Our own builds. What runs here is what is measured: nothing else in the benchmark knows how.
import { cases } from './cases.mjs';

const glues = import.meta.glob('../../../build/wasm/*/full.mjs');
const binaries = import.meta.glob('../../../build/wasm/*/full.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Build name → Embind module. */
const modules = {};

export async function start() {
  for (const [path, load] of Object.entries(glues)) {
    const build = path.split('/').at(-2);
    const wasmBinary = await (await fetch(binaries[path.replace(/mjs$/, 'wasm')])).arrayBuffer();
    modules[build] = await (await load()).default({ wasmBinary });
  }
}

/** How each case is called; the result as the list of arrays that the case compares. */
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

const linear = (core, input) => [core.linearAttention(input).output.data];

/** The contenders of one case: a list of {peer, variant, prepare}. */
export function contenders(name) {
  const call = calls[cases[name].of ?? name];
  if (!call) return [];
  return Object.entries(modules).map(([build, core]) => ({
    peer: `ours ${build}`,
    variant: 'client call',
    prepare(inputs) {
      let last = [];
      const run = () => {
        last = call(core, inputs);
      };
      return { run, result: () => last, dispose: () => undefined };
    },
  }));
}
