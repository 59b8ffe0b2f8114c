#pragma once
// How much does a head matter?
//
// Put a gate xi_h in front of the output O_h of every head, xi_h O_h, with the gate at 1. Michel et
// al. (2019) call a head important where the loss reacts to its gate, and one backward pass tells
// that for all heads:
//
// partialL/partialxi_h = Σ_(t, c) O_h[t,c] partialL/(partialO_h[t,c]) I_h =
// 1/EΣ_(e=1)^E|partialL_e/partialxi_h|
//
// The sum is over all tokens t and columns c of the head. There is one such number for each of the
// E examples, and I_h is the mean of their *sizes*: an example that wants more of a head and one
// that wants less both use it.
//
// Write head_importance(outputs, gradients, num_heads). Both stacks are E×n×(h d_head), one example
// after the other, with the heads side by side: head i, counted from 0, owns the columns i d_head
// up to (i+1) d_head. Return the h importances divided by their Euclidean norm, so that their
// squares sum to 1. Where all are 0, return zeros.
//
// outputs: E×n×(h·d_head), the merged heads of each example
// gradients: E×n×(h·d_head), of each example’s loss by them
// num_heads: h
// Returns importance: h numbers, squares sum to 1, or all are 0
//
// Try it: npm run exercise -- head-importance

#include "exercise.hpp"

inline Array head_importance(const Array& outputs, const Array& gradients, std::int64_t num_heads) {
  throw NotWritten("head_importance");
}
