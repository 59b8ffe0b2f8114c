// Bindings of attn/attention_patterns.hpp, attn/feature_map_quality.hpp,
// attn/gradient_quantiles.hpp, attn/scaling_experiment.hpp and attn/singular_values.hpp.

#include <memory>

#include "attn/attention_patterns.hpp"
#include "attn/feature_map_quality.hpp"
#include "attn/gradient_quantiles.hpp"
#include "attn/scaling_experiment.hpp"
#include "attn/singular_values.hpp"
#include "convert_full.hpp"
#include "errors.hpp"
#include "registry.hpp"

namespace attn::wasm {
namespace {

val singular_values(val options) {
  return numbers_to(attn::singular_values<float>(matrix_from(options["x"], "x")));
}

double numerical_rank(val options) {
  return static_cast<double>(attn::numerical_rank<float>(matrix_from(options["x"], "x"),
                                                         optional_number(options, "tolerance")));
}

val symmetric_eigenvalues(val options) {
  return numbers_to(attn::symmetric_eigenvalues<float>(matrix_from(options["x"], "x")));
}

val quantiles(val options) {
  return numbers_to(attn::quantiles(numbers_from(options["values"], "values"),
                                    numbers_from(options["probabilities"], "probabilities")));
}

// --- Patterns of attention -----------------------------------------------------------------------

val rows_to(const AttentionRows& rows) {
  val result = val::object();
  result.set("max", numbers_to(rows.max));
  result.set("topKey", numbers_to(rows.top_key));
  result.set("entropy", numbers_to(rows.entropy));
  result.set("effectiveKeys", numbers_to(rows.effective_keys));
  result.set("uniformity", numbers_to(rows.uniformity));
  result.set("diagonal", numbers_to(rows.diagonal));
  result.set("local", numbers_to(rows.local));
  result.set("distance", numbers_to(rows.distance));
  result.set("visibleKeys", numbers_to(rows.visible_keys));
  return result;
}

val columns_to(const AttentionColumns& columns) {
  val result = val::object();
  result.set("received", numbers_to(columns.received));
  result.set("receivedIfEqual", numbers_to(columns.received_if_equal));
  result.set("seenBy", numbers_to(columns.seen_by));
  return result;
}

val head_to(const HeadName& name) {
  val result = val::object();
  result.set("id", text_to(name.id));
  result.set("label", text_to(name.label));
  result.set("score", name.score);
  return result;
}

HeadThresholds thresholds_from(const val& options) {
  HeadThresholds result;
  const val given = options["thresholds"];
  if (is_undefined(given)) return result;
  const auto read = [&](Name name, double& value) {
    value = optional_number(given, name).value_or(value);
  };
  read("target", result.target);
  read("uniform", result.uniform);
  read("broad", result.broad);
  read("local", result.local);
  read("localGain", result.local_gain);
  return result;
}

val analyze_attention_patterns(val options) {
  AttentionPatternOptions given;
  given.mask = mask_from(options);
  if (!is_undefined(options["alignment"])) {
    const bool bottom = choice_from(options, "alignment", {"topLeft", "bottomRight"}) == 1;
    given.alignment = bottom ? Alignment::kBottomRight : Alignment::kTopLeft;
  }
  given.window = optional_index(options, "window").value_or(given.window);
  given.sparsity_threshold =
      optional_number(options, "sparsityThreshold").value_or(given.sparsity_threshold);
  given.rank = flag_from(options, "rank", given.rank);
  given.rank_tolerance = optional_number(options, "rankTolerance");
  const AttentionPatterns made =
      attn::analyze_attention_patterns<float>(matrix_from(options["weights"], "weights"), given);
  val result = val::object();
  result.set("emptyRows", static_cast<double>(made.empty_rows));
  result.set("freeRows", static_cast<double>(made.free_rows));
  result.set("maxAttention", made.max_attention);
  result.set("meanMax", made.mean_max);
  result.set("meanEntropy", made.mean_entropy);
  result.set("meanEffectiveKeys", made.mean_effective_keys);
  result.set("diagonalMass", made.diagonal_mass);
  result.set("localMass", made.local_mass);
  result.set("globalMass", made.global_mass);
  result.set("localVsGlobal", made.local_vs_global);
  result.set("meanDistance", made.mean_distance);
  result.set("diagonalMassIfEqual", made.diagonal_mass_if_equal);
  result.set("localMassIfEqual", made.local_mass_if_equal);
  result.set("meanDistanceIfEqual", made.mean_distance_if_equal);
  result.set("sparsity", made.sparsity);
  result.set("previousTokenScore", made.previous_token_score);
  result.set("nextTokenScore", made.next_token_score);
  result.set("selfScore", made.self_score);
  result.set("firstTokenScore", made.first_token_score);
  result.set("uniformityScore", made.uniformity_score);
  result.set("topKey", static_cast<double>(made.top_key));
  result.set("topKeyShare", made.top_key_share);
  if (made.rank) {
    result.set("rank", static_cast<double>(*made.rank));
    result.set("singularValues", numbers_to(made.singular_values));
  }
  result.set("rows", rows_to(made.rows));
  result.set("columns", columns_to(made.columns));
  result.set("head", head_to(name_head(made, thresholds_from(options))));
  return result;
}

// --- Quality of a feature map --------------------------------------------------------------------

using Quality = FeatureMapQualityAnalysis<float>;

std::shared_ptr<Quality> make_quality(val options) {
  const Qkv<float> qkv = qkv_from(options);
  FeatureMapQualityOptions given;
  given.compare = compare_options_from(options);
  given.near_zero = optional_number(options, "nearZero").value_or(given.near_zero);
  given.spectrum = flag_from(options, "spectrum", given.spectrum);
  return std::make_shared<Quality>(qkv.Q, qkv.K, qkv.V, feature_map_from(options, qkv.Q.cols()),
                                   given);
}

bool step_quality(Quality& work, int rows) { return work.step(rows); }

double progress_of_quality(const Quality& work) { return work.progress(); }

val result_of_quality(const Quality& work) {
  const FeatureMapQuality& made = work.result();
  val result = val::object();
  result.set("featureDimension", static_cast<double>(made.feature_dimension));
  result.set("outputCosine", made.output_cosine);
  result.set("outputError", made.output_error);
  result.set("correlation", made.correlation);
  result.set("mse", made.mse);
  result.set("uniformMse", made.uniform_mse);
  result.set("mseBound", made.mse_bound);
  result.set("kl", made.kl);
  result.set("klUndefined", made.kl_undefined);
  result.set("uniformKl", made.uniform_kl);
  result.set("nonFiniteFeatures", made.non_finite_features);
  result.set("zeroFeatures", made.zero_features);
  result.set("subnormalFeatures", made.subnormal_features);
  result.set("underflow", made.underflow);
  result.set("minFeature", made.min_feature);
  result.set("maxFeature", made.max_feature);
  result.set("minWeight", made.min_weight);
  result.set("deadQueries", made.dead_queries);
  result.set("deadKeys", made.dead_keys);
  result.set("deadFeatures", made.dead_features);
  result.set("negativeDenominators", made.negative_denominators);
  result.set("zeroDenominators", made.zero_denominators);
  result.set("nonFiniteDenominators", made.non_finite_denominators);
  result.set("cancelledDenominators", made.cancelled_denominators);
  result.set("epsilonDenominators", made.epsilon_denominators);
  result.set("negativeWeights", made.negative_weights);
  if (made.condition) result.set("condition", *made.condition);
  if (made.feature_rank) result.set("featureRank", static_cast<double>(*made.feature_rank));
  if (made.effective_rank) result.set("effectiveRank", *made.effective_rank);
  return result;
}

// --- Gradients and scaling -----------------------------------------------------------------------

val gradient_quantiles(val options) {
  GradientQuantileOptions given;
  if (!is_undefined(options["probabilities"])) {
    given.probabilities = numbers_from(options["probabilities"], "probabilities");
  }
  given.small = optional_number(options, "small").value_or(given.small);
  const GradientQuantiles made =
      attn::gradient_quantiles<float>(matrix_from(options["gradient"], "gradient"), given);
  val result = val::object();
  result.set("probabilities", numbers_to(made.probabilities));
  result.set("rowNorms", numbers_to(made.row_norms));
  result.set("entries", numbers_to(made.entries));
  result.set("meanRowNorm", made.mean_row_norm);
  result.set("meanEntry", made.mean_entry);
  result.set("smallShare", made.small_share);
  result.set("nonFiniteEntries", static_cast<double>(made.non_finite_entries));
  result.set("nonFiniteRows", static_cast<double>(made.non_finite_rows));
  return result;
}

// In float64: the smallest gradients are below what float32 rounds to.
using Scaling = ScalingExperiment<double>;

std::shared_ptr<Scaling> make_scaling(val options) {
  ScalingOptions given;
  if (!is_undefined(options["dK"])) given.d_k = indices_from(options["dK"], "d_k");
  if (!is_undefined(options["n"])) given.n = indices_from(options["n"], "n");
  given.draws = optional_index(options, "draws").value_or(given.draws);
  if (!is_undefined(options["seed"])) given.seed = seed_from(options, "seed");
  given.gradients = flag_from(options, "gradients", given.gradients);
  given.d_v = optional_index(options, "dV").value_or(given.d_v);
  given.small_gradient = optional_number(options, "smallGradient").value_or(given.small_gradient);
  return std::make_shared<Scaling>(given);
}

bool step_scaling(Scaling& work, int draws) { return work.step(draws); }

double progress_of_scaling(const Scaling& work) { return work.progress(); }

val estimate_to(const Estimate& estimate) {
  val result = val::object();
  result.set("mean", estimate.mean);
  result.set("standardError", estimate.standard_error);
  return result;
}

val result_of_scaling(const Scaling& work) {
  val cells = val::array();
  for (const ScalingCell& made : work.result()) {
    val cell = val::object();
    cell.set("n", static_cast<double>(made.n));
    cell.set("dK", static_cast<double>(made.d_k));
    cell.set("scaled", made.scaled);
    cell.set("draws", static_cast<double>(made.draws));
    cell.set("rowMax", estimate_to(made.row_max));
    cell.set("pictureMax", estimate_to(made.picture_max));
    cell.set("entropy", estimate_to(made.entropy));
    cell.set("jacobianNorm", estimate_to(made.jacobian_norm));
    cell.set("medianJacobianNorm", made.median_jacobian_norm);
    cell.set("dqNorm", estimate_to(made.dq_norm));
    cell.set("medianDqNorm", made.median_dq_norm);
    cell.set("tenthDqNorm", made.tenth_dq_norm);
    cell.set("smallShare", estimate_to(made.small_share));
    cells.push(cell);
  }
  val result = val::object();
  result.set("cells", cells);
  return result;
}

val scaling_draw(val options) {
  // Drawn as the experiment draws, and only then rounded.
  const ScalingDraw<double> made = attn::scaling_draw<double>(
      index_from(options, "n"), index_from(options, "dK"), index_from(options, "dV"),
      seed_from(options, "seed"), index_from(options, "index"));
  val result = val::object();
  result.set("q", matrix_to(made.Q.cast<float>()));
  result.set("k", matrix_to(made.K.cast<float>()));
  result.set("v", matrix_to(made.V.cast<float>()));
  result.set("dO", matrix_to(made.dO.cast<float>()));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_analysis_full) {
  bind<&singular_values>("singularValues");
  bind<&numerical_rank>("numericalRank");
  bind<&symmetric_eigenvalues>("symmetricEigenvalues");
  bind<&quantiles>("quantiles");
  bind<&scaling_draw>("scalingDraw");
  bind<&analyze_attention_patterns>("analyzeAttentionPatterns");
  emscripten::class_<Quality>("FeatureMapQuality")
      .smart_ptr<std::shared_ptr<Quality>>("FeatureMapQualityPointer")
      .function("step", &guarded<&step_quality, Quality&, int>)
      .function("progress", &guarded<&progress_of_quality, const Quality&>)
      .function("result", &guarded<&result_of_quality, const Quality&>);
  bind<&make_quality>("makeFeatureMapQuality");
  bind<&gradient_quantiles>("gradientQuantiles");
  emscripten::class_<Scaling>("ScalingExperiment")
      .smart_ptr<std::shared_ptr<Scaling>>("ScalingExperimentPointer")
      .function("step", &guarded<&step_scaling, Scaling&, int>)
      .function("progress", &guarded<&progress_of_scaling, const Scaling&>)
      .function("result", &guarded<&result_of_scaling, const Scaling&>);
  bind<&make_scaling>("makeScalingExperiment");
}

}  // namespace
}  // namespace attn::wasm
