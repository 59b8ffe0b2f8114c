#pragma once
// Attention to near keys one by one, and to far keys through summaries of blocks.
//
// Two levels of the hierarchical family (Poolingformer, Zhang et al. 2021, arXiv:2105.04371;
// H-Transformer-1D, Zhu & Soricut 2021, arXiv:2107.11906): a local window, and mean-pooled blocks
// for everything beyond it. Unlike Poolingformer, which attends twice and adds the two, both levels
// share one softmax, where a summary of c keys counts c times (ln c added to its logit, as
// "proportional attention" in Bolya et al. 2023, arXiv:2210.09461).

#include <optional>

#include "attn/base/tensor.hpp"
#include "attn/cost/operation_count.hpp"

namespace attn {

struct HierarchicalAttentionOptions {
  /// Keys in a block: block b holds keys b·pool … b·pool + pool − 1; the last block may be shorter.
  Index pool = 8;
  /// Keys within this distance of the query's position p = i + m − n are near, and so are all keys
  /// of their blocks.
  Index window = 8;
  /// Keys after p are not seen.
  bool causal = false;
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale;
};

template <typename T = float>
struct HierarchicalAttentionResult {
  /// n×d_v
  Matrix<T> output;
  /// n: ln of the softmax's denominator; −∞ where the query sees nothing.
  Vector<T> log_sum_exp;
  /// The number of keys that queries visited one by one, and of block summaries that they visited
  /// instead of keys.
  Index near_cells = 0, summary_cells = 0;
  OperationCount operations;
};

/// Softmax attention in which every key of a far block b is replaced by the block's mean key k̄_b
/// and, what then is the same, its value by the mean value v̄_b:
///
/// output_i = [Σ_near e^{s·q·k_j} v_j + Σ_far c_b e^{s·q·k̄_b} v̄_b]
///          / [Σ_near e^{s·q·k_j} + Σ_far c_b e^{s·q·k̄_b}]
///
/// with c_b keys in block b. Every key that the query may see counts once.
/// Causal: far blocks end before p, since the window reaches back from p; so no summary holds a key
/// from the future.
///
/// Q n×d_k, K m×d_k, V m×d_v.
///
/// What it approximates: exact for pool = 1, for a window that spans the sequence, and where the
/// keys within each far block are equal. Otherwise each far block is given too little weight: by
/// Jensen's inequality c·e^{mean} ≤ Σ e^{…}, and by Hoeffding's lemma the lack is at most a factor
/// e^{r²/8} where r is the spread of the block's logits. So log_sum_exp is below the exact one by 0
/// to max r²/8. One outstanding key in a far block is averaged away: this is no retrieval.
///
/// Multiply-adds: (near + summaries)·(d_k + d_v) + m·(d_k + d_v) for pooling, with at most
/// 2·(window + pool) − 1 near keys and ⌈m/pool⌉ summaries a query: O(n·√m·d) for window ≈ pool ≈
/// √m. exps: one a cell, less those of vanishing weights. Workspace:
/// ⌈m/pool⌉·(d_k + d_v) + n + m numbers at most; nothing of size n·m.
/// @throws ShapeError, ValueError (pool < 1, window < 0)
template <typename T = float>
HierarchicalAttentionResult<T> hierarchical_attention(
    In<T> Q, In<T> K, In<T> V, const HierarchicalAttentionOptions& options = {});

template <typename T = float>
struct HierarchicalAttentionGradients {
  /// n×d_k, m×d_k, m×d_v
  Matrix<T> dQ, dK, dV;
  /// The numbers of the forward pass.
  Index near_cells = 0, summary_cells = 0;
  OperationCount operations;
};

/// Gradients of Σ output ∘ dO with respect to Q, K and V; dO n×d_v. A key or value gets its share
/// of what its block's mean gets, 1/c_b, beside what it gets where it is near.
///
/// The weights are recomputed a row at a time. Multiply-adds:
/// (near + summaries)·(3·d_k + 2·d_v + 1) + 2·m·(d_k + d_v), for pooling and its reverse. exps as
/// forward. Workspace: 2·⌈m/pool⌉·(d_k + d_v) + 2·(cells of the fullest row) numbers.
/// @throws as `hierarchical_attention`, and ShapeError or ValueError for dO.
template <typename T = float>
HierarchicalAttentionGradients<T> hierarchical_attention_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const HierarchicalAttentionOptions& options = {});

/// The n×m matrix A with output = A·V that `hierarchical_attention` never forms: a summary's weight
/// is shared equally by its keys. Rows sum to 1, or are 0 where the query sees nothing. The plain
/// reference: scores of all n·m cells, with k̄ in place of far keys. n·m·d_k multiply-adds.
/// @throws as `hierarchical_attention`
template <typename T = float>
Matrix<T> hierarchical_weights_reference(In<T> Q, In<T> K,
                                         const HierarchicalAttentionOptions& options = {});

}  // namespace attn
