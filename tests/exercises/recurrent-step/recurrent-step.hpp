#pragma once
// Linear attention as a recurrent step
//
// Causal linear attention needs no cache of past tokens. All it remembers is a matrix S = Σ_j
// φ(k_j) v_jᵀ and a vector z = Σ_j φ(k_j) over the tokens so far: the same size after ten tokens as
// after a million.
//
// Write one step. q and k are features already, φ(q_t) and φ(k_t). First take the new token into
// the state, then read with its query:
//
// S_t = S_(t-1) + φ(k_t) v_tᵀ
//
// z_t = z_(t-1) + φ(k_t)
//
// output = (φ(q_t)ᵀS_t)/(φ(q_t)·z_t + 10⁻⁶)
//
// Return the output and the new state. The 10⁻⁶ is added to the denominator, so that a query whose
// features are all 0 gets 0 and not NaN. There is no factor 1/√d here: whatever scaling there is
// belongs to the feature map.
//
// S: D×d_v, sum of φ(k)vᵀ so far
// z: D numbers, sum of φ(k) so far
// q: D numbers, features of the token's query
// k: D numbers, features of the token's key
// v: d_v numbers, the token's value
// Returns output: d_v numbers, what the query reads; S: D×d_v, the new S; z: D numbers, the new z
//
// Try it: npm run exercise -- recurrent-step

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> recurrent_step(const Array& S, const Array& z,
                                                      const Array& q, const Array& k,
                                                      const Array& v) {
  throw NotWritten("recurrent_step");
}
