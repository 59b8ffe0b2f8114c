// tfjs on its wasm backend with one thread. Its product with a transposed operand is slow, so every
// variant but `matMul(transposeB)`, which is how tutorials write it, transposes explicitly or is given
// Kᵀ. The fastest counts.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import scalar from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import threaded from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-threaded-simd.wasm?url';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { cases, epsilon, taylorWidth, transposed, withOnes } from './cases.mjs';

const peer = 'tfjs';

export async function start() {
  // The one-threaded binary, which is the faster one when there is one thread.
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  setWasmPaths({
    'tfjs-backend-wasm.wasm': scalar,
    'tfjs-backend-wasm-simd.wasm': simd,
    'tfjs-backend-wasm-threaded-simd.wasm': threaded,
  });
  await tf.setBackend('wasm');
  await tf.ready();
  if (tf.getBackend() !== 'wasm') throw new Error(`tfjs runs on ${tf.getBackend()}`);
}

const tensor = ({ rows, cols, data }) => tf.tensor2d(data, [rows, cols]);
const scaleOf = (q) => 1 / Math.sqrt(q.shape[1]);

function lowerTriangle(n, below, above) {
  const mask = new Float32Array(n * n).fill(above);
  for (let i = 0; i < n; i += 1) mask.fill(below, i * n, i * n + i + 1);
  return tf.tensor2d(mask, [n, n]);
}

const divided = (both) => {
  const [n, columns] = both.shape;
  const numerator = tf.slice(both, [0, 0], [n, columns - 1]);
  const denominator = tf.slice(both, [0, columns - 1], [n, 1]);
  return tf.div(numerator, tf.add(denominator, epsilon));
};

/** Softmax attention; the scores come from one of the three ways to multiply by Kᵀ. */
const scoresBy = {
  'matMul(transposeB)': ({ q, k }) => tf.matMul(tf.mul(q, scaleOf(q)), k, false, true),
  transpose: ({ q, k }) => tf.matMul(tf.mul(q, scaleOf(q)), tf.transpose(k)),
  'Kᵀ given': ({ q, kt }) => tf.matMul(tf.mul(q, scaleOf(q)), kt),
};

const attentionForms = (finish) =>
  Object.fromEntries(
    Object.entries(scoresBy).map(([variant, scores]) => [variant, (x) => finish(scores(x), x)]),
  );

/** Features of x, n×d; with `across`, of xᵀ, d×n, and then transposed too. */
const maps = {
  elu: (x) => tf.add(tf.elu(x), 1),

  taylor(x, across) {
    const d = taylorWidth;
    const n = x.shape[across ? 1 : 0];
    const scaled = tf.mul(x, d ** -0.25);
    const half = tf.mul(scaled, Math.SQRT1_2);
    const pairs = across
      ? tf.reshape(tf.mul(tf.reshape(half, [d, 1, n]), tf.reshape(scaled, [1, d, n])), [d * d, n])
      : tf.reshape(tf.mul(tf.reshape(half, [n, d, 1]), tf.reshape(scaled, [n, 1, d])), [n, d * d]);
    const ones = tf.ones(across ? [1, n] : [n, 1]);
    return tf.concat([ones, scaled, pairs], across ? 0 : 1);
  },

  taylorCompact(x, across, { first, second, factors }) {
    const n = x.shape[across ? 1 : 0];
    const axis = across ? 0 : 1;
    const scaled = tf.mul(x, taylorWidth ** -0.25);
    const columns = (which) => tf.gather(scaled, which, axis);
    const factor = tf.reshape(factors, across ? [-1, 1] : [1, -1]);
    const pairs = tf.mul(tf.mul(columns(first), columns(second)), factor);
    const ones = tf.ones(across ? [1, n] : [n, 1]);
    return tf.concat([ones, scaled, pairs], axis);
  },

  performer(x, across, { w, wt }) {
    const [m, d] = w.shape;
    const dots = across ? tf.matMul(w, x) : tf.matMul(x, wt);
    const squares = tf.sum(tf.square(x), across ? 0 : 1, true);
    const shift = tf.add(tf.mul(squares, 0.5 / Math.sqrt(d)), Math.log(m) / 2);
    return tf.exp(tf.sub(dots, shift));
  },
};

