#pragma once
// The Nyström approximation
//
// The Gram matrix of n points has n² entries. The Nyström method computes the kernel with m
// landmarks only: K_XL of the points with the landmarks, n×m, and K_LL of the landmarks, m×m.
//
// The approximation is K̃ = K_XL K_LL⁻¹ K_LX, which has rank m at most. It takes every bump
// k(x_i,·) for its projection onto the span of the landmarks’ bumps, so it is exact at the
// landmarks.
//
// Write nystrom(X, L, gamma) for the Gaussian kernel k(x, y) = e^(-γ‖x - y ‖²). It returns K̃ for
// the rows of X. K_LL is symmetric and positive definite; in JavaScript you write the elimination
// yourself, and no rows have to be exchanged.
//
// X: n×d, points, one in each row
// L: m×d, landmarks, one in each row, all different
// gamma: how fast the kernel falls, γ > 0
// Returns K: n×n, the approximate Gram matrix
//
// Try it: npm run exercise -- nystrom

#include "exercise.hpp"

inline Array nystrom(const Array& X, const Array& L, double gamma) {
  throw NotWritten("nystrom");
}
