#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> attention_with_dropout(const Array& Q, const Array& K,
                                                       const Array& V, const Array& keep, double p,
                                                       bool training = true) {
  const Array scores = matmul(Q, transpose(K)) / std::sqrt(K.shape(1));
  const Array exps = exp(scores - max(scores, 1, true));
  Array weights = exps / sum(exps, 1, true);
  // What stays grows by as much as is missing on average; rows are not normalised again.
  if (training) weights = weights * keep / (1 - p);
  return {matmul(weights, V), weights};
}
