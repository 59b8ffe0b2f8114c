#pragma once
// Several attentions side by side (Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2), and heads
// that share keys and values: multi-query (Shazeer 2019, arXiv:1911.02150) and grouped-query
// attention (Ainslie et al. 2023, arXiv:2305.13245).
//
// Letters: h is the number of heads and hk that of key-value heads. Head i of a packed matrix is
// its columns i·d … (i+1)·d − 1. Query head i uses key-value head ⌊i/(h/hk)⌋.

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/attention/attention_training.hpp"
#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace attn {

/// The mask of a window over n×m: `Mask::window`, or the full or causal mask where the window
/// equals that. O(1).
/// @throws ValueError for a negative width.
Mask window_mask(Index n, Index m, const KeyWindow& window);

/// @throws ValueError, naming the numbers, unless heads ≥ 1 divides d_model and kv_heads ≥ 1
/// divides heads.
void require_heads(Index d_model, Index heads, Index kv_heads);

template <typename T = float>
struct HeadsOptions {
  /// Mask and window both apply: a key must be in each.
  Mask mask = Mask::full();
  KeyWindow window;
  /// m entries, 0 for padding that no query sees; empty: no key is padding. (torch's
  /// key_padding_mask uses the opposite convention.) Padding before or between keys takes a matrix
  /// of n·m bytes.
  std::vector<std::uint8_t> keep_keys;
  /// h entries, 0 for a pruned head: its attention is not computed (a layer still projects its
  /// columns), its weights and output are zero, and it has no gradient. Empty: all heads are kept.
  std::vector<std::uint8_t> keep_heads;
  /// Factor on q·k. Left out: 1/√d, with d the width of one head.
  std::optional<double> scale;
  /// n×m, added to the scores of every head; empty for none.
  SharedMatrix<T> bias;
  /// Head i draws from stream `stream + i`, as in one batch entry of batched attention. A given
  /// `keep` is (h·n)×m, with the heads one below the other.
  Dropout<T> dropout;
};

template <typename T = float>
struct HeadsResult {
  /// n×h·d_v, with the heads side by side.
  Matrix<T> output;
  /// h matrices of n×m, before dropout.
  std::vector<Matrix<T>> weights;
  /// h×n; −∞ where a query sees no key, and for pruned heads.
  Matrix<T> log_sum_exp;
};

/// Softmax attention of every head over projected vectors.
///
/// Q n×h·d, K m×hk·d, V m×hk·d_v. Plain multi-head attention has hk = h, multi-query attention hk =
/// 1. (Kept heads)·n·m·(d + d_v) multiply-adds; h·n·m numbers of memory.
/// @throws ShapeError, ValueError
template <typename T = float>
HeadsResult<T> grouped_query_attention(In<T> Q, In<T> K, In<T> V, Index heads, Index kv_heads,
                                       const HeadsOptions<T>& options = {});

template <typename T = float>
struct HeadsGradients {
  /// The gradients, shaped as Q, K and V. Those of K and V are sums over all query heads that read
  /// them.
  Matrix<T> dQ, dK, dV;
  /// n×m: summed over the heads, which share the bias. Empty when there is none.
  Matrix<T> d_bias;
};

/// Gradients of Σ output ∘ dO. dO n×h·d_v. The forward pass is computed again: kept
/// heads·n·m·3·(d + d_v) multiply-adds; O(n·m) memory beside the result, O(n·d + m·d) by kernels.
/// @throws as `grouped_query_attention`, and ShapeError or ValueError for dO.
template <typename T = float>
HeadsGradients<T> grouped_query_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO, Index heads,
                                                   Index kv_heads,
                                                   const HeadsOptions<T>& options = {});

/// A multi-head layer as torch writes it: y = xWᵀ + b, so every W is outputs×inputs.
template <typename T = float>
struct MultiHeadWeights {
  Index heads = 1, kv_heads = 1;
  /// h·d × d_model
  Matrix<T> Wq;
  /// hk·d × the width of the keys' source, and hk·d_v × the width of the values' source.
  Matrix<T> Wk, Wv;
  /// outputs × h·d_v
  Matrix<T> Wo;
  /// The biases, with as many entries as the matrix of the same letter has rows; empty for none.
  Vector<T> bq, bk, bv, bo;
};

/// Cuts a packed projection [Wq; Wk; Wv] (torch's in_proj_weight, in_proj_bias) into its parts.
/// W_in (h + 2·hk)·d × d_model; b_in empty or as many entries as W_in has rows.
/// W_o outputs × h·d, b_o empty or `outputs` entries. A copy: O(size of the weights).
/// @throws ShapeError for matrices and biases that do not fit; ValueError for heads that do not
/// divide what they must, or weights that are not finite.
template <typename T = float>
MultiHeadWeights<T> unpack_in_projection(In<T> W_in, const Vector<std::type_identity_t<T>>& b_in,
                                         In<T> W_o, const Vector<std::type_identity_t<T>>& b_o,
                                         Index heads, Index kv_heads);

