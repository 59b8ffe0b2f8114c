#pragma once
// Softmax that does not overflow
//
// Write stable_softmax(logits): each row of the matrix becomes weights that sum to 1,
//
// p_ij = (e^(x_ij))/(Σ_l e^(x_il))
//
// Computed as it stands this fails: e⁷¹⁰ is infinite in float64 (e⁸⁹ in float32), and infinity
// divided by infinity is NaN. A row does not change when you subtract the same number from all of
// its logits. Choose that number so that nothing can overflow and no row loses all of its weights.
//
// A logit can be -∞: its weight is 0. No row is -∞ throughout.
//
// logits: n×m, one row for each query
// Returns weights: n×m, rows that sum to 1
//
// Try it: npm run exercise -- stable-softmax

#include "exercise.hpp"

inline Array stable_softmax(const Array& logits) {
  throw NotWritten("stable_softmax");
}
