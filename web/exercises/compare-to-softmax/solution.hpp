#pragma once

#include <cmath>

#include "exercise.hpp"

inline std::map<std::string, double> compare_to_softmax(const Array& Q, const Array& K,
                                                        const FeatureMap& feature_map) {
  const Array logits = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(Q.shape(1)));
  const Array powers = exp(logits - max(logits, 1, true));
  const Array softmax = powers / sum(powers, 1, true);

  const Array scores = matmul(feature_map(Q), transpose(feature_map(K)));
  const Array implicit = scores / (sum(scores, 1, true) + 1e-6);

  const Array difference = implicit - softmax;
  return {
      {"mse", mean(square(difference)).item()},
      {"max_diff", max(abs(difference)).item()},
      {"correlation", corrcoef(implicit.ravel(), softmax.ravel())(0, 1)},
  };
}
