#pragma once
// Hyena: products of the tokens with each other, entry by entry, and convolutions as long as the
// sequence in between. Poli et al. 2023, arXiv:2302.10866, definition 3.1 and section 3.3;
// conventions of HazyResearch/safari.

#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// A filter that is not stored tap by tap but computed from the tap's place by a small network with
/// sines: h = (e^{−t|δ|} + shift) ∘ W_last sin(f ∘ (… sin(f ∘ (W_0 z + b_0)) …)), with t from 0
/// to 1.
template <typename T = float>
struct HyenaFilterWeights {
  /// width×features, then width×width, last channels×width. At least two.
  std::vector<Matrix<T>> layers;
  /// `width` entries each, for every layer but the last, which has none.
  std::vector<Vector<T>> biases;
  /// f, of `width` entries: one for all sines.
  Vector<T> frequency;
};

struct HyenaFilterOptions {
  /// The longest sequence: what t = 1 is. Filters of shorter sequences are the first taps.
  Index length = 0;
  double shift = 0;
  /// The slowest channel's window falls to `target` at t = slow, the fastest's at t = fast.
  double target = 1e-2, slow = 1.5, fast = 0.3;
};

/// The features z of the first `taps` places: t, then the real and the imaginary parts of
/// e^{−i·f·w}, w = 2π·place/length, for (features − 1)/2 frequencies f from 1e-4 to their number
/// less one. taps×features. O(taps·features).
/// @throws ValueError unless 1 ≤ taps ≤ length and features is odd and at least 3.
template <typename T = float>
Matrix<T> hyena_positions(Index taps, Index length, Index features);

/// δ of each channel: from ln(target)/slow to ln(target)/fast in equal steps; below 0.
/// @throws ValueError unless channels ≥ 1.
template <typename T = float>
Vector<T> hyena_decays(Index channels, const HyenaFilterOptions& options);

/// The first `taps` taps of every channel's filter: taps×channels. It does not depend on the input.
/// taps·Σ layers multiply-adds.
/// @throws ShapeError, ValueError
template <typename T = float>
Matrix<T> hyena_filter(const HyenaFilterWeights<std::type_identity_t<T>>& weights, Index taps,
                       const HyenaFilterOptions& options);

/// Gradients of Σ filter ∘ dH by the weights, in their places. dH taps×channels.
/// @throws as `hyena_filter`, and for a dH of another shape.
template <typename T = float>
HyenaFilterWeights<T> hyena_filter_backward(
    const HyenaFilterWeights<std::type_identity_t<T>>& weights, const HyenaFilterOptions& options,
    In<T> dH);

/// A layer of order N: N + 1 projections of width d, of which the last is v.
template <typename T = float>
struct HyenaWeights {
  /// (N + 1)·d × d, and (N + 1)·d entries or none.
  Matrix<T> in;
  Vector<T> in_bias;
  /// (N + 1)·d × k: a short convolution over the projections; and its bias, or none.
  Matrix<T> taps;
  Vector<T> taps_bias;
  /// Of (N − 1)·d channels; channel c·(N − 1) + o is filter o of channel c.
  HyenaFilterWeights<T> filter;
  /// (N − 1)·d, in the order of the filter's channels: what passes by the convolution.
  Vector<T> through;
  /// d×d, and d entries or none.
  Matrix<T> out;
  Vector<T> out_bias;

  /// N. @throws ShapeError for an `in` that is not (N + 1)·d×d with N ≥ 2.
  Index order() const;
};

/// x_0, …, x_{N−1}, v = short convolution of the projections of X; for o = 0 … N − 2, with
/// x = x_{N−1−o}: v ← h_o * (x ∘ v) + through_o ∘ (x ∘ v); result (x_0 ∘ v)·outᵀ + out_bias. X n×d,
/// n at most the filter's length. (N − 1)·d convolutions of O(n·log n), n·(N + 2)·d² multiply-adds
/// in projections and the cost of the filter. What goes on from token to token are n·d numbers:
/// there is no state of constant size.
/// @throws ShapeError, ValueError
template <typename T = float>
Matrix<T> hyena(In<T> X, const HyenaWeights<std::type_identity_t<T>>& weights,
                const HyenaFilterOptions& filter);

template <typename T = float>
struct HyenaGradients {
  /// n×d
  Matrix<T> dX;
  /// In their places; empty where a bias is.
  HyenaWeights<T> d_weights;
};

/// Gradients of Σ output ∘ dO. The forward pass is computed again. @throws as `hyena`, and for a dO
/// of another shape.
template <typename T = float>
HyenaGradients<T> hyena_backward(In<T> X, const HyenaWeights<std::type_identity_t<T>>& weights,
                                 const HyenaFilterOptions& filter, In<T> dO);

/// What one channel does to its v, before the last projection: the n×n lower-triangular matrix
/// diag(x_0)·T_{N−2}·diag(x_1)·…·T_0·diag(x_{N−1}), T_o the Toeplitz matrix of filter o. The
/// diagonals depend on the tokens, the Toeplitz matrices do not. O(N·n³).
/// @throws as `hyena`, and ValueError for a channel that is not there.
template <typename T = float>
Matrix<T> hyena_weights(In<T> X, const HyenaWeights<std::type_identity_t<T>>& weights,
                        const HyenaFilterOptions& filter, Index channel);

}  // namespace attn
