#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> recurrent_step(const Array& S, const Array& z,
                                                      const Array& q, const Array& k,
                                                      const Array& v) {
  // Write first, then read: a token sees itself.
  const Array grown_S = S + outer(k, v);
  const Array grown_z = z + k;
  const Array output = matmul(q, grown_S) / (dot(q, grown_z) + 1e-6);
  return {output, grown_S, grown_z};
}
