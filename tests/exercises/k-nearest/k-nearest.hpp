#pragma once
// Attention to the k nearest keys
//
// Many weights of a softmax are tiny. Sparse attention drops them: each query keeps the k keys with
// its largest scores s_ij = q_i·k_j / √d_k and forgets the others.
//
// The softmax runs over the kept keys only, so their weights sum to 1:
//
// w_ij = (e^(s_ij))/(Σ_(l ∈ N_i) e^(s_il)) for j ∈ N_i
//
// and w_ij = 0 for all others, with N_i the k nearest keys of query i. Return the output W V and
// the weights W. 1 ≤ k ≤ m; the scores of a query are all different; they may be as large as 1000,
// so subtract the maximum.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// k: how many keys each query keeps
// Returns output: n×d_v, weighted mean of the values; weights: n×m, k entries of each row are not
//   0
//
// Try it: npm run exercise -- k-nearest

#include "exercise.hpp"

inline std::tuple<Array, Array> knn_attention(const Array& Q, const Array& K, const Array& V,
                                              std::int64_t k) {
  throw NotWritten("knn_attention");
}
