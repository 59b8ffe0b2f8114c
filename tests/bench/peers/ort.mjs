// onnxruntime-web on its wasm backend with one thread. Every graph that a user could reasonably
// write for a case is a variant; the fastest counts.

import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import * as ort from 'onnxruntime-web/wasm';
import { cases, epsilon, taylorWidth, transposed, withOnes } from './cases.mjs';
import { Graph } from './onnx.mjs';

const peer = 'onnxruntime-web';
const microsoft = { domain: 'com.microsoft' };

export function start() {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = { wasm };
  ort.env.logLevel = 'error';
}

/** A graph with shorthand for what attention is made of. */
class Work extends Graph {
  n;
  #feeds = {};

  constructor(n) {
    super();
    this.n = n;
  }

  /** An input with its value; `dims` where the operator wants leading ones. */
  feed(name, { rows, cols, data }, dims = [rows, cols]) {
    this.#feeds[name] = new ort.Tensor('float32', data, dims);
    return this.input(name, dims);
  }

  get feeds() {
    return this.#feeds;
  }

  matmul = (a, b) => this.node('MatMul', [a, b]);
  transpose = (x) => this.node('Transpose', [x], { perm: [1, 0] });
  add = (x, y) => this.node('Add', [x, this.#operand(y)]);
  multiply = (x, y) => this.node('Mul', [x, this.#operand(y)]);
  sum = (x, axis) => this.node('ReduceSum', [x, this.integers([axis])], { keepdims: 1 });
  #operand = (y) => (typeof y === 'number' ? this.constant([y]) : y);

  /** [numerator | denominator] of 64 + 1 columns to their ratio. */
  divided(both, width) {
    const [numerator, denominator] = this.node(
      'Split',
      [both, this.integers([width, 1])],
      { axis: 1 },
      { outputs: ['numerator', 'denominator'] },
    );
    return this.node('Div', [numerator, this.add(denominator, epsilon)]);
  }
}

/** Names a value as result number i. */
const result = (work, i, value, dims) => {
  work.node('Identity', [value], {}, { outputs: [`y${i}`] });
  work.output(`y${i}`, dims);
};

const scaleOf = (q) => 1 / Math.sqrt(q.cols);
const heads = (x) => [1, 1, x.rows, x.cols];
const batch = (x) => [1, x.rows, x.cols];

function lowerTriangle(n, below, above) {
  const mask = new Float32Array(n * n).fill(above);
  for (let i = 0; i < n; i += 1) mask.fill(below, i * n, i * n + i + 1);
  return mask;
}

/** Softmax attention from matrix products; K arrives as it is or transposed. */
function attentionGraph({ q, k, v }, { given, causal, weights }) {
  const work = new Work(q.rows);
  const n = work.n;
  const scaled = work.multiply(work.feed('q', q), scaleOf(q));
  const kt = given ? work.feed('kt', transposed(k)) : work.transpose(work.feed('k', k));
  const scores = work.matmul(scaled, kt);
  const masked = causal
    ? work.add(scores, work.constant(lowerTriangle(n, 0, -Infinity), [n, n]))
    : scores;
  const p = work.node('Softmax', [masked], { axis: -1 });
  result(work, 0, work.matmul(p, work.feed('v', v)), [n, v.cols]);
  if (weights) result(work, 1, p, [n, n]);
  return { work };
}

function multiHeadAttention({ q, k, v }, { causal }) {
  const work = new Work(q.rows);
  const inputs = Object.entries({ q, k, v }).map(([name, x]) => work.feed(name, x, batch(x)));
  const attributes = { num_heads: 1, unidirectional: causal ? 1 : 0, scale: scaleOf(q) };
  work.node('MultiHeadAttention', inputs, attributes, { ...microsoft, outputs: ['y0'] });
  work.output('y0', batch(v));
  return { work };
}

function attentionOperator({ q, k, v }, { causal, weights }) {
  const work = new Work(q.rows);
  const inputs = Object.entries({ q, k, v }).map(([name, x]) => work.feed(name, x, heads(x)));
  const attributes = { is_causal: causal ? 1 : 0, scale: scaleOf(q) };
  // Mode 3: the fourth result is what comes out of the softmax.
  if (weights) attributes.qk_matmul_output_mode = 3;
  work.node('Attention', inputs, attributes, { outputs: weights ? ['y0', '', '', 'y1'] : ['y0'] });
  work.output('y0', heads(v));
  if (weights) work.output('y1', [1, 1, work.n, work.n]);
  return { work, opset: 23, ir: 11 };
}

/** Dao et al. 2022, appendix B.2, written out: the runtime has no gradients of its own. */
function backwardGraph({ q, k, v, dO }) {
  const work = new Work(q.rows);
  const scaled = work.multiply(work.feed('q', q), scaleOf(q));
  const keys = work.feed('k', k);
  const p = work.node('Softmax', [work.matmul(scaled, work.feed('kt', transposed(k)))], {
    axis: -1,
  });
  const outer = work.feed('dO', dO);
  const dP = work.matmul(outer, work.feed('vt', transposed(v)));
  const dots = work.sum(work.multiply(dP, p), 1);
  const dS = work.multiply(p, work.node('Sub', [dP, dots]));
  result(work, 0, work.multiply(work.matmul(dS, keys), scaleOf(q)), [work.n, q.cols]);
  result(work, 1, work.matmul(work.transpose(dS), scaled), [work.n, k.cols]);
  result(work, 2, work.matmul(work.transpose(p), outer), [work.n, v.cols]);
  return { work };
}

/** Features of x, n×d; with `across`, of xᵀ, d×n, and then transposed too. */
const maps = {
  elu: (work, x) => work.add(work.node('Elu', [x]), 1),

  /** 273 features: every product of two coordinates. */
  taylor(work, x, across) {
    const [d, n] = [taylorWidth, work.n];
    const scaled = work.multiply(x, d ** -0.25);
    const [left, right, both] = across
      ? [
          [d, 1, n],
          [1, d, n],
          [d * d, n],
        ]
      : [
          [n, d, 1],
          [n, 1, d],
          [n, d * d],
        ];
    const shaped = (value, dims) => work.node('Reshape', [value, work.integers(dims)]);
    const half = work.multiply(scaled, Math.SQRT1_2);
    const pairs = shaped(work.multiply(shaped(half, left), shaped(scaled, right)), both);
    const ones = work.constant(new Float32Array(n).fill(1), across ? [1, n] : [n, 1]);
    return work.node('Concat', [ones, scaled, pairs], { axis: across ? 0 : 1 });
  },

  /** 153 features: each mixed product once. */
  taylorCompact(work, x, across) {
    const [d, n] = [taylorWidth, work.n];
    const axis = across ? 0 : 1;
    const scaled = work.multiply(x, d ** -0.25);
    const [first, second, factors] = [[], [], []];
    for (let i = 0; i < d; i += 1) {
      for (let j = i; j < d; j += 1) {
        first.push(i);
        second.push(j);
        factors.push(i === j ? Math.SQRT1_2 : 1);
      }
    }
    const columns = (which) => work.node('Gather', [scaled, work.integers(which)], { axis });
    const factor = work.constant(factors, across ? [factors.length, 1] : [1, factors.length]);
    const pairs = work.multiply(work.multiply(columns(first), columns(second)), factor);
    const ones = work.constant(new Float32Array(n).fill(1), across ? [1, n] : [n, 1]);
    return work.node('Concat', [ones, scaled, pairs], { axis });
  },

  performer(projection) {
    const root = projection.cols ** -0.25;
    const scaled = { ...projection, data: projection.data.map((x) => x * root) };
    const flipped = transposed(scaled);
    return (work, x, across) => {
      const { rows, cols, data } = across ? scaled : flipped;
      const w = work.constant(data, [rows, cols]);
      const dots = across ? work.matmul(w, x) : work.matmul(x, w);
      const axes = { axes: [across ? 0 : 1], keepdims: 1 };
      const squares = work.node('ReduceSumSquare', [x], axes);
      const shift = work.add(
        work.multiply(squares, (root * root) / 2),
        Math.log(projection.rows) / 2,
      );
      return work.node('Exp', [work.node('Sub', [dots, shift])]);
    };
  },
};

/** Linear attention as φ(Q)(φ(K)ᵀV): `given` takes Kᵀ, `ones` takes [V 1] for the denominator. */
function linearGraph({ q, k, v }, map, { given, ones }) {
  const work = new Work(q.rows);
  const phiQ = map(work, work.feed('q', q), false);
  const phiK = given
    ? map(work, work.feed('kt', transposed(k)), true)
    : map(work, work.feed('k', k), false);
  const phiKt = given ? phiK : work.transpose(phiK);
  const values = work.feed('v', ones ? withOnes(v) : v);
  const both = work.matmul(phiQ, work.matmul(phiKt, values));
  if (ones) {
    result(work, 0, work.divided(both, v.cols), [work.n, v.cols]);
  } else {
    const sum = given ? work.sum(phiKt, 1) : work.transpose(work.sum(phiK, 0));
    const denominator = work.add(work.matmul(phiQ, sum), epsilon);
    result(work, 0, work.node('Div', [both, denominator]), [work.n, v.cols]);
  }
  return { work };
}

/** Linear attention as (φ(Q)φ(K)ᵀ ∘ mask)V, the only form without a recurrence. */
function quadraticGraph({ q, k, v }, map, { causal }) {
  const work = new Work(q.rows);
  const n = work.n;
  const phiQ = map(work, work.feed('q', q), false);
  const scores = work.matmul(phiQ, map(work, work.feed('kt', transposed(k)), true));
  const masked =
    causal === 'mask'
      ? work.multiply(scores, work.constant(lowerTriangle(n, 1, 0), [n, n]))
      : causal === 'Trilu'
        ? work.node('Trilu', [scores], { upper: 0 })
        : scores;
  const both = work.matmul(masked, work.feed('v', withOnes(v)));
  result(work, 0, work.divided(both, v.cols), [n, v.cols]);
  return { work };
}

/** The Taylor kernel from the dot products themselves: (1 + s)² + 1 = 2(1 + s + s²/2). */
function taylorKernelGraph({ q, k, v }) {
  const work = new Work(q.rows);
  const scaled = work.multiply(work.feed('q', q), scaleOf(q));
  const shifted = work.add(work.matmul(scaled, work.feed('kt', transposed(k))), 1);
  const weights = work.multiply(work.add(work.multiply(shifted, shifted), 1), 0.5);
  const both = work.matmul(weights, work.feed('v', withOnes(v)));
  result(work, 0, work.divided(both, v.cols), [work.n, v.cols]);
  return { work };
}

const chunk = 64;

/** Causal in chunks: the states before each are a running sum, the rest is quadratic inside. */
function chunkedGraph({ q, k, v }, map) {
  const work = new Work(q.rows);
  const [n, d, w] = [work.n, q.cols, v.cols + 1];
  const count = n / chunk;
  const shaped = (x, dims) => work.node('Reshape', [x, work.integers(dims)]);
  const phiQ = shaped(map(work, work.feed('q', q), false), [count, chunk, d]);
  const phiK = shaped(map(work, work.feed('k', k), false), [count, chunk, d]);
  const phiKt = work.node('Transpose', [phiK], { perm: [0, 2, 1] });
  const values = work.feed('v', withOnes(v), [count, chunk, w]);
  const states = work.node('CumSum', [work.matmul(phiKt, values), work.integers([0])], {
    exclusive: 1,
  });
  const mask = work.constant(lowerTriangle(chunk, 1, 0), [chunk, chunk]);
  const inside = work.matmul(work.multiply(work.matmul(phiQ, phiKt), mask), values);
  const both = work.node('Add', [work.matmul(phiQ, states), inside]);
  result(work, 0, work.divided(shaped(both, [n, w]), v.cols), [n, v.cols]);
  return { work };
}

const softmaxForms = (options) => ({
  'MatMul and Softmax': (inputs) => attentionGraph(inputs, options),
  'MatMul and Softmax, Kᵀ given': (inputs) => attentionGraph(inputs, { ...options, given: true }),
  ...(options.weights
    ? {}
    : { MultiHeadAttention: (inputs) => multiHeadAttention(inputs, options) }),
  'Attention-23': (inputs) => attentionOperator(inputs, options),
});

const linearForms = (mapOf) => ({
  MatMul: (inputs) => linearGraph(inputs, mapOf(inputs), {}),
  'MatMul, Kᵀ given': (inputs) => linearGraph(inputs, mapOf(inputs), { given: true }),
  'MatMul, Kᵀ and [V 1] given': (inputs) =>
    linearGraph(inputs, mapOf(inputs), { given: true, ones: true }),
});

const variants = {
  gemm: {
    'MatMul, Kᵀ given': ({ q, k }) => {
      const work = new Work(q.rows);
      const product = work.matmul(work.feed('q', q), work.feed('kt', transposed(k)));
      result(work, 0, product, [q.rows, k.rows]);
      return { work };
    },
    'Transpose and MatMul': ({ q, k }) => {
      const work = new Work(q.rows);
      const product = work.matmul(work.feed('q', q), work.transpose(work.feed('k', k)));
      result(work, 0, product, [q.rows, k.rows]);
      return { work };
    },
    Gemm: ({ q, k }) => {
      const work = new Work(q.rows);
      const product = work.node('Gemm', [work.feed('q', q), work.feed('k', k)], { transB: 1 });
      result(work, 0, product, [q.rows, k.rows]);
      return { work };
    },
  },
  softmax: {
    Softmax: ({ x }) => {
      const work = new Work(x.rows);
      result(work, 0, work.node('Softmax', [work.feed('x', x)], { axis: -1 }), [x.rows, x.cols]);
      return { work };
    },
  },
  attention: softmaxForms({}),
  attention_weights: softmaxForms({ weights: true }),
  attention_causal: softmaxForms({ causal: true }),
  linear_elu: {
    ...linearForms(() => maps.elu),
    quadratic: (inputs) => quadraticGraph(inputs, maps.elu, {}),
  },
  linear_elu_causal: {
    'quadratic, mask': (inputs) => quadraticGraph(inputs, maps.elu, { causal: 'mask' }),
    'quadratic, Trilu': (inputs) => quadraticGraph(inputs, maps.elu, { causal: 'Trilu' }),
    chunked: (inputs) => chunkedGraph(inputs, maps.elu),
  },
  linear_taylor: {
    ...linearForms(() => maps.taylor),
    'MatMul, Kᵀ and [V 1] given, compact': (inputs) =>
      linearGraph(inputs, maps.taylorCompact, { given: true, ones: true }),
    quadratic: taylorKernelGraph,
  },
  linear_performer: linearForms(({ projection }) => maps.performer(projection)),
  attention_backward: { 'written-out gradients': backwardGraph },
};

/** Of causal linear attention, what the goal compares with is the form without chunks. */
const peerOf = (variant) => (variant === 'chunked' ? `${peer}, chunked` : peer);

/** The contenders of one case: a list of {peer, variant, prepare}. */
export function contenders(name) {
  const { whole } = cases[name];
  const forms = Object.entries(variants[cases[name].as ?? name]);
  return forms
    .filter(([variant]) => !whole || !variant.includes('given'))
    .map(([variant, build]) => ({
      peer: peerOf(variant),
      variant,
      fits: (n) => variant !== 'chunked' || n % chunk === 0,
      async prepare(inputs) {
        const { work, ...versions } = build(inputs);
        const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' };
        const session = await ort.InferenceSession.create(work.bytes(versions), options);
        const { feeds } = work;
        // A whole call makes its tensors from the caller's arrays; their data is copied in any case.
        const fresh = () =>
          Object.fromEntries(
            Object.entries(feeds).map(([key, tensor]) => [
              key,
              new ort.Tensor('float32', tensor.data, tensor.dims),
            ]),
          );
        let last;
        const run = async () => {
          last = await session.run(whole ? fresh() : feeds);
        };
        return {
          run,
          result: () => session.outputNames.map((output) => last[output].data),
          dispose: () => session.release(),
        };
      },
    }));
}
