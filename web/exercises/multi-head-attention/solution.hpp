#pragma once

#include <limits>

#include "exercise.hpp"

inline std::tuple<Array, Array> multi_head_attention(const Array& X, const Array& W_q,
                                                     const Array& W_k, const Array& W_v,
                                                     const Array& W_o, std::int64_t num_heads,
                                                     bool causal) {
  const Index n = X.shape(0), d_model = X.shape(1), d_head = d_model / num_heads;
  // The columns of a head lie side by side: cut them, then bring the heads to the front.
  const auto split = [&](const Array& Y) {
    return transpose(Y.reshape({n, num_heads, d_head}), {1, 0, 2});
  };
  const Array Q = split(matmul(X, W_q)), K = split(matmul(X, W_k)), V = split(matmul(X, W_v));
  Array scores = matmul(Q, swapaxes(K, 1, 2)) / std::sqrt(d_head);
  if (causal) scores = where(tri(n) > 0.0, scores, -std::numeric_limits<double>::infinity());
  Array weights = exp(scores - max(scores, -1, true));
  weights = weights / sum(weights, -1, true);
  const Array merged = transpose(matmul(weights, V), {1, 0, 2}).reshape({n, d_model});
  return {matmul(merged, W_o), weights};
}
