#pragma once
// Online softmax, as in FlashAttention
//
// Softmax seems to need a whole row of scores at once: its maximum and its sum. FlashAttention gets
// by with one block of keys at a time. For every query it keeps three things: the largest score so
// far m, the sum so far ℓ = Σ_j e^(s_j - m), and the weighted values so far o = Σ_j e^(s_j - m)
// v_j.
//
// A new block brings scores s_j = q·k_j / √d_k and a new maximum m' = max(m, max_j s_j). What was
// summed so far was measured from the old maximum, so it is moved to the new one:
//
// ℓ' = e^(m - m') ℓ+ Σ_j e^(s_j - m')
//
// o' = e^(m - m') o + Σ_j e^(s_j - m') v_j
//
// Start with m = -∞, ℓ = 0, o = 0 and take block_size keys at a time; the last block may be
// shorter. Return the output o / ℓ for every query, and m + ln ℓ, the logarithm of the sum of
// e^(s_j) over all keys. No array with n×m entries may be made.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// block_size: keys in a block, at least 1
// Returns output: n×d_v, attention output; logsumexp: n numbers, ln Σ exp(score) of each query
//
// Try it: npm run exercise -- online-softmax

#include "exercise.hpp"

inline std::tuple<Array, Array> online_softmax_attention(const Array& Q, const Array& K,
                                                         const Array& V, std::int64_t block_size) {
  throw NotWritten("online_softmax_attention");
}
