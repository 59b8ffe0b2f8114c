#pragma once
// The mean of the heads of a group. Private to the core.

#include "attn/base/tensor.hpp"

namespace attn::internal {

/// The rows of `heads` heads, one head below the other, of a matrix or a vector; those of
/// `groups` heads are left, each the mean of heads/groups heads in a row.
template <typename T, typename Rows>
auto mean_of_groups(const Rows& rows, Index heads, Index groups) {
  const Index each = rows.rows() / heads, of = heads / groups;
  typename Rows::PlainObject made(groups * each, rows.cols());
  for (Index g = 0; g < groups; ++g) {
    auto mean = made.middleRows(g * each, each);
    mean = rows.middleRows(g * of * each, each);
    for (Index i = 1; i < of; ++i) mean += rows.middleRows((g * of + i) * each, each);
    mean /= static_cast<T>(of);
  }
  return made;
}

}  // namespace attn::internal
