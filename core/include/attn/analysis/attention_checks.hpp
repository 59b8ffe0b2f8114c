#pragma once
// Questions about attention whose answers are measured: how large q·k is, how large the rank of the
// output is, what shared keys and values cost, and what dropout leaves right.

#include <cstdint>
#include <vector>

#include "attn/attention/attention_training.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// q·k of independent vectors with entries from N(0, 1).
struct DotProductMoments {
  Index d_k = 0, samples = 0;
  /// Of q·k; in theory 0 and d_k.
  double mean = 0, variance = 0;
  /// The standard error of `variance`, estimated from the samples.
  double variance_error = 0;
  /// Of q·k/√d_k; in theory 1.
  double scaled_variance = 0;
};

/// The most numbers that `dot_product_moments` draws.
inline constexpr Index kMaxMomentNumbers = Index{1} << 24;

/// The moments for every d_k, each from `samples` pairs. O(samples·Σ d_k).
/// @throws ValueError for an empty list, a d_k < 1 or samples < 2; CapacityError for more than
/// `kMaxMomentNumbers` numbers in all.
std::vector<DotProductMoments> dot_product_moments(const std::vector<Index>& d_k, Index samples,
                                                   std::uint64_t seed);

/// The ranks on the way through multi-head self-attention, all measured in float64.
struct RankCheck {
  /// Of X, which is made with `input_rank`.
  Index input = 0;
  /// Of the weights of head 0, n×n.
  Index weights = 0;
  /// Of the output of head 0, P·X·Wv.
  Index one_head = 0;
  /// Of the outputs of all heads side by side, before Wo, and after Wo.
  Index all_heads = 0, output = 0;
};

/// The largest n and d_model of `rank_check`.
inline constexpr Index kMaxRankCheck = 256;

/// X = A·B of rank `input_rank` (n×d_model), random projections of N(0, 1/d_model) and `heads`
/// heads of width d_model/heads. One head's output is P·(X·Wv): its columns lie in the span of at
/// most rank(X) columns. Several heads apply different P, so together they can have a higher rank
/// than X. O(n·d_model² + n²·d_model), and the singular values of five matrices.
/// @throws ValueError unless 1 ≤ input_rank ≤ min(n, d_model) and heads divides d_model;
/// CapacityError beyond `kMaxRankCheck`.
RankCheck rank_check(Index n, Index d_model, Index input_rank, Index heads, std::uint64_t seed);

/// The arrays of one multi-head layer, and what it costs.
struct LayerShapes {
  /// Rows and columns of the queries' source, of all queries, of one head's queries, of one head's
  /// keys, its weights, its output, of all outputs side by side, and of the layer's output.
  std::vector<std::vector<Index>> shapes;
  /// Of W_q, W_k, W_v and W_o, without biases.
  Index parameters = 0;
  /// Counted while the layer ran: of the whole layer, and of the heads without the four matrices.
  std::uint64_t multiply_adds = 0, of_heads = 0;
  /// The heads' n×m weights together.
  std::uint64_t weights = 0;
};

/// Runs a random layer, reads the shapes of what it made and counts its work. `m` rows of keys come
/// from a second source (cross-attention); 0: from the first. The cost of the layer.
/// @throws ValueError for sizes below 1 or heads that do not divide d_model; CapacityError for n or
/// m beyond 512 or d_model beyond 1024.
LayerShapes layer_shapes(Index n, Index m, Index d_model, Index heads);

/// One number of key-value heads.
struct SharedHeadsRow {
  Index kv_heads = 0;
  /// Of the layer, without biases.
  Index parameters = 0;
  /// The keys and values of `tokens` tokens in float32.
  std::uint64_t cache_bytes = 0;
  /// ‖y − y_full‖_F/‖y_full‖_F of the layer's output, where each key-value head is the mean of the
  /// heads that now share it.
  double output_error = 0;
};

struct SharedHeadsOptions {
  Index n = 32, d_model = 64, heads = 8;
  /// How alike the heads' projections of keys and values are: 0, independent; 1, equal.
  double alike = 0;
  /// The tokens in the cache.
  Index tokens = 4096;
  std::uint64_t seed = 0;
};

/// A random layer whose heads share keys and values in groups, for every divisor of `heads`, from
/// `heads` (multi-head) down to 1 (multi-query): projections are averaged within groups, as Ainslie
/// et al. 2023 (arXiv:2305.13245, section 2.1) convert a trained layer. O(divisors·cost of a
/// layer).
/// @throws ValueError for sizes below 1, heads that do not divide d_model, alike outside [0, 1];
/// CapacityError for n or d_model beyond 1024.
std::vector<SharedHeadsRow> shared_heads(const SharedHeadsOptions& options);

/// Attention under dropout of weights.
template <typename T = float>
struct DropoutAverage {
  /// n×m: the weights, and those of the first draw after dropout: P ∘ keep/(1 − p).
  Matrix<T> weights, dropped;
  /// n: the sums of the rows of `dropped`.
  std::vector<double> row_sums;
  /// After 1, 2, 4, … draws and after all of them: the relative error ‖mean output − output‖_F /
  /// ‖output‖_F.
  std::vector<Index> draws;
  std::vector<double> errors;
};

/// The mean output over `draws` draws of dropout (streams 0, 1, …). It approaches the output
/// without dropout like 1/√draws, although in every single draw rows do not sum to 1.
/// O(draws·n·m·d_v) beside one attention.
/// @throws as `attention`; ValueError for a probability outside [0, 1) or draws outside 1 … 4096.
template <typename T = float>
DropoutAverage<T> dropout_average(In<T> Q, In<T> K, In<T> V, double probability, Index draws,
                                  std::uint64_t seed);

}  // namespace attn
