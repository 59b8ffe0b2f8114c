#pragma once
// A multi-head layer
//
// Write multi_head_attention(X, W_q, W_k, W_v, W_o, num_heads, causal), a layer of h heads:
//
// head_i=softmax(Q_iK_iᵀ/√d_head)V_i, MultiHead(X)=[head_1,…,head_h] W_o
//
// The queries of all heads are XW_q, the keys XW_k, the values XW_v. With d_head = d_model/h, head
// i, counted from 0, owns the columns i d_head up to (i+1) d_head of each. num_heads divides
// d_model.
//
// If causal is true, query i sees key j only if j ≤ i: set the other scores to -∞ before the
// softmax.
//
// Return two results: the output, n×d_model, and the weights of every head, h×n×n. Scores may be as
// large as ±1000.
//
// X: n×d_model, one token in each row
// W_q: d_model×d_model, makes queries
// W_k: d_model×d_model, makes keys
// W_v: d_model×d_model, makes values
// W_o: d_model×d_model, mixes the merged heads
// num_heads: h; divides d_model
// causal: whether a query sees no later key
// Returns output: n×d_model, the output of the layer; weights: h×n×n, rows that sum to 1, head by
//   head
//
// Try it: npm run exercise -- multi-head-attention

#include "exercise.hpp"

inline std::tuple<Array, Array> multi_head_attention(const Array& X, const Array& W_q,
                                                     const Array& W_k, const Array& W_v,
                                                     const Array& W_o, std::int64_t num_heads,
                                                     bool causal = false) {
  throw NotWritten("multi_head_attention");
}
