#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> attention_backward(const Array& Q, const Array& K,
                                                          const Array& V, const Array& dO) {
  const double scale = 1 / std::sqrt(K.shape(1));
  const Array scores = scale * matmul(Q, transpose(K));
  const Array exps = exp(scores - max(scores, 1, true));
  const Array P = exps / sum(exps, 1, true);
  const Array dP = matmul(dO, transpose(V));
  // A row of weights sums to 1: one can only grow at the cost of the others.
  const Array dS = P * (dP - sum(P * dP, 1, true));
  return {scale * matmul(dS, K), scale * matmul(transpose(dS), Q), matmul(transpose(P), dO)};
}
