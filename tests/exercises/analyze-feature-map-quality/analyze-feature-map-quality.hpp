#pragma once
// What a feature map is worth
//
// Let P = softmax(QKᵀ/√d), let s_i = Σ_l φ(q_i)·φ(k_l) be the denominators, and let A_ij =
// φ(q_i)·φ(k_j) / (s_i + 10⁻⁶).
//
// Write analyze_feature_map_quality(feature_map, Q, K, V), the map first. It returns six named
// numbers. Of the outputs AV and PV, each taken as one long list of numbers: output_error, ‖AV -
// PV‖/ ‖PV‖, and output_cosine, the cosine of their angle. Of the weights: correlation, Pearson’s
// coefficient of all cells of A and P.
//
// And what can go wrong, as shares between 0 and 1: negative_weights, of the cells of A that are
// below 0; negative_denominators and zero_denominators, of the rows with s_i < 0 and with s_i = 0,
// before anything is added.
//
// feature_map: a function, φ, from n×d to n×D
// Q: n×d, queries
// K: m×d, keys
// V: m×d_v, values
// Returns quality: named numbers, output_error, output_cosine, correlation, negative_weights,
//   negative_denominators, zero_denominators
//
// Try it: npm run exercise -- analyze-feature-map-quality

#include "exercise.hpp"

inline std::map<std::string, double> analyze_feature_map_quality(const FeatureMap& feature_map,
                                                                 const Array& Q, const Array& K,
                                                                 const Array& V) {
  throw NotWritten("analyze_feature_map_quality");
}
