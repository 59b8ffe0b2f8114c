// The plain JavaScript contenders: loops over typed arrays, along the rows as memory lies. Once as
// one writes them with care (`loops`), once with products in register blocks (`blocked`).
import { cases, epsilon } from './cases.mjs';

/**
 * Three products, each in two ways. `a` and `b` are row-major; row r of the result begins at
 * out[r·stride].
 *   rowsTimesRows:    out = a[first … first + rows) · bᵀ, b with m rows of d
 *   rowsTimesMatrix:  out[first … first + rows) = p · b, p rows×m with that stride, b m×w
 *   addOuter:         out (m×w) += pᵀ · b[first … first + rows)
 */
const loops = {
  rows: 1,
  rowsTimesRows(a, first, rows, b, m, d, out, stride) {
    for (let r = 0; r < rows; r += 1) {
      const x = (first + r) * d;
      for (let j = 0; j < m; j += 1) {
        const y = j * d;
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        let c = 0;
        for (; c + 3 < d; c += 4) {
          s0 += a[x + c] * b[y + c];
          s1 += a[x + c + 1] * b[y + c + 1];
          s2 += a[x + c + 2] * b[y + c + 2];
          s3 += a[x + c + 3] * b[y + c + 3];
        }
        for (; c < d; c += 1) s0 += a[x + c] * b[y + c];
        out[r * stride + j] = s0 + s1 + (s2 + s3);
      }
    }
  },
  rowsTimesMatrix(p, stride, rows, m, b, w, out, first) {
    for (let r = 0; r < rows; r += 1) {
      const o = (first + r) * w;
      out.fill(0, o, o + w);
      for (let j = 0; j < m; j += 1) {
        const weight = p[r * stride + j];
        const y = j * w;
        for (let c = 0; c < w; c += 1) out[o + c] += weight * b[y + c];
      }
    }
  },
  addOuter(p, stride, rows, m, b, first, w, out) {
    for (let r = 0; r < rows; r += 1) {
      const y = (first + r) * w;
      for (let j = 0; j < m; j += 1) {
        const weight = p[r * stride + j];
        const o = j * w;
        for (let c = 0; c < w; c += 1) out[o + c] += weight * b[y + c];
      }
    }
  },
};

const blocked = {
  rows: 4,
  rowsTimesRows(a, first, rows, b, m, d, out, stride) {
    const even = m - (m % 2);
    let r = 0;
    for (; r + 1 < rows; r += 2) {
      const x = (first + r) * d;
      const z = x + d;
      for (let j = 0; j < even; j += 2) {
        const y = j * d;
        const t = y + d;
        let s00 = 0;
        let s01 = 0;
        let s10 = 0;
        let s11 = 0;
        for (let c = 0; c < d; c += 1) {
          const a0 = a[x + c];
          const a1 = a[z + c];
          const b0 = b[y + c];
          const b1 = b[t + c];
          s00 += a0 * b0;
          s01 += a0 * b1;
          s10 += a1 * b0;
          s11 += a1 * b1;
        }
        const o = r * stride + j;
        out[o] = s00;
        out[o + 1] = s01;
        out[o + stride] = s10;
        out[o + stride + 1] = s11;
      }
      for (let j = even; j < m; j += 1) {
        for (const row of [r, r + 1]) {
          let sum = 0;
          for (let c = 0; c < d; c += 1) sum += a[(first + row) * d + c] * b[j * d + c];
          out[row * stride + j] = sum;
        }
      }
    }
    if (r < rows) {
      loops.rowsTimesRows(a, first + r, 1, b, m, d, out.subarray(r * stride), stride);
    }
  },
  rowsTimesMatrix(p, stride, rows, m, b, w, out, first) {
    for (let r = 0; r < rows; r += 1) {
      const o = (first + r) * w;
      out.fill(0, o, o + w);
      let j = 0;
      for (; j + 3 < m; j += 4) {
        const at = r * stride + j;
        const p0 = p[at];
        const p1 = p[at + 1];
        const p2 = p[at + 2];
        const p3 = p[at + 3];
        const y0 = j * w;
        const y1 = y0 + w;
        const y2 = y1 + w;
        const y3 = y2 + w;
        for (let c = 0; c < w; c += 1) {
          out[o + c] += p0 * b[y0 + c] + p1 * b[y1 + c] + (p2 * b[y2 + c] + p3 * b[y3 + c]);
        }
      }
      for (; j < m; j += 1) {
        const weight = p[r * stride + j];
        for (let c = 0; c < w; c += 1) out[o + c] += weight * b[j * w + c];
      }
    }
  },
  addOuter(p, stride, rows, m, b, first, w, out) {
    let r = 0;
    for (; r + 3 < rows; r += 4) {
      const y0 = (first + r) * w;
      const y1 = y0 + w;
      const y2 = y1 + w;
      const y3 = y2 + w;
      for (let j = 0; j < m; j += 1) {
        const at = r * stride + j;
        const p0 = p[at];
        const p1 = p[at + stride];
        const p2 = p[at + 2 * stride];
        const p3 = p[at + 3 * stride];
        const o = j * w;
        for (let c = 0; c < w; c += 1) {
          out[o + c] += p0 * b[y0 + c] + p1 * b[y1 + c] + (p2 * b[y2 + c] + p3 * b[y3 + c]);
        }
      }
    }
    for (; r < rows; r += 1)
      loops.addOuter(p.subarray(r * stride), stride, 1, m, b, first + r, w, out);
  },
};

