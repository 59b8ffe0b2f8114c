#pragma once

#include <algorithm>

#include "exercise.hpp"

inline Array smo(const Array& X, const Array& y, double gamma, double C, std::int64_t steps) {
  const Index n = y.size();
  const Array gaps = expand_dims(X, 1) - expand_dims(X, 0);
  const Array K = exp(-gamma * sum(gaps * gaps, 2));
  Array alpha = zeros({n});
  for (std::int64_t step = 0; step < steps; ++step) {
    const Array scores = y - matmul(K, alpha * y);
    Index i = -1;
    for (Index t = 0; t < n; ++t) {
      const bool can_rise = y(t) > 0 ? alpha(t) < C : alpha(t) > 0;
      if (can_rise && (i < 0 || scores(t) > scores(i))) i = t;
    }
    Index j = -1;
    double most = 0, free = 0;
    for (Index t = 0; t < n; ++t) {
      const bool can_fall = y(t) > 0 ? alpha(t) > 0 : alpha(t) < C;
      const double ahead = scores(i) - scores(t);
      if (!can_fall || ahead <= 0) continue;
      const double bend = K(i, i) + K(t, t) - 2 * K(i, t);
      const double gain = ahead * ahead / bend;
      if (gain <= most) continue;
      most = gain;
      free = ahead / bend;
      j = t;
    }
    const double room_i = y(i) > 0 ? C - alpha(i) : alpha(i);
    const double room_j = y(j) > 0 ? alpha(j) : C - alpha(j);
    const double length = std::min({free, room_i, room_j});
    alpha(i) = alpha(i) + y(i) * length;
    alpha(j) = alpha(j) - y(j) * length;
  }
  return alpha;
}
