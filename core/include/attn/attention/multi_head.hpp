#pragma once
// Several attentions side by side (Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2), and heads
// that share keys and values: multi-query (Shazeer 2019, arXiv:1911.02150) and grouped-query
// attention (Ainslie et al. 2023, arXiv:2305.13245).
//
// Further letters: h heads, hk key-value heads; head i of a packed matrix is its columns
// i·d … (i+1)·d − 1. Query head i uses key-value head ⌊i/(h/hk)⌋.

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/attention/attention_training.hpp"
#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace attn {

/// The mask of a window over n×m: `Mask::window`, or full or causal where it comes to that. O(1).
/// @throws ValueError for a negative width.
Mask window_mask(Index n, Index m, const KeyWindow& window);

/// @throws ValueError, naming the numbers, unless heads ≥ 1 divides d_model and kv_heads ≥ 1
/// divides heads.
void require_heads(Index d_model, Index heads, Index kv_heads);

template <typename T = float>
struct HeadsOptions {
  /// Mask and window both hold: a key must be in each.
  Mask mask = Mask::full();
  KeyWindow window;
  /// m entries, 0 for padding that no query sees; empty: all are keys. (torch's key_padding_mask
  /// has it the other way round.) Padding before or between keys takes a matrix of n·m bytes.
  std::vector<std::uint8_t> keep_keys;
  /// h entries, 0 for a pruned head: no attention is computed for it (a layer still projects its
  /// columns), its weights and output are zero and it gives no gradient. Empty: all are kept.
  std::vector<std::uint8_t> keep_heads;
  /// Left out: 1/√d of one head.
  std::optional<double> scale;
  /// n×m, added to the scores of every head; empty for none.
  SharedMatrix<T> bias;
  /// Head i draws from stream `stream + i`, as in one batch entry of batched attention. A given
  /// `keep` is (h·n)×m, the heads one below the other.
  Dropout<T> dropout;
};

template <typename T = float>
struct HeadsResult {
  /// n×h·d_v, the heads side by side
  Matrix<T> output;
  /// h of n×m, before dropout
  std::vector<Matrix<T>> weights;
  /// h×n; −∞ where a query sees no key, and for pruned heads.
  Matrix<T> log_sum_exp;
};

/// softmax attention of every head over projected vectors.
///
/// Q n×h·d, K m×hk·d, V m×hk·d_v. MHA is hk = h, multi-query hk = 1.
/// Kept heads·n·m·(d + d_v) multiply-adds; h·n·m floats.
/// @throws ShapeError, ValueError
template <typename T = float>
HeadsResult<T> grouped_query_attention(In<T> Q, In<T> K, In<T> V, Index heads, Index kv_heads,
                                       const HeadsOptions<T>& options = {});

template <typename T = float>
struct HeadsGradients {
  /// Shaped as Q, K and V; K and V collect from every query head that reads them.
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
  /// hk·d × the width of the keys' source, hk·d_v × that of the values'
  Matrix<T> Wk, Wv;
  /// outputs × h·d_v
  Matrix<T> Wo;
  /// As long as the matrix of the same letter has rows; empty for none.
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

/// Self attention: X is the source of everything.
template <typename T = float>
MultiHeadResult<T> multi_head_attention(In<T> X,
                                        const MultiHeadWeights<std::type_identity_t<T>>& weights,
                                        const HeadsOptions<std::type_identity_t<T>>& options = {});

template <typename T = float>
struct MultiHeadGradients {
  /// Shaped as X, Yk and Yv. Self attention: d_X is the sum of the three and the others are empty.
  Matrix<T> d_X, d_Yk, d_Yv;
  /// dWq, dWk, …, dbo in the place of the weights they belong to; a bias that is not there has an
  /// empty gradient. That of bk is zero but for rounding: bk adds the same to all scores of a
  /// query.
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

/// Self attention.
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
  /// hk of them: the state after the last valid key of each key-value head.
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

/// Numbers in a layer, matrices and biases together.
struct MultiHeadParameters {
  Index query = 0, key = 0, value = 0, output = 0;
  Index total() const { return query + key + value + output; }
};

/// What the kept heads need: their rows of Wq, the rows of Wk and Wv that at least one of them
/// reads, their columns of Wo. Without pruning, everything; 4·d_model² + biases for plain MHA,
/// 2·d_model² + 2·d_model·hk·d + biases with hk key-value heads. O(h), beside O(size of the
/// weights) for checking them.
/// @throws ShapeError for weights or keep_heads that do not fit; ValueError for head counts that do
/// not divide, or weights that are not finite.
template <typename T = float>
MultiHeadParameters count_parameters(const MultiHeadWeights<T>& weights,
                                     const std::vector<std::uint8_t>& keep_heads = {});

}  // namespace attn
