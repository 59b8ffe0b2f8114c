#pragma once
// Products of two coordinates, for the maps that have them. Private to the core.

#include "attn/base/tensor.hpp"

namespace attn::internal {

/// Visits the pairs of two coordinates as runs: `i` with `count` coordinates from `first` on, the
/// first of them being pair number `at`. Upper: i < j, row-major above the diagonal, as in fla;
/// else j < i, row-major below it, as in zoology.
template <typename Visit>
void for_each_run_of_pairs(Index d, bool upper, Visit visit) {
  Index at = 0;
  for (Index i = 0; i < d; ++i) {
    const Index first = upper ? i + 1 : 0;
    const Index count = upper ? d - i - 1 : i;
    visit(i, first, count, at);
    at += count;
  }
}

/// out = factor·in. A plain loop: for these many short runs Eigen's bookkeeping costs more than the
/// arithmetic.
template <typename T>
void scale_into(const T* in, T factor, Index count, T* __restrict out) {
  for (Index k = 0; k < count; ++k) out[k] = factor * in[k];
}

/// Pairs of two of d coordinates.
inline double pairs(double d) { return d * (d - 1) / 2; }

}  // namespace attn::internal
