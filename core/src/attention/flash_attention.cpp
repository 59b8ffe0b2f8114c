#include "attn/attention/flash_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "attention/dropout_cells.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

using internal::add_product_tn;
using internal::note;
using internal::product_nn;
using internal::product_nt;
using internal::wide;

template <typename T>
constexpr T kNone = -std::numeric_limits<T>::infinity();

Index tiles(Index size, Index tile) { return (size - 1) / tile + 1; }

/// One rectangle of the n×m matrix.
struct Tile {
  Index first_query, queries, first_key, keys;
};

template <typename M>
auto part_of(M& whole, const Tile& tile) {
  return whole.block(tile.first_query, tile.first_key, tile.queries, tile.keys);
}

/// Calls `visit` for every tile that can hold a visible cell: its keys must reach beyond `begin` of
/// its first row, and start before `end` of its last row. Neither bound decreases from one row to
/// the next, so no visible cell is left out. With `keys_outside`, keys are the outer loop.
template <typename T, typename Visit>
Index for_each_tile(Index n, Index m, const FlashOptions<T>& options, bool keys_outside,
                    Visit visit) {
  const Index rows = tiles(n, options.query_tile), cols = tiles(m, options.key_tile);
  Index visited = 0;
  const auto at = [&](Index r, Index c) {
    const Tile tile{r * options.query_tile,
                    std::min(options.query_tile, n - r * options.query_tile), c * options.key_tile,
                    std::min(options.key_tile, m - c * options.key_tile)};
    if (tile.first_key >= options.mask.end(tile.first_query + tile.queries - 1, n, m)) return;
    if (tile.first_key + tile.keys <= options.mask.begin(tile.first_query, n, m)) return;
    ++visited;
    visit(tile);
  };
  const Index outer = keys_outside ? cols : rows, inner = keys_outside ? rows : cols;
  for (Index o = 0; o < outer; ++o) {
    for (Index i = 0; i < inner; ++i) keys_outside ? at(i, o) : at(o, i);
  }
  return visited;
}

template <typename T>
void require_arguments(In<T> Q, In<T> K, In<T> V, const FlashOptions<T>& options) {
  require_qkv<T>(Q, K, V);
  options.mask.require_fits(Q.rows(), K.rows());
  if (options.bias.size() > 0) {
    require_shape<T>("bias", *options.bias, Q.rows(), K.rows(), phrase::entry_each_query_key);
  }
  const auto require_tile = [](const char* name, Index tile) {
    if (tile < 1) throw ValueError(name, phrase::number(tile), phrase::at_least(1));
  };
  require_tile("query_tile", options.query_tile);
  require_tile("key_tile", options.key_tile);
}

/// The scores of a tile; −∞ in blocked cells.
template <typename T>
Matrix<T> scores_of(In<T> Q, In<T> K, const Tile& tile, const FlashOptions<T>& options, T scale) {
  const Index n = Q.rows(), m = K.rows();
  Matrix<T> S = product_nt<T>(scale * Q.middleRows(tile.first_query, tile.queries),
                              K.middleRows(tile.first_key, tile.keys));
  internal::note_in_place<T>(tile.queries * Q.cols());
  require_finite_scores<T>(S);
  if (options.bias.size() > 0) {
    S += part_of(*options.bias, tile);
    note<T>({.read = 2 * wide(S.size()), .written = wide(S.size())});
    require_biased_scores<T>(S, part_of(*options.bias, tile));
  }
  for (Index r = 0; r < tile.queries; ++r) {
    const Index i = tile.first_query + r;
    const Mask::Keys seen = options.mask.keys(i, n, m);
    const Index end = std::clamp<Index>(seen.end - tile.first_key, 0, tile.keys);
    S.row(r).tail(tile.keys - end).setConstant(kNone<T>);
    S.row(r).head(std::clamp<Index>(seen.begin - tile.first_key, 0, end)).setConstant(kNone<T>);
    for (Index c = 0; seen.cells && c < end; ++c) {
      if (seen.cells[tile.first_key + c] == 0) S(r, c) = kNone<T>;
    }
  }
  return S;
}

/// Multiplies a tile by the factors of dropout.
template <typename T>
void drop(Matrix<T>& x, const Tile& tile, const internal::DropoutCells<T>& cells) {
  if (!cells.active()) return;
  for (Index r = 0; r < tile.queries; ++r) {
    for (Index c = 0; c < tile.keys; ++c) {
      x(r, c) *= cells.factor(tile.first_query + r, tile.first_key + c);
    }
  }
}

/// Computes exp(x − shift) in place with the rule of `masked_softmax_rows`: the result is exactly 0
/// where exp would be denormal and where a cell is blocked.
template <typename T>
void exponentiate(Eigen::Ref<Eigen::Matrix<T, 1, Eigen::Dynamic>> x, T shift) {
  const T lowest = std::log(std::numeric_limits<T>::min());
  x = (x.array() - shift < lowest)
          .select(Eigen::Array<T, 1, Eigen::Dynamic>::Zero(x.size()), (x.array() - shift).exp());
}

}  // namespace

