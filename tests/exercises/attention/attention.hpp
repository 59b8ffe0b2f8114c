#pragma once
// Scaled dot-product attention
//
// Write attention(Q, K, V, mask, scale) for one head:
//
// softmax(QKᵀ/√d_k)V
//
// with Q of shape n×d_k, K of shape m×d_k and V of shape m×d_v. Return two results: the output,
// n×d_v, and the weights, n×m.
//
// If scale is false, leave the factor 1/√d_k out.
//
// If there is a mask (n×m), query i may see key j where its entry is 1 and not where it is 0: set
// those scores to -∞ before the softmax. Every query sees at least one key here.
//
// Scores can be as large as ±1000. Neither may the weights be NaN then.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// mask: n×m, 1 where a query may see a key, 0 where not; may be missing
// scale: whether to divide by √d_k
// Returns output: n×d_v, weights times V; weights: n×m, rows that sum to 1
//
// Try it: npm run exercise -- attention

#include "exercise.hpp"

inline std::tuple<Array, Array> attention(const Array& Q, const Array& K, const Array& V,
                                          const std::optional<Array>& mask = std::nullopt,
                                          bool scale = true) {
  throw NotWritten("attention");
}