function pairsOfColumns() {
  const [first, second, factors] = [[], [], []];
  for (let i = 0; i < taylorWidth; i += 1) {
    for (let j = i; j < taylorWidth; j += 1) {
      first.push(i);
      second.push(j);
      factors.push(i === j ? Math.SQRT1_2 : 1);
    }
  }
  return {
    first: tf.tensor1d(first, 'int32'),
    second: tf.tensor1d(second, 'int32'),
    factors: tf.tensor1d(factors),
  };
}

const linearForms = (map) => ({
  transpose: (x) => {
    const phiK = map(x.k, false, x);
    const phiQ = map(x.q, false, x);
    const state = tf.matMul(tf.transpose(phiK), x.v);
    const sum = tf.reshape(tf.sum(phiK, 0), [-1, 1]);
    return [tf.div(tf.matMul(phiQ, state), tf.add(tf.matMul(phiQ, sum), epsilon))];
  },
  'Kᵀ given': (x) => {
    const phiKt = map(x.kt, true, x);
    const phiQ = map(x.q, false, x);
    const denominator = tf.add(tf.matMul(phiQ, tf.sum(phiKt, 1, true)), epsilon);
    return [tf.div(tf.matMul(phiQ, tf.matMul(phiKt, x.v)), denominator)];
  },
  'Kᵀ and [V 1] given': (x) => {
    const state = tf.matMul(map(x.kt, true, x), x.v1);
    return [divided(tf.matMul(map(x.q, false, x), state))];
  },
});

const quadratic = (map) => (x) => {
  const scores = tf.matMul(map(x.q, false, x), map(x.kt, true, x));
  return [divided(tf.matMul(x.ones ? tf.mul(scores, x.ones) : scores, x.v1))];
};

const chunk = 64;

/** Causal in chunks: the states before each are a running sum, the rest is quadratic inside. */
function chunked({ q, k, v1, onesOfChunk }) {
  const [n, d] = q.shape;
  const w = v1.shape[1];
  const count = n / chunk;
  const phiQ = tf.reshape(maps.elu(q), [count, chunk, d]);
  const phiK = tf.reshape(maps.elu(k), [count, chunk, d]);
  const phiKt = tf.transpose(phiK, [0, 2, 1]);
  const values = tf.reshape(v1, [count, chunk, w]);
  const states = tf.cumsum(tf.matMul(phiKt, values), 0, true);
  const inside = tf.matMul(tf.mul(tf.matMul(phiQ, phiKt), onesOfChunk), values);
  return [divided(tf.reshape(tf.add(tf.matMul(phiQ, states), inside), [n, w]))];
}

function writtenOutGradients({ q, k, kt, vt, dO }) {
  const scaled = tf.mul(q, scaleOf(q));
  const p = tf.softmax(tf.matMul(scaled, kt));
  const dP = tf.matMul(dO, vt);
  const dS = tf.mul(p, tf.sub(dP, tf.sum(tf.mul(p, dP), 1, true)));
  return [
    tf.mul(tf.matMul(dS, k), scaleOf(q)),
    tf.matMul(tf.transpose(dS), scaled),
    tf.matMul(tf.transpose(p), dO),
  ];
}

const gradients = ({ q, k, v, dO }) =>
  tf.grads((a, b, c) => {
    const scores = tf.matMul(tf.mul(a, scaleOf(q)), tf.transpose(b));
    return tf.matMul(tf.softmax(scores), c);
  })([q, k, v], dO);

