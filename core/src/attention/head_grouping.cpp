#include "attn/attention/head_grouping.hpp"

#include <limits>

#include "attention/head_pooling.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"

namespace attn {

template <typename T>
MultiHeadWeights<T> pool_heads(const MultiHeadWeights<T>& weights, Index kv_heads) {
  // Checks them.
  count_parameters<T>(weights);
  if (kv_heads < 1 || weights.kv_heads % kv_heads != 0) {
    throw ValueError("kv_heads", phrase::number(kv_heads), phrase::divisor(weights.kv_heads));
  }
  MultiHeadWeights<T> made = weights;
  const auto pooled = [&](const auto& rows) {
    return internal::mean_of_groups<T>(rows, weights.kv_heads, kv_heads);
  };
  made.kv_heads = kv_heads;
  made.Wk = pooled(weights.Wk);
  made.Wv = pooled(weights.Wv);
  made.bk = pooled(weights.bk);
  made.bv = pooled(weights.bv);
  return made;
}

template <typename T>
HeadGrouping<T> group_heads(In<T> X, const MultiHeadWeights<std::type_identity_t<T>>& weights,
                            Index kv_heads, const HeadsOptions<std::type_identity_t<T>>& options) {
  HeadGrouping<T> made;
  made.weights = pool_heads<T>(weights, kv_heads);
  made.before = multi_head_attention<T>(X, weights, options).output;
  MultiHeadResult<T> after = multi_head_attention<T>(X, made.weights, options);
  made.after = std::move(after.output);
  made.attention = std::move(after.heads.weights);
  const double size = made.before.template cast<double>().norm();
  const double apart = (made.after - made.before).template cast<double>().norm();
  made.relative_change = size > 0 ? apart / size : std::numeric_limits<double>::quiet_NaN();
  made.cached_before = static_cast<std::uint64_t>(weights.Wk.rows() + weights.Wv.rows());
  made.cached_after = static_cast<std::uint64_t>(made.weights.Wk.rows() + made.weights.Wv.rows());
  return made;
}

#define ATTN_INSTANTIATE(T)                                                         \
  template MultiHeadWeights<T> pool_heads<T>(const MultiHeadWeights<T>&, Index);    \
  template HeadGrouping<T> group_heads<T>(In<T>, const MultiHeadWeights<T>&, Index, \
                                          const HeadsOptions<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