template <typename T = float>
struct MultiHeadResult {
  /// n×outputs: heads.output·Woᵀ + bo
  Matrix<T> output;
  HeadsResult<T> heads;
};

/// Cross attention: queries from X (n×d_model), keys from Yk and values from Yv (m rows each, own
/// widths). Projections n·d_model·h·d + m·(k_dim·hk·d + v_dim·hk·d_v) + n·h·d_v·outputs
/// multiply-adds beside those of `grouped_query_attention`.
/// @throws ShapeError, ValueError (heads that do not divide d_model, kv_heads that do not divide
/// heads)
template <typename T = float>
MultiHeadResult<T> multi_head_attention(In<T> X, In<T> Yk, In<T> Yv,
                                        const MultiHeadWeights<std::type_identity_t<T>>& weights,
                                        const HeadsOptions<std::type_identity_t<T>>& options = {});

/// Self-attention: X is the source of queries, keys and values.
template <typename T = float>
MultiHeadResult<T> multi_head_attention(In<T> X,
                                        const MultiHeadWeights<std::type_identity_t<T>>& weights,
                                        const HeadsOptions<std::type_identity_t<T>>& options = {});

template <typename T = float>
struct MultiHeadGradients {
  /// The gradients, shaped as X, Yk and Yv. For self-attention, d_X is the sum of the three and the
  /// others are empty.
  Matrix<T> d_X, d_Yk, d_Yv;
  /// The gradients dWq, dWk, …, dbo in the places of their weights; a missing bias has an empty
  /// gradient. The gradient of bk is zero up to rounding, because bk adds the same number to all
  /// scores of a query.
  MultiHeadWeights<T> d_weights;
  /// n×m: summed over the heads. Empty when there is no bias.
  Matrix<T> d_bias;
};

/// Gradients of Σ output ∘ d_output. d_output n×outputs. The forward pass is computed again, so
/// this costs three times its multiply-adds (less those of the last projection); O(n·m) memory
/// beside the result and the projected Q, K, V and their gradients.
/// @throws as `multi_head_attention`, and ShapeError or ValueError for d_output.
template <typename T = float>
MultiHeadGradients<T> multi_head_attention_backward(
    In<T> X, In<T> Yk, In<T> Yv, In<T> d_output,
    const MultiHeadWeights<std::type_identity_t<T>>& weights,
    const HeadsOptions<std::type_identity_t<T>>& options = {});

/// The gradients of self-attention.
template <typename T = float>
MultiHeadGradients<T> multi_head_attention_backward(
    In<T> X, In<T> d_output, const MultiHeadWeights<std::type_identity_t<T>>& weights,
    const HeadsOptions<std::type_identity_t<T>>& options = {});

template <typename T = float>
struct MultiHeadLinearResult {
  /// n×outputs
  Matrix<T> output;
  /// n×h·d_v, before Wo
  Matrix<T> heads;
  /// hk states, each after the last valid key of its key-value head.
  std::vector<LinearState<T>> states;
};

/// The same layer with linear attention in its heads; `map` works on the width of one head. With
/// the map "cosformer" and `DenominatorRule::kClamp` it is the attention module of cosFormer (Qin
/// et al. 2022, arXiv:2202.08791), with "softmax_kernel" that of Performer.
///
/// X n×d_model, Yk m×k_dim, Yv m×v_dim. The projections of `multi_head_attention` and h times the
/// cost of `linear_attention`: φ(K) is computed for every query head, shared or not.
/// @throws as `multi_head_attention` and `linear_attention`; ShapeError for a map of other width.
template <typename T = float>
MultiHeadLinearResult<T> multi_head_linear_attention(
    In<T> X, In<T> Yk, In<T> Yv, const MultiHeadWeights<std::type_identity_t<T>>& weights,
    const FeatureMap<std::type_identity_t<T>>& map, const LinearAttentionOptions& options = {});

/// The number of parameters of a layer, matrices and biases together.
struct MultiHeadParameters {
  Index query = 0, key = 0, value = 0, output = 0;
  Index total() const { return query + key + value + output; }
};

/// The parameters that the kept heads need: their rows of Wq, the rows of Wk and Wv that at least
/// one of them reads, and their columns of Wo. Without pruning these are all: 4·d_model² + biases
/// for plain multi-head attention, 2·d_model² + 2·d_model·hk·d + biases with hk key-value heads.
/// O(h), plus O(size of the weights) for checking them.
/// @throws ShapeError for weights or keep_heads that do not fit; ValueError for head counts that do
/// not divide, or weights that are not finite.
template <typename T = float>
MultiHeadParameters count_parameters(const MultiHeadWeights<T>& weights,
                                     const std::vector<std::uint8_t>& keep_heads = {});

}  // namespace attn
