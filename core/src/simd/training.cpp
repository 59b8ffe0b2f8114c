#include "training.hpp"

#include "exp.hpp"
#include "panel.hpp"

namespace attn::simd {
ATTN_TRAINING_SET(ATTN_SIMD_SET)
}

namespace attn::simd::ATTN_SIMD_SET {
namespace {

ATTN_INLINE float root(float x) { return __builtin_sqrtf(x); }

// --- A head with weights
// --------------------------------------------------------------------------

/// Tokens in the lanes: queries of a tile lie side by side, keys below each other, as in
/// attention.cpp. So no maximum or sum is taken across lanes, and the weights are at once the
/// factor A of P·V and of dS·K, four queries a panel.
struct HeadSizes {
  /// Rounded up to whole tiles.
  Size n, d, dv;
  /// Whether inputs and outputs are used where they are.
  bool whole;

  explicit HeadSizes(const TrainedHead& x)
      : n(round_up(x.n, kCols)),
        d(round_up(x.d, kCols)),
        dv(round_up(x.dv, kCols)),
        whole(n == x.n && d == x.d && dv == x.dv) {}
};

/// The keys that the queries of a tile see, in whole panels.
struct Seen {
  Size first, end;
};

ATTN_INLINE Seen seen_by(const TrainedHead& x, Size n, Size tile) {
  const bool skips = x.right >= x.n && x.sinks == 0 && x.left == 0;
  const Size first = skips ? tile : 0;
  const Size last = at_most(n, tile + kCols + at_most(x.right, n));
  return {first, at_most(n, round_up(last, kRows))};
}

/// Whether all queries of the tile see key j.
ATTN_INLINE bool all_see(const TrainedHead& x, Size tile, Size j) {
  return j < x.n && j <= tile + x.right && j + x.left >= tile + kCols - 1;
}

ATTN_INLINE I lane_numbers() {
  I numbers{};
  ATTN_UNROLL
  for (int i = 0; i < kLanes; ++i) numbers[i] = i;
  return numbers;
}

/// All ones for the queries that see key j; `queries` are their numbers.
ATTN_INLINE I see(const TrainedHead& x, I queries, Size j) {
  const int32_t far = 1 << 30;
  const int32_t left = static_cast<int32_t>(at_most(x.left, far)),
                right = static_cast<int32_t>(at_most(x.right, far)), key = static_cast<int32_t>(j);
  const I keys = splat_int(key);
  const I near = (keys <= queries + splat_int(right)) & (keys >= queries - splat_int(left));
  const I sink = splat_int(j < x.sinks ? -1 : 0) & (keys <= queries);
  return (near | sink) & splat_int(j < x.n ? -1 : 0);
}

/// The rows of x as they are, or copied to whole tiles with zeros around.
ATTN_INLINE const float* whole_rows(const float* x, Size& row, Size rows, Size cols, Size n,
                                    Size width, bool whole, float* copy) {
  if (whole) return x;
  copy_rows(x, row, rows, cols, copy, width, width);
  fill(copy + rows * width, (n - rows) * width, 0);
  row = width;
  return copy;
}

/// out = Σ_j a[j][query]·b[j] for the queries of every tile, over the keys that the tile sees.
ATTN_INLINE void products_by_query(const TrainedHead& x, Size n, const float* a, const float* b,
                                   Size b_row, Size cols, float* out, Size out_row) {
  for (Size tile = 0; tile < n; tile += kCols) {
    const Seen seen = seen_by(x, n, tile);
    for (Size c = 0; c < cols; c += kCols) {
      product(kCols / kRows, seen.end - seen.first, a + seen.first * n + tile, n, kRows,
              b + seen.first * b_row + c, b_row, out + tile * out_row + c, out_row);
    }
  }
}

/// out[j] = Σ_query a[j][query]·b[query] for every key.
ATTN_INLINE void products_by_key(const TrainedHead& x, Size n, const float* a, const float* b,
                                 Size b_row, Size cols, float* out, Size out_row, float* panel) {
  const bool skips = x.right >= x.n && x.sinks == 0 && x.left == 0;
  for (Size j = 0; j < n; j += kRows) {
    const Size tile = j / kCols * kCols;
    const Size first = x.right == 0 ? tile : 0, end = skips ? tile + kCols : n;
    pack_rows(a + j * n + first, n, kRows, end - first, kRows, 1, panel);
    for (Size c = 0; c < cols; c += kCols) {
      product(1, end - first, panel, kRows, 0, b + first * b_row + c, b_row, out + j * out_row + c,
              out_row);
    }
  }
}

/// Where each part of `kept` lies: weights n×n, and unless softmax the slopes of w by s, n×n, and
/// 1/(Σ w + ε), n.
struct Kept {
  float *weights, *slopes, *inverse;
  Size floats;

