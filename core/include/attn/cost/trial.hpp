#pragma once
// Calls of the core that can be repeated with their inputs in place, so that a caller with a clock
// can time them.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"

namespace attn {

struct TrialOptions {
  /// n queries and as many keys, of one head.
  Index n = 512, d_k = 64, d_v = 64;
  /// The seed of the inputs, which are from N(0, 1).
  std::uint64_t seed = 1;
  /// The factor by which the queries are multiplied.
  double factor = 1;
  /// The number of random projections that a mechanism with a random feature map draws; none: its
  /// default.
  std::optional<Index> features = {};
  /// Options that only "linear" reads: the feature map (none: ELU + 1), whether it is causal, and
  /// whether it divides by the denominators.
  std::optional<FeatureMap<float>> map = {};
  bool causal = false, normalize = true;
};

/// The call and its inputs.
struct Trial {
  /// Returns one number of the result, so that a compiler cannot leave the work out. The result is
  /// written where the last call wrote its own: the float32 kernels allocate nothing from the
  /// second call on.
  std::function<float()> call;
  /// The multiply-adds of one call of "multiply_add_peak"; 0 for all others, whose work the cost
  /// model computes.
  std::uint64_t multiply_adds = 0;
  /// The number of tokens; 0 where there are none.
  Index n = 0;
};

/// The mechanisms of complexity.hpp that can be timed, "multiply_add_peak" (machine.hpp), and
/// kernel smoothing with the Gaussian kernel of γ = 1/d: "kernel_smoothing" with the kernel itself
/// (smoother.hpp) and "feature_smoothing" with random Fourier features instead
/// (kernel_features.hpp), `features` of them, 64 unless given. Writing the features is part of it,
/// drawing their frequencies is not.
std::vector<std::string_view> timed_mechanisms();

/// @throws ValueError for a mechanism that is not among `timed_mechanisms` (listing them) or a size
/// below 1; ShapeError for a map of another width.
Trial make_trial(std::string_view mechanism, const TrialOptions& options = {});

}  // namespace attn
