#pragma once

#include <cmath>

#include "exercise.hpp"

inline Array row_softmax(const Array& scores) {
  const Array weights = exp(scores - max(scores, 1, true));
  return weights / sum(weights, 1, true);
}

inline double mean_of_maxima(const Array& weights) { return mean(max(weights, 1)).item(); }

inline double mean_entropy(const Array& weights) {
  // ln 1 = 0 stands in for 0·ln 0.
  const Array logs = log(where(weights > 0.0, weights, 1.0));
  return -mean(sum(weights * logs, 1)).item();
}

inline std::map<std::string, double> experiment_scaling_factor(const Array& Q, const Array& K) {
  const Array scores = matmul(Q, transpose(K));
  const Array unscaled = row_softmax(scores);
  const Array scaled = row_softmax(scores / std::sqrt(K.shape(1)));
  return {
      {"max_unscaled", mean_of_maxima(unscaled)},
      {"max_scaled", mean_of_maxima(scaled)},
      {"entropy_unscaled", mean_entropy(unscaled)},
      {"entropy_scaled", mean_entropy(scaled)},
  };
}
