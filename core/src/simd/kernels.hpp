#pragma once
// The fast float32 kernels as plain structs and functions. The core calls them, and they can be
// compiled separately from it, several times, for several machines. Private to the core.
//
// Nothing is checked here: callers ensure fitting shapes, finite inputs and scores that do not
// overflow (`scores_stay_finite`). No kernel allocates: `…_floats` returns how much `work` a kernel
// needs, aligned to 64 bytes. Matrices are row-major, and `x_row` is the distance between rows in
// floats. Results must not overlap inputs.

#include <stddef.h>
#include <stdint.h>

namespace attn::simd {

using Size = ptrdiff_t;

/// C = A·B + S; C is rows×cols, and `depth` ≥ 1 is the inner dimension. Entry (i, k) of A is
/// a[i·a_row + k·a_col], where one of the two steps is 1; the same holds for B. A transposed factor
/// is passed by exchanging its steps. S is C itself where a product is added, one row for all
/// (s_row = 0), another matrix, or null for none.
struct Gemm {
  Size rows, cols, depth;
  const float *a, *b;
  Size a_row, a_col, b_row, b_col;
  float* c;
  Size c_row;
  const float* s = nullptr;
  Size s_row = 0;
};

/// The keys that a query sees: query i sees those from i·step + first to i·step + last inclusive,
/// within 0 … min(m, valid) − 1 and, with `keep`, only where keep[i·m + j] ≠ 0. step is 0 or 1;
/// numbers beyond ±(n + m) mean no limit. All heads have the same sight.
struct Sight {
  Size first, last, step, valid;
  const uint8_t* keep;
};

/// softmax(scale·QKᵀ, masked)·V for `heads` query heads that share K (m×d) and V (m×dv). Head h
/// reads its n×d queries at q + h·q_head and writes at out + h·out_head.
struct Attention {
  Size n, m, d, dv, heads;
  const float *q, *k, *v;
  Size q_row, k_row, v_row, q_head;
  float scale;
  Sight sight;
  float* out;
  Size out_row, out_head;
  /// heads×n: ln Σ exp of the visible scores, −∞ where there are none; or null.
  float* log_sum_exp;
  /// The place of the n×m weights of each head; null for none. With weights, `work` grows by m for
  /// each query of a tile.
  float* const* weights;
};

/// The gradients of Σ out∘d_out with respect to Q, K and V for one head, from the log-sum-exp and
/// from row_dots, the n sums Σ_k d_out∘out. Results are written, not added.
struct AttentionBackward {
  Size n, m, d, dv;
  const float *q, *k, *v, *d_out;
  Size q_row, k_row, v_row, d_out_row;
  float scale;
  Sight sight;
  const float *log_sum_exp, *row_dots;
  float *d_q, *d_k, *d_v;
  Size d_q_row, d_k_row, d_v_row;
};

/// The softmax attention of each query over a list of keys: query i has keys[first[i] … first[i +
/// 1] − 1], or that range itself where keys is null.
struct GatheredAttention {
  Size n, d, dv;
  const float *q, *k, *v;
  Size q_row, k_row, v_row;
  float scale;
  const Size* first;
  const int32_t* keys;
  float* out;
  Size out_row;
  float* log_sum_exp;
  /// One weight for each cell, in the order of the lists.
  float* weights;
};

/// The softmax of each row over its first `end` columns, in place; columns behind become 0. Cells
/// of −∞ get 0, and so do all cells of a row that has no other cells.
struct SoftmaxRows {
  Size rows, cols;
  float* x;
  Size x_row;
  /// Row r has min(end + r·end_step, cols) columns, or none if that is negative.
  Size end, end_step;
  float* log_sum_exp;
};

/// The feature maps that a kernel can compute on the fly. Other maps are applied beforehand.
enum class Feature : int32_t {
  kGiven,          ///< q and k are φ(Q), φ(K) already
  kEluPlusOne,     ///< a·x + 1 for x > 0, else e^{a·x}
  kRelu,           ///< max(x, a)
  kSquaredRelu,    ///< max(x, 0)²
  kSquare,         ///< x²
  kExp,            ///< e^x
  kTaylorCompact,  ///< 1, x', x'²/√2, then x'_i·x'_j for j < i; x' = a·x
  kRandomExp,      ///< e^{Wx' − ‖x'‖²/2}/√D for the D×d projection W; x' = a·x
};

struct FeatureMap {
  Feature kind;
  float a;
  /// W of `kRandomExp`, whose row has d numbers.
  const float* projection = nullptr;
};

/// φ of each row: x is rows×d and out is rows×D. `kRandomExp` needs a work area, which only
/// `LinearAttention` has.
struct Features {
  FeatureMap map;
  Size rows, d;
  const float* x;
  Size x_row;
  float* out;
  Size out_row;
};

/// out_i = φ(q_i)·S / max(φ(q_i)·(z + key_epsilon) + epsilon, least), S = Σ φ(k_j) v_jᵀ and
/// z = Σ φ(k_j) over all m keys or, causal, over j ≤ i with m = n.
struct LinearAttention {
  Size n, m, d, dv, features;
  FeatureMap map;
  const float *q, *k, *v;
  Size q_row, k_row, v_row;
  bool causal, normalize;
  float epsilon, key_epsilon, least;
  float* out;
  Size out_row;
  /// The state, features×dv and features. It is written, and in the causal form read first. Without
  /// one (null; not causal, key_epsilon 0, no `kRandomExp`) the kernel takes the weights of all
  /// pairs, n·m·(d_w + dv) multiply-adds, where d_w is d for `kTaylorCompact`, whose weight is
  /// 1 + s + s²/2 of s = q'·k', and else the number of features.
  float *s, *z;
};

/// Whether the weights of all pairs take fewer multiply-adds than the state.
inline bool weights_cost_less(const LinearAttention& x) {
  if (x.causal || x.key_epsilon != 0 || x.map.kind == Feature::kRandomExp) return false;
  const Size width = x.map.kind == Feature::kTaylorCompact ? x.d : x.features;
  return x.n * x.m * (width + x.dv) < (x.n + x.m) * x.features * x.dv;
}

/// Computes factor·(e^{x − shift} + add) for each row in place; shift has one number for each row.
struct ExpRows {
  Size rows, cols;
  float* x;
  Size x_row;
  const float* shift;
  float factor, add;
};

/// The terms of `PairSums`.
enum class PairTerm : int32_t {
  kAbsolute,    ///< |x − y|
  kChiSquared,  ///< (x − y)²/(x + y) for x, y ≥ 0, and 0 where both are 0
};

/// out(i, j) = Σ_c term(x(i, c), y(c, j)); x is rows×d, y is d×cols and out is rows×cols. With
/// `upper`, what lies below the diagonal need not be right. y_row is at least cols rounded up to
/// `kPairColumns`, because whole vectors are read.
struct PairSums {
  PairTerm term;
  Size rows, cols, d;
  const float* x;
  Size x_row;
  const float* y;
  Size y_row;
  float* out;
  Size out_row;
  bool upper;
};

/// Two vectors of the widest set.
constexpr Size kPairColumns = 32;

/// The kernels of one instruction set.
struct Kernels {
  const char* name;
  int32_t lanes;
  void (*gemm)(const Gemm&, float* work);
  Size (*gemm_floats)(const Gemm&);
  void (*attention)(const Attention&, float* work);
  Size (*attention_floats)(const Attention&);
  void (*attention_backward)(const AttentionBackward&, float* work);
  Size (*attention_backward_floats)(const AttentionBackward&);
  void (*gathered_attention)(const GatheredAttention&);
  void (*softmax_rows)(const SoftmaxRows&);
  void (*features)(const Features&);
  void (*linear_attention)(const LinearAttention&, float* work);
  Size (*linear_attention_floats)(const LinearAttention&);
  void (*exp_rows)(const ExpRows&);
  void (*pair_sums)(const PairSums&);
  /// The largest |x|; NaN or ∞ when an entry is NaN or ∞.
  float (*largest_magnitude)(const float* x, Size rows, Size cols, Size x_row);
  /// e^x of `count` numbers, for tests.
  void (*exp)(const float* x, float* out, Size count);
  void (*exp2_of_nonpositive)(const float* x, float* out, Size count);
  /// Runs multiply-adds on registers alone, the machine's limit: 2·12·lanes·rounds operations.
  float (*peak)(Size rounds, const float* seeds);
};

}  // namespace attn::simd
