#pragma once
// How far from softmax?
//
// Compare two attention matrices of the same queries and keys: softmax attention P =
// softmax(QKᵀ/√d), and the implicit attention A of a feature map, A_ij = φ(q_i)·φ(k_j) / (Σ_l
// φ(q_i)·φ(k_l) + 10⁻⁶). The course text leaves the 1/√d out of its formula; softmax attention has
// it.
//
// Write compare_to_softmax(Q, K, feature_map). It returns three named numbers over all n·m cells:
// mse, the mean of (A - P)²; max_diff, the largest |A - P|; and correlation, Pearson’s coefficient
// of the cells of A and of P.
//
// Logits can be large. The softmax has to stand that.
//
// Q: n×d, queries
// K: m×d, keys
// feature_map: a function, φ, from n×d to n×D
// Returns metrics: named numbers, mse, max_diff and correlation
//
// Try it: npm run exercise -- compare-to-softmax

#include "exercise.hpp"

inline std::map<std::string, double> compare_to_softmax(const Array& Q, const Array& K,
                                                        const FeatureMap& feature_map) {
  throw NotWritten("compare_to_softmax");
}
