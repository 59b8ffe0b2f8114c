#pragma once

#include <algorithm>
#include <cmath>

#include "exercise.hpp"

inline Array wkv_stable(const Array& K, const Array& V, const Array& w, const Array& u) {
  const Index n = K.shape(0), d = K.shape(1);
  Array output = zeros(K.shape());
  for (Index c = 0; c < d; ++c) {
    // Less than any exponent: e^(m - top) is 0 before the first token.
    double p = 0, q = 0, m = -1e30;
    for (Index t = 0; t < n; ++t) {
      double top = std::max(m, u(c) + K(t, c));
      double old = std::exp(m - top);
      double now = std::exp(u(c) + K(t, c) - top);
      output(t, c) = (old * p + now * V(t, c)) / (old * q + now);
      top = std::max(m - w(c), K(t, c));
      old = std::exp(m - w(c) - top);
      now = std::exp(K(t, c) - top);
      p = old * p + now * V(t, c);
      q = old * q + now;
      m = top;
    }
  }
  return output;
}
