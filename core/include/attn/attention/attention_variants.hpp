#pragma once
// Softmax attention with the mistakes that are often made in it. Each variant makes one mistake of
// the course texts and nothing else, so that a page can show it beside `attention`, which makes
// none. The variants are plain loops over the formula, written for clarity and not for speed.
//
// "No scale" needs no variant: `AttentionOptions::scale` = 1.

#include <span>
#include <string_view>

#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"

namespace attn {

enum class AttentionVariant {
  /// exp(s) / Σ exp(s) without subtracting the row's maximum. The result is right while every score
  /// is below ln(largest number): 88.72 in float32, 709.78 in float64. Above that exp is ∞, its own
  /// weight is ∞/∞ = NaN, and all other weights of the row are 0. Scores far below 0 give 0/0 =
  /// NaN. Dividing by √d_k prevents neither.
  kNaiveExp,
  /// Blocked scores are set to 0 before the softmax. Because exp(0) = 1, a blocked key keeps
  /// weight, and the more the lower the other scores are.
  kMaskByZero,
  /// Blocked scores are set to −1e9. The result is right except for a query that sees no key: all
  /// its scores are equal, so it gives every blocked key the weight 1/m.
  kFillMinusBillion,
  /// −1e9 is added to blocked scores. The result is right except for a query that sees no key. In
  /// float64 it attends as if there were no mask. In float32 numbers near 1e9 are 64 apart, so the
  /// score is rounded away and every blocked key gets the same weight (while |score| < 32).
  kAddMinusBillion,
  /// Softmax over all keys; blocked weights are set to 0 afterwards, without normalising again.
  /// Rows no longer sum to 1, and the remaining weights still depend on the blocked keys through
  /// the denominator.
  kMaskAfterSoftmax,
  /// −∞ is added to blocked scores, and NaN weights are set to 0 after the softmax. The forward
  /// pass equals `attention`, but the gradient does not: see `additive_mask_backward`.
  kAdditiveMaskNanToZero,
  /// The additive mask of project-04's create_causal_mask (0 keeps, −∞ blocks) is passed to the
  /// project's own masked_fill(mask == 0, −∞), where 0 blocks, so exactly the allowed cells are
  /// blocked. A causal mask becomes "only the future", and the last query, which may see
  /// everything, gets NaN.
  kInvertedMask,
};

struct AttentionVariantInfo {
  AttentionVariant variant;
  /// A stable id for URLs and files.
  std::string_view id;
  std::string_view label;
  /// The consequence of the mistake, in one sentence.
  std::string_view breaks;
  /// The place in the course texts.
  std::string_view found_in;
};

/// Every variant, in the order of the enumeration.
std::span<const AttentionVariantInfo> attention_variants();

/// @throws ValueError for an unknown id, naming the known ones.
AttentionVariant attention_variant_from_id(std::string_view id);

/// Attention with the mistake. Shapes, options and cost are those of `attention`. The result may
/// hold NaN, and its rows need not sum to 1, because the mistake is shown as it is. `log_sum_exp`
/// is that of the scores which the variant itself normalises.
/// @throws ShapeError, ValueError
template <typename T = float>
AttentionResult<T> attention_variant(AttentionVariant variant, In<T> Q, In<T> K, In<T> V,
                                     const AttentionOptions<std::type_identity_t<T>>& options = {});

/// The gradients of `kAdditiveMaskNanToZero` as automatic differentiation computes them: the
/// softmax that gave NaN is differentiated at those NaN, and 0·NaN is NaN. One query that sees no
/// key makes its row of dQ, its row of d_bias and all of dK NaN, although the forward pass looks
/// right; dV is finite. `attention_backward` gives zeros there. Without such a query the two agree.
/// @throws as `attention_backward`
template <typename T = float>
AttentionGradients<T> additive_mask_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO,
    const AttentionOptions<std::type_identity_t<T>>& options = {});

}  // namespace attn
