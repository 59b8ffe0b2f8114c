#pragma once

#include "exercise.hpp"

inline std::tuple<double, double> memory_of_orders(std::int64_t n, std::int64_t d, std::int64_t d_v,
                                                   std::int64_t bytes_per_number) {
  const std::int64_t standard = n * n * bytes_per_number;  // one score for every pair of tokens
  const std::int64_t linear = d * d_v * bytes_per_number;  // the tokens are summed over
  return {static_cast<double>(standard), static_cast<double>(linear)};
}
