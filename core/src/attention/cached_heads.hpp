#pragma once
// Attention of several heads over keys and values that some cache holds.

#include <algorithm>
#include <span>
#include <utility>

#include "attn/attention/kv_cache.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn::internal {

/// Query heads g·heads/kv_heads … of Q over `keys_of(g)` and `values_of(g)`, which are matrices
/// that stay valid until they are asked for the next head. Every cache goes through here, so that
/// the same keys and values give the same bits.
template <typename T, typename KeysOf, typename ValuesOf>
KvAttention<T> attend_cached(In<T> Q, Index heads, Index kv_heads, Index d_k, Index d_v,
                             const AttentionOptions<T>& each, KeysOf keys_of, ValuesOf values_of) {
  const Index r = Q.rows(), group = heads / kv_heads;
  KvAttention<T> result;
  result.output.resize(r, heads * d_v);
  for (Index g = 0; g < kv_heads; ++g) {
    const auto K = keys_of(g), V = values_of(g);
    if (kernels_run<T>()) {
      Vector<T> log_sum_exp(group * r);
      const Index first = g * group;
      const auto before = static_cast<std::size_t>(first);
      result.weights.resize(before + static_cast<std::size_t>(group));
      if (fused_heads<T>(Q.middleCols(first * d_k, group * d_k), K, V, each.mask,
                         static_cast<T>(*each.scale), result.output.data() + first * d_v,
                         heads * d_v, log_sum_exp.data(),
                         std::span(result.weights).subspan(before))) {
        continue;
      }
      result.weights.resize(before);
    }
    for (Index i = g * group; i < (g + 1) * group; ++i) {
      AttentionResult<T> head = attention<T>(Q.middleCols(i * d_k, d_k), K, V, each);
      result.output.middleCols(i * d_v, d_v) = head.output;
      note_in_place<T>(head.output.size());
      result.weights.push_back(std::move(head.weights));
    }
  }
  return result;
}

}  // namespace attn::internal
