// Training steps of the core's language models in tfjs, on its wasm backend: the same graph, from the same
// parameters, with tfjs's own differentiation and its Adam.
//
// What that backend lacks is made of other operations:
// - the gradient of `gather` wants UnsortedSegmentSum, so tokens are embedded by a product with one-hot rows;
// - the gradient of a depthwise convolution wants a kernel for its filter, so three taps are sums of slices;
// - linear attention is computed through n×n weights: the Taylor map's kernel is a polynomial of q·k, and at
//   n = 64 that is less work than its 273 features. It is the same function.
import * as tf from '@tensorflow/tfjs-core';

/** As in core/include/attn/nn/normalization.hpp and linear_attention.hpp. */
const normEpsilon = 1e-5;
const linearEpsilon = 1e-6;

const swapped = (x) => {
  const last = x.rank - 1;
  const order = Array.from({ length: x.rank }, (_, i) => i);
  return tf.transpose(x, [...order.slice(0, -2), last, last - 1]);
};

/** Products and rows as every user of tfjs writes them. */
const plainForm = {
  product: (a, b) => tf.matMul(a, b),
  embed: ({ oneHot }, weights) => tf.matMul(oneHot, weights),
  answered: (x) => x,
  wanted: ({ wanted }) => wanted,
};

/** A product whose gradients are made by transposing first. */
const product = tf.customGrad((a, b, save) => {
  save([a, b]);
  return {
    value: tf.matMul(a, b),
    gradFunc: (dy, [left, right]) => [tf.matMul(dy, swapped(right)), tf.matMul(swapped(left), dy)],
  };
});

/**
 * The same graph with gradients of our own where those of tfjs are slow. They multiply by transposed operands,
 * for which its wasm backend has plain loops: here operands are transposed first. Logits are made only where a
 * target counts, as our core does it. Products of a batch, those of the heads, run in plain loops too; taking them one
 * by one was slower still.
 */
const tunedForm = {
  product,
  embed: ({ tokens, oneHot }, weights) =>
    tf.customGrad((table) => ({
      value: tf.gather(table, tokens),
      gradFunc: (dy) => tf.matMul(swapped(oneHot), dy),
    }))(weights),
  answered: (x, { which, where }) =>
    which
      ? tf.customGrad((all) => ({
          value: tf.gather(all, which),
          gradFunc: (dy) => tf.scatterND(where, dy, all.shape),
        }))(x)
      : x,
  wanted: ({ wantedWhere }) => wantedWhere,
};

/** Forms of the graph by the name under which they are reported. */
export const forms = { 'tf.variableGrads': plainForm, 'tuned by hand': tunedForm };

/** Matrices that act on rows of tokens lie as inputs×outputs here, so that no product is transposed. */
const actsOnRows = /(in_proj_weight|(out_proj|conv|projection|fc1|fc2|head)\.weight)$/;
const isTable = /^(tok|pos)\.weight$/;

/** @param parameters name → {rows, cols, data} of the core, row by row */
function variablesOf(parameters) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { rows, cols, data }]) => {
      const made = tf.tidy(() => {
        const matrix = tf.tensor2d(data, [rows, cols]);
        if (actsOnRows.test(name)) return tf.transpose(matrix);
        return isTable.test(name) ? matrix : tf.reshape(matrix, [rows * cols]);
      });
      const variable = tf.variable(made);
      made.dispose();
      return [name, variable];
    }),
  );
}

/** n×n: `below` on the diagonal and below it, `above` over it. */
function triangle(n, below, above) {
  const all = new Float32Array(n * n).fill(above);
  for (let i = 0; i < n; i += 1) all.fill(below, i * n, i * n + i + 1);
  return tf.tensor2d(all, [n, n]);
}

function layerNorm(x, weight, bias) {
  const centred = tf.sub(x, tf.mean(x, -1, true));
  const variance = tf.mean(tf.square(centred), -1, true);
  const unit = tf.mul(centred, tf.rsqrt(tf.add(variance, normEpsilon)));
  return tf.add(tf.mul(unit, weight), bias);
}

/** x·Φ(x), with the error function. */
const gelu = (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));

/** What a head makes of its scores: rows of weights times values. All are batch×heads×n×…. */
const heads = {
  softmax: ({ scores, v, barrier, form }) => form.product(tf.softmax(tf.add(scores, barrier)), v),
  linear: ({ scores, v, ones, form }) => {
    const kernel = tf.add(tf.add(tf.mul(tf.square(scores), 0.5), scores), 1);
    const weights = tf.mul(kernel, ones);
    const sums = tf.add(tf.sum(weights, -1, true), linearEpsilon);
    return tf.div(form.product(weights, v), sums);
  },
};

/** Rows of tokens in, rows out. `size` has batch, n and d; `of` gives a parameter of the layer. */
function attention(x, mixer, of, { batch, n, d }, form, masks) {
  const count = mixer.heads ?? 1;
  const dV = d / count;
  const dK = mixer.dK ?? dV;
  // A transposition that moves nothing is left out.
  const apart = (rows, width) =>
    count === 1
      ? tf.reshape(rows, [batch, 1, n, width])
      : tf.transpose(tf.reshape(rows, [batch, n, count, width]), [0, 2, 1, 3]);
  const all = form.product(x, of('in_proj_weight'));
  const [q, k, v] = tf.split(all, [count * dK, count * dK, d], 1);
  const scores = form.product(tf.mul(apart(q, dK), 1 / Math.sqrt(dK)), swapped(apart(k, dK)));
  const mixed = heads[mixer.id ?? 'softmax']({ scores, v: apart(v, dV), form, ...masks });
  const together = count === 1 ? mixed : tf.transpose(mixed, [0, 2, 1, 3]);
  return form.product(tf.reshape(together, [batch * n, d]), of('out_proj.weight'));
}

