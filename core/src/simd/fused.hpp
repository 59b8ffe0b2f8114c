#pragma once
// Connects the public functions with the float32 kernels. Private to the core.
//
// Each function returns whether it did the work. If it did not, the caller computes the definition.
// In float64 none of them does.
//
// The fused kernels are mechanisms of their own ("fused…" in complexity.hpp) and count as one pass:
// inputs are read once, results are written once, and everything between is in the workspace.
// Multiply-adds and exps are those of the cells that count. At the edge of a mask a tile computes a
// few more, and changing a running maximum takes an exp.

#include <optional>
#include <span>

#include "attn/attention/attention.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/cost/operation_count.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "simd/kernels.hpp"

namespace attn::internal {

/// Below this number, queries are processed one by one, unless the mask is a matrix.
inline constexpr int kFewQueries = 4;

/// Whether public functions of T use the kernels: in float32, and not while a meter counts, because
/// a meter measures the algorithm as it is written, pass by pass. Only this function decides that.
template <typename T>
bool kernels_run() {
  return std::is_same_v<T, float> && !OperationMeter::active();
}

/// `attention` without bias. Returns false where something could overflow, which only the
/// definition can detect. `weights` may be null.
template <typename T>
bool fused_attention(In<T> Q, In<T> K, In<T> V, const Mask& mask, T scale, Matrix<T>& output,
                     Vector<T>& log_sum_exp, Matrix<T>* weights);

/// The same for several query heads that share K and V, as many as `weights`: head h is columns
/// h·d_k … of Q and columns h·d_v … of `output`, whose rows are `output_row` apart; log_sum_exp
/// heads×n. Weights get their size here, done or not.
template <typename T>
bool fused_heads(In<T> Q, In<T> K, In<T> V, const Mask& mask, T scale, T* output, Index output_row,
                 T* log_sum_exp, std::span<Matrix<T>> weights);

/// `masked_softmax_rows`, computed by the kernel where kernels run.
template <typename T>
void softmax_rows(Eigen::Ref<Matrix<T>> scores, const Mask& mask, Index first_query, Index n,
                  T* log_sum_exp);

/// The gradients of `flash_attention` without bias and dropout; result.row_dots is given. Also
/// returns false where a log-sum-exp is so large that its rounding would be visible.
template <typename T>
bool fused_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO, const Mask& mask, T scale,
                              const Vector<T>& log_sum_exp, FlashGradients<T>& result);

/// `sparse_attention` without bias and dropout.
template <typename T>
bool fused_sparse_attention(In<T> Q, In<T> K, In<T> V, const Pattern& pattern, T scale,
                            Matrix<T>& output, Vector<T>& weights, Vector<T>& log_sum_exp);

/// The map as the kernels compute it on the fly; empty where they cannot.
template <typename T>
std::optional<simd::FeatureMap> fused_map(const FeatureMap<T>& map);

/// `linear_attention` of all keys, or token by token if causal; result.state is the initial state.
/// With `map` null, Q and K already are φ(Q) and φ(K).
template <typename T>
bool fused_linear_attention(In<T> Q, In<T> K, In<T> V, const simd::FeatureMap& map, Index features,
                            const LinearAttentionOptions& options,
                            LinearAttentionResult<T>& result);

}  // namespace attn::internal
