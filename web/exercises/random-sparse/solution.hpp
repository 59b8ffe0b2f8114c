#pragma once

#include <algorithm>

#include "exercise.hpp"

inline std::tuple<Array, bool> random_sparse(const Array& random, std::int64_t keys,
                                             bool neighbour) {
  const Index n = random.shape(0);
  Array mask = eye(n);
  for (Index i = 0; i < n; ++i) {
    if (neighbour) mask(i, (i + n - 1) % n) = 1;
    std::vector<Index> rest;
    for (Index j = 0; j < n; ++j) {
      if (mask(i, j) == 0) rest.push_back(j);
    }
    std::sort(rest.begin(), rest.end(),
              [&](Index a, Index b) { return random(i, a) > random(i, b); });
    const Index drawn = std::min<Index>(static_cast<Index>(keys), static_cast<Index>(rest.size()));
    for (Index at = 0; at < drawn; ++at) mask(i, rest[static_cast<std::size_t>(at)]) = 1;
  }
  // What a token has after one more layer: all that the tokens have that it sees.
  Array reach = mask;
  for (Index step = 0; step < n; ++step) {
    reach = (matmul(reach, mask) > 0.0).astype(Dtype::kFloat64);
  }
  return {mask, min(reach).item() > 0};
}
