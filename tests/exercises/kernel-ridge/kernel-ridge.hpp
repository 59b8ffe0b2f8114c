#pragma once
// Kernel ridge regression
//
// Of all functions of the RKHS of the Gaussian kernel k(x, z) = e^(-γ‖x - z ‖²), kernel ridge
// regression takes the one with the smallest 1/N Σ_i (f(x_i) - y_i)² + λ‖f ‖².
//
// By the representer theorem it is f = Σ_i α_i k(x_i,·), and the coefficients solve (K + N λI) α =
// y. The N is there because the loss is a mean.
//
// Write kernel_ridge(X, y, gamma, lam, Z). It returns the values of f at the rows of Z. The matrix
// of the system is symmetric and positive definite; in JavaScript you write the elimination
// yourself, and no rows have to be exchanged.
//
// X: N×d, points, one in each row
// y: N numbers, the values to be met
// gamma: how fast the kernel falls, γ > 0
// lam: λ > 0, the price of the norm
// Z: M×d, where to predict, a point in each row
// Returns f: M numbers, the prediction at each row of Z
//
// Try it: npm run exercise -- kernel-ridge

#include "exercise.hpp"

inline Array kernel_ridge(const Array& X, const Array& y, double gamma, double lam,
                          const Array& Z) {
  throw NotWritten("kernel_ridge");
}
