#pragma once
// Sequence mixers whose memory is one matrix S of d_k×d_v. They are one recurrence and differ in
// how S decays and in what is written into it; every one is read after the write:
//
//   model                         S_t
//   linear, unnormalised          S + k vᵀ
//   retention, lightning          γ S + k vᵀ               a constant decay a head
//   simple gated linear attention e^{g_t} S + k vᵀ         a decay a token; also Mamba-2
//   gated linear attention (GLA)  diag(e^{g_t}) S + k vᵀ   a decay a token and key dimension
//   DeltaNet                      S + β k (v − Sᵀk)ᵀ
//   gated DeltaNet                S' = e^{g_t} S, then S' + β k (v − S'ᵀk)ᵀ
//
//   output_t = scale · S_tᵀ q_t
//
// Sources: Sun et al. 2023, arXiv:2307.08621 (RetNet, eq. 5 to 7); Yang et al. 2023,
// arXiv:2312.06635 (GLA, eq. 3 and 4); Yang et al. 2024, arXiv:2406.06484 (DeltaNet, eq. 4 and the
// chunked form of section 3.2); Yang et al. 2024, arXiv:2412.06464 (gated DeltaNet, eq. 10); Dao
// and Gu 2024, arXiv:2405.21060 (Mamba-2). Conventions as in fla-org/flash-linear-attention.

#include <optional>

#include "attn/base/tensor.hpp"

namespace attn {

/// Added to Σx² when queries and keys are normalised, as in flash-linear-attention's l2norm.
inline constexpr double kL2NormEpsilon = 1e-6;

/// What a token writes into the state.
enum class StateWrite {
  kAdd,    ///< k vᵀ: what was there stays there.
  kDelta,  ///< β k (v − Sᵀk)ᵀ: what was stored under k makes way for v.
};

struct MatrixStateOptions {
  StateWrite write = StateWrite::kAdd;
  /// Multiplies q. Left out: 1/√d_k.
  std::optional<double> scale;
  /// Replaces each row x of Q and of K by x/√(Σx² + 1e-6). A row of zeros stays as it is.
  bool l2_normalize = false;
  /// Tokens worked on together. 1 is the recurrent form; larger chunks compute the same.
  Index chunk = 1;
};

/// What gates a mixer. A gate that the mixer does not have is left empty.
template <typename T = float>
struct MatrixStateGates {
  /// Natural logarithms of the decay, at most 0: n×1 for one number a token, n×d_k for one a token
  /// and key dimension. Empty: nothing decays. The decay meets what was there before the token,
  /// never what the token writes.
  SharedMatrix<T> log_decay;
  /// n×1: how much of a write the delta rule makes, used as given. Above 1 the old value's sign
  /// turns. Empty: 1. For `kAdd` it must be empty.
  SharedMatrix<T> beta;
};

template <typename T = float>
struct MatrixStateResult {
  /// n×d_v
  Matrix<T> output;
  /// d_k×d_v: the state after the last token.
  Matrix<T> state;
};

/// The output of every token and the state after the last, from `initial` (d_k×d_v; nullptr for
/// zeros). Q n×d_k, K n×d_k, V n×d_v.
///
/// O(n·d_k·d_v) multiply-adds for chunk 1 (twice that for the delta rule); within chunks of C
/// tokens n·C·(d_k + d_v)/2 more, and an exp for each pair of tokens of a chunk (for each of their
/// key dimensions, where decay has one each). Decay enters as differences of sums of logarithms, so
/// nothing overflows however strong it is. Memory: the result, and O(C·(C + d_k + d_v)).
/// @throws ShapeError, ValueError: shapes that do not fit, entries that are not finite, a decay
/// above 0, a beta for `kAdd`, chunk < 1, a scale that is not finite.
template <typename T = float>
MatrixStateResult<T> matrix_state(In<T> Q, In<T> K, In<T> V,
                                  const MatrixStateGates<std::type_identity_t<T>>& gates = {},
                                  const MatrixStateOptions& options = {},
                                  const Matrix<std::type_identity_t<T>>* initial = nullptr);

/// The implicit attention matrix: the lower-triangular A of n×n with output = A·V from a state of
/// zeros. A(i, j) = scale·Σ_c q_ic k_jc e^{g_(j+1)c + … + g_ic} for `kAdd`; for the delta rule the
/// same times what is left of v_j's write (arXiv:2406.06484, section 3.2). O(n²·(d_k + n)) time for
/// the delta rule, else O(n²·d_k).
/// @throws as `matrix_state`
template <typename T = float>
Matrix<T> matrix_state_weights(In<T> Q, In<T> K,
                               const MatrixStateGates<std::type_identity_t<T>>& gates = {},
                               const MatrixStateOptions& options = {});

template <typename T = float>
struct MatrixStateGradients {
  /// As Q, K and V.
  Matrix<T> dQ, dK, dV;
  /// As the gates; empty where the gate is.
  Matrix<T> d_log_decay, d_beta;
  /// d_k×d_v: with respect to the state before the first token.
  Matrix<T> d_initial;
};

/// Gradients of Σ output ∘ dO + Σ state ∘ dS. dO n×d_v; dS d_k×d_v, nullptr for zeros. With respect
/// to Q and K as given, before they are normalised.
///
/// Goes back token by token: the states of `chunk` tokens are made again from the state kept before
/// each chunk, O((n/C + C)·d_k·d_v) memory; about three times the multiply-adds of the forward.
/// @throws as `matrix_state`
template <typename T = float>
MatrixStateGradients<T> matrix_state_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO,
    const MatrixStateGates<std::type_identity_t<T>>& gates = {},
    const MatrixStateOptions& options = {},
    const Matrix<std::type_identity_t<T>>* initial = nullptr,
    const Matrix<std::type_identity_t<T>>* dS = nullptr);

/// The decay of RetNet's head h: ln γ = ln(1 − 2^(−5 − h)) (arXiv:2307.08621, section 2.1).
/// @throws ValueError unless head ≥ 0.
double retention_log_decay(Index head);

/// The decay of lightning attention's head h in layer `layer` of `layers`:
/// −(8/heads)·(1 − layer/layers)·h, so head 0 never decays (fla/ops/lightning_attn).
/// @throws ValueError unless 0 ≤ head < heads and 0 ≤ layer ≤ layers, layers ≥ 1.
double lightning_log_decay(Index head, Index heads, Index layer, Index layers);

}  // namespace attn
