#pragma once
// Gated linear attention, one token
//
// Retention lets the whole state fade by one constant. Gated linear attention has a gate α_t with a
// number for each entry of the key, and every token brings its own:
//
// S_t = diag(α_t) S_(t-1) + k_t v_tᵀ
//
// Row c of the state fades by α_(t,c). The gate meets what was there before the token, never what
// the token writes.
//
// Write one step and answer with the new state, o = S_tᵀq_t/√d_k. Return the answer and the new
// state.
//
// S: d_k×d_v, the state so far
// q: d_k numbers, the token's query
// k: d_k numbers, the token's key
// v: d_v numbers, the token's value
// alpha: d_k numbers, what is left of each row, between 0 and 1
// Returns output: d_v numbers, what the query reads; S: d_k×d_v, the new state
//
// Try it: npm run exercise -- gated-linear-attention-step

#include "exercise.hpp"

inline std::tuple<Array, Array> gated_linear_attention_step(const Array& S, const Array& q,
                                                            const Array& k, const Array& v,
                                                            const Array& alpha) {
  throw NotWritten("gated_linear_attention_step");
}