  Kept(const TrainedHead& x, Size n, float* area) {
    Work work{area};
    weights = work.take(n * n);
    const bool linear = x.scores != Scores::kSoftmax;
    slopes = linear ? work.take(n * n) : nullptr;
    inverse = linear ? work.take(n) : nullptr;
    floats = work.floats;
  }
};

/// Two vectors of queries: the scores in `s`, in units of ln 2, become weights.
ATTN_INLINE void softmax_of_tile(const TrainedHead& x, Size n, Size tile, Seen seen, float* s) {
  const ExpTable& table = exp_table();
  const I low = lane_numbers() + splat_int(static_cast<int32_t>(tile)),
          high = low + splat_int(kLanes);
  // Finite, so that a query without keys, which only a row of the padding is, gives no NaN.
  const F hidden = splat(-1e30F);
  F most0 = hidden, most1 = hidden;
  for (Size j = seen.first; j < seen.end; ++j) {
    float* const at = s + j * n + tile;
    F a = load(at), b = load(at + kLanes);
    if (!all_see(x, tile, j)) {
      a = choose(see(x, low, j), a, hidden);
      b = choose(see(x, high, j), b, hidden);
      store(at, a);
      store(at + kLanes, b);
    }
    most0 = larger(most0, a);
    most1 = larger(most1, b);
  }
  F sum0{}, sum1{};
  for (Size j = seen.first; j < seen.end; ++j) {
    float* const at = s + j * n + tile;
    const F a = exp2_of_nonpositive(load(at) - most0, table);
    const F b = exp2_of_nonpositive(load(at + kLanes) - most1, table);
    sum0 += a;
    sum1 += b;
    store(at, a);
    store(at + kLanes, b);
  }
  const F share0 = splat(1) / sum0, share1 = splat(1) / sum1;
  for (Size j = seen.first; j < seen.end; ++j) {
    float* const at = s + j * n + tile;
    store(at, load(at) * share0);
    store(at + kLanes, load(at + kLanes) * share1);
  }
}

/// The scores become w/(Σ w + ε).
ATTN_INLINE void linear_of_tile(const TrainedHead& x, Size n, Size tile, Seen seen,
                                const Kept& kept) {
  const F one = splat(1), half = splat(0.5F);
  const bool taylor = x.scores == Scores::kTaylor;
  for (Size v = tile; v < tile + kCols; v += kLanes) {
    const I queries = lane_numbers() + splat_int(static_cast<int32_t>(v));
    F sum{};
    for (Size j = seen.first; j < seen.end; ++j) {
      const F s = load(kept.weights + j * n + v);
      F slope = taylor ? one + s : one;
      // 1 + s + s²/2
      F w = taylor ? multiply_add(half * s, s, slope) : s;
      if (!all_see(x, tile, j)) {
        const I keep = see(x, queries, j);
        slope = keep_where(keep, slope);
        w = keep_where(keep, w);
      }
      sum += w;
      store(kept.slopes + j * n + v, slope);
      store(kept.weights + j * n + v, w);
    }
    const F inverse = one / (sum + splat(x.epsilon));
    store(kept.inverse + v, inverse);
    for (Size j = seen.first; j < seen.end; ++j) {
      float* const at = kept.weights + j * n + v;
      store(at, load(at) * inverse);
    }
  }
}

/// The gradients by the weights, in `dp`, become those by q·k.
ATTN_INLINE void through_weights(const TrainedHead& x, Size n, const Kept& kept, float* dp) {
  const bool linear = x.scores != Scores::kSoftmax;
  const F scale = splat(x.scale);
  for (Size tile = 0; tile < n; tile += kCols) {
    const Seen seen = seen_by(x, n, tile);
    for (Size v = tile; v < tile + kCols; v += kLanes) {
      F dot{};
      for (Size j = seen.first; j < seen.end; ++j) {
        dot = multiply_add(load(kept.weights + j * n + v), load(dp + j * n + v), dot);
      }
      const F factor = linear ? scale * load(kept.inverse + v) : scale;
      const float* const slopes = linear ? kept.slopes : kept.weights;
      for (Size j = seen.first; j < seen.end; ++j) {
        float* const at = dp + j * n + v;
        store(at, (load(at) - dot) * load(slopes + j * n + v) * factor);
      }
    }
  }
}

struct ForwardWork {
  float *qt, *kt, *v, *out;
  Size floats;
  ForwardWork(const TrainedHead& x, const HeadSizes& size, float* area) {
    Work work{area};
    qt = work.take(x.d * size.n);
    kt = work.take(x.d * size.n);
    v = size.whole ? nullptr : work.take(size.n * size.dv);
    out = size.whole ? nullptr : work.take(size.n * size.dv);
    floats = work.floats;
  }
};

struct BackwardWork {
  float *vt, *dot, *dp, *panel, *q, *k, *d_out, *d_q, *d_k, *d_v;
  Size floats;
  BackwardWork(const TrainedHead& x, const HeadSizes& size, float* area) {
    Work work{area};
    vt = work.take(x.dv * size.n);
    dot = work.take(x.dv * size.n);
    dp = work.take(size.n * size.n);
    panel = work.take(size.n * kRows);
    const auto padded = [&](Size width) {
      return size.whole ? nullptr : work.take(size.n * width);
    };
    q = padded(size.d);
    k = padded(size.d);
    d_out = padded(size.dv);
    d_q = padded(size.d);
    d_k = padded(size.d);
    d_v = padded(size.dv);
    floats = work.floats;
  }
};

}  // namespace

Size trained_head_kept(const TrainedHead& x) { return Kept(x, HeadSizes(x).n, nullptr).floats; }

Size trained_head_work(const TrainedHead& x) {
  const HeadSizes size(x);
  return at_least(ForwardWork(x, size, nullptr).floats, BackwardWork(x, size, nullptr).floats);
}

void trained_head_forward(const TrainedHead& x, float* work) {
  const HeadSizes size(x);
  const Size n = size.n;
  const ForwardWork area(x, size, work);
  const Kept kept(x, n, x.kept);
  const bool softmax = x.scores == Scores::kSoftmax;
  pack_rows(x.q, x.qk_row, x.n, x.d, n, softmax ? x.scale * kLog2E : x.scale, area.qt);
  pack_rows(x.k, x.qk_row, x.n, x.d, n, 1, area.kt);
  for (Size tile = 0; tile < n; tile += kCols) {
    const Seen seen = seen_by(x, n, tile);
    product((seen.end - seen.first) / kRows, x.d, area.kt + seen.first, n, kRows, area.qt + tile, n,
            kept.weights + seen.first * n + tile, n);
    if (softmax) {
      softmax_of_tile(x, n, tile, seen, kept.weights);
    } else {
      linear_of_tile(x, n, tile, seen, kept);
    }
  }
  Size v_row = x.v_row;
  const float* const v = whole_rows(x.v, v_row, x.n, x.dv, n, size.dv, size.whole, area.v);
  float* const out = size.whole ? x.out : area.out;
  products_by_query(x, n, kept.weights, v, v_row, size.dv, out, size.whole ? x.out_row : size.dv);
  if (!size.whole) copy_rows(out, size.dv, x.n, x.dv, x.out, x.out_row, x.dv);
}

void trained_head_backward(const TrainedHead& x, float* work) {
  const HeadSizes size(x);
  const Size n = size.n;
  const BackwardWork area(x, size, work);
  const Kept kept(x, n, x.kept);
  // dP = dO·Vᵀ, transposed.
  pack_rows(x.v, x.v_row, x.n, x.dv, n, 1, area.vt);
  pack_rows(x.d_out, x.out_row, x.n, x.dv, n, 1, area.dot);
  for (Size tile = 0; tile < n; tile += kCols) {
    const Seen seen = seen_by(x, n, tile);
    product((seen.end - seen.first) / kRows, x.dv, area.vt + seen.first, n, kRows, area.dot + tile,
            n, area.dp + seen.first * n + tile, n);
  }
  through_weights(x, n, kept, area.dp);
  const bool whole = size.whole;
  Size q_row = x.qk_row, k_row = x.qk_row, out_row = x.out_row;
  const float* const q = whole_rows(x.q, q_row, x.n, x.d, n, size.d, whole, area.q);
  const float* const k = whole_rows(x.k, k_row, x.n, x.d, n, size.d, whole, area.k);
  const float* const d_out = whole_rows(x.d_out, out_row, x.n, x.dv, n, size.dv, whole, area.d_out);
  float* const d_q = whole ? x.d_q : area.d_q;
  float* const d_k = whole ? x.d_k : area.d_k;
  float* const d_v = whole ? x.d_v : area.d_v;
  const Size qk_row = whole ? x.d_qk_row : size.d, v_row = whole ? x.d_v_row : size.dv;
  products_by_query(x, n, area.dp, k, k_row, size.d, d_q, qk_row);
  products_by_key(x, n, area.dp, q, q_row, size.d, d_k, qk_row, area.panel);
  products_by_key(x, n, kept.weights, d_out, out_row, size.dv, d_v, v_row, area.panel);
  if (whole) return;
  copy_rows(d_q, size.d, x.n, x.d, x.d_q, x.d_qk_row, x.d);
  copy_rows(d_k, size.d, x.n, x.d, x.d_k, x.d_qk_row, x.d);
  copy_rows(d_v, size.dv, x.n, x.dv, x.d_v, x.d_v_row, x.dv);
}

// --- A head with a state
// --------------------------------------------------------------------------

void trained_state_forward(const TrainedState& x) {
  const Size size = x.d * x.dv;
  fill(x.states, size, 0);
  for (Size t = 0; t < x.n; ++t) {
    const float* const before = x.states + t * size;
    float* const after = x.states + (t + 1) * size;
    const float *const q = x.q + t * x.d, *const k = x.k + t * x.d;
    const float* const decay = x.decay + t * x.decays;
    const Size step = x.decays > 1 ? 1 : 0;
    for (Size c = 0; c < x.dv; c += kLanes) {
      F read{};
      for (Size r = 0; r < x.d; ++r) {
        F s = load(before + r * x.dv + c);
        if (x.decays > 0) s *= splat(decay[r * step]);
        if (x.beta) read = multiply_add(splat(k[r]), s, read);
        store(after + r * x.dv + c, s);
      }
      F written = load(x.v + t * x.dv + c);
      if (x.beta) written = splat(x.beta[t]) * (written - read);
      store(x.writes + t * x.dv + c, written);
      F out{};
      for (Size r = 0; r < x.d; ++r) {
        const F s = multiply_add(splat(k[r]), written, load(after + r * x.dv + c));
        store(after + r * x.dv + c, s);
        out = multiply_add(splat(q[r]), s, out);
      }
      store(x.out + t * x.dv + c, out);
    }
  }
}

void trained_state_backward(const TrainedState& x, float* work) {
  const Size size = x.d * x.dv;
  // The gradient by the state after the token, and what came in before the write.
  float *const d_state = work, *const faded = work + size;
  fill(d_state, size, 0);
  for (Size t = x.n; t-- > 0;) {
    const float *const before = x.states + t * size, *const after = before + size;
    const float *const q = x.q + t * x.d, *const k = x.k + t * x.d;
    const float* const decay = x.decay + t * x.decays;
    const Size step = x.decays > 1 ? 1 : 0;
    float *const d_q = x.d_q + t * x.d, *const d_k = x.d_k + t * x.d;
    F d_beta{};
    // o = Sᵀq, and S = S' + k eᵀ.
    for (Size r = 0; r < x.d; ++r) {
      F along_q{}, along_k{};
      for (Size c = 0; c < x.dv; c += kLanes) {
        const F d_out = load(x.d_out + t * x.dv + c);
        along_q = multiply_add(load(after + r * x.dv + c), d_out, along_q);
        const F ds = multiply_add(splat(q[r]), d_out, load(d_state + r * x.dv + c));
        store(d_state + r * x.dv + c, ds);
        along_k = multiply_add(ds, load(x.writes + t * x.dv + c), along_k);
        F s = load(before + r * x.dv + c);
        if (x.decays > 0) s *= splat(decay[r * step]);
        store(faded + r * x.dv + c, s);
      }
      d_q[r] = sum_of_lanes(along_q);
      d_k[r] = sum_of_lanes(along_k);
    }
    for (Size c = 0; c < x.dv; c += kLanes) {
      F d_write{}, read{};
      for (Size r = 0; r < x.d; ++r) {
        d_write = multiply_add(splat(k[r]), load(d_state + r * x.dv + c), d_write);
        if (x.beta) read = multiply_add(splat(k[r]), load(faded + r * x.dv + c), read);
      }
      if (!x.beta) {
        store(x.d_v + t * x.dv + c, d_write);
        continue;
      }
      // e = β(v − S'ᵀk)
      const F missing = load(x.v + t * x.dv + c) - read;
      d_beta = multiply_add(d_write, missing, d_beta);
      store(x.d_v + t * x.dv + c, splat(x.beta[t]) * d_write);
    }
    if (x.beta) x.d_beta[t] = sum_of_lanes(d_beta);
    F along_decay{};
    for (Size r = 0; r < x.d; ++r) {
      F along_k{}, along_row{};
      for (Size c = 0; c < x.dv; c += kLanes) {
        F ds = load(d_state + r * x.dv + c);
        if (x.beta) {
          const F d_v = load(x.d_v + t * x.dv + c);
          ds -= splat(k[r]) * d_v;
          along_k = multiply_add(load(faded + r * x.dv + c), d_v, along_k);
        }
        if (x.decays > 0) {
          along_row = multiply_add(ds, load(before + r * x.dv + c), along_row);
          ds *= splat(decay[r * step]);
        }
        store(d_state + r * x.dv + c, ds);
      }
      if (x.beta) d_k[r] -= sum_of_lanes(along_k);
      if (x.decays > 1) {
        x.d_decay[t * x.d + r] = sum_of_lanes(along_row);
      } else {
        along_decay += along_row;
      }
    }
    if (x.decays == 1) x.d_decay[t] = sum_of_lanes(along_decay);
  }
}

// --- Norms
// ----------------------------------------------------------------------------------------

namespace {

/// Several rows at once, because the sums of one are long chains of additions.
template <int kTogether>
ATTN_INLINE void norm_together(const NormRows& x, Size first) {
  const Size whole = x.d / kLanes * kLanes;
  const float share = 1 / static_cast<float>(x.d);
  const float* const row = x.x + first * x.d;
  float *const y = x.y + first * x.d, *const sizes = x.sizes + 2 * first;
  float mean[kTogether] = {}, scale[kTogether];
  if (x.centred) {
    F sums[kTogether] = {};
    for (Size c = 0; c < whole; c += kLanes) {
      ATTN_UNROLL
      for (int r = 0; r < kTogether; ++r) sums[r] += load(row + r * x.d + c);
    }
    for (int r = 0; r < kTogether; ++r) {
      float rest = 0;
      ATTN_NO_UNROLL
      for (Size c = whole; c < x.d; ++c) rest += row[r * x.d + c];
      mean[r] = (sum_of_lanes(sums[r]) + rest) * share;
    }
  }
  F squares[kTogether] = {};
  for (Size c = 0; c < whole; c += kLanes) {
    ATTN_UNROLL
    for (int r = 0; r < kTogether; ++r) {
      const F off = load(row + r * x.d + c) - mean[r];
      squares[r] = multiply_add(off, off, squares[r]);
    }
  }
  for (int r = 0; r < kTogether; ++r) {
    float rest = 0;
    ATTN_NO_UNROLL
    for (Size c = whole; c < x.d; ++c) {
      const float off = row[r * x.d + c] - mean[r];
      rest += off * off;
    }
    scale[r] = 1 / root((sum_of_lanes(squares[r]) + rest) * share + x.epsilon);
    sizes[2 * r] = mean[r];
    sizes[2 * r + 1] = scale[r];
  }
  for (Size c = 0; c < whole; c += kLanes) {
    ATTN_UNROLL
    for (int r = 0; r < kTogether; ++r) {
      const F unit = (load(row + r * x.d + c) - mean[r]) * scale[r] * load(x.weight + c);
      store(y + r * x.d + c, x.bias ? unit + load(x.bias + c) : unit);
    }
  }
  for (int r = 0; r < kTogether; ++r) {
    ATTN_NO_UNROLL
    for (Size c = whole; c < x.d; ++c) {
      y[r * x.d + c] =
          (row[r * x.d + c] - mean[r]) * scale[r] * x.weight[c] + (x.bias ? x.bias[c] : 0);
    }
  }
}

}  // namespace

void norm_rows(const NormRows& x) {
  constexpr int kTogether = 2;
  Size i = 0;
  for (; i + kTogether <= x.rows; i += kTogether) norm_together<kTogether>(x, i);
  for (; i < x.rows; ++i) norm_together<1>(x, i);
}

namespace {

/// The gradients by weight and bias of some columns, whose sums stay in registers.
template <int kVectors>
ATTN_INLINE void add_norm_gradients(const NormRowsBackward& x, Size first) {
  F weight[kVectors], bias[kVectors];
  ATTN_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    weight[v] = load(x.d_weight + first + v * kLanes);
    bias[v] = x.d_bias ? load(x.d_bias + first + v * kLanes) : F{};
  }
  const float *row = x.x + first, *dy = x.dy + first, *sizes = x.sizes;
  ATTN_NO_UNROLL
  for (Size left = x.rows; left > 0; --left) {
    const F mean = splat(sizes[0]), scale = splat(sizes[1]);
    ATTN_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const F unit = (load(row + v * kLanes) - mean) * scale, d = load(dy + v * kLanes);
      weight[v] = multiply_add(d, unit, weight[v]);
      bias[v] += d;
    }
    row += x.d;
    dy += x.d;
    sizes += 2;
  }
  ATTN_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    store(x.d_weight + first + v * kLanes, weight[v]);
    if (x.d_bias) store(x.d_bias + first + v * kLanes, bias[v]);
  }
}

