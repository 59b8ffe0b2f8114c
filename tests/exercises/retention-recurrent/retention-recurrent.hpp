#pragma once
// Retention, token by token
//
// RetNet’s retention keeps one matrix. At every token it fades by γ, takes in k_t v_tᵀ, and is
// read:
//
// S_t = γS_(t-1) + k_t v_tᵀ, o_t = S_tᵀq_t/√d_k
//
// Begin with a state of zeros and return the outputs of all tokens, one in each row. Only the state
// may be carried from token to token. (RetNet’s rotations and its norm are left out.)
//
// Q: n×d_k, queries
// K: n×d_k, keys
// V: n×d_v, values
// gamma: what is left of the state after a token
// Returns output: n×d_v, what each query reads
//
// Try it: npm run exercise -- retention-recurrent

#include "exercise.hpp"

inline Array retention_recurrent(const Array& Q, const Array& K, const Array& V, double gamma) {
  throw NotWritten("retention_recurrent");
}
