#include "kernel_set.hpp"
#include "panel.hpp"

// The state S lies in panels of kCols columns, [panel][feature][kCols]. Both products read B in
// this form, and the sums over keys write C in it.
//
// Causal attention goes two tokens at a time, so that S is read and written once for both. This
// costs the multiply-adds of the definition and no more; a chunk of C tokens would add C/2·(D +
// d_v) for each token. A single token, as in decoding, leaves S in its row-major form, because
// making panels would cost more than the work.

namespace attn::simd::ATTN_SIMD_SET {
namespace {

constexpr float kSmallestNormal = 1.17549435e-38F;

/// The number of tokens that are processed together.
constexpr Size kBlock = 64;

/// Rows of a matrix at some address.
struct Rows {
  const float* x;
  Size row;
};

/// Divides `count` outputs by what the sums φ(q)·z become with ε. The sums are overwritten.
void divide_rows(const LinearAttention& x, Size first, Size count, float* sums) {
  if (!x.normalize) return;
  for (Size r = 0; r < count; ++r) {
    // Less itself, a sum that is no number any more is NaN: divided by ∞ all outputs would be 0.
    const float whole = sums[r] + x.epsilon, sum = whole + (whole - whole);
    const float d = sum < x.least ? x.least : sum;
    sums[r] = 1 / d;
    if (d <= -kSmallestNormal || d >= kSmallestNormal) continue;
    // The code divides and does not multiply with 1/d, which could be infinite where the quotients
    // are not.
    float* const out = x.out + (first + r) * x.out_row;
    for (Size c = 0; c < x.dv; ++c) out[c] /= d;
    sums[r] = 1;
  }
  scale_rows(sums, count, x.dv, x.out + first * x.out_row, x.out_row);
}

struct Context {
  const LinearAttention& x;
  /// The sizes of whole groups of kRows features, of panels of values, and of both together.
  Size features, panels, panel_floats;
  /// Whether φ is computed here, or at least copied and padded.
  bool maps;
  /// Whether φ is made from a projection, which lies in panels of kCols rows, times the map's
  /// factor.
  bool projects;
  float *projection, *rows;
  float *s, *z, *z_epsilon, *zeros, *packed, *phi_q, *phi_k, *v_edge, *out_edge, *denominators;
  Size floats;

  Context(const LinearAttention& problem, float* area)
      : x(problem),
        features(round_up(x.features, kRows)),
        panels((x.dv + kCols - 1) / kCols),
        panel_floats(features * kCols),
        maps(x.map.kind != Feature::kGiven || features != x.features),
        projects(x.map.kind == Feature::kRandomExp) {
    Work work{area};
    s = work.take(panels * panel_floats);
    z = work.take(features);
    z_epsilon = work.take(features);
    zeros = work.take(features);
    packed = work.take(2 * kBlock * features);
    phi_q = work.take(maps ? kBlock * features : 0);
    phi_k = work.take(maps ? kBlock * features : 0);
    v_edge = work.take(kBlock * kCols);
    out_edge = work.take(kBlock * kCols);
    denominators = work.take(kBlock);
    projection = work.take(projects ? round_up(x.features, kCols) * x.d : 0);
    rows = work.take(projects ? kBlock * x.d : 0);
    floats = work.floats;
    if (area && projects) pack_projection();
  }

  void pack_projection() const {
    for (Size p = 0; p < x.features; p += kCols) {
      pack_rows(x.map.projection + p * x.d, x.d, at_most(kCols, x.features - p), x.d, kCols,
                x.map.a, projection + p * x.d);
    }
  }

