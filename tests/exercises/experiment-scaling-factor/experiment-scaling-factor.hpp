#pragma once
// What the factor 1/√d_k does
//
// Products of random queries and keys grow like √d_k, and softmax of large scores is nearly
// one-hot. Write experiment_scaling_factor(Q, K), which measures it for one pair of matrices. It
// draws nothing at random itself, so that the result is the same on every run.
//
// Make the weights twice: softmax of QKᵀ (unscaled) and of QKᵀ/√d_k (scaled), row by row. Return a
// dict (in JavaScript an object, in C++ a map) of four numbers:
//
// max_unscaled and max_scaled: the largest weight of each row, averaged over the rows.
//
// entropy_unscaled and entropy_scaled: the entropy -Σ_j p_j ln p_j of each row in nats, with 0 ln 0
// = 0, averaged over the rows.
//
// Scores can be as large as ±2000.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// Returns measures: named numbers, max_unscaled, max_scaled, entropy_unscaled, entropy_scaled
//
// Try it: npm run exercise -- experiment-scaling-factor

#include "exercise.hpp"

inline std::map<std::string, double> experiment_scaling_factor(const Array& Q, const Array& K) {
  throw NotWritten("experiment_scaling_factor");
}
