#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> mqar_generator(const Array& keys, const Array& values,
                                               const Array& gaps, Index n) {
  const Index pairs = keys.size();
  Array tokens = zeros({n});
  Array targets = full({n}, -100.0);
  for (Index p = 0; p < pairs; ++p) {
    const double key = keys(p), value = values(p);
    tokens(2 * p) = key;
    tokens(2 * p + 1) = value;
    const Index place = 2 * pairs + 2 * static_cast<Index>(gaps(p));
    tokens(place) = key;
    targets(place) = value;
  }
  return {tokens, targets};
}
