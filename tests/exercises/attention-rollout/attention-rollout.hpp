#pragma once
// Attention rollout
//
// After the first layer a position holds a mixture of tokens, and the second layer attends to
// mixtures. Rollout (Abnar & Zuidema 2020) multiplies the layers to say of which *inputs* the last
// layer’s positions are made.
//
// The weights A_l of layer l are the mean over its heads. The residual stream around the layer
// keeps a share r of what stood at a position, so the layer mixes by B_l = (1-r) A_l + r I. Row i
// of a layer reads what the layer before wrote, and the rollout of L layers is
//
// B_L…B_2 B_1
//
// Write attention_rollout(weights, num_heads, residual). weights is a stack: first the heads of
// layer 1, then those of layer 2, and so on, num_heads each. Every row of the result sums to 1.
//
// weights: (L·h)×n×n, rows sum to 1; layer by layer, the first layer first
// num_heads: h, the heads of a layer
// residual: r, the share that a position keeps
// Returns rollout: n×n, row i: of which inputs i is made
//
// Try it: npm run exercise -- attention-rollout

#include "exercise.hpp"

inline Array attention_rollout(const Array& weights, std::int64_t num_heads,
                               double residual = 0.5) {
  throw NotWritten("attention_rollout");
}
