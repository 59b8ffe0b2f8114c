#pragma once

#include "exercise.hpp"

inline double crossover(std::int64_t d, std::int64_t d_v, std::int64_t D) {
  // n²·(d + d_v) = 2·n·D·d_v, solved for n
  return 2.0 * static_cast<double>(D * d_v) / static_cast<double>(d + d_v);
}
