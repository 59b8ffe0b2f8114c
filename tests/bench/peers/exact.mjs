// The plainest loops: in float64 they give the true results, which every contender is compared with;
// in float32 they say what error is to be expected.

/** All functions, with every operation rounded by `f` and kept in arrays of the type `Numbers`. */
function loops(f, Numbers) {
  function productTransposed(a, b) {
    const d = a.cols;
    const out = new Numbers(a.rows * b.rows);
    for (let i = 0; i < a.rows; i += 1) {
      for (let j = 0; j < b.rows; j += 1) {
        let sum = 0;
        for (let c = 0; c < d; c += 1) sum = f(sum + f(a.data[i * d + c] * b.data[j * d + c]));
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
      row[j] = Math.exp(f(row[j] - max));
      sum = f(sum + row[j]);
    }
    for (let j = 0; j < row.length; j += 1) row[j] /= sum;
  }

  function softmaxRows({ rows, cols, data }) {
    const out = Numbers.from(data);
    for (let i = 0; i < rows; i += 1) softmaxInPlace(out.subarray(i * cols, (i + 1) * cols));
    return out;
  }

  function attention({ q, k, v }, { causal = false } = {}) {
    const weights = productTransposed(q, k);
    const output = new Numbers(q.rows * v.cols);
    const scale = f(1 / Math.sqrt(q.cols));
    for (let i = 0; i < q.rows; i += 1) {
      const row = weights.subarray(i * k.rows, (i + 1) * k.rows);
      for (let j = 0; j < k.rows; j += 1) row[j] = causal && j > i ? -Infinity : row[j] * scale;
      softmaxInPlace(row);
      for (let j = 0; j < k.rows; j += 1) {
        for (let c = 0; c < v.cols; c += 1) {
          output[i * v.cols + c] += f(row[j] * v.data[j * v.cols + c]);
        }
      }
    }
    return { output, weights };
  }

  /** dQ, dK, dV of Σ output ∘ dO (Dao et al. 2022, appendix B.2). */
  function attentionBackward({ q, k, v, dO }) {
    const { weights } = attention({ q, k, v });
    const n = q.rows;
    const d = q.cols;
    const scale = f(1 / Math.sqrt(d));
    const dP = productTransposed(dO, v);
    const [dQ, dK, dV] = [q, k, v].map((x) => new Numbers(x.data.length));
    for (let i = 0; i < n; i += 1) {
      let dot = 0;
      for (let j = 0; j < n; j += 1) dot = f(dot + f(weights[i * n + j] * dP[i * n + j]));
      for (let j = 0; j < n; j += 1) {
        const weight = weights[i * n + j];
        const dS = f(f(scale * weight) * f(dP[i * n + j] - dot));
        for (let c = 0; c < d; c += 1) {
          dQ[i * d + c] += f(dS * k.data[j * d + c]);
          dK[j * d + c] += f(dS * q.data[i * d + c]);
        }
        for (let c = 0; c < v.cols; c += 1) {
          dV[j * v.cols + c] += f(weight * dO.data[i * v.cols + c]);
        }
      }
    }
    return [dQ, dK, dV];
  }

  /** Feature maps: one row of features from one row of numbers. */
  const elu = (x) => Array.from(x, (value) => (value > 0 ? f(value + 1) : f(Math.exp(value))));

  function taylor(x) {
    const d = x.length;
    const root = f(d ** -0.25);
    const cross = f(1 / Math.sqrt(2 * d));
    const out = [1];
    for (const a of x) out.push(f(a * root));
    for (const a of x) for (const b of x) out.push(f(f(a * b) * cross));
    return out;
  }

  const performer =
    ({ rows, data }) =>
    (x) => {
      const d = x.length;
      const root = f(d ** -0.25);
      const half = f(0.5 / Math.sqrt(d));
      const factor = f(1 / Math.sqrt(rows));
      let square = 0;
      for (const a of x) square = f(square + f(a * a));
      return Array.from({ length: rows }, (_, r) => {
        let dot = 0;
        for (let c = 0; c < d; c += 1) dot = f(dot + f(data[r * d + c] * x[c]));
        return f(f(Math.exp(f(f(dot * root) - f(square * half)))) * factor);
      });
    };

  function linearAttention({ q, k, v, projection }, map, { epsilon, causal = false }) {
    const features = { elu, taylor, performer: projection && performer(projection) }[map];
    const n = q.rows;
    const row = (x, i) => features(x.data.subarray(i * x.cols, (i + 1) * x.cols));
    const count = row(k, 0).length;
    const state = new Numbers(count * v.cols);
    const sum = new Numbers(count);
    const output = new Numbers(n * v.cols);
    const add = (j) => {
      const phi = row(k, j);
      for (let t = 0; t < count; t += 1) {
        sum[t] += phi[t];
        for (let c = 0; c < v.cols; c += 1) {
          state[t * v.cols + c] += f(phi[t] * v.data[j * v.cols + c]);
        }
      }
    };
    for (let j = 0; j < n && !causal; j += 1) add(j);
    for (let i = 0; i < n; i += 1) {
      if (causal) add(i);
      const phi = row(q, i);
      let denominator = f(epsilon);
      for (let t = 0; t < count; t += 1) denominator = f(denominator + f(phi[t] * sum[t]));
      for (let c = 0; c < v.cols; c += 1) {
        let total = 0;
        for (let t = 0; t < count; t += 1) total = f(total + f(phi[t] * state[t * v.cols + c]));
        output[i * v.cols + c] = total / denominator;
      }
    }
    return output;
  }

  return { productTransposed, softmaxRows, attention, attentionBackward, linearAttention };
}

export const exact = loops((x) => x, Float64Array);
export const float32 = loops(Math.fround, Float32Array);
