#pragma once
// The part of a block that works on each token by itself.

#include "attn/base/tensor.hpp"
#include "attn/nn/activation.hpp"

namespace attn {

/// Every W is outputs×inputs. Without `gate` the plain network f(X·upᵀ + up_bias)·downᵀ +
/// down_bias; with it the gated one, (f(X·gateᵀ) ∘ (X·upᵀ + up_bias))·downᵀ + down_bias: SwiGLU for
/// f = silu (Shazeer 2020, arXiv:2002.05202, eq. 6).
template <typename T = float>
struct FeedForwardWeights {
  /// width×d, and width×d or empty.
  Matrix<T> up, gate;
  /// d×width
  Matrix<T> down;
  /// As many entries as outputs, or none.
  Vector<T> up_bias, down_bias;
};

/// What the way back needs of a forward pass, n×width each: the two projections before f (`gate` is
/// empty where there is none), and what goes into the last layer.
template <typename T = float>
struct FeedForwardRun {
  Matrix<T> up, gate, joined;
};

/// X n×d. 2·n·d·width multiply-adds, 3·n·d·width with a gate. `run` keeps what
/// `feed_forward_backward_from` needs.
/// @throws ShapeError
template <typename T = float>
Matrix<T> feed_forward(In<T> X, const FeedForwardWeights<std::type_identity_t<T>>& weights,
                       Activation f = Activation::kGelu, FeedForwardRun<T>* run = nullptr);

template <typename T = float>
struct FeedForwardGradients {
  Matrix<T> dX;
  /// In their places; empty where the parameter is.
  FeedForwardWeights<T> d_weights;
};

/// Gradients of Σ output ∘ dO. The forward pass is computed again. @throws ShapeError
template <typename T = float>
FeedForwardGradients<T> feed_forward_backward(
    In<T> X, const FeedForwardWeights<std::type_identity_t<T>>& weights, In<T> dO,
    Activation f = Activation::kGelu);

/// The same from a stored forward pass of the same arguments. @throws ShapeError
template <typename T = float>
FeedForwardGradients<T> feed_forward_backward_from(
    const FeedForwardRun<std::type_identity_t<T>>& run, In<T> X,
    const FeedForwardWeights<std::type_identity_t<T>>& weights, In<T> dO,
    Activation f = Activation::kGelu);

}  // namespace attn