/// The gradients by several rows at once, and those by weight and bias of the columns that fill no
/// vector.
template <int kTogether>
ATTN_INLINE void norm_backward_together(const NormRowsBackward& x, Size first) {
  const Size whole = x.d / kLanes * kLanes;
  const float share = 1 / static_cast<float>(x.d);
  const float *const row = x.x + first * x.d, *const dy = x.dy + first * x.d,
                     *const sizes = x.sizes + 2 * first;
  float* const dx = x.dx + first * x.d;
  F along[kTogether] = {}, sums[kTogether] = {};
  for (Size c = 0; c < whole; c += kLanes) {
    ATTN_UNROLL
    for (int r = 0; r < kTogether; ++r) {
      const F unit = (load(row + r * x.d + c) - sizes[2 * r]) * sizes[2 * r + 1];
      const F inner = load(dy + r * x.d + c) * load(x.weight + c);
      along[r] = multiply_add(unit, inner, along[r]);
      sums[r] += inner;
    }
  }
  // What goes through the scale, and through the mean.
  float through_scale[kTogether], through_mean[kTogether];
  for (int r = 0; r < kTogether; ++r) {
    float along_rest = 0, rest = 0;
    ATTN_NO_UNROLL
    for (Size c = whole; c < x.d; ++c) {
      const Size at = r * x.d + c;
      const float unit = (row[at] - sizes[2 * r]) * sizes[2 * r + 1], inner = dy[at] * x.weight[c];
      x.d_weight[c] += dy[at] * unit;
      if (x.d_bias) x.d_bias[c] += dy[at];
      along_rest += unit * inner;
      rest += inner;
    }
    through_scale[r] = (sum_of_lanes(along[r]) + along_rest) * share;
    through_mean[r] = x.centred ? (sum_of_lanes(sums[r]) + rest) * share : 0;
  }
  for (Size c = 0; c < whole; c += kLanes) {
    ATTN_UNROLL
    for (int r = 0; r < kTogether; ++r) {
      const float scale = sizes[2 * r + 1];
      const F unit = (load(row + r * x.d + c) - sizes[2 * r]) * scale;
      const F inner = load(dy + r * x.d + c) * load(x.weight + c);
      float* const to = dx + r * x.d + c;
      store(to, load(to) + (inner - through_mean[r] - unit * through_scale[r]) * scale);
    }
  }
  for (int r = 0; r < kTogether; ++r) {
    ATTN_NO_UNROLL
    for (Size c = whole; c < x.d; ++c) {
      const Size at = r * x.d + c;
      const float scale = sizes[2 * r + 1], unit = (row[at] - sizes[2 * r]) * scale;
      dx[at] += (dy[at] * x.weight[c] - through_mean[r] - unit * through_scale[r]) * scale;
    }
  }
}

}  // namespace

