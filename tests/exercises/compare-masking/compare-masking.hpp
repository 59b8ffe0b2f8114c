#pragma once
// Three masks compared
//
// Write compare_masking(Q, K). Make the attention weights of the same queries and keys three times:
// with the causal mask (query i sees the keys j ≤ i), without a mask, and with the reverse mask
// (query i sees the keys j ≥ i). In all three the scores are QKᵀ/√d_k, and the softmax runs over
// the keys that a query sees.
//
// Return a 3×3 matrix. Its rows are the masks in this order: causal, none, reverse. Its columns say
// where the weight lies: on the past (j<i), on the token itself (j=i), on the future (j>i). Each
// entry is the weight there, summed over the keys and averaged over the queries, so that every row
// sums to 1.
//
// A language model that writes text has no future tokens: whatever weight lies there in training is
// weight that it cannot use later. Scores can be as large as ±1000.
//
// Q: n×d_k, queries
// K: n×d_k, keys
// Returns shares: 3×3, rows: causal, none, reverse; columns: past, itself, future
//
// Try it: npm run exercise -- compare-masking

#include "exercise.hpp"

inline Array compare_masking(const Array& Q, const Array& K) {
  throw NotWritten("compare_masking");
}
