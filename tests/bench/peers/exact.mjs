// The true results, in float64 and by the plainest loops: what every contender is compared with.

export function productTransposed(a, b) {
  const d = a.cols;
  const out = new Float64Array(a.rows * b.rows);
  for (let i = 0; i < a.rows; i += 1) {
    for (let j = 0; j < b.rows; j += 1) {
      let sum = 0;
      for (let c = 0; c < d; c += 1) sum += a.data[i * d + c] * b.data[j * d + c];
      out[i * b.rows + j] = sum;
    }
  }
  return out;
}

function softmaxInPlace(row) {
  let max = -Infinity;
  for (const x of row) max = Math.max(max, x);
  let sum = 0;
  for (let j = 0; j < row.length; j += 1) {
    row[j] = Math.exp(row[j] - max);
    sum += row[j];
  }
  for (let j = 0; j < row.length; j += 1) row[j] /= sum;
}

export function softmaxRows({ rows, cols, data }) {
  const out = Float64Array.from(data);
  for (let i = 0; i < rows; i += 1) softmaxInPlace(out.subarray(i * cols, (i + 1) * cols));
  return out;
}

export function attention({ q, k, v }, { causal = false } = {}) {
  const weights = productTransposed(q, k);
  const output = new Float64Array(q.rows * v.cols);
  const scale = 1 / Math.sqrt(q.cols);
  for (let i = 0; i < q.rows; i += 1) {
    const row = weights.subarray(i * k.rows, (i + 1) * k.rows);
    for (let j = 0; j < k.rows; j += 1) row[j] = causal && j > i ? -Infinity : row[j] * scale;
    softmaxInPlace(row);
    for (let j = 0; j < k.rows; j += 1) {
      for (let c = 0; c < v.cols; c += 1) {
        output[i * v.cols + c] += row[j] * v.data[j * v.cols + c];
      }
    }
  }
  return { output, weights };
}

/** dQ, dK, dV of Σ output ∘ dO (Dao et al. 2022, appendix B.2). */
export function attentionBackward({ q, k, v, dO }) {
  const { weights } = attention({ q, k, v });
  const n = q.rows;
  const d = q.cols;
  const scale = 1 / Math.sqrt(d);
  const dP = productTransposed(dO, v);
  const [dQ, dK, dV] = [q, k, v].map((x) => new Float64Array(x.data.length));
  for (let i = 0; i < n; i += 1) {
    let dot = 0;
    for (let j = 0; j < n; j += 1) dot += weights[i * n + j] * dP[i * n + j];
    for (let j = 0; j < n; j += 1) {
      const weight = weights[i * n + j];
      const dS = scale * weight * (dP[i * n + j] - dot);
      for (let c = 0; c < d; c += 1) {
        dQ[i * d + c] += dS * k.data[j * d + c];
        dK[j * d + c] += dS * q.data[i * d + c];
      }
      for (let c = 0; c < v.cols; c += 1) dV[j * v.cols + c] += weight * dO.data[i * v.cols + c];
    }
  }
  return [dQ, dK, dV];
}

/** Feature maps: one row of features from one row of numbers. */
export const elu = (x) => Array.from(x, (value) => (value > 0 ? value + 1 : Math.exp(value)));

export function taylor(x) {
  const d = x.length;
  const out = [1];
  for (const a of x) out.push(a / d ** 0.25);
  for (const a of x) for (const b of x) out.push((a * b) / Math.sqrt(2 * d));
  return out;
}

export const performer = (projection) => (x) => {
  const d = x.length;
  const { rows, data } = projection;
  let square = 0;
  for (const a of x) square += (a * a) / Math.sqrt(d);
  return Array.from({ length: rows }, (_, r) => {
    let dot = 0;
    for (let c = 0; c < d; c += 1) dot += (data[r * d + c] * x[c]) / d ** 0.25;
    return Math.exp(dot - square / 2) / Math.sqrt(rows);
  });
};

export function linearAttention({ q, k, v }, map, { epsilon, causal = false }) {
  const n = q.rows;
  const row = (x, i) => map(x.data.subarray(i * x.cols, (i + 1) * x.cols));
  const count = row(k, 0).length;
  const state = new Float64Array(count * v.cols);
  const sum = new Float64Array(count);
  const output = new Float64Array(n * v.cols);
  const add = (j) => {
    const phi = row(k, j);
    for (let f = 0; f < count; f += 1) {
      sum[f] += phi[f];
      for (let c = 0; c < v.cols; c += 1) state[f * v.cols + c] += phi[f] * v.data[j * v.cols + c];
    }
  };
  for (let j = 0; j < n && !causal; j += 1) add(j);
  for (let i = 0; i < n; i += 1) {
    if (causal) add(i);
    const phi = row(q, i);
    let denominator = epsilon;
    for (let f = 0; f < count; f += 1) denominator += phi[f] * sum[f];
    for (let c = 0; c < v.cols; c += 1) {
      let total = 0;
      for (let f = 0; f < count; f += 1) total += phi[f] * state[f * v.cols + c];
      output[i * v.cols + c] = total / denominator;
    }
  }
  return output;
}