void norm_rows_backward(const NormRowsBackward& x) {
  constexpr int kTogether = 2, kWide = 4;
  Size i = 0;
  for (; i + kTogether <= x.rows; i += kTogether) norm_backward_together<kTogether>(x, i);
  for (; i < x.rows; ++i) norm_backward_together<1>(x, i);
  const Size whole = x.d / kLanes * kLanes;
  Size c = 0;
  for (; c + kWide * kLanes <= whole; c += kWide * kLanes) add_norm_gradients<kWide>(x, c);
  for (; c < whole; c += kLanes) add_norm_gradients<1>(x, c);
}

// --- Activations
// ----------------------------------------------------------------------------------

namespace {

struct NormalTable {
  /// Of the approximation below, and of −x²/2 in units of 2.
  Constant reach = 0.2316419F, b1 = 0.319381530F, b2 = -0.356563782F, b3 = 1.781477937F,
           b4 = -1.821255978F, b5 = 1.330274429F, one = 1, half_log2_e = -kLog2E / 2;
  /// 1/√(2π)
  Constant peak = 0.398942280F;
};

struct Bent {
  F value, slope;
};

ATTN_INLINE Bent bend(Bend f, F x, const ExpTable& table) {
  const F one = splat(1), half = splat(0.5F);
  switch (f) {
    case Bend::kGelu: {
      // The normal distribution at −|x| is its density times a polynomial of 1/(1 + c|x|), 7.5e-8
      // off at most (Abramowitz & Stegun 26.2.17). The slope needs the density too.
      const NormalTable& normal = in_memory<NormalTable>();
      const F density = normal.peak() * exp2_of_nonpositive(normal.half_log2_e() * x * x, table);
      const F size = larger(x, -x);
      const F t = normal.one() / multiply_add(normal.reach(), size, normal.one());
      F sum = multiply_add(normal.b5(), t, normal.b4());
      sum = multiply_add(sum, t, normal.b3());
      sum = multiply_add(sum, t, normal.b2());
      sum = multiply_add(sum, t, normal.b1());
      const F tail = density * t * sum;
      const F below = choose(x > F{}, normal.one() - tail, tail);
      return {x * below, multiply_add(x, density, below)};
    }
    case Bend::kGeluTanh: {
      // Where x³ overflows the slope is 0 or 1 already.
      const F near = smaller(splat(16), larger(splat(-16), x)), square = near * near;
      const F u = near * 0.797884561F * (one + square * 0.044715F);
      const F t = one - splat(2) / (one + exp(u + u, table));
      const F inner = (one + square * (3 * 0.044715F)) * (one - t * t) * 0.797884561F;
      return {half * x * (one + t), half * (one + t + near * inner)};
    }
    case Bend::kSilu: {
      const F s = one / (one + exp(-x, table));
      return {x * s, s * (one + x * (one - s))};
    }
    case Bend::kSigmoid: {
      const F s = one / (one + exp(-x, table));
      return {s, s * (one - s)};
    }
    case Bend::kRelu:
      break;
  }
  const I above = x > F{};
  return {keep_where(above, x), keep_where(above, one)};
}

template <Bend f>
ATTN_INLINE void bend_all(const BendRows& x) {
  const ExpTable& table = exp_table();
  // Two vectors a round, because each is a long chain of instructions.
  constexpr Size kWide = 2;
  const Size pairs = x.cols / (kWide * kLanes) * (kWide * kLanes);
  const Size whole = x.cols / kLanes * kLanes;
  for (Size i = 0; i < x.rows; ++i) {
    float *const row = x.x + i * x.cols, *const y = x.y + i * x.cols;
    const auto bend_at = [&]<int kCount>(Size c) {
      F in[kCount];
      Bent bent[kCount];
      ATTN_UNROLL
      for (int v = 0; v < kCount; ++v) {
        in[v] = load(row + c + v * kLanes);
        if (x.bias) in[v] += load(x.bias + c + v * kLanes);
      }
      ATTN_UNROLL
      for (int v = 0; v < kCount; ++v) bent[v] = bend(f, in[v], table);
      ATTN_UNROLL
      for (int v = 0; v < kCount; ++v) {
        store(y + c + v * kLanes, bent[v].value);
        store(row + c + v * kLanes, bent[v].slope);
      }
    };
    for (Size c = 0; c < pairs; c += kWide * kLanes) bend_at.template operator()<kWide>(c);
    for (Size c = pairs; c < whole; c += kLanes) bend_at.template operator()<1>(c);
    ATTN_NO_UNROLL
    for (Size c = whole; c < x.cols; ++c) {
      const Bent bent = bend(f, splat(row[c] + (x.bias ? x.bias[c] : 0)), table);
      y[c] = bent.value[0];
      row[c] = bent.slope[0];
    }
  }
}

/// Some columns at a time, whose sums stay in registers.
template <bool kFactors, int kVectors>
ATTN_INLINE void sum_columns(const SumRows& x, Size first) {
  F sums[kVectors];
  ATTN_UNROLL
  for (int v = 0; v < kVectors; ++v) sums[v] = load(x.sums + first + v * kLanes);
  const float* row = x.x + first;
  Size at = first;
  ATTN_NO_UNROLL
  for (Size left = x.rows; left > 0; --left) {
    ATTN_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      F here = load(row + v * kLanes);
      if (kFactors) {
        here *= load(x.factors + at + v * kLanes);
        store(x.products + at + v * kLanes, here);
      }
      sums[v] += here;
    }
    row += x.x_row;
    at += x.cols;
  }
  ATTN_UNROLL
  for (int v = 0; v < kVectors; ++v) store(x.sums + first + v * kLanes, sums[v]);
}

