#pragma once
// Attention in the standard order
//
// Compute (QKᵀ)V in the order in which it is written. First the scores A = QKᵀ: one number for
// every query and every key. Then the output AV.
//
// Write standard_attention_order(Q, K, V). It returns two matrices: the output and the scores, in
// this order.
//
// There is no softmax here, no factor 1/√d and no normaliser: this lab is about the order of the
// two products. Look at the shape of what stands in the middle.
//
// Q: n×d, queries
// K: m×d, keys
// V: m×d_v, values
// Returns output: n×d_v, (QKᵀ)V; scores: n×m, QKᵀ
//
// Try it: npm run exercise -- standard-attention-order

#include "exercise.hpp"

inline std::tuple<Array, Array> standard_attention_order(const Array& Q, const Array& K,
                                                         const Array& V) {
  throw NotWritten("standard_attention_order");
}
