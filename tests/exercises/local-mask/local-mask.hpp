#pragma once
// A local mask
//
// The simplest sparse pattern is a window: token i sees token j if they are at most w places apart,
// |i - j| ≤ w. It sees itself and up to w tokens on either side, so a token in the middle sees 2w +
// 1.
//
// With causal set it sees no token that comes later: i - w ≤ j ≤ i.
//
// Return the mask, n×n with 1 where row i sees column j and 0 elsewhere, and cells, the number of
// cells kept. Near the ends of the text there are fewer: n(2w + 1) places would be too many. w may
// be 0, and it may exceed n.
//
// n: tokens
// window: how far a token sees, w
// causal: whether it sees no later token
// Returns mask: n×n, 1 where the row sees the column; cells: how many cells are 1
//
// Try it: npm run exercise -- local-mask

#include "exercise.hpp"

inline std::tuple<Array, std::int64_t> local_mask(std::int64_t n, std::int64_t window,
                                                  bool causal) {
  throw NotWritten("local_mask");
}
