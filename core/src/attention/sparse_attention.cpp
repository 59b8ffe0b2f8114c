#include "attn/attention/sparse_attention.hpp"

#include <limits>

#include "attention/dropout_cells.hpp"
#include "attention/softmax_row.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

using internal::note;
using internal::wide;

template <typename T>
bool biased(const SparseAttentionOptions<T>& options) {
  return options.bias.size() > 0 || options.cell_bias.size() > 0;
}

template <typename T>
void require_arguments(In<T> Q, In<T> K, In<T> V, const Pattern& pattern,
                       const SparseAttentionOptions<T>& options) {
  require_qkv<T>(Q, K, V);
  pattern.require_fits(Q.rows(), K.rows());
  if (options.bias.size() > 0) {
    require_shape<T>("bias", *options.bias, Q.rows(), K.rows(), phrase::entry_each_query_key);
  }
  if (options.cell_bias.size() > 0) {
    require_shape<T>("cell_bias", options.cell_bias, pattern.nnz(), 1,
                     phrase::entry_each_kept_cell);
  }
}

/// The weights of one query over the keys that it sees. Rows are gathered one by one, so the matrix
/// products of base/product.hpp cannot be used.
template <typename T>
T weigh_row(In<T> Q, In<T> K, T scale, Index i, const Pattern& pattern,
            const SparseAttentionOptions<T>& options, T* weights) {
  const auto keys = pattern.row(i);
  const Index size = static_cast<Index>(keys.size());
  T* at = weights;
  for (const Index j : keys) *at++ = scale * Q.row(i).dot(K.row(j));
  const std::uint64_t numbers = keys.size() * wide(Q.cols());
  note<T>({.multiply_adds = numbers, .read = wide(Q.cols()) + numbers, .written = keys.size()});
  Eigen::Map<Matrix<T>> scores(weights, 1, size);
  require_finite_scores<T>(scores);
  if (biased(options)) {
    // As `require_biased_scores`, without memory for the biases of a row.
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    bool fits = true;
    for (Index t = 0; t < size; ++t) {
      const Index j = keys[static_cast<std::size_t>(t)];
      const T bias = options.bias.size() > 0 ? options.bias(i, j) : T(0);
      const T cell = options.cell_bias.size() > 0 ? options.cell_bias(pattern.first(i) + t) : T(0);
      const bool blocked = bias == -kInfinity || cell == -kInfinity;
      scores(t) = scores(t) + bias + cell;
      fits = fits && scores(t) < kInfinity && (blocked || scores(t) > -kInfinity);
    }
    note<T>({.read = 2 * keys.size(), .written = keys.size()});
    if (!fits) throw ValueError("bias", phrase::bias_overflows, phrase::finite_or_minus_infinity);
  }
  return internal::softmax_row(weights, size, [](Index) { return T(1); });
}

}  // namespace

template <typename T>
SparseAttentionResult<T> sparse_attention(
    In<T> Q, In<T> K, In<T> V, const Pattern& pattern,
    const SparseAttentionOptions<std::type_identity_t<T>>& options,
    const Dropout<std::type_identity_t<T>>& dropout) {
  require_arguments<T>(Q, K, V, pattern, options);
  const internal::DropoutCells<T> cells(dropout, Q.rows(), K.rows());
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const OperationMeter meter;
  SparseAttentionResult<T> result;
  result.output = Matrix<T>::Zero(Q.rows(), V.cols());
  result.weights.resize(pattern.nnz());
  result.log_sum_exp.resize(Q.rows());
  // The kernel counts the same work as the loop below.
  if (!biased(options) && !cells.active() &&
      internal::fused_sparse_attention<T>(Q, K, V, pattern, scale, result.output, result.weights,
                                          result.log_sum_exp)) {
    result.operations = meter.count(wide(result.output.size()) * sizeof(T));
    return result;
  }
  for (Index i = 0; i < Q.rows(); ++i) {
    const auto keys = pattern.row(i);
    T* weights = result.weights.data() + pattern.first(i);
    result.log_sum_exp(i) = weigh_row<T>(Q, K, scale, i, pattern, options, weights);
    for (const Index j : keys) {
      const T factor = cells.active() ? cells.factor(i, j) : T(1);
      result.output.row(i) += *weights++ * factor * V.row(j);
    }
    const std::uint64_t numbers = keys.size() * wide(V.cols());
    note<T>({.multiply_adds = numbers, .read = keys.size() + numbers, .written = wide(V.cols())});
  }
  result.operations = meter.count(wide(result.output.size()) * sizeof(T));
  return result;
}

