#pragma once
// The entropy of every head
//
// The entropy of a row of weights, -Σ_j p_j ln p_j in nats with 0 ln 0 = 0, says over how many keys
// it is spread: 0 for one key, ln k for k equal ones. In a causal head that most depends on the
// row: row i, counted from 0, sees only i+1 keys, so it has at most ln(i+1).
//
// Write entropy_per_head(weights) for a stack of causal heads, h×n×n. Return two vectors of h
// numbers: the mean entropy of each head’s rows, and the mean over rows of the entropy divided by
// the most that this row can have.
//
// Row 0 sees one key and has no choice. It counts in the first mean, with 0, and not in the second:
// that one is over rows 1 to n-1. There are at least two tokens.
//
// weights: h×n×n, causal heads: rows sum to 1, no weight above the diagonal
// Returns entropy: h numbers, mean entropy of a row, in nats; share: h numbers, mean share of the
//   most, 0 to 1
//
// Try it: npm run exercise -- entropy-per-head

#include "exercise.hpp"

inline std::tuple<Array, Array> entropy_per_head(const Array& weights) {
  throw NotWritten("entropy_per_head");
}