template <bool kFactors>
ATTN_INLINE void sum_all(const SumRows& x) {
  constexpr int kWide = 8;
  Size c = 0;
  for (; c + kWide * kLanes <= x.cols; c += kWide * kLanes) sum_columns<kFactors, kWide>(x, c);
  for (; c + kLanes <= x.cols; c += kLanes) sum_columns<kFactors, 1>(x, c);
  for (; c < x.cols; ++c) {
    ATTN_NO_UNROLL
    for (Size i = 0; i < x.rows; ++i) {
      float here = x.x[i * x.x_row + c];
      if (kFactors) x.products[i * x.cols + c] = here *= x.factors[i * x.cols + c];
      x.sums[c] += here;
    }
  }
}

}  // namespace

void sum_rows(const SumRows& x) {
  if (x.factors) {
    sum_all<true>(x);
  } else {
    sum_all<false>(x);
  }
}

void bend_rows(const BendRows& x) {
  switch (x.f) {
    case Bend::kRelu:
      return bend_all<Bend::kRelu>(x);
    case Bend::kGelu:
      return bend_all<Bend::kGelu>(x);
    case Bend::kGeluTanh:
      return bend_all<Bend::kGeluTanh>(x);
    case Bend::kSilu:
      return bend_all<Bend::kSilu>(x);
    case Bend::kSigmoid:
      return bend_all<Bend::kSigmoid>(x);
  }
}

