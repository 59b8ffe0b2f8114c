#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> cross_attention(const Array& X, const Array& Y, const Array& W_q,
                                                const Array& W_k, const Array& W_v,
                                                const Array& keep) {
  const Array Q = matmul(X, W_q);
  const Array K = matmul(Y, W_k);
  const Array V = matmul(Y, W_v);
  const Array scores = matmul(Q, transpose(K)) / std::sqrt(K.shape(1));
  // The m entries of keep belong to the columns: broadcasting lends them to each row.
  const Array kept = where(keep == 0.0, -INFINITY, scores);
  const Array exps = exp(kept - max(kept, 1, true));
  const Array weights = exps / sum(exps, 1, true);
  return {matmul(weights, V), weights};
}
