// Calls of attn/analysis: what weights, feature maps and gradients are like.

#include "attn/analysis/analysis.hpp"

#include "../handles.hpp"
#include "attn/analysis/attention_checks.hpp"
#include "attn/analysis/attention_patterns.hpp"
#include "attn/analysis/fact_recall.hpp"
#include "attn/analysis/feature_curves.hpp"
#include "attn/analysis/feature_map_quality.hpp"
#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/analysis/head_pictures.hpp"
#include "attn/analysis/random_feature_errors.hpp"
#include "attn/analysis/scaling_experiment.hpp"
#include "attn/analysis/singular_values.hpp"
#include "attn/analysis/text_reader.hpp"
#include "attn/base/phrases.hpp"
#include "shared.hpp"

namespace attn::wasm {

/// The map for a width d ≥ 1, called so also where it would complain of it by another name.
inline FeatureMap<float> map_of_width(const FeatureMapChoice& map, Index d) {
  if (d < 1) throw ValueError("d", phrase::number(d), phrase::at_least(1));
  return map.at(d);
}

ATTN_STRUCT(ComparisonResult<float>, softmax, implicit, difference, softmax_output, implicit_output,
            mse, max_difference, max_difference_row, max_difference_col, correlation, output_error,
            uniform_mse, mse_bound, negative_weights, non_finite_weights, non_positive_denominators,
            kept_cells, feature_dimension, scale, computed(softmax_range), computed(implicit_range))
ATTN_STEPS(start, compare_to_softmax, 16, (flat(qkv), feature_map, flat(options)),
           [](const Qkv<float>& x, const FeatureMapChoice& map, const CompareOptions& options) {
             return SoftmaxComparison<float>(x.Q, x.K, x.V, map.at(x.Q.cols()), options);
           })

ATTN_STRUCT(CellExplanation, query, key, masked, dot, scale, logit, row_max, log_sum_exp,
            softmax_weight, feature_dot, denominator, implicit_weight, difference, softmax_rank,
            implicit_rank, visible_keys)
ATTN_CALL(start, explain_cell, (Q, K, feature_map, flat(options), query, key),
          [](In<float> Q, In<float> K, const FeatureMapChoice& map, const CompareOptions& options,
             Index query, Index key) {
            return attn::explain_cell<float>(Q, K, map.at(Q.cols()), options, query, key);
          })

// --- Matrices ------------------------------------------------------------------------------------

ATTN_CALL(full, singular_values, (x), attn::singular_values<float>)
/// How many singular values exceed tolerance·(the largest).
/// @param tolerance max(n, m)·ε unless given.
ATTN_CALL(full, numerical_rank, (x, tolerance), [](In<float> x, std::optional<double> tolerance) {
  return attn::numerical_rank<float>(x, tolerance);
})
ATTN_CALL(full, symmetric_eigenvalues, (x), attn::symmetric_eigenvalues<float>)
ATTN_CALL(full, quantiles, (values, probabilities), attn::quantiles)
ATTN_CALL(full, summarize, (values), attn::summarize)

// --- Patterns of attention -----------------------------------------------------------------------

ATTN_ENUM(Alignment, kTopLeft, kBottomRight)
ATTN_OPTIONS(AttentionPatternOptions, mask, alignment, window, sparsity_threshold, rank,
             rank_tolerance)
ATTN_OPTIONS(HeadThresholds, target, uniform, broad, local, local_gain)
ATTN_STRUCT(AttentionRows, max, top_key, entropy, effective_keys, uniformity, diagonal, local,
            distance, visible_keys)
ATTN_STRUCT(AttentionColumns, received, received_if_equal, seen_by)
ATTN_STRUCT(HeadName, id, label, score)
ATTN_STRUCT(AttentionPatterns, empty_rows, free_rows, max_attention, mean_max, mean_entropy,
            mean_effective_keys, diagonal_mass, local_mass, global_mass, local_vs_global,
            mean_distance, diagonal_mass_if_equal, local_mass_if_equal, mean_distance_if_equal,
            sparsity, previous_token_score, next_token_score, self_score, first_token_score,
            uniformity_score, top_key, top_key_share, rank, if_any(singular_values), rows, columns)
/// Statistics of one picture of attention weights, and a name for the head.
struct NamedAttentionPatterns {
  AttentionPatterns patterns;
  /// A name for the head, and the score that decided.
  HeadName head;
};
ATTN_STRUCT(NamedAttentionPatterns, flat(patterns), head)
/// Statistics of attention weights, and a name for the head.
/// @param weights n×m, ≥ 0; rows are divided by their sum first.
ATTN_CALL(full, analyze_attention_patterns,
          (weights, flat(options), otherwise(thresholds, HeadThresholds())),
          [](In<float> weights, const AttentionPatternOptions& how,
             const HeadThresholds& thresholds) {
            NamedAttentionPatterns made{attn::analyze_attention_patterns<float>(weights, how), {}};
            made.head = name_head(made.patterns, thresholds);
            return made;
          })

// --- Pictures of heads, and questions that are measured ------------------------------------------

ATTN_OPTIONS(HeadPictureOptions, n, diagonal, offset, vertical, key, block, block_size, horizontal,
             query, even_row, noise, seed, causal)
ATTN_STRUCT(HeadQuizPicture<float>, options, weights, patterns, head)
ATTN_CALL(full, head_picture, (flat(options)), attn::head_picture<float>)
ATTN_CALL(full, head_quiz_picture, (seed, index), attn::head_quiz_picture<float>)

ATTN_STRUCT(DotProductMoments, d_k, samples, mean, variance, variance_error, scaled_variance)
ATTN_CALL(full, dot_product_moments, (d_k, samples, seed), attn::dot_product_moments)
ATTN_STRUCT(RankCheck, input, weights, one_head, all_heads, output)
ATTN_CALL(full, rank_check, (n, d_model, input_rank, heads, seed), attn::rank_check)
ATTN_STRUCT(LayerShapes, shapes, parameters, multiply_adds, of_heads, weights)
ATTN_CALL(full, layer_shapes, (n, otherwise(m, 0), d_model, heads), attn::layer_shapes)
ATTN_STRUCT(SharedHeadsRow, kv_heads, parameters, cache_bytes, output_error)
ATTN_OPTIONS(SharedHeadsOptions, n, d_model, heads, alike, tokens, seed)
ATTN_CALL(full, shared_heads, (flat(options)), attn::shared_heads)
ATTN_STRUCT(DropoutAverage<float>, weights, dropped, row_sums, draws, errors)
ATTN_CALL(full, dropout_average, (flat(qkv), probability, draws, seed),
          [](const Qkv<float>& x, double probability, Index draws, std::uint64_t seed) {
            return attn::dropout_average<float>(x.Q, x.K, x.V, probability, draws, seed);
          })

// --- Quality of a feature map --------------------------------------------------------------------

ATTN_OPTIONS(FeatureMapQualityOptions, flat(compare), near_zero, spectrum)
ATTN_STRUCT(FeatureMapQuality, feature_dimension, output_cosine, output_error, correlation, mse,
            uniform_mse, mse_bound, kl, kl_undefined, uniform_kl, non_finite_features,
            zero_features, subnormal_features, underflow, min_feature, max_feature, min_weight,
            dead_queries, dead_keys, dead_features, negative_denominators, zero_denominators,
            non_finite_denominators, cancelled_denominators, epsilon_denominators, negative_weights,
            condition, feature_rank, effective_rank)
ATTN_STEPS(full, analyze_feature_map_quality, 16, (flat(qkv), feature_map, flat(options)),
           [](const Qkv<float>& x, const FeatureMapChoice& map,
              const FeatureMapQualityOptions& how) {
             return FeatureMapQualityAnalysis<float>(x.Q, x.K, x.V, map.at(x.Q.cols()), how);
           })

// --- Gradients and scaling -----------------------------------------------------------------------

ATTN_OPTIONS(GradientQuantileOptions, probabilities, small)
ATTN_STRUCT(GradientQuantiles, probabilities, row_norms, entries, mean_row_norm, mean_entry,
            small_share, non_finite_entries, non_finite_rows)
ATTN_CALL(full, gradient_quantiles, (gradient, flat(options)), attn::gradient_quantiles<float>)

ATTN_OPTIONS(ScalingOptions, d_k, n, draws, seed, gradients, d_v, small_gradient)
ATTN_STRUCT(Estimate, mean, standard_error)
ATTN_STRUCT(ScalingCell, n, d_k, scaled, draws, row_max, picture_max, entropy, jacobian_norm,
            median_jacobian_norm, dq_norm, median_dq_norm, tenth_dq_norm, small_share)
struct ScalingCells {
  /// One for each n and d_k, with the factor 1/√d_k and without.
  std::vector<ScalingCell> cells;
};
ATTN_STRUCT(ScalingCells, cells)
/// In float64: the smallest gradients are below what float32 rounds to.
struct ScalingWork : ScalingExperiment<double> {
  using ScalingExperiment::ScalingExperiment;
  ScalingCells result() const { return {ScalingExperiment::result()}; }
};
/// Self-attention of N(0, 1) queries and keys with the factor 1/√d_k and without, for every n and
/// d_k. Computed in float64.
ATTN_STEPS(full, scaling_experiment, 1, (flat(options)),
           [](const ScalingOptions& how) { return ScalingWork(how); })

// Drawn as the experiment draws, in float64, and only then rounded.
ATTN_STRUCT(ScalingDraw<double>, Q, K, V, dO)
/// Draw `index` (from 0) of the scaling experiment of that seed, rounded to float32.
ATTN_CALL(full, scaling_draw, (n, d_k, d_v, seed, index), attn::scaling_draw<double>)

// --- Curves --------------------------------------------------------------------------------------

ATTN_STRUCT(FeatureMapCurve<float>, feature_dimension, t, phi, slope)
/// x = t·u for t from `from` to `to`. 2 … 4096 points; points·D² at most 2²⁸.
/// @param d The width of x.
/// @param direction u, 1×d. The first axis unless given.
/// @param offset Where all points stand, for maps that use positions.
/// @param length Of the whole sequence; offset + 1 unless given.
ATTN_CALL(full, feature_map_curve,
          (feature_map, d, direction, from, to, points, otherwise(role, Role::kQuery),
           otherwise(offset, 0), length),
          [](const FeatureMapChoice& map, Index d, const std::optional<Matrix<float>>& direction,
             double from, double to, Index points, Role role, Index offset,
             std::optional<Index> length) {
            return attn::feature_map_curve<float>(
                map_of_width(map, d),
                direction ? *direction : Matrix<float>(Matrix<float>::Identity(1, d)), from, to,
                points, role, {offset, length.value_or(offset + 1)});
          })

ATTN_OPTIONS(KernelCurveOptions, needed(norm), needed(points), draws, seed)
ATTN_STRUCT(KernelCurveResult, feature_dimension, s, exact, mean, low, median, high, draws)
/// φ(q)·φ(k) of queries and keys of one length, by the angle between them. Every draw takes a plane
/// at random and, for random maps, a new projection. d ≥ 2, 3 … 1024 points.
ATTN_STEPS(full, kernel_curve, 1, (feature_map, d, flat(options)),
           [](const FeatureMapChoice& map, Index d, const KernelCurveOptions& how) {
             return KernelCurve<float>(map_of_width(map, d), how);
           })

ATTN_ENUM(RandomFeatureKind, kPositive, kTrigonometric, kHyperbolic)
ATTN_OPTIONS(RandomFeatureErrorOptions, kind, orthogonal, needed(m), needed(d), needed(n),
             input_scale, draws, seed)
ATTN_STRUCT(Spread, low, median, high)
ATTN_STRUCT(RandomFeatureError, m, feature_dimension, relative_rms, relative_rms_by_draw,
            predicted_rms, median_error, negative_share, mse, correlation, output_error,
            uniform_mse, finite_draws)
struct RandomFeatureRows {
  /// One for each number of rows of projection that was asked for.
  std::vector<RandomFeatureError> rows;
};
ATTN_STRUCT(RandomFeatureRows, rows)
struct RandomFeatureWork : RandomFeatureErrors<float> {
  using RandomFeatureErrors::RandomFeatureErrors;
  RandomFeatureRows result() const { return {RandomFeatureErrors::result()}; }
};
/// Random features for e^{q·k/√d} on q, k ~ N(0, inputScale²), by the number of rows m. Draw i has
/// the inputs and the projection of seed + i. Not stabilised.
ATTN_STEPS(full, random_feature_errors, 1, (flat(options)),
           [](const RandomFeatureErrorOptions& how) { return RandomFeatureWork(how); })

// --- A text read from front to back --------------------------------------------------------------

using Reader = TextReader<float>;
ATTN_KEPT(Reader, "TextReader")
ATTN_ENUM(ReadingMechanism, kSoftmax, kLinear)
ATTN_OPTIONS(TextReaderOptions, d_k, d_v, seed, cache_bytes)
ATTN_STRUCT(ReadingProgress, position, tokens, section, capacity, bytes, multiply_adds,
            multiply_adds_left, largest)

/// @param feature_map Of linear attention; ELU + 1 unless given.
ATTN_CALL(full, text_reader_make, (handle, mechanism, sections, feature_map, flat(options)),
          [](New<Reader> handle, ReadingMechanism mechanism,
             const std::vector<std::string>& sections, const std::optional<FeatureMapChoice>& map,
             const TextReaderOptions& how) {
            std::optional<FeatureMap<float>> chosen;
            if (map) chosen = map->at(how.d_k);
            return handle.keep(Reader(mechanism, sections, chosen, how)).progress();
          })
/// Reads up to `tokens` tokens, fewer where the text or the cache ends; what was read before a stop
/// stays read.
ATTN_STEPS(full, text_reader_read, 16, (handle, tokens),
           [](Kept<Reader> reader, Index tokens) { return Reading<float>(*reader, tokens); })
ATTN_CALL(full, text_reader_progress, (handle),
          [](Kept<Reader> reader) { return reader->progress(); })
ATTN_CALL(full, text_reader_words, (handle, count),
          [](Kept<Reader> reader, Index count) { return reader->words(count); })
ATTN_CALL(full, text_reader_delete, (handle), [](Gone<Reader>) { return Nothing(); })

ATTN_OPTIONS(FactRecallOptions, n, d_k, d_v, key_scale, draws, seed)
ATTN_STRUCT(FactRecallResult<float>, feature_dimension, tokens, weight, right, numbers, fact,
            answers, weights)
ATTN_CONSTANT(max_recall_tokens, kMaxRecallTokens)
/// A fact planted before n other tokens, and asked for after them.
/// @param feature_map Left out: softmax attention.
ATTN_STEPS(full, fact_recall, 1, (feature_map, flat(options)),
           [](const std::optional<FeatureMapChoice>& map, const FactRecallOptions& how) {
             return FactRecall<float>(
                 map && how.d_k > 0 ? std::optional(map->at(how.d_k)) : std::nullopt, how);
           })

}  // namespace attn::wasm
