#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> pattern_reach(const Array& mask, std::int64_t layers) {
  const Index n = mask.shape(0);
  Array reach = eye(n);  // reach(i, j): news of j is at i
  Array hops = eye(n) - 1.0;
  Array share = zeros({static_cast<Index>(layers)});
  for (Index layer = 0; layer < layers; ++layer) {
    // What the tokens have that it sees, and what it has already.
    const Array reached = (matmul(mask, reach) + reach > 0.0).astype(Dtype::kFloat64);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (reached(i, j) > reach(i, j)) hops(i, j) = static_cast<double>(layer + 1);
      }
    }
    reach = reached;
    share(layer) = sum(reach).item() / static_cast<double>(n * (n + 1) / 2);
  }
  return {share, hops};
}
