#pragma once
// Softmax attention over a pattern, computing only what the pattern keeps.
//
// The result equals dense `attention` under the pattern's mask, which is its reference; only the
// cost differs. Computing all n·m scores and masking them afterwards would save nothing.

#include <optional>

#include "attn/attention/attention_training.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"
#include "attn/cost/operation_count.hpp"

namespace attn {

template <typename T = float>
struct SparseAttentionOptions {
  /// Factor on q·k. Left out: 1/√d_k. Use 1 with Longformer's code, whose queries are already
  /// scaled.
  std::optional<double> scale = {};
  /// n×m, added to the scaled scores, read only in kept cells; empty for none. −∞ blocks a cell.
  SharedMatrix<T> bias = {};
  /// nnz: a bias with one number for each kept cell, in the pattern's order; empty for none. Where
  /// both are given, both are added.
  Vector<T> cell_bias = {};
};

template <typename T = float>
struct SparseAttentionResult {
  /// n×d_v
  Matrix<T> output;
  /// nnz: the softmax weight of each kept cell in the pattern's order; a query's weights sum to 1.
  /// `pattern.to_matrix(weights)` turns them into an n×m matrix.
  Vector<T> weights;
  /// n: ln Σ exp(score) over the keys the query sees; −∞ where it sees none.
  Vector<T> log_sum_exp;
  OperationCount operations;
};

/// output_i = Σ_j softmax_j(scale·q_i·k_j + bias_ij)·v_j over the keys j of the pattern's row i.
///
/// Q n×d_k, K m×d_k, V m×d_v, pattern n×m. Dropout takes the same cells as in `attention`;
/// `weights` are those before it. Stable at any finite logits. A query that sees no key has zero
/// output, never NaN. Multiply-adds: nnz·(d_k + d_v). exps: nnz, less those of weights that
/// are 0 without one: below 2⁻¹⁰⁰ of the row's largest in float32 without bias and dropout, else
/// below the smallest normal number. Workspace: (nnz + n)·sizeof(T), the weights and
/// the log-sum-exps; nothing of size n·m.
/// @throws ShapeError, ValueError
template <typename T = float>
SparseAttentionResult<T> sparse_attention(
    In<T> Q, In<T> K, In<T> V, const Pattern& pattern,
    const SparseAttentionOptions<std::type_identity_t<T>>& options = {},
    const Dropout<std::type_identity_t<T>>& dropout = {});

template <typename T = float>
struct SparseAttentionGradients {
  /// n×d_k, m×d_k, m×d_v
  Matrix<T> dQ, dK, dV;
  /// nnz: the gradient at the score of each kept cell, and so at both biases. Empty when there is
  /// no bias.
  Vector<T> d_bias;
  OperationCount operations;
};

/// Gradients of Σ output ∘ dO with respect to Q, K, V and the bias; dO n×d_v. The pattern is a
/// constant: for top-k this is the gradient through the kept keys, which is the whole gradient
/// wherever the choice does not change.
///
/// The weights are recomputed a row at a time. Multiply-adds: nnz·(3·d_k + 2·d_v + 1), for scores,
/// dQ, dK; dP, dV; and Σ P∘dP. exps as forward. Workspace: 2·longest_row·sizeof(T).
/// @throws ShapeError, ValueError
template <typename T = float>
SparseAttentionGradients<T> sparse_attention_backward(
    In<T> Q, In<T> K, In<T> V, const Pattern& pattern, In<T> dO,
    const SparseAttentionOptions<std::type_identity_t<T>>& options = {},
    const Dropout<std::type_identity_t<T>>& dropout = {});

}  // namespace attn
