#pragma once
// Nadaraya–Watson is attention
//
// Nadaraya and Watson’s estimator at a query q is the mean of the values, weighted by closeness:
// Σ_j k(q, k_j) v_j / Σ_j k(q, k_j). Take the Gaussian kernel k(q, k_j) = e^(-γ‖q - k_j ‖²).
//
// The weights of one query are the softmax of -γ‖q - k_j ‖² over the keys. Where all keys are far
// away, all kernel values underflow; the softmax’s trick helps here too.
//
// Write nadaraya_watson(Q, K, V, gamma). It returns the outputs and the weights.
//
// Q: n×d, queries
// K: m×d, keys
// V: m×d_v, values
// gamma: how fast the kernel falls, γ > 0
// Returns output: n×d_v, weighted means of the values; weights: n×m, each row sums to 1
//
// Try it: npm run exercise -- nadaraya-watson-is-attention

#include "exercise.hpp"

inline std::tuple<Array, Array> nadaraya_watson(const Array& Q, const Array& K, const Array& V,
                                                double gamma) {
  throw NotWritten("nadaraya_watson");
}