  /// Computes e^{Wx' − ‖x'‖²/2}/√D of `count` rows. The rows that fill up the last group hold any
  /// numbers.
  void project(const float* from, Size row, Size count, float* into) const {
    float* const shifts = denominators;
    for (Size r = 0; r < count; r += kRows) {
      pack_rows(from + r * row, row, at_most(kRows, count - r), x.d, kRows, 1, rows + r * x.d);
    }
    for (Size r = 0; r < count; r += kRows) {
      F4 squares = {};
      const float* at = rows + r * x.d;
      ATTN_NO_UNROLL
      for (Size k = 0; k < x.d; ++k, at += kRows) squares += load4(at) * load4(at);
      store4(shifts + r, squares * (x.map.a * x.map.a * 0.5F));
    }
    const Size groups = (count + kRows - 1) / kRows;
    for (Size p = 0; p < x.features; p += kCols) {
      const Size wide = at_most(kCols, x.features - p);
      const bool edge = wide < kCols;
      product(groups, x.d, rows, kRows, kRows * x.d, projection + p * x.d, kCols,
              edge ? out_edge : into + p, edge ? kCols : features);
      if (edge) copy_rows(out_edge, kCols, count, wide, into + p, features, wide);
    }
    const float share = 1 / __builtin_sqrtf(static_cast<float>(x.features));
    exp_rows({count, x.features, into, features, shifts, share, 0});
  }

  /// φ of `count` rows from row `first` on, `features` wide.
  Rows features_of(const float* from, Size row, Size first, Size count, float* into) const {
    from += first * row;
    if (!maps) return {from, row};
    if (projects) {
      project(from, row, count, into);
    } else {
      simd::ATTN_SIMD_SET::features({x.map, count, x.d, from, row, into, features});
    }
    for (Size r = 0; r < count; ++r) {
      fill(into + r * features + x.features, features - x.features, 0);
    }
    return {into, features};
  }

  /// The number of existing columns in panel p.
  Size width(Size p) const { return at_most(kCols, x.dv - p * kCols); }

  /// Panel p of `count` rows of V, of which kCols columns can be read.
  Rows values_of(Size first, Size count, Size p) const {
    const float* const v = x.v + first * x.v_row + p * kCols;
    if (width(p) == kCols) return {v, x.v_row};
    copy_rows(v, x.v_row, count, width(p), v_edge, kCols, kCols);
    return {v_edge, kCols};
  }

  float* out_of(Size first, Size p) const { return x.out + first * x.out_row + p * kCols; }

