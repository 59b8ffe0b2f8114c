#pragma once
// A cross-attention layer
//
// A decoder reads its source through layers of many heads. X asks (n tokens of width d_model) and Y
// answers (m tokens of width d_y). The queries are XW_q, the keys YW_k, the values YW_v, each with
// d_model columns; with d_head = d_model/h, head i, counted from 0, owns the columns i d_head up to
// (i+1) d_head of each.
//
// Write cross_attention_module(X, Y, W_q, W_k, W_v, W_o, num_heads, keep):
//
// head_i=softmax(Q_iK_iᵀ/√d_head)V_i, output=[head_1,…,head_h] W_o
//
// keep has m entries, 1 for a token of Y and 0 for filling, which no query of any head may see. No
// causal mask belongs here. The first token of Y is never filling.
//
// Return the output, n×d_model, and the weights of every head, h×n×m. Scores may be as large as
// ±1000.
//
// X: n×d_model, the sequence that asks
// Y: m×d_y, the sequence that answers
// W_q: d_model×d_model, makes queries
// W_k: d_y×d_model, makes keys
// W_v: d_y×d_model, makes values
// W_o: d_model×d_model, mixes the merged heads
// num_heads: h; divides d_model
// keep: m numbers, 1 for a token of Y, 0 for filling
// Returns output: n×d_model, what each token of X read; weights: h×n×m, rows that sum to 1, head
//   by head
//
// Try it: npm run exercise -- cross-attention-module

#include "exercise.hpp"

inline std::tuple<Array, Array> cross_attention_module(const Array& X, const Array& Y,
                                                       const Array& W_q, const Array& W_k,
                                                       const Array& W_v, const Array& W_o,
                                                       std::int64_t num_heads, const Array& keep) {
  throw NotWritten("cross_attention_module");
}
