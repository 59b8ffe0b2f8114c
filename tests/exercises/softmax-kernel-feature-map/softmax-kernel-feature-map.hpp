#pragma once
// Random features for softmax
//
// Let x' = x / d^(1/4). For a random vector w with entries from N(0, 1), the product of e^(w·q' -
// ‖q'‖²/2) and e^(w·k' - ‖k'‖²/2) is e^(q·k/√d) on average, which is what softmax exponentiates.
// With m such vectors, the rows of a matrix W, the features are φ(x) = 1/√m e^(W x' - ‖x'‖²/2): as
// many as W has rows.
//
// Write softmax_kernel_feature_map(x, projection_matrix). Row i of the result is φ of row i of x;
// projection_matrix is W, m×d, already drawn.
//
// The course text’s hint speaks of cosines and sines. They estimate the same number, but can be
// negative, and are worst where softmax is small; the paper rejects them for these exponentials.
// Nothing is subtracted for stability here: that would change the features, though not the weights.
//
// x: n×d, queries or keys, one in each row
// projection_matrix: m×d, W, one random vector in each row
// Returns phi: n×m, φ(x), all entries positive
//
// Try it: npm run exercise -- softmax-kernel-feature-map

#include "exercise.hpp"

inline Array softmax_kernel_feature_map(const Array& x, const Array& projection_matrix) {
  throw NotWritten("softmax_kernel_feature_map");
}
