#pragma once
// The attention matrix that linear attention hides
//
// Linear attention never forms its weights, but it has some: its output is AV with A_ij =
// φ(q_i)·φ(k_j) / (Σ_l φ(q_i)·φ(k_l) + ε), where ε = 10⁻⁶ as in the paper’s code.
//
// Write compute_implicit_attention(Q, K, feature_map). It returns A, with a row for each query.
// feature_map is φ, a function from matrix to matrix.
//
// The ε is for queries that miss every key: with ReLU their sum is exactly 0, and their weights
// should be 0 rather than NaN. It is added, not used as a floor. There is no factor 1/√d.
//
// Q: n×d, queries
// K: m×d, keys
// feature_map: a function, φ, from n×d to n×D
// Returns weights: n×m, A
//
// Try it: npm run exercise -- compute-implicit-attention

#include "exercise.hpp"

inline Array compute_implicit_attention(const Array& Q, const Array& K,
                                        const FeatureMap& feature_map) {
  throw NotWritten("compute_implicit_attention");
}
