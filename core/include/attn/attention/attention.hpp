#pragma once
// Scaled dot-product attention (Vaswani et al. 2017, arXiv:1706.03762, equation 1).

#include <optional>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct AttentionOptions {
  Mask mask = Mask::full();
  /// Factor on q·k. Left out: 1/√d_k. A factor of 1 means no scaling.
  std::optional<double> scale;
  /// n×m, added to the scaled scores before the mask; empty for none. −∞ blocks a cell.
  SharedMatrix<T> bias;
};

template <typename T = float>
struct AttentionResult {
  /// n×d_v
  Matrix<T> output;
  /// n×m; each row sums to 1, or is 0 where the query sees no key.
  Matrix<T> weights;
  /// n: ln Σ_j exp(score_ij) over the keys the row sees; −∞ where it sees none.
  Vector<T> log_sum_exp;
};

/// output = softmax(scale·QKᵀ + bias, masked)·V.
///
/// Q n×d_k, K m×d_k, V m×d_v. Stable at any finite logits: each row's maximum is subtracted before
/// exp; logits that overflow T are an error. A row that sees no key has zero weights and zero
/// output, never NaN. In float32 weights below 2⁻¹⁰⁰ of the row's largest are 0, so that no
/// arithmetic meets denormal numbers. n·m·(d_k + d_v) multiply-adds and n·m exp; O(n·m) memory.
/// @throws ShapeError, ValueError
template <typename T = float>
AttentionResult<T> attention(In<T> Q, In<T> K, In<T> V, const AttentionOptions<T>& options = {});

/// The same, written into `result`, whose memory is reused and which must not hold Q, K or V. In
/// float32 and without a bias, a second call of the same shapes allocates nothing.
template <typename T = float>
void attention(In<T> Q, In<T> K, In<T> V, const AttentionOptions<T>& options,
               AttentionResult<T>& result);

/// The factor `attention` uses: `scale` if given, else 1/√d_k. O(1).
/// @throws ValueError when it is not finite, also for d_k = 0 without a scale.
double attention_scale(const std::optional<double>& scale, Index d_k);

/// @throws ValueError when a score is NaN or infinite. Finite queries and keys can be so large that
/// their product overflows, and such scores have no softmax.
template <typename T = float>
void require_finite_scores(In<T> scores);

/// @throws ValueError when a score with its bias is NaN or +∞, which have no softmax, or −∞ though
/// the bias is not: then the sum overflowed. A bias of −∞ acts as a mask.
/// @param scores finite scores with `bias` added, of the same shape. O(size).
template <typename T = float>
void require_biased_scores(In<T> scores, In<T> bias);

/// Softmax of each row of `scores`, in place, over the keys the mask keeps. Row r of `scores` is
/// query `first_query + r` of n. Blocked cells become exactly 0.
/// @param log_sum_exp one entry a row of `scores`, or nullptr.
/// @throws ShapeError when the mask came from a matrix of another shape.
template <typename T = float>
void masked_softmax_rows(Eigen::Ref<Matrix<std::type_identity_t<T>>> scores, const Mask& mask,
                         Index first_query, Index n,
                         std::type_identity_t<T>* log_sum_exp = nullptr);

template <typename T = float>
struct StandardOrderResult {
  /// n×d_v
  Matrix<T> output;
  /// n×m: QKᵀ itself
  Matrix<T> weights;
};

/// (QKᵀ)V without softmax, forming the n×m matrix. n·m·(d_k + d_v) multiply-adds.
/// @throws ShapeError, ValueError
template <typename T = float>
StandardOrderResult<T> standard_attention_order(In<T> Q, In<T> K, In<T> V);

}  // namespace attn
