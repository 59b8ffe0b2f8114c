#pragma once
// Layers that bring each row to a common size.

#include "attn/base/tensor.hpp"

namespace attn {

/// As PyTorch has it.
inline constexpr double kLayerNormEpsilon = 1e-5;
/// As flash-linear-attention and Llama have it.
inline constexpr double kRmsNormEpsilon = 1e-6;

/// y = (x − mean)/√(variance + ε)·weight + bias, row by row, with the variance over d, not d − 1
/// (Ba et al. 2016, arXiv:1607.06450, eq. 4). X n×d; weight and bias d, or empty for 1 and 0. Mean
/// and variance are summed in float64. O(n·d).
/// @throws ShapeError, ValueError for an X without entries, a weight or bias of another length, or
/// ε that is not at least 0 and finite.
template <typename T = float>
Matrix<T> layer_norm(In<T> X, InVector<T> weight, InVector<T> bias,
                     double epsilon = kLayerNormEpsilon);

/// y = x/√(mean of x² + ε)·weight (Zhang and Sennrich 2019, arXiv:1910.07467, eq. 4). As
/// `layer_norm`.
template <typename T = float>
Matrix<T> rms_norm(In<T> X, InVector<T> weight, double epsilon = kRmsNormEpsilon);

template <typename T = float>
struct NormGradients {
  /// n×d
  Matrix<T> dX;
  /// d; empty where the parameter is.
  Vector<T> d_weight, d_bias;
};

/// Gradients of Σ layer_norm(X) ∘ dY. @throws as `layer_norm`, and for a dY of another shape.
template <typename T = float>
NormGradients<T> layer_norm_backward(In<T> X, InVector<T> weight, InVector<T> bias, In<T> dY,
                                     double epsilon = kLayerNormEpsilon);

/// Gradients of Σ rms_norm(X) ∘ dY; `d_bias` stays empty. @throws as `rms_norm`, and for a dY of
/// another shape.
template <typename T = float>
NormGradients<T> rms_norm_backward(In<T> X, InVector<T> weight, In<T> dY,
                                   double epsilon = kRmsNormEpsilon);

}  // namespace attn
