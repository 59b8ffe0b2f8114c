#pragma once

#include "exercise.hpp"

inline std::tuple<Array, std::int64_t> strided_mask(std::int64_t n, std::int64_t window,
                                                    std::int64_t stride) {
  Array mask = zeros({static_cast<Index>(n), static_cast<Index>(n)});
  std::int64_t kept = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const Index back = i - j;  // how far column j lies before row i
      if (back < window || back % stride == 0) {
        mask(i, j) = 1;
        ++kept;
      }
    }
  }
  return {mask, kept};
}
