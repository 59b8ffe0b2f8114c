#pragma once

#include "exercise.hpp"

inline std::tuple<bool, Array> is_positive_semidefinite(const Array& X, double gamma,
                                                        double offset) {
  const Array K = tanh(gamma * matmul(X, transpose(X)) + offset);
  const auto [values, vectors] = eigh(K);
  if (values(0) >= -1e-6 * max(abs(values)).item()) return {true, zeros({X.shape(0)})};
  const Array witness = vectors.col(0);
  // An eigenvector has two signs: here the largest entry is positive.
  const double sign = max(witness).item() >= -min(witness).item() ? 1 : -1;
  return {false, sign * witness};
}
