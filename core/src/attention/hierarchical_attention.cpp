#include "attn/attention/hierarchical_attention.hpp"

#include <algorithm>

#include "attention/softmax_row.hpp"
#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

using internal::note;
using internal::wide;

void require_options(const HierarchicalAttentionOptions& options) {
  if (options.pool < 1) throw ValueError("pool", phrase::number(options.pool), phrase::at_least(1));
  if (options.window < 0)
    throw ValueError("window", phrase::number(options.window), phrase::at_least(0));
}

Index block_count(Index m, Index pool) { return (m - 1) / pool + 1; }

/// The cells that one query visits: the near keys first … end − 1, and the summaries of all of the
/// blocks 0 … blocks − 1 except first_block … end_block − 1, which hold the near keys.
struct Reach {
  Index first = 0, end = 0;
  Index first_block = 0, end_block = 0, blocks = 0;

  Reach(Index i, Index n, Index m, const HierarchicalAttentionOptions& options) {
    const Index pool = options.pool, p = i + m - n;
    const Index last_seen = options.causal ? std::min(p, m - 1) : m - 1;
    if (last_seen < 0) return;
    // A window beyond the sequence has no further effect, and p ± window must not overflow.
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
  Index cells() const { return near() + summaries(); }
};

/// The mean of the rows of each block.
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

/// Calls visit(at, count, first, pooled) for the three runs of consecutive rows that a query
/// visits: summaries before the near keys, near keys, and summaries after them. Its cells at … at +
/// count − 1 are the rows from `first` on, of the means if `pooled` and otherwise of the keys.
template <typename Visit>
void for_each_run(const Reach& reach, Visit visit) {
  const Index before = reach.first_block, near = reach.near();
  visit(Index{0}, before, Index{0}, true);
  visit(before, near, reach.first, false);
  visit(before + near, reach.blocks - reach.end_block, reach.end_block, true);
}

/// Keys and values of both levels, and the work on a row that forward and backward share.
template <typename T>
struct Levels {
  In<T> Q, K, V;
  HierarchicalAttentionOptions options;
  T scale;
  Matrix<T> mean_k, mean_v;
  /// The number of cells of the longest row.
  Index longest = 0;

  Levels(In<T> Q_, In<T> K_, In<T> V_, const HierarchicalAttentionOptions& options_)
      : Q(Q_), K(K_), V(V_), options(options_) {
    require_qkv<T>(Q, K, V);
    require_options(options);
    options.pool = std::min(options.pool, K.rows());
    scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
    mean_k = pooled_rows<T>(K, options.pool);
    mean_v = pooled_rows<T>(V, options.pool);
    for (Index i = 0; i < Q.rows(); ++i) longest = std::max(longest, reach(i).cells());
  }

  Reach reach(Index i) const { return Reach(i, Q.rows(), K.rows(), options); }
  Index block_size(Index b) const { return std::min(options.pool, K.rows() - b * options.pool); }
  Eigen::Ref<const Matrix<T>> keys(Index first, Index count, bool pooled) const {
    if (pooled) return mean_k.middleRows(first, count);
    return K.middleRows(first, count);
  }
  Eigen::Ref<const Matrix<T>> values(Index first, Index count, bool pooled) const {
    if (pooled) return mean_v.middleRows(first, count);
    return V.middleRows(first, count);
  }

  /// Computes the weights of query i over the cells that it visits; returns the log-sum-exp.
  T weigh(Index i, const Reach& met, Matrix<T>& row) const {
    const Index size = met.cells();
    for_each_run(met, [&](Index at, Index count, Index first, bool pooled) {
      internal::product_nt<T>(Q.middleRows(i, 1), keys(first, count, pooled),
                              row.middleCols(at, count));
    });
    row.leftCols(size) *= scale;
    require_finite_scores<T>(row.leftCols(size));
    internal::note_in_place<T>(size);
    const Index before = met.first_block, near = met.near();
    return internal::softmax_row(row.data(), size, [&](Index t) {
      if (t >= before && t < before + near) return T(1);
      return static_cast<T>(block_size(t < before ? t : t - before - near + met.end_block));
    });
  }
};

}  // namespace

