#pragma once
// Products of two coordinates, for the maps that use them. Private to the core.

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

/// out = factor·in. The loop is plain because Eigen's overhead for many short runs costs more than
/// the arithmetic.
template <typename T>
void scale_into(const T* in, T factor, Index count, T* __restrict out) {
  for (Index k = 0; k < count; ++k) out[k] = factor * in[k];
}

/// The number of pairs of two different coordinates out of d.
inline double pairs(double d) { return d * (d - 1) / 2; }

}  // namespace attn::internal