template <typename T>
void flash_attention(In<T> Q, In<T> K, In<T> V,
                     const FlashOptions<std::type_identity_t<T>>& options,
                     const Dropout<std::type_identity_t<T>>& dropout,
                     FlashResult<std::type_identity_t<T>>& result) {
  require_arguments<T>(Q, K, V, options);
  const Index n = Q.rows(), m = K.rows();
  const internal::DropoutCells<T> cells(dropout, n, m);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));

  result.query_tiles = tiles(n, options.query_tile);
  result.key_tiles = tiles(m, options.key_tile);
  result.trace = {};
  result.traffic = {};
  Index queries_from = -1;
  const auto fetch = [&](const Tile& tile) {
    if (tile.first_query != queries_from) {
      queries_from = tile.first_query;
      result.traffic.read += wide(tile.queries) * wide(Q.cols());
    }
    result.traffic.read += wide(tile.keys) * (wide(K.cols()) + wide(V.cols()));
    if (options.bias.size() > 0) result.traffic.read += wide(tile.queries) * wide(tile.keys);
  };
  if (internal::kernels_run<T>() && options.bias.size() == 0 && !cells.active() && !options.trace &&
      internal::fused_attention<T>(Q, K, V, options.mask, scale, result.output, result.log_sum_exp,
                                   nullptr)) {
    result.visited_tiles = for_each_tile(n, m, options, false, fetch);
    result.traffic.written = wide(result.output.size());
    return;
  }
  result.output = Matrix<T>::Zero(n, V.cols());
  Vector<T> largest = Vector<T>::Constant(n, kNone<T>), sum = Vector<T>::Zero(n);
  if (options.trace) {
    result.trace.running_max = Matrix<T>::Constant(result.key_tiles, n, kNone<T>);
    result.trace.running_sum = Matrix<T>::Zero(result.key_tiles, n);
  }

  result.visited_tiles = for_each_tile(n, m, options, false, [&](const Tile& tile) {
    fetch(tile);
    Matrix<T> S = scores_of<T>(Q, K, tile, options, scale);
    std::uint64_t exps = 0;
    for (Index r = 0; r < tile.queries; ++r) {
      const Index i = tile.first_query + r;
      const T top = std::max(largest(i), S.row(r).maxCoeff());
      // No key has been seen so far, and −∞ − (−∞) would be NaN.
      if (top == kNone<T>) {
        S.row(r).setZero();
        continue;
      }
      exponentiate<T>(S.row(r), top);
      exps += 1 + internal::exps_in(S.row(r));
      const T rescale = std::exp(largest(i) - top);
      sum(i) = rescale * sum(i) + S.row(r).sum();
      result.output.row(i) *= rescale;
      largest(i) = top;
    }
    drop(S, tile, cells);
    result.output.middleRows(tile.first_query, tile.queries) +=
        product_nn<T>(S, V.middleRows(tile.first_key, tile.keys));
    // The counted work is the softmax, and the output's rows, which are rescaled and then added to.
    const std::uint64_t scores = wide(S.size()), out = wide(tile.queries) * wide(V.cols());
    note<T>({.exps = exps, .read = scores + 3 * out, .written = scores + 2 * out});
    if (options.trace) {
      const Index t = tile.first_key / options.key_tile;
      result.trace.running_max.row(t).segment(tile.first_query, tile.queries) =
          largest.segment(tile.first_query, tile.queries).transpose();
      result.trace.running_sum.row(t).segment(tile.first_query, tile.queries) =
          sum.segment(tile.first_query, tile.queries).transpose();
    }
  });
  // A row that has seen a key has a sum of at least 1, so a 0 after that means a skipped tile.
  for (Index t = 1; t < result.trace.running_sum.rows(); ++t) {
    for (Index i = 0; i < n; ++i) {
      if (result.trace.running_sum(t, i) != 0) continue;
      result.trace.running_max(t, i) = result.trace.running_max(t - 1, i);
      result.trace.running_sum(t, i) = result.trace.running_sum(t - 1, i);
    }
  }

  result.log_sum_exp = Vector<T>::Constant(n, kNone<T>);
  for (Index i = 0; i < n; ++i) {
    if (largest(i) == kNone<T>) continue;
    result.output.row(i) /= sum(i);
    result.log_sum_exp(i) = largest(i) + std::log(sum(i));
  }
  internal::note_in_place<T>(result.output.size());
  result.traffic.written = wide(result.output.size());
}

