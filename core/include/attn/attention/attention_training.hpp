#pragma once
// The parts of attention that only training needs: dropout of weights, and gradients.

#include <cstdint>

#include "attn/attention/attention.hpp"

namespace attn {

/// Dropout of attention weights (Srivastava et al. 2014, in the inverted form that libraries use
/// today). Kept weights are divided by 1 − probability, so that the expected output equals the
/// output without dropout, and evaluation simply leaves dropout out. Rows are not normalised again:
/// in training they sum to 1 only on average.
template <typename T = float>
struct Dropout {
  /// The share of weights that is dropped, 0 ≤ probability < 1.
  double probability = 0;
  /// Decide which cells are kept when `keep` is not given. Every cell is drawn on its own
  /// (`CellRng`): the result depends only on seed, stream, query and key, not on n, m or the
  /// calling function.
  std::uint64_t seed = 0, stream = 0;
  /// n×m; a cell is kept where it is not 0. Empty: cells are drawn. Shared, so that options are
  /// passed on without a copy of n·m numbers.
  SharedMatrix<T> keep;
};

/// n×m of 1 (kept) and 0 (dropped): `keep` if it was given, otherwise cells are kept with
/// probability 1 − probability. O(n·m).
/// @throws ShapeError, ValueError
template <typename T = float>
Matrix<T> dropout_keep(Index n, Index m, const Dropout<T>& dropout);

/// Attention with dropout: output = (P ∘ keep / (1 − probability))·V. `weights` are P, before
/// dropout; `dropout_keep` returns which of them counted. Cost of `attention` and O(n·m).
/// @throws as `attention`, and ValueError for a probability outside [0, 1).
template <typename T = float>
AttentionResult<T> attention(In<T> Q, In<T> K, In<T> V,
                             const AttentionOptions<std::type_identity_t<T>>& options,
                             const Dropout<std::type_identity_t<T>>& dropout);

template <typename T = float>
struct AttentionGradients {
  /// n×d_k, m×d_k, m×d_v
  Matrix<T> dQ, dK, dV;
  /// n×m: the gradient at the scores after scaling, and so also at the bias. 0 in blocked cells.
  Matrix<T> d_bias;
  /// n: D_i = Σ_k dO_ik·O_ik, which is Σ_j P_ij·dP_ij (Dao et al. 2022, arXiv:2205.14135, B.2).
  Vector<T> row_dots;
};

/// Gradients of Σ output ∘ dO with respect to Q, K, V and the bias:
///   dV = P'ᵀdO, dP = (dO Vᵀ) ∘ keep/(1 − p), dS = P ∘ (dP − D), dQ = s·dS K, dK = s·dSᵀQ
/// with P' = P ∘ keep/(1 − p). dO n×d_v. A query that sees no key has and gives zero gradient. The
/// forward pass is computed again: n·m·(3·d_k + 3·d_v) + n·d_v multiply-adds, O(n·m) memory.
/// @throws as `attention`, and ShapeError or ValueError for dO.
template <typename T = float>
AttentionGradients<T> attention_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO,
    const AttentionOptions<std::type_identity_t<T>>& options = {},
    const Dropout<std::type_identity_t<T>>& dropout = {});

/// The same from a stored forward pass: n·m·(2·d_k + 2·d_v) + n·d_v multiply-adds. `forward` must
/// come from the same arguments, but only its shapes can be checked.
/// @throws as `attention_backward`
template <typename T = float>
AttentionGradients<T> attention_backward_from(
    const AttentionResult<std::type_identity_t<T>>& forward, In<T> Q, In<T> K, In<T> V, In<T> dO,
    const AttentionOptions<std::type_identity_t<T>>& options = {},
    const Dropout<std::type_identity_t<T>>& dropout = {});

}  // namespace attn