/** Softmax of scale·x over the first `m` entries from `at` on, into `out`. */
function softmaxRow(x, at, m, scale, out, to) {
  let max = -Infinity;
  for (let j = 0; j < m; j += 1) {
    const value = x[at + j];
    if (value > max) max = value;
  }
  let sum = 0;
  for (let j = 0; j < m; j += 1) {
    const value = Math.exp(scale * (x[at + j] - max));
    out[to + j] = value;
    sum += value;
  }
  const factor = 1 / sum;
  for (let j = 0; j < m; j += 1) out[to + j] *= factor;
}

/** Attention by strips of queries; `weights`: an n×n array that keeps all strips, or none. */
function attention(products, { q, k, v }, output, { causal = false, weights } = {}) {
  const n = q.rows;
  const m = k.rows;
  const scale = 1 / Math.sqrt(q.cols);
  const one = weights ?? new Float32Array(products.rows * m);
  for (let i = 0; i < n; i += products.rows) {
    const rows = Math.min(products.rows, n - i);
    const strip = weights ? weights.subarray(i * m) : one;
    const seen = causal ? Math.min(m, i + rows) : m;
    products.rowsTimesRows(q.data, i, rows, k.data, seen, q.cols, strip, m);
    for (let r = 0; r < rows; r += 1) {
      const visible = causal ? i + r + 1 : m;
      softmaxRow(strip, r * m, visible, scale, strip, r * m);
      strip.fill(0, r * m + visible, r * m + seen);
    }
    products.rowsTimesMatrix(strip, m, rows, seen, v.data, v.cols, output, i);
  }
}

function attentionBackward(products, { q, k, v, dO }, [dQ, dK, dV]) {
  const n = q.rows;
  const d = q.cols;
  const scale = 1 / Math.sqrt(d);
  const weights = new Float32Array(products.rows * n);
  const dS = new Float32Array(products.rows * n);
  dK.fill(0);
  dV.fill(0);
  for (let i = 0; i < n; i += products.rows) {
    const rows = Math.min(products.rows, n - i);
    products.rowsTimesRows(q.data, i, rows, k.data, n, d, weights, n);
    products.rowsTimesRows(dO.data, i, rows, v.data, n, v.cols, dS, n);
    for (let r = 0; r < rows; r += 1) {
      const at = r * n;
      softmaxRow(weights, at, n, scale, weights, at);
      let dot = 0;
      for (let j = 0; j < n; j += 1) dot += weights[at + j] * dS[at + j];
      for (let j = 0; j < n; j += 1) dS[at + j] = scale * weights[at + j] * (dS[at + j] - dot);
    }
    products.rowsTimesMatrix(dS, n, rows, n, k.data, d, dQ, i);
    products.addOuter(dS, n, rows, n, q.data, i, d, dK);
    products.addOuter(weights, n, rows, n, dO.data, i, v.cols, dV);
  }
}

/** Feature maps write the features of row `i` of x to out[to …]. */
const elu = {
  count: (d) => d,
  row({ cols, data }, i, out, to) {
    for (let c = 0; c < cols; c += 1) {
      const x = data[i * cols + c];
      out[to + c] = x > 0 ? x + 1 : Math.exp(x);
    }
  },
};

const taylor = {
  count: (d) => ((d + 1) * (d + 2)) / 2,
  row({ cols, data }, i, out, to) {
    const root = cols ** -0.25;
    const cross = root * root;
    const at = i * cols;
    let f = to;
    out[f++] = 1;
    for (let c = 0; c < cols; c += 1) out[f++] = root * data[at + c];
    for (let a = 0; a < cols; a += 1) {
      const x = cross * data[at + a];
      out[f++] = x * data[at + a] * Math.SQRT1_2;
      for (let b = a + 1; b < cols; b += 1) out[f++] = x * data[at + b];
    }
  },
};

