#pragma once

#include <algorithm>

#include "exercise.hpp"

inline Array sparse_attention_gather(const Array& Q, const Array& K, const Array& V,
                                     const Array& keys) {
  Array output = zeros({Q.shape(0), V.shape(1)});
  for (Index i = 0; i < Q.shape(0); ++i) {
    // Only these rows of K and V are read; −1 fills the list up and is no key.
    std::vector<double> kept;
    for (Index at = 0; at < keys.shape(1); ++at) {
      if (keys(i, at) >= 0) kept.push_back(keys(i, at));
    }
    if (kept.empty()) continue;
    const Index count = static_cast<Index>(kept.size());
    Array scores = zeros({count});
    for (Index at = 0; at < count; ++at) {
      const Array key = K.row(static_cast<Index>(kept[static_cast<std::size_t>(at)]));
      scores(at) = dot(key, Q.row(i)).item() / std::sqrt(Q.shape(1));
    }
    const Array exps = exp(scores - max(scores));
    const Array weights = exps / sum(exps);
    Array mean = zeros({V.shape(1)});
    for (Index at = 0; at < count; ++at) {
      mean += weights(at) * V.row(static_cast<Index>(kept[static_cast<std::size_t>(at)]));
    }
    output.row(i) = mean;
  }
  return output;
}
