#pragma once
// A witness against a kernel
//
// A symmetric function k is a kernel if every Gram matrix is positive semidefinite: αᵀK α ≥ 0 for
// all weights α. That is so exactly if no eigenvalue of K is below 0. Weights with αᵀK α< 0 are a
// witness: they prove that k is not a kernel.
//
// Take the sigmoid k(x, y) = tanh(γ x·y + c), which is called a kernel and is none. For some points
// its Gram matrix is positive semidefinite all the same.
//
// Write is_positive_semidefinite(X, gamma, offset). It returns whether the Gram matrix of the rows
// of X is positive semidefinite, and the witness: the eigenvector of the smallest eigenvalue, with
// length 1 and its entry of largest magnitude positive. Where there is no witness, it returns
// zeros. An eigenvalue counts as negative if it is below -10⁻⁶ times the largest magnitude of one.
//
// NumPy and C++ have eigh. In JavaScript, high powers of 2sI - K with s = ‖K ‖_F leave nothing but
// the wanted eigenvector.
//
// X: n×d, points, one in each row
// gamma: γ > 0
// offset: c
// Returns verdict: whether K is positive semidefinite; witness: n numbers, weights with αᵀKα < 0,
//   or zeros
//
// Try it: npm run exercise -- is-positive-semidefinite

#include "exercise.hpp"

inline std::tuple<bool, Array> is_positive_semidefinite(const Array& X, double gamma,
                                                        double offset) {
  throw NotWritten("is_positive_semidefinite");
}
