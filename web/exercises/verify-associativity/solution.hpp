#pragma once

#include "exercise.hpp"

inline std::map<std::string, double> verify_associativity(const Array& Q, const Array& K,
                                                          const Array& V) {
  const Array standard = matmul(matmul(Q, transpose(K)), V);
  const Array linear = matmul(Q, matmul(transpose(K), V));
  const Array difference = abs(standard - linear);
  const Array size = abs(linear);
  // Where linear is 0 the quotient does not count: x/1 of a chosen 0.
  const Array relative = where(size > 0, difference, 0) / where(size > 0, size, 1);
  return {
      {"max_abs_difference", max(difference).item()},
      {"max_rel_difference", max(relative).item()},
      {"equal", all(difference <= 1e-3 + 1e-5 * size).item()},
  };
}
