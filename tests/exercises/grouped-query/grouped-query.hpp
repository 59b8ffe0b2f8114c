#pragma once
// Grouped-query attention
//
// Multi-query attention gives all heads one set of keys and values, plain multi-head attention
// gives each its own. Grouped-query attention lies between: h heads of queries, g heads of keys and
// values, and g divides h. The cache of keys and values is h/g times smaller than with plain heads.
//
// Neighbours share: the first h/g heads of queries read the first head of keys and values, the next
// h/g the second, and so on. Counted from 0, head i reads head ⌊i g/h⌋.
//
// Write grouped_query_attention(Q, K, V), which returns for every head of queries
//
// O_i = softmax((Q_i K_(⌊i g/h⌋)ᵀ)/√d_k) V_(⌊i g/h⌋)
//
// as a stack. d_k is the width of one head. Scores may be as large as 1000.
//
// Q: h×n×d_k, the queries of each head
// K: g×m×d_k, keys; g divides h
// V: g×m×d_v, values
// Returns output: h×n×d_v, the output of each head
//
// Try it: npm run exercise -- grouped-query

#include "exercise.hpp"

inline Array grouped_query_attention(const Array& Q, const Array& K, const Array& V) {
  throw NotWritten("grouped_query_attention");
}
