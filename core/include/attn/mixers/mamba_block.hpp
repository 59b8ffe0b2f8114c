#pragma once
// The block of Mamba: a short convolution, a selective scan whose steps, writes and reads are made
// from the token, and a gate. Gu and Dao 2023, arXiv:2312.00752, section 3.4 and figure 3;
// conventions of johnma2006/mamba-minimal.

#include "attn/base/tensor.hpp"

namespace attn {

/// Every W is outputs×inputs. Letters: e the inner width, N numbers of state for each channel, r
/// the rank of the steps.
template <typename T = float>
struct MambaWeights {
  /// 2e×d: what is scanned, then the gate.
  Matrix<T> in;
  /// e×k, and e entries or none.
  Matrix<T> taps;
  Vector<T> taps_bias;
  /// (r + 2N)×e: the steps' r numbers, then B, then C.
  Matrix<T> select;
  /// e×r and e.
  Matrix<T> step;
  Vector<T> step_bias;
  /// e×N: A = −e^{log_rates}.
  Matrix<T> log_rates;
  /// e
  Vector<T> through;
  /// d×e
  Matrix<T> out;
};

/// What goes on to the next token: e·(N + k − 1) numbers.
template <typename T = float>
struct MambaState {
  /// (k − 1)×e, and e×N.
  Matrix<T> inputs, scan;
};

template <typename T = float>
struct MambaResult {
  /// n×d
  Matrix<T> output;
  MambaState<T> state;
};

/// [x | z] = X·inᵀ; x ← silu(short convolution of x); [t | B | C] = x·selectᵀ; Δ = softplus(t·stepᵀ
/// + step_bias); y = (selective scan + through ∘ x) ∘ silu(z); y·outᵀ. X n×d; from `initial`,
/// nullptr for zeros.
/// @throws ShapeError, ValueError
template <typename T = float>
MambaResult<T> mamba_block(In<T> X, const MambaWeights<std::type_identity_t<T>>& weights,
                           const MambaState<std::type_identity_t<T>>* initial = nullptr);

template <typename T = float>
struct MambaGradients {
  Matrix<T> dX;
  MambaWeights<T> d_weights;
};

/// Gradients of Σ output ∘ dO from zeros. The forward pass is computed again.
/// @throws as `mamba_block`, and for a dO of another shape.
template <typename T = float>
MambaGradients<T> mamba_block_backward(In<T> X,
                                       const MambaWeights<std::type_identity_t<T>>& weights,
                                       In<T> dO);

/// The n×n matrix that one channel applies to what is scanned (`selective_scan_weights`).
/// @throws as `mamba_block`, and ValueError for a channel that is not there.
template <typename T = float>
Matrix<T> mamba_block_weights(In<T> X, const MambaWeights<std::type_identity_t<T>>& weights,
                              Index channel);

}  // namespace attn
