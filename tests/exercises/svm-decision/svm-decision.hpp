#pragma once
// What a support vector machine decides
//
// After training, a support vector machine keeps the points with α_i > 0. Its decision at a point z
// is f(z) = Σ_i α_i y_i k(x_i, z) + b, and the sign of f(z) is the label.
//
// Write svm_decision(X, y, alpha, b, gamma, Z) for the Gaussian kernel k(x, z) = e^(-γ‖x - z ‖²).
// It returns f at every row of Z: the numbers, not their signs.
//
// X: N×d, the support vectors, one in each row
// y: N numbers, their labels, 1 or −1
// alpha: N numbers, their weights, above 0
// b: the bias
// gamma: how fast the kernel falls, γ > 0
// Z: M×d, where to decide, a point in each row
// Returns f: M numbers, the decision at each row of Z
//
// Try it: npm run exercise -- svm-decision

#include "exercise.hpp"

inline Array svm_decision(const Array& X, const Array& y, const Array& alpha, double b,
                          double gamma, const Array& Z) {
  throw NotWritten("svm_decision");
}
