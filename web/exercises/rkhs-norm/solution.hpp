#pragma once

#include "exercise.hpp"

inline double rkhs_norm(const Array& X, const Array& alpha, double gamma) {
  const Array norms = sum(X * X, 1, true);
  const Array squared = norms + transpose(norms) - 2 * matmul(X, transpose(X));
  const Array K = exp(-gamma * maximum(squared, 0));
  return std::sqrt(dot(alpha, matmul(K, alpha)).item());
}