  void divide(Size first, Size count) const { divide_rows(x, first, count, denominators); }
};

/// Computes z += Σ φ(k).
ATTN_NOINLINE void sum_keys(Rows phi, Size count, Size features, float* z) {
  const Size row = phi.row;
  for (; count >= 4; count -= 4) {
    const float* const k = phi.x;
    ATTN_NO_UNROLL
    for (Size f = 0; f < features; f += 4) {
      store4(z + f, load4(z + f) + ((load4(k + f) + load4(k + row + f)) +
                                    (load4(k + 2 * row + f) + load4(k + 3 * row + f))));
    }
    phi.x += 4 * row;
  }
  for (; count > 0; --count) {
    ATTN_NO_UNROLL
    for (Size f = 0; f < features; f += 4) store4(z + f, load4(z + f) + load4(phi.x + f));
    phi.x += row;
  }
}

/// Computes φ(q)·z of four queries that are packed as [feature][4].
ATTN_NOINLINE void four_denominators(const float* phi, const float* z, Size features, float* out) {
  F4 even = {}, odd = {};
  ATTN_NO_UNROLL
  for (Size f = 0; f < features; f += 2) {
    even += load4(phi) * z[f];
    odd += load4(phi + 4) * z[f + 1];
    phi += 8;
  }
  store4(out, even + odd);
}

void add_epsilon(const float* z, Size features, float epsilon, float* out) {
  for (Size f = 0; f < features; ++f) out[f] = z[f] + epsilon;
}

void non_causal(const Context& c) {
  const LinearAttention& x = c.x;
  fill(c.s, c.panels * c.panel_floats, 0);
  fill(c.z, c.features, 0);
  for (Size first = 0; first < x.m; first += kBlock) {
    const Size count = at_most(kBlock, x.m - first);
    const Rows phi = c.features_of(x.k, x.k_row, first, count, c.phi_k);
    sum_keys(phi, count, c.features, c.z);
    for (Size p = 0; p < c.panels; ++p) {
      const Rows v = c.values_of(first, count, p);
      add_product(c.features / kRows, count, phi.x, phi.row, kRows, v.x, v.row,
                  c.s + p * c.panel_floats, kCols);
    }
  }
  add_epsilon(c.z, c.features, x.key_epsilon, c.z_epsilon);
  for (Size first = 0; first < x.n; first += kBlock) {
    const Size count = at_most(kBlock, x.n - first);
    const Rows phi = c.features_of(x.q, x.q_row, first, count, c.phi_q);
    for (Size r = 0; r < count; r += kRows) {
      float* const panel = c.packed + r * c.features;
      pack_rows(phi.x + r * phi.row, phi.row, at_most(kRows, count - r), c.features, kRows, 1,
                panel);
      if (x.normalize) four_denominators(panel, c.z_epsilon, c.features, c.denominators + r);
    }
    for (Size p = 0; p < c.panels; ++p) {
      const float* const s = c.s + p * c.panel_floats;
      const Size whole = c.width(p) == kCols ? count / kRows : 0, done = whole * kRows;
      product(whole, x.features, c.packed, kRows, kRows * c.features, s, kCols, c.out_of(first, p),
              x.out_row);
      if (done == count) continue;
      product((count - done + kRows - 1) / kRows, x.features, c.packed + done * c.features, kRows,
              kRows * c.features, s, kCols, c.out_edge, kCols);
      copy_rows(c.out_edge, kCols, count - done, c.width(p), c.out_of(first + done, p), x.out_row,
                0);
    }
    c.divide(first, count);
  }
}

/// Processes two tokens, each of which is added to the state and then reads it. For each feature f
/// of kqkq, which is [f][k, q, k', q']: S_f += k·v, out += q·S_f, S_f += k'·v', out' += q'·S_f.
ATTN_NOINLINE void two_tokens(const float* kqkq, Size features, const float* v, const float* v_next,
                              float* s, float* out, float* out_next) {
  const F v0 = load(v), v1 = load(v + kLanes), w0 = load(v_next), w1 = load(v_next + kLanes);
  F o0 = {}, o1 = {}, p0 = {}, p1 = {};
  const float* const end = kqkq + features * 4;
  ATTN_NO_UNROLL
  do {
    const F k = splat(kqkq[0]), k_next = splat(kqkq[2]);
    F s0 = multiply_add(k, v0, load(s)), s1 = multiply_add(k, v1, load(s + kLanes));
    const F q = splat(kqkq[1]), q_next = splat(kqkq[3]);
    o0 = multiply_add(q, s0, o0);
    o1 = multiply_add(q, s1, o1);
    s0 = multiply_add(k_next, w0, s0);
    s1 = multiply_add(k_next, w1, s1);
    p0 = multiply_add(q_next, s0, p0);
    p1 = multiply_add(q_next, s1, p1);
    store(s, s0);
    store(s + kLanes, s1);
    s += kCols;
    kqkq += 4;
  } while (kqkq != end);
  store(out, o0);
  store(out + kLanes, o1);
  store(out_next, p0);
  store(out_next + kLanes, p1);
}

/// Token by token: z += φ(k), then φ(q)·(z + ε).
ATTN_NOINLINE void running_denominators(Rows phi_k, Rows phi_q, Size count, Size features,
                                        float epsilon, float* z, float* out) {
  for (Size t = 0; t < count; ++t) {
    const float *k = phi_k.x + t * phi_k.row, *q = phi_q.x + t * phi_q.row;
    F4 sum = {};
    ATTN_NO_UNROLL
    for (Size f = 0; f < features; f += 4) {
      const F4 total = load4(z + f) + load4(k + f);
      store4(z + f, total);
      sum += load4(q + f) * (total + epsilon);
    }
    out[t] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

void causal(const Context& c) {
  const LinearAttention& x = c.x;
  copy_rows(x.z, 0, 1, x.features, c.z, 0, c.features);
  fill(c.zeros, c.features, 0);
  for (Size p = 0; p < c.panels; ++p) {
    copy_rows(x.s + p * kCols, x.dv, x.features, c.width(p), c.s + p * c.panel_floats, kCols,
              kCols);
  }
  for (Size first = 0; first < x.n; first += kBlock) {
    const Size count = at_most(kBlock, x.n - first);
    const Rows k = c.features_of(x.k, x.k_row, first, count, c.phi_k);
    const Rows q = c.features_of(x.q, x.q_row, first, count, c.phi_q);
    for (Size t = 0; t < count; t += 2) {
      // A last single token is paired with a token of zeros.
      const bool two = t + 1 < count;
      const float* const rows[4] = {k.x + t * k.row, q.x + t * q.row,
                                    two ? k.x + (t + 1) * k.row : c.zeros,
                                    two ? q.x + (t + 1) * q.row : c.zeros};
      pack_four(rows, x.features, c.packed + t * 2 * c.features);
    }
    for (Size p = 0; p < c.panels; ++p) {
      const Rows v = c.values_of(first, count, p);
      const bool edge = c.width(p) < kCols;
      float* const out = edge ? c.out_edge : c.out_of(first, p);
      const Size out_row = edge ? kCols : x.out_row;
      float spare[kCols];
      for (Size t = 0; t < count; t += 2) {
        const bool two = t + 1 < count;
        const float* const value = v.x + t * v.row;
        two_tokens(c.packed + t * 2 * c.features, x.features, value, two ? value + v.row : value,
                   c.s + p * c.panel_floats, out + t * out_row,
                   two ? out + (t + 1) * out_row : spare);
      }
      if (edge) {
        copy_rows(c.out_edge, kCols, count, c.width(p), c.out_of(first, p), x.out_row, 0);
      }
    }
    if (x.normalize) {
      running_denominators(k, q, count, c.features, x.key_epsilon, c.z, c.denominators);
      c.divide(first, count);
    } else {
      sum_keys(k, count, c.features, c.z);
    }
  }
}

/// Adds one token to the state and then reads it, for kCols columns of S: S_f += k_f·v, out +=
/// q_f·S_f.
ATTN_NOINLINE void one_token_columns(const float* k, const float* q, Size features, const float* v,
                                     float* s, Size s_row, float* out) {
  const F v0 = load(v), v1 = load(v + kLanes);
  F o0 = {}, o1 = {};
  ATTN_NO_UNROLL
  for (Size f = 0; f < features; ++f, s += s_row) {
    const F key = splat(k[f]), query = splat(q[f]);
    const F s0 = multiply_add(key, v0, load(s)), s1 = multiply_add(key, v1, load(s + kLanes));
    store(s, s0);
    store(s + kLanes, s1);
    o0 = multiply_add(query, s0, o0);
    o1 = multiply_add(query, s1, o1);
  }
  store(out, o0);
  store(out + kLanes, o1);
}

void one_token(const Context& c) {
  const LinearAttention& x = c.x;
  const Rows k = c.features_of(x.k, x.k_row, 0, 1, c.phi_k);
  const Rows q = c.features_of(x.q, x.q_row, 0, 1, c.phi_q);
  for (Size p = 0; p < c.panels; ++p) {
    const Size at = p * kCols, width = c.width(p);
    if (width == kCols) {
      one_token_columns(k.x, q.x, x.features, x.v + at, x.s + at, x.dv, x.out + at);
      continue;
    }
    copy_rows(x.s + at, x.dv, x.features, width, c.s, kCols, kCols);
    one_token_columns(k.x, q.x, x.features, c.values_of(0, 1, p).x, c.s, kCols, c.out_edge);
    copy_rows(c.s, kCols, x.features, width, x.s + at, x.dv, 0);
    copy_rows(c.out_edge, kCols, 1, width, x.out + at, x.out_row, 0);
  }
  copy_rows(x.z, 0, 1, x.features, c.z, 0, c.features);
  if (x.normalize) {
    running_denominators(k, q, 1, c.features, x.key_epsilon, c.z, c.denominators);
    c.divide(0, 1);
  } else {
    sum_keys(k, 1, c.features, c.z);
  }
  copy_rows(c.z, 0, 1, x.features, x.z, 0, 0);
}

// --- By the weights of all pairs -----------------------------------------------------------------

/// K and V in panels, and a tile of kCols queries with its weights [key][query], as in
/// attention.cpp.
struct PairWeights {
  const LinearAttention& x;
  /// Whether the weights are a function of q·k itself, and whether φ is computed here.
  bool taylor, maps;
  Size width, keys, values;
  float *k, *v, *q, *phi, *weights, *out, *sums, *ones;
  Size floats;

  PairWeights(const LinearAttention& problem, float* area)
      : x(problem),
        taylor(x.map.kind == Feature::kTaylorCompact),
        maps(!taylor && x.map.kind != Feature::kGiven),
        width(taylor ? x.d : x.features),
        keys(round_up(x.m, kRows)),
        values(round_up(x.dv, kRows)) {
    Work work{area};
    k = work.take(keys * width);
    v = work.take(values * x.m);
    q = work.take(width * kCols);
    phi = work.take(maps ? kCols * width : 0);
    weights = work.take(keys * kCols);
    out = work.take(values * kCols);
    sums = work.take(kCols);
    ones = work.take(kCols);
    floats = work.floats;
  }

  /// What `count` ≤ kCols rows are multiplied by.
  Rows factors(const float* from, Size row, Size count) const {
    if (!maps) return {from, row};
    simd::ATTN_SIMD_SET::features({x.map, count, x.d, from, row, phi, width});
    return {phi, width};
  }
};

/// Turns the products of a tile into weights, and adds the weights of each query.
ATTN_NOINLINE void weigh(bool taylor, Size keys, float* weights, float* sums) {
  const F one = splat(1), half = splat(0.5F);
  F a{}, b{};
  ATTN_NO_UNROLL
  for (Size j = 0; j < keys; ++j, weights += kCols) {
    F s = load(weights), t = load(weights + kLanes);
    if (taylor) {
      // 1 + s + s²/2
      s = multiply_add(half * s, s, one + s);
      t = multiply_add(half * t, t, one + t);
      store(weights, s);
      store(weights + kLanes, t);
    }
    a += s;
    b += t;
  }
  store(sums, a);
  store(sums + kLanes, b);
}

void by_weights(const LinearAttention& x, float* work) {
  const PairWeights to(x, work);
  for (Size j = 0; j < x.m; j += kRows) {
    const Size count = at_most(kRows, x.m - j);
    const Rows rows = to.factors(x.k + j * x.k_row, x.k_row, count);
    pack_rows(rows.x, rows.row, count, to.width, kRows, 1, to.k + j * to.width);
  }
  for (Size c = 0; c < x.dv; c += kRows) {
    copy_rows(x.v + c, x.v_row, x.m, at_most(kRows, x.dv - c), to.v + c * x.m, kRows, kRows);
  }
  fill(to.ones, kCols, 1);
  for (Size first = 0; first < x.n; first += kCols) {
    const Size count = at_most(kCols, x.n - first);
    const Rows rows = to.factors(x.q + first * x.q_row, x.q_row, count);
    pack_rows(rows.x, rows.row, count, to.width, kCols, to.taylor ? x.map.a * x.map.a : 1, to.q);
    product(to.keys / kRows, to.width, to.k, kRows, kRows * to.width, to.q, kCols, to.weights,
            kCols);
    weigh(to.taylor, x.m, to.weights, to.sums);
    product(to.values / kRows, x.m, to.v, kRows, kRows * x.m, to.weights, kCols, to.out, kCols);
    unpack_rows(to.out, count, x.dv, to.ones, x.out + first * x.out_row, x.out_row);
    divide_rows(x, first, count, to.sums);
  }
}

}  // namespace

Size linear_attention_floats(const LinearAttention& x) {
  return x.s ? Context(x, nullptr).floats : PairWeights(x, nullptr).floats;
}

void linear_attention(const LinearAttention& x, float* work) {
  if (!x.s) {
    by_weights(x, work);
    return;
  }
  const Context c(x, work);
  if (x.causal && x.n == 1) {
    one_token(c);
    return;
  }
  (x.causal ? causal : non_causal)(c);
  copy_rows(c.z, 0, 1, x.features, x.z, 0, 0);
  for (Size p = 0; p < c.panels; ++p) {
    copy_rows(c.s + p * c.panel_floats, kCols, x.features, c.width(p), x.s + p * kCols, x.dv, 0);
  }
}

}  // namespace attn::simd::ATTN_SIMD_SET
