#pragma once
// The matrix inside a gated state
//
// A state fades by α_t at token t and is then written, S_t=α_tS_(t-1)+k_tv_tᵀ, as in Mamba-2 and
// simple gated linear attention. The output is o_i=S_iᵀq_i/√d_k.
//
// It is A V for a lower-triangular matrix A. What token j wrote has met every gate after j, up to
// and with that of i:
//
// A_ij=(q_i·k_j)/√d_kΠ_(l=j+1)^iα_l (j ≤ i)
//
// Return A. The product of no gates is 1, so the diagonal has not faded.
//
// Q: n×d_k, queries
// K: n×d_k, keys
// alpha: n numbers, the gate of each token, between 0 and 1
// Returns A: n×n, what each token takes of each value
//
// Try it: npm run exercise -- implicit-matrix

#include "exercise.hpp"

inline Array implicit_matrix(const Array& Q, const Array& K, const Array& alpha) {
  throw NotWritten("implicit_matrix");
}
