#pragma once
// Softmax attention as it is often written, and wrong. Each variant makes one mistake of the course
// texts and nothing else, so that a page can show it beside `attention`, which makes none. They are
// plain loops over the formula: for looking at, not for speed.
//
// "No scale" needs no variant: `AttentionOptions::scale` = 1.

#include <span>
#include <string_view>

#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"

namespace attn {

enum class AttentionVariant {
  /// exp(s) / Σ exp(s) without subtracting the row's maximum. Right while every score is below
  /// ln(largest number): 88.72 in float32, 709.78 in float64. Above, exp is ∞, its own weight is
  /// ∞/∞ = NaN and all others of the row are 0. Scores all far below 0 give 0/0 = NaN. Dividing by
  /// √d_k protects from neither.
  kNaiveExp,
  /// Blocked scores are set to 0 before the softmax. exp(0) = 1: a blocked key keeps weight, and
  /// the more the lower the other scores are.
  kMaskByZero,
  /// Blocked scores are set to −1e9. Right, but for a query that sees no key: all its scores are
  /// equal, so it looks at every forbidden key with weight 1/m instead of at none.
  kFillMinusBillion,
  /// −1e9 is added to blocked scores. Right, but for a query that sees no key: in float64 it
  /// attends as if there were no mask; in float32 numbers near 1e9 are 64 apart, the score is
  /// rounded away, and it looks at every forbidden key alike (while |score| < 32).
  kAddMinusBillion,
  /// Softmax over all keys, blocked weights set to 0 afterwards, not normalised again. Rows no
  /// longer sum to 1, and what is left still depends on the blocked keys through the denominator.
  kMaskAfterSoftmax,
  /// −∞ is added to blocked scores and NaN weights are set to 0 after the softmax. The forward pass
  /// is that of `attention`. The gradient is not: see `additive_mask_backward`.
  kAdditiveMaskNanToZero,
  /// The additive mask that project-04's create_causal_mask makes (0 keeps, −∞ blocks) given to its
  /// own masked_fill(mask == 0, −∞), where 0 blocks: exactly the allowed cells are blocked. A
  /// causal mask becomes "only the future", and the last query, which may see everything, gets NaN.
  kInvertedMask,
};

struct AttentionVariantInfo {
  AttentionVariant variant;
  /// Stable: for URLs and files.
  std::string_view id;
  std::string_view label;
  /// What goes wrong, in one sentence.
  std::string_view breaks;
  /// Where the course texts have it.
  std::string_view found_in;
};

/// Every variant, in the order of the enumeration.
std::span<const AttentionVariantInfo> attention_variants();

/// @throws ValueError for an unknown id, naming the known ones.
AttentionVariant attention_variant_from_id(std::string_view id);

/// Attention with the mistake. Shapes, options and cost as `attention`; the result may hold NaN and
/// its rows need not sum to 1: that is the point. `log_sum_exp` is that of the scores the variant
/// itself normalises.
/// @throws ShapeError, ValueError
template <typename T = float>
AttentionResult<T> attention_variant(AttentionVariant variant, In<T> Q, In<T> K, In<T> V,
                                     const AttentionOptions<std::type_identity_t<T>>& options = {});

/// Gradients of `kAdditiveMaskNanToZero` as automatic differentiation computes them: the softmax
/// that gave NaN is differentiated at those NaN, and 0·NaN is NaN. One query that sees no key makes
/// its row of dQ, its row of d_bias and all of dK NaN, although the forward pass looks right; dV is
/// finite. `attention_backward` gives zeros there. Without such a query the two agree.
/// @throws as `attention_backward`
template <typename T = float>
AttentionGradients<T> additive_mask_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO,
    const AttentionOptions<std::type_identity_t<T>>& options = {});

}  // namespace attn
