#pragma once
// Multi-query attention
//
// The cache of keys and values is what limits long texts. Multi-query attention makes it h times
// smaller: every head keeps its own queries, and all heads read the same keys and values.
//
// For each head i compute
//
// O_i = softmax((Q_i Kᵀ)/√d_k) V
//
// with the softmax over the keys of each query on its own, and return the h outputs as a stack. d_k
// is the width of one head. Scores may be as large as 1000: subtract the maximum of each row.
//
// Q: h×n×d_k, the queries of each head
// K: m×d_k, keys, shared
// V: m×d_v, values, shared
// Returns output: h×n×d_v, the output of each head
//
// Try it: npm run exercise -- multi-query

#include "exercise.hpp"

inline Array multi_query_attention(const Array& Q, const Array& K, const Array& V) {
  throw NotWritten("multi_query_attention");
}
