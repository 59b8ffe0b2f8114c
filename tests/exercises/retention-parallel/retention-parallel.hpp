#pragma once
// Retention, all tokens at once
//
// Unroll the recurrence, and each output is a sum over the tokens so far, weighted by how long ago
// they came:
//
// o_i = Σ_(j ≤ i)γ^(i-j) (q_i·k_j)/√d_k v_j
//
// That is (QKᵀ/√d_kcircD) V with a mask D that has γ^(i-j) on and below the diagonal and 0 above
// it. Return the outputs, without a loop over the tokens of a recurrence. There is no softmax and
// no division by a row’s sum.
//
// Q: n×d_k, queries
// K: n×d_k, keys
// V: n×d_v, values
// gamma: what is left of the state after a token
// Returns output: n×d_v, what each query reads
//
// Try it: npm run exercise -- retention-parallel

#include "exercise.hpp"

inline Array retention_parallel(const Array& Q, const Array& K, const Array& V, double gamma) {
  throw NotWritten("retention_parallel");
}
