#pragma once

#include "exercise.hpp"

inline std::tuple<double, double, double, double> state_size(std::int64_t n, std::int64_t d,
                                                             std::int64_t heads, std::int64_t d_k) {
  const std::int64_t d_v = d / heads;
  const std::int64_t softmax = n * heads * (d_k + d_v);
  const std::int64_t linear = heads * d_k * (d_v + 1);
  const std::int64_t delta = heads * d_k * d_v;
  const std::int64_t rwkv = 4 * d;
  return {static_cast<double>(softmax), static_cast<double>(linear), static_cast<double>(delta),
          static_cast<double>(rwkv)};
}
