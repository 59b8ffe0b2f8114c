#pragma once
// Causal linear attention in chunks
//
// Token by token, causal linear attention is linear in n but cannot use matrix products; with a
// mask over n×n scores it can, but is quadratic. In chunks it has both.
//
// Q and K are features already, φ(q_i) and φ(k_i) in their rows. Take chunk_size tokens at a time
// (the last chunk may be shorter) with the state S, z of all chunks before, at first 0. For the
// rows of one chunk, Q_c, K_c, V_c:
//
// O_c = (Q_c S + A V_c)/(Q_c z + A 1 + 10⁻⁶)
//
// with A = tril(Q_c K_cᵀ), and each row divided by its own denominator. tril keeps the diagonal: a
// token sees itself. Then S grows by K_cᵀV_c and z by the sum of the rows of K_c. The result must
// not depend on chunk_size, and for a fixed one the work must grow with n, not with n².
//
// Q: n×D, features of the queries
// K: n×D, features of the keys
// V: n×d_v, values
// chunk_size: tokens in a chunk, at least 1
// Returns output: n×d_v, one row for each token
//
// Try it: npm run exercise -- chunked

#include "exercise.hpp"

inline Array chunked_linear_attention(const Array& Q, const Array& K, const Array& V,
                                      std::int64_t chunk_size) {
  throw NotWritten("chunked_linear_attention");
}
