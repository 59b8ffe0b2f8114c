#include "attn/hierarchical_attention.hpp"

#include <algorithm>

#include "attn/attention.hpp"
#include "attn/errors.hpp"
#include "meter.hpp"
#include "product.hpp"
#include "softmax_row.hpp"

namespace attn {
namespace {

using internal::note;
using internal::wide;

void require_options(const HierarchicalAttentionOptions& options) {
  if (options.pool < 1) throw ValueError("pool", std::to_string(options.pool), "at least 1");
  if (options.window < 0) throw ValueError("window", std::to_string(options.window), "at least 0");
}

Index block_count(Index m, Index pool) { return (m - 1) / pool + 1; }

/// What one query meets: near keys first … end − 1, and of the blocks 0 … blocks − 1 all but
/// first_block … end_block − 1, which the near keys come from.
struct Reach {
  Index first = 0, end = 0;
  Index first_block = 0, end_block = 0, blocks = 0;

  Reach(Index i, Index n, Index m, const HierarchicalAttentionOptions& options) {
    const Index pool = options.pool, p = i + m - n;
    const Index last_seen = options.causal ? std::min(p, m - 1) : m - 1;
    if (last_seen < 0) return;
    // Beyond the sequence a wider window changes nothing, and p ± it must not overflow.
    const Index window = std::min(options.window, n + m);
    const Index from = std::max<Index>(p - window, 0);
    const Index to = std::min(p + window, last_seen);
    blocks = last_seen / pool + 1;
    if (from > to) return;
    first_block = from / pool;
    end_block = to / pool + 1;
    first = first_block * pool;
    end = std::min(end_block * pool, last_seen + 1);
  }

  Index near() const { return end - first; }
  Index summaries() const { return blocks - (end_block - first_block); }
};

/// Mean of the rows of each block.
template <typename T>
Matrix<T> pooled_rows(In<T> x, Index pool) {
  Matrix<T> means(block_count(x.rows(), pool), x.cols());
  for (Index b = 0; b < means.rows(); ++b) {
    const Index size = std::min(pool, x.rows() - b * pool);
    means.row(b) = x.middleRows(b * pool, size).colwise().sum() / static_cast<T>(size);
  }
  note<T>({.multiply_adds = wide(x.size()), .read = wide(x.size()), .written = wide(means.size())});
  return means;
}

}  // namespace

template <typename T>
HierarchicalAttentionResult<T> hierarchical_attention(In<T> Q, In<T> K, In<T> V,
                                                      const HierarchicalAttentionOptions& options) {
  require_qkv<T>(Q, K, V);
  require_options(options);
  const Index n = Q.rows(), m = K.rows(), pool = std::min(options.pool, m);
  HierarchicalAttentionOptions clamped = options;
  clamped.pool = pool;
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));

  const OperationMeter meter;
  HierarchicalAttentionResult<T> result;
  const Matrix<T> mean_k = pooled_rows<T>(K, pool), mean_v = pooled_rows<T>(V, pool);

  Index most = 0;
  for (Index i = 0; i < n; ++i) {
    const Reach reach(i, n, m, clamped);
    most = std::max(most, reach.near() + reach.summaries());
  }
  Matrix<T> row(1, most);
  result.output = Matrix<T>::Zero(n, V.cols());
  result.log_sum_exp.resize(n);

  for (Index i = 0; i < n; ++i) {
    const Reach reach(i, n, m, clamped);
    const Index near = reach.near(), before = reach.first_block,
                after = reach.blocks - reach.end_block;
    // Three runs of consecutive rows: summaries before, near keys, summaries after.
    const auto q = Q.middleRows(i, 1);
    internal::product_nt<T>(q, mean_k.topRows(before), row.leftCols(before));
    internal::product_nt<T>(q, K.middleRows(reach.first, near), row.middleCols(before, near));
    internal::product_nt<T>(q, mean_k.middleRows(reach.end_block, after),
                            row.middleCols(before + near, after));
    const Index size = before + near + after;
    row.leftCols(size) *= scale;
    internal::note_in_place<T>(size);
    result.log_sum_exp(i) = internal::softmax_row(row.data(), size, [&](Index t) {
      if (t >= before && t < before + near) return T(1);
      const Index b = t < before ? t : t - before - near + reach.end_block;
      return static_cast<T>(std::min(pool, m - b * pool));
    });
    auto out = result.output.row(i);
    for (Index t = 0; t < size; ++t) {
      if (t < before) {
        out += row(0, t) * mean_v.row(t);
      } else if (t < before + near) {
        out += row(0, t) * V.row(reach.first + t - before);
      } else {
        out += row(0, t) * mean_v.row(t - before - near + reach.end_block);
      }
    }
    const std::uint64_t numbers = wide(size) * wide(V.cols());
    note<T>({.multiply_adds = numbers, .read = wide(size) + numbers, .written = wide(V.cols())});
    result.near_cells += near;
    result.summary_cells += before + after;
  }
  result.operations = meter.count(wide(result.output.size()) * sizeof(T));
  return result;
}

template <typename T>
Matrix<T> hierarchical_weights_reference(In<T> Q, In<T> K,
                                         const HierarchicalAttentionOptions& options) {
  require_qkv<T>(Q, K, K);
  require_options(options);
  const Index n = Q.rows(), m = K.rows();
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const auto block_of = [&](Index j) { return j / options.pool; };
  Matrix<T> scores(n, m);
  for (Index i = 0; i < n; ++i) {
    const Index p = i + m - n;
    std::vector<bool> near(static_cast<std::size_t>(block_of(m - 1) + 1));
    for (Index j = 0; j < m; ++j) {
      const bool seen = !options.causal || j <= p;
      if (seen && std::max(p, j) - std::min(p, j) <= options.window) {
        near[static_cast<std::size_t>(block_of(j))] = true;
      }
    }
    for (Index j = 0; j < m; ++j) {
      const Index b = block_of(j), first = b * options.pool;
      if (near[static_cast<std::size_t>(b)]) {
        scores(i, j) = scale * Q.row(i).dot(K.row(j));
      } else {
        const Index size = std::min(options.pool, m - first);
        scores(i, j) = scale * Q.row(i).dot(K.middleRows(first, size).colwise().mean());
      }
    }
  }
  masked_softmax_rows<T>(scores, options.causal ? Mask::causal_bottom_right() : Mask::full(), 0, n);
  return scores;
}

#define ATTN_INSTANTIATE(T)                                          \
  template HierarchicalAttentionResult<T> hierarchical_attention<T>( \
      In<T>, In<T>, In<T>, const HierarchicalAttentionOptions&);     \
  template Matrix<T> hierarchical_weights_reference<T>(In<T>, In<T>, \
                                                       const HierarchicalAttentionOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
