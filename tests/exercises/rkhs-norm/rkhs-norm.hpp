#pragma once
// The norm of a function made of bumps
//
// The function f = Σ_i α_i k(x_i,·) is a vector of the RKHS. Its inner products are ⟨k(x,·), k(y,·)
// ⟩ = k(x, y).
//
// So ‖f ‖² = Σ_i Σ_j α_i α_j k(x_i, x_j): no grid, no integral.
//
// Write rkhs_norm(X, alpha, gamma) for the Gaussian kernel k(x, y) = e^(-γ‖x - y ‖²). It returns ‖f
// ‖.
//
// X: n×d, the points of the bumps
// alpha: n numbers, the weights of the bumps
// gamma: how fast the kernel falls, γ > 0
// Returns norm: the norm of f
//
// Try it: npm run exercise -- rkhs-norm

#include "exercise.hpp"

inline double rkhs_norm(const Array& X, const Array& alpha, double gamma) {
  throw NotWritten("rkhs_norm");
}
