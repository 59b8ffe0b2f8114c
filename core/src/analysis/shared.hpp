#pragma once
// What several analyses use. Private to the core.

#include <limits>
#include <vector>

#include "attn/base/errors.hpp"

namespace attn::internal {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// NaN without values.
inline double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

/// @throws ValueError unless 1 ≤ size ≤ most
inline void require_size(const char* name, Index size, Index most) {
  if (size >= 1 && size <= most) return;
  throw ValueError(name, phrase::number(size), phrase::range(1, most));
}

}  // namespace attn::internal
