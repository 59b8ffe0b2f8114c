#pragma once
// The delta rule, one token
//
// A sum of k vᵀ can only add: a key that is written twice holds both values. The delta rule first
// reads what the state returns under the new key, S_(t-1)ᵀk_t, and writes what is missing:
//
// S_t = S_(t-1) + β k_t (v_t - S_(t-1)ᵀk_t)ᵀ
//
// With a key of length 1 and β = 1 the state then returns exactly v_t under k_t. Keys are used as
// they are given here, and β may be anything.
//
// Write one step: update the state, then answer the query with the new state, S_tᵀq_t. There is no
// factor 1/√d_k. Return the answer and the new state.
//
// S: d_k×d_v, the state so far
// q: d_k numbers, the token's query
// k: d_k numbers, the token's key
// v: d_v numbers, the token's value
// beta: how much of the difference is written
// Returns output: d_v numbers, what the query reads; S: d_k×d_v, the new state
//
// Try it: npm run exercise -- delta-rule-step

#include "exercise.hpp"

inline std::tuple<Array, Array> delta_rule_step(const Array& S, const Array& q, const Array& k,
                                                const Array& v, double beta) {
  throw NotWritten("delta_rule_step");
}
