#pragma once

#include <cmath>

#include "exercise.hpp"

inline Array retention_recurrent(const Array& Q, const Array& K, const Array& V, double gamma) {
  const Index n = Q.shape(0), d_k = Q.shape(1);
  Array S = zeros({d_k, V.shape(1)});
  Array output = zeros(V.shape());
  for (Index t = 0; t < n; ++t) {
    S = gamma * S + outer(K.row(t), V.row(t));
    output.row(t) = matmul(Q.row(t), S) / std::sqrt(static_cast<double>(d_k));
  }
  return output;
}
