#include "attn/attention/attention.hpp"

#include <cmath>
#include <limits>

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn {

using internal::product_nn;
using internal::product_nt;

double attention_scale(const std::optional<double>& scale, Index d_k) {
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(d_k)));
  if (!std::isfinite(factor))
    throw ValueError("scale", phrase::number(factor), phrase::finite_number);
  return factor;
}

template <typename T>
void require_finite_scores(In<T> scores) {
  if (scores.allFinite()) return;
  throw ValueError("Q", phrase::scores_overflow,
                   phrase::scores_below(std::numeric_limits<T>::max()));
}

template <typename T>
void require_biased_scores(In<T> scores, In<T> bias) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  bool fits = true;
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      const T score = scores(i, j);
      fits &= score < kInfinity && (score > -kInfinity || bias(i, j) == -kInfinity);
    }
  }
  if (fits) return;
  throw ValueError("bias", phrase::bias_overflows, phrase::finite_or_minus_infinity);
}

template <typename T>
void masked_softmax_rows(Eigen::Ref<Matrix<std::type_identity_t<T>>> scores, const Mask& mask,
                         Index first_query, Index n, std::type_identity_t<T>* log_sum_exp) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  const Index m = scores.cols();
  mask.require_fits(n, m);
  std::uint64_t exps = 0;
  for (Index r = 0; r < scores.rows(); ++r) {
    const Index i = first_query + r;
    const Mask::Keys keys = mask.keys(i, n, m);
    const Index end = keys.end;
    auto row = scores.row(r);
    keys.for_each_blocked([&](Index j) { row(j) = kNone; });
    row.tail(m - end).setZero();
    auto seen = row.head(end);
    const T largest = end == 0 ? kNone : seen.maxCoeff();
    // Every key is blocked (or has a bias of −∞), and −∞ − (−∞) would be NaN.
    if (largest == kNone) {
      seen.setZero();
      if (log_sum_exp) log_sum_exp[r] = kNone;
      continue;
    }
    // Below ln(smallest normal number) exp is denormal, which costs 16 to 33 times as much in wasm;
    // and Eigen's vectorised exp never gets down to the exact 0 that a blocked cell must have.
    const T lowest = std::log(std::numeric_limits<T>::min());
    seen =
        (seen.array() - largest < lowest)
            .select(Eigen::Array<T, 1, Eigen::Dynamic>::Zero(end), (seen.array() - largest).exp());
    exps += internal::exps_in(seen);
    const T sum = seen.sum();
    seen /= sum;
    if (log_sum_exp) log_sum_exp[r] = largest + std::log(sum);
  }
  const std::uint64_t size = internal::wide(scores.size());
  internal::note<T>({.exps = exps, .read = size, .written = size});
}

template <typename T>
void attention(In<T> Q, In<T> K, In<T> V, const AttentionOptions<T>& options,
               AttentionResult<T>& result) {
  require_qkv<T>(Q, K, V);
  const Index n = Q.rows(), m = K.rows();
  options.mask.require_fits(n, m);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));

  if (internal::kernels_run<T>() && options.bias.size() == 0 &&
      internal::fused_attention<T>(Q, K, V, options.mask, scale, result.output, result.log_sum_exp,
                                   &result.weights)) {
    return;
  }
  result.weights = product_nt<T>(scale * Q, K);
  internal::note_in_place<T>(Q.size());
  require_finite_scores<T>(result.weights);
  if (options.bias.size() > 0) {
    require_shape<T>("bias", *options.bias, n, m, phrase::entry_each_query_key);
    result.weights += *options.bias;
    require_biased_scores<T>(result.weights, *options.bias);
    const std::uint64_t cells = internal::wide(result.weights.size());
    internal::note<T>({.read = 2 * cells, .written = cells});
  }
  result.log_sum_exp.resize(n);
  internal::softmax_rows<T>(result.weights, options.mask, 0, n, result.log_sum_exp.data());
  result.output = product_nn<T>(result.weights, V);
}

template <typename T>
AttentionResult<T> attention(In<T> Q, In<T> K, In<T> V, const AttentionOptions<T>& options) {
  AttentionResult<T> result;
  attention<T>(Q, K, V, options, result);
  return result;
}

template <typename T>
StandardOrderResult<T> standard_attention_order(In<T> Q, In<T> K, In<T> V) {
  require_qkv<T>(Q, K, V);
  StandardOrderResult<T> result;
  result.weights = product_nt<T>(Q, K);
  result.output = product_nn<T>(result.weights, V);
  return result;
}

#define ATTN_INSTANTIATE(T)                                                                   \
  template AttentionResult<T> attention<T>(In<T>, In<T>, In<T>, const AttentionOptions<T>&);  \
  template void attention<T>(In<T>, In<T>, In<T>, const AttentionOptions<T>&,                 \
                             AttentionResult<T>&);                                            \
  template void require_finite_scores<T>(In<T>);                                              \
  template void require_biased_scores<T>(In<T>, In<T>);                                       \
  template void masked_softmax_rows<T>(Eigen::Ref<Matrix<T>>, const Mask&, Index, Index, T*); \
  template StandardOrderResult<T> standard_attention_order<T>(In<T>, In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
