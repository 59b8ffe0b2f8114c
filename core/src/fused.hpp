#pragma once
// From the public functions to the float32 kernels. Private to the core.
//
// Each function says whether it did the work; if not, the caller does it by the definition. The
// public functions do not ask while a meter counts: what they are metered for is the algorithm as
// it is written, pass by pass. The fused kernels are mechanisms of their own ("fused…" in
// complexity.hpp), and count as one pass: inputs read once, results written once, everything
// between in the workspace. Multiply-adds and exps are those of the cells that count; at the edge
// of a mask a tile computes a few more, and moving a running maximum takes an exp.

#include <optional>
#include <span>

#include "attn/attention.hpp"
#include "attn/feature_map.hpp"
#include "attn/flash_attention.hpp"
#include "attn/linear_attention.hpp"
#include "attn/pattern.hpp"
#include "simd/kernels.hpp"

namespace attn::internal {

/// Fewer queries than this are taken one by one, unless the mask is a matrix.
inline constexpr int kFewQueries = 4;

/// `attention` without bias. False where something could overflow, which only the definition can
/// tell. `weights` may be null.
bool fused_attention(In<float> Q, In<float> K, In<float> V, const Mask& mask, float scale,
                     Matrix<float>& output, Vector<float>& log_sum_exp, Matrix<float>* weights);

/// The same for several query heads that share K and V, as many as `weights`: head h is columns
/// h·d_k … of Q and columns h·d_v … of `output`, whose rows are `output_row` apart; log_sum_exp
/// heads×n. Weights get their size here, done or not.
bool fused_heads(In<float> Q, In<float> K, In<float> V, const Mask& mask, float scale,
                 float* output, Index output_row, float* log_sum_exp,
                 std::span<Matrix<float>> weights);

/// `masked_softmax_rows`, by the kernel in float32 unless a meter counts.
template <typename T>
void softmax_rows(Eigen::Ref<Matrix<T>> scores, const Mask& mask, Index first_query, Index n,
                  T* log_sum_exp);

/// The gradients of `flash_attention` without bias and dropout; result.row_dots is given. False
/// also where a log-sum-exp is so large that its rounding would show.
bool fused_attention_backward(In<float> Q, In<float> K, In<float> V, In<float> dO, const Mask& mask,
                              float scale, const Vector<float>& log_sum_exp,
                              FlashGradients<float>& result);

/// `sparse_attention` without bias and dropout.
bool fused_sparse_attention(In<float> Q, In<float> K, In<float> V, const Pattern& pattern,
                            float scale, Matrix<float>& output, Vector<float>& weights,
                            Vector<float>& log_sum_exp);

/// The map as the kernels make it on the fly; nothing where they cannot.
std::optional<simd::FeatureMap> fused_map(const FeatureMap<float>& map);

/// `linear_attention` of all keys, token by token if causal; result.state is where it starts.
/// The map's features, or with `map` null Q and K are φ(Q) and φ(K).
void fused_linear_attention(In<float> Q, In<float> K, In<float> V, const simd::FeatureMap& map,
                            Index features, const LinearAttentionOptions& options,
                            LinearAttentionResult<float>& result);

}  // namespace attn::internal
