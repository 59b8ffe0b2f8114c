#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> entropy_per_head(const Array& weights) {
  const Index n = weights.shape(1);
  // ln 1 = 0 stands in for 0·ln 0.
  const Array logs = log(where(weights > 0.0, weights, 1.0));
  const Array entropies = -sum(weights * logs, 2);
  // Row i sees i + 1 keys. Row 0 has no choice: its largest entropy is 0, so it has no share.
  const Array most = log(arange(2, static_cast<double>(n + 1)));
  const Array shares = entropies.cols(1, n) / most;
  return {mean(entropies, 1), mean(shares, 1)};
}
