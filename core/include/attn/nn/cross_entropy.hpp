#pragma once
// The loss of a language model.

#include <algorithm>
#include <cstdint>
#include <span>

#include "attn/base/tensor.hpp"

namespace attn {

/// A target that does not count, as in PyTorch.
inline constexpr std::int32_t kIgnoredTarget = -100;

/// How many targets count.
inline Index counted_targets(std::span<const std::int32_t> targets) {
  return static_cast<Index>(targets.size()) -
         static_cast<Index>(std::count(targets.begin(), targets.end(), kIgnoredTarget));
}

template <typename T = float>
struct CrossEntropyResult {
  /// The mean of −ln softmax(logits)[target] over the targets that count, in nats; 0 where none
  /// does.
  double loss = 0;
  /// The share of the counted rows whose largest logit is the target's; 0 where none counts. The
  /// first of several equal logits counts as the largest.
  double accuracy = 0;
  /// How many targets count.
  Index counted = 0;
  /// n×classes: the gradient of `loss` by the logits; empty unless asked for.
  Matrix<T> d_logits;
};

/// logits n×classes, one target for each row: 0 … classes − 1, or `ignored`. Row maxima are taken
/// off first, so large logits do not overflow; the sum is taken in float64. O(n·classes), an exp
/// for each logit of a counted row.
/// @throws ShapeError for logits without entries or another number of targets, ValueError for
/// logits that are not finite and for a target that is no class.
template <typename T = float>
CrossEntropyResult<T> cross_entropy(In<T> logits, std::span<const std::int32_t> targets,
                                    bool gradient = true, std::int32_t ignored = kIgnoredTarget);

}  // namespace attn
