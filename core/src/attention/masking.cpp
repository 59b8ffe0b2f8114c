#include "attn/attention/masking.hpp"

#include <limits>
#include <string>

#include "attn/attention/softmax.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

/// 0 where keep(i, j), else −∞.
template <typename T, typename Keep>
Matrix<T> additive_mask(Index n, Keep keep) {
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  Matrix<T> mask(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      mask(i, j) = keep(i, j) ? T(0) : -std::numeric_limits<T>::infinity();
    }
  }
  return mask;
}

template <typename T>
MaskingScenario<T> scenario(In<T> Q, In<T> K, In<T> V, Matrix<T> mask) {
  AttentionOptions<T> options;
  options.bias = std::move(mask);
  MaskingScenario<T> result;
  result.attention = attention<T>(Q, K, V, options);
  const Matrix<T>& weights = result.attention.weights;
  const Index n = weights.rows();
  for (Index i = 0; i < n; ++i) {
    const auto row = weights.row(i).template cast<double>();
    result.past += row.head(i).sum();
    result.self += row(i);
    result.future += row.tail(n - i - 1).sum();
    result.entropy += entropy<T>(weights.row(i).transpose());
  }
  for (double* mean : {&result.past, &result.self, &result.future, &result.entropy}) {
    *mean /= static_cast<double>(n);
  }
  return result;
}

}  // namespace

template <typename T>
Matrix<T> create_causal_mask(Index n) {
  return additive_mask<T>(n, [](Index i, Index j) { return j <= i; });
}

template <typename T>
Matrix<T> create_reverse_mask(Index n) {
  return additive_mask<T>(n, [](Index i, Index j) { return j >= i; });
}

template <typename T>
MaskingComparison<T> compare_masking(In<T> Q, In<T> K, In<T> V) {
  require_qkv<T>(Q, K, V);
  const Index n = Q.rows();
  if (K.rows() != n) {
    throw ShapeError("K", phrase::shape(K.rows(), K.cols()),
                     phrase::shape_because(n, K.cols(), phrase::key_each_query));
  }
  return {scenario<T>(Q, K, V, create_causal_mask<T>(n)), scenario<T>(Q, K, V, {}),
          scenario<T>(Q, K, V, create_reverse_mask<T>(n))};
}

#define ATTN_INSTANTIATE(T)                         \
  template Matrix<T> create_causal_mask<T>(Index);  \
  template Matrix<T> create_reverse_mask<T>(Index); \
  template MaskingComparison<T> compare_masking<T>(In<T>, In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