template <typename T>
HierarchicalAttentionResult<T> hierarchical_attention(In<T> Q, In<T> K, In<T> V,
                                                      const HierarchicalAttentionOptions& options) {
  const OperationMeter meter;
  const Levels<T> levels(Q, K, V, options);
  const Index n = Q.rows();
  HierarchicalAttentionResult<T> result;
  Matrix<T> row(1, levels.longest);
  result.output = Matrix<T>::Zero(n, V.cols());
  result.log_sum_exp.resize(n);
  for (Index i = 0; i < n; ++i) {
    const Reach reach = levels.reach(i);
    result.log_sum_exp(i) = levels.weigh(i, reach, row);
    for_each_run(reach, [&](Index at, Index count, Index first, bool pooled) {
      const auto values = levels.values(first, count, pooled);
      for (Index t = 0; t < count; ++t) result.output.row(i) += row(0, at + t) * values.row(t);
    });
    const std::uint64_t cells = wide(reach.cells()), numbers = cells * wide(V.cols());
    note<T>({.multiply_adds = numbers, .read = cells + numbers, .written = wide(V.cols())});
    result.near_cells += reach.near();
    result.summary_cells += reach.summaries();
  }
  result.operations = meter.count(wide(result.output.size()) * sizeof(T));
  return result;
}

template <typename T>
HierarchicalAttentionGradients<T> hierarchical_attention_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const HierarchicalAttentionOptions& options) {
  const OperationMeter meter;
  const Levels<T> levels(Q, K, V, options);
  const Index n = Q.rows(), m = K.rows();
  require_shape<T>("dO", dO, n, V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  HierarchicalAttentionGradients<T> result;
  result.dQ = Matrix<T>::Zero(n, Q.cols());
  result.dK = Matrix<T>::Zero(m, K.cols());
  result.dV = Matrix<T>::Zero(m, V.cols());
  Matrix<T> d_mean_k = Matrix<T>::Zero(levels.mean_k.rows(), K.cols());
  Matrix<T> d_mean_v = Matrix<T>::Zero(levels.mean_v.rows(), V.cols());
  Matrix<T> P(1, levels.longest), dS(1, levels.longest);
  for (Index i = 0; i < n; ++i) {
    const Reach reach = levels.reach(i);
    const Index size = reach.cells();
    const auto q = Q.middleRows(i, 1), d_out = dO.middleRows(i, 1);
    levels.weigh(i, reach, P);
    for_each_run(reach, [&](Index at, Index count, Index first, bool pooled) {
      internal::product_nt<T>(d_out, levels.values(first, count, pooled), dS.middleCols(at, count));
      internal::add_product_tn<T>(P.middleCols(at, count), d_out,
                                  (pooled ? d_mean_v : result.dV).middleRows(first, count));
    });
    // dS still holds dP here; Σ_j P_j dP_j equals dO·output and needs no output.
    auto row = dS.row(0).head(size);
    row.array() -= P.row(0).head(size).dot(row);
    row.array() *= levels.scale * P.row(0).head(size).array();
    for_each_run(reach, [&](Index at, Index count, Index first, bool pooled) {
      const auto keys = levels.keys(first, count, pooled);
      for (Index t = 0; t < count; ++t) result.dQ.row(i) += dS(0, at + t) * keys.row(t);
      internal::add_product_tn<T>(dS.middleCols(at, count), q,
                                  (pooled ? d_mean_k : result.dK).middleRows(first, count));
    });
    // The counted work is Σ P∘dP, dS in place, and dQ. The products count themselves.
    const std::uint64_t cells = wide(size), d_k = wide(Q.cols());
    note<T>({.multiply_adds = cells * (d_k + 1),
             .read = 5 * cells + cells * (d_k + 1),
             .written = 2 * cells + d_k});
    result.near_cells += reach.near();
    result.summary_cells += reach.summaries();
  }
  for (Index j = 0; j < m; ++j) {
    const Index b = j / levels.options.pool;
    const T share = 1 / static_cast<T>(levels.block_size(b));
    result.dK.row(j) += share * d_mean_k.row(b);
    result.dV.row(j) += share * d_mean_v.row(b);
  }
  const std::uint64_t spread = wide(result.dK.size() + result.dV.size());
  note<T>({.multiply_adds = spread, .read = 2 * spread, .written = spread});
  result.operations = meter.count((wide(result.dQ.size()) + spread) * sizeof(T));
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
  const Mask mask = options.causal ? Mask::causal_bottom_right() : Mask::full();
  internal::softmax_rows<T>(scores, mask, 0, n, nullptr);
  return scores;
}

#define ATTN_INSTANTIATE(T)                                                      \
  template HierarchicalAttentionResult<T> hierarchical_attention<T>(             \
      In<T>, In<T>, In<T>, const HierarchicalAttentionOptions&);                 \
  template HierarchicalAttentionGradients<T> hierarchical_attention_backward<T>( \
      In<T>, In<T>, In<T>, In<T>, const HierarchicalAttentionOptions&);          \
  template Matrix<T> hierarchical_weights_reference<T>(In<T>, In<T>,             \
                                                       const HierarchicalAttentionOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
