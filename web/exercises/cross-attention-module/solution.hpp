#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> cross_attention_module(const Array& X, const Array& Y,
                                                       const Array& W_q, const Array& W_k,
                                                       const Array& W_v, const Array& W_o,
                                                       std::int64_t num_heads, const Array& keep) {
  // Each sequence has its own number of tokens; the columns are cut in the same way.
  const auto split = [&](const Array& Z) {
    return transpose(Z.reshape({Z.shape(0), num_heads, Z.shape(1) / num_heads}), {1, 0, 2});
  };
  const Array Q = split(matmul(X, W_q)), K = split(matmul(Y, W_k)), V = split(matmul(Y, W_v));
  const Array scores = matmul(Q, swapaxes(K, 1, 2)) / std::sqrt(Q.shape(2));
  // The m entries of keep belong to the keys, the last axis: all heads and queries share them.
  const Array kept = where(keep == 0.0, -INFINITY, scores);
  const Array exps = exp(kept - max(kept, -1, true));
  const Array weights = exps / sum(exps, -1, true);
  const Array merged = transpose(matmul(weights, V), {1, 0, 2}).reshape({X.shape(0), -1});
  return {matmul(merged, W_o), weights};
}
