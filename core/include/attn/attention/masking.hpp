#pragma once
// The masks of project 4 as matrices that are added to scores, and the weight that each of them
// lets through.

#include "attn/attention/attention.hpp"

namespace attn {

/// n×n: 0 where j ≤ i, −∞ above the diagonal. Added to the scores (`AttentionOptions::bias`) it
/// equals `Mask::causal()`. Passed to masked_fill(mask == 0, −∞), as project 4's own code does, it
/// blocks exactly the cells that it should keep: `AttentionVariant::kInvertedMask`. O(n²).
/// @throws ValueError unless n ≥ 1.
template <typename T = float>
Matrix<T> create_causal_mask(Index n);

/// n×n: 0 where j ≥ i, −∞ below the diagonal: every token sees itself and the future. A model
/// trained with this mask can read the answer from its input. O(n²).
/// @throws ValueError unless n ≥ 1.
template <typename T = float>
Matrix<T> create_reverse_mask(Index n);

/// The result of one mask: the attention, and where its weight lies.
template <typename T = float>
struct MaskingScenario {
  AttentionResult<T> attention;
  /// The mean over queries of the weight on keys before the query's own position, on it, and after
  /// it.
  double past = 0, self = 0, future = 0;
  /// The mean entropy over queries, in nats.
  double entropy = 0;
};

template <typename T = float>
struct MaskingComparison {
  MaskingScenario<T> causal, none, reverse;
};

/// Task 3c of project 4: the same Q, K, V (n rows each) under the causal mask, without a mask, and
/// under the reverse mask. A language model that generates text has no future tokens to put weight
/// on. Cost of three `attention`s.
/// @throws ShapeError (also for n ≠ m), ValueError
template <typename T = float>
MaskingComparison<T> compare_masking(In<T> Q, In<T> K, In<T> V);

}  // namespace attn
