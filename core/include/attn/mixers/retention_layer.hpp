#pragma once
// The layer of RetNet: several heads of retention that forget at different rates, each brought to a
// common size, and a gate. Sun et al. 2023, arXiv:2307.08621, eq. 8; conventions of
// microsoft/torchscale.

#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// Every W is outputs×inputs, without biases.
template <typename T = float>
struct RetentionLayerWeights {
  Index heads = 1;
  /// h·d_k × d_model
  Matrix<T> q, k;
  /// h·d_v × d_model
  Matrix<T> v, gate;
  /// d_model × h·d_v
  Matrix<T> out;
};

/// The form decides only by what each head's row is divided before its norm, which takes any factor
/// out again: the outputs differ by the norm's ε.
enum class RetentionForm {
  kParallel,
  /// Each row divided by √Σ_{i ≤ t} γ^i alone. The gradients are this form's.
  kRecurrent,
  kChunked,
};

struct RetentionLayerOptions {
  RetentionForm form = RetentionForm::kRecurrent;
  /// Tokens worked on together; in the chunked form also what rows are divided by depends on it. 0:
  /// all of them, so that nothing is cut into chunks and the chunked form is the parallel one.
  Index chunk = 64;
  double epsilon = 1e-6;
};

template <typename T = float>
struct RetentionLayerResult {
  /// n×d_model
  Matrix<T> output;
  /// For each head the d_k×d_v state after the last token, not divided by anything.
  std::vector<Matrix<T>> states;
};

/// The speeds with which positions turn queries and keys in neighbouring pairs: 10000^(−c/(d_k/2 −
/// 1)), which are not those of `rotate`.
Vector<double> retention_speeds(Index d_k);

/// For each head retention with the decay of `retention_log_decay`, of queries and of keys divided
/// by √d_k, both turned by their position; RMSNorm over each head's row without a gain; then
/// (silu(X·gateᵀ) ∘ heads)·outᵀ. X n×d_model. Projections, and for each head the cost of
/// `matrix_state`; the state are h·d_k·d_v numbers.
/// `states`: those after `offset` tokens before the first, nullptr for none.
/// @throws ShapeError, ValueError, also for chunk < 0
template <typename T = float>
RetentionLayerResult<T> retention_layer(
    In<T> X, const RetentionLayerWeights<std::type_identity_t<T>>& weights,
    const RetentionLayerOptions& options = {}, Index offset = 0,
    const std::vector<Matrix<std::type_identity_t<T>>>* states = nullptr);

template <typename T = float>
struct RetentionLayerGradients {
  Matrix<T> dX;
  RetentionLayerWeights<T> d_weights;
};

/// Gradients of Σ output ∘ dO of the recurrent form, from no token before. The forward pass is
/// computed again. @throws as `retention_layer`, and for a dO of another shape.
template <typename T = float>
RetentionLayerGradients<T> retention_layer_backward(
    In<T> X, const RetentionLayerWeights<std::type_identity_t<T>>& weights, In<T> dO,
    const RetentionLayerOptions& options = {});

/// What one head weighs values with in the parallel form before its scores: γ^(i−j)/√Σ_{l ≤ i} γ^l
/// for j ≤ i, else 0. n×n.
template <typename T = float>
Matrix<T> retention_decay_mask(Index n, Index head);

/// The n×n matrix that one head applies to its values, before the norm: the recurrent form's.
/// @throws as `retention_layer`, and ValueError for a head that is not there.
template <typename T = float>
Matrix<T> retention_layer_weights(In<T> X,
                                  const RetentionLayerWeights<std::type_identity_t<T>>& weights,
                                  Index head);

}  // namespace attn
