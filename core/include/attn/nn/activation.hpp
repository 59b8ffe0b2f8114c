#pragma once
// What a network applies to each number by itself.

#include <span>
#include <string_view>

#include "attn/base/tensor.hpp"

namespace attn {

enum class Activation {
  kRelu,      ///< max(x, 0); its derivative at 0 is taken as 0.
  kElu,       ///< x, below 0: e^x − 1 (Clevert et al. 2016, arXiv:1511.07289, eq. 14, α = 1)
  kGelu,      ///< x·Φ(x) with the error function (Hendrycks and Gimpel 2016, arXiv:1606.08415)
  kGeluTanh,  ///< its approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))), as in GPT-2
  kSilu,      ///< x·σ(x) (arXiv:1702.03118)
  kSoftplus,  ///< ln(1 + e^x)
  kSigmoid,   ///< σ(x) = 1/(1 + e^−x)
  kTanh,
};

/// The names that `activation_named` knows: "relu", "elu", "gelu", "gelu_tanh", "silu", "softplus",
/// "sigmoid", "tanh".
std::span<const std::string_view> activation_names();

/// @throws ValueError for a name that is none of `activation_names()`.
Activation activation_named(std::string_view name);

/// f(x) of every entry. X of any shape. Neither overflows where f itself does not. O(size).
template <typename T = float>
Matrix<T> activate(In<T> X, Activation f);

/// The gradient by X of Σ f(X) ∘ dY: f'(X) ∘ dY. O(size).
/// @throws ShapeError unless dY has X's shape.
template <typename T = float>
Matrix<T> activate_backward(In<T> X, Activation f, In<T> dY);

}  // namespace attn
