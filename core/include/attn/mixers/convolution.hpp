#pragma once
// Causal convolutions, each channel by itself: a few taps, or as many as the sequence has tokens.
// Both are lower-triangular Toeplitz matrices that do not depend on the tokens.

#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct ShortConvolutionResult {
  /// n×d
  Matrix<T> output;
  /// (k − 1)×d: the last inputs, oldest first, which the next token still sees.
  Matrix<T> state;
};

/// output_t = bias + Σ_j taps(c, j)·x_{t − (k − 1) + j}, so the last of the k taps meets the token
/// itself (PyTorch's conv1d with groups = d and k − 1 zeros in front). X n×d, taps d×k, bias d or
/// empty. `before`: the k − 1 inputs before the first, nullptr for zeros. n·d·k multiply-adds.
/// @throws ShapeError, ValueError for shapes that do not fit or entries that are not finite.
template <typename T = float>
ShortConvolutionResult<T> short_convolution(
    In<T> X, In<T> taps, InVector<T> bias, const Matrix<std::type_identity_t<T>>* before = nullptr);

template <typename T = float>
struct ShortConvolutionGradients {
  /// As X, the taps and the bias; empty where the bias is.
  Matrix<T> dX, d_taps;
  Vector<T> d_bias;
};

/// Gradients of Σ output ∘ dO from zeros before the first token. 2·n·d·k multiply-adds.
/// @throws as `short_convolution`
template <typename T = float>
ShortConvolutionGradients<T> short_convolution_backward(In<T> X, In<T> taps, InVector<T> bias,
                                                        In<T> dO);

/// How a long convolution is computed.
enum class ConvolutionForm {
  /// Each sum as it is written: n·(n + 1)/2·d multiply-adds. The definition.
  kDirect,
  /// Products of spectra, of sequences padded with zeros to a power of two of at least 2n, so that
  /// nothing comes around from the end: O(d·n·log n). Eigen's FFT (kissfft).
  kFft,
};

/// output_t = through ∘ x_t + Σ_{s ≤ t} filter_{t−s} ∘ x_s. X n×d; filter at least n rows (those
/// after row n − 1 do not matter), d columns; through d or empty for 0. There is no state of
/// constant size: the next token needs all n inputs (Poli et al. 2023, arXiv:2302.10866, eq. 3).
/// @throws ShapeError, ValueError for shapes that do not fit or entries that are not finite.
template <typename T = float>
Matrix<T> long_convolution(In<T> X, In<T> filter, InVector<T> through,
                           ConvolutionForm form = ConvolutionForm::kFft);

template <typename T = float>
struct LongConvolutionGradients {
  /// As X, the filter and `through`; empty where that is.
  Matrix<T> dX, d_filter;
  Vector<T> d_through;
};

/// Gradients of Σ output ∘ dO, in the same form. @throws as `long_convolution`
template <typename T = float>
LongConvolutionGradients<T> long_convolution_backward(In<T> X, In<T> filter, InVector<T> through,
                                                      In<T> dO,
                                                      ConvolutionForm form = ConvolutionForm::kFft);

/// The n×n lower-triangular matrix with filter(i − j) at (i, j), 0 for a filter of fewer entries,
/// and `through` added to its diagonal. O(n²).
/// @throws ValueError unless n ≥ 1.
template <typename T = float>
Matrix<T> toeplitz_weights(InVector<T> filter, Index n, double through = 0);

/// Multiply-adds that a transform of `size` numbers counts as: 4 for each of its size/2·log₂ size
/// butterflies, as in the radix-2 form, whichever radix the library takes. `size` a power of two.
std::uint64_t fft_multiply_adds(Index size);

/// The length of the transforms of `long_convolution`: the power of two that is at least 2n, at
/// least 4.
Index long_convolution_transform(Index n);

}  // namespace attn
