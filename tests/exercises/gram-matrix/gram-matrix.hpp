#pragma once
// The Gram matrix of a Gaussian kernel
//
// The Gram matrix of points x_1, …, x_n has the kernel of every pair: K_ij = k(x_i, x_j). Take the
// Gaussian kernel k(x, y) = e^(-γ‖x - y ‖²).
//
// A squared distance is made of products: ‖x - y ‖² = ‖x ‖² + ‖y ‖² - 2 x·y. So one matrix product
// and the norms of the rows are enough.
//
// Write gram_matrix(X, gamma). It takes the points as the rows of X and returns K.
//
// X: n×d, points, one in each row
// gamma: how fast the kernel falls, γ > 0
// Returns K: n×n, the kernel of every pair
//
// Try it: npm run exercise -- gram-matrix

#include "exercise.hpp"

inline Array gram_matrix(const Array& X, double gamma) {
  throw NotWritten("gram_matrix");
}
