#pragma once

#include <algorithm>

#include "exercise.hpp"

inline std::tuple<double, double, double, double> memory_formula(
    std::int64_t batch, std::int64_t heads, std::int64_t d_head, std::int64_t layers,
    std::int64_t n, std::int64_t window, std::int64_t bytes_per_number) {
  const std::int64_t pairs = batch * heads;  // one n×n matrix for each text and each head
  const std::int64_t scores = pairs * n * n * bytes_per_number;
  // A token sees w keys, except the first ones, which have fewer before them.
  const std::int64_t w = std::min(window, n);
  const std::int64_t local = pairs * (n * w - w * (w - 1) / 2) * bytes_per_number;
  // The weight, the weight after dropout, and a byte that says whether it was dropped.
  const std::int64_t training = layers * pairs * n * n * (2 * bytes_per_number + 1);
  const std::int64_t cache = 2 * layers * pairs * n * d_head * bytes_per_number;
  return {static_cast<double>(scores), static_cast<double>(local), static_cast<double>(training),
          static_cast<double>(cache)};
}
