#pragma once
// Attention over batches and heads.

#include <vector>

#include "attn/attention/attention_training.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct BatchedAttentionOptions {
  /// The options for all batch entries and heads; the bias is n×m.
  AttentionOptions<T> attention;
  /// One mask for each batch entry in place of `attention.mask`, for sentences padded to one
  /// length. Empty for none.
  std::vector<Mask> batch_masks;
  /// Every head draws its own cells: head h of entry b uses stream `stream + b·heads + h`. A given
  /// `keep` is (batch·heads·n)×m, with the heads one below the other.
  Dropout<T> dropout;
  /// Whether the result holds the weights, batch·heads·n·m numbers.
  bool weights = true;
};

template <typename T = float>
struct BatchedAttentionResult {
  /// batch×heads×n×d_v
  Stack<T> output;
  /// batch×heads×n×m; empty when not asked for.
  Stack<T> weights;
  /// batch×heads×n×1
  Stack<T> log_sum_exp;
};

/// `attention` of every head of every batch entry on its own. Q batch×heads×n×d_k, K
/// batch×heads×m×d_k, V batch×heads×m×d_v. batch·heads·n·m·(d_k + d_v) multiply-adds.
/// @throws ShapeError, ValueError
template <typename T = float>
BatchedAttentionResult<T> attention(
    const Stack<std::type_identity_t<T>>& Q, const Stack<std::type_identity_t<T>>& K,
    const Stack<std::type_identity_t<T>>& V,
    const BatchedAttentionOptions<std::type_identity_t<T>>& options = {});

template <typename T = float>
struct BatchedAttentionGradients {
  /// The gradients, shaped as Q, K and V.
  Stack<T> dQ, dK, dV;
  /// n×m: summed over batch entries and heads, which share the bias. Empty when there is none.
  Matrix<T> d_bias;
};

/// Gradients of Σ output ∘ dO. dO batch×heads×n×d_v. batch·heads·n·m·3·(d_k + d_v) multiply-adds;
/// O(n·m) memory beside the result.
/// @throws ShapeError, ValueError
template <typename T = float>
BatchedAttentionGradients<T> attention_backward(
    const Stack<std::type_identity_t<T>>& Q, const Stack<std::type_identity_t<T>>& K,
    const Stack<std::type_identity_t<T>>& V, const Stack<std::type_identity_t<T>>& dO,
    const BatchedAttentionOptions<std::type_identity_t<T>>& options = {});

}  // namespace attn
