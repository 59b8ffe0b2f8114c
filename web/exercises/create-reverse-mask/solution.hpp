#pragma once

#include <limits>

#include "exercise.hpp"

inline Array create_reverse_mask(std::int64_t seq_len) {
  const Array blocked = full({seq_len, seq_len}, -std::numeric_limits<double>::infinity());
  // Without the diagonal: a token may see itself.
  return tril(blocked, -1);
}
