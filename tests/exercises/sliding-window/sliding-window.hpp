#pragma once
// Sliding-window attention
//
// Each token looks at itself and at the window − 1 tokens before it, no further back and never
// ahead: query i sees the keys j with i - w < j ≤ i, where w is window. The first tokens see fewer,
// because there are no keys before 0.
//
// Over the keys a query sees it is ordinary attention: scores q_i·k_j / √d_k, softmax (subtract the
// maximum, scores may reach 1000), weighted mean of the values.
//
// The point is the cost. Computing all n² scores and masking most of them gives the right numbers
// and saves nothing. Touch only the keys in the window, so that n tokens cost n w (d_k + d_v)
// multiply-adds. window is at least 1 and may exceed n.
//
// Q: n×d_k, queries
// K: n×d_k, keys
// V: n×d_v, values
// window: how many keys a query sees, its own included
// Returns output: n×d_v, one row for each query
//
// Try it: npm run exercise -- sliding-window

#include "exercise.hpp"

inline Array sliding_window_attention(const Array& Q, const Array& K, const Array& V,
                                      std::int64_t window) {
  throw NotWritten("sliding_window_attention");
}
