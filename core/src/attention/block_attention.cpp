#include "attn/attention/block_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attention/stacks.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"

namespace attn {

template <typename T>
BlockChoice<T> choose_blocks(In<T> Q, In<T> K, const BlockChoiceOptions& options) {
  require_qkv<T>(Q, K, K);
  require_shape<T>("K", K, Q.rows(), Q.cols(), phrase::key_each_query);
  if (options.block < 1) {
    throw ValueError("block", phrase::number(options.block), phrase::at_least(1));
  }
  if (options.top_k < 1) {
    throw ValueError("top_k", phrase::number(options.top_k), phrase::at_least(1));
  }
  const Index n = Q.rows(), block = std::min(options.block, n);
  const Index blocks = (n - 1) / block + 1;
  Matrix<T> means(blocks, K.cols());
  for (Index c = 0; c < blocks; ++c) {
    means.row(c) = K.middleRows(c * block, std::min(block, n - c * block)).colwise().mean();
  }
  BlockChoice<T> made{internal::product_nt<T>(Q, means), Matrix<T>::Zero(n, blocks), {}};
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n));
  std::vector<Index> order;
  for (Index i = 0; i < n; ++i) {
    const Index own = i / block;
    order.clear();
    for (Index c = 0; c < own; ++c) {
      if (!std::isfinite(made.gate(i, c))) {
        throw ValueError("Q", phrase::scores_overflow, phrase::finite_numbers);
      }
      order.push_back(c);
    }
    for (Index c = own; c < blocks; ++c) made.gate(i, c) = std::numeric_limits<T>::quiet_NaN();
    const Index earlier = std::min(own, options.top_k - 1);
    std::partial_sort(order.begin(), order.begin() + earlier, order.end(), [&](Index a, Index b) {
      return made.gate(i, a) != made.gate(i, b) ? made.gate(i, a) > made.gate(i, b) : a < b;
    });
    order.resize(static_cast<std::size_t>(earlier));
    order.push_back(own);
    for (const Index c : order) {
      made.selected(i, c) = T(1);
      const Index end = std::min((c + 1) * block, i + 1);
      for (Index j = c * block; j < end; ++j) rows[static_cast<std::size_t>(i)].push_back(j);
    }
  }
  made.pattern = Pattern::from_rows(n, rows);
  return made;
}

template <typename T>
BlockAttentionResult<T> block_attention(const Stack<std::type_identity_t<T>>& Q,
                                        const Stack<std::type_identity_t<T>>& K,
                                        const Stack<std::type_identity_t<T>>& V,
                                        const BlockAttentionOptions& options) {
  internal::require_stacks(Q, K, V);
  SparseAttentionOptions<T> each;
  each.scale = options.scale;
  BlockAttentionResult<T> made;
  for (Index b = 0; b < Q.batch(); ++b) {
    for (Index h = 0; h < Q.heads(); ++h) {
      const BlockChoice<T> choice = choose_blocks<T>(Q(b, h), K(b, h), options.choice);
      if (made.output.count() == 0) {
        made.output = Stack<T>(Q.batch(), Q.heads(), Q.rows(), V.cols());
        made.gate = Stack<T>(Q.batch(), Q.heads(), Q.rows(), choice.gate.cols());
        made.selected = made.gate;
      }
      made.output(b, h) =
          sparse_attention<T>(Q(b, h), K(b, h), V(b, h), choice.pattern, each).output;
      made.gate(b, h) = choice.gate;
      made.selected(b, h) = choice.selected;
      made.cells.push_back(choice.pattern.nnz());
    }
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                          \
  template BlockChoice<T> choose_blocks<T>(In<T>, In<T>, const BlockChoiceOptions&); \
  template BlockAttentionResult<T> block_attention<T>(                               \
      const Stack<T>&, const Stack<T>&, const Stack<T>&, const BlockAttentionOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