const performer = (products, projection) => ({
  count: () => projection.rows,
  row(x, i, out, to) {
    const d = x.cols;
    const root = d ** -0.25;
    const m = projection.rows;
    let square = 0;
    for (let c = 0; c < d; c += 1) square += x.data[i * d + c] ** 2;
    const shift = (square * root * root) / 2 + Math.log(m) / 2;
    products.rowsTimesRows(x.data, i, 1, projection.data, m, d, out.subarray(to), m);
    for (let f = 0; f < m; f += 1) out[to + f] = Math.exp(root * out[to + f] - shift);
  },
});

function linearAttention(products, { q, k, v }, map, output, causal = false) {
  const n = q.rows;
  const count = map.count(q.cols);
  const w = v.cols;
  const state = new Float32Array(count * w);
  const sum = new Float32Array(count);
  const strip = causal ? 1 : products.rows;
  const phi = new Float32Array(strip * count);
  const add = (i, rows) => {
    for (let r = 0; r < rows; r += 1) {
      map.row(k, i + r, phi, r * count);
      for (let f = 0; f < count; f += 1) sum[f] += phi[r * count + f];
    }
    products.addOuter(phi, count, rows, count, v.data, i, w, state);
  };
  for (let i = 0; i < n && !causal; i += strip) add(i, Math.min(strip, n - i));
  for (let i = 0; i < n; i += strip) {
    const rows = Math.min(strip, n - i);
    if (causal) add(i, rows);
    for (let r = 0; r < rows; r += 1) map.row(q, i + r, phi, r * count);
    products.rowsTimesMatrix(phi, count, rows, count, state, w, output, i);
    for (let r = 0; r < rows; r += 1) {
      let denominator = epsilon;
      for (let f = 0; f < count; f += 1) denominator += phi[r * count + f] * sum[f];
      const factor = 1 / denominator;
      for (let c = 0; c < w; c += 1) output[(i + r) * w + c] *= factor;
    }
  }
}

const like = (matrix) => new Float32Array(matrix.data.length);

/** What each case does: given the products and its inputs, {outputs, run}. */
const work = {
  gemm(products, { q, k }) {
    const out = new Float32Array(q.rows * k.rows);
    const run = () =>
      products.rowsTimesRows(q.data, 0, q.rows, k.data, k.rows, q.cols, out, k.rows);
    return { outputs: [out], run };
  },
  softmax(_, { x }) {
    const out = like(x);
    const run = () => {
      for (let i = 0; i < x.rows; i += 1) {
        softmaxRow(x.data, i * x.cols, x.cols, 1, out, i * x.cols);
      }
    };
    return { outputs: [out], run };
  },
  attention(products, inputs) {
    const out = like(inputs.v);
    return { outputs: [out], run: () => attention(products, inputs, out) };
  },
  attention_weights(products, inputs) {
    const out = like(inputs.v);
    const weights = new Float32Array(inputs.q.rows * inputs.k.rows);
    return { outputs: [out, weights], run: () => attention(products, inputs, out, { weights }) };
  },
  attention_causal(products, inputs) {
    const out = like(inputs.v);
    return { outputs: [out], run: () => attention(products, inputs, out, { causal: true }) };
  },
  attention_backward(products, inputs) {
    const outputs = [inputs.q, inputs.k, inputs.v].map(like);
    return { outputs, run: () => attentionBackward(products, inputs, outputs) };
  },
  linear_elu: (products, inputs) => linear(products, inputs, elu),
  linear_elu_causal: (products, inputs) => linear(products, inputs, elu, true),
  linear_taylor: (products, inputs) => linear(products, inputs, taylor),
  linear_performer: (products, inputs) =>
    linear(products, inputs, performer(products, inputs.projection)),
};

function linear(products, inputs, map, causal) {
  const out = like(inputs.v);
  return { outputs: [out], run: () => linearAttention(products, inputs, map, out, causal) };
}

/** The contenders of one case: a list of {peer, variant, prepare}. */
export function contenders(name) {
  const make = work[cases[name].as ?? name];
  const each = [
    ['plain JS', 'loops', loops],
    ['blocked JS', 'register blocks', blocked],
  ];
  // Softmax has no product in it.
  return (name === 'softmax' ? each.slice(0, 1) : each).map(([peer, variant, products]) => ({
    peer,
    variant,
    prepare(inputs) {
      const { outputs, run } = make(products, inputs);
      return { run, result: () => outputs, dispose: () => undefined };
    },
  }));
}
