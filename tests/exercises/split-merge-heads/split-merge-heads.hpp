#pragma once
// Split into heads, merge again
//
// Multi-head attention cuts the d_model numbers of every token into h pieces, lets each head work
// on its own piece, and joins the pieces again. Here the work of head i is only to multiply its
// piece by a gate g_i (a gate of 0 prunes the head).
//
// With d_head = d_model / h, head i owns the columns i d_head up to (i+1) d_head of every token.
// Return two things: heads, the stack of shape h×n×d_head before the gates, with heads[i, t, c] =
// X[t, i d_head + c]; and merged, the gated heads in their old places, n×d_model.
//
// With every gate at 1, merged is X again. num_heads divides d_model.
//
// X: n×d_model, one token in each row
// num_heads: h; divides d_model
// gates: h numbers, one factor for each head
// Returns heads: h×n×d_head, the heads before their gates; merged: n×d_model, the gated heads
//   side by side
//
// Try it: npm run exercise -- split-merge-heads

#include "exercise.hpp"

inline std::tuple<Array, Array> split_and_merge(const Array& X, std::int64_t num_heads,
                                                const Array& gates) {
  throw NotWritten("split_and_merge");
}
