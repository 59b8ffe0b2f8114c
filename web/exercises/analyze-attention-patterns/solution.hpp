#pragma once

#include <limits>

#include "exercise.hpp"

inline std::map<std::string, double> analyze_attention_patterns(const Array& attention_weights) {
  const Array& weights = attention_weights;
  const Array position = arange(weights.shape(0));
  const Array apart = abs(expand_dims(position, 1) - expand_dims(position, 0));
  // ln 1 = 0 stands in for 0·ln 0.
  const Array entropies = -sum(weights * log(where(weights > 0.0, weights, 1.0)), 1);
  const double local = sum(where(apart <= 2, weights, 0.0)).item();
  const double far = sum(where(apart > 2, weights, 0.0)).item();
  return {
      {"max_attention", max(weights).item()},
      {"entropy", mean(entropies).item()},
      {"diagonal_mass", mean(diagonal(weights)).item()},
      {"local_vs_global", far > 0 ? local / far : std::numeric_limits<double>::infinity()},
  };
}
