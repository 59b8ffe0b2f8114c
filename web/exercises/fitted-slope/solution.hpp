#pragma once

#include "exercise.hpp"

inline double fitted_slope(const Array& n, const Array& cost) {
  const Array x = log(n), y = log(cost);
  const Array dx = x - mean(x), dy = y - mean(y);
  return (sum(dx * dy) / sum(dx * dx)).item();
}
