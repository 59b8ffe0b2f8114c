#pragma once
// Random Fourier features
//
// A kernel of x - y is the mean of 2 cos(w·x + b) cos(w·y + b) over frequencies w from its Fourier
// transform and phases b uniform in [0, 2π).
//
// With D of them, z(x) = √(2/D) cos(Wᵀx + b) has z(x)·z(y) ≈ k(x, y).
//
// Write random_fourier_features(X, W, b). It takes points as the rows of X, the frequencies as the
// columns of W, a phase for each of them, and returns the features, one row for each point.
//
// X: n×d, points, one in each row
// W: d×D, frequencies, one in each column
// b: D numbers, phases
// Returns Z: n×D, features
//
// Try it: npm run exercise -- random-fourier-features

#include "exercise.hpp"

inline Array random_fourier_features(const Array& X, const Array& W, const Array& b) {
  throw NotWritten("random_fourier_features");
}
