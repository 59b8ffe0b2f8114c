#pragma once
// Attention in the linear order
//
// Matrix products are associative: (φ(Q)φ(K)ᵀ)V = φ(Q)(φ(K)ᵀV). On the right nothing with n rows
// and n columns is ever made.
//
// Write linear_attention_order(Q, K, V, feature_map). It returns φ(Q) (φ(K)ᵀV), where feature_map
// is φ: a function that takes a matrix and gives one with as many rows. Apply it to the queries and
// to the keys. No normaliser: the quotient comes in the next lab.
//
// With the identity as feature map the result is that of the standard order. Besides the numbers
// the work is graded: it may grow with n, not with n².
//
// Q: n×d, queries
// K: m×d, keys
// V: m×d_v, values
// feature_map: a function, φ, from n×d to n×D
// Returns output: n×d_v, φ(Q)(φ(K)ᵀV)
//
// Try it: npm run exercise -- linear-attention-order

#include "exercise.hpp"

inline Array linear_attention_order(const Array& Q, const Array& K, const Array& V,
                                    const FeatureMap& feature_map) {
  throw NotWritten("linear_attention_order");
}
