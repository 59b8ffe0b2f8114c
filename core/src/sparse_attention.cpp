#include "attn/sparse_attention.hpp"

#include "attn/attention.hpp"
#include "meter.hpp"
#include "softmax_row.hpp"

namespace attn {
namespace {

using internal::note;
using internal::wide;

/// The weights of one query over the keys it sees. Rows are gathered one by one, so that no product
/// of matrices applies and src/product.hpp is not in play.
template <typename T>
T weigh_row(In<T> Q, In<T> K, T scale, Index i, std::span<const std::int32_t> keys, T* weights) {
  T* at = weights;
  for (const Index j : keys) *at++ = scale * Q.row(i).dot(K.row(j));
  const std::uint64_t numbers = keys.size() * wide(Q.cols());
  note<T>({.multiply_adds = numbers, .read = wide(Q.cols()) + numbers, .written = keys.size()});
  return internal::softmax_row(weights, static_cast<Index>(keys.size()),
                               [](Index) { return T(1); });
}

}  // namespace

template <typename T>
SparseAttentionResult<T> sparse_attention(In<T> Q, In<T> K, In<T> V, const Pattern& pattern,
                                          const SparseAttentionOptions& options) {
  require_qkv<T>(Q, K, V);
  pattern.require_fits(Q.rows(), K.rows());
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const OperationMeter meter;
  SparseAttentionResult<T> result;
  result.output = Matrix<T>::Zero(Q.rows(), V.cols());
  result.weights.resize(pattern.nnz());
  result.log_sum_exp.resize(Q.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    const auto keys = pattern.row(i);
    T* weights = result.weights.data() + pattern.first(i);
    result.log_sum_exp(i) = weigh_row<T>(Q, K, scale, i, keys, weights);
    for (const Index j : keys) result.output.row(i) += *weights++ * V.row(j);
    const std::uint64_t numbers = keys.size() * wide(V.cols());
    note<T>({.multiply_adds = numbers, .read = keys.size() + numbers, .written = wide(V.cols())});
  }
  result.operations = meter.count(wide(result.output.size()) * sizeof(T));
  return result;
}

template <typename T>
SparseAttentionGradients<T> sparse_attention_backward(In<T> Q, In<T> K, In<T> V,
                                                      const Pattern& pattern, In<T> dO,
                                                      const SparseAttentionOptions& options) {
  require_qkv<T>(Q, K, V);
  pattern.require_fits(Q.rows(), K.rows());
  require_shape<T>("dO", dO, Q.rows(), V.cols(), "the shape of the output");
  require_finite<T>("dO", dO);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const std::uint64_t d_k = wide(Q.cols()), d_v = wide(V.cols());
  const OperationMeter meter;
  SparseAttentionGradients<T> gradients;
  gradients.dQ = Matrix<T>::Zero(Q.rows(), Q.cols());
  gradients.dK = Matrix<T>::Zero(K.rows(), K.cols());
  gradients.dV = Matrix<T>::Zero(V.rows(), V.cols());
  Vector<T> P(pattern.longest_row()), dP(pattern.longest_row());
  for (Index i = 0; i < Q.rows(); ++i) {
    const auto keys = pattern.row(i);
    const Index size = static_cast<Index>(keys.size());
    weigh_row<T>(Q, K, scale, i, keys, P.data());
    // Σ_j P_j dP_j is dO·output without the output.
    T mean = 0;
    for (Index t = 0; t < size; ++t) {
      const Index j = keys[static_cast<std::size_t>(t)];
      dP(t) = dO.row(i).dot(V.row(j));
      mean += P(t) * dP(t);
      gradients.dV.row(j) += P(t) * dO.row(i);
    }
    // dP and dV, then their sum with P.
    note<T>({.multiply_adds = keys.size() * (2 * d_v + 1),
             .read = d_v + keys.size() * (2 * d_v + 1),
             .written = keys.size() * (d_v + 1)});
    for (Index t = 0; t < size; ++t) {
      const Index j = keys[static_cast<std::size_t>(t)];
      const T d_score = scale * P(t) * (dP(t) - mean);
      gradients.dQ.row(i) += d_score * K.row(j);
      gradients.dK.row(j) += d_score * Q.row(i);
    }
    note<T>({.multiply_adds = keys.size() * 2 * d_k,
             .read = d_k + keys.size() * (2 * d_k + 2),
             .written = d_k + keys.size() * d_k});
  }
  gradients.operations = meter.count(
      wide(gradients.dQ.size() + gradients.dK.size() + gradients.dV.size()) * sizeof(T));
  return gradients;
}

#define ATTN_INSTANTIATE(T)                                                                  \
  template SparseAttentionResult<T> sparse_attention<T>(In<T>, In<T>, In<T>, const Pattern&, \
                                                        const SparseAttentionOptions&);      \
  template SparseAttentionGradients<T> sparse_attention_backward<T>(                         \
      In<T>, In<T>, In<T>, const Pattern&, In<T>, const SparseAttentionOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
