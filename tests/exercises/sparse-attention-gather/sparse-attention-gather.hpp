#pragma once
// Gather, do not mask
//
// A pattern saves nothing while all scores are computed and most are thrown away. It saves when the
// keys of a query are gathered first, and only they are looked at.
//
// Row i of keys lists the keys that query i sees, in any order and none of them twice. Lists are of
// different lengths, so they are filled up with −1 at the end; −1 is no key. Over the listed keys
// it is ordinary attention: scores q_i·k_j / √d_k, softmax (subtract the maximum, scores may reach
// 1000), weighted mean of the values.
//
// A query whose list is empty gets a row of zeros. The work has to grow with the cells kept: with k
// keys in each list n k (d_k + d_v) multiply-adds, not n².
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// keys: n×k, the keys of each query, whole numbers
// Returns output: n×d_v, one row for each query
//
// Try it: npm run exercise -- sparse-attention-gather

#include "exercise.hpp"

inline Array sparse_attention_gather(const Array& Q, const Array& K, const Array& V,
                                     const Array& keys) {
  throw NotWritten("sparse_attention_gather");
}
