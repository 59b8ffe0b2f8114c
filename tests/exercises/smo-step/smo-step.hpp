#pragma once
// Steps of sequential minimal optimisation
//
// A support vector machine maximises Σ_i α_i - 1/2 Σ_(i,j) α_i α_j y_i y_j K_ij with 0 ≤ α_i ≤ C
// and Σ_i α_i y_i = 0, here with the Gaussian kernel K_ij = e^(-γ‖x_i - x_j ‖²). The sum has to
// stay 0, so SMO moves two weights in each step: α_i y_i rises by a length t, and α_j y_j falls by
// t.
//
// The score of a point is s_p = y_p - Σ_q α_q y_q K_pq. A point can rise if α_p < C where y_p = 1,
// or α_p > 0 where y_p = -1; it can fall in the opposite cases. Take as i the point with the
// highest score that can rise. Take as j the point that can fall, has s_j < s_i, and has the
// largest (s_i - s_j)² / η_ij with η_ij = K_ii + K_jj - 2 K_ij. Of equal ones take the first.
//
// The best length is t = (s_i - s_j)/η_ij, cut where α_i or α_j reaches 0 or C.
//
// Write smo(X, y, gamma, C, steps). It returns α after that many steps from α = 0. There are at
// most three, and the machine has not converged before.
//
// X: N×d, points, one in each row
// y: N numbers, their labels, 1 or −1
// gamma: how fast the kernel falls, γ > 0
// C: the bound of every weight
// steps: how many pairs are moved
// Returns alpha: N numbers, the weights after the steps
//
// Try it: npm run exercise -- smo-step

#include "exercise.hpp"

inline Array smo(const Array& X, const Array& y, double gamma, double C, std::int64_t steps) {
  throw NotWritten("smo");
}
