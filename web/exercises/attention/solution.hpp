#pragma once

#include <cmath>
#include <limits>

#include "exercise.hpp"

inline std::tuple<Array, Array> attention(const Array& Q, const Array& K, const Array& V,
                                          const std::optional<Array>& mask = {},
                                          bool scale = true) {
  Array scores = matmul(Q, transpose(K));
  if (scale) scores = scores / std::sqrt(K.shape(1));
  if (mask) scores = where(*mask == 0, -std::numeric_limits<double>::infinity(), scores);
  // Softmax of each row; without its maximum exp would overflow.
  Array weights = exp(scores - max(scores, 1, true));
  weights = weights / sum(weights, 1, true);
  return {matmul(weights, V), weights};
}
