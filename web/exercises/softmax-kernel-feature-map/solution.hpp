#pragma once

#include <cmath>

#include "exercise.hpp"

inline Array softmax_kernel_feature_map(const Array& x, const Array& projection_matrix) {
  const double m = static_cast<double>(projection_matrix.shape(0));
  const double d = static_cast<double>(projection_matrix.shape(1));
  // Once for the query, once for the key: together the 1/√d of softmax.
  const Array scaled = x / std::pow(d, 0.25);
  const Array half_norms = sum(square(scaled), 1, true) / 2;
  return exp(matmul(scaled, transpose(projection_matrix)) - half_norms) / std::sqrt(m);
}