/** Each takes an object of tensors and returns the list of results. */
const variants = {
  gemm: {
    'matMul(transposeB)': ({ q, k }) => [tf.matMul(q, k, false, true)],
    transpose: ({ q, k }) => [tf.matMul(q, tf.transpose(k))],
    'Kᵀ given': ({ q, kt }) => [tf.matMul(q, kt)],
  },
  softmax: { softmax: ({ x }) => [tf.softmax(x)] },
  attention: attentionForms((scores, { v }) => [tf.matMul(tf.softmax(scores), v)]),
  attention_weights: attentionForms((scores, { v }) => {
    const p = tf.softmax(scores);
    return [tf.matMul(p, v), p];
  }),
  attention_causal: attentionForms((scores, { v, barrier }) => [
    tf.matMul(tf.softmax(tf.add(scores, barrier)), v),
  ]),
  linear_elu: { ...linearForms(maps.elu), quadratic: quadratic(maps.elu) },
  linear_elu_causal: { 'quadratic, mask': quadratic(maps.elu), chunked },
  linear_taylor: {
    ...linearForms(maps.taylor),
    'Kᵀ and [V 1] given, compact': linearForms(maps.taylorCompact)['Kᵀ and [V 1] given'],
    quadratic: ({ q, kt, v1 }) => {
      const shifted = tf.add(tf.matMul(tf.mul(q, scaleOf(q)), kt), 1);
      const weights = tf.mul(tf.add(tf.square(shifted), 1), 0.5);
      return [divided(tf.matMul(weights, v1))];
    },
  },
  linear_performer: linearForms(maps.performer),
  attention_backward: { 'tf.grads': gradients, 'written-out gradients': writtenOutGradients },
};

/** What the variants of a case want besides the inputs as they are. */
function prepared(name, inputs) {
  const tensors = Object.fromEntries(Object.entries(inputs).map(([key, x]) => [key, tensor(x)]));
  const { k, v, projection, q } = inputs;
  if (k) tensors.kt = tensor(transposed(k));
  if (v) tensors.v1 = tensor(withOnes(v));
  if (name === 'attention_causal') tensors.barrier = lowerTriangle(q.rows, 0, -Infinity);
  if (name === 'attention_backward') tensors.vt = tensor(transposed(v));
  if (name === 'linear_taylor') Object.assign(tensors, pairsOfColumns());
  if (name === 'linear_elu_causal') {
    tensors.ones = lowerTriangle(q.rows, 1, 0);
    tensors.onesOfChunk = lowerTriangle(chunk, 1, 0);
  }
  if (projection) {
    const root = projection.cols ** -0.25;
    const scaled = { ...projection, data: projection.data.map((x) => x * root) };
    tensors.w = tensor(scaled);
    tensors.wt = tensor(transposed(scaled));
  }
  return tensors;
}

/** From the caller's arrays to arrays of the caller's. */
function wholeCall(form, inputs) {
  let last = [];
  const run = () => {
    const made = Object.entries(inputs).map(([key, x]) => [key, tensor(x)]);
    const results = tf.tidy(() => form(Object.fromEntries(made)));
    last = results.map((one) => one.dataSync());
    for (const one of [...results, ...made.map(([, x]) => x)]) one.dispose();
  };
  return { run, result: () => last, dispose: () => undefined };
}

function kernelCall(name, form, inputs) {
  const tensors = prepared(name, inputs);
  let last = [];
  const release = () => {
    for (const one of last) one.dispose();
  };
  const run = () => {
    release();
    last = tf.tidy(() => form(tensors));
  };
  return {
    run,
    result: () => last.map((one) => one.dataSync()),
    dispose() {
      release();
      for (const one of Object.values(tensors)) one.dispose();
    },
  };
}

const peerOf = (variant) => (variant === 'chunked' ? `${peer}, chunked` : peer);

/** The contenders of one case: a list of {peer, variant, prepare}. */
export function contenders(name) {
  const { as = name, whole } = cases[name];
  return Object.entries(variants[as])
    .filter(([variant]) => !whole || !/given|quadratic/.test(variant))
    .map(([variant, form]) => ({
      peer: peerOf(variant),
      variant,
      fits: (n) => variant !== 'chunked' || n % chunk === 0,
      prepare: (inputs) => (whole ? wholeCall(form, inputs) : kernelCall(as, form, inputs)),
    }));
}