template <typename T>
FlashResult<T> flash_attention(In<T> Q, In<T> K, In<T> V,
                               const FlashOptions<std::type_identity_t<T>>& options,
                               const Dropout<std::type_identity_t<T>>& dropout) {
  FlashResult<T> result;
  flash_attention<T>(Q, K, V, options, dropout, result);
  return result;
}

template <typename T>
void flash_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO,
                              const FlashResult<std::type_identity_t<T>>& forward,
                              const FlashOptions<std::type_identity_t<T>>& options,
                              const Dropout<std::type_identity_t<T>>& dropout,
                              FlashGradients<std::type_identity_t<T>>& result) {
  require_arguments<T>(Q, K, V, options);
  const Index n = Q.rows(), m = K.rows();
  const internal::DropoutCells<T> cells(dropout, n, m);
  require_shape<T>("dO", dO, n, V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  require_shape<T>("forward.output", forward.output, n, V.cols(), phrase::rows_as_q_columns_as_v);
  require_shape<T>("forward.log_sum_exp", forward.log_sum_exp, n, 1, phrase::entry_each_query);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));

  result.dQ = Matrix<T>::Zero(n, Q.cols());
  result.dK = Matrix<T>::Zero(m, K.cols());
  result.dV = Matrix<T>::Zero(m, V.cols());
  result.row_dots = dO.cwiseProduct(forward.output).rowwise().sum();
  result.d_bias = options.d_bias ? Matrix<T>::Zero(n, m) : Matrix<T>();
  note<T>({.multiply_adds = wide(dO.size()), .read = 2 * wide(dO.size())});
  if (internal::kernels_run<T>() && options.bias.size() == 0 && !cells.active() &&
      !options.d_bias &&
      internal::fused_attention_backward<T>(Q, K, V, dO, options.mask, scale, forward.log_sum_exp,
                                            result)) {
    result.visited_tiles = for_each_tile(n, m, options, true, [](const Tile&) {});
    return;
  }

  // With keys in the outer loop, the rows of dK and dV that a tile adds to stay in the cache.
  result.visited_tiles = for_each_tile(n, m, options, true, [&](const Tile& tile) {
    const auto q = Q.middleRows(tile.first_query, tile.queries);
    const auto d_out = dO.middleRows(tile.first_query, tile.queries);
    const auto k = K.middleRows(tile.first_key, tile.keys);
    Matrix<T> P = scores_of<T>(Q, K, tile, options, scale);
    std::uint64_t exps = 0;
    for (Index r = 0; r < tile.queries; ++r) {
      const T lse = forward.log_sum_exp(tile.first_query + r);
      if (lse == kNone<T>) {
        P.row(r).setZero();
      } else {
        exponentiate<T>(P.row(r), lse);
        exps += internal::exps_in(P.row(r));
      }
    }
    Matrix<T> dS = product_nt<T>(d_out, V.middleRows(tile.first_key, tile.keys));
    drop(dS, tile, cells);
    dS.colwise() -= result.row_dots.segment(tile.first_query, tile.queries);
    if (options.d_bias) part_of(result.d_bias, tile) = dS.cwiseProduct(P);
    dS.array() *= scale * P.array();
    drop(P, tile, cells);
    add_product_tn<T>(P, d_out, result.dV.middleRows(tile.first_key, tile.keys));
    result.dQ.middleRows(tile.first_query, tile.queries) += product_nn<T>(dS, k);
    add_product_tn<T>(dS, q, result.dK.middleRows(tile.first_key, tile.keys));
    // The counted work is P from the scores, dS in two passes, and the rows of dQ, which are added
    // to.
    const std::uint64_t scores = wide(P.size()), queries = wide(q.size());
    note<T>({.exps = exps, .read = 4 * scores + 2 * queries, .written = 3 * scores + queries});
  });
}

template <typename T>
FlashGradients<T> flash_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO,
                                           const FlashResult<std::type_identity_t<T>>& forward,
                                           const FlashOptions<std::type_identity_t<T>>& options,
                                           const Dropout<std::type_identity_t<T>>& dropout) {
  FlashGradients<T> result;
  flash_attention_backward<T>(Q, K, V, dO, forward, options, dropout, result);
  return result;
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template FlashResult<T> flash_attention<T>(In<T>, In<T>, In<T>, const FlashOptions<T>&,          \
                                             const Dropout<T>&);                                   \
  template void flash_attention<T>(In<T>, In<T>, In<T>, const FlashOptions<T>&, const Dropout<T>&, \
                                   FlashResult<T>&);                                               \
  template void flash_attention_backward<T>(In<T>, In<T>, In<T>, In<T>, const FlashResult<T>&,     \
                                            const FlashOptions<T>&, const Dropout<T>&,             \
                                            FlashGradients<T>&);                                   \
  template FlashGradients<T> flash_attention_backward<T>(                                          \
      In<T>, In<T>, In<T>, In<T>, const FlashResult<T>&, const FlashOptions<T>&,                   \
      const Dropout<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
