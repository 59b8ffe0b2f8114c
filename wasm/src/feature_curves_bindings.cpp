// Bindings of attn/associativity_precision.hpp, attn/feature_curves.hpp and
// attn/random_feature_errors.hpp.

#include <memory>
#include <string>

#include "attn/associativity_precision.hpp"
#include "attn/feature_curves.hpp"
#include "attn/random_feature_errors.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

template <typename Work>
bool step(Work& work, int amount) {
  return work.step(amount);
}
template <typename Work>
double progress(const Work& work) {
  return work.progress();
}

/// A class with `step`, `progress` and `result`, which `result_to` makes an object of.
template <typename Work, auto result_to>
void bind_work(const char* name, const char* pointer) {
  emscripten::class_<Work>(name)
      .template smart_ptr<std::shared_ptr<Work>>(pointer)
      .function("step", &guarded<&step<Work>, Work&, int>)
      .function("progress", &guarded<&progress<Work>, const Work&>)
      .function("result", &guarded<result_to, const Work&>);
}

// --- Curves --------------------------------------------------------------------------------------

/// `options.d`, by that name also where the map would complain of it.
Index width_from(const val& options) {
  const Index d = index_from(options, "d");
  if (d < 1) throw ValueError("d", std::to_string(d), "at least 1");
  return d;
}

val feature_map_curve(val options) {
  const Index d = width_from(options);
  const FeatureMap<float> map = feature_map_from(options, d);
  Matrix<float> direction = optional_matrix(options, "direction", "direction");
  if (is_undefined(options["direction"])) direction = Matrix<float>::Identity(1, d);
  const bool key = choice_from(options, "role", {"query", "key"}) == 1;
  Position position{optional_index(options, "offset").value_or(0), 0};
  position.length = optional_index(options, "length").value_or(position.offset + 1);
  const FeatureMapCurve<float> made = attn::feature_map_curve<float>(
      map, direction, number_from(options, "from"), number_from(options, "to"),
      index_from(options, "points"), key ? Role::kKey : Role::kQuery, position);
  val result = val::object();
  result.set("featureDimension", static_cast<double>(map.dimension()));
  result.set("t", numbers_to(made.t));
  result.set("phi", matrix_to(made.phi));
  result.set("slope", matrix_to(made.slope));
  return result;
}

using Curve = KernelCurve<float>;

std::shared_ptr<Curve> make_kernel_curve(val options) {
  KernelCurveOptions given;
  given.norm = number_from(options, "norm");
  given.points = index_from(options, "points");
  given.draws = optional_index(options, "draws").value_or(given.draws);
  if (!is_undefined(options["seed"])) given.seed = seed_from(options, "seed");
  return std::make_shared<Curve>(feature_map_from(options, width_from(options)), given);
}

val kernel_curve_to(const Curve& work) {
  const KernelCurveResult& made = work.result();
  val result = val::object();
  result.set("featureDimension", static_cast<double>(work.map().dimension()));
  result.set("s", numbers_to(made.s));
  result.set("exact", numbers_to(made.exact));
  result.set("mean", numbers_to(made.mean));
  result.set("low", numbers_to(made.low));
  result.set("median", numbers_to(made.median));
  result.set("high", numbers_to(made.high));
  result.set("draws", static_cast<double>(work.options().draws));
  return result;
}

// --- Random features -----------------------------------------------------------------------------

using RandomErrors = RandomFeatureErrors<float>;

std::shared_ptr<RandomErrors> make_random_feature_errors(val options) {
  constexpr RandomFeatureKind kKinds[] = {RandomFeatureKind::kPositive,
                                          RandomFeatureKind::kTrigonometric,
                                          RandomFeatureKind::kHyperbolic};
  RandomFeatureErrorOptions given;
  given.kind = kKinds[choice_from(options, "kind", {"positive", "trigonometric", "hyperbolic"})];
  given.orthogonal = flag_from(options, "orthogonal", given.orthogonal);
  given.m = indices_from(options["m"], "m");
  given.d = index_from(options, "d");
  given.n = index_from(options, "n");
  given.input_scale = optional_number(options, "inputScale").value_or(given.input_scale);
  given.draws = optional_index(options, "draws").value_or(given.draws);
  if (!is_undefined(options["seed"])) given.seed = seed_from(options, "seed");
  return std::make_shared<RandomErrors>(given);
}

