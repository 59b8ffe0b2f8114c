#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array, std::int64_t> grouped_from_multi(const Array& W_k, const Array& W_v,
                                                                 std::int64_t num_heads,
                                                                 std::int64_t groups) {
  const Index share = num_heads / groups;
  const auto averaged = [&](const Array& W) {
    // The columns: first the groups, then the heads of a group, then the columns of a head.
    const Array parts = W.reshape({W.shape(0), groups, share, W.shape(1) / num_heads});
    return mean(parts, 2).reshape({W.shape(0), W.shape(1) / share});
  };
  const Array K = averaged(W_k), V = averaged(W_v);
  // What the cache keeps of a token: its key and its value, of every group.
  return {K, V, K.shape(1) + V.shape(1)};
}
