#pragma once

#include "exercise.hpp"

inline std::tuple<double, double> count_operations(std::int64_t n, std::int64_t d,
                                                   std::int64_t d_v) {
  // (n×d)·(d×n), then (n×n)·(n×d_v)
  const std::int64_t standard = n * n * d + n * n * d_v;
  // (d×n)·(n×d_v), then (n×d)·(d×d_v)
  const std::int64_t linear = d * n * d_v + n * d * d_v;
  return {static_cast<double>(standard), static_cast<double>(linear)};
}
