#pragma once
// Dropout of attention weights
//
// In training, dropout leaves each weight of a softmax out with probability p, so that no query
// relies on one key alone. Which weights stay is given here, so that your result is the same on
// every run: keep is n×m, 1 where a weight stays and 0 where it is left out.
//
// Write attention_with_dropout(Q, K, V, keep, p, training). With P=softmax(QKᵀ/√d_k) the weights
// that count in training are
//
// P̃_ij = (P_ij keep_ij)/(1-p)
//
// The division makes up for what is missing: P̃_ij is P_ij on average, and so the output is right
// on average. A single row need not sum to 1, and it is not normalised again.
//
// If training is false, nothing is left out and nothing is divided. Return the output P̃ V and the
// weights P̃ (without training: PV and P). Scores may be as large as 1000.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// keep: n×m, 1 where a weight stays, 0 where not
// p: the probability of leaving a weight out, 0 ≤ p < 1
// training: whether dropout is on
// Returns output: n×d_v, weights times V; weights: n×m, the weights that counted
//
// Try it: npm run exercise -- attention-dropout

#include "exercise.hpp"

inline std::tuple<Array, Array> attention_with_dropout(const Array& Q, const Array& K,
                                                       const Array& V, const Array& keep, double p,
                                                       bool training = true) {
  throw NotWritten("attention_with_dropout");
}
