#pragma once
// Statistics of an attention pattern
//
// Write analyze_attention_patterns(attention_weights). The weights are n×n, none is negative, every
// row sums to 1. Return a dict (in JavaScript an object, in C++ a map) of four numbers:
//
// max_attention: the largest weight of all.
//
// entropy: the entropy of a row, -Σ_j p_j ln p_j in nats with 0 ln 0 = 0, averaged over the rows.
//
// diagonal_mass: the share of all weight that lies on the diagonal. All the weight is n, since each
// row has 1.
//
// local_vs_global: the weight with |i-j| ≤ 2 (local) divided by the weight with |i-j|>2 (global).
// Infinite where no weight is global.
//
// attention_weights: n×n, rows that sum to 1
// Returns statistics: named numbers, max_attention, entropy, diagonal_mass, local_vs_global
//
// Try it: npm run exercise -- analyze-attention-patterns

#include "exercise.hpp"

inline std::map<std::string, double> analyze_attention_patterns(const Array& attention_weights) {
  throw NotWritten("analyze_attention_patterns");
}