/** (taps * x) ∘ (x·W + b) + x. */
function shortConvolution(x, of, { batch, n, d }, form) {
  const taps = of('conv.weight');
  const k = taps.shape[0];
  const padded = tf.pad(tf.reshape(x, [batch, n, d]), [
    [0, 0],
    [k - 1, 0],
    [0, 0],
  ]);
  let convolved = of('conv.bias');
  for (let j = 0; j < k; j += 1) {
    const shifted = tf.slice(padded, [0, j, 0], [batch, n, d]);
    convolved = tf.add(convolved, tf.mul(shifted, tf.slice(taps, [j, 0], [1, d])));
  }
  const gate = tf.add(form.product(x, of('projection.weight')), of('projection.bias'));
  return tf.add(tf.mul(tf.reshape(convolved, [batch * n, d]), gate), x);
}

/** Asked for float32, the wasm backend writes the integer 1, which reads as 1e-45. */
const oneHotRows = (indices, count) => tf.cast(tf.oneHot(indices, count), 'float32');

/** The mean cross-entropy of a batch. */
function lossOf(p, model, inputs, size, form, masks) {
  const { batch, n, d } = size;
  let x = form.embed(inputs, p['tok.weight']);
  if (p['pos.weight']) {
    x = tf.reshape(tf.add(tf.reshape(x, [batch, n, d]), p['pos.weight']), [batch * n, d]);
  }
  for (let layer = 0; layer < model.layers; layer += 1) {
    const of = (name) => p[`blocks.${layer}.${name}`];
    const own = (name) => of(`attn.${name}`);
    const mixer = model.mixers[model.mixers.length === 1 ? 0 : layer];
    const normed = layerNorm(x, of('ln1.weight'), of('ln1.bias'));
    const mixed =
      mixer.id === 'short_conv'
        ? shortConvolution(normed, own, size, form)
        : attention(normed, mixer, own, size, form, masks);
    x = tf.add(x, mixed);
    if (!model.feedForward) continue;
    const fed = layerNorm(x, of('ln2.weight'), of('ln2.bias'));
    const inner = gelu(tf.add(form.product(fed, of('fc1.weight')), of('fc1.bias')));
    x = tf.add(x, tf.add(form.product(inner, of('fc2.weight')), of('fc2.bias')));
  }
  const last = layerNorm(form.answered(x, inputs), p['lnf.weight'], p['lnf.bias']);
  const logits = form.product(last, model.tied ? swapped(p['tok.weight']) : p['head.weight']);
  const labels = oneHotRows(form.wanted(inputs), model.vocabulary);
  const chosen = tf.sum(tf.mul(tf.logSoftmax(logits), labels));
  return tf.mul(chosen, -1 / inputs.counted);
}

/** A batch as tensors. Targets below 0 do not count: `oneHot` makes rows of zeros of them. */
function inputsOf({ tokens: given, targets }, vocabulary) {
  const counted = [];
  targets.forEach((target, i) => {
    if (target >= 0) counted.push(i);
  });
  const tokens = tf.tensor1d(given, 'int32');
  const all = tf.tensor1d(targets, 'int32');
  const made = { tokens, oneHot: oneHotRows(tokens, vocabulary), counted: counted.length };
  if (counted.length === targets.length) return { ...made, wanted: all, wantedWhere: all };
  const which = tf.tensor1d(counted, 'int32');
  return {
    ...made,
    which,
    where: tf.reshape(which, [-1, 1]),
    wanted: all,
    wantedWhere: tf.gather(all, which),
  };
}

/**
 * The model ready to be trained: `step(batch)` gives the loss before its update and, if asked for, the norm of
 * the gradient by each parameter.
 * @param how {learningRate, weightDecay}, the rest as the core's AdamW has it
 */
export function trainer(form, model, parameters, batch, { learningRate, weightDecay }) {
  const p = variablesOf(parameters);
  const n = model.length;
  const size = { batch, n, d: model.dModel };
  const masks = { barrier: triangle(n, 0, -Infinity), ones: triangle(n, 1, 0) };
  const optimizer = tf.train.adam(learningRate, 0.9, 0.999, 1e-8);
  const names = Object.keys(p);
  // The core decays matrices alone.
  const decayed = names.filter((name) => actsOnRows.test(name) || isTable.test(name));
  const kept = 1 - learningRate * weightDecay;

  return {
    parameters: names.reduce((sum, name) => sum + p[name].size, 0),

    step(drawn, wantsNorms = false) {
      return tf.tidy(() => {
        const inputs = inputsOf(drawn, model.vocabulary);
        const { value, grads } = tf.variableGrads(
          () => lossOf(p, model, inputs, size, form, masks),
          Object.values(p),
        );
        for (const name of decayed) p[name].assign(tf.mul(p[name], kept));
        optimizer.applyGradients(grads);
        const loss = value.dataSync()[0];
        if (!wantsNorms) return { loss };
        const norms = names.map((name) => [name, tf.norm(grads[p[name].name]).dataSync()[0]]);
        return { loss, norms: Object.fromEntries(norms) };
      });
    },

    dispose() {
      tf.dispose([Object.values(p), Object.values(masks)]);
      optimizer.dispose();
    },
  };
}
