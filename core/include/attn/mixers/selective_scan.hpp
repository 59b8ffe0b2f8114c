#pragma once
// The mixer of Mamba: a state of N numbers for each channel, whose decay, write and read depend on
// the token. Gu and Dao 2023, arXiv:2312.00752, algorithm 2 and eq. 2, in the simplified form of
// the official code: exact for A, Euler's for B. Mamba-2, with one decay for all channels of a
// head, is `matrix_state` with a decay a token.

#include "attn/base/tensor.hpp"

namespace attn {

/// Σ over tokens is along rows: every matrix but A has a row for each token.
template <typename T = float>
struct SelectiveScanInputs {
  /// n×d: what is written.
  Matrix<T> u;
  /// n×d: the step Δ of each token and channel; before the softplus where that is asked for.
  Matrix<T> delta;
  /// d×N: rates of decay, below 0 in a model that forgets.
  Matrix<T> A;
  /// n×N: where each token writes, and where it reads.
  Matrix<T> B, C;
  /// d: how much of u passes by the state; empty for 0.
  Vector<T> D;
  /// n×d: the output is multiplied by silu(z); empty for none.
  Matrix<T> z;
  /// d: added to delta; empty for 0.
  Vector<T> delta_bias;
};

template <typename T = float>
struct SelectiveScanResult {
  /// n×d
  Matrix<T> output;
  /// d×N: after the last token.
  Matrix<T> state;
};

/// h_t = e^{Δ_t A} ∘ h_{t−1} + (Δ_t u_t) B_tᵀ, output_t = (h_t C_t + D ∘ u_t) ∘ silu(z_t), with
/// Δ = softplus(delta + delta_bias) if `softplus`, else delta + delta_bias. From `initial` (d×N;
/// nullptr for zeros). 3·n·d·N multiply-adds, n·d·N exps; O(d·N) memory beside the output. Decay
/// and write depend on the token, so this is no convolution.
/// @throws ShapeError, ValueError for shapes that do not fit or entries that are not finite.
template <typename T = float>
SelectiveScanResult<T> selective_scan(const SelectiveScanInputs<T>& x, bool softplus = true,
                                      const Matrix<std::type_identity_t<T>>* initial = nullptr);

/// Gradients of Σ output ∘ dO from a state of zeros, in the fields of the inputs; those of inputs
/// that were left out stay empty. Keeps the state of every token: n·d·N numbers.
/// @throws as `selective_scan`
template <typename T = float>
SelectiveScanInputs<T> selective_scan_backward(const SelectiveScanInputs<T>& x, In<T> dO,
                                               bool softplus = true);

/// The lower-triangular n×n matrix that one channel applies to its inputs u, without D and z:
/// M(t, s) = Σ_N C_t e^{A(Δ_{s+1} + … + Δ_t)} Δ_s B_s for s ≤ t (Ali et al. 2024, arXiv:2403.01590,
/// eq. 13). O(n²·N).
/// @throws as `selective_scan`, and ValueError for a channel that is not there.
template <typename T = float>
Matrix<T> selective_scan_weights(const SelectiveScanInputs<T>& x, Index channel,
                                 bool softplus = true);

}  // namespace attn