val spread_to(const Spread& spread) {
  val result = val::object();
  result.set("low", spread.low);
  result.set("median", spread.median);
  result.set("high", spread.high);
  return result;
}

val random_feature_errors_to(const RandomErrors& work) {
  val rows = val::array();
  for (const RandomFeatureError& made : work.result()) {
    val row = val::object();
    row.set("m", static_cast<double>(made.m));
    row.set("featureDimension", static_cast<double>(made.feature_dimension));
    row.set("relativeRms", made.relative_rms);
    row.set("relativeRmsByDraw", spread_to(made.relative_rms_by_draw));
    row.set("predictedRms", made.predicted_rms);
    row.set("medianError", spread_to(made.median_error));
    row.set("negativeShare", made.negative_share);
    row.set("mse", spread_to(made.mse));
    row.set("correlation", spread_to(made.correlation));
    row.set("outputError", spread_to(made.output_error));
    row.set("uniformMse", spread_to(made.uniform_mse));
    row.set("finiteDraws", static_cast<double>(made.finite_draws));
    rows.push(row);
  }
  val result = val::object();
  result.set("rows", rows);
  return result;
}

// --- Precision -----------------------------------------------------------------------------------

std::shared_ptr<AssociativityPrecision> make_associativity_precision(val options) {
  AssociativityPrecisionOptions given;
  given.n = index_from(options, "n");
  given.d_k = index_from(options, "dK");
  given.d_v = index_from(options, "dV");
  given.draws = optional_index(options, "draws").value_or(given.draws);
  if (!is_undefined(options["seed"])) given.seed = seed_from(options, "seed");
  given.rtol = optional_number(options, "rtol").value_or(given.rtol);
  given.atol = optional_number(options, "atol").value_or(given.atol);
  return std::make_shared<AssociativityPrecision>(given);
}

val errors_to(const AssociativityErrors& made) {
  val worst = val::object();
  worst.set("seed", static_cast<double>(made.worst.seed));
  worst.set("row", static_cast<double>(made.worst.row));
  worst.set("col", static_cast<double>(made.worst.col));
  worst.set("standard", made.worst.standard);
  worst.set("linear", made.worst.linear);
  worst.set("terms", made.worst.terms);
  worst.set("condition", made.worst.condition);
  val result = val::object();
  result.set("maxDifference", made.max_difference);
  result.set("maxRelativeDifference", made.max_relative_difference);
  result.set("failedShare", made.failed_share);
  result.set("failedDraws", static_cast<double>(made.failed_draws));
  result.set("differences", numbers_to(made.differences));
  result.set("relativeDifferences", numbers_to(made.relative_differences));
  result.set("worst", worst);
  return result;
}

val associativity_precision_to(const AssociativityPrecision& work) {
  const AssociativityPrecisionResult& made = work.result();
  val first = val::object();
  const auto set = [&first](Name name, const Matrix<double>& x) {
    first.set(name, matrix_to(Matrix<float>(x.cast<float>())));
  };
  set("size", made.size);
  set("difference", made.difference);
  set("relativeDifference", made.relative_difference);
  set("condition", made.condition);
  val result = val::object();
  result.set("float32", errors_to(made.float32));
  result.set("float64", errors_to(made.float64));
  result.set("probabilities", numbers_to(std::vector<double>(std::begin(kPrecisionProbabilities),
                                                             std::end(kPrecisionProbabilities))));
  result.set("draws", static_cast<double>(made.draws));
  result.set("entries", static_cast<double>(made.entries));
  result.set("first", first);
  return result;
}

EMSCRIPTEN_BINDINGS(attn_feature_curves) {
  bind<&feature_map_curve>("featureMapCurve");
  bind_work<Curve, &kernel_curve_to>("KernelCurve", "KernelCurvePointer");
  bind<&make_kernel_curve>("makeKernelCurve");
  bind_work<RandomErrors, &random_feature_errors_to>("RandomFeatureErrors",
                                                     "RandomFeatureErrorsPointer");
  bind<&make_random_feature_errors>("makeRandomFeatureErrors");
  bind_work<AssociativityPrecision, &associativity_precision_to>("AssociativityPrecision",
                                                                 "AssociativityPrecisionPointer");
  bind<&make_associativity_precision>("makeAssociativityPrecision");
}

}  // namespace
}  // namespace attn::wasm