// --- Means, scans and convolutions, a channel in each lane
// --------------------------------------------------------------

namespace {

/// What was written before, as sums that e^largest was taken off.
struct Mean {
  F sum{}, weights{};
  /// Stands for −∞.
  F largest = splat(-1e38F);
};

/// What the memory and a key weigh beside each other.
struct Beside {
  F memory, key, largest;
};

ATTN_INLINE Beside weigh(F memory, F key, const ExpTable& table) {
  const F largest_of_both = larger(memory, key);
  return {exp_of_nonpositive(memory - largest_of_both, table),
          exp_of_nonpositive(key - largest_of_both, table), largest_of_both};
}

/// Fades by w, and takes in v under the exponent k. Returns the weight of what was there.
ATTN_INLINE F write(Mean& mean, F w, F k, F v, const ExpTable& table) {
  const Beside by = weigh(w + mean.largest, k, table);
  mean.sum = multiply_add(by.memory, mean.sum, by.key * v);
  mean.weights = multiply_add(by.memory, mean.weights, by.key);
  mean.largest = by.largest;
  return by.memory;
}

}  // namespace

void trained_mean_forward(const TrainedMean& x) {
  const ExpTable& table = exp_table();
  for (Size c = 0; c < x.d; c += kLanes) {
    const F w = -exp(load(x.time_decay + c), table), u = load(x.u + c);
    Mean mean;
    for (Size t = 0; t < x.n; ++t) {
      const F k = load(x.k + t * x.d + c), v = load(x.v + t * x.d + c);
      const Beside by = weigh(mean.largest, u + k, table);
      const F above = multiply_add(by.memory, mean.sum, by.key * v);
      store(x.out + t * x.d + c, above / multiply_add(by.memory, mean.weights, by.key));
      write(mean, w, k, v, table);
    }
  }
}

