#pragma once

#include <limits>

#include "exercise.hpp"

inline Array masked_softmax(const Array& scores, const Array& mask) {
  const Array kept = where(mask == 0.0, -std::numeric_limits<double>::infinity(), scores);
  Array largest = max(kept, 1, true);
  // In an empty row exp(-inf - 0) is 0, where -inf - (-inf) would be NaN.
  largest = where(isinf(largest), 0.0, largest);
  const Array weights = exp(kept - largest);
  const Array total = sum(weights, 1, true);
  return weights / where(total == 0.0, 1.0, total);
}
