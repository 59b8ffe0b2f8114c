#pragma once
// Attention between groups of tokens: words of several pieces, one of two sentences, all but the
// special tokens (Clark et al. 2019, arXiv:1906.04341, section 4.1).

#include <span>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct MergedAttention {
  /// One matrix a head, query groups × key groups: the weights to the tokens of a group are added,
  /// those from its tokens averaged.
  std::vector<Matrix<T>> weights;
  /// For each head, the mean weight that the queries of all groups give to keys of no group. A row
  /// of `weights` sums to 1 without what its own queries give to these.
  std::vector<double> left_out;
};

/// Weights of h heads, n×m, as weights between groups. `query_groups` and `key_groups` say for each
/// token of which group it is, 0, 1, 2 …; a token of a negative group is left out, as a query or as
/// a key. O(h·n·m).
/// @throws ShapeError for no head, heads of other shapes, or groups that are not one for each row
/// or column; ValueError for a group that has no token while a later one has, for no group at all,
/// or for weights that are negative or not finite.
template <typename T = float>
MergedAttention<T> merge_attention(std::span<const Matrix<T>> weights,
                                   const std::vector<Index>& query_groups,
                                   const std::vector<Index>& key_groups);

}  // namespace attn
