#pragma once

#include <cmath>

#include "exercise.hpp"

inline std::map<std::string, double> analyze_feature_map_quality(const FeatureMap& feature_map,
                                                                 const Array& Q, const Array& K,
                                                                 const Array& V) {
  const Array logits = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(Q.shape(1)));
  const Array powers = exp(logits - max(logits, 1, true));
  const Array softmax = powers / sum(powers, 1, true);

  const Array scores = matmul(feature_map(Q), transpose(feature_map(K)));
  const Array sums = sum(scores, 1, true);
  const Array implicit = scores / (sums + 1e-6);

  const Array wanted = matmul(softmax, V);
  const Array output = matmul(implicit, V);
  const double size_of_wanted = norm(wanted).item();
  const double size_of_output = norm(output).item();
  return {
      {"output_error", norm(output - wanted).item() / size_of_wanted},
      {"output_cosine", sum(output * wanted).item() / (size_of_output * size_of_wanted)},
      {"correlation", corrcoef(implicit.ravel(), softmax.ravel())(0, 1)},
      {"negative_weights", mean(implicit < 0).item()},
      {"negative_denominators", mean(sums < 0).item()},
      {"zero_denominators", mean(sums == 0).item()},
  };
}
