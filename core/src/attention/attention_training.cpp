#include "attn/attention/attention_training.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "attention/dropout_cells.hpp"
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
using internal::product_tn;
using internal::wide;

/// keep/(1 − p), the factor on each weight; empty when nothing is dropped.
template <typename T>
Matrix<T> dropout_factor(Index n, Index m, const Dropout<T>& dropout) {
  const internal::DropoutCells<T> cells(dropout, n, m);
  if (!cells.active()) return {};
  Matrix<T> factor(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) factor(i, j) = cells.factor(i, j);
  }
  return factor;
}

/// The gradients from n×m weights, block by block of queries, so that dP stays in the cache instead
/// of being written and read three times. result.d_bias may be the weights themselves.
template <typename T>
void gradients_by_blocks(In<T> weights, In<T> Q, In<T> K, In<T> V, In<T> dO, T scale,
                         AttentionGradients<T>& result) {
  constexpr Index kQueries = 64;
  const Index n = Q.rows(), m = K.rows();
  result.dQ.resize(n, Q.cols());
  result.dK.setZero(m, K.cols());
  result.dV.setZero(m, V.cols());
  Matrix<T> d_weights(std::min(n, kQueries), m);
  for (Index first = 0; first < n; first += kQueries) {
    const Index count = std::min(kQueries, n - first);
    const auto P = weights.middleRows(first, count), d_out = dO.middleRows(first, count);
    auto dP = d_weights.topRows(count), dS = result.d_bias.middleRows(first, count);
    internal::product_nt<T>(d_out, V, dP);
    add_product_tn<T>(P, d_out, result.dV);
    dS = P.cwiseProduct(dP.colwise() - result.row_dots.segment(first, count));
    product_nn<T>(dS, K, result.dQ.middleRows(first, count));
    add_product_tn<T>(dS, Q.middleRows(first, count), result.dK);
  }
  result.dQ *= scale;
  result.dK *= scale;
}

/// `attention_backward_from`; with `spare`, forward.weights, d_bias takes their place.
template <typename T>
AttentionGradients<T> gradients(const AttentionResult<T>& forward, Matrix<T>* spare, In<T> Q,
                                In<T> K, In<T> V, In<T> dO, const AttentionOptions<T>& options,
                                const Dropout<T>& dropout) {
  require_qkv<T>(Q, K, V);
  const Index n = Q.rows(), m = K.rows();
  require_shape<T>("dO", dO, n, V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  require_shape<T>("forward.weights", forward.weights, n, m, phrase::entry_each_query_key);
  require_shape<T>("forward.output", forward.output, n, V.cols(), phrase::rows_as_q_columns_as_v);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const Matrix<T> factor = dropout_factor<T>(n, m, dropout);

  AttentionGradients<T> result;
  const std::uint64_t cells = wide(n) * wide(m), outputs = wide(dO.size());
  result.row_dots = dO.cwiseProduct(forward.output).rowwise().sum();
  note<T>({.multiply_adds = outputs, .read = 2 * outputs});
  if (internal::kernels_run<T>() && factor.size() == 0) {
    if (spare == nullptr) {
      result.d_bias.resize(n, m);
      gradients_by_blocks<T>(forward.weights, Q, K, V, dO, scale, result);
    } else {
      result.d_bias = std::move(*spare);
      gradients_by_blocks<T>(result.d_bias, Q, K, V, dO, scale, result);
    }
    return result;
  }
  result.d_bias = product_nt<T>(dO, V);
  if (factor.size() > 0) {
    result.dV = product_tn<T>(forward.weights.cwiseProduct(factor), dO);
    result.d_bias.array() *= factor.array();
    note<T>({.read = 4 * cells, .written = 2 * cells});
  } else {
    result.dV = product_tn<T>(forward.weights, dO);
  }
  result.d_bias.colwise() -= result.row_dots;
  result.d_bias.array() *= forward.weights.array();
  note<T>({.read = 3 * cells, .written = 2 * cells});
  result.dQ = scale * product_nn<T>(result.d_bias, K);
  result.dK = scale * product_tn<T>(result.d_bias, Q);
  internal::note_in_place<T>(Q.size() + K.size());
  return result;
}

}  // namespace

template <typename T>
Matrix<T> dropout_keep(Index n, Index m, const Dropout<T>& dropout) {
  const auto require_count = [](const char* name, Index count) {
    if (count < 0) throw ValueError(name, phrase::number(count), phrase::at_least(0));
  };
  require_count("n", n);
  require_count("m", m);
  const internal::DropoutCells<T> cells(dropout, n, m);
  Matrix<T> keep(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) keep(i, j) = cells.keeps(i, j) ? T(1) : T(0);
  }
  return keep;
}

template <typename T>
AttentionResult<T> attention(In<T> Q, In<T> K, In<T> V,
                             const AttentionOptions<std::type_identity_t<T>>& options,
                             const Dropout<std::type_identity_t<T>>& dropout) {
  const Matrix<T> factor = dropout_factor<T>(Q.rows(), K.rows(), dropout);
  AttentionResult<T> result = attention<T>(Q, K, V, options);
  if (factor.size() > 0) {
    result.output = product_nn<T>(result.weights.cwiseProduct(factor), V);
    note<T>({.read = 2 * wide(factor.size()), .written = wide(factor.size())});
  }
  return result;
}

template <typename T>
AttentionGradients<T> attention_backward_from(
    const AttentionResult<std::type_identity_t<T>>& forward, In<T> Q, In<T> K, In<T> V, In<T> dO,
    const AttentionOptions<std::type_identity_t<T>>& options,
    const Dropout<std::type_identity_t<T>>& dropout) {
  return gradients<T>(forward, nullptr, Q, K, V, dO, options, dropout);
}

template <typename T>
AttentionGradients<T> attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO,
                                         const AttentionOptions<std::type_identity_t<T>>& options,
                                         const Dropout<std::type_identity_t<T>>& dropout) {
  AttentionResult<T> forward = attention<T>(Q, K, V, options, dropout);
  return gradients<T>(forward, &forward.weights, Q, K, V, dO, options, dropout);
}

#define ATTN_INSTANTIATE(T)                                                                 \
  template Matrix<T> dropout_keep<T>(Index, Index, const Dropout<T>&);                      \
  template AttentionResult<T> attention<T>(In<T>, In<T>, In<T>, const AttentionOptions<T>&, \
                                           const Dropout<T>&);                              \
  template AttentionGradients<T> attention_backward<T>(                                     \
      In<T>, In<T>, In<T>, In<T>, const AttentionOptions<T>&, const Dropout<T>&);           \
  template AttentionGradients<T> attention_backward_from<T>(                                \
      const AttentionResult<T>&, In<T>, In<T>, In<T>, In<T>, const AttentionOptions<T>&,    \
      const Dropout<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