template <typename T>
SparseAttentionGradients<T> sparse_attention_backward(
    In<T> Q, In<T> K, In<T> V, const Pattern& pattern, In<T> dO,
    const SparseAttentionOptions<std::type_identity_t<T>>& options,
    const Dropout<std::type_identity_t<T>>& dropout) {
  require_arguments<T>(Q, K, V, pattern, options);
  const internal::DropoutCells<T> cells(dropout, Q.rows(), K.rows());
  require_shape<T>("dO", dO, Q.rows(), V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const std::uint64_t d_k = wide(Q.cols()), d_v = wide(V.cols());
  const OperationMeter meter;
  SparseAttentionGradients<T> gradients;
  gradients.dQ = Matrix<T>::Zero(Q.rows(), Q.cols());
  gradients.dK = Matrix<T>::Zero(K.rows(), K.cols());
  gradients.dV = Matrix<T>::Zero(V.rows(), V.cols());
  if (biased(options)) gradients.d_bias.resize(pattern.nnz());
  Vector<T> P(pattern.longest_row()), dP(pattern.longest_row());
  for (Index i = 0; i < Q.rows(); ++i) {
    const auto keys = pattern.row(i);
    const Index size = static_cast<Index>(keys.size());
    weigh_row<T>(Q, K, scale, i, pattern, options, P.data());
    // Σ_j P_j dP_j equals dO·output and needs no output.
    T mean = 0;
    for (Index t = 0; t < size; ++t) {
      const Index j = keys[static_cast<std::size_t>(t)];
      const T factor = cells.active() ? cells.factor(i, j) : T(1);
      dP(t) = factor * dO.row(i).dot(V.row(j));
      mean += P(t) * dP(t);
      gradients.dV.row(j) += P(t) * factor * dO.row(i);
    }
    // The counted work is dP and dV, and then the sum of dP weighted with P.
    note<T>({.multiply_adds = keys.size() * (2 * d_v + 1),
             .read = d_v + keys.size() * (2 * d_v + 1),
             .written = keys.size() * (d_v + 1)});
    for (Index t = 0; t < size; ++t) {
      const Index j = keys[static_cast<std::size_t>(t)];
      const T d_score = P(t) * (dP(t) - mean);
      if (biased(options)) gradients.d_bias(pattern.first(i) + t) = d_score;
      gradients.dQ.row(i) += scale * d_score * K.row(j);
      gradients.dK.row(j) += scale * d_score * Q.row(i);
    }
    note<T>({.multiply_adds = keys.size() * 2 * d_k,
             .read = d_k + keys.size() * (2 * d_k + 2),
             .written = d_k + keys.size() * d_k});
  }
  gradients.operations = meter.count(wide(gradients.dQ.size() + gradients.dK.size() +
                                          gradients.dV.size() + gradients.d_bias.size()) *
                                     sizeof(T));
  return gradients;
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template SparseAttentionResult<T> sparse_attention<T>(                                         \
      In<T>, In<T>, In<T>, const Pattern&, const SparseAttentionOptions<T>&, const Dropout<T>&); \
  template SparseAttentionGradients<T> sparse_attention_backward<T>(                             \
      In<T>, In<T>, In<T>, const Pattern&, In<T>, const SparseAttentionOptions<T>&,              \
      const Dropout<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
