#pragma once

#include "exercise.hpp"

inline Array random_fourier_features(const Array& X, const Array& W, const Array& b) {
  return std::sqrt(2.0 / static_cast<double>(W.shape(1))) * cos(matmul(X, W) + b);
}
