#pragma once
// Calls of the core that can be made again and again with their inputs in place, to be timed by
// whoever has a clock.

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
  /// Seed of the inputs, which are N(0, 1).
  std::uint64_t seed = 1;
  /// The queries are multiplied by it.
  double factor = 1;
  /// How many random projections a mechanism with a random feature map draws; none: its default.
  std::optional<Index> features = {};
  /// Read by "linear" alone: the feature map (none: ELU + 1), whether it is causal, whether it
  /// divides by the denominators.
  std::optional<FeatureMap<float>> map = {};
  bool causal = false, normalize = true;
};

/// The call and its inputs.
struct Trial {
  /// Returns a number of the result, so that the work cannot be left out. The result goes where
  /// that of the call before was: the float32 kernels allocate nothing from the second call on.
  std::function<float()> call;
  /// Of a call of "multiply_add_peak"; 0 of anything else, which the cost model knows.
  std::uint64_t multiply_adds = 0;
  /// Tokens; 0 where there are none.
  Index n = 0;
};

/// The mechanisms of complexity.hpp that can be timed, and "multiply_add_peak" (machine.hpp).
std::vector<std::string_view> timed_mechanisms();

/// @throws ValueError for a mechanism that is not among `timed_mechanisms` (listing them) or a size
/// below 1; ShapeError for a map of another width.
Trial make_trial(std::string_view mechanism, const TrialOptions& options = {});

}  // namespace attn
