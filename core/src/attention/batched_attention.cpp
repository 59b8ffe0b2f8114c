#include "attn/attention/batched_attention.hpp"

#include <string>

#include "attention/dropout_cells.hpp"
#include "attention/stacks.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

template <typename T>
void require_stacks(const Stack<T>& Q, const Stack<T>& K, const Stack<T>& V,
                    const BatchedAttentionOptions<T>& options) {
  internal::require_stacks(Q, K, V);
  const Index masks = static_cast<Index>(options.batch_masks.size());
  if (masks != 0 && masks != Q.batch()) {
    throw ShapeError("batch_masks", phrase::masks_seen(masks),
                     phrase::count_because(Q.batch(), phrase::one_each_batch_entry));
  }
  internal::require_keep(options.dropout, Q.count(), Q.rows(), K.rows());
}

template <typename T>
AttentionOptions<T> options_of(const BatchedAttentionOptions<T>& options, Index b) {
  AttentionOptions<T> one = options.attention;
  if (!options.batch_masks.empty()) one.mask = options.batch_masks[static_cast<std::size_t>(b)];
  return one;
}

}  // namespace

template <typename T>
BatchedAttentionResult<T> attention(
    const Stack<std::type_identity_t<T>>& Q, const Stack<std::type_identity_t<T>>& K,
    const Stack<std::type_identity_t<T>>& V,
    const BatchedAttentionOptions<std::type_identity_t<T>>& options) {
  require_stacks<T>(Q, K, V, options);
  const Index batch = Q.batch(), heads = Q.heads(), n = Q.rows(), m = K.rows();
  BatchedAttentionResult<T> result{{batch, heads, n, V.cols()}, {}, {batch, heads, n, 1}};
  if (options.weights) result.weights = Stack<T>(batch, heads, n, m);
  for (Index b = 0; b < batch; ++b) {
    const AttentionOptions<T> how = options_of<T>(options, b);
    for (Index h = 0; h < heads; ++h) {
      const Dropout<T> dropout = internal::dropout_of<T>(options.dropout, b * heads + h, n);
      const AttentionResult<T> one = attention<T>(Q(b, h), K(b, h), V(b, h), how, dropout);
      result.output(b, h) = one.output;
      result.log_sum_exp(b, h) = one.log_sum_exp;
      if (options.weights) result.weights(b, h) = one.weights;
      internal::note_in_place<T>(one.output.size() + (options.weights ? one.weights.size() : 0));
    }
  }
  return result;
}

template <typename T>
BatchedAttentionGradients<T> attention_backward(
    const Stack<std::type_identity_t<T>>& Q, const Stack<std::type_identity_t<T>>& K,
    const Stack<std::type_identity_t<T>>& V, const Stack<std::type_identity_t<T>>& dO,
    const BatchedAttentionOptions<std::type_identity_t<T>>& options) {
  require_stacks<T>(Q, K, V, options);
  internal::require_heads_of_q<T>("dO", dO, Q);
  const Index batch = Q.batch(), heads = Q.heads(), n = Q.rows(), m = K.rows();
  BatchedAttentionGradients<T> result{
      {batch, heads, n, Q.cols()}, {batch, heads, m, K.cols()}, {batch, heads, m, V.cols()}, {}};
  const bool biased = options.attention.bias.size() > 0;
  if (biased) result.d_bias = Matrix<T>::Zero(n, m);
  for (Index b = 0; b < batch; ++b) {
    const AttentionOptions<T> how = options_of<T>(options, b);
    for (Index h = 0; h < heads; ++h) {
      const Dropout<T> dropout = internal::dropout_of<T>(options.dropout, b * heads + h, n);
      const AttentionGradients<T> one =
          attention_backward<T>(Q(b, h), K(b, h), V(b, h), dO(b, h), how, dropout);
      result.dQ(b, h) = one.dQ;
      result.dK(b, h) = one.dK;
      result.dV(b, h) = one.dV;
      if (biased) result.d_bias += one.d_bias;
      internal::note_in_place<T>(one.dQ.size() + one.dK.size() + one.dV.size());
    }
  }
  return result;
}

#define ATTN_INSTANTIATE(T)                                                                     \
  template BatchedAttentionResult<T> attention<T>(                                              \
      const Stack<T>&, const Stack<T>&, const Stack<T>&, const BatchedAttentionOptions<T>&);    \
  template BatchedAttentionGradients<T> attention_backward<T>(const Stack<T>&, const Stack<T>&, \
                                                              const Stack<T>&, const Stack<T>&, \
                                                              const BatchedAttentionOptions<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