void trained_mean_backward(const TrainedMean& x, float* work) {
  const ExpTable& table = exp_table();
  // Of each token: its output, one over its denominator, and the exponent of e^{u + k} after the
  // largest was taken off.
  float *const outs = work, *const inverses = outs + x.n * kLanes,
               *const exponents = inverses + x.n * kLanes;
  for (Size c = 0; c < x.d; c += kLanes) {
    const F w = -exp(load(x.time_decay + c), table), u = load(x.u + c);
    Mean mean;
    F d_w{}, d_u{}, sum_by_w{}, weights_by_w{};
    for (Size t = 0; t < x.n; ++t) {
      const F k = load(x.k + t * x.d + c), v = load(x.v + t * x.d + c);
      const F g = load(x.d_out + t * x.d + c);
      const Beside by = weigh(mean.largest, u + k, table);
      const F inverse = splat(1) / multiply_add(by.memory, mean.weights, by.key);
      const F out = multiply_add(by.memory, mean.sum, by.key * v) * inverse;
      store(outs + t * kLanes, out);
      store(inverses + t * kLanes, inverse);
      store(exponents + t * kLanes, u + k - by.largest);
      d_w += g * (sum_by_w - weights_by_w * out) * inverse * by.memory;
      d_u += g * (v - out) * by.key * inverse;
      const Mean before = mean;
      const F fade = write(mean, w, k, v, table);
      sum_by_w = fade * (before.sum + sum_by_w);
      weights_by_w = fade * (before.weights + weights_by_w);
    }
    store(x.d_time_decay + c, load(x.d_time_decay + c) + d_w * w);
    store(x.d_u + c, load(x.d_u + c) + d_u);
    // From the end: the gradients by both sums, divided by e^largest.
    F d_sum{}, d_weights{}, largest = splat(-1e38F);
    for (Size t = x.n; t-- > 0;) {
      const F k = load(x.k + t * x.d + c), v = load(x.v + t * x.d + c);
      const F out = load(outs + t * kLanes), exponent = load(exponents + t * kLanes);
      const F g = load(x.d_out + t * x.d + c) * load(inverses + t * kLanes);
      const F now = g * exp_of_nonpositive(exponent, table);
      const F later = exp(k + largest, table);
      store(x.d_k + t * x.d + c, now * (v - out) + later * multiply_add(d_sum, v, d_weights));
      store(x.d_v + t * x.d + c, multiply_add(later, d_sum, now));
      const Beside by = weigh(w + largest, exponent - k - u, table);
      const F weight = g * by.key;
      d_sum = multiply_add(by.memory, d_sum, weight);
      d_weights = by.memory * d_weights - weight * out;
      largest = by.largest;
    }
  }
}

