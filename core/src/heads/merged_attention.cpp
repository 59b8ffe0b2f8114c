#include "attn/heads/merged_attention.hpp"

#include <algorithm>

#include "heads/shared.hpp"

namespace attn {
namespace {

/// How many tokens each group has.
std::vector<double> group_sizes(std::string_view argument, const std::vector<Index>& groups,
                                Index tokens) {
  const Index given = static_cast<Index>(groups.size());
  if (given != tokens) {
    throw ShapeError(argument, phrase::entries_seen(given), phrase::group_each_token(tokens));
  }
  const Index largest = groups.empty() ? -1 : *std::max_element(groups.begin(), groups.end());
  // More groups than tokens would leave one without any.
  if (largest < 0 || largest >= tokens) {
    throw ValueError(argument, phrase::largest_group(largest), phrase::groups_in_a_row);
  }
  std::vector<double> sizes(static_cast<std::size_t>(largest) + 1, 0.0);
  for (const Index group : groups) {
    if (group >= 0) ++sizes[static_cast<std::size_t>(group)];
  }
  if (std::find(sizes.begin(), sizes.end(), 0.0) != sizes.end()) {
    throw ValueError(argument, phrase::largest_group(largest), phrase::groups_in_a_row);
  }
  return sizes;
}

}  // namespace

template <typename T>
MergedAttention<T> merge_attention(std::span<const Matrix<T>> weights,
                                   const std::vector<Index>& query_groups,
                                   const std::vector<Index>& key_groups) {
  internal::require_head_weights<T>("weights", weights);
  const Index n = weights[0].rows(), m = weights[0].cols();
  const std::vector<double> queries = group_sizes("query_groups", query_groups, n);
  const std::vector<double> keys = group_sizes("key_groups", key_groups, m);
  MergedAttention<T> made;
  for (const Matrix<T>& head : weights) {
    Matrix<double> sums =
        Matrix<double>::Zero(static_cast<Index>(queries.size()), static_cast<Index>(keys.size()));
    internal::RunningMean left_out;
    for (Index i = 0; i < n; ++i) {
      const Index row = query_groups[static_cast<std::size_t>(i)];
      if (row < 0) continue;
      double none = 0;
      for (Index j = 0; j < m; ++j) {
        const Index col = key_groups[static_cast<std::size_t>(j)];
        const double weight = static_cast<double>(head(i, j));
        if (col < 0) {
          none += weight;
        } else {
          sums(row, col) += weight / queries[static_cast<std::size_t>(row)];
        }
      }
      left_out.add(none);
    }
    made.weights.push_back(sums.template cast<T>());
    made.left_out.push_back(left_out.value());
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                       \
  template MergedAttention<T> merge_attention<T>( \
      std::span<const Matrix<T>>, const std::vector<Index>&, const std::vector<Index>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
