#pragma once
// The linear layer, in PyTorch's layout.

#include "attn/base/tensor.hpp"

namespace attn {

/// Y = X·Wᵀ + b. X n×inputs, W outputs×inputs, b of `outputs` entries or empty for none.
/// n·inputs·outputs multiply-adds.
/// @throws ShapeError for an X without entries or a W or b that does not fit.
template <typename T = float>
Matrix<T> linear(In<T> X, In<T> W, InVector<T> bias);

/// X·Wᵀ.
template <typename T = float>
Matrix<T> linear(In<T> X, In<T> W);

/// The same, written into `Y` (n×outputs). Allocates nothing.
template <typename T = float>
void linear_into(In<T> X, In<T> W, InVector<T> bias, Eigen::Ref<Matrix<std::type_identity_t<T>>> Y);

template <typename T = float>
struct LinearGradients {
  /// As X and W, and as the bias: empty where that is.
  Matrix<T> dX, dW;
  Vector<T> d_bias;
};

/// Gradients of Σ Y ∘ dY: dX = dY·W, dW = dYᵀX, d_bias the sum of dY's rows. 2·n·inputs·outputs
/// multiply-adds. @throws as `linear`, and ShapeError for a dY that is not n×outputs.
template <typename T = float>
LinearGradients<T> linear_backward(In<T> X, In<T> W, InVector<T> bias, In<T> dY);

/// The same for parameters whose gradients lie elsewhere: adds to dW and d_bias (empty for none)
/// and writes dX. Allocates nothing.
template <typename T = float>
void linear_backward_into(In<T> X, In<T> W, In<T> dY,
                          Eigen::Ref<Matrix<std::type_identity_t<T>>> dX,
                          Eigen::Ref<Matrix<std::type_identity_t<T>>> dW,
                          Eigen::Ref<Vector<std::type_identity_t<T>>> d_bias);

}  // namespace attn
