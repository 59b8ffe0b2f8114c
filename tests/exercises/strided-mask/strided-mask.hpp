#pragma once
// A window and strides
//
// A window alone carries news only a few tokens further in each layer. Strided attention adds long
// steps: token i also sees every s-th token back from itself.
//
// Row i of the mask sees column j ≤ i if j lies in the window, i - j < w, or at a multiple of the
// stride, (i - j) bmods = 0. The window counts the token itself: with w = 1 it is all of the
// window.
//
// Return the mask, 1 where row i sees column j and 0 elsewhere, and cells, how many cells are kept.
// A cell that both rules keep is one cell. w and s are at least 1 and may exceed n.
//
// n: tokens
// window: keys in the window, the own one included
// stride: distance between the keys further back
// Returns mask: n×n, 1 where the row sees the column; cells: how many cells are 1
//
// Try it: npm run exercise -- strided-mask

#include "exercise.hpp"

inline std::tuple<Array, std::int64_t> strided_mask(std::int64_t n, std::int64_t window,
                                                    std::int64_t stride) {
  throw NotWritten("strided_mask");
}
