// Bindings of attn/analysis.hpp.

#include <memory>

#include "attn/analysis.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val range_to(double low, double high) {
  val range = val::array();
  range.push(val(low));
  range.push(val(high));
  return range;
}

val comparison_to(const ComparisonResult<float>& made) {
  val result = val::object();
  result.set("softmax", matrix_to(made.softmax));
  result.set("implicit", matrix_to(made.implicit));
  result.set("difference", matrix_to(made.difference));
  result.set("softmaxOutput", matrix_to(made.softmax_output));
  result.set("implicitOutput", matrix_to(made.implicit_output));
  result.set("mse", made.mse);
  result.set("maxDifference", made.max_difference);
  result.set("maxDifferenceRow", static_cast<double>(made.max_difference_row));
  result.set("maxDifferenceCol", static_cast<double>(made.max_difference_col));
  result.set("correlation", made.correlation);
  result.set("outputError", made.output_error);
  result.set("uniformMse", made.uniform_mse);
  result.set("mseBound", made.mse_bound);
  result.set("negativeWeights", static_cast<double>(made.negative_weights));
  result.set("nonFiniteWeights", static_cast<double>(made.non_finite_weights));
  result.set("nonPositiveDenominators", static_cast<double>(made.non_positive_denominators));
  result.set("keptCells", static_cast<double>(made.kept_cells));
  result.set("featureDimension", static_cast<double>(made.feature_dimension));
  result.set("scale", made.scale);
  result.set("softmaxRange", range_to(made.softmax_min, made.softmax_max));
  result.set("implicitRange", range_to(made.implicit_min, made.implicit_max));
  return result;
}

using Comparison = SoftmaxComparison<float>;

std::shared_ptr<Comparison> make_comparison(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return std::make_shared<Comparison>(qkv.Q, qkv.K, qkv.V, feature_map_from(options, qkv.Q.cols()),
                                      compare_options_from(options));
}

bool step(Comparison& comparison, int rows) { return comparison.step(rows); }

double progress(const Comparison& comparison) { return comparison.progress(); }

val result(const Comparison& comparison) { return comparison_to(comparison.result()); }

val explain_cell(val options) {
  const Matrix<float> Q = matrix_from(options["q"], "Q"), K = matrix_from(options["k"], "K");
  const CellExplanation made = attn::explain_cell<float>(
      Q, K, feature_map_from(options, Q.cols()), compare_options_from(options),
      index_from(options, "query"), index_from(options, "key"));
  val cell = val::object();
  cell.set("query", static_cast<double>(made.query));
  cell.set("key", static_cast<double>(made.key));
  cell.set("masked", made.masked);
  cell.set("dot", made.dot);
  cell.set("scale", made.scale);
  cell.set("logit", made.logit);
  cell.set("rowMax", made.row_max);
  cell.set("logSumExp", made.log_sum_exp);
  cell.set("softmaxWeight", made.softmax_weight);
  cell.set("featureDot", made.feature_dot);
  cell.set("denominator", made.denominator);
  cell.set("implicitWeight", made.implicit_weight);
  cell.set("difference", made.difference);
  cell.set("softmaxRank", static_cast<double>(made.softmax_rank));
  cell.set("implicitRank", static_cast<double>(made.implicit_rank));
  cell.set("visibleKeys", static_cast<double>(made.visible_keys));
  return cell;
}

EMSCRIPTEN_BINDINGS(attn_analysis) {
  emscripten::class_<Comparison>("Comparison")
      .smart_ptr<std::shared_ptr<Comparison>>("ComparisonPointer")
      .function("step", &guarded<&step, Comparison&, int>)
      .function("progress", &guarded<&progress, const Comparison&>)
      .function("result", &guarded<&result, const Comparison&>);
  bind<&make_comparison>("makeComparison");
  bind<&explain_cell>("explainCell");
}

}  // namespace
}  // namespace attn::wasm
