#pragma once
// One step in a space of functions
//
// A function f = Σ_i α_i k(x_i,·) with the Gaussian kernel k(x, y) = e^(-γ‖x - y ‖²) is to make
// J(f) = 1/N Σ_i (f(x_i) - y_i)² + λ‖f ‖² small.
//
// The gradient in the function space is 2/N Σ_i (f(x_i) - y_i) k(x_i,·) + 2 λf, because the
// derivative of f(x_i) by f is k(x_i,·). It is a sum of the same bumps, so a step changes nothing
// but the coefficients.
//
// Write functional_gradient_step(X, y, alpha, gamma, rate, lam). It returns the coefficients after
// one step f leftarrowf - rate·nablaJ.
//
// X: N×d, points, one in each row
// y: N numbers, the values to be met
// alpha: N numbers, the coefficients before the step
// gamma: how fast the kernel falls, γ > 0
// rate: the learning rate
// lam: λ, the price of the norm
// Returns alpha: N numbers, the coefficients after the step
//
// Try it: npm run exercise -- functional-gradient-step

#include "exercise.hpp"

inline Array functional_gradient_step(const Array& X, const Array& y, const Array& alpha,
                                      double gamma, double rate, double lam) {
  throw NotWritten("functional_gradient_step");
}
