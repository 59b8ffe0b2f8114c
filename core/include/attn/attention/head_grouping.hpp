#pragma once
// Grouped heads made of a trained multi-head layer: the keys and values of the heads of a group
// become one by their mean (Ainslie et al. 2023, arXiv:2305.13245, section 2.1), after which the
// layer is trained on.

#include <cstdint>
#include <vector>

#include "attn/attention/multi_head.hpp"

namespace attn {

/// The layer with `kv_heads` key-value heads: head g of Wk is the mean of the heads g·G … g·G + G −
/// 1 of the given Wk, G = weights.kv_heads/kv_heads, and so are Wv, bk and bv. Wq and Wo stay.
/// Heads with equal keys and values make a layer that computes the same. O(size of Wk and Wv).
/// @throws as `multi_head_attention` for the weights; ValueError unless kv_heads ≥ 1 divides
/// weights.kv_heads.
template <typename T = float>
MultiHeadWeights<T> pool_heads(const MultiHeadWeights<T>& weights, Index kv_heads);

/// A layer before and after its heads were grouped.
template <typename T = float>
struct HeadGrouping {
  MultiHeadWeights<T> weights;
  /// n×outputs, of the given layer and of the grouped one.
  Matrix<T> before, after;
  /// h matrices n×n of the grouped layer.
  std::vector<Matrix<T>> attention;
  /// ‖after − before‖/‖before‖ (Frobenius); NaN where the layer gave zeros.
  double relative_change = 0;
  /// The numbers that a cache keeps of a token: key-value heads·(d + d_v), before and after.
  std::uint64_t cached_before = 0, cached_after = 0;
};

/// `pool_heads`, and what it changes of the self-attention over X (n×d_model).
/// @throws as `pool_heads` and `multi_head_attention`
template <typename T = float>
HeadGrouping<T> group_heads(In<T> X, const MultiHeadWeights<std::type_identity_t<T>>& weights,
                            Index kv_heads,
                            const HeadsOptions<std::type_identity_t<T>>& options = {});

}  // namespace attn
