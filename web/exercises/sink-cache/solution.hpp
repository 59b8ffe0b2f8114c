#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> sink_cache(const Array& Q, const Array& K, const Array& V,
                                           std::int64_t sinks, std::int64_t window, double slope) {
  Array output = zeros(V.shape());
  std::vector<Index> kept;  // places in the text, oldest first
  for (Index t = 0; t < Q.shape(0); ++t) {
    kept.push_back(t);
    // The oldest token that is no sink.
    if (static_cast<std::int64_t>(kept.size()) > sinks + window) kept.erase(kept.begin() + sinks);
    const Index count = static_cast<Index>(kept.size());
    Array scores = zeros({count});
    for (Index at = 0; at < count; ++at) {
      const Index j = kept[static_cast<std::size_t>(at)];
      const double score = dot(K.row(j), Q.row(t)).item() / std::sqrt(Q.shape(1));
      // The distance is counted in the cache: what was evicted leaves no gap.
      scores(at) = score - slope * static_cast<double>(count - 1 - at);
    }
    const Array exps = exp(scores - max(scores));
    const Array weights = exps / sum(exps);
    Array mean = zeros({V.shape(1)});
    for (Index at = 0; at < count; ++at) {
      mean += weights(at) * V.row(kept[static_cast<std::size_t>(at)]);
    }
    output.row(t) = mean;
  }
  return {output,
          array(std::vector<double>(kept.begin(), kept.end()), {static_cast<Index>(kept.size())})};
}
