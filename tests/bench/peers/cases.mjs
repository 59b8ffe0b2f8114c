// What is measured: the inputs, what loops make of them, the multiply-adds of the best known form.

export const width = 64;
export const taylorWidth = 16;
export const features = 128;
/** Added to the denominator of linear attention, by all alike. */
export const epsilon = 1e-6;

/** Independent N(0, 1) entries, the same in every run. */
function gaussians(count, seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const out = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    out[i] = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  }
  return out;
}

/** A row-major matrix. */
const gaussian = (rows, cols, seed) => ({ rows, cols, data: gaussians(rows * cols, seed) });

const qkv = (n, d = width, dV = width) => ({
  q: gaussian(n, d, 1),
  k: gaussian(n, d, 2),
  v: gaussian(n, dV, 3),
});

/** Logits thirty times as large: most weights are then too small to matter, or denormal. */
function sharpened({ q, ...rest }) {
  return { q: { ...q, data: q.data.map((x) => 30 * x) }, ...rest };
}

const projection = gaussian(features, width, 5);
const taylorFeatures = ((taylorWidth + 1) * (taylorWidth + 2)) / 2;

/** Multiply-adds of linear attention with that many features: the state, its sum, and their use. */
const linear = (n, count) => 2 * n * count * (width + 1);

const attention = {
  results: (inputs, loops) => [loops.attention(inputs).output],
  multiplyAdds: (n) => 2 * n * n * width,
};
const odd = { n: 513, d: 63, dV: 17 };
const even = { n: 512, d: 64, dV: 16 };
const shaped = ({ n, d, dV }) => ({
  ...attention,
  as: 'attention',
  title: `attention, n = ${n}, d = ${d}, d_v = ${dV}`,
  inputs: (rows) => qkv(rows, d, dV),
  multiplyAdds: (rows) => rows * rows * (d + dV),
  sizes: [n],
});

/**
 * Every case by name: `inputs(n)`, `results(inputs, loops)` as a list of arrays, `multiplyAdds(n)`
 * (none where products are not what takes the time). `as` names the case whose implementations do
 * this one; `whole` means from the caller's arrays to arrays of the caller's; `sizes` are its own
 * instead of those asked for; `tolerance` is in units of the largest true entry, or of 1.
 */
export const cases = {
  gemm: {
    title: 'GEMM n×64×n (Q·Kᵀ)',
    inputs: (n) => ({ q: gaussian(n, width, 1), k: gaussian(n, width, 2) }),
    results: ({ q, k }, loops) => [loops.productTransposed(q, k)],
    multiplyAdds: (n) => n * n * width,
  },
  softmax: {
    title: 'softmax of n×n rows',
    inputs: (n) => ({ x: gaussian(n, n, 4) }),
    results: ({ x }, loops) => [loops.softmaxRows(x)],
  },
  attention: {
    ...attention,
    title: 'attention',
    inputs: (n) => qkv(n),
  },
  attention_weights: {
    title: 'attention with weights',
    inputs: (n) => qkv(n),
    results: (inputs, loops) => {
      const { output, weights } = loops.attention(inputs);
      return [output, weights];
    },
    multiplyAdds: (n) => 2 * n * n * width,
  },
  attention_causal: {
    title: 'causal attention',
    inputs: (n) => qkv(n),
    results: (inputs, loops) => [loops.attention(inputs, { causal: true }).output],
    multiplyAdds: (n) => n * (n + 1) * width,
  },
  linear_elu: {
    title: 'linear attention, ELU + 1',
    inputs: (n) => qkv(n),
    results: (inputs, loops) => [loops.linearAttention(inputs, 'elu', { epsilon })],
    multiplyAdds: (n) => linear(n, width),
  },
  linear_elu_causal: {
    title: 'causal linear attention, ELU + 1',
    inputs: (n) => qkv(n),
    results: (inputs, loops) => [loops.linearAttention(inputs, 'elu', { epsilon, causal: true })],
    multiplyAdds: (n) => linear(n, width),
  },
  linear_taylor: {
    title: "linear attention, Taylor, d' = 16",
    inputs: (n) => qkv(n, taylorWidth),
    results: (inputs, loops) => [loops.linearAttention(inputs, 'taylor', { epsilon })],
    multiplyAdds: (n) => linear(n, taylorFeatures),
  },
  linear_performer: {
    title: 'linear attention, Performer, m = 128',
    inputs: (n) => ({ ...qkv(n), projection }),
    results: (inputs, loops) => [loops.linearAttention(inputs, 'performer', { epsilon })],
    multiplyAdds: (n) => 2 * n * width * features + linear(n, features),
  },
  attention_backward: {
    title: 'attention, backward from Q, K, V and dO',
    inputs: (n) => ({ ...qkv(n), dO: gaussian(n, width, 6) }),
    results: (inputs, loops) => loops.attentionBackward(inputs),
    multiplyAdds: (n) => 5 * n * n * width,
  },
  attention_call: {
    ...attention,
    as: 'attention',
    title: 'attention, the whole call',
    inputs: (n) => qkv(n),
    whole: true,
    sizes: [32, 64],
  },
  linear_elu_call: {
    as: 'linear_elu',
    title: 'linear attention, ELU + 1, the whole call',
    inputs: (n) => qkv(n),
    results: (inputs, loops) => [loops.linearAttention(inputs, 'elu', { epsilon })],
    multiplyAdds: (n) => linear(n, width),
    whole: true,
    sizes: [32, 64],
  },
  attention_sharp: {
    ...attention,
    as: 'attention',
    title: 'attention, Q × 30',
    inputs: (n) => sharpened(qkv(n)),
    sizes: [512],
    // Scores reach 150, where float32 counts in steps of 1.5e-5.
    tolerance: 2e-4,
  },
  attention_odd: shaped(odd),
  attention_even: shaped(even),
};

/** The transposed matrix, for contenders that are given Kᵀ beforehand. */
export function transposed({ rows, cols, data }) {
  const out = new Float32Array(data.length);
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < cols; j += 1) out[j * rows + i] = data[i * cols + j];
  }
  return { rows: cols, cols: rows, data: out };
}

/** [V 1]: one product then gives numerator and denominator. */
export function withOnes({ rows, cols, data }) {
  const out = new Float32Array(rows * (cols + 1)).fill(1);
  for (let i = 0; i < rows; i += 1) {
    out.set(data.subarray(i * cols, (i + 1) * cols), i * (cols + 1));
  }
  return { rows, cols: cols + 1, data: out };
}