void trained_scan_forward(const TrainedScan& x, float* work) {
  const ExpTable& table = exp_table();
  for (Size c = 0; c < x.d; c += kLanes) {
    fill(work, x.states * kLanes, 0);
    for (Size t = 0; t < x.n; ++t) {
      const F step = load(x.step + t * x.d + c), written = step * load(x.u + t * x.d + c);
      const float *const b = x.selected + t * x.selected_row, *const read = b + x.states;
      F out{};
      for (Size s = 0; s < x.states; ++s) {
        const F decay = exp_of_nonpositive(step * load(x.rates + s * x.d + c), table);
        const F h = multiply_add(decay, load(work + s * kLanes), written * splat(b[s]));
        store(work + s * kLanes, h);
        out = multiply_add(h, splat(read[s]), out);
      }
      store(x.out + t * x.d + c, out);
    }
  }
}

void trained_scan_backward(const TrainedScan& x, float* work) {
  const ExpTable& table = exp_table();
  const Size size = x.states * kLanes;
  // For the channels of one vector, states before each token and after the last, and decays; for
  // all of them, the gradients by B and C, whose lanes are added at the end.
  float *const states = work, *const decays = states + (x.n + 1) * size,
               *const d_b = decays + x.n * size, *const d_read = d_b + x.n * size;
  fill(d_b, 2 * x.n * size, 0);
  for (Size c = 0; c < x.d; c += kLanes) {
    fill(states, size, 0);
    for (Size t = 0; t < x.n; ++t) {
      const F step = load(x.step + t * x.d + c), written = step * load(x.u + t * x.d + c);
      const float* const b = x.selected + t * x.selected_row;
      for (Size s = 0; s < x.states; ++s) {
        float* const at = states + t * size + s * kLanes;
        const F decay = exp_of_nonpositive(step * load(x.rates + s * x.d + c), table);
        store(decays + t * size + s * kLanes, decay);
        store(at + size, multiply_add(decay, load(at), written * splat(b[s])));
      }
    }
    // The state's gradient lies where the states after the last token lay.
    float* const d_state = states + x.n * size;
    for (Size t = x.n; t-- > 0;) {
      const F step = load(x.step + t * x.d + c), u = load(x.u + t * x.d + c);
      const F d_out = load(x.d_out + t * x.d + c), written = step * u;
      const float *const b = x.selected + t * x.selected_row, *const read = b + x.states;
      F d_written{}, d_step{};
      for (Size s = 0; s < x.states; ++s) {
        const Size lane = s * kLanes, cell = t * size + lane;
        const F before = load(states + cell), decay = load(decays + cell),
                rate = load(x.rates + s * x.d + c);
        const F after = multiply_add(decay, before, written * splat(b[s]));
        const F later = t + 1 == x.n ? F{} : load(d_state + lane);
        const F d_h = multiply_add(d_out, splat(read[s]), later);
        store(d_read + cell, multiply_add(d_out, after, load(d_read + cell)));
        store(d_b + cell, multiply_add(d_h, written, load(d_b + cell)));
        d_written = multiply_add(d_h, splat(b[s]), d_written);
        const F faded = d_h * decay, through = faded * before;
        d_step = multiply_add(through, rate, d_step);
        float* const d_rate = x.d_rates + s * x.d + c;
        store(d_rate, multiply_add(through, step, load(d_rate)));
        store(d_state + lane, faded);
      }
      store(x.d_u + t * x.d + c, d_written * step);
      store(x.d_step + t * x.d + c, multiply_add(d_written, u, d_step));
    }
  }
  for (Size t = 0; t < x.n; ++t) {
    float* const to = x.d_selected + t * x.selected_row;
    for (Size s = 0; s < x.states; ++s) {
      to[s] = sum_of_lanes(load(d_b + t * size + s * kLanes));
      to[x.states + s] = sum_of_lanes(load(d_read + t * size + s * kLanes));
    }
  }
}

void trained_convolution_forward(const TrainedConvolution& x) {
  for (Size c = 0; c < x.d; c += kLanes) {
    for (Size t = 0; t < x.n; ++t) {
      F sum{};
      for (Size s = 0; s <= t; ++s) {
        sum = multiply_add(load(x.filter + (t - s) * x.d + c), load(x.x + s * x.d + c), sum);
      }
      store(x.out + t * x.d + c, sum);
    }
  }
}

void trained_convolution_backward(const TrainedConvolution& x) {
  for (Size c = 0; c < x.d; c += kLanes) {
    for (Size s = 0; s < x.n; ++s) {
      F d_x{}, d_filter = load(x.d_filter + s * x.d + c);
      for (Size t = s; t < x.n; ++t) {
        const F d_out = load(x.d_out + t * x.d + c);
        d_x = multiply_add(load(x.filter + (t - s) * x.d + c), d_out, d_x);
        d_filter = multiply_add(load(x.x + (t - s) * x.d + c), d_out, d_filter);
      }
      store(x.d_x + s * x.d + c, d_x);
      store(x.d_filter + s * x.d + c, d_filter);
    }
  }
}

}  // namespace attn::simd::ATTN_SIMD_SET
