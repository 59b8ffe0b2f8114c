#pragma once

#include "exercise.hpp"

inline std::tuple<Array, std::int64_t> local_mask(std::int64_t n, std::int64_t window,
                                                  bool causal) {
  const std::int64_t ahead = causal ? 0 : window;
  Array mask = zeros({static_cast<Index>(n), static_cast<Index>(n)});
  std::int64_t kept = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index back = i - j;  // how far column j lies before row i
      if (back > window || -back > ahead) continue;
      mask(i, j) = 1;
      ++kept;
    }
  }
  return {mask, kept};
}
