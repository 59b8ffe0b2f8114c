#pragma once
// Repair the mask
//
// A course text makes its causal mask of 0 (may be seen) and -∞ (may not): the mask is to be added
// to the scores. Elsewhere the same text applies a mask with masked_fill(mask == 0, -inf), which is
// for masks of 1 (may be seen) and 0 (may not). The code that you begin with puts the two together.
// It runs, and a part of its result even looks like weights.
//
// Run it first and look at the picture: which half of the matrix has the weight, and which row is
// NaN? Then repair it. causal_attention(Q, K, V) returns the output n×d_v and the weights n×n of
// causal attention: query i sees the keys j ≤ i, and its softmax runs over those.
//
// Changing NaN into 0 afterwards does not repair anything: it hides the one row that gives the
// mistake away. Scores may be as large as 1000.
//
// Q: n×d_k, queries
// K: n×d_k, keys
// V: n×d_v, values
// Returns output: n×d_v, weights times V; weights: n×n, 0 above the diagonal
//
// Try it: npm run exercise -- repair-the-mask

#include "exercise.hpp"

inline std::tuple<Array, Array> causal_attention(const Array& Q, const Array& K, const Array& V) {
  const Index n = Q.shape(0);
  // 0 where a query may look, minus infinity where it may not.
  const Array mask = triu(full({n, n}, -INFINITY), 1);
  Array scores = matmul(Q, transpose(K)) / std::sqrt(K.shape(1));
  scores = where(mask == 0.0, -INFINITY, scores);
  const Array exps = exp(scores - max(scores, 1, true));
  const Array weights = exps / sum(exps, 1, true);
  return {matmul(weights, V), weights};
}
